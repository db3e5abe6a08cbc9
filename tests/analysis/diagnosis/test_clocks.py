"""Times that cannot be as recorded, worked out by hand."""

import pytest

from analysis.diagnosis.clocks import DAY_NS, OF_ONE, TOLERANCE_NS, Clocks
from ingest import RawSpan, Span

MS = 1_000_000
NOW = 10 * DAY_NS


def span(
    span_id: str,
    start: int | None,
    end: int | None,
    parent: str | None = None,
    service: str = "desk",
) -> Span:
    return Span(
        raw=RawSpan(
            trace_id="t",
            span_id=span_id,
            parent_id=parent,
            start_ns=start,
            end_ns=end,
            resource={"service.name": service},
        )
    )


def seen(*spans: Span) -> Clocks:
    clocks = Clocks()
    clocks.add(spans, NOW)
    return clocks


@pytest.mark.parametrize(
    ("start", "end", "odd"),
    [
        pytest.param(10, 20, [], id="nothing"),
        pytest.param(20, 10, ["end before they begin"], id="backwards"),
        pytest.param(10, 10, [], id="no time at all"),
        pytest.param(None, 10, ["have no start"], id="no start"),
        pytest.param(10, None, ["have no end"], id="no end"),
        pytest.param(0, 10, ["are at time zero"], id="zero"),
        pytest.param(NOW, NOW + DAY_NS, [], id="a day ahead"),
        pytest.param(NOW, NOW + DAY_NS + 1, ["are in the future"], id="later"),
    ],
)
def test_one_span(start: int | None, end: int | None, odd: list[str]) -> None:
    assert list(seen(span("a", start, end)).oddities) == odd
    assert set(odd) <= set(OF_ONE)


@pytest.mark.parametrize(
    ("start", "end", "odd"),
    [
        pytest.param(100 * MS, 200 * MS, {}, id="inside"),
        pytest.param(100 * MS - TOLERANCE_NS, 200 * MS + TOLERANCE_NS, {}, id="within tolerance"),
        pytest.param(
            100 * MS - TOLERANCE_NS - 1, 150 * MS, {"begin before their parent": 1}, id="early"
        ),
        pytest.param(
            150 * MS, 200 * MS + TOLERANCE_NS + 1, {"end after their parent": 1}, id="late"
        ),
        pytest.param(None, 150 * MS, {"have no start": 1}, id="unknown start"),
    ],
)
def test_a_child_and_its_parent(start: int | None, end: int, odd: dict[str, int]) -> None:
    clocks = seen(span("a", 100 * MS, 200 * MS), span("b", start, end, "a"))
    assert dict(clocks.oddities) == odd
    assert set(odd) <= set(OF_ONE)
    assert clocks.worst_skews == {}


def test_services_whose_clocks_differ_are_told_with_the_most() -> None:
    clocks = seen(
        span("a", 100 * MS, 300 * MS),
        span("b", 80 * MS, 90 * MS, "a", service="model"),
        span("c", 40 * MS, 90 * MS, "a", service="model"),
        span("d", 90 * MS, 95 * MS, "a", service="store"),
    )
    assert list(clocks.worst_skews.items()) == [
        (("desk", "model"), (2, 60.0)),
        (("desk", "store"), (1, 10.0)),
    ]


def test_a_span_that_is_its_own_parent_is_no_pair() -> None:
    assert dict(seen(span("a", 100 * MS, 200 * MS, "a")).oddities) == {}
