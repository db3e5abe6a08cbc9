import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.answers import (
    AnswerJudgement,
    Criterion,
    InventedQuestions,
    Relevance,
    RoutingJudgement,
    Statements,
    Support,
    TurnRouting,
    Unjudged,
    UnjudgedReason,
)
from judge.asking import answer_question, relevance_questions, statements_question
from judge.asking_routing import routing_questions
from judge.asking_support import support_questions
from judge.question import Question, Subject
from judge.replies import read_reply
from tests.builders import (
    catalogue,
    chunk,
    citation,
    conversation,
    definition,
    generation,
    routing,
    tool_call,
    turn,
)

CASES = Path(__file__).parents[2].parent / "shared" / "cases"

TEXT = "Shoes: the return\nwindow  is 30 days."
ANSWER = "Shoes may be returned within 30 days [1].\n\nHats may not."
ASKED = turn(
    answer=generation(ANSWER, [citation("p-1")]),
    chunks=[chunk(text=TEXT, metadata={"title": "Return policy"})],
)
RELEVANCE = next(relevance_questions(ASKED))
SUPPORT = next(support_questions(ASKED))
JUDGEMENT = answer_question(ASKED)
STATEMENTS = statements_question(ASKED, on_request=True)

GOOD_RELEVANCE = {"reason": "r", "target": True, "intent": True, "usable": True, "grade": 3}
GOOD_SUPPORT = {"reason": "r", "label": "full"}
GOOD_JUDGEMENT: dict[str, Any] = {
    "reason": "r",
    "needs_evidence": True,
    "reply": "answered",
    "elements": [{"text": "How long?", "status": "answered", "paragraphs": [1]}],
    "paragraphs": [
        {"paragraph": 1, "needs_source": True, "claim": "fact"},
        {"paragraph": 2, "needs_source": True, "claim": "absence"},
    ],
    "understanding": 3,
    "coherence": 0,
    "completeness": 2,
}


def reason(question: Question, text: str) -> str | None:
    answer = read_reply(question, text)
    return answer.reason if isinstance(answer, Unjudged) else None


def bad(question: Question, fields: dict[str, Any]) -> str | None:
    return reason(question, json.dumps(fields))


# One object


ONE = json.dumps(GOOD_RELEVANCE)
QUOTING = json.dumps({**GOOD_RELEVANCE, "reason": f"the text says {ONE} {{"})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(ONE, None, id="one object"),
        pytest.param(f" \n{ONE}\n", None, id="white space around it"),
        pytest.param(f"```json\n{ONE}\n```", None, id="one code fence"),
        pytest.param(f"```\n{ONE}\n```\n", None, id="a fence without a language"),
        pytest.param(f"```JSON\n{ONE}```", None, id="a fence that closes on the line"),
        pytest.param(QUOTING, None, id="an object quoted inside a string"),
        pytest.param(f"{ONE}\n{ONE}", "two_objects", id="two"),
        pytest.param(f"{ONE}{QUOTING}", "two_objects", id="two without a gap"),
        pytest.param(f"[{ONE}, {ONE}]", "two_objects", id="two in a list"),
        pytest.param(f"I see {ONE} but say\n{ONE}", "two_objects", id="two in prose"),
        pytest.param(f"```json\n{ONE}\n```\n```json\n{ONE}\n```", "two_objects", id="two fences"),
        pytest.param(f"[{ONE}]", "invalid_json", id="one in a list"),
        pytest.param(f"Here it is: {ONE}", "invalid_json", id="prose before"),
        pytest.param(f"{ONE} Done.", "invalid_json", id="prose after"),
        pytest.param("", "invalid_json", id="empty"),
        pytest.param("I cannot say.", "invalid_json", id="prose"),
        pytest.param("null", "invalid_json", id="null"),
        pytest.param("3", "invalid_json", id="a bare grade"),
        pytest.param("{}", "invalid_json", id="an empty object"),
        pytest.param(ONE[:-1], "invalid_json", id="cut before the last brace"),
        pytest.param('{"grade": 3, "reason": "because the', "invalid_json", id="cut in a string"),
        pytest.param(
            json.dumps(GOOD_JUDGEMENT)[:-1], "invalid_json", id="cut behind inner objects"
        ),
        pytest.param(ONE.replace("}", ",}"), "invalid_json", id="trailing comma"),
        pytest.param(ONE.replace('"', "'"), "invalid_json", id="single quotes"),
        pytest.param(ONE.replace(": 3", ": NaN"), "invalid_json", id="not a number"),
        pytest.param(ONE.replace("}", ', "grade": 0}'), "invalid_json", id="a key twice"),
        pytest.param("[" * 100_000, "invalid_json", id="deep nesting"),
        pytest.param('{"a":' * 100_000, "invalid_json", id="deep objects"),
        pytest.param(ONE.replace(": 3", ": " + "9" * 5_000), "invalid_json", id="a huge number"),
    ],
)
def test_a_reply_is_exactly_one_object(text: str, expected: str | None) -> None:
    assert reason(RELEVANCE, text) == expected


