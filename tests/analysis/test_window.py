from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from analysis.window import Window, iso, resolve_window
from ingest.errors import UsageError

MIDNIGHT = 1_767_312_000_000_000_000  # 2026-01-02T00:00:00Z, a Friday
DAY = 86_400_000_000_000


@pytest.mark.parametrize(
    ("since", "until", "expected"),
    [
        pytest.param(None, None, (None, None), id="open"),
        pytest.param("24h", None, (MIDNIGHT - DAY, MIDNIGHT), id="an age ends now"),
        pytest.param("now", None, (MIDNIGHT, None), id="from now on"),
        pytest.param("2d", "now", (MIDNIGHT - 2 * DAY, MIDNIGHT), id="until now"),
        pytest.param("2026-01-01", "2026-01-02", (MIDNIGHT - DAY, MIDNIGHT), id="dates are UTC"),
        pytest.param(
            "2026-01-02T05:30:00+05:30", None, (MIDNIGHT, None), id="an offset is believed"
        ),
        pytest.param("2026-01-02T00:00:00Z", None, (MIDNIGHT, None), id="Z"),
        pytest.param(
            "2026-01-01T23:59:59.999999999Z", None, (MIDNIGHT - 1, None), id="nanoseconds"
        ),
        pytest.param(
            "last-week",
            None,
            (MIDNIGHT - 11 * DAY, MIDNIGHT - 4 * DAY),
            id="last week is Monday to Monday",
        ),
        pytest.param("yesterday", None, (MIDNIGHT - DAY, MIDNIGHT), id="yesterday ends today"),
        pytest.param("today", None, (MIDNIGHT, MIDNIGHT + DAY), id="today"),
        pytest.param("2026-01-01", "today", (MIDNIGHT - DAY, MIDNIGHT), id="until today"),
    ],
)
def test_a_window_is_resolved(
    since: str | None, until: str | None, expected: tuple[int | None, int | None]
) -> None:
    window = resolve_window(since, until, now_ns=MIDNIGHT)
    assert (window.since_ns, window.until_ns) == expected


def test_a_named_zone_reads_text_without_an_offset() -> None:
    window = resolve_window("2026-01-02", None, now_ns=0, zone=ZoneInfo("Asia/Kolkata"))
    assert window.since_ns == MIDNIGHT - 5 * 3_600_000_000_000 - 1_800_000_000_000


def test_a_week_in_which_the_clocks_change_is_an_hour_shorter() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    now = datetime(2026, 4, 1, 12, tzinfo=berlin)  # the clocks went forward on 29 March
    week = resolve_window("last-week", None, now_ns=int(now.timestamp()) * 10**9, zone=berlin)
    assert str(week) == "2026-03-22T23:00:00Z - 2026-03-29T22:00:00Z"


@pytest.mark.parametrize(
    ("start", "inside"),
    [
        pytest.param(MIDNIGHT - DAY, True, id="the first nanosecond"),
        pytest.param(MIDNIGHT - 1, True, id="the last nanosecond"),
        pytest.param(MIDNIGHT, False, id="the end is outside"),
        pytest.param(None, False, id="an unknown start is in no closed window"),
    ],
)
def test_a_window_is_half_open(start: int | None, inside: bool) -> None:  # noqa: FBT001
    window = Window(since_ns=MIDNIGHT - DAY, until_ns=MIDNIGHT)
    assert (start in window) is inside


def test_an_unknown_start_is_in_the_open_window() -> None:
    assert None in Window()


@pytest.mark.parametrize(
    ("since", "until"),
    [
        pytest.param("yesterday-ish", None, id="no time"),
        pytest.param("2026-13-01", None, id="no such month"),
        pytest.param("2026-01-01T00:00:00.1234567890", None, id="finer than a nanosecond"),
        pytest.param("2026-01-02", "2026-01-01", id="ends before it starts"),
        pytest.param("99999999999d", None, id="an absurd age"),
    ],
)
def test_what_is_no_window_is_refused(since: str, until: str | None) -> None:
    with pytest.raises(UsageError):
        resolve_window(since, until, now_ns=MIDNIGHT)


def test_times_print_as_they_were() -> None:
    assert iso(MIDNIGHT) == "2026-01-02T00:00:00Z"
    assert iso(MIDNIGHT - 1) == "2026-01-01T23:59:59.999999999Z"
