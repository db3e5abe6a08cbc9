import random
from dataclasses import replace
from typing import Any

import pytest

from ingest.span import Value
from judge.run_knowledge import KnownRecord, RunKnowledge
from stages.records import Chunk, Turn
from tests.builders import at, catalogue, chunk, retrieval, routing, tool_call, turn


def knowledge(*turns: Turn, **settings: int) -> RunKnowledge:
    known = RunKnowledge(**settings)
    for one in turns:
        known.add(one)
    return known


def called(
    tool: str, arguments: Value, result: Value = "found", number: int = 1, **fields: Any
) -> Turn:
    call = tool_call(tool, arguments, result, status=fields.pop("status", "ok"))
    return turn(number=number, tool_calls=(call,), **fields)


def where(known: RunKnowledge, tool: str, arguments: Value, **place: Any) -> str | None:
    found = known.records_known(tool, arguments, **{"service": None, "tenant": None, **place})
    return None if found is None else str(found)


# Records


@pytest.mark.parametrize(
    ("seen", "asked", "expected"),
    [
        pytest.param({"order_id": 7}, {"order_id": 7}, True, id="the same"),
        pytest.param({"order_id": 7}, {"order_id": 8}, False, id="another record"),
        pytest.param({"order_id": "7"}, {"order_id": 7}, True, id="text or number"),
        pytest.param({"order_id": "A-7 "}, {"order_id": "a-7"}, True, id="case and white space"),
        pytest.param({"orderId": 7}, {"order_id": 7}, True, id="spelling of the key"),
        pytest.param({"order_id": 7, "fast": True}, {"order_id": 7}, True, id="an option more"),
        pytest.param({"order_id": 7, "limit": 5}, {"order_id": 7, "limit": 9}, True, id="a limit"),
        pytest.param(
            {"order_id": 7, "date": "2026-01-01"},
            {"order_id": 7, "date": "2026-01-02"},
            False,
            id="another date",
        ),
        pytest.param({"email": "a@b.c"}, {"email": "A@B.C"}, True, id="e-mail address"),
        pytest.param({"q": "hats"}, {"q": "hats"}, True, id="nothing identifies: all is equal"),
        pytest.param({"q": "hats"}, {"q": "shoes"}, False, id="nothing identifies: another"),
        pytest.param({"a": 1, "b": 2}, {"b": 2, "a": 1}, True, id="order of the arguments"),
        pytest.param("7", "7", True, id="arguments as text"),
        pytest.param(None, None, True, id="no arguments"),
        pytest.param({}, {}, True, id="empty arguments"),
    ],
)
def test_the_same_tool_found_it(seen: Value, asked: Value, *, expected: bool) -> None:
    known = knowledge(called("get", seen))
    assert (where(known, "get", asked) is not None) is expected
    assert where(known, "other_tool", asked) is None


@pytest.mark.parametrize("status", ["error", "empty", "unknown"])
def test_only_a_call_that_worked_shows_a_record(status: str) -> None:
    known = knowledge(called("get", {"order_id": 7}, {"order_id": 7}, status=status))
    assert where(known, "get", {"order_id": 7}) is None


@pytest.mark.parametrize(
    ("result", "tool", "asked", "expected"),
    [
        pytest.param({"order_id": "7"}, "get_order", {"order_id": 7}, True, id="in a result"),
        pytest.param(
            {"orders": [{"order_id": "6"}, {"order_id": "7"}]},
            "get_order",
            {"order_id": 7},
            True,
            id="deep in a result",
        ),
        pytest.param([{"orderId": 7}], "getOrder", {"order_id": "7"}, True, id="another spelling"),
        pytest.param(
            {"order_ids": [6, 7]}, "get_order", {"order_id": 7}, True, id="in a list of ids"
        ),
        pytest.param({"user_id": 7}, "get_order", {"order_id": 7}, False, id="under another key"),
        pytest.param({"order_id": 8}, "get_order", {"order_id": 7}, False, id="another value"),
        pytest.param(
            "order_id: 7", "get_order", {"order_id": 7}, False, id="result without structure"
        ),
        pytest.param(
            {"order_id": 7}, "get_parcel", {"order_id": 7}, False, id="a tool for other things"
        ),
        pytest.param({"id": 7}, "get_order", {"id": 7}, False, id="a key that names no thing"),
        pytest.param({"sku": "X1"}, "stock", {"sku": "X1"}, True, id="a key of one word"),
        pytest.param(
            {"order_id": 7, "item_id": 1},
            "get_order_item",
            {"order_id": 7, "item_id": 1},
            False,
            id="two identifiers could be of two records",
        ),
        pytest.param({"order_id": None}, "get_order", {"order_id": None}, False, id="no value"),
        pytest.param({"order_id": True}, "get_order", {"order_id": True}, False, id="truth value"),
        pytest.param({"order_id": ""}, "get_order", {"order_id": ""}, False, id="empty value"),
    ],
)
def test_another_result_shows_it(result: Value, tool: str, asked: Value, *, expected: bool) -> None:
    known = knowledge(called("list", {"page": 1}, result))
    assert (where(known, tool, asked) is not None) is expected


