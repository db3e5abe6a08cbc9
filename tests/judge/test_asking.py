from typing import Any

import pytest

from ingest.span import Value
from judge.asking import (
    Citing,
    answer_question,
    cites,
    citing_agents,
    citing_expected,
    not_judgeable,
    probe_questions,
    relevance_questions,
    statements_question,
)
from stages.records import CitationStatus, Turn
from tests.builders import (
    assistant,
    chunk,
    citation,
    evidence,
    generation,
    retrieval,
    tool_call,
    turn,
    user,
)


@pytest.mark.parametrize(
    ("asked", "templates", "expected"),
    [
        pytest.param(turn(), False, None, id="question and answer are there"),
        pytest.param(turn(complete=False), False, "incomplete", id="the answer's span is missing"),
        pytest.param(turn(question=None), False, "not_captured", id="no question"),
        pytest.param(turn(question=" \n"), False, "not_captured", id="blank question"),
        pytest.param(turn(answer=None), False, "not_captured", id="no generation stage"),
        pytest.param(turn(answer=generation(None)), False, "not_captured", id="no answer text"),
        pytest.param(turn(answer=" "), False, "not_captured", id="blank answer"),
        pytest.param(
            turn(answer=generation(source="template")), False, "template_answer", id="canned reply"
        ),
        pytest.param(turn(answer=generation(source="template")), True, None, id="canned, wanted"),
        pytest.param(turn(answer=generation(source="unknown")), False, None, id="unknown source"),
    ],
)
def test_why_nothing_is_asked(asked: Turn, *, templates: bool, expected: str | None) -> None:
    assert not_judgeable(asked, templates=templates) == expected


# Relevance and probes


def test_the_need_is_the_question_and_what_the_user_wrote_before() -> None:
    history = (user("Hello"), assistant("Hi!"), user("I bought shoes."), assistant("Nice."))
    asked = turn(
        "May I return them?",
        number=3,
        history=history,
        chunks=[chunk(text="30 days", metadata={"title": "Returns", "path": "/srv/kb/7.md"})],
    )
    (question,) = relevance_questions(asked)
    assert question.content == {
        "need": "May I return them?",
        "earlier": ["Hello", "I bought shoes."],
        "chunk": {"title": "Returns", "text": "30 days"},
    }
    assert (question.kind, question.turn_id) == ("relevance", "conv-1/3")
    assert question.subject.chunk_id == "p-1"


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        pytest.param([], [], id="first turn"),
        pytest.param(["a", "b", "c"], ["a", "b", "c"], id="three"),
        pytest.param(["a", "b", "c", "d"], ["b", "c", "d"], id="at most three, the latest"),
        pytest.param(["a", " ", "b"], ["a", "b"], id="a blank one is none"),
        pytest.param(["x" * 1000], ["x" * 1000], id="exactly all characters"),
        pytest.param(["x" * 1001], ["x" * 1000], id="one character too many"),
        pytest.param(["y" * 999, "x" * 10], ["y" * 990, "x" * 10], id="the older one is cut"),
        pytest.param(["y", "x" * 1000], ["x" * 1000], id="no room for the older one"),
    ],
)
def test_earlier_messages_are_bounded(messages: list[str], expected: list[str]) -> None:
    asked = turn(history=tuple(map(user, messages)), chunks=["text"])
    (question,) = relevance_questions(asked)
    assert question.content["earlier"] == expected


def test_the_agents_reformulation_is_not_the_need() -> None:
    asked = turn("And hats?", retrievals=(retrieval(["No returns."], query="hat return policy"),))
    (question,) = relevance_questions(asked)
    assert "hat return policy" not in str(question.content)


def test_each_distinct_chunk_with_a_text_is_asked_about_once() -> None:
    asked = turn(
        retrievals=(
            retrieval([chunk("a", "old A", rank=4), chunk("b", "B"), chunk("c", None)]),
            retrieval([chunk("a", "A", rank=1), chunk("d", " ", rank=2)], position=2),
        )
    )
    asked_about = [
        (q.subject.chunk_id, _text(q.content["chunk"])) for q in relevance_questions(asked)
    ]
    assert asked_about == [("a", "A"), ("b", "B")]


@pytest.mark.parametrize(
    ("metadata", "expected"),
    [
        pytest.param({}, None, id="no metadata"),
        pytest.param({"title": "T", "heading": "H"}, "T", id="title first"),
        pytest.param({"heading": "H", "section": "§4"}, "H", id="then heading"),
        pytest.param({"section": "§4", "name": "N"}, "§4", id="then section"),
        pytest.param({"name": "N"}, "N", id="then name"),
        pytest.param({"Title": " T "}, "T", id="any case, trimmed"),
        pytest.param({"title": "", "name": "N"}, "N", id="a blank title is none"),
        pytest.param({"title": 7}, None, id="a number is no title"),
        pytest.param({"source": "/srv/kb.md", "id": "9"}, None, id="paths and ids stay out"),
    ],
)
def test_a_chunk_shows_its_title_only(metadata: dict[str, Value], expected: str | None) -> None:
    (question,) = relevance_questions(turn(chunks=[chunk(metadata=metadata)]))
    assert question.content["chunk"] == {
        "title": expected,
        "text": "Shoes: return window is 30 days.",
    }


