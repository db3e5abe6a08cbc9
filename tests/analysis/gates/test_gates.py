"""Gates: reading them, and holding a run against them."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from analysis.gates import Checked, Gate, check_run, gates_of, last_shipped, ship
from analysis.gates.gate import typed_gates
from analysis.report.gates import (
    check_annotations,
    check_headline,
    check_json,
    check_junit,
    check_markdown,
    render_check,
)
from analysis.run import Run
from ingest.errors import StoreError, UsageError
from tests.analysis.runs import metric, turn_row, write_run


def fleet(failing: int, of: int) -> list[Any]:
    return [
        turn_row(f"c{number}/1", root="retrieval.missed_chunk" if number < failing else "")
        for number in range(of)
    ]


def a_run(store: Path, run_id: str = "r-1", failing: int = 2, of: int = 20, **given: Any) -> Run:
    return Run(write_run(store, run_id, turns=fleet(failing, of), **given))


def checked(run: Run, gates: dict[str, Any], vs: Run | None = None) -> list[Checked]:
    def earlier(name: str) -> Run:
        assert vs is not None, name
        return vs

    return list(check_run(run, gates_of(gates), earlier))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param("<= 0.02", Gate(name="failed", max=0.02), id="at most"),
        pytest.param("<=2 %", Gate(name="failed", max=0.02), id="per cent"),
        pytest.param("< 0.5", Gate(name="failed", max=0.5, strict=True), id="below"),
        pytest.param(">= 90%", Gate(name="failed", min=0.9), id="at least"),
        pytest.param(">0.15", Gate(name="failed", min=0.15, strict=True), id="above"),
        pytest.param({"max": 0.1}, Gate(name="failed", max=0.1), id="table"),
        pytest.param(
            {"min": 0, "max": 1, "confidence": "upper"},
            Gate(name="failed", min=0, max=1, confidence="upper"),
            id="both, with a bound",
        ),
    ],
)
def test_limits(value: Any, expected: Gate) -> None:
    assert gates_of({"failed": value}) == (expected,)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        pytest.param("<=0.1", "<= 0.1", id="one digit"),
        pytest.param("<= 0.10", "<= 0.10", id="a nought at the end"),
        pytest.param(">=0.8974359", ">= 0.8974359", id="seven digits"),
        pytest.param("< 10%", "< 10 %", id="per cent"),
        pytest.param("<= 0.00000025", "<= 0.00000025", id="very small"),
        pytest.param({"max": 0.8974359}, "<= 0.8974359", id="a number of seven digits"),
        pytest.param({"max": 1}, "<= 1", id="a whole number"),
        pytest.param({"min": 1.0}, ">= 1", id="a whole number with a point"),
        pytest.param({"max": 2.5e-07}, "<= 0.00000025", id="a very small number"),
        pytest.param(
            {"min": 0.25, "max": 0.75, "confidence": "upper"},
            "<= 0.75 and >= 0.25 (upper bound)",
            id="both, with a bound",
        ),
    ],
)
def test_a_limit_is_told_as_it_was_written(value: Any, shown: str) -> None:
    (gate,) = gates_of({"failed": value})
    assert gate.limit == shown


def test_a_large_limit_keeps_its_digits() -> None:
    for value in ("<= 12345678", {"max": 12345678}, {"max": 12345678.0}):
        (gate,) = gates_of({"service.duration_ms": value})
        assert gate.limit == "<= 12345678"


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        pytest.param("failed", "= 1", "'= 1' is no limit", id="no sign"),
        pytest.param("failed", "<= -1", "is no limit", id="negative"),
        pytest.param("failed", "", "is no limit", id="empty"),
        pytest.param("failed", {}, "names no limit", id="empty table"),
        pytest.param("failed", {"confidence": "upper"}, "names no limit", id="no bound"),
        pytest.param("failed", {"max": "1"}, "max is no number", id="text"),
        pytest.param("failed", {"max": True}, "max is no number", id="a truth"),
        pytest.param("failed", {"max": 1, "maxx": 2}, "'maxx' is unknown", id="unknown key"),
        pytest.param("failed", {"max": 1, "confidence": "99"}, "confidence '99'", id="confidence"),
        pytest.param(
            "failed", "<= 10", "limits a share by 10, and no share is above 1", id="per cent"
        ),
        pytest.param("failed", "<= 1000 %", "limits a share by 10", id="ten times all"),
        pytest.param("routing.wrong_tool", {"max": 2}, "limits a share by 2", id="of a kind"),
        pytest.param("generation.faithfulness", ">= 90", "Write 90 % or 0.9", id="of a metric"),
        pytest.param("any", "<= 1", "names no run to compare with", id="any with a limit"),
        pytest.param("any", {"no_regression_vs": 7}, "names no run", id="a run that is a number"),
    ],
)
def test_what_is_no_gate(name: str, value: Any, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        gates_of({name: value}, "stagefault.toml [gates]")


def test_amounts_may_have_any_limit() -> None:
    (gate,) = gates_of({"service.duration_ms": "<= 3000"})
    assert gate.max == 3000


def test_gates_of_the_command_line() -> None:
    with pytest.raises(UsageError, match="failed has two limits"):
        typed_gates(["failed<=10%", "failed<=50%"])
    assert typed_gates(["failed<=10%", " retrieval.missed_chunk >= 1"]) == {
        "failed": "<=10%",
        "retrieval.missed_chunk": ">= 1",
    }
    for text in ("failed", "<= 1", ""):
        with pytest.raises(UsageError, match="is no gate"):
            typed_gates([text])


@pytest.mark.parametrize(
    ("name", "limit", "verdict"),
    [
        pytest.param("failed", "<= 10 %", "passed", id="on the limit"),
        pytest.param("failed", "< 10 %", "failed", id="below the limit is asked"),
        pytest.param("retrieval", "<= 0.05", "failed", id="a stage"),
        pytest.param("retrieval.rate", "<= 0.1", "passed", id="a stage by the name of its rate"),
        pytest.param("retrieval.missed_chunk", "<= 0.09", "failed", id="a kind"),
        pytest.param("routing.wrong_tool", "<= 0", "passed", id="a kind that did not occur"),
        pytest.param("failed", {"max": 0.1, "confidence": "upper"}, "failed", id="upper bound"),
        pytest.param("failed", {"max": 0.1, "confidence": "lower"}, "passed", id="lower bound"),
        pytest.param("routing.tool_ok_rate", ">= 0.5", "passed", id="a metric"),
        pytest.param("routing.tool_ok_rate", ">= 0.8", "failed", id="a metric that is too low"),
        pytest.param("generation.faithfulness", ">= 0.8", "skipped", id="a metric nobody measured"),
    ],
)
def test_held_against_a_run(tmp_path: Path, name: str, limit: Any, verdict: str) -> None:
    metrics = [metric("c0/1", "tool_ok_rate", 3, 4)]
    (found,) = checked(a_run(tmp_path, metrics=metrics), {name: limit})
    assert found.verdict == verdict


@pytest.mark.parametrize(
    ("unit", "value", "verdict", "told"),
    [
        pytest.param("share", 1, "failed", "1 (0.34–1)", id="two shares of 1 promise little"),
        pytest.param("tokens", 100, "skipped", "has no bound", id="two equal quantities nothing"),
    ],
)
def test_two_equal_turns_keep_no_bound(
    tmp_path: Path, unit: str, value: float, verdict: str, told: str
) -> None:
    metrics = [metric(f"c{n}/1", "m", value, 1, stage="generation", unit=unit) for n in range(2)]
    run = a_run(tmp_path, metrics=metrics)
    (found,) = checked(run, {"generation.m": {"min": 0.9, "confidence": "lower"}})
    assert found.verdict == verdict
    assert told in found.told


@pytest.mark.parametrize(
    ("value", "limit", "verdict", "told"),
    [
        pytest.param(0.8974, ">= 0.9", "failed", "0.897 (", id="rounds to the limit"),
        pytest.param(0.8974, ">= 0.899", "failed", "0.897 (", id="rounds to beyond the limit"),
        pytest.param(0.904, ">= 0.902", "passed", "0.904 (", id="rounds to below, and passed"),
        pytest.param(0.899996, ">= 0.9", "failed", "0.899996 (", id="very close"),
        pytest.param(0.004, "<= 0.001", "failed", "0.004 (", id="more than nearly nothing"),
        pytest.param(0.8, ">= 0.9", "failed", "0.80 (", id="as usual"),
        pytest.param(0.9, "> 0.9", "failed", "0.90 (", id="the limit itself"),
    ],
)
def test_a_shown_value_never_contradicts_its_verdict(
    tmp_path: Path, value: float, limit: str, verdict: str, told: str
) -> None:
    metrics = [metric("c0/1", "m", value, 1, stage="generation")]
    (found,) = checked(a_run(tmp_path, metrics=metrics), {"generation.m": limit})
    assert (found.verdict, found.told[: len(told)]) == (verdict, told)


def test_rates_quantities_and_bounds_are_told_apart_from_their_limit(tmp_path: Path) -> None:
    metrics = [
        metric(f"c{number}/1", "m", value, 1, stage="generation", unit="tokens")
        for number, value in enumerate((100, 100, 101))
    ]
    run = a_run(tmp_path, failing=1, of=19, metrics=metrics)
    upper = run.breakdown().failed.high
    assert upper is not None
    limit = round(upper - 0.00001, 6)
    bound = {"max": limit, "confidence": "upper"}
    rate, quantity, bounded = checked(
        run, {"failed": "<= 5.27 %", "generation.m": "<= 100.3", "failed.rate": bound}
    )
    assert rate.told.startswith("5.26 % (")
    assert quantity.told.startswith("100.33 (")
    shown = bounded.told.split("–")[1].split(")")[0]
    assert float(shown) / 100 > limit
    assert shown == f"{upper * 100:.2f}"


def test_a_failed_gate_names_turns(tmp_path: Path) -> None:
    (found,) = checked(a_run(tmp_path, failing=5), {"retrieval.missed_chunk": "<= 0"})
    assert found.examples == ("c0/1", "c1/1", "c2/1")
    assert found.told == "25.0 % (11.2–46.9), 5 of 20 judged turns"


def test_nothing_was_judged(tmp_path: Path) -> None:
    run = Run(write_run(tmp_path, turns=[turn_row("a/1", "not_judged")]))
    (found,) = checked(run, {"failed": "<= 0"})
    assert (found.verdict, found.told) == ("skipped", "no turn was judged")


def test_a_name_that_no_run_measures(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"Did you mean retrieval\.missed_chunk"):
        checked(a_run(tmp_path), {"retrieval.mised_chunk": "<= 1"})


@pytest.mark.parametrize(
    ("before", "verdict", "told"),
    [
        pytest.param((4, 200), "failed", "retrieval.missed_chunk +18.00 points", id="clearly more"),
        pytest.param((40, 200), "passed", "none clearly higher", id="as many"),
        pytest.param((120, 200), "passed", "none clearly higher", id="fewer"),
        pytest.param((4, 20), "skipped", "there are 200 here and 20 there", id="too few"),
    ],
)
def test_regressions(tmp_path: Path, before: tuple[int, int], verdict: str, told: str) -> None:
    vs = a_run(tmp_path, "before", *before)
    now = a_run(tmp_path, "now", 40, 200)
    (found,) = checked(now, {"any": {"no_regression_vs": "before"}}, vs)
    assert found.verdict == verdict
    assert told in found.told


def test_the_shipped_run_itself(tmp_path: Path) -> None:
    run = a_run(tmp_path)
    (found,) = checked(run, {"any": {"no_regression_vs": "shipped"}}, run)
    assert (found.verdict, found.told) == (
        "passed",
        "run r-1 is the one to compare with: nothing changed",
    )


def test_runs_are_shipped_and_signed(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no shipped run"):
        last_shipped(tmp_path)
    ship(tmp_path, "r-1", "Ada, lead", datetime(2026, 1, 1, tzinfo=UTC))
    ship(tmp_path, "r-2", "Bob, QA", datetime(2026, 1, 2, tzinfo=UTC))
    last = last_shipped(tmp_path)
    assert (last.run_id, last.signed, last.at) == ("r-2", "Bob, QA", "2026-01-02T00:00:00Z")
    (tmp_path / "shipped.jsonl").write_text("{")
    with pytest.raises(StoreError, match="is damaged"):
        last_shipped(tmp_path)


def test_results_in_every_form(tmp_path: Path) -> None:
    run = a_run(tmp_path)
    found = checked(
        run, {"failed": "<= 1 %", "generation.faithfulness": ">= 0.9", "routing": "<= 0.5"}
    )
    assert check_headline(found) == "1 of 3 gates failed, 1 could not be measured."
    text = render_check(run, found)
    assert text.splitlines()[0] == "✗ failed"
    assert "stagefault show c0/1 \\\n" in text or "stagefault show c0/1 --run r-1" in text
    suite = ET.fromstring(check_junit(run.run_id, found))  # noqa: S314 - our own
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("3", "1", "1")
    assert [case.get("name") for case in suite] == ["failed", "faithfulness", "routing"]
    assert "| ✗ | failed | 10.0 %" in check_markdown(run.run_id, found)
    assert check_json(run.run_id, found)["failed"] == 1
    (annotation,) = check_annotations(found)
    assert annotation.startswith("::error title=stagefault::failed: 10.0 %25")


def test_no_text_of_a_trace_breaks_out_of_a_result(tmp_path: Path) -> None:
    name = "x\x1b]0;\x07\ud800<!--]]>\n::error::/1"
    run = Run(write_run(tmp_path, turns=[turn_row(name, root="retrieval.missed_chunk")]))
    found = checked(run, {"failed": "<= 0"})
    assert "\x1b" not in render_check(run, found)
    suite = ET.fromstring(check_junit(run.run_id, found))  # noqa: S314 - our own
    failure = suite.find("testcase/failure")
    assert failure is not None
    assert "\n" not in (failure.text or "")
    assert all("\n" not in one for one in check_annotations(found))
