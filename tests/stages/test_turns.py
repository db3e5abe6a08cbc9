from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.span import RawLink, Span, SpanKind
from stages import build_drafts, conversation_id_of
from tests.builders import (
    agent_span,
    assistant,
    at,
    llm_span,
    message,
    request,
    retriever_span,
    router_span,
    span,
    system,
    tool_reply,
    tool_span,
    user,
)
from tests.stages.assembling import turn_of, turns_of

SHOES = "Shoes may be returned within thirty days of delivery when they are unworn and boxed."


def questions(*spans: Span) -> list[str | None]:
    return [turn.question for turn in turns_of(*spans)]


# Which spans make a turn


@pytest.mark.parametrize(
    ("spans", "count"),
    [
        pytest.param([span("s1")], 0, id="infrastructure"),
        pytest.param([span("s1", SpanKind.EMBEDDING)], 0, id="an embedding alone"),
        pytest.param([agent_span("a1", synthetic=True)], 0, id="a duplicate by design"),
        pytest.param([agent_span("a1")], 1, id="an agent"),
        pytest.param([llm_span("l1")], 1, id="a model call"),
        pytest.param([tool_span("x1")], 1, id="a tool"),
        pytest.param([retriever_span("r1")], 1, id="a retriever"),
    ],
)
def test_only_an_agents_spans_make_a_turn(spans: list[Span], count: int) -> None:
    assert len(turns_of(*spans)) == count


def test_every_span_of_the_trace_has_a_row() -> None:
    turn = turn_of(
        agent_span("a1", "Hi", "Hello", flags=("truncated",)),
        span("http", parent_id="a1", flags=("missing_parent",)),
        span("elsewhere"),
    )
    assert [(row.span_id, row.flags) for row in turn.spans] == [
        ("a1", ("truncated",)),
        ("elsewhere", ()),
        ("http", ("missing_parent",)),
    ]
    assert turn.flags == ("missing_parent", "truncated")


# Conversation


def named(conversation_id: str | None, span_id: str = "a1", **fields: object) -> Span:
    return agent_span(span_id, "Hi", "Hello", conversation_id=conversation_id, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        pytest.param([named("c")], "c", id="the root's"),
        pytest.param(
            [named("c"), named("inner", "a2", parent_id="a1")], "c", id="the root's before others"
        ),
        pytest.param(
            [
                named(None),
                llm_span("l1", conversation_id="first", at_s=1),
                llm_span("l2", conversation_id="second", at_s=2),
            ],
            "first",
            id="the first one below",
        ),
        pytest.param(
            [
                named(None),
                named("weak", "a2", parent_id="a1", conversation_weak=True),
                llm_span("l1", conversation_id="strong", at_s=2),
            ],
            "strong",
            id="an inner agent's own id comes last",
        ),
        pytest.param([named("weak", conversation_weak=True)], "weak", id="better than none"),
        pytest.param(
            [span("http", conversation_id="c"), named(None, parent_id="http")],
            "c",
            id="on the request around it",
        ),
        pytest.param([named(None)], "t1", id="none: the trace is the conversation"),
        pytest.param([named("")], "t1", id="an empty id is none"),
    ],
)
def test_conversation_id(spans: list[Span], expected: str) -> None:
    assert conversation_id_of("t1", spans) == expected
    assert [draft.conversation_id for draft in build_drafts("t1", spans)] == [expected]


def test_a_trace_without_turns_has_a_conversation_id_all_the_same() -> None:
    assert conversation_id_of("t1", [span("s1")]) == "t1"
    assert conversation_id_of("t1", [span("s1", conversation_id="c")]) == "c"
    assert conversation_id_of("t1", []) == "t1"


# Question


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        pytest.param([agent_span("a1", "How long?", "x")], "How long?", id="the agent's"),
        pytest.param(
            [
                agent_span("a1"),
                llm_span("l1", (user("Old?"), assistant("Old."), user("New?")), "x"),
            ],
            "New?",
            id="the last user message, not the history",
        ),
        pytest.param(
            [
                agent_span("a1"),
                llm_span("l1", (system("Be kind."), user("First?")), assistant(None, request())),
                llm_span("l2", (user("First?"), tool_reply("7"), user("Go on.")), "x", at_s=2),
            ],
            "First?",
            id="before the first output of the turn",
        ),
        pytest.param(
            [
                span("chain", input_text="Plain?"),
                llm_span("l1", "Templated Plain?", "x", parent_id="chain"),
            ],
            "Plain?",
            id="the chain around a model call knows it best",
        ),
        pytest.param(
            [
                span("chain", input_text='{"state": 1}'),
                llm_span("l1", "Plain?", "x", parent_id="chain"),
            ],
            "Plain?",
            id="a chain's state is no question",
        ),
        pytest.param(
            [
                retriever_span("r1", "return days", [SHOES], parent_id=None),
                llm_span(
                    "l1",
                    f"Context: {SHOES}\nQuestion: How long?\nAnswer:",
                    "x",
                    parent_id=None,
                    at_s=2,
                ),
            ],
            "How long?",
            id="inside a prompt with a label",
        ),
        pytest.param(
            [
                retriever_span("r1", "How long may I?", [SHOES], parent_id=None),
                llm_span("l1", f"{SHOES}\n\nHow long may I?\n", "x", parent_id=None, at_s=2),
            ],
            "How long may I?",
            id="inside a prompt, by what was searched",
        ),
        pytest.param([retriever_span("r1", "q", [SHOES])], None, id="a search text is no question"),
    ],
)
def test_question(spans: list[Span], expected: str | None) -> None:
    assert questions(*spans) == [expected]


