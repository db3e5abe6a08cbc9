"""Progress on stderr: the last count of a step is always told."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from analysis.cli.progress import Progress, ProgressKind

STEPS = [
    ("reading", 9, None),
    ("reading", 500, None),
    ("reading", 1_003, 1_003),
    ("judging", 1, 37),
    ("judging", 37, 37),
    ("judging", 37, 37),
]


def told(
    capsys: pytest.CaptureFixture[str],
    kind: ProgressKind,
    steps: Sequence[tuple[str, int, int | None]],
    *,
    quiet: bool = False,
) -> str:
    progress = Progress(kind, quiet=quiet)
    for step in steps:
        progress(*step)
    progress.close()
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err


def test_a_pipe_gets_final_counts_only_when_it_is_quick(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert told(capsys, "plain", STEPS).splitlines() == [
        "Reading  1,003/1,003 spans  100%",
        "Judging  37/37 conversations  100%",
    ]


def test_nothing_to_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "plain", [("reading", 0, 0)]) == "Reading  0 spans\n"


def test_one_of_a_thing_is_told_in_the_singular(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "plain", [("judging", 1, 1)]) == "Judging  1/1 conversation  100%\n"
    kind: Any = "bar"  # what auto is on a terminal
    assert "Reading  1 span\r" in told(capsys, kind, [("reading", 1, None)])


def test_events_end_with_the_last_count(capsys: pytest.CaptureFixture[str]) -> None:
    events = [json.loads(line) for line in told(capsys, "json", STEPS).splitlines()]
    assert events[-1] == {"event": "progress", "step": "judging", "done": 37, "of": 37}
    assert {"event": "progress", "step": "reading", "done": 1_003, "of": 1_003} in events


def test_a_bar_stays_on_its_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    lines = told(capsys, "bar", STEPS).split("\r")  # type: ignore[arg-type]  # what auto is on a terminal
    assert max(map(len, lines)) < 20
    assert lines[-1] == ""


@pytest.mark.parametrize("kind", ["plain", "json", "none"])
def test_quiet(capsys: pytest.CaptureFixture[str], kind: ProgressKind) -> None:
    assert told(capsys, kind, STEPS, quiet=True) == ""
