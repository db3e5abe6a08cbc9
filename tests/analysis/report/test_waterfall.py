from typing import Any

import pytest
from rich.cells import cell_len

from analysis.report.waterfall import waterfall
from analysis.tables.turn_rows import Row


def span(
    span_id: str, parent: str | None = None, start: Any = 0, end: Any = 10, **cells: Any
) -> Row:
    row: Row = {
        "span_id": span_id,
        "parent_span_id": parent,
        "name": span_id,
        "kind": "llm",
        "start_ns": None if start is None else start * 1_000_000,
        "end_ns": None if end is None else end * 1_000_000,
        "status": "ok",
        "stage": None,
    }
    return row | cells


def names(*spans: Row) -> list[str]:
    return [line.plain[:20].rstrip() for line in waterfall(spans)]


def test_children_stand_below_their_parent_in_order_of_start() -> None:
    found = names(
        span("c", "a", 6), span("b", "a", 2), span("a", None, 0), span("d", "b", 3), span("e", "x")
    )
    assert found == ["· a", " · b", "  · d", " · c", "· e"]


@pytest.mark.parametrize(
    ("spans", "expected"),
    [
        pytest.param([span("a", "a")], ["· a"], id="its own parent"),
        pytest.param([span("a", "b"), span("b", "a")], ["· a", " · b"], id="a circle"),
        pytest.param([span("a"), span("a")], ["· a", "· a"], id="one id twice"),
        pytest.param([], [], id="none"),
        pytest.param([span("b", None, None, None), span("a")], ["· a", "· b"], id="no time"),
    ],
)
def test_every_span_stands_once(spans: list[Row], expected: list[str]) -> None:
    assert names(*spans) == expected


def test_a_bar_shows_when_a_span_ran() -> None:
    lines = [
        line.plain
        for line in waterfall(
            [span("a", None, 0, 160), span("b", "a", 80, 120, status="error"), span("c", "a", 9, 1)]
        )
    ]
    assert lines[0].endswith("llm                  160 ms  ━━━━━━━━━━━━━━━━")
    assert lines[2].endswith("llm, error            40 ms          ━━━━")
    assert lines[1].rstrip().endswith("–")


def test_it_fits_whatever_the_spans_are_named() -> None:
    spans = [
        span(f"{n}", str(n - 1), n, name="無" * 90 + "\x1b[2J\n", kind="k" * 90)
        for n in range(2_000)
    ]
    lines = [line.plain for line in waterfall(spans)]
    assert len(lines) == 2_000
    assert max(map(cell_len, lines)) <= 80
    assert not any("\x1b" in line or "\n" in line for line in lines)
