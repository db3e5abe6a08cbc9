"""Times and durations in every spelling."""

import pytest

from ingest.moments import MICROSECOND, MILLISECOND, Moment, duration_ns, end_ns, moment_ns
from ingest.otlp_fields import LowHigh


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param("1970-01-01T00:00:01Z", 1_000_000_000, id="UTC"),
        pytest.param("2026-01-01T00:00:00.123456789Z", 1_767_225_600_123_456_789, id="ns"),
        pytest.param("2026-01-01T00:00:00.1Z", 1_767_225_600_100_000_000, id="tenths"),
        pytest.param("2026-01-01T00:00:00.1234567891Z", 1_767_225_600_123_456_789, id="finer"),
        pytest.param("2026-01-01 00:00:00", 1_767_225_600_000_000_000, id="no offset"),
        pytest.param("2026-01-01T02:00:00+02:00", 1_767_225_600_000_000_000, id="east"),
        pytest.param("2025-12-31T18:30:00-0530", 1_767_225_600_000_000_000, id="west"),
        pytest.param("20260101T000000123456Z", 1_767_225_600_123_456_000, id="compact"),
        pytest.param("2025-12-31T23:59:60Z", 1_767_225_600_000_000_000, id="a leap second"),
        pytest.param("1767225600123456789", 1_767_225_600_123_456_789, id="digits"),
        pytest.param("1767225600.5", 1_767_225_600_500_000_000, id="seconds as text"),
        pytest.param(1_767_225_600_123_456_789, 1_767_225_600_123_456_789, id="nanoseconds"),
        pytest.param(1_767_225_600_123_456, 1_767_225_600_123_456_000, id="microseconds"),
        pytest.param(1_767_225_600_123, 1_767_225_600_123_000_000, id="milliseconds"),
        pytest.param(1_767_225_600.25, 1_767_225_600_250_000_000, id="seconds"),
        pytest.param(1_767_225_600_123.5, 1_767_225_600_123_500_000, id="broken milliseconds"),
        pytest.param(5_000_000_000, 5_000_000_000, id="a small whole number is nanoseconds"),
        pytest.param([1_767_225_600, 7], 1_767_225_600_000_000_007, id="JavaScript's pair"),
        pytest.param(LowHigh(low=1, high=1), 2**32 + 1, id="two halves"),
        pytest.param(None, None, id="nothing"),
        pytest.param("", None, id="an empty text"),
        pytest.param(0, None, id="zero"),
    ],
)
def test_a_time_is_kept_to_the_nanosecond(value: Moment, expected: int | None) -> None:
    flags: set[str] = set()
    assert moment_ns(value, flags) == expected
    assert flags == set()


@pytest.mark.parametrize(
    "value",
    [
        "yesterday",
        "2026-13-01T00:00:00Z",
        "2026-02-30T00:00:00Z",
        "9999-01-01T00:00:00Z",
        "<<IsInt()>>",
        "1" * 5_000,
        -1,
        2**63,
        float("nan"),
        float("inf"),
        1e300,
        [1, 2, 3],
        [-5, 0],
    ],
)
def test_what_is_no_time_is_unknown(value: Moment) -> None:
    flags: set[str] = set()
    assert moment_ns(value, flags) is None
    assert flags == {"bad_time"}


def test_a_known_unit_outranks_the_size() -> None:
    assert moment_ns(5, set(), MICROSECOND) == 5_000
    assert moment_ns("5", set(), MILLISECOND) == 5_000_000


@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [
        pytest.param("PT1M48.75533S", 1, 108_755_330_000, id="minutes and seconds"),
        pytest.param("P1DT2H", 1, 93_600_000_000_000, id="days and hours"),
        pytest.param("PT0S", 1, 0, id="none at all"),
        pytest.param(57_091, MICROSECOND, 57_091_000, id="a number"),
        pytest.param(1.5, MILLISECOND, 1_500_000, id="a fraction"),
        pytest.param("12.5", MILLISECOND, 12_500_000, id="a number as text"),
        pytest.param("1.5e-3", MILLISECOND, 1_500, id="an exponent"),
        pytest.param("soon", 1, None, id="a word"),
        pytest.param(1e308, MILLISECOND, None, id="an infinite product"),
        pytest.param("1e308", MILLISECOND, None, id="the same as text"),
        pytest.param("9" * 20, MILLISECOND, None, id="longer than a table holds"),
        pytest.param("inf", MILLISECOND, None, id="infinite text"),
        pytest.param("P", 1, None, id="an empty duration"),
        pytest.param(-1, 1, None, id="less than nothing"),
        pytest.param(float("inf"), 1, None, id="for ever"),
        pytest.param(None, 1, None, id="not recorded"),
    ],
)
def test_durations(value: str | float | None, unit: int, expected: int | None) -> None:
    assert duration_ns(value, unit) == expected


@pytest.mark.parametrize(
    ("start", "length", "end", "flags"),
    [
        pytest.param(1, 2, 3, set(), id="the sum"),
        pytest.param(None, 2, None, set(), id="no start"),
        pytest.param(1, None, None, set(), id="no length"),
        pytest.param(2**62, 2**63 - 1, None, {"bad_time"}, id="beyond what a table holds"),
    ],
)
def test_an_end_is_the_start_and_the_length(
    start: int | None, length: int | None, end: int | None, flags: set[str]
) -> None:
    found: set[str] = set()
    assert (end_ns(start, length, found), found) == (end, flags)
