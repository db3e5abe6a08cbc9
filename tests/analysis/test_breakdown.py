"""Counts, rates and intervals of a small run, worked out by hand.

Seven turns of five conversations; four of the six judged ones fail:

    a/1 passed     a/2 routing.wrong_collection
    b/1 retrieval.missed_chunk     b/2 the same, inherited from b/1
    c/1 undetermined, corpus not probed
    d/1 not judged, not captured
    e/1 passed, but its routing was not judged
"""

from pathlib import Path
from typing import Any

import pytest

from analysis.breakdown import EVERYTHING, Breakdown, Rate, breakdown_of, headline, selection_of
from analysis.breakdown.comparison import not_alike, not_same_turns
from analysis.breakdown.model import BesideRow, KindRow, LatentRow, PathRow, ReasonCount
from analysis.breakdown.segments import DIMENSIONS
from analysis.breakdown.vocabulary import unknown_in
from analysis.intervals import wilson
from analysis.run import Run
from analysis.window import Window
from ingest.errors import UsageError
from tests.analysis.runs import finding, metric, turn_row, write_run
from tests.builders import at

TURNS = [
    turn_row("a/1", tools=["get_order", "stock"]),
    turn_row(
        "a/2",
        root="routing.wrong_collection",
        agent="support",
        collections=["policies-us"],
        found_collections=["policies-eu"],
        day=1,
    ),
    turn_row("b/1", root="retrieval.missed_chunk", day=1, language=None),
    turn_row("b/2", root="retrieval.missed_chunk", day=1, inherited_from="b/1"),
    turn_row("c/1", root="undetermined.corpus_not_probed", day=2.5),
    turn_row("d/1", "not_judged", outcome_reason="not_captured", day=None, collections=[]),
    turn_row("e/1", outcome_reason="routing_not_judged"),
]
FINDINGS = [
    finding("a/2", "routing.wrong_collection"),
    finding("a/2", "retrieval.irrelevant_chunks", "downstream"),
    finding("a/2", "generation.unsupported_claim", "contributing"),
    finding("b/1", "retrieval.missed_chunk"),
    finding("b/1", "routing.wrong_agent", "latent"),
    finding("b/2", "retrieval.missed_chunk"),
    finding("c/1", "routing.wrong_agent", "latent"),
    finding("e/1", "routing.wrong_agent", "latent"),
    finding("e/1", "routing.wrong_collection", "latent"),
    finding("d/1", "routing.wrong_tool", "latent"),
]
METRICS = [
    metric("a/1", "tool_ok_rate", 1, 2),
    metric("a/2", "tool_ok_rate"),
    metric("b/1", "tool_ok_rate", 1, 1),
    metric("a/1", "precision_at_5", 2, 5, stage="retrieval", lengths=[8]),
    metric("b/1", "precision_at_5", 4, 5, stage="retrieval", lengths=[4, 5]),
]


def run_of(store: Path, **given: Any) -> Run:
    return Run(write_run(store, **{"turns": TURNS, "findings": FINDINGS, **given}))


@pytest.fixture
def breakdown(tmp_path: Path) -> Breakdown:
    return run_of(tmp_path, metrics=METRICS).breakdown(DIMENSIONS)


def test_outcomes(breakdown: Breakdown) -> None:
    assert (breakdown.turns, breakdown.conversations) == (7, 5)
    assert (breakdown.judged, breakdown.passed) == (6, 2)
    assert (breakdown.failed.hits, breakdown.failed.n) == (4, 6)
    assert breakdown.inherited == 1
    assert breakdown.not_judged == (ReasonCount(reason="not_captured", turns=1),)
    assert breakdown.notes == (ReasonCount(reason="routing_not_judged", turns=1),)


def test_turns_of_one_conversation_widen_the_interval(breakdown: Breakdown) -> None:
    # residuals by conversation: -1/3, 2/3, 1/3, -2/3; 4/3 · 10/9 / 36 · 6 / (2/9) = 10/9
    assert breakdown.failed.design_effect == pytest.approx(10 / 9)
    bounds = wilson(4, 6, 10 / 9)
    assert bounds is not None
    assert (breakdown.failed.low, breakdown.failed.high) == pytest.approx((bounds.low, bounds.high))


