"""Facts of a judged turn that symptoms and causes lean on: sources, chunks, citations."""

from typing import Any

import pytest

from analysis.attribution import attribute
from analysis.attribution.retrieval_faults import retrieval_faults
from analysis.attribution.routing_faults import routing_faults
from analysis.judged import JudgedTurn
from judge.answers import CallJudgement, Unjudged
from stages.records import Retrieval, ToolCall
from tests import builders as b
from tests.analysis.attribution import scenes as s
from tests.analysis.attribution import turns as t


def call(name: str, status: str, position: int) -> ToolCall:
    """Build a call with a status."""
    return b.tool_call(name, {}, None, status=status, position=position)  # type: ignore[arg-type]  # a status


def looked(collection: str | None, status: str, position: int, **fields: Any) -> Retrieval:
    """Build a search with a status."""
    return s.search(collection=collection, status=status, position=position, **fields)


SOURCES = [
    pytest.param([call("a", "ok", 1)], [], (), id="a call that worked"),
    pytest.param([call("a", "empty", 1)], [], (), id="a call that found nothing"),
    pytest.param([call("a", "unknown", 1)], [], (), id="a call of unknown end"),
    pytest.param([call("a", "error", 1)], [], ("call-1",), id="a call that failed"),
    pytest.param([call("a", "error", 1), call("a", "ok", 2)], [], (), id="tried again"),
    pytest.param(
        [call("a", "error", 1), call("a", "empty", 2)], [], (), id="tried again, found nothing"
    ),
    pytest.param(
        [call("a", "error", 1), call("a", "unknown", 2)],
        [],
        ("call-1",),
        id="tried again, the end is unknown",
    ),
    pytest.param(
        [call("a", "error", 1), call("a", "error", 2)],
        [],
        ("call-1", "call-2"),
        id="tried again in vain",
    ),
    pytest.param(
        [call("a", "ok", 1), call("a", "error", 2)], [], ("call-2",), id="worked before it failed"
    ),
    pytest.param(
        [call("a", "error", 1), call("b", "ok", 2)], [], ("call-1",), id="another tool worked"
    ),
    pytest.param([], [looked("a", "error", 1)], ("r1",), id="a search that failed"),
    pytest.param([], [looked("a", "ok", 1)], (), id="a search that worked"),
    pytest.param([], [looked("a", "not_captured", 1)], (), id="a search of unknown end"),
    pytest.param([], [looked("a", "error", 1), looked("a", "empty", 2)], (), id="searched again"),
    pytest.param(
        [], [looked("a", "error", 1), looked("a", "ok", 2)], (), id="searched again and found"
    ),
    pytest.param(
        [],
        [looked("a", "error", 1), looked("a", "not_captured", 2)],
        ("r1",),
        id="searched again, the end is unknown",
    ),
    pytest.param(
        [],
        [looked("a", "error", 1), looked("b", "ok", 2)],
        ("r1",),
        id="another collection was searched",
    ),
    pytest.param(
        [], [looked("a", "ok", 1), looked("a", "error", 2)], ("r2",), id="searched before it failed"
    ),
    pytest.param(
        [call("a", "error", 1)],
        [looked("a", "error", 1, call_id="call-1")],
        ("call-1",),
        id="a search by a tool counts as its call",
    ),
]


@pytest.mark.parametrize(("calls", "searches", "failed"), SOURCES)
def test_which_sources_failed_for_good(
    calls: list[ToolCall], searches: list[Retrieval], failed: tuple[str, ...]
) -> None:
    assert s.scene(calls=calls, searches=searches).failed_sources() == failed


def test_a_source_that_was_made_good_fails_nothing() -> None:
    again = [call("get_order", "error", 1), call("get_order", "ok", 2)]
    assert t.root(attribute([t.refused(calls=again)])[0]) == "passed"


def kinds(judged: JudgedTurn) -> list[str]:
    return [fault.kind for fault in retrieval_faults(judged)]


