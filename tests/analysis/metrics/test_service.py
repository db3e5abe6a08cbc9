from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from analysis.judged import JudgedTurn
from analysis.metrics import service as metrics
from analysis.metrics.measured import Measured, undefined
from stages.records import StageUse
from tests import builders as b

UNKNOWN = undefined("not_recorded")
MEASURES = {
    "input": metrics.measure_input_tokens,
    "output": metrics.measure_output_tokens,
    "cached": metrics.measure_cached_tokens,
    "duration": metrics.measure_duration,
    "first output": metrics.measure_first_output,
    "errors": metrics.measure_errors,
}


@pytest.mark.parametrize(
    ("fields", "name", "expected"),
    [
        pytest.param({"input_tokens": 130}, "input", Measured(hits=130, total=1), id="input"),
        pytest.param({"output_tokens": 20}, "output", Measured(hits=20, total=1), id="output"),
        pytest.param({"cached_tokens": 0}, "cached", Measured(hits=0, total=1), id="no cache"),
        pytest.param({"output_tokens": 20}, "input", UNKNOWN, id="input not recorded"),
        pytest.param({"input_tokens": 20}, "output", UNKNOWN, id="output not recorded"),
        pytest.param({"input_tokens": 20}, "cached", UNKNOWN, id="cache not recorded"),
        pytest.param(
            {"start_ns": b.at(1), "end_ns": b.at(3.5)},
            "duration",
            Measured(hits=2500, total=1),
            id="duration in milliseconds",
        ),
        pytest.param({"end_ns": None}, "duration", UNKNOWN, id="no end"),
        pytest.param(
            {"start_ns": b.at(2), "end_ns": b.at(1)}, "duration", UNKNOWN, id="end before start"
        ),
        pytest.param(
            {"answer": b.generation(first_output_ms=310.0)},
            "first output",
            Measured(hits=310.0, total=1),
            id="first output",
        ),
        pytest.param({}, "first output", UNKNOWN, id="first output not recorded"),
        pytest.param({"answer": None}, "first output", undefined("no_generation"), id="no answer"),
        pytest.param({"error": True}, "errors", Measured(hits=1, total=1), id="error"),
        pytest.param({"error": False}, "errors", Measured(hits=0, total=1), id="no error"),
    ],
)
def test_what_a_turn_cost(fields: dict[str, Any], name: str, expected: Measured) -> None:
    measure: Callable[[JudgedTurn], Measured] = MEASURES[name]
    assert measure(JudgedTurn(turn=b.turn(**fields))) == expected


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        pytest.param({"retrieval": StageUse(duration_ms=40)}, 40, id="recorded"),
        pytest.param({"retrieval": StageUse(duration_ms=0)}, 0, id="no time at all"),
        pytest.param({"retrieval": StageUse(input_tokens=3)}, "not_recorded", id="not recorded"),
        pytest.param({"generation": StageUse(duration_ms=7)}, "stage_not_run", id="not run"),
    ],
)
def test_time_of_a_stage(use: dict[Any, StageUse], expected: float | str) -> None:
    measure = partial(metrics.measure_stage, stage="retrieval")
    found = measure(JudgedTurn(turn=b.turn(use=use)))
    reason = expected if isinstance(expected, str) else None
    assert found.reason == reason
    assert found.value == (None if reason else expected)