def test_root_stages_and_kinds_add_up(breakdown: Breakdown) -> None:
    assert {row.stage: row.rate.hits for row in breakdown.stages} == {
        "routing": 1,
        "retrieval": 2,
        "generation": 0,
        "undetermined": 1,
    }
    for row in breakdown.stages:
        assert sum(kind.rate.hits for kind in row.kinds) == row.rate.hits
        assert row.rate.n == 6
    (missed,) = breakdown.stage("retrieval").kinds
    assert (missed.kind, missed.rate.hits, missed.inherited) == ("missed_chunk", 2, 1)
    assert [kind.kind for kind in breakdown.stage("undetermined").kinds] == ["corpus_not_probed"]


def test_latent_faults_count_judged_turns_and_only_their_own(breakdown: Breakdown) -> None:
    assert breakdown.latent == (
        LatentRow(stage="routing", kind="wrong_agent", turns=3, in_passed=1),
        LatentRow(stage="routing", kind="wrong_collection", turns=1, in_passed=1),
    )


def test_paths_add_up_to_the_failing_turns(breakdown: Breakdown) -> None:
    assert set(breakdown.paths) == {
        PathRow(routing="none", retrieval="root", generation="none", turns=2),
        PathRow(routing="root", retrieval="downstream", generation="contributing", turns=1),
        PathRow(
            routing="undetermined", retrieval="undetermined", generation="undetermined", turns=1
        ),
    }


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        pytest.param("agent", {"billing": (6, 3, 5), "support": (1, 1, 1)}, id="agent"),
        pytest.param(
            "collection",
            {
                "faq": (5, 3, 5),
                "policies-eu": (1, 1, 1),
                "policies-us": (1, 1, 1),
                None: (1, 0, 0),
            },
            id="a turn counts where it searched and where it should have",
        ),
        pytest.param(
            "tool", {None: (6, 4, 5), "get_order": (1, 0, 1), "stock": (1, 0, 1)}, id="tool"
        ),
        pytest.param("language", {"en": (6, 3, 5), None: (1, 1, 1)}, id="not told"),
        pytest.param("service", {"desk": (7, 4, 6)}, id="service"),
        pytest.param("model", {"m-1": (7, 4, 6)}, id="model"),
        pytest.param(
            "day",
            {
                "2026-01-01": (2, 0, 2),
                "2026-01-02": (3, 3, 3),
                "2026-01-03": (1, 1, 1),
                None: (1, 0, 0),
            },
            id="days in order, the unknown one last",
        ),
    ],
)
def test_segments(breakdown: Breakdown, by: str, expected: dict[str | None, Any]) -> None:
    (cut,) = [cut for cut in breakdown.segmentations if cut.by == by]
    assert {
        one.name: (one.turns, one.failed.hits, one.failed.n) for one in cut.segments
    } == expected
    assert [one.name for one in cut.segments] == list(expected)


def test_cells_of_a_segment(breakdown: Breakdown) -> None:
    faq = next(
        one
        for cut in breakdown.segmentations
        if cut.by == "collection"
        for one in cut.segments
        if one.name == "faq"
    )
    assert faq.cell("retrieval").hits == 2
    assert faq.cell("retrieval", "missed_chunk").n == 5
    assert faq.cell("generation", "off_topic") == Rate.of(0, 5)
    assert faq.cell("routing").small


def test_the_trend_is_by_day(breakdown: Breakdown) -> None:
    assert breakdown.trend is not None
    second = breakdown.trend.segments[1]
    assert (second.name, second.cell("retrieval").hits) == ("2026-01-02", 2)


def test_faults_beside_a_root(breakdown: Breakdown) -> None:
    assert breakdown.beside == (
        BesideRow(stage="generation", kind="unsupported_claim", role="contributing", turns=1),
        BesideRow(stage="retrieval", kind="irrelevant_chunks", role="downstream", turns=1),
    )


@pytest.mark.parametrize(
    ("outcome", "roles", "beside"),
    [
        pytest.param("failed", ["root", "contributing"], [], id="the root itself"),
        pytest.param("failed", ["downstream", "contributing"], ["contributing"], id="the stronger"),
        pytest.param("failed", ["downstream", "latent"], ["downstream"], id="not latent alone"),
        pytest.param("failed", ["latent"], [], id="latent"),
        pytest.param("not_judged", ["contributing"], [], id="of a turn that was not judged"),
    ],
)
def test_a_fault_counts_once_by_the_stronger_of_its_roles(
    tmp_path: Path, outcome: str, roles: list[str], beside: list[str]
) -> None:
    root = "generation.off_topic" if outcome == "failed" else ""
    found = run_of(
        tmp_path,
        turns=[turn_row("a/1", outcome, root=root)],
        findings=[finding("a/1", "routing.wrong_agent", role) for role in roles],
    ).breakdown()
    assert [(row.role, row.turns) for row in found.beside] == [(role, 1) for role in beside]


