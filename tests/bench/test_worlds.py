"""Worlds whose faults were planted by hand, from their folder to a judged run."""

import shutil
from pathlib import Path

import pytest

from bench import world_pairs
from bench.attribution.__main__ import main
from bench.attribution.judging import judged
from bench.attribution.planting import CONTROL, PlantedRun
from bench.attribution.samples import SAMPLES
from bench.attribution.scoring import score
from bench.attribution.worlds import HELD_OUT, names, run_of_world, traced_run
from ingest.errors import UsageError

HERE = Path(__file__).parent


def test_a_world_is_played_and_found_out() -> None:
    run = run_of_world("tiny_world", HERE)
    *good, wrong, locker = run.planted
    assert (wrong.stage, wrong.kind) == ("routing", "wrong_collection")
    assert wrong.name == wrong.kind
    (call,) = locker.turn.tool_calls
    assert call.arguments == {"pool": "north", "number": "17"}
    assert call.result == [
        {"pool": "north", "number": "17", "rented_by": "A. Sommer", "until": "2026-12-31"}
    ]
    assert [one.name for one in (locker, *good)] == [CONTROL] * 3
    found = score(judged(run, "oracle").results)
    assert (found.root_stage, found.root_kind, found.false_alarms) == (1.0, 1.0, 0.0)


def test_the_samples_are_such_a_run_and_the_rules_are_right_on_them() -> None:
    found = score(judged(traced_run(SAMPLES), "oracle").results)
    assert (found.faulty, found.root_stage, found.root_kind) == (38, 1.0, 1.0)
    assert found.good + found.harmless == 85
    assert (found.false_alarms, found.harmless_alarms) == (0.0, 0.0)


@pytest.mark.parametrize("name", names())
def test_the_rules_are_right_on_every_world(name: str) -> None:
    run = run_of_world(name)
    wrong = [
        one.planted.turn.turn_id for one in judged(run, "oracle").results if not one.right_kind
    ]
    assert run.planted
    assert wrong == []


def test_what_is_no_world_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--worlds", "atlantis"]) == 2
    assert "atlantis: is no world" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("worlds", "named"),
    [
        ([], "bank and campus"),
        (["bank"], "bank"),
        (["campus"], "campus"),
        (["hire", "bank"], "bank"),
    ],
)
def test_single_turns_of_the_worlds_that_are_kept_aside_are_not_shown(
    capsys: pytest.CaptureFixture[str], worlds: list[str], named: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--worlds", *worlds, "--errors"])
    assert ended.value.code == 2
    assert f"nothing may be tuned on {named}\n" in capsys.readouterr().err


def test_the_judge_is_not_fitted_to_worlds_that_are_kept_aside(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played: list[str] = []

    def play(name: str) -> PlantedRun:
        played.append(name)
        return PlantedRun(conversations=(), planted=())

    monkeypatch.setattr(world_pairs, "run_of_world", play)
    assert list(world_pairs.world_pairs()) == []
    assert played == [name for name in names() if name not in HELD_OUT]
    assert set(HELD_OUT) <= set(names())


def test_the_script_at_fault_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "broken"
    shutil.copytree(HERE / "tiny_world", folder)
    script = folder / "scripts" / "tn-02.toml"
    script.write_text(script.read_text("utf-8").replace("{north-01}", "{north-09}"), "utf-8")
    with pytest.raises(UsageError, match="tn-02: cannot be played"):
        run_of_world("broken", tmp_path)


def test_errors_of_the_oracle_show_nothing_of_the_local_judge(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--worlds", "hire", "--judge", "oracle", "--errors"]) == 0
    assert capsys.readouterr().out == ""
