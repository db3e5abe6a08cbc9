from typing import Any

import pytest

from ingest.span import Value
from judge.asking_routing import WINDOW, routing_questions
from judge.question import Question
from judge.rendering import items
from stages.records import Turn
from tests.builders import (
    at,
    catalogue,
    choice,
    chunk,
    conversation,
    definition,
    generation,
    retrieval,
    routing,
    span_row,
    tool_call,
    turn,
    user,
)

SCHEMA: Value = {"type": "object", "properties": {"order_id": {"type": "string"}}}


def one(*turns: Turn) -> Question:
    (question,) = routing_questions(conversation(*turns))
    return question


def shown(question: Question) -> list[tuple[Value, Value]]:
    """Return (turn, judged) of the transcript."""
    return [(item["turn"], item["judge"]) for item in items(question.content["transcript"])]


def only_turn(*turns: Turn) -> dict[str, Value]:
    (value,) = items(one(*turns).content["transcript"])
    return value


def test_a_turn_is_shown_with_its_own_agents_catalogue_and_its_calls() -> None:
    get_order = definition("get_order", "Looks up an order", SCHEMA)
    asked = turn(
        "Where is order 7?",
        "It is on its way.",
        service="shop",
        tenant="acme",
        routing=routing(
            ("triage", "orders"),
            collections=("faq",),
            refined_query="status of order 7",
            candidates=(definition("orders"),),
            catalogues=(catalogue("orders", (get_order,), ("faq",), ("billing",)),),
        ),
        tool_calls=(
            tool_call(
                "get_order",
                {"order_id": "7"},
                {"status": "shipped", "id": 7},
                agent="orders",
                catalogue=(get_order,),
            ),
        ),
    )
    assert one(asked).content == {
        "service": "shop",
        "tenant": "acme",
        "before": [],
        "catalogues": {
            "catalogue 1": {
                "agent": "orders",
                "tools": [
                    {
                        "name": "get_order",
                        "description": "Looks up an order",
                        "parameters": SCHEMA,
                    }
                ],
                "collections": ["faq"],
                "agents": [{"name": "billing", "description": None, "parameters": None}],
            }
        },
        "transcript": [
            {
                "turn": 1,
                "judge": True,
                "question": "Where is order 7?",
                "candidates": [{"name": "orders", "description": None, "parameters": None}],
                "agents": ["triage", "orders"],
                "catalogues": ["catalogue 1"],
                "collections": ["faq"],
                "refined_query": {"text": "status of order 7", "recorded": True},
                "steps": [
                    {
                        "step": "call",
                        "position": 1,
                        "tool": "get_order",
                        "agent": "orders",
                        "arguments": {"order_id": "7"},
                        "status": "ok",
                        "result": '{"id": 7, "status": "shipped"}',
                        "error": None,
                        "catalogue": "catalogue 1",
                        "knows": [],
                        "searches": [],
                    }
                ],
                "answer": "It is on its way.",
            }
        ],
    }


def test_a_search_shows_where_and_what_was_searched() -> None:
    found = [chunk(f"c-{n}", "x" * 501, n, metadata={"title": f"T{n}"}) for n in range(1, 8)]
    asked = turn(retrievals=(retrieval(found, "rx-200", collection="faq", agent="docs"),))
    (step,) = items(only_turn(asked)["steps"])
    cut = "x" * 500 + "\n[… 1 more characters]"
    assert step == {
        "step": "search",
        "agent": "docs",
        "collection": "faq",
        "inferred": False,
        "query": "rx-200",
        "status": "ok",
        "found": [{"title": f"T{n}", "text": cut} for n in range(1, 6)],
        "error": None,
    }


def test_a_search_through_a_tool_stands_in_its_call_once() -> None:
    asked = turn(
        tool_calls=(tool_call("search", {"q": "hats"}, "Hats: none", is_retrieval=True),),
        retrievals=(retrieval(["Hats: none"], "hats", call_id="call-1"),),
    )
    (step,) = items(only_turn(asked)["steps"])
    assert step["result"] is None
    assert [search["query"] for search in items(step["searches"])] == ["hats"]