def test_a_question_not_captured_leaves_a_gap() -> None:
    turn = turn_of(agent_span("a1", None, "Hello"))
    assert turn.question is None
    assert turn.gap("question_not_captured") is not None


# Answer


def answer_of(*spans: Span) -> tuple[str | None, bool, list[str]]:
    turn = turn_of(*spans)
    answer = turn.generation.answer if turn.generation else None
    gaps = [gap.reason for gap in turn.gaps if gap.stage == "generation"]
    return answer, turn.complete, gaps


NOT_CAPTURED = ["answer_not_captured"]


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        pytest.param([agent_span("a1", "Q", "A")], ("A", True, []), id="the root's output"),
        pytest.param(
            [agent_span("a1", "Q"), llm_span("l1", "Q", "A")],
            ("A", True, []),
            id="the last model call's text",
        ),
        pytest.param(
            [
                agent_span("a1", "Q"),
                llm_span("l1", "Q", "A"),
                llm_span("l2", "Q", assistant(None, request()), at_s=2),
            ],
            ("A", True, []),
            id="a wish to call a tool is no answer",
        ),
        pytest.param(
            [agent_span("a1", "Q"), llm_span("l1", "Q", '{"route": "x"}'), llm_span("l2", at_s=2)],
            (None, True, NOT_CAPTURED),
            id="the last call's text is not captured: an earlier one's is no substitute",
        ),
        pytest.param(
            [agent_span("a1", "Q"), agent_span("a2", "Q", "A", parent_id="a1", at_s=1)],
            ("A", True, []),
            id="an inner agent's output",
        ),
        pytest.param(
            [
                agent_span("a1", "Q"),
                agent_span("a2", None, "First", parent_id="a1", at_s=1),
                agent_span("a3", None, "Second", parent_id="a1", at_s=4),
            ],
            ("Second", True, []),
            id="the agent that took over last",
        ),
        pytest.param(
            [
                span("chain", input_text="Q", output_text="A"),
                llm_span("l1", "Q", "Draft", parent_id="chain"),
            ],
            ("A", True, []),
            id="the chain's output",
        ),
        pytest.param([agent_span("a1")], (None, True, NOT_CAPTURED), id="content is off"),
        pytest.param([llm_span("l1", ())], (None, True, NOT_CAPTURED), id="an empty message list"),
        pytest.param(
            [retriever_span("r1", "q", ["x"])],
            (None, False, ["answer_not_recorded"]),
            id="nothing that could answer is there",
        ),
        pytest.param(
            [llm_span("l1", "Q", assistant(None, request()))],
            (None, False, NOT_CAPTURED),
            id="only the first half of a loop is there",
        ),
    ],
)
def test_answer(spans: list[Span], expected: tuple[str | None, bool, list[str]]) -> None:
    assert answer_of(*spans) == expected


def test_a_retriever_alone_has_no_generation() -> None:
    assert turn_of(retriever_span("r1", "q", ["x"])).generation is None


def test_the_answer_is_exactly_as_given() -> None:
    answer = "  Thirty\u2028days.\r\n\n[1] \x00 "
    assert answer_of(agent_span("a1", "Q", answer))[0] == answer


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        pytest.param(
            [agent_span("a1", "Q", "A"), llm_span("l1", "Q", "A ")], "generated", id="model"
        ),
        pytest.param([agent_span("a1", "Q", "A"), llm_span("l1", "Q", "B")], "unknown", id="other"),
        pytest.param([agent_span("a1", "Q", "A", answer_source="template")], "template", id="told"),
    ],
)
def test_source_of_the_answer(spans: list[Span], expected: str) -> None:
    generation = turn_of(*spans).generation
    assert generation is not None
    assert generation.source == expected


