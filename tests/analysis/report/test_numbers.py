from collections.abc import Callable
from typing import Any

import pytest

from analysis.report.numbers import (
    count,
    counted,
    milliseconds,
    money,
    percent,
    percent_interval,
    points,
    score,
    score_interval,
    size,
)


@pytest.mark.parametrize(
    ("form", "given", "expected"),
    [
        pytest.param(percent, (0.0710,), "7.1 %", id="a rate"),
        pytest.param(percent, (0.0029,), "0.29 %", id="a small rate has two digits"),
        pytest.param(percent, (0.01,), "1.0 %", id="one percent"),
        pytest.param(percent, (0.00001,), "<0.01 %", id="not 0 is not printed as 0"),
        pytest.param(percent, (0.99999,), ">99.9 %", id="not 100 is not printed as 100"),
        pytest.param(percent, (0.0,), "0 %", id="0"),
        pytest.param(percent, (1.0,), "100 %", id="100"),
        pytest.param(percent, (None,), "n/a", id="0 of 0"),
        pytest.param(percent_interval, (0.067, 0.0754), "6.7–7.5", id="bounds"),
        pytest.param(percent_interval, (0.0021, 0.0034), "0.21–0.34", id="small bounds"),
        pytest.param(percent_interval, (0.0, 0.0754), "0–7.5", id="from 0"),
        pytest.param(percent_interval, (0.00001, 0.0754), "<0.1–7.5", id="from almost 0"),
        pytest.param(percent_interval, (0.5, 1.0), "50.0–100", id="to 100"),
        pytest.param(percent_interval, (None, None), "", id="no bounds"),
        pytest.param(score, (0.4711,), "0.47", id="a score"),
        pytest.param(score, (0.999,), ">0.99", id="almost 1"),
        pytest.param(score, (0.001,), "<0.01", id="almost 0"),
        pytest.param(score, (1.0,), "1", id="1"),
        pytest.param(score, (None,), "n/a", id="no score"),
        pytest.param(score_interval, (0.46, 0.48), "0.46–0.48", id="score bounds"),
        pytest.param(points, (0.0037,), "+0.37", id="up"),
        pytest.param(points, (-0.0017,), "−0.17", id="down"),
        pytest.param(points, (-0.00001,), "±0.00", id="hardly"),
        pytest.param(count, (18180,), "18,180", id="a count"),
        pytest.param(count, (None,), "–", id="no count"),
        pytest.param(counted, (1, "turn"), "1 turn", id="one"),
        pytest.param(counted, (0, "turn"), "0 turns", id="none"),
        pytest.param(counted, (2, "query", "queries"), "2 queries", id="irregular"),
        pytest.param(money, (38.166,), "$38.17", id="money"),
        pytest.param(money, (None,), "unknown cost", id="an unknown price"),
        pytest.param(size, (999,), "999 B", id="bytes"),
        pytest.param(size, (2_100_000_000,), "2.1 GB", id="gigabytes"),
        pytest.param(size, (2_100_000_000_000,), "2.1 TB", id="terabytes"),
        pytest.param(milliseconds, (6180.0,), "6.18 s", id="seconds"),
        pytest.param(milliseconds, (340.2,), "340 ms", id="milliseconds"),
        pytest.param(milliseconds, (None,), "–", id="no duration"),
    ],
)
def test_numbers(form: Callable[..., str], given: tuple[Any, ...], expected: str) -> None:
    assert form(*given) == expected


def test_a_share_never_reads_as_all_or_nothing() -> None:
    for share in (1e-9, 1e-4, 0.00994, 0.5, 0.9994, 0.9995, 0.99999999):
        assert percent(share) not in ("0 %", "0.0 %", "0.00 %", "100 %", "100.0 %")
        assert score(share) not in ("0", "0.00", "1", "1.00")
