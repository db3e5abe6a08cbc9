from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from judge.answers import Support, Unjudged
from judge.local import Library, LocalJudge, Passage
from judge.question import Question, Subject
from judge.replies import read_reply

CHUNKS = {
    "hours": "The filter must be changed every 500 hours of operation. Use only part CF-12.",
    "refund": "Refunds are paid within 14 days after we received the machine.",
    "open": "Opened machines can be returned if they are defective.",
    "cover": "Paragliding is excluded. Skiing on marked slopes is covered.",
    "unless": "You can withdraw within 14 days, unless your trip has already begun.",
    "de": "Gestohlenes Gepäck ersetzen wir bis 2.000 Euro.",
    "ja": "返品は到着後30日以内に可能です。",
}


def evidence(text: str, **fields: Any) -> dict[str, Any]:
    return {
        "label": "evidence 1",
        "kind": "chunk",
        "title": None,
        "tool": None,
        "arguments": None,
        "status": None,
        "text": text,
    } | fields


def judged(
    paragraph: str,
    *pieces: Mapping[str, Any],
    question: str = "What about it?",
    markers: Sequence[str] = (),
) -> Support | Unjudged:
    judge = LocalJudge(
        Library(Passage(collection="a", title=None, text=text) for text in CHUNKS.values())
    )
    asked = Question(
        kind="support",
        conversation_id="c",
        turn_id="c/1",
        subject=Subject(paragraph=1),
        content={
            "question": question,
            "lead_in": None,
            "paragraph": {"kind": "prose", "text": paragraph, "markers": [*markers]},
            "evidence": [*map(dict, pieces)],
        },
    )
    (reply,) = judge.answer([asked])
    if reply.error is not None:
        return Unjudged(reason=reply.error)
    answer = read_reply(asked, reply.text)
    assert isinstance(answer, Support | Unjudged)
    return answer


@pytest.mark.parametrize(
    ("paragraph", "chunk", "label"),
    [
        pytest.param("Change the filter every 500 hours.", "hours", "full", id="paraphrase"),
        pytest.param("Change the filter every 800 hours.", "hours", "contradicted", id="number"),
        pytest.param("Use only part CF-13.", "hours", "contradicted", id="sibling identifier"),
        pytest.param("Refunds are paid within two weeks.", "refund", "full", id="other unit"),
        pytest.param("Refunds are paid within 3 weeks.", "refund", "contradicted", id="weeks"),
        pytest.param(
            "Opened machines cannot be returned if they are defective.",
            "open",
            "contradicted",
            id="negation added",
        ),
        pytest.param("Paragliding is not covered.", "cover", "full", id="negation by a word"),
        pytest.param("Skiing on marked slopes is covered.", "cover", "full", id="second clause"),
        pytest.param(
            "You can withdraw within 14 days as long as your trip has not begun.",
            "unless",
            "full",
            id="the same condition in other words",
        ),
        pytest.param("We offer courses in Hamburg.", "refund", "none", id="something else"),
        pytest.param(
            "Refunds are paid within 14 days. We also offer courses in Hamburg.",
            "refund",
            "partial",
            id="one of two sentences",
        ),
        pytest.param("Wir ersetzen gestohlenes Gepäck bis 2.000 €.", "de", "full", id="German"),
        pytest.param(
            "Wir ersetzen gestohlenes Gepäck bis 3.000 €.", "de", "contradicted", id="German number"
        ),
        pytest.param("到着後30日以内に返品できます。", "ja", "full", id="Japanese"),
        pytest.param("到着後40日以内に返品できます。", "ja", "contradicted", id="Japanese number"),
        pytest.param(
            "Gestohlenes Gepäck ersetzen wir bis 2.000 Euro.", "refund", "none", id="wrong chunk"
        ),
    ],
)
def test_a_paragraph_against_a_chunk(paragraph: str, chunk: str, label: str) -> None:
    answer = judged(paragraph, evidence(CHUNKS[chunk]))
    assert isinstance(answer, Support), answer
    assert answer.label == label, answer.reason


ORDER = '{"order_id": "BC-10422", "status": "shipped", "eta": "2024-05-06", "items": 2}'