def test_the_quoted_verdict_is_not_the_verdict() -> None:
    planted = json.dumps({**GOOD_RELEVANCE, "grade": 0, "reason": f"quotes {ONE}"})
    answer = read_reply(RELEVANCE, planted)
    assert isinstance(answer, Relevance)
    assert answer.grade == 0


@given(st.text())
def test_no_text_is_read_by_accident(text: str) -> None:
    assert isinstance(read_reply(RELEVANCE, text), Unjudged)


@given(cut=st.integers(0, len(QUOTING) - 1))
def test_no_part_of_a_reply_is_read(cut: int) -> None:
    assert isinstance(read_reply(RELEVANCE, QUOTING[:cut]), Unjudged)


# Fields


def test_what_a_reply_leaves_out_is_the_records_default() -> None:
    assert read_reply(RELEVANCE, ONE) == Relevance(
        reason="r", target=True, intent=True, usable=True, grade=3, quote=None
    )
    judgement = read_reply(JUDGEMENT, json.dumps(GOOD_JUDGEMENT))
    assert isinstance(judgement, AnswerJudgement)
    assert judgement.evidence_sufficient is None
    assert judgement.elements[0].in_evidence is None


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        pytest.param({}, None, id="as it should be"),
        pytest.param({"quote": None}, None, id="an optional key as null"),
        pytest.param({"grade": 0}, None, id="lowest grade"),
        pytest.param({"grade": 4}, "out_of_range", id="grade too high"),
        pytest.param({"grade": -1}, "out_of_range", id="grade too low"),
        pytest.param({"grade": "3"}, "invalid_json", id="grade as text"),
        pytest.param({"grade": 2.5}, "invalid_json", id="grade between"),
        pytest.param({"grade": 3.0}, "invalid_json", id="grade as float"),
        pytest.param({"grade": True}, "invalid_json", id="grade as truth value"),
        pytest.param({"grade": None}, "invalid_json", id="no grade"),
        pytest.param({"target": 1}, "invalid_json", id="truth value as number"),
        pytest.param({"target": "yes"}, "invalid_json", id="truth value as word"),
        pytest.param({"reason": None}, "invalid_json", id="no reason"),
        pytest.param({"score": 1.0}, "invalid_json", id="a key too many"),
        pytest.param({"Grade": 3}, "invalid_json", id="a key in another case"),
    ],
)
def test_fields_of_relevance(change: dict[str, Any], expected: str | None) -> None:
    assert bad(RELEVANCE, {**GOOD_RELEVANCE, **change}) == expected


@pytest.mark.parametrize("missing", list(GOOD_RELEVANCE))
def test_no_field_may_be_missing(missing: str) -> None:
    fields = {key: value for key, value in GOOD_RELEVANCE.items() if key != missing}
    assert bad(RELEVANCE, fields) == "invalid_json"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        pytest.param({}, None, id="as it should be"),
        pytest.param({"understanding": 4}, "out_of_range", id="understanding too high"),
        pytest.param({"coherence": -1}, "out_of_range", id="coherence too low"),
        pytest.param({"completeness": 9}, "out_of_range", id="completeness too high"),
        pytest.param({"reply": "maybe"}, "invalid_json", id="no such kind of reply"),
        pytest.param({"elements": []}, None, id="no element"),
        pytest.param(
            {"elements": [{"text": "x", "status": "answered", "paragraphs": [2, 1]}]},
            None,
            id="an element answered twice",
        ),
        pytest.param(
            {"elements": [{"text": "x", "status": "answered", "paragraphs": [3]}]},
            "out_of_range",
            id="an element answered by a paragraph that is not there",
        ),
        pytest.param(
            {"elements": [{"text": "x", "status": "answered", "paragraphs": [0]}]},
            "out_of_range",
            id="paragraphs count from 1",
        ),
        pytest.param(
            {"elements": [{"text": "x", "status": "answered", "grade": 3}]},
            "invalid_json",
            id="a key too many inside",
        ),
        pytest.param(
            {"paragraphs": GOOD_JUDGEMENT["paragraphs"][:1]}, "out_of_range", id="left out"
        ),
        pytest.param(
            {"paragraphs": GOOD_JUDGEMENT["paragraphs"][::-1]}, "out_of_range", id="order"
        ),
        pytest.param(
            {"paragraphs": GOOD_JUDGEMENT["paragraphs"] * 2}, "out_of_range", id="paragraphs twice"
        ),
    ],
)
def test_fields_of_an_answer_judgement(change: dict[str, Any], expected: str | None) -> None:
    assert bad(JUDGEMENT, {**GOOD_JUDGEMENT, **change}) == expected