RETRIEVAL = [
    pytest.param(t.good(), [], id="none"),
    pytest.param(t.good(searches=[]), [], id="nothing was searched"),
    pytest.param(t.good(grades={"m-1": 1}), ["irrelevant_chunks"], id="none is relevant"),
    pytest.param(t.good(grades={"m-1": None}), [], id="none is judged"),
    pytest.param(
        t.good(searches=[s.search(t.GOOD, t.OTHER)], grades={"m-1": 1, "n-1": None}),
        [],
        id="one is not relevant, the other not judged",
    ),
    pytest.param(t.good(searches=[s.search(t.GOOD, t.OTHER)]), [], id="one of two is relevant"),
    pytest.param(
        t.good(
            searches=[
                s.search(
                    b.chunk("m-1", "RX-200", 3, in_context=False),
                    b.chunk("m-2", "RX-200", 4, in_context=False),
                    b.chunk("m-3", "RX-200", 5, in_context=False),
                    b.chunk("m-4", "RX-200", 6, in_context=None),
                )
            ],
            grades={"m-1": 3, "m-2": 1, "m-3": None, "m-4": 3},
        ),
        ["ranked_too_low"],
        id="relevant and cut",
    ),
    pytest.param(
        t.good(calls=[t.EMPTY], records_elsewhere={"call-1": "there"}), ["tool_empty"], id="empty"
    ),
    pytest.param(t.good(calls=[t.EMPTY]), [], id="truly empty"),
    pytest.param(
        t.good(calls=[call("a", "ok", 1)], records_elsewhere={"call-1": "there"}),
        [],
        id="a record elsewhere, and here as well",
    ),
    pytest.param(
        t.good(
            calls=[t.FAILED, b.tool_call("find", {}, None, status="empty", position=2)],
            searches=[s.search(b.chunk("m-2", "RX-200", 9, in_context=False)), s.search(t.OTHER)],
            grades={"m-2": 2},
            records_elsewhere={"call-2": "there"},
        ),
        ["tool_unavailable", "ranked_too_low", "tool_empty"],
        id="in order of precedence",
    ),
    pytest.param(
        t.good(
            calls=[b.tool_call("find", {}, None, status="error", is_retrieval=True)],
            searches=[looked("a", "error", 1, call_id="call-1", retrieval_id="call-1")],
        ),
        ["tool_unavailable"],
        id="a search tool that failed is one fault",
    ),
]


@pytest.mark.parametrize(("judged", "expected"), RETRIEVAL)
def test_the_faults_of_retrieval(judged: JudgedTurn, expected: list[str]) -> None:
    assert kinds(judged) == expected


def test_faults_of_retrieval_name_their_evidence() -> None:
    judged = t.good(
        calls=[t.FAILED, b.tool_call("find", {}, None, status="empty", position=2)],
        searches=[
            looked("a", "error", 1),
            s.search(b.chunk("m-2", "RX-200", 9, in_context=False), position=2),
        ],
        grades={"m-2": 2},
        records_elsewhere={"call-2": "there"},
    )
    assert [fault.evidence for fault in retrieval_faults(judged)] == [
        ("call call-1",),
        ("search r1",),
        ("chunk m-2",),
        ("call call-2",),
    ]
    (irrelevant,) = retrieval_faults(t.good(searches=[s.search(t.GOOD, t.OTHER)], grades={}))
    assert irrelevant.evidence == ("chunk m-1", "chunk n-1")


SEARCH = b.tool_call("find", {}, None, is_retrieval=True)
BY_TOOL = s.search(t.OTHER, call_id="call-1", collection="faq")

ROUTING = [
    pytest.param(s.routed(), [], id="none"),
    pytest.param(Unjudged(reason="uncertain"), [], id="unjudged"),
    pytest.param(s.routed(calls=[s.wrong_arguments()]), ["wrong_arguments"], id="arguments"),
    pytest.param(s.routed(calls=[s.wrong_arguments(9)]), [], id="of a call that is not there"),
    pytest.param(
        s.routed(calls=[s.wrong_arguments(9), s.wrong_tool()]),
        ["wrong_tool"],
        id="after a call that is not there",
    ),
    pytest.param(
        s.routed(calls=[CallJudgement(position=1, tool_ok=None, args_ok=None)]), [], id="undecided"
    ),
    pytest.param(
        s.routed(calls=[CallJudgement(position=1, tool_ok=False, args_ok=False)]),
        ["wrong_tool"],
        id="a wrong tool has no wrong arguments",
    ),
    pytest.param(s.routed(agent_ok=False), ["wrong_agent"], id="agent"),
    pytest.param(s.routed(agent_ok=None), [], id="agent undecided"),
    pytest.param(s.routed(collections={"a": False}), ["wrong_collection"], id="collection"),
    pytest.param(s.routed(collections={"a": False, "b": True}), [], id="and a right one"),
    pytest.param(
        s.routed(collections={"a": False, "b": None}), ["wrong_collection"], id="and an open one"
    ),
    pytest.param(s.routed(collections={"a": None}), [], id="collection undecided"),
    pytest.param(
        s.routed(missing=["a", "b"]), ["missing_resource", "missing_resource"], id="two are missing"
    ),
    pytest.param(s.routed(refined=False), ["refined_query_drifted"], id="query drifted"),
    pytest.param(s.routed(refined=True), [], id="query faithful"),
    pytest.param(
        s.routed(
            refined=False,
            missing=["a"],
            collections={"a": False},
            agent_ok=False,
            calls=[s.wrong_arguments()],
        ),
        [
            "wrong_arguments",
            "wrong_agent",
            "wrong_collection",
            "missing_resource",
            "refined_query_drifted",
        ],
        id="in order of precedence",
    ),
]