@pytest.mark.parametrize(
    ("paragraph", "piece", "label"),
    [
        pytest.param(
            "Your order BC-10422 has shipped and arrives on May 6.",
            evidence(ORDER, kind="tool_result", tool="get_order", status="ok"),
            "full",
            id="values of a result",
        ),
        pytest.param(
            "Your order BC-10422 has shipped and arrives on May 9.",
            evidence(ORDER, kind="tool_result", tool="get_order", status="ok"),
            "contradicted",
            id="another date than the result",
        ),
        pytest.param(
            "There is no order BC-10422.",
            evidence(ORDER, kind="tool_result", tool="get_order", status="ok"),
            "contradicted",
            id="absence of what the result holds",
        ),
        pytest.param(
            "There is no order 999.",
            evidence("(no result)", kind="tool_result", tool="get_order", status="empty"),
            "full",
            id="absence after an empty result",
        ),
        pytest.param(
            "Your ticket has been created.",
            evidence("504 timeout", kind="tool_result", tool="create_ticket", status="error"),
            "contradicted",
            id="success after an error",
        ),
        pytest.param(
            "I cannot reach the order system now.",
            evidence("504 timeout", kind="tool_result", tool="get_order", status="error"),
            "full",
            id="an honest report of an error",
        ),
        pytest.param(
            "There is no order 999.",
            evidence("504 timeout", kind="tool_result", tool="get_order", status="error"),
            "none",
            id="an error says nothing about what exists",
        ),
    ],
)
def test_a_paragraph_against_a_tool_result(
    paragraph: str, piece: Mapping[str, Any], label: str
) -> None:
    answer = judged(paragraph, piece, question="Where is my order?")
    assert isinstance(answer, Support), answer
    assert answer.label == label, answer.reason


def test_several_pieces_are_taken_together() -> None:
    paragraph = "The filter is changed every 500 hours. Refunds are paid within 14 days."
    one, other = evidence(CHUNKS["hours"]), evidence(CHUNKS["refund"], label="evidence 2")
    together = judged(paragraph, one, other)
    alone = judged(paragraph, one)
    assert isinstance(together, Support)
    assert isinstance(alone, Support)
    assert (together.label, alone.label) == ("full", "partial")


def test_quotes_are_verbatim() -> None:
    answer = judged("Change the filter every 800 hours.", evidence(CHUNKS["hours"]))
    assert isinstance(answer, Support)
    assert answer.quote_paragraph == "Change the filter every 800 hours."
    assert answer.quote_evidence == "The filter must be changed every 500 hours of operation."


def test_the_wrong_object_supports_nothing() -> None:
    chunk = "BX-300: press start and wait 35 minutes."
    answer = judged(
        "Press start and wait 35 minutes to descale the BX-200.",
        evidence(chunk),
        question="How do I descale the BX-200?",
    )
    assert isinstance(answer, Support)
    assert answer.label == "none"


MANUALS = ("The belt of axis 5 is tensioned to 60 N.", "The belt of axis 5 is tensioned to 75 N.")


@pytest.mark.parametrize(
    ("paragraph", "labels"),
    [
        pytest.param("The belt is tensioned to 60 N.", ["full", "contradicted"], id="no marker"),
        pytest.param("The belt is tensioned to 60 N [1].", ["full", "none"], id="of the other"),
        pytest.param("The belt is tensioned to 65 N [1].", ["contradicted", "none"], id="own"),
        pytest.param(
            "The belt is tensioned to 60 N [1][2].", ["full", "contradicted"], id="of both"
        ),
        pytest.param(
            "The belt of axis 5 is tensioned to 60 N [1] or to 75 N [2].",
            ["partial", "partial"],
            id="each half of its own",
        ),
        pytest.param(
            "The belt of axis 5 is tensioned to 60 N [1], the new belt of axis 5 to 80 N [2].",
            ["partial", "contradicted"],
            id="one half wrong",
        ),
        pytest.param(
            "The belt is tensioned to 60 N [1]. It is red.", ["partial", "none"], id="a tail"
        ),
    ],
)
def test_a_marker_tells_which_source_can_contradict(paragraph: str, labels: list[str]) -> None:
    found = [
        judged(paragraph, evidence(text, cited_as=[f"[{number}]"]), markers=["[1]", "[2]"])
        for number, text in enumerate(MANUALS, start=1)
    ]
    assert [one.label for one in found if isinstance(one, Support)] == labels


def test_together_each_claim_is_held_against_its_own_source() -> None:
    pieces = [evidence(text, cited_as=[f"[{n}]"]) for n, text in enumerate(MANUALS, start=1)]
    said = "The old belt is tensioned to 60 N [1]. The new belt is tensioned to 75 N [2]."
    found = judged(said, *pieces, markers=["[1]", "[2]"])
    assert isinstance(found, Support)
    assert found.label != "contradicted"