def test_metrics_pool_rates_and_average_the_rest(breakdown: Breakdown) -> None:
    tools, precision = breakdown.metrics
    assert (tools.stage, tools.metric) == ("routing", "tool_ok_rate")
    assert tools.summary.value == pytest.approx(2 / 3)
    assert (tools.summary.hits, tools.summary.total, tools.summary.turns) == (2, 3, 2)
    assert tools.summary.undefined == {"no_tool_called": 1}
    assert (precision.stage, precision.metric) == ("retrieval", "precision_at_5")
    assert precision.summary.value == pytest.approx(0.6)
    assert precision.summary.median_length == 5


@pytest.mark.parametrize(
    ("filters", "turns", "failed"),
    [
        pytest.param({"agent": "support"}, 1, 1, id="one agent"),
        pytest.param({"agent": "!support"}, 6, 3, id="all but one"),
        pytest.param({"agent": "support,billing"}, 7, 4, id="either"),
        pytest.param({"agent": ["support", "billing"]}, 7, 4, id="repeated"),
        pytest.param({"collection": "policies-eu"}, 1, 1, id="where the evidence was"),
        pytest.param({"tool": "stock"}, 1, 0, id="a tool of several"),
        pytest.param({"language": "!en"}, 1, 1, id="not told is not English"),
        pytest.param({"language": "de"}, 0, 0, id="none"),
        pytest.param({"outcome": "failed"}, 4, 4, id="shares of the failing turns"),
        pytest.param({"service": "desk", "agent": "support"}, 1, 1, id="both"),
        pytest.param({"agent": None, "tool": ()}, 7, 4, id="nothing given"),
    ],
)
def test_filters(tmp_path: Path, filters: dict[str, Any], turns: int, failed: int) -> None:
    found = run_of(tmp_path).breakdown(selected=selection_of(**filters))
    assert (found.turns, found.failed.hits) == (turns, failed)
    assert sum(row.rate.hits for row in found.stages) == failed


def test_filters_on_the_root_choose_rows_and_keep_the_base(tmp_path: Path) -> None:
    selected = selection_of(kind="retrieval.missed_chunk")
    found = run_of(tmp_path).breakdown(selected=selected)
    assert found.judged == 6
    assert [kind.kind for row in found.stages for kind in row.kinds] == ["missed_chunk"]
    assert found.filters == "kind=retrieval.missed_chunk"


def test_with_a_filter_on_the_root_everything_is_of_that_root(tmp_path: Path) -> None:
    run = run_of(tmp_path, metrics=METRICS)
    found = run.breakdown(DIMENSIONS, selected=selection_of(stage="routing"))
    assert headline(found) == "1 of 6 judged turns failed by routing."
    assert (found.failed.hits, found.failed.n, found.passed, found.failed_otherwise) == (1, 6, 2, 3)
    assert [row.stage for row in found.stages] == ["routing"]
    assert {row.stage for row in found.latent} == {"routing"}
    assert sum(row.turns for row in found.paths) == 1
    assert {row.stage for row in found.metrics} == {"routing"}
    assert found.inherited == 0
    assert found.notes == ()
    for cut in (*found.segmentations, found.trend):
        assert cut is not None
        assert {key[0] for segment in cut.segments for key in segment.cells} == {"routing"}
        assert max(segment.failed.hits for segment in cut.segments) == 1


@pytest.mark.parametrize(
    ("filters", "sentence"),
    [
        pytest.param({"stage": "generation"}, "None of the 6 judged turns failed by generation."),
        pytest.param(
            {"stage": "routing,retrieval"},
            "3 of 6 judged turns failed by retrieval or routing. "
            "Retrieval was the root in 2 of them.",
        ),
        pytest.param(
            {"stage": "!retrieval"},
            "2 of 6 judged turns failed by anything but retrieval. "
            "Routing and undetermined come first, with 1 each.",
        ),
        pytest.param(
            {"kind": "wrong_collection"}, "1 of 6 judged turns failed by wrong_collection."
        ),
        pytest.param(
            {"kind": "retrieval.wrong_collection"},
            "None of the 6 judged turns failed by retrieval.wrong_collection. ",
        ),
        pytest.param(
            {"stage": "retrieval", "kind": "!missed_chunk"},
            "None of the 6 judged turns failed by retrieval but not missed_chunk.",
        ),
    ],
    ids=lambda given: str(given)[:40],
)
def test_the_headline_names_the_roots_that_count(
    tmp_path: Path, filters: dict[str, str], sentence: str
) -> None:
    found = run_of(tmp_path).breakdown(selected=selection_of(**filters))
    assert headline(found) == sentence.strip()