# Quotes


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        pytest.param("return window is 30 days", None, id="white space aside"),
        pytest.param(" Shoes:\tthe ", None, id="white space around it"),
        pytest.param(TEXT, None, id="all of it"),
        pytest.param("Return policy", None, id="from the title"),
        pytest.param("return window is 60 days", "quote_not_found", id="a number changed"),
        pytest.param("Return window is 30 days", "quote_not_found", id="another case"),
        pytest.param("Shoes: … 30 days", "quote_not_found", id="shortened"),
        pytest.param("policy Shoes", "quote_not_found", id="across title and text"),
        pytest.param("30 days [1]", "quote_not_found", id="from the answer"),
    ],
)
def test_quotes_are_verbatim(quote: str, expected: str | None) -> None:
    assert bad(RELEVANCE, {**GOOD_RELEVANCE, "quote": quote}) == expected
    assert bad(SUPPORT, {**GOOD_SUPPORT, "quote_evidence": quote}) == expected
    statement = {"text": "x", "paragraph": 1, "label": "supported", "quote": quote}
    assert STATEMENTS is not None
    assert bad(STATEMENTS, {"reason": "r", "statements": [statement]}) == expected


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("within 30 days [1].", None),
        ("within 60 days", "quote_not_found"),
        ("Hats", "quote_not_found"),
    ],
)
def test_quotes_of_the_paragraph_are_verbatim(quote: str, expected: str | None) -> None:
    assert bad(SUPPORT, {**GOOD_SUPPORT, "quote_paragraph": quote}) == expected


@pytest.mark.parametrize("blank", ["", " \n"])
def test_a_blank_quote_is_no_quote(blank: str) -> None:
    fields = {**GOOD_SUPPORT, "quote_evidence": blank, "quote_paragraph": blank}
    assert read_reply(SUPPORT, json.dumps(fields)) == Support(reason="r", label="full")


def test_quotes_are_looked_for_in_what_the_judge_saw() -> None:
    hidden = turn(chunks=["Shoes:\u200b 30\u202e days"])
    (question,) = relevance_questions(hidden)
    assert bad(question, {**GOOD_RELEVANCE, "quote": "Shoes: 30 days"}) is None


@pytest.mark.parametrize(("number", "expected"), [(1, None), (2, None), (3, "out_of_range")])
def test_a_statement_stands_in_a_paragraph(number: int, expected: str | None) -> None:
    statement = {"text": "x", "paragraph": number, "label": "unsupported"}
    assert STATEMENTS is not None
    assert bad(STATEMENTS, {"reason": "r", "statements": [statement]}) == expected


def test_an_answer_may_hold_no_statement() -> None:
    assert STATEMENTS is not None
    assert read_reply(STATEMENTS, '{"reason": "r", "statements": []}') == Statements(
        reason="r", statements=()
    )


# Other kinds


def plain(kind: Any) -> Question:
    return Question(kind=kind, conversation_id="c", turn_id=None, subject=Subject(), content={})


@pytest.mark.parametrize(
    ("score", "expected"),
    [(0, None), (1, None), (0.5, None), (1.01, "out_of_range"), (-0.01, "out_of_range")],
)
def test_a_score_lies_between_0_and_1(score: float, expected: str | None) -> None:
    text = json.dumps({"reason": "r", "score": score})
    assert reason(plain("criterion"), text) == expected
    if expected is None:
        assert read_reply(plain("criterion"), text) == Criterion(reason="r", score=score)


def test_an_infinite_score_is_out_of_range() -> None:
    assert reason(plain("criterion"), '{"reason": "r", "score": 1e999}') == "out_of_range"


@pytest.mark.parametrize(
    ("questions", "expected"),
    [(["a", "b", "c"], None), (["a"], "invalid_json"), ([], "invalid_json")],
)
def test_three_questions_are_invented(questions: list[str], expected: str | None) -> None:
    text = json.dumps({"reason": "r", "questions": questions})
    assert reason(plain("questions"), text) == expected
    if expected is None:
        assert read_reply(plain("questions"), text) == InventedQuestions(
            reason="r", questions=("a", "b", "c")
        )


# Routing


ROUTED = [
    turn(
        number=n,
        routing=routing(catalogues=(catalogue("a", (definition("get"), definition("put"))),)),
        tool_calls=(tool_call("get"), tool_call("put", position=2)),
    )
    for n in (1, 2)
]
(ROUTING,) = routing_questions(conversation(*ROUTED))
(FREE,) = routing_questions(conversation(turn(tool_calls=(tool_call("get"),))))


def routed(*turns: dict[str, Any]) -> str:
    return json.dumps({"reason": "r", "turns": [{"reason": "r", **one} for one in turns]})