@pytest.mark.parametrize(("routing", "expected"), ROUTING)
def test_the_faults_of_routing(routing: Any, expected: list[str]) -> None:
    judged = t.good(calls=[call("get_order", "ok", 1)], routing=routing)
    assert [fault.kind for fault in routing_faults(judged)] == expected


@pytest.mark.parametrize(
    ("argument", "expected"),
    [
        ("query", []),
        ("filters.Query", []),
        ("collection", []),
        ("body.index", []),
        ("region", []),
        ("product", ["wrong_arguments"]),
        ("query.product", ["wrong_arguments"]),
    ],
)
def test_query_and_collection_of_a_search_have_kinds_of_their_own(
    argument: str, expected: list[str]
) -> None:
    routing = s.routed(calls=[s.wrong_arguments(argument=argument)])
    by_search = t.good(calls=[SEARCH], searches=[BY_TOOL], routing=routing)
    assert [fault.kind for fault in routing_faults(by_search)] == expected
    by_call = t.good(calls=[call("get_order", "ok", 1)], routing=routing)
    assert [fault.kind for fault in routing_faults(by_call)] == ["wrong_arguments"]


@pytest.mark.parametrize(
    ("collections", "expected"),
    [
        ({"faq": False}, ["wrong_collection"]),
        ({"faq": True}, ["wrong_tool"]),
        ({"faq": None}, ["wrong_tool"]),
        ({}, ["wrong_tool"]),
        ({"other": False}, ["wrong_tool", "wrong_collection"]),
    ],
    ids=["of a wrong collection", "of a right one", "undecided", "not judged", "of another"],
)
def test_a_search_of_a_wrong_collection_is_no_wrong_tool(
    collections: dict[str, bool | None], expected: list[str]
) -> None:
    routing = s.routed(collections=collections, calls=[s.wrong_tool()])
    judged = t.good(calls=[SEARCH], searches=[BY_TOOL], routing=routing)
    assert [fault.kind for fault in routing_faults(judged)] == expected


def test_faults_of_routing_name_their_evidence() -> None:
    judged = t.good(
        calls=[call("get_order", "ok", 1)],
        refined="filter",
        routing=s.routed(
            refined=False,
            missing=["a"],
            collections={"a": False},
            agent_ok=False,
            calls=[s.wrong_arguments()],
        ),
    )
    assert [fault.evidence for fault in routing_faults(judged)] == [
        ("call call-1", "verdict routing"),
        ("verdict routing",),
        ("verdict routing",),
        ("verdict routing",),
        ("verdict routing",),
        ("span a1",),
    ]


REFINED = [
    pytest.param("filter RX-200", ["filter rx-200"], False, id="searched"),
    pytest.param("filter RX-200", ["filter"], True, id="not searched"),
    pytest.param("filter RX-200", ["filter", " Filter  RX-200"], False, id="searched second"),
    pytest.param("filter RX-200", [None], False, id="what was searched is not known"),
    pytest.param("filter RX-200", ["filter", None], False, id="the unknown query may be it"),
    pytest.param("filter RX-200", [], False, id="nothing was searched"),
    pytest.param(None, ["filter"], False, id="no refined query"),
    pytest.param(b.choice("other", recorded=False), ["filter"], False, id="only inferred"),
    pytest.param(b.choice("other", span_id=None), ["filter"], True, id="recorded nowhere known"),
]


@pytest.mark.parametrize(("refined", "queries", "ignored"), REFINED)
def test_a_refined_query_that_was_not_searched(
    refined: Any, queries: list[str | None], *, ignored: bool
) -> None:
    searches = [
        s.search(t.GOOD, query=query, position=n) for n, query in enumerate(queries, start=1)
    ]
    judged = t.good(searches=searches, refined=refined, routing=Unjudged(reason="uncertain"))
    assert [fault.kind for fault in routing_faults(judged)] == ["refined_query_ignored"] * ignored


def test_what_was_found_elsewhere_names_its_evidence() -> None:
    (attribution,) = attribute([t.refused(probes=[s.hit()])])
    (finding,) = [one for one in attribution.findings if one.role == "root"]
    assert finding.fault.evidence == ("chunk m-9", "verdict probe-0-m-9", "verdict routing")


def test_what_was_missed_names_its_evidence() -> None:
    (attribution,) = attribute([t.refused(probes=[s.hit(searched=True)])])
    (cause,) = attribution.causes
    assert cause.fault is not None
    assert cause.fault.evidence == ("chunk m-9", "verdict probe-0-m-9")
    assert cause.found == s.hit(searched=True)
