"""The table of roots, its cuts, the flow and the trend, as they are handed to the template."""

import pytest

from analysis.breakdown import Rate, Segment, Segmentation
from analysis.breakdown.model import Breakdown, Change, KindRow, Part, PathRow, StageRow
from analysis.report.html.flow import SHAPES, Flow, flows_of
from analysis.report.html.links import turn_link, view_link
from analysis.report.html.rows import MOST_COLUMNS, cut_of, root_rows
from analysis.report.html.trend import trend_of


def breakdown() -> Breakdown:
    kinds = (
        KindRow(kind="wrong_agent", rate=Rate.of(20, 200)),
        KindRow(kind="wrong_tool", rate=Rate.of(2, 200)),
    )
    empty = [
        StageRow(stage=stage, rate=Rate.of(0, 200))
        for stage in ("retrieval", "generation", "undetermined")
    ]
    return Breakdown(
        turns=200, conversations=200, passed=178, failed=Rate.of(22, 200), inherited=0, not_judged=(),
        stages=(StageRow(stage="routing", rate=Rate.of(22, 200), kinds=kinds), *empty),
    )  # fmt: skip


def segment(name: str | None, hits: int, n: int) -> Segment:
    cells: dict[tuple[str, str | None], Rate] = {
        ("routing", None): Rate.of(hits, n),
        ("routing", "wrong_agent"): Rate.of(hits, n),
    }
    return Segment(name=name, turns=n, failed=Rate.of(hits, n), cells=cells if hits else {})  # type: ignore[arg-type]


def test_rows_are_stages_with_their_kinds_and_all_that_failed() -> None:
    rows = root_rows(breakdown())
    assert [row.key for row in rows] == [
        "routing", "routing.wrong_agent", "routing.wrong_tool", "retrieval", "generation", "undetermined", None,
    ]  # fmt: skip
    assert [row.name for row in rows if row.heads] == [
        "Routing", "Retrieval", "Generation", "Undetermined", "All failed turns",
    ]  # fmt: skip


def test_the_widest_interval_fills_the_track() -> None:
    bars = [row.bar for row in root_rows(breakdown()) if row.bar]
    assert max(bar.high for bar in bars) == 100
    assert all(0 <= bar.low <= bar.value <= bar.high for bar in bars)


@pytest.mark.parametrize(
    ("hits", "n", "text", "look"),
    [
        pytest.param(10, 100, "10.0", "heat 5", id="the highest that is worth reading"),
        pytest.param(3, 60, "5.0", "heat 4", id="just enough"),
        pytest.param(2, 100, "2.0", "heat 2, hatched", id="two turns"),
        pytest.param(9, 10, "90.0", "heat 2, hatched", id="nine of ten are hatched, not hot"),
        pytest.param(0, 100, "·", "heat 0", id="none"),
        pytest.param(0, 0, "–", "heat 0, hatched", id="nothing judged"),
    ],
)
def test_cells(hits: int, n: int, text: str, look: str) -> None:
    rows = root_rows(breakdown())
    cut = cut_of(
        Segmentation(by="agent", segments=(segment("a", 10, 100), segment("b", hits, n))), rows, {}
    )
    cell = cut.cells[1][1]
    assert cell.text == text
    assert f"heat {cell.level}" + (", hatched" if cell.small else "") == look
    assert (cell.link is not None) is bool(hits)


@pytest.mark.parametrize(
    ("hits", "n", "text", "heat"),
    [
        pytest.param(9, 40, "9", 4, id="the most"),
        pytest.param(1, 59, "1", 2, id="one of many"),
        pytest.param(0, 9, "·", 0, id="none"),
    ],
)
def test_cells_are_counts_where_no_column_has_turns_enough(
    hits: int, n: int, text: str, heat: int
) -> None:
    given = Segmentation(by="agent", segments=(segment("a", 9, 40), segment("b", hits, n)))
    cut = cut_of(given, root_rows(breakdown()), {})
    cell = cut.cells[1][1]
    assert (cell.text, cell.level, cell.small) == (text, heat, False)
    assert cut.few == "Failing turns, not rates: no agent has 60 judged turns."