def test_turns_come_in_order() -> None:
    answer = read_reply(ROUTING, routed({"turn": 2, "agent_ok": True}, {"turn": 1}))
    assert isinstance(answer, RoutingJudgement)
    assert [(one.turn, one.agent_ok) for one in answer.turns] == [(1, None), (2, True)]


@pytest.mark.parametrize(
    "numbers",
    [
        pytest.param([1], id="one left out"),
        pytest.param([1, 2, 3], id="one too many"),
        pytest.param([1, 1], id="one twice"),
        pytest.param([], id="none"),
    ],
)
def test_exactly_the_turns_that_were_asked(numbers: list[int]) -> None:
    text = routed(*({"turn": number} for number in numbers))
    assert reason(ROUTING, text) == "out_of_range"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        pytest.param({}, None, id="nothing said"),
        pytest.param(
            {"calls": [{"position": 2, "tool_ok": True, "args_ok": False}]}, None, id="call"
        ),
        pytest.param(
            {"calls": [{"position": 3, "tool_ok": True, "args_ok": True}]},
            "out_of_range",
            id="no such call",
        ),
        pytest.param(
            {"calls": [{"position": 1, "tool_ok": True, "args_ok": True}] * 2},
            "out_of_range",
            id="a call twice",
        ),
        pytest.param(
            {"calls": [{"position": 1, "tool_ok": False, "args_ok": None, "fits": "put"}]},
            None,
            id="a tool of the catalogue fits",
        ),
        pytest.param(
            {"calls": [{"position": 1, "tool_ok": False, "args_ok": None, "fits": "delete"}]},
            "out_of_range",
            id="an invented tool fits",
        ),
        pytest.param({"missing": [{"kind": "tool", "name": "put"}]}, None, id="a tool is missing"),
        pytest.param(
            {"missing": [{"kind": "tool", "name": "put"}, {"kind": "tool", "name": "get"}]},
            None,
            id="every tool is missing",
        ),
        pytest.param(
            {"missing": [{"kind": "tool", "name": "x"}]}, "out_of_range", id="an invented one is"
        ),
        pytest.param({"missing": [{"kind": "collection", "name": "x"}]}, None, id="a collection"),
        pytest.param({"unjudged": "no_catalogue"}, "no_catalogue", id="the judge declines"),
    ],
)
def test_a_slip_in_one_turn_spoils_that_turn(
    change: dict[str, Any], expected: UnjudgedReason | None
) -> None:
    answer = read_reply(ROUTING, routed({"turn": 1, "agent_ok": True}, {"turn": 2, **change}))
    assert isinstance(answer, RoutingJudgement)
    first, second = answer.turns
    assert first == TurnRouting(turn=1, reason="r", agent_ok=True)
    assert second.unjudged == expected
    if expected == "out_of_range":
        assert (second.calls, second.missing, second.missing_decided) == ((), (), False)


def test_without_a_catalogue_any_tool_may_fit() -> None:
    call = {"position": 1, "tool_ok": False, "args_ok": None, "fits": "anything"}
    answer = read_reply(FREE, routed({"turn": 1, "calls": [call]}))
    assert isinstance(answer, RoutingJudgement)
    assert answer.turns[0].unjudged is None


# The replies that broke other judges


def in_our_schema(reply: str) -> str:
    """Put the damage of a recorded reply into a reply about relevance."""
    whole = '"target":true,"intent":true,"usable":true,'
    for theirs, ours in (('"verdict":"supported",', whole), ('"verdict":"unsupported",', whole)):
        reply = reply.replace(theirs, ours)
    for score, grade in (('"score":1.0', '"grade":3'), ('"score":0.0', '"grade":0')):
        reply = reply.replace(score, grade)
    reply = reply.replace('"score":1,', '"grade":3,')
    return reply.replace('\\"score\\":1.0', '\\"grade\\":3').replace('"score":0.9', '"grade":2')


def recorded(name: str) -> list[dict[str, Any]]:
    path = CASES / name
    if not path.exists():
        pytest.skip("the shared case files are not beside this checkout")
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def test_a_planted_verdict_is_never_the_verdict() -> None:
    first, second, third = recorded("34.inject.replies.jsonl")
    assert reason(RELEVANCE, in_our_schema(first["reply"])) == "two_objects"
    quoting = read_reply(RELEVANCE, in_our_schema(second["reply"]))
    fenced = read_reply(RELEVANCE, in_our_schema(third["reply"]))
    assert isinstance(quoting, Relevance)
    assert isinstance(fenced, Relevance)
    assert (quoting.grade, fenced.grade) == (0, 3)


def test_a_cut_reply_is_never_read() -> None:
    replies = [line["reply"] for line in recorded("36.cut.replies.jsonl") if "reply" in line]
    reasons = [reason(RELEVANCE, in_our_schema(reply)) for reply in replies]
    assert reasons == ["invalid_json"] * 4