@pytest.mark.parametrize(
    ("filters", "problem", "remedy"),
    [
        pytest.param({"agent": "biling"}, "no turn has agent 'biling'", "Did you mean billing?"),
        pytest.param({"agent": "!x,billing"}, "no turn has agent 'x'", "Known: billing, support."),
        pytest.param({"tool": "zzz"}, "no turn has tool 'zzz'", "Known: get_order, stock."),
        pytest.param(
            {"stage": "rooting"}, "there is no root stage 'rooting'", "Did you mean routing?"
        ),
        pytest.param(
            {"kind": "retrieval.wrong_collection"},
            "there is no root kind 'retrieval.wrong_collection'",
            "Did you mean routing.wrong_collection",
        ),
    ],
    ids=lambda given: str(given)[:40],
)
def test_values_that_no_turn_carries_are_named_with_what_is_near(
    tmp_path: Path, filters: dict[str, str], problem: str, remedy: str
) -> None:
    turns = run_of(tmp_path).table("turns")
    (unknown,) = unknown_in(selection_of(**filters), turns)
    assert unknown.problem == problem
    assert unknown.remedy.startswith(remedy)


@pytest.mark.parametrize(
    "filters",
    [
        pytest.param({}, id="nothing"),
        pytest.param({"agent": "billing,!support"}, id="carried"),
        pytest.param({"collection": "policies-eu"}, id="a collection only found"),
        pytest.param({"stage": "generation"}, id="a stage without a failure"),
        pytest.param({"kind": "generation.incoherent,incomplete"}, id="kinds without a failure"),
        pytest.param({"kind": "undetermined.corpus_not_probed"}, id="what is missing"),
    ],
)
def test_known_values(tmp_path: Path, filters: dict[str, str]) -> None:
    assert unknown_in(selection_of(**filters), run_of(tmp_path).table("turns")) == ()


def test_an_unknown_filter() -> None:
    with pytest.raises(UsageError, match="colour: is no filter"):
        selection_of(colour="red")


def test_an_empty_run(tmp_path: Path) -> None:
    found = run_of(tmp_path, turns=[], findings=[]).breakdown(DIMENSIONS)
    assert (found.turns, found.passed, found.trend) == (0, 0, None)
    assert found.failed == Rate.of(0, 0)
    assert found.failed.value is None
    assert headline(found) == "There is no turn to report on."


@pytest.mark.parametrize(
    ("name", "root", "hits", "total", "more"),
    [
        pytest.param("missing_resource_rate", "routing.missing_resource", 1, 1, 0, id="it counts"),
        pytest.param("missing_resource_rate", "routing.missing_resource", 0, 1, 1, id="a probe"),
        pytest.param("missing_resource_rate", "routing.missing_resource", 0, 0, 1, id="no verdict"),
        pytest.param("collection_ok_rate", "routing.wrong_collection", 1, 2, 0, id="one of two"),
        pytest.param("collection_ok_rate", "routing.wrong_collection", 2, 2, 1, id="both right"),
        pytest.param("agent_ok_rate", "routing.wrong_tool", 1, 1, 0, id="another fault"),
        pytest.param("a_rate_of_tomorrow", "routing.wrong_tool", 1, 1, 0, id="unknown metric"),
    ],
)
def test_a_metric_tells_how_many_turns_have_its_fault_by_other_means(
    tmp_path: Path, name: str, root: str, hits: int, total: int, more: int
) -> None:
    found = run_of(
        tmp_path,
        turns=[turn_row("a/1", root=root), turn_row("b/1", "not_judged")],
        findings=[finding("a/1", root), finding("b/1", root, "latent")],
        metrics=[metric("a/1", name, hits, total), metric("b/1", name)],
    ).breakdown()
    assert [row.uncounted for row in found.metrics] == [more]