def test_steps_lie_in_time_order() -> None:
    rows = [
        span_row("s2", start_ns=at(3)),
        span_row("x1", start_ns=at(1)),
        span_row("x2", start_ns=at(5)),
    ]
    asked = turn(
        spans=(span_row("s1", start_ns=at(2)), *rows),
        retrievals=(
            retrieval(["a"], "first", span_id="s1"),
            retrieval(["b"], "second", position=2, span_id="s2"),
        ),
        tool_calls=(
            tool_call("one", span_id="x1"),
            tool_call("unknown time", position=2),
            tool_call("three", position=3, span_id="x2"),
        ),
    )
    steps = items(only_turn(asked)["steps"])
    names = [step.get("query") or step.get("tool") for step in steps]
    assert names == ["one", "unknown time", "first", "second", "three"]


def test_parallel_calls_do_not_know_each_others_results() -> None:
    calls = (
        tool_call("a", call_id="x"),
        tool_call("b", position=2, call_id="y", prior=("gone",)),
        tool_call("c", position=3, call_id="z", prior=("y", "x")),
    )
    steps = items(only_turn(turn(tool_calls=calls))["steps"])
    assert [step["knows"] for step in steps] == [[], [], [1, 2]]


def test_a_result_that_was_not_captured_is_not_shown() -> None:
    asked = turn(tool_calls=(tool_call(result="<elided>", status="unknown"),))
    (step,) = items(only_turn(asked)["steps"])
    assert (step["status"], step["result"]) == ("unknown", None)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        pytest.param({"agent": "a"}, "catalogue 1", id="its agent's"),
        pytest.param({"agent": "b"}, None, id="not recorded"),
        pytest.param(
            {"agent": "b", "catalogue": (definition("x"),)}, "catalogue 2", id="recorded with it"
        ),
        pytest.param(
            {"agent": "a", "catalogue": (definition("x"),)},
            "catalogue 2",
            id="another than the agent's",
        ),
        pytest.param(
            {"agent": "a", "catalogue": (definition("t"),)},
            "catalogue 1",
            id="the agent's once more",
        ),
    ],
)
def test_which_catalogue_a_call_chose_from(call: dict[str, Any], expected: str | None) -> None:
    asked = turn(
        routing=routing(catalogues=(catalogue("a", ("t",), ("c",)),)),
        tool_calls=(tool_call(**call),),
    )
    (step,) = items(only_turn(asked)["steps"])
    assert step["catalogue"] == expected


def test_equal_catalogues_are_shown_once() -> None:
    turns = [
        turn(number=n, routing=routing(catalogues=(catalogue("a", ("t",), span_id=f"s{n}"),)))
        for n in (1, 2)
    ]
    question = one(*turns)
    assert question.content["catalogues"] == {
        "catalogue 1": {
            "agent": "a",
            "tools": [{"name": "t", "description": None, "parameters": None}],
            "collections": [],
            "agents": [],
        }
    }


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        pytest.param(None, None, id="none"),
        pytest.param({"type": "object"}, {"type": "object"}, id="short"),
        pytest.param(
            {
                "type": "object",
                "properties": {"n": {"type": "integer", "minimum": 1, "description": "x" * 9_000}},
                "required": ["n"],
            },
            {
                "type": "object",
                "properties": {"n": {"type": "integer", "minimum": 1}},
                "required": ["n"],
            },
            id="long: what arguments are checked by",
        ),
        pytest.param({"$defs": "x" * 9_000}, None, id="long, without properties"),
        pytest.param(
            {"properties": {"n": {"enum": ["x" * 9_000]}}}, None, id="too long however short"
        ),
    ],
)
def test_long_schemas_are_shown_in_brief(parameters: Value, expected: Value) -> None:
    tool = definition("t", parameters=parameters)
    question = one(turn(routing=routing(catalogues=(catalogue("a", (tool,)),))))
    catalogues = question.content["catalogues"]
    assert isinstance(catalogues, dict)
    first = catalogues["catalogue 1"]
    assert isinstance(first, dict)
    assert [item["parameters"] for item in items(first["tools"])] == [expected]