def test_a_cell_leads_to_its_turns_whatever_its_segment_is_called() -> None:
    rows = root_rows(breakdown())
    cut = cut_of(
        Segmentation(by="agent", segments=(segment("a&b=c #/?", 5, 100), segment(None, 5, 100))),
        rows,
        {},
    )
    assert cut.cells[1][0].link == "#/?by=agent&kind=routing.wrong_agent&seg=a%26b%3Dc+%23%2F%3F"
    assert cut.cells[1][1].link == "#/?by=agent&kind=routing.wrong_agent&seg="
    assert cut.columns[1].name == "(not told)"


def test_the_largest_segments_are_shown_and_of_days_the_last() -> None:
    rows = root_rows(breakdown())
    names = [f"2026-01-{number:02}" for number in range(1, MOST_COLUMNS + 4)]
    segments = tuple(segment(name, 1, 100) for name in names)
    by_agent = cut_of(Segmentation(by="agent", segments=segments, left_out=2), rows, {})
    by_day = cut_of(Segmentation(by="day", segments=segments), rows, {})
    assert [one.name for one in by_agent.columns] == names[:MOST_COLUMNS]
    assert by_agent.left_out == 5
    assert [one.name for one in by_day.columns] == names[-MOST_COLUMNS:]


def path(routing: Part, retrieval: Part, generation: Part, turns: int) -> PathRow:
    return PathRow(routing=routing, retrieval=retrieval, generation=generation, turns=turns)


PATHS = [
    path("root", "downstream", "contributing", 3),
    path("none", "none", "root", 5),
    path("undetermined", "undetermined", "undetermined", 1),
]


@pytest.mark.parametrize("flow", flows_of(PATHS), ids=lambda flow: str(flow.shape.name))
def test_every_column_of_the_flow_holds_all_failing_turns(flow: Flow) -> None:
    assert flow.turns == 9
    for stage in ("routing", "retrieval", "generation"):
        assert sum(block.turns for block in flow.blocks if block.stage == stage) == 9
    assert all(block.y + block.height <= flow.height for block in flow.blocks)
    assert all(block.x + flow.block <= flow.shape.width for block in flow.blocks)
    assert len(flow.ribbons) == 6
    assert [block.link for block in flow.blocks if block.part == "root"] == [
        "#/?kind=routing",
        "#/?kind=generation",
    ]


def test_blocks_are_as_tall_as_their_turns() -> None:
    flow, _ = flows_of([path("root", "none", "none", 30), path("none", "root", "none", 10)])
    heights = {block.part: block.height for block in flow.blocks if block.stage == "routing"}
    assert heights["root"] == pytest.approx(3 * heights["none"], abs=0.2)
    assert sum(heights.values()) <= SHAPES[0].height


def test_the_text_of_a_thin_last_block_has_room() -> None:
    parts: tuple[Part, ...] = ("root", "contributing", "downstream", "none", "undetermined")
    paths = [path("root", part, "none", 1 if part == "undetermined" else 50) for part in parts]
    for flow in flows_of(paths):
        last = max(flow.blocks, key=lambda block: block.y)
        assert last.part == "undetermined"
        assert last.y + max(last.height / 2, 6) + 4 + DESCENT <= flow.height


DESCENT = 4
"""What a letter has below its line, in the units of the drawing."""


def test_no_failing_turn_flows_nowhere() -> None:
    assert flows_of([]) == []


def day(name: str | None, hits: int, n: int) -> Segment:
    return segment(name, hits, n)


def test_a_trend_has_four_panels_on_one_scale() -> None:
    trend = trend_of(Segmentation(by="day", segments=(day("2026-01-01", 10, 100), day("2026-01-02", 0, 0),
                                                      day("2026-01-03", 20, 100), day(None, 1, 1))))  # fmt: skip
    assert trend is not None
    assert [panel.stage for panel in trend.panels] == [
        "routing",
        "retrieval",
        "generation",
        "undetermined",
    ]
    assert [point.title for point in trend.panels[0].points] == [
        "2026-01-01: 10.0 % (5.5–17.4), 10 of 100 judged turns",
        "2026-01-03: 20.0 % (13.3–28.9), 20 of 100 judged turns",
    ]
    assert [text for _, text in trend.ticks] == ["0 %", "20 %", "40 %"]
    assert [text for _, text in trend.days] == ["Thu 1", "Fri 2", "Sat 3"]


