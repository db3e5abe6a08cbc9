from dataclasses import replace

import pytest

from ingest.span import Span, ToolDefinition, Value
from stages.records import Routing
from tests.builders import (
    agent_span,
    assistant,
    definition,
    document,
    handoff_span,
    llm_span,
    request,
    retriever_span,
    router_span,
    span,
    tool_span,
)
from tests.stages.assembling import turn_of

DESK = agent_span("a1", "How long may I return shoes?", "Thirty days.", agent="desk")


def routing_of(*spans: Span) -> Routing:
    routing = turn_of(*spans).routing
    assert routing is not None
    return routing


def agents(*spans: Span) -> list[tuple[str, bool]]:
    return [(choice.name, choice.recorded) for choice in routing_of(*spans).agents]


def collections(*spans: Span) -> list[tuple[str, bool]]:
    return [(choice.name, choice.recorded) for choice in routing_of(*spans).collections]


def inner(agent: str, span_id: str = "a2", **fields: object) -> Span:
    fields.setdefault("parent_id", "a1")
    fields.setdefault("at_s", 2)
    return agent_span(span_id, agent=agent, lasts_s=1.0, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        pytest.param([DESK], [("desk", True)], id="one agent"),
        pytest.param(
            [DESK, handoff_span("h1", "billing", at_s=1), inner("billing")],
            [("desk", True), ("billing", True)],
            id="a recorded handoff",
        ),
        pytest.param(
            [DESK, handoff_span("h1", None, at_s=1), inner("billing")],
            [("desk", True), ("billing", False)],
            id="a handoff to nobody known: the next agent entered",
        ),
        pytest.param(
            [DESK, inner("billing")],
            [("desk", True), ("billing", False)],
            id="an agent entered without a word",
        ),
        pytest.param(
            [DESK, handoff_span("h1", "billing", at_s=1)],
            [("desk", True), ("billing", True)],
            id="a handoff whose agent left no span",
        ),
        pytest.param(
            [DESK, tool_span("x1", "transfer_to_billing_agent", at_s=1), inner("Billing Agent")],
            [("desk", True), ("Billing Agent", True)],
            id="a handoff tool, its agent spelt otherwise",
        ),
        pytest.param(
            [
                DESK,
                llm_span("l1", reply=assistant(None, request("transfer_to_billing")), agent="desk"),
                inner("billing"),
            ],
            [("desk", True), ("billing", True)],
            id="a handoff tool in the messages only",
        ),
        pytest.param(
            [
                DESK,
                tool_span("x1", "transfer_to_agent", {"agent_name": "billing"}, at_s=1),
            ],
            [("desk", True), ("billing", True)],
            id="a handoff tool that takes the agent as an argument",
        ),
        pytest.param(
            [DESK, router_span("o1", "billing", at_s=1), inner("billing")],
            [("desk", True), ("billing", True)],
            id="a router's decision",
        ),
        pytest.param(
            [
                DESK,
                tool_span("x1", "ask_hr", {"q": "x"}, "Thirty days.", at_s=1, lasts_s=4),
                inner("hr", parent_id="x1"),
                llm_span("l1", "How long?", "Thirty days.", at_s=6),
            ],
            [("desk", True), ("hr", False), ("desk", False)],
            id="a delegation that returns: the first agent answers",
        ),
        pytest.param(
            [
                DESK,
                inner("billing", "a2", at_s=1),
                inner("sales", "a3", at_s=3),
                inner("billing", "a4", at_s=5),
            ],
            [("desk", True), ("billing", False), ("sales", False), ("billing", False)],
            id="an agent may take over twice",
        ),
        pytest.param(
            [DESK, inner("desk")], [("desk", True)], id="a wrapper of the same name is one agent"
        ),
        pytest.param(
            [llm_span("l1", "How long?", "Thirty days.", agent="solo", parent_id=None)],
            [("solo", True)],
            id="only a model call names its agent",
        ),
        pytest.param(
            [llm_span("l1", "How long?", "Thirty days.", parent_id=None)], [], id="nobody is named"
        ),
    ],
)
def test_agents_in_the_order_in_which_they_took_over(
    spans: list[Span], expected: list[tuple[str, bool]]
) -> None:
    assert agents(*spans) == expected


def test_the_agent_of_a_turn_is_the_last_one() -> None:
    assert turn_of(DESK, handoff_span("h1", "billing"), inner("billing")).agent == "billing"


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        pytest.param([], [], id="nothing searched"),
        pytest.param(
            [retriever_span("r1", "q", [], collection="hr")], [("hr", True)], id="searched"
        ),
        pytest.param(
            [retriever_span("r1", "q", [document("p", "x", collection="hr")])],
            [("hr", False)],
            id="only the documents name it",
        ),
        pytest.param(
            [
                router_span("o1", "hr", at_s=0.5),
                retriever_span("r1", "q", [document("p", "x", collection="hr")], at_s=1),
            ],
            [("hr", True)],
            id="routed to and searched is once",
        ),
        pytest.param(
            [
                router_span("o1", "hr", at_s=0.5, inferred=True),
                retriever_span("r1", "q", [], collection="hr", at_s=1),
            ],
            [("hr", False)],
            id="read from a model's text",
        ),
        pytest.param(
            [
                router_span("o1", "policies", at_s=0.5),
                retriever_span("r1", "q", ["x"], at_s=1),
            ],
            [("policies", True)],
            id="a name that nothing bears, and a search without one",
        ),
        pytest.param(
            [
                router_span("o1", "rewrite", at_s=0.5),
                span("n1", parent_id="a1", node="rewrite"),
                retriever_span("r1", "q", ["x"], at_s=1),
            ],
            [],
            id="a node of the graph is no collection",
        ),
        pytest.param(
            [
                retriever_span("r1", "q", [], collection="b"),
                retriever_span("r2", "q", [], collection="a", at_s=2),
                retriever_span("r3", "q", [], collection="b", at_s=4),
            ],
            [("b", True), ("a", True)],
            id="each once, in order of first use",
        ),
    ],
)
def test_collections(spans: list[Span], expected: list[tuple[str, bool]]) -> None:
    assert collections(DESK, *spans) == expected