def test_a_chunks_metadata_shows_it() -> None:
    known = knowledge(turn(chunks=[chunk("c-1", None, metadata={"order_id": "7"})]))
    assert where(known, "get_order", {"order_id": 7}) == "chunk c-1 holds it in conv-1/1"


def test_the_earliest_sighting_is_told() -> None:
    turns = [called("get", {"order_id": 7}, number=n) for n in (3, 1, 2)]
    found = knowledge(*turns).records_known("get", {"order_id": 7}, service=None, tenant=None)
    assert found == KnownRecord(
        turn_id="conv-1/1", source="call-1", kind="call", tool="get", first_seen_ns=at(60)
    )
    assert str(found) == "get returned it in conv-1/1"


def test_another_result_may_be_the_earliest_sighting() -> None:
    known = knowledge(
        called("get_order", {"order_id": 7}, number=3),
        called("list", {}, {"order_id": 7}, number=2),
    )
    assert where(known, "get_order", {"order_id": 7}) == "list returned it in conv-1/2"


PLACES = [("s1", "t1"), ("s1", "t2"), ("s2", "t1"), (None, "t1"), ("s1", None), (None, None)]


@pytest.mark.parametrize("place", PLACES)
def test_what_one_tenant_saw_is_unknown_to_all_others(place: tuple[str | None, str | None]) -> None:
    service, tenant = place
    seen = turn(
        service=service,
        tenant=tenant,
        agent="a",
        tool_calls=(tool_call("get_order", {"order_id": 7}, {"order_id": 7}),),
        retrievals=(retrieval([chunk("c", metadata={"sku": "X1"})], collection="kb"),),
        routing=routing(catalogues=(catalogue("a", ("get_order",), ("faq",)),)),
    )
    known = knowledge(seen)
    for other_service, other_tenant in PLACES:
        there: dict[str, Any] = {"service": other_service, "tenant": other_tenant}
        same = (other_service, other_tenant) == place
        assert (where(known, "get_order", {"order_id": 7}, **there) is not None) is same
        assert (where(known, "stock", {"sku": "X1"}, **there) is not None) is same
        assert bool(known.agents(**there)) is same
        assert bool(known.agents_reaching("faq", **there)) is same
        elsewhere = turn(agent="a", **there)
        assert bool(known.reachable(elsewhere)) is same


def test_the_order_of_turns_has_no_effect() -> None:
    turns = [
        called(f"get_{n % 3}", {"order_id": n % 9}, {"item_id": n % 5}, number=n + 1)
        for n in range(60)
    ]
    shuffled = random.Random(3).sample(turns, len(turns))
    asked: list[tuple[str, Value]] = [
        (f"get_{n}", {"order_id": m}) for n in range(4) for m in range(10)
    ]
    for records in (10_000, 12):
        first, second = (knowledge(*some, records=records) for some in (turns, shuffled))
        for tool, arguments in asked:
            assert where(first, tool, arguments) == where(second, tool, arguments)
        assert first.complete is second.complete is (records == 10_000)


# Agents


def searched(*collections: str | None, agent: str | None = "a", **fields: Any) -> Turn:
    made = [
        retrieval(["text"], collection=name, position=n)
        for n, name in enumerate(collections, start=1)
    ]
    return turn(agent=agent, retrievals=tuple(made), **fields)


def offered(*collections: str, agent: str = "a", **fields: Any) -> Turn:
    return turn(
        agent=agent,
        routing=routing((agent,), catalogues=(catalogue(agent, ("find",), collections),)),
        **fields,
    )