@pytest.mark.parametrize(
    "segments",
    [
        pytest.param((), id="no day"),
        pytest.param((day("2026-01-01", 1, 9),), id="one day"),
        pytest.param(
            (day("2026-01-01", 1, 9), day(None, 1, 9)), id="one day and turns without a time"
        ),
    ],
)
def test_one_day_is_no_trend(segments: tuple[Segment, ...]) -> None:
    assert trend_of(Segmentation(by="day", segments=segments)) is None


def test_a_filter_on_stages_draws_only_those() -> None:
    days = Segmentation(by="day", segments=(day("2026-01-01", 1, 9), day("2026-01-02", 1, 9)))
    trend = trend_of(days, None, ["routing"])
    assert trend is not None
    assert [panel.stage for panel in trend.panels] == ["routing"]


def by_day(*segments: Segment) -> Segmentation:
    return Segmentation(by="day", segments=segments)


@pytest.mark.parametrize(
    ("before", "beside"),
    [
        pytest.param([("2025-12-29", 10)], ["2025-12-29", None], id="the same weekday"),
        pytest.param([("2025-12-30", 10)], [None, "2025-12-30"], id="the week began later"),
        pytest.param([("2026-01-05", 10)], ["2026-01-05", None], id="the same days"),
        pytest.param([("2025-11-03", 10)], ["2025-11-03", None], id="weeks ago"),
        pytest.param([("2026-01-03", 1), ("2026-01-04", 1)], ["2026-01-03", "2026-01-04"], id="days ago"),
        pytest.param([("2025-12-29", 0)], [None, None], id="a day without a judged turn"),
        pytest.param([(None, 10)], [None, None], id="turns without a time"),
    ],
)  # fmt: skip
def test_the_earlier_run_stands_beside_day_by_day(
    before: list[tuple[str | None, int]], beside: list[str | None]
) -> None:
    now = by_day(day("2026-01-05", 10, 100), day("2026-01-06", 10, 100))
    trend = trend_of(now, by_day(*(day(name, min(n, 1), n) for name, n in before)))
    assert trend is not None
    assert trend.compared is any(beside)
    titles = [point.title for point in trend.panels[0].points]
    for title, name in zip(titles, beside, strict=True):
        assert title.partition("; ")[2].partition(":")[0] == (name or "")
    assert len(trend.panels[0].before) == sum(name is not None for name in beside)


@pytest.mark.parametrize(
    ("difference", "expected"), [(0.1, "up"), (-0.1, "down"), (None, None)], ids=str
)
def test_a_cell_tells_that_its_rate_changed(difference: float | None, expected: str | None) -> None:
    change = Change(before=Rate.of(1, 100), difference=difference)
    cut = cut_of(
        Segmentation(by="agent", segments=(segment("a", 10, 100),)),
        root_rows(breakdown()),
        {("routing.wrong_agent", "agent", "a"): change} if difference else {},
    )
    assert cut.cells[1][0].change == expected
    assert ("; " in cut.cells[1][0].title) is (expected is not None)


def test_days_without_a_failure_have_a_scale_too() -> None:
    trend = trend_of(
        Segmentation(by="day", segments=(day("2026-01-01", 0, 9), day("2026-01-02", 0, 0)))
    )
    assert trend is not None
    assert trend.ticks[0][1] == "0 %"


def test_addresses_take_any_name() -> None:
    assert turn_link("a/b?c#d é", 3) == "#/c/a%2Fb%3Fc%23d%20%C3%A9/t/3"
    assert view_link() == "#/"
    assert view_link(kind=None, seg="") == "#/?seg="