def test_flag_finish_reason_and_model_are_read() -> None:
    turn = turn_of(
        agent_span("a1", "Q", "A"),
        llm_span("l1", "Q", "A", model="m1", finish_reason="stop", at_s=1),
        llm_span("l2", "title?", "T", model="m2", at_s=3),
        span("g1", SpanKind.GUARDRAIL, parent_id="a1", policy_flag="pii"),
    )
    assert turn.generation is not None
    assert (turn.generation.flag, turn.generation.finish_reason) == ("pii", "stop")
    assert turn.model == "m1"


def test_a_cut_answer_leaves_a_gap() -> None:
    cut = message("Thirty da", "assistant", truncated=True)
    turn = turn_of(replace(agent_span("a1", "Q"), output_messages=(cut,)))
    assert turn.gap("answer_truncated") is not None


# Times and the root


def test_times_service_tenant_and_error_are_the_outermost_steps() -> None:
    root = agent_span("a1", "Q", "A", at_s=1, lasts_s=4, error="boom", tenant="acme")
    root = replace(root, raw=replace(root.raw, resource={"service.name": "shop"}))
    turn = turn_of(root, llm_span("l1", "Q", "A", at_s=0, lasts_s=9))
    assert (turn.start_ns, turn.end_ns, turn.duration_ms) == (at(1), at(5), 4000.0)
    assert (turn.service, turn.tenant, turn.error) == ("shop", "acme", True)


def test_golden_item_and_versions_are_the_outermost_steps() -> None:
    turn = turn_of(
        agent_span("a1", "Q", "A", golden_id="g-7", versions={"corpus": "2"}),
        llm_span("l1", "Q", "A", golden_id="g-8", versions={"corpus": "1", "index": "9"}),
    )
    assert (turn.golden_id, turn.versions) == ("g-7", {"corpus": "2", "index": "9"})


def test_without_an_agent_the_turn_lasts_as_long_as_its_spans() -> None:
    turn = turn_of(
        retriever_span("r1", "q", ["x"], parent_id=None),
        llm_span("l1", "Q", "A", parent_id=None, at_s=2, lasts_s=3),
    )
    assert (turn.start_ns, turn.end_ns) == (at(0), at(5))


def test_unknown_times_stay_unknown() -> None:
    turn = turn_of(agent_span("a1", "Q", "A", at_s=None))
    assert (turn.start_ns, turn.end_ns, turn.duration_ms) == (None, None, None)


# Several turns in one trace


def run(span_id: str, question: str, answer: str, at_s: float, **fields: object) -> Span:
    return agent_span(span_id, question, answer, at_s=at_s, lasts_s=2.0, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        pytest.param(
            [run("a1", "Do you sell boots?", "Yes.", 0), run("a2", "In red?", "No.", 5)],
            ["Do you sell boots?", "In red?"],
            id="two runs, two messages",
        ),
        pytest.param(
            [
                span("session", lasts_s=99.0),
                run("a1", "Do you sell boots?", "Yes.", 0, parent_id="session"),
                run("a2", "In red?", "No.", 5, parent_id="session"),
            ],
            ["Do you sell boots?", "In red?"],
            id="below a session that says nothing",
        ),
        pytest.param(
            [run("a1", "Do you sell boots?", "x", 0), run("a2", "Do you sell boots?", "Yes.", 5)],
            ["Do you sell boots?"],
            id="the same message is handed on",
        ),
        pytest.param(
            [
                run("a1", "Do you sell boots?", "Plan: look into the shop.", 0),
                run("a2", "Follow this. Plan: look into the shop.", "Yes.", 5),
            ],
            ["Do you sell boots?"],
            id="a run that works on the answer before it",
        ),
        pytest.param(
            [run("a1", "Do you sell boots?", "Yes.", 0), run("a2", "Summarise.", "x", 1)],
            ["Do you sell boots?"],
            id="runs at the same time",
        ),
        pytest.param(
            [
                run("a1", "Do you sell boots?", "Yes.", 0),
                replace(run("a2", "In red?", "No.", 5), input_messages=None),
            ],
            ["Do you sell boots?"],
            id="a run without a message of its own",
        ),
        pytest.param(
            [
                agent_span("a0", "Do you sell boots?", "Yes."),
                run("a1", "find boots", "found", 1, parent_id="a0"),
                run("a2", "write a reply", "Yes.", 4, parent_id="a0"),
            ],
            ["Do you sell boots?"],
            id="steps of one agent",
        ),
        pytest.param(
            [
                llm_span("l1", "Boots?", "Yes, we do.", parent_id=None),
                llm_span(
                    "l2",
                    (user("Boots?"), assistant("Yes, we do."), user("In red?")),
                    "No.",
                    parent_id=None,
                    at_s=5,
                ),
            ],
            ["Boots?", "In red?"],
            id="model calls with a history",
        ),
        pytest.param(
            [
                llm_span("l1", "Rewrite: boots", "boots shop", parent_id=None),
                llm_span("l2", "Answer: boots", "Yes.", parent_id=None, at_s=5),
            ],
            ["Rewrite: boots"],
            id="model calls that are steps",
        ),
    ],
)
def test_splitting(spans: list[Span], expected: list[str]) -> None:
    assert questions(*spans) == expected