@pytest.mark.parametrize(
    ("run", "asked", "expected"),
    [
        pytest.param([], turn(agent="a"), set(), id="nothing is known"),
        pytest.param([], offered("x", "y"), {"x", "y"}, id="its own catalogue"),
        pytest.param([offered("x")], turn(agent="a"), {"x"}, id="a catalogue of another turn"),
        pytest.param([searched("x"), searched("y")], turn(agent="a"), {"x", "y"}, id="searched"),
        pytest.param([searched("x")], turn(agent="b"), set(), id="searched by another agent"),
        pytest.param(
            [searched("z"), offered("x")], turn(agent="a"), {"x"}, id="catalogue before searches"
        ),
        pytest.param([offered("x")], offered("y"), {"y"}, id="own catalogue before others"),
        pytest.param(
            [offered("x")],
            replace(offered("y"), retrievals=searched("z").retrievals),
            {"y"},
            id="own catalogue before own searches",
        ),
        pytest.param([offered()], searched("y"), {"y"}, id="a catalogue without collections"),
        pytest.param([searched(None)], turn(agent="a"), {None}, id="a collection without a name"),
        pytest.param(
            [searched(None), offered("x")], turn(agent="a"), {"x", None}, id="beside a catalogue"
        ),
        pytest.param(
            [offered("x"), offered("y", agent="b")],
            turn(agent="a", retrievals=(retrieval(["t"], agent="b", collection="z"),)),
            {"x", "y"},
            id="the agent that searched and the one that answered",
        ),
        pytest.param(
            [searched("x", agent=None)], turn(agent=None), {"x"}, id="agent without a name"
        ),
    ],
)
def test_what_an_agent_can_reach(run: list[Turn], asked: Turn, expected: set[str | None]) -> None:
    assert knowledge(*run, asked).reachable(asked) == expected


def test_who_else_reaches_a_collection() -> None:
    known = knowledge(offered("x"), searched("x", agent="b"), offered("y", agent="c"))
    assert known.agents_reaching("x", service=None, tenant=None) == ("a", "b")
    assert known.agents_reaching("z", service=None, tenant=None) == ()


def test_facts_of_an_agent_add_up() -> None:
    calls = (tool_call("buy", {}), tool_call("pay", {}, agent="b", position=2))
    known = knowledge(offered("x"), searched("y"), turn(agent="a", tool_calls=calls))
    agents = known.agents(None, None)
    assert list(agents) == ["a", "b"]
    assert agents["a"].tools == {"find", "buy"}
    assert agents["a"].catalogue == {"x"}
    assert agents["a"].searched == {"y"}
    assert agents["b"].tools == {"pay"}


def test_a_chunks_own_collection_counts_as_searched() -> None:
    found: Chunk = chunk("c", collection="inner")
    known = knowledge(turn(agent="a", retrievals=(retrieval([found], collection="outer"),)))
    assert known.agents(None, None)["a"].searched == {"inner"}


# Sources


SEARCHED = turn(agent="docs-bot", retrievals=(retrieval([chunk("m-1")]),))
HANDED = routing(("chat-bot",), catalogues=(catalogue("chat-bot", agents=["docs-bot"]),))


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        pytest.param(turn(agent="chat-bot"), False, id="an agent that never looked anything up"),
        pytest.param(turn(agent="docs-bot"), True, id="it searched in another turn"),
        pytest.param(turn(agent="docs-bot", service="other"), False, id="of another service"),
        pytest.param(turn(agent="docs-bot", tenant="other"), False, id="for another tenant"),
        pytest.param(SEARCHED, True, id="it searched"),
        pytest.param(called("get_order", {"id": 7}, agent="chat-bot"), True, id="it called"),
        pytest.param(
            turn(agent="chat-bot", routing=routing(("chat-bot", "docs-bot"))),
            True,
            id="another agent handled it, too",
        ),
        pytest.param(turn(agent="chat-bot", routing=HANDED), True, id="it could have handed over"),
        pytest.param(
            turn(
                agent="chat-bot",
                routing=routing(("chat-bot",), catalogues=(catalogue("chat-bot", ["get_order"]),)),
            ),
            True,
            id="its catalogue has a tool",
        ),
    ],
)
def test_what_may_stand_behind_an_answer(asked: Turn, *, expected: bool) -> None:
    assert knowledge(SEARCHED, asked).has_sources(asked) is expected