def test_metrics_can_be_left_out(tmp_path: Path) -> None:
    run = run_of(tmp_path, metrics=METRICS)
    found = breakdown_of(run.table("turns"), run.table("findings"), [])
    assert found.metrics == ()


@pytest.mark.parametrize(
    ("turns", "sentence"),
    [
        pytest.param(
            [turn_row("a/1", "not_judged")] * 2,
            "None of the 2 turns could be judged.",
            id="none judged",
        ),
        pytest.param([turn_row("a/1")] * 3, "None of the 3 judged turns failed.", id="none failed"),
        pytest.param(
            [turn_row("a/1", root="retrieval.missed_chunk"), turn_row("a/2")],
            "1 of 2 judged turns failed. Retrieval was the root in it.",
            id="one failed",
        ),
        pytest.param(
            [turn_row("a/1", root="retrieval.missed_chunk")] * 2,
            "2 of 2 judged turns failed. Retrieval was the root in all of them.",
            id="one stage",
        ),
        pytest.param(
            TURNS,
            "4 of 6 judged turns failed. Retrieval was the root in 2 of them.",
            id="several stages",
        ),
        pytest.param(
            [TURNS[1], TURNS[2]],
            "2 of 2 judged turns failed. Routing and retrieval come first, with 1 each.",
            id="a tie",
        ),
        pytest.param(
            [TURNS[4]],
            "The only judged turn failed. The stage is undetermined in it.",
            id="undetermined",
        ),
        pytest.param([TURNS[0]], "The only judged turn did not fail.", id="the only one passed"),
        pytest.param([TURNS[5]], "The only turn could not be judged.", id="the only one, unjudged"),
    ],
)
def test_headline(tmp_path: Path, turns: list[Any], sentence: str) -> None:
    assert headline(run_of(tmp_path, turns=turns, findings=[]).breakdown()) == sentence


def many(failing: int, of: int, collection: str = "faq") -> list[Any]:
    """Build turns of as many conversations, some of which fail in retrieval."""
    return [
        turn_row(
            f"{collection}-{number}/1",
            root="retrieval.missed_chunk" if number < failing else "",
            collections=[collection],
        )
        for number in range(of)
    ]


def test_a_clear_change_and_none(tmp_path: Path) -> None:
    before = run_of(tmp_path, run_id="before", turns=many(2, 200) + many(5, 100, "policies"))
    now = run_of(tmp_path, run_id="now", turns=many(40, 200) + many(6, 100, "policies"))
    found = now.breakdown("collection", vs=before)
    comparison = found.comparison
    assert comparison is not None
    assert comparison.run_id == "before"
    change = found.stage("retrieval").change
    assert change is not None
    assert change.difference == pytest.approx(46 / 300 - 7 / 300)
    assert change.clear == "up"
    changed = {(cell.kind, cell.segment): cell.change.clear for cell in comparison.changed}
    assert changed == {
        (None, None): "up",
        ("missed_chunk", None): "up",
        (None, "faq"): "up",
        ("missed_chunk", "faq"): "up",
    }
    assert comparison.cells_compared == 6


def test_a_change_of_few_turns_is_never_clear(tmp_path: Path) -> None:
    before = run_of(tmp_path, run_id="before", turns=many(2, 200))
    now = run_of(tmp_path, run_id="now", turns=many(50, 59))
    change = now.breakdown(vs=before).stage("retrieval").change
    assert change is not None
    assert change.difference == pytest.approx(50 / 59 - 2 / 200)
    assert change.clear is None


def test_a_kind_that_is_gone_is_compared_too(tmp_path: Path) -> None:
    before = run_of(tmp_path, run_id="before", turns=many(40, 200))
    now = run_of(tmp_path, run_id="now", turns=many(0, 200))
    comparison = now.breakdown(vs=before).comparison
    assert comparison is not None
    assert [(cell.kind, cell.change.clear) for cell in comparison.changed] == [
        ("missed_chunk", "down"),
        (None, "down"),
    ] or [(cell.kind, cell.change.clear) for cell in comparison.changed] == [
        (None, "down"),
        ("missed_chunk", "down"),
    ]


def test_nothing_to_compare_with_is_no_change(tmp_path: Path) -> None:
    before = run_of(tmp_path, run_id="before", turns=[])
    found = run_of(tmp_path, run_id="now").breakdown(vs=before)
    change = found.stage("retrieval").change
    assert change is not None
    assert change.difference is None
    assert change.clear is None


