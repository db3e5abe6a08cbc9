from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.span import Message, RawLink, Span
from stages import TurnDraft, assemble, build_drafts, pack, unpack_draft, unpack_turn
from tests.builders import (
    agent_span,
    assistant,
    document,
    llm_span,
    raw_span,
    request,
    retriever_span,
    tool_reply,
    tool_span,
    user,
)
from tests.stages.assembling import conversation_of

SHOES = "Shoes may be returned within thirty days of delivery when they are unworn and boxed."


def trace(
    number: int,
    question: str,
    answer: str | None,
    *history: Message,
    at_s: float | None = None,
    more: tuple[Span, ...] = (),
) -> list[Span]:
    start = 60.0 * number if at_s is None else at_s
    return [
        agent_span(
            "a1", question, answer, trace_id=f"t{number}", at_s=start, conversation_id="conv"
        ),
        llm_span("l1", (*history, user(question)), answer, trace_id=f"t{number}", at_s=start + 5),
        *more,
    ]


ONE = trace(1, "Boots?", "Yes, we do.")
TWO = trace(2, "In red?", "Only brown.", user("Boots?"), assistant("Yes, we do."))
THREE = trace(3, "How much?", "Eighty.", user("In red?"), assistant("Only brown."))


def test_turns_are_numbered_in_time_order_and_know_what_was_said() -> None:
    turns = conversation_of(THREE, ONE, TWO).turns
    assert [(turn.turn_id, turn.question) for turn in turns] == [
        ("conv/1", "Boots?"),
        ("conv/2", "In red?"),
        ("conv/3", "How much?"),
    ]
    assert turns[0].history == ()
    assert turns[2].history == (
        user("Boots?"),
        assistant("Yes, we do."),
        user("In red?"),
        assistant("Only brown."),
    )


@pytest.mark.parametrize(
    ("starts", "why"),
    [
        pytest.param((0, 0, 0), "tie", id="equal starts: the history decides"),
        pytest.param((0, 9, 5), "skew", id="a late clock: the history decides"),
        pytest.param((9, 5, 0), "skew", id="all clocks wrong"),
        pytest.param((None, None, None), "unknown", id="no times at all"),
    ],
)
def test_the_history_repairs_the_order(starts: tuple[float | None, ...], why: str) -> None:
    said: list[Message] = []
    traces = []
    for number, start in enumerate(starts, start=1):
        spans = trace(number, f"Question {number}?", f"Answer {number}.", *said, at_s=start or 0)
        if start is None:
            raw = raw_span("a1", trace_id=f"t{number}", at_s=None)
            spans = [agent_span("a1", raw=raw, conversation_id="conv"), spans[1]]
        said += [user(f"Question {number}?"), assistant(f"Answer {number}.")]
        traces.append(spans)
    turns = conversation_of(*reversed(traces)).turns
    assert [turn.trace_ids for turn in turns] == [("t1",), ("t2",), ("t3",)], why


def test_equal_answers_do_not_confuse_the_order() -> None:
    said = (user("A?"), assistant("Yes."))
    turns = conversation_of(
        trace(1, "A?", "Yes."), trace(2, "B?", "Yes.", *said), trace(3, "C?", "Yes.", *said)
    ).turns
    assert [turn.question for turn in turns] == ["A?", "B?", "C?"]


def test_a_history_that_reaches_back_before_the_export_is_kept() -> None:
    before = (user("Hello?"), assistant("Hi, how can I help?"))
    (turn,) = conversation_of(trace(1, "Boots?", "Yes.", *before)).turns
    assert turn.history == before


def test_what_is_not_captured_is_left_out_of_the_history() -> None:
    turns = conversation_of(trace(1, "Boots?", None), trace(2, "In red?", "No.")).turns
    assert turns[1].history == (user("Boots?"),)


# Evidence carried along


def searching(number: int, text: str = SHOES) -> tuple[Span, ...]:
    return (
        retriever_span("r1", "q", [text], trace_id=f"t{number}", at_s=60.0 * number + 1),
        tool_span(
            "x1",
            "stock",
            {"n": 1},
            "7 left",
            call_id="c1",
            trace_id=f"t{number}",
            at_s=60.0 * number,
        ),
    )


def evidence(*history: Message) -> list[tuple[str, int]]:
    first = trace(1, "How long?", "Thirty days.", more=searching(1))
    second = trace(2, "And hats?", "No.", *history)
    turns = conversation_of(first, second).turns
    return [(item.evidence_id, item.from_turn) for item in turns[1].evidence]


