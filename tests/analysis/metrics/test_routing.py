from typing import Any

import pytest

from analysis.judged import JudgedTurn
from analysis.metrics import routing as metrics
from analysis.metrics.measured import Measured, undefined
from analysis.metrics.ratio import NOTHING, Ratio
from judge.answers import (
    CallJudgement,
    CollectionJudgement,
    MissingResource,
    TurnRouting,
    Unjudged,
)
from stages.records import Routing
from tests import builders as b
from tests.analysis.metrics.turns import judged

OF_A_VERDICT = [
    metrics.measure_collections,
    metrics.measure_tools,
    metrics.measure_arguments,
    metrics.measure_missing,
    metrics.measure_agent,
]


_DECIDED = {"+": True, "-": False, "?": None}


def collections(shorthand: str) -> tuple[CollectionJudgement, ...]:
    """Build judgements from `eu+ us- uk?`: right, wrong, undecided."""
    return tuple(
        CollectionJudgement(collection=word[:-1], ok=_DECIDED[word[-1]])
        for word in shorthand.split()
    )


def calls(shorthand: str) -> tuple[CallJudgement, ...]:
    """Build judgements from `+- -?`: of the tool and of the arguments of each call."""
    return tuple(
        CallJudgement(position=place, tool_ok=_DECIDED[word[0]], args_ok=_DECIDED[word[1]])
        for place, word in enumerate(shorthand.split(), start=1)
    )


def verdict(**fields: Any) -> TurnRouting:
    return TurnRouting(turn=1, reason="", **fields)


@pytest.mark.parametrize(
    ("judgements", "expected"),
    [
        pytest.param("eu+ us-", Ratio(1, 2), id="one of two"),
        pytest.param("eu+ us?", Ratio(1, 1), id="undecided is in no count"),
        pytest.param("us-", Ratio(0, 1), id="wrong"),
        pytest.param("eu+ eu+", Ratio(1, 1), id="a collection counts once"),
        pytest.param("eu+ eu-", Ratio(0, 1), id="right once, wrong once"),
        pytest.param("eu- eu+", Ratio(0, 1), id="wrong once, right once"),
        pytest.param("eu+ eu?", Ratio(1, 1), id="right once, undecided once"),
        pytest.param("eu?", NOTHING, id="none decided"),
        pytest.param("", NOTHING, id="none searched"),
    ],
)
def test_collection_ok_rate(judgements: str, expected: Ratio) -> None:
    assert metrics.collection_ok_rate(collections(judgements)) == expected


@pytest.mark.parametrize(
    ("judgements", "tools", "arguments"),
    [
        pytest.param("++", Ratio(1, 1), Ratio(1, 1), id="all right"),
        pytest.param("+-", Ratio(1, 1), Ratio(0, 1), id="wrong arguments"),
        pytest.param("-?", Ratio(0, 1), NOTHING, id="wrong tool, no word on arguments"),
        pytest.param("-+", Ratio(0, 1), NOTHING, id="right arguments of a wrong tool"),
        pytest.param("?+", NOTHING, NOTHING, id="arguments of a tool that is undecided"),
        pytest.param("+?", Ratio(1, 1), NOTHING, id="arguments undecided"),
        pytest.param("++ ++ +- -?", Ratio(3, 4), Ratio(2, 3), id="every call counts"),
        pytest.param("", NOTHING, NOTHING, id="no call"),
    ],
)
def test_tools_and_arguments(judgements: str, tools: Ratio, arguments: Ratio) -> None:
    assert metrics.tool_ok_rate(calls(judgements)) == tools
    assert metrics.args_ok_rate(calls(judgements)) == arguments


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        pytest.param([], Ratio(0, 1), id="none missing"),
        pytest.param(["eu"], Ratio(1, 1), id="one missing"),
        pytest.param(["eu", "orders"], Ratio(1, 1), id="two missing are one turn"),
    ],
)
def test_missing_resource_rate(names: list[str], expected: Ratio) -> None:
    missing = [MissingResource(kind="collection", name=name) for name in names]
    assert metrics.missing_resource_rate(missing) == expected


@pytest.mark.parametrize(
    ("ok", "expected"), [(True, Ratio(1, 1)), (False, Ratio(0, 1)), (None, NOTHING)]
)
def test_agent_ok_rate(*, ok: bool | None, expected: Ratio) -> None:
    assert metrics.agent_ok_rate(ok=ok) == expected