def test_other_spans_go_to_the_turn_they_belong_to() -> None:
    turns = turns_of(
        span("session", lasts_s=99.0),
        run("a1", "Do you sell boots?", "Yes.", 0, parent_id="session"),
        llm_span("l1", "Do you sell boots?", "Yes.", parent_id="a1", at_s=20),
        run("a2", "In red?", "No.", 5, parent_id="session"),
        tool_span("x1", "stock", {}, "7", parent_id="lost", at_s=6),
        span("noise", parent_id="a2", at_s=6),
    )
    assert [[row.span_id for row in turn.spans] for turn in turns] == [
        ["session", "a1", "l1"],
        ["a2", "x1", "noise"],
    ]
    assert [[call.name for call in turn.tool_calls] for turn in turns] == [[], ["stock"]]


# The order of the input


TRACE: Sequence[Span] = (
    span("http", lasts_s=20.0),
    agent_span("a1", "How long?", "Thirty days [1].", parent_id="http", conversation_id="c"),
    router_span("o1", "hr", candidates=["hr", "it"], at_s=0.1),
    llm_span("l1", "How long?", assistant(None, request("search", {"query": "q"}, "c1")), at_s=1),
    tool_span("x1", "search", {"query": "q"}, [{"id": "p-1", "text": SHOES}], call_id="c1", at_s=2),
    retriever_span("r1", "return days", [SHOES, "Hats."], at_s=2),
    span("k1", SpanKind.RERANKER, parent_id="a1", at_s=2),
    llm_span("l2", f"[1] {SHOES}\nHow long?", "Thirty days [1].", at_s=5),
    llm_span("l3", f"[1] {SHOES}\nHow long?", "Thirty days [1].", parent_id="l2", at_s=5),
    tool_span("x2", "stock", {}, "7", parent_id="gone", at_s=5),
)


@given(st.randoms(use_true_random=False))
def test_the_order_of_the_spans_does_not_matter(random: Random) -> None:
    shuffled = list(TRACE)
    random.shuffle(shuffled)
    assert build_drafts("t1", shuffled) == build_drafts("t1", TRACE)


def test_links_to_other_traces_are_kept() -> None:
    linked = agent_span("a1", "Q", "A")
    raw = replace(linked.raw, links=(RawLink(trace_id="t2", span_id="s"),))
    (draft,) = build_drafts("t1", [replace(linked, raw=raw)])
    assert draft.links == ("t2",)


# Answers beside tools that the provider ran, and inside of objects


@pytest.mark.parametrize(
    ("hosted", "answer"),
    [
        pytest.param(True, "Thirty days.", id="the provider ran it"),
        pytest.param(False, None, id="the agent has to run it"),
    ],
)
def test_a_tool_beside_the_answer(hosted: bool, answer: str | None) -> None:  # noqa: FBT001
    wish = replace(request("web_search", {"query": "returns"}, "w1"), hosted=hosted)
    model = llm_span("l1", "Returns?", assistant("Thirty days.", wish))
    turn = turn_of(agent_span("a1", "Returns?"), model)
    assert turn.generation is not None
    assert turn.generation.answer == answer
    assert [call.name for call in turn.tool_calls] == ["web_search"]


def test_an_agent_that_gives_back_an_object() -> None:
    given = {"answer": "Thirty days.", "citations": ["p-1"]}
    turn = turn_of(
        agent_span("a1", "Returns?", output_value=given),
        retriever_span("r1", "returns", ["Thirty days to return."]),
    )
    assert turn.generation is not None
    assert (turn.generation.answer, turn.generation.structured) == ("Thirty days.", given)
    assert [(c.target, c.status) for c in turn.generation.citations] == [("p-1", "resolved")]


def test_a_source_that_is_marked_and_listed_is_cited_once() -> None:
    given = {"answer": "Thirty days [1].", "citations": ["p-1", "p-2"]}
    turn = turn_of(
        agent_span("a1", "Returns?", output_value=given),
        retriever_span("r1", "returns", ["Thirty days to return.", "By post."]),
    )
    assert turn.generation is not None
    cited = sorted((c.marker, c.target) for c in turn.generation.citations)
    assert cited == [("", "p-2"), ("[1]", "p-1")]