def test_a_probe_asks_what_a_relevance_question_asks() -> None:
    element = "How long may I return shoes?"
    found = [chunk("c-1", "30 days"), chunk("c-2", None)]
    (probe,) = probe_questions(turn(), 0, element, found)
    (relevance,) = relevance_questions(turn(element, chunks=[chunk("c-9", "30 days")]))
    assert probe.content == relevance.content
    assert probe.kind == "probe"
    assert probe.subject.chunk_id == "c-1"
    assert (probe.subject.element, probe.subject.element_text) == (0, element)


# Answer and statements


def test_the_answer_is_shown_with_all_that_stood_before_the_model() -> None:
    asked = turn(
        "Where is order 7?",
        generation("It is on its way [1].\n\nAnything else?", [citation("call-1")]),
        history=(user("Hi"), assistant("Hello!")),
        tool_calls=(tool_call("get_order", {"order_id": 7}, "shipped"),),
        retrievals=(retrieval([chunk("c-1", "We ship daily.", metadata={"title": "Shipping"})]),),
        language="en",
    )
    assert answer_question(asked).content == {
        "question": "Where is order 7?",
        "earlier": [{"role": "user", "text": "Hi"}, {"role": "assistant", "text": "Hello!"}],
        "paragraphs": [
            {"paragraph": 1, "kind": "prose", "text": "It is on its way [1].", "markers": ["[1]"]},
            {"paragraph": 2, "kind": "prose", "text": "Anything else?", "markers": []},
        ],
        "evidence": [
            {
                "label": "evidence 1",
                "kind": "chunk",
                "title": "Shipping",
                "tool": None,
                "arguments": None,
                "status": None,
                "text": "We ship daily.",
            },
            {
                "label": "evidence 2",
                "kind": "tool_result",
                "title": None,
                "tool": "get_order",
                "arguments": {"order_id": 7},
                "status": "ok",
                "text": "shipped",
            },
        ],
        "evidence_left_out": 0,
        "question_language": "en",
        "answer_language": None,
    }


def test_evidence_beyond_the_room_is_counted_and_cut_text_says_so() -> None:
    pieces = tuple(evidence(f"e-{number}", "x" * 20_001) for number in range(8))
    content = answer_question(turn(evidence=pieces)).content
    shown = content["evidence"]
    assert isinstance(shown, list)
    assert (len(shown), content["evidence_left_out"]) == (6, 2)
    assert _text(shown[0]) == "x" * 20_000 + "\n[… 1 more characters]"


@pytest.mark.parametrize(
    ("status", "chunks", "on_request", "expected"),
    [
        pytest.param(None, ["text"], False, True, id="no citation, evidence"),
        pytest.param(None, [], False, False, id="no citation, no evidence"),
        pytest.param("resolved", ["text"], False, False, id="cites"),
        pytest.param("resolved", ["text"], True, True, id="cites, on request"),
        pytest.param("resolved", [], True, False, id="on request, no evidence"),
        pytest.param("out_of_range", ["text"], False, False, id="cites wrongly"),
        pytest.param("ambiguous", ["text"], False, True, id="perhaps no citation at all"),
    ],
)
def test_statements_are_asked_of_uncited_answers(
    status: CitationStatus | None, chunks: list[str], *, on_request: bool, expected: bool
) -> None:
    made = [] if status is None else [citation(status=status)]
    asked = turn(answer=generation(citations=made), chunks=chunks)
    question = statements_question(asked, on_request=on_request)
    assert (question is not None) is expected
    if question is not None:
        assert question.content.keys() == {
            "question",
            "paragraphs",
            "evidence",
            "evidence_left_out",
        }


# Citing


def _turn_of(agent: str, status: CitationStatus | None = None, **fields: Any) -> Turn:
    made = [] if status is None else [citation(status=status)]
    fields.setdefault("chunks", ["text"])
    return turn(answer=generation(citations=made), agent=agent, **fields)


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        pytest.param(None, False, id="none"),
        pytest.param("resolved", True, id="resolved"),
        pytest.param("out_of_range", True, id="wrong, but it cites"),
        pytest.param("ambiguous", False, id="ambiguous"),
    ],
)
def test_what_counts_as_citing(status: CitationStatus | None, *, expected: bool) -> None:
    assert cites(_turn_of("a", status)) is expected


@pytest.mark.parametrize(
    ("asked", "profile", "expected"),
    [
        pytest.param(_turn_of("a"), "auto", True, id="its agent cites in another turn"),
        pytest.param(_turn_of("b"), "auto", False, id="its agent never cites"),
        pytest.param(_turn_of("a", chunks=None), "auto", False, id="no chunks"),
        pytest.param(_turn_of("a", service="other"), "auto", False, id="agent of another service"),
        pytest.param(_turn_of("b"), "expected", True, id="expected of all"),
        pytest.param(_turn_of("b", chunks=None), "expected", False, id="expected, no chunks"),
        pytest.param(_turn_of("a", "resolved"), "none", False, id="expected of none"),
    ],
)
def test_citing_is_expected(asked: Turn, profile: Citing, *, expected: bool) -> None:
    citing = citing_agents([_turn_of("a", "resolved"), _turn_of("b")])
    assert citing_expected(asked, citing, profile) is expected


def _text(value: Value) -> Value:
    assert isinstance(value, dict)
    return value["text"]
