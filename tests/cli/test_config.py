"""`--config`: flag before environment before file before default, and where it is kept."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from analysis import load_run
from analysis.cli import main
from analysis.cli.configured import PROFILE, option_names
from tests.cli.conftest import Stagefault
from tests.cli.test_replay import turn_line

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with one trace file."""
    place = tmp_path / "here"
    place.mkdir()
    (place / ".git").mkdir()
    (place / "a.jsonl").write_text("\n".join(turn_line(n) for n in range(2)))
    monkeypatch.chdir(place)
    return place


def values(stagefault: Stagefault, *arguments: str) -> dict[str, tuple[str, str]]:
    result = stagefault("doctor", "--config", *arguments, "--json", store=False)
    assert result.exit_code == 0, result.stderr
    told = json.loads(result.stdout)["values"]
    return {one["name"]: (one["value"], one["origin"]) for one in told}


def test_the_first_that_says_something_counts(
    stagefault: Stagefault, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert values(stagefault)["k"] == ("5", "default")
    (folder / "stagefault.toml").write_text("[profile]\nk = 3\n")
    assert values(stagefault)["k"] == ("3", "stagefault.toml")
    monkeypatch.setenv("STAGEFAULT_K", "4")
    assert values(stagefault)["k"] == ("4", "environment (STAGEFAULT_K)")
    stagefault("replay", "a.jsonl", "--k", "2", "-q")
    run = load_run("latest", folder.parent / "store")
    assert run.info["profile"]["k"] == 2


def test_a_command_table_comes_before_the_profile(stagefault: Stagefault, folder: Path) -> None:
    (folder / "stagefault.toml").write_text("[profile]\nk = 3\n[replay]\nk = 4\nsince = '7d'\n")
    found = values(stagefault)
    assert found["k"] == ("4", "stagefault.toml")
    assert found["since"] == ("7d", "stagefault.toml")


def test_another_file_is_named(stagefault: Stagefault, folder: Path) -> None:
    (folder / "stagefault.toml").write_text("[profile]\nk = 3\n")
    (folder / "other.toml").write_text("[limits]\ndepth = 9\n")
    found = values(stagefault, "other.toml")
    assert found["k"] == ("5", "default")
    assert found["max depth"] == ("9", "other.toml")


def test_sources_and_store_may_stand_in_the_file(stagefault: Stagefault, folder: Path) -> None:
    (folder / "stagefault.toml").write_text('source = "a.jsonl"\nstore = "kept"\n')
    assert stagefault("replay", "-q", store=False).exit_code == 0
    info = load_run("latest", folder / "kept").info
    assert [source["path"] for source in info["sources"]] == ["a.jsonl"]
    assert info["config"]["file"] == "stagefault.toml"
    assert info["config"]["mapping"] is None
    assert info["limits"]["depth"] == 64


def test_a_run_without_a_file_says_so(stagefault: Stagefault, folder: Path) -> None:
    stagefault("replay", "a.jsonl", "-q", "--max", "depth=32")
    info: Any = load_run("latest", folder.parent / "store").info
    assert info["config"] == {"file": None, "sha256": None, "mapping": None}
    assert info["limits"]["depth"] == 32


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param("[replay]\nkk = 1", "replay.kk: is no known option of replay", id="option"),
        pytest.param("[replay]\nk = 0", "replay.k: 0 is not in the range", id="range"),
        pytest.param("[replay]\nk = 1.5", "replay.k: is a number. Write a whole", id="half"),
        pytest.param("[replay]\nk = true", "replay.k: is true or false", id="flag"),
        pytest.param("[replay]\nquiet = 1", "replay.quiet: is a number. Write true", id="number"),
        pytest.param("[replay]\nby = 'x'", "replay.by: 'x' is", id="choice"),
        pytest.param("[show]\nlimit = [1, 2]", "show.limit: is a list", id="another command"),
        pytest.param("[profile]\nk = 0", "profile.k: 0 is not in the range", id="profile range"),
        pytest.param("[profile]\nstore = 'a'", "profile.store: is no known value", id="profile"),
        pytest.param("[runs.lst]", "runs.lst: is no known command of runs", id="inner command"),
        pytest.param("[runs.list]\njson = 1", "runs.list.json: is a number", id="inner option"),
        pytest.param("[replays]", "replays: is no known key. Did you mean replay?", id="table"),
    ],
)
def test_a_file_that_cannot_be_meant_stops_every_command(
    stagefault: Stagefault, folder: Path, text: str, problem: str
) -> None:
    (folder / "stagefault.toml").write_text(text)
    result = stagefault("doctor", "a.jsonl", store=False)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error: stagefault.toml: {problem}")


def test_help_is_there_whatever_the_file_says(stagefault: Stagefault, folder: Path) -> None:
    (folder / "stagefault.toml").write_text("broken")
    for command in ("replay", "doctor", "show", "report"):
        text = stagefault(command, "--help", store=False).stdout
        assert "--config" in text
        assert "stagefault.toml" in text
    text = " ".join(stagefault("replay", "--help", store=False).stdout.split())
    assert "record_bytes (64 MiB)" in text


def test_a_limit_of_the_command_line_reaches_the_reader(
    stagefault: Stagefault, folder: Path
) -> None:
    result = stagefault("doctor", "a.jsonl", "--max", "record_bytes=100", "--json", store=False)
    assert result.exit_code == 3
    reasons = {loss["reason"] for loss in json.loads(result.stdout)["losses"]}
    assert reasons == {"oversize_record"}


@pytest.mark.parametrize("example", sorted(path.stem for path in (DOCS / "mapping").glob("*.toml")))
def test_every_example_mapping_makes_whole_turns(
    stagefault: Stagefault, folder: Path, example: str
) -> None:
    trace, mapping = (DOCS / "mapping" / f"{example}.{end}" for end in ("jsonl", "toml"))
    result = stagefault("doctor", trace, "--config", mapping, "--json", store=False)
    assert result.exit_code == 0, result.stderr
    told = json.loads(result.stdout)
    assert told["conversation_ids"]["inferred"] == 0
    assert told["gaps"] == {}
    missing = {name for name, one in told["coverage"].items() if one["told"] < one["of"]}
    assert missing <= {"tenant", "language", "catalogue"}
    unmapped = stagefault("doctor", trace, "--json", store=False)
    assert json.loads(unmapped.stdout)["coverage"].get("answer", {"told": 0})["told"] == 0


def test_a_shell_completes_words_whatever_the_file_says(folder: Path) -> None:
    (folder / "stagefault.toml").write_text("broken")
    environment = {
        "_STAGEFAULT_COMPLETE": "bash_complete",
        "COMP_WORDS": "stagefault replay --jud",
        "COMP_CWORD": "2",
    }
    words = [sys.executable, "-c", "from analysis.cli import main; main(prog_name='stagefault')"]
    paths = {"PYTHONPATH": str(DOCS.parent)}
    done = subprocess.run(
        words,
        capture_output=True,
        text=True,
        env={**os.environ, **environment, **paths},
        check=False,
    )
    assert "--judge" in done.stdout, done.stderr


def test_every_value_of_a_profile_is_an_option_of_replay() -> None:
    assert set(PROFILE) <= set(option_names(main.commands["replay"]))