@pytest.mark.parametrize(
    ("history", "expected"),
    [
        pytest.param((), [], id="nothing is carried"),
        pytest.param((user(f"Context: {SHOES}"),), [("p-1", 1)], id="the chunk's text is"),
        pytest.param(
            (user(f"Context: {SHOES[:70]}…"),), [("p-1", 1)], id="the chunk's beginning is"
        ),
        pytest.param(
            (assistant(None, request()), tool_reply("7 left", "c1")),
            [("c1", 1)],
            id="a tool result",
        ),
        pytest.param((user("There are 7 left."),), [], id="a short result by chance is not"),
        pytest.param((assistant(SHOES),), [], id="the model's own words are none"),
    ],
)
def test_evidence_of_an_earlier_turn(
    history: tuple[Message, ...], expected: list[tuple[str, int]]
) -> None:
    # Tool results of an earlier turn stand before that turn's answer.
    closing = (assistant("Thirty days."),) if history else ()
    assert evidence(*history, *closing) == expected


def test_a_chunk_fetched_again_is_this_turns() -> None:
    first = trace(1, "How long?", "Thirty days.", more=searching(1))
    second = trace(2, "Sure?", "Yes.", user(SHOES), more=searching(2)[:1])
    turns = conversation_of(first, second).turns
    assert [(item.evidence_id, item.from_turn) for item in turns[1].evidence] == [("p-1", 2)]


def test_a_result_that_came_back_the_same_is_not_carried_along() -> None:
    def order(number: int) -> tuple[Span, ...]:
        result = "Order 4717 is in production and due on 1 December."
        call = tool_span(
            "x1",
            "order",
            {},
            result,
            call_id=f"c{number}",
            trace_id=f"t{number}",
            at_s=60.0 * number,
        )
        return (call,)

    reply = tool_reply("Order 4717 is in production and due on 1 December.", "c2")
    first = trace(1, "Where is it?", "In production.", more=order(1))
    second = trace(2, "Sure?", "Yes.", more=order(2))
    second[1] = llm_span("l1", (user("Sure?"), reply), "Yes.", trace_id="t2", at_s=125)
    turns = conversation_of(first, second).turns
    assert [item.evidence_id for item in turns[1].evidence] == ["c2"]


def test_passages_that_share_an_id_are_one_evidence_with_both_texts() -> None:
    found = [document("doc", "Shoes: thirty days."), document("doc", "Hats: never.")]
    search = retriever_span("r1", "q", found, trace_id="t1", at_s=61)
    (turn,) = conversation_of(trace(1, "How long?", "Thirty days.", more=(search,))).turns
    assert [item.text for item in turn.evidence] == ["Shoes: thirty days.\n\nHats: never."]


def test_errors_and_empty_results_are_evidence_under_their_call_id() -> None:
    more = (
        tool_span("x1", "search_hr", {"query": "x"}, [], call_id="c1", trace_id="t1", at_s=61),
        tool_span("x2", "order", {"n": 1}, "Error: 503", call_id="c2", trace_id="t1", at_s=62),
        tool_span("x3", "order", {"n": 2}, {"found": False}, call_id="c3", trace_id="t1", at_s=63),
    )
    (turn,) = conversation_of(trace(1, "How long?", "I do not know.", more=more)).turns
    assert [(e.evidence_id, e.text, e.tool_status) for e in turn.evidence] == [
        ("c1", "(no result)", "empty"),
        ("c2", "Error: 503", "error"),
        ("c3", '{"found": false}', "empty"),
    ]


# Fragments


def test_a_trace_linked_to_another_of_the_conversation_is_flagged() -> None:
    linked = trace(2, "In red?", "No.")
    raw = linked[0].raw
    links = (RawLink(trace_id="t1", span_id="a1"),)
    fields = {name: getattr(raw, name) for name in raw.__slots__} | {"links": links}
    linked[0] = agent_span("a1", "In red?", "No.", raw=type(raw)(**fields), conversation_id="conv")
    turns = conversation_of(ONE, linked).turns
    assert [turn.flags for turn in turns] == [(), ("fragmented",)]


# Spilling, and the order of the input


DRAFTS: list[TurnDraft] = [
    draft
    for spans in (ONE, TWO, THREE, trace(4, "How long?", "Thirty [1].", more=searching(4)))
    for draft in build_drafts(spans[0].trace_id, spans)
]


def test_drafts_and_turns_survive_a_spill() -> None:
    assert [unpack_draft(pack(draft)) for draft in DRAFTS] == DRAFTS
    turns = assemble("conv", DRAFTS).turns
    assert tuple(unpack_turn(pack(turn)) for turn in turns) == turns


@given(st.randoms(use_true_random=False))
def test_the_order_of_the_drafts_does_not_matter(random: Random) -> None:
    shuffled = list(DRAFTS)
    random.shuffle(shuffled)
    assert assemble("conv", shuffled) == assemble("conv", DRAFTS)


def test_no_drafts_are_an_empty_conversation() -> None:
    assert assemble("conv", []).turns == ()