@pytest.mark.parametrize(
    ("queries", "expected"),
    [
        pytest.param(["filter RX-200"], Ratio(1, 1), id="searched"),
        pytest.param([" Filter\nrx-200 "], Ratio(1, 1), id="but for case and white space"),
        pytest.param(["filter", "filter RX-200"], Ratio(1, 1), id="by one of two searches"),
        pytest.param(["RX-200 filter"], Ratio(1, 1), id="in another order"),
        pytest.param(["RX-200", "filter"], Ratio(1, 1), id="cut into two searches"),
        pytest.param(["filter"], Ratio(0, 1), id="another query was searched"),
        pytest.param([], Ratio(0, 1), id="nothing was searched"),
        pytest.param([None], NOTHING, id="the query was not captured"),
        pytest.param(["filter", None], NOTHING, id="the unknown query may be it"),
        pytest.param([None, "filter RX-200"], Ratio(1, 1), id="searched, whatever the other is"),
    ],
)
def test_refined_query_used_rate(queries: list[str | None], expected: Ratio) -> None:
    assert metrics.refined_query_used_rate("filter RX-200", queries) == expected


def test_a_turn_is_measured_by_its_verdict() -> None:
    turn = judged(
        routing=verdict(
            agent_ok=False,
            collections=collections("eu+ us-"),
            calls=calls("++ +- -?"),
            missing=(MissingResource(kind="tool", name="orders"),),
        )
    )
    assert [measure(turn) for measure in OF_A_VERDICT] == [
        Measured(hits=1, total=2),
        Measured(hits=2, total=3),
        Measured(hits=1, total=2),
        Measured(hits=1, total=1),
        Measured(hits=0, total=1),
    ]


@pytest.mark.parametrize(
    ("routing", "reasons"),
    [
        pytest.param(
            verdict(missing_decided=False),
            ["no_collection_searched", "no_tool_called", "no_tool_called", "uncertain"],
            id="nothing was chosen",
        ),
        pytest.param(
            verdict(collections=collections("eu?"), calls=calls("?? ?+"), missing_decided=False),
            ["uncertain"] * 4,
            id="nothing was decided",
        ),
    ],
)
def test_why_a_part_of_the_verdict_says_nothing(routing: TurnRouting, reasons: list[str]) -> None:
    turn = judged(routing=routing)
    found = [measure(turn) for measure in OF_A_VERDICT]
    assert found == [undefined(reason) for reason in [*reasons, "uncertain"]]


@pytest.mark.parametrize(
    ("judgements", "reason"),
    [
        pytest.param("-? -+", "no_right_tool", id="all wrong"),
        pytest.param("-? ??", "uncertain", id="one may be right"),
        pytest.param("+?", "uncertain", id="arguments undecided"),
    ],
)
def test_why_there_are_no_arguments_to_look_at(judgements: str, reason: str) -> None:
    turn = judged(routing=verdict(calls=calls(judgements)))
    assert metrics.measure_arguments(turn) == undefined(reason)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        pytest.param({}, "not_asked", id="not asked"),
        pytest.param({"routing": Unjudged(reason="api_error")}, "api_error", id="the judge failed"),
        pytest.param(
            {"routing": verdict(agent_ok=True, unjudged="no_catalogue")},
            "no_catalogue",
            id="the judge had nothing to choose from",
        ),
        pytest.param({"not_judged": "incomplete"}, "incomplete", id="nothing was asked"),
    ],
)
def test_why_a_routing_is_not_judged(fields: dict[str, Any], reason: str) -> None:
    turn = judged(**fields)
    assert [measure(turn) for measure in OF_A_VERDICT] == [undefined(reason)] * 5


def test_a_turn_without_a_routing_stage_says_so() -> None:
    unrouted = JudgedTurn(turn=b.turn(routing=None))
    assert [measure(unrouted) for measure in OF_A_VERDICT] == [undefined("no_routing")] * 5


def test_a_routing_verdict_counts_although_the_answer_was_not_judged() -> None:
    turn = judged(routing=verdict(agent_ok=True), not_judged="template_answer")
    assert metrics.measure_agent(turn) == Measured(hits=1, total=1)


@pytest.mark.parametrize(
    ("routing", "expected"),
    [
        pytest.param(b.routing(refined_query="hats"), Measured(hits=1, total=1), id="searched"),
        pytest.param(b.routing(refined_query="caps"), Measured(hits=0, total=1), id="ignored"),
        pytest.param(b.routing(), undefined("no_refined_query"), id="never recorded"),
        pytest.param(
            b.routing(refined_query=b.choice("hats", recorded=False)),
            undefined("refined_query_inferred"),
            id="inferred from the search",
        ),
        pytest.param(None, undefined("no_refined_query"), id="no routing stage"),
    ],
)
def test_refined_query_of_a_turn(routing: Routing | None, expected: Measured) -> None:
    turn = JudgedTurn(
        turn=b.turn(routing=routing, retrievals=(b.retrieval(["A hat."], query="hats"),)),
        not_judged="template_answer",
    )
    assert metrics.measure_refined_query(turn) == expected


def test_a_search_whose_query_was_not_captured_leaves_the_refined_query_open() -> None:
    turn = JudgedTurn(
        turn=b.turn(
            routing=b.routing(refined_query="hats"),
            retrievals=(b.retrieval(["A hat."], query=None),),
        )
    )
    assert metrics.measure_refined_query(turn) == undefined("query_not_captured")