def test_runs_that_were_not_measured_alike_are_not_compared(tmp_path: Path) -> None:
    judge: Any = {"judge": {"provider": "anthropic", "model": "m", "prompts": {}, "params": {}}}
    before, now = run_of(tmp_path, run_id="before", info=judge), run_of(tmp_path, run_id="now")
    with pytest.raises(UsageError, match="judge, judge model, prompts differ"):
        now.breakdown(vs=before)
    comparison = now.breakdown(vs=before, across_judges=True).comparison
    assert comparison is not None
    assert comparison.differences == ("judge", "judge model", "prompts")


def test_what_the_local_judge_counted_in_a_run_is_no_difference() -> None:
    assert not_alike({"judge": {"params": {"run": "1"}}}, {"judge": {"params": {"run": "2"}}}) == ()
    assert not_alike({"judge": {"params": {"t": "1"}}}, {"judge": {}}) == ("judge parameters",)


@pytest.mark.parametrize(
    ("now", "before", "told"),
    [
        pytest.param({"run": "1"}, {"run": "2"}, 1, id="other traces"),
        pytest.param({"run": "1"}, {"run": "1"}, 0, id="the same traces"),
        pytest.param({}, {}, 0, id="a judge that does not look at the run"),
    ],
)
def test_a_judge_that_leans_on_the_run_is_named(
    now: dict[str, str], before: dict[str, str], told: int
) -> None:
    notes = not_same_turns({"judge": {"params": now}}, {"judge": {"params": before}})
    assert sum("weighs words and passages by the run" in note for note in notes) == told


def test_kinds_stand_in_order_of_precedence(tmp_path: Path) -> None:
    turns = [
        turn_row("a/1", root="routing.missing_resource"),
        turn_row("b/1", root="routing.wrong_arguments"),
        turn_row("c/1", root="routing.of_a_later_version"),
    ]
    kinds: tuple[KindRow, ...] = run_of(tmp_path, turns=turns).breakdown().stage("routing").kinds
    assert [kind.kind for kind in kinds] == [
        "wrong_arguments",
        "missing_resource",
        "of_a_later_version",
    ]


def test_what_changed_is_looked_for_in_every_dimension(tmp_path: Path) -> None:
    before = run_of(tmp_path, run_id="before", turns=many(2, 200) + many(5, 100, "policies"))
    now = run_of(tmp_path, run_id="now", turns=many(40, 200) + many(6, 100, "policies"))
    found = now.breakdown("agent", vs=before)
    assert found.comparison is not None
    assert {(cell.by, cell.segment) for cell in found.comparison.changed} == {
        (None, None),
        ("collection", "faq"),
    }
    assert [cut.by for cut in found.segmentations] == ["agent"]


def test_a_segment_that_holds_all_turns_is_not_tested_again(tmp_path: Path) -> None:
    before = run_of(tmp_path, run_id="before", turns=many(2, 200))
    now = run_of(tmp_path, run_id="now", turns=many(40, 200))
    comparison = now.breakdown(DIMENSIONS, vs=before).comparison
    assert comparison is not None
    assert {cell.by for cell in comparison.changed} == {None}
    assert comparison.cells_compared == 2


def test_the_days_of_the_earlier_run_stand_beside(tmp_path: Path) -> None:
    before = run_of(
        tmp_path, run_id="before", turns=[turn_row("a/1", day=0), turn_row("a/2", day=1)]
    )
    comparison = run_of(tmp_path, run_id="now").breakdown(vs=before).comparison
    assert comparison is not None
    assert comparison.trend is not None
    assert [day.name for day in comparison.trend.segments] == ["2026-01-01", "2026-01-02"]


def test_a_window_narrows_the_run_and_not_what_it_is_compared_with(tmp_path: Path) -> None:
    before = Run(write_run(tmp_path, "before", turns=TURNS, findings=FINDINGS))
    run = Run(write_run(tmp_path, "now", turns=TURNS, findings=FINDINGS))
    whole = run.breakdown()
    window = Window(since_ns=at(86_400))
    found = run.breakdown(selected=EVERYTHING.within(window), vs=before)
    assert 0 < found.turns < whole.turns
    assert found.filters == "since=2026-01-02T00:00:00Z"
    assert found.comparison is not None
    assert found.comparison.failed.before.n == whole.failed.n
