import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from analysis import Plan, replay
from analysis.judges import JudgeChoice
from analysis.report.html import PageOptions, render_html
from analysis.report.model import report_of
from analysis.stamping import stamped
from ingest.errors import UsageError

SAMPLES = Path(__file__).parents[2] / "sample_traces"
NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


def test_an_id_begins_with_the_time_and_ends_in_chance(tmp_path: Path) -> None:
    created, first = stamped(tmp_path, NOON, {})
    assert created == NOON
    assert re.fullmatch(r"20260102-120000-[0-9a-f]{4}", first)
    assert len({stamped(tmp_path, NOON, {})[1] for _ in range(20)}) > 1


def test_under_an_epoch_there_is_neither_clock_nor_chance(tmp_path: Path) -> None:
    environ = {"SOURCE_DATE_EPOCH": "1767355200"}
    assert stamped(tmp_path, None, environ) == (NOON, "20260102-120000-0000")
    (tmp_path / "20260102-120000-0000").mkdir()
    assert stamped(tmp_path, None, environ)[1] == "20260102-120000-0001"


def test_a_time_that_was_given_wins(tmp_path: Path) -> None:
    created, run_id = stamped(tmp_path, NOON, {"SOURCE_DATE_EPOCH": "0"})
    assert created == NOON
    assert run_id.startswith("20260102-120000-")


@pytest.mark.parametrize("text", ["noon", "1e9", "9" * 30, "1.5"])
def test_an_epoch_that_is_no_time(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError, match=r"SOURCE_DATE_EPOCH: .* is no number of seconds"):
        stamped(tmp_path, None, {"SOURCE_DATE_EPOCH": text})


def test_two_replays_under_an_epoch_give_the_same_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767355200")
    judge = JudgeChoice(name="recorded", answers=SAMPLES / "answers.jsonl")
    pages = []
    for name in ("a", "b"):
        source = SAMPLES / "people-desk-wed-fri.jsonl"
        run = replay([source], store=tmp_path / name, plan=Plan(sources=(), judge=judge)).run
        pages.append(render_html(run, report_of(run), PageOptions()))
    assert pages[0] == pages[1]
    assert "20260102-120000-0000" in pages[0]