# Windows


def judged_and_context(question: Question) -> tuple[list[Value], list[Value]]:
    turns = shown(question)
    return [n for n, judge in turns if judge], [n for n, judge in turns if not judge]


@pytest.mark.parametrize(
    ("count", "expected"),
    [
        pytest.param(0, [], id="no turn"),
        pytest.param(1, [(1, 1, 0)], id="one"),
        pytest.param(12, [(1, 12, 0)], id="a full window"),
        pytest.param(13, [(1, 12, 0), (13, 13, 12)], id="one more"),
        pytest.param(30, [(1, 12, 0), (13, 24, 12), (25, 30, 12)], id="context is bounded"),
    ],
)
def test_windows(count: int, expected: list[tuple[int, int, int]]) -> None:
    turns = [turn(number=n) for n in range(1, count + 1)]
    found = []
    for question in routing_questions(conversation(*turns)):
        judged, context = judged_and_context(question)
        assert question.subject.turns == tuple(judged)
        assert all(before < judged[0] for before in context)  # type: ignore[operator]
        found.append((judged[0], judged[-1], len(context)))
    assert found == expected


def test_new_turns_leave_earlier_windows_as_they_were() -> None:
    turns = [turn(number=n) for n in range(1, WINDOW + 3)]
    first, _ = routing_questions(conversation(*turns))
    assert [first] == list(routing_questions(conversation(*turns[:WINDOW])))


def test_a_turn_that_cannot_be_judged_is_context() -> None:
    question = one(turn(number=1, answer=None), turn(number=2))
    assert shown(question) == [(1, False), (2, True)]
    assert question.subject.turns == (2,)


def test_nothing_is_asked_when_no_turn_can_be_judged() -> None:
    assert list(routing_questions(conversation(turn(question=None)))) == []


@pytest.mark.parametrize("templates", [False, True])
def test_canned_answers_are_judged_on_request(*, templates: bool) -> None:
    canned = conversation(turn(answer=generation(source="template")))
    assert len(list(routing_questions(canned, templates=templates))) == templates


def test_messages_before_the_transcript_are_shown() -> None:
    question = one(turn(number=5, history=(user("Order 7, please."),)))
    assert question.content["before"] == [{"role": "user", "text": "Order 7, please."}]


def test_turns_of_another_tenant_are_in_no_transcript_but_their_own() -> None:
    turns = [
        turn("Secret of A", number=1, tenant="a"),
        turn("Question of B", number=2, tenant="b"),
        turn("More of A", number=3, tenant="a"),
        turn("Nobody's", number=4, tenant=None),
    ]
    questions = {q.content["tenant"]: q for q in routing_questions(conversation(*turns))}
    assert {tenant: shown(q) for tenant, q in questions.items()} == {
        "a": [(1, True), (3, True)],
        "b": [(2, True)],
        None: [(4, True)],
    }


def test_turns_of_another_service_are_context() -> None:
    turns = [turn(number=n, service=name) for n, name in enumerate("xyx", start=1)]
    questions = {q.content["service"]: q for q in routing_questions(conversation(*turns))}
    assert {service: shown(q) for service, q in questions.items()} == {
        "x": [(1, True), (2, False), (3, True)],
        "y": [(1, False), (2, True)],
    }


def test_an_inferred_query_says_so() -> None:
    refined = choice("hats", recorded=False)
    value = only_turn(turn(routing=routing(refined_query=refined)))
    assert value["refined_query"] == {"text": "hats", "recorded": False}