def test_tools_are_listed_once_and_candidates_as_recorded() -> None:
    routing = routing_of(
        DESK,
        router_span("o1", "hr", candidates=["hr", "it"]),
        tool_span("x1", "stock", {"n": 1}, "1", at_s=1),
        tool_span("x2", "price", {}, "2", at_s=2),
        tool_span("x3", "stock", {"n": 2}, "3", at_s=3),
    )
    assert [choice.name for choice in routing.tools] == ["stock", "price"]
    assert [candidate.name for candidate in routing.candidates] == ["hr", "it"]


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        pytest.param(
            [retriever_span("r1", "How long may I return SHOES")], None, id="the question itself"
        ),
        pytest.param(
            [retriever_span("r1", "shoe return window")],
            ("shoe return window", False),
            id="inferred from another search text",
        ),
        pytest.param(
            [
                span("n1", parent_id="a1", refined_query="shoes return days"),
                retriever_span("r1", "something else", at_s=1),
            ],
            ("shoes return days", True),
            id="recorded, even where another text was searched",
        ),
        pytest.param(
            [
                span("n1", parent_id="a1", refined_query="first"),
                retriever_span("r1", "second", at_s=1),
                span("n2", parent_id="a1", refined_query="third", at_s=2),
            ],
            ("first", True),
            id="the last one before the first search",
        ),
        pytest.param([], None, id="no search"),
    ],
)
def test_refined_query(spans: list[Span], expected: tuple[str, bool] | None) -> None:
    refined = routing_of(DESK, *spans).refined_query
    assert (refined and (refined.name, refined.recorded)) == expected


SEARCH: Value = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "collection": {"anyOf": [{"enum": ["hr", "it"]}, {"type": "null"}]},
        "sources": {"type": "array", "items": {"enum": ["wiki"]}},
        "lang": {"enum": ["en", "de"]},
    },
}


def catalogued(*tools: ToolDefinition) -> Span:
    return llm_span("l1", "How long?", "Thirty days.", tools_available=tools)


def test_a_catalogue_tells_tools_collections_and_agents() -> None:
    (catalogue,) = routing_of(
        DESK,
        catalogued(
            definition("search", parameters=SEARCH),
            definition("get_order", parameters={"properties": {"region": {"enum": ["eu"]}}}),
            definition("transfer_to_billing", "Bills and refunds."),
        ),
    ).catalogues
    assert catalogue.agent == "desk"
    assert [tool.name for tool in catalogue.tools] == ["search", "get_order"]
    assert catalogue.collections == ("hr", "it", "wiki")
    assert [(a.name, a.description) for a in catalogue.agents] == [
        ("billing", "Bills and refunds.")
    ]


def test_a_tool_that_ran_an_agent_is_listed_as_that_agent() -> None:
    (catalogue,) = routing_of(
        DESK,
        catalogued(definition("ask_hr"), definition("stock")),
        tool_span("x1", "ask_hr", {}, "Yes.", at_s=1, lasts_s=3),
        inner("hr", parent_id="x1"),
    ).catalogues
    assert [tool.name for tool in catalogue.tools] == ["stock"]
    assert [agent.name for agent in catalogue.agents] == ["hr"]


def test_candidates_of_a_router_are_of_one_kind() -> None:
    (catalogue,) = routing_of(
        DESK,
        router_span("o1", "hr", candidates=["hr", "it"]),
        retriever_span("r1", "q", [], collection="hr"),
    ).catalogues
    assert (catalogue.collections, catalogue.agents, catalogue.tools) == (("hr", "it"), (), ())


def test_each_agent_has_its_own_catalogue() -> None:
    other = replace(catalogued(definition("refund")), agent="billing")
    second = replace(other, raw=replace(other.raw, span_id="l2"))
    routing = routing_of(DESK, catalogued(definition("stock")), second)
    assert [(c.agent, [t.name for t in c.tools]) for c in routing.catalogues] == [
        ("desk", ["stock"]),
        ("billing", ["refund"]),
    ]


def test_a_search_without_any_choice_leaves_a_gap() -> None:
    assert turn_of(DESK, retriever_span("r1", "q", ["x"])).gap("routing_not_recorded") is not None
    assert turn_of(DESK).gap("routing_not_recorded") is None


def test_spellings_of_one_agent_are_one_agent() -> None:
    turn = turn_of(
        agent_span("a1", "Refund?", "Done.", agent="Front Desk"),
        handoff_span("h1", "billing_agent", "front_desk", at_s=1),
        agent_span("a2", None, "Done.", agent="Billing Agent", parent_id="a1", at_s=2),
        llm_span("l1", "Refund?", "Done.", agent="billing-agent", parent_id="a2", at_s=3),
        tool_span("x1", "refund", {}, "ok", agent="billing_agent", parent_id="a2", at_s=3),
    )
    assert turn.routing is not None
    assert [choice.name for choice in turn.routing.agents] == ["Front Desk", "Billing Agent"]
    assert [call.agent for call in turn.tool_calls] == ["Billing Agent"]
    assert turn.agent == "Billing Agent"
