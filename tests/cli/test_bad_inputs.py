"""Every command with what it cannot use: a message and a documented code, no traceback."""

import errno
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis.cli.exit_codes import Exit
from analysis.tables.run_info import RunInfo
from analysis.tables.schemas import TABLES
from tests.analysis.runs import finding, metric, turn_row, write_run
from tests.cli.conftest import Stagefault

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "sample_traces" / "people-desk-wed-fri.jsonl"
COMMAND = [sys.executable, "-m", "analysis"]
MESSAGE = re.compile(r"(error|warning|note): [^\n]+[.?!)]")
"""`place: problem. Remedy.`: a sentence to its end."""
READING = {
    "report": ["report"],
    "report --by": ["report", "--by", "agent,collection", "--agent", "billing"],
    "report --json": ["report", "--json"],
    "show --failed": ["show", "--failed"],
    "show --failed --json": ["show", "--failed", "--json"],
    "show a conversation": ["show", "conv-a"],
    "show a turn": ["show", "conv-a/1", "--spans"],
    "show --json": ["show", "conv-a/1", "--json"],
    "runs list": ["runs", "list"],
    "check": ["check", "--gate", "failed<=1", "--gate", "routing.tool_ok_rate>=0"],
    "diff": ["diff", "earlier", "latest"],
    "export csv": ["export", "csv", "--table", "findings"],
    "export otlp": ["export", "otlp"],
    "label export": ["label", "export"],
}
"""Commands that read a run, each by its name."""


@pytest.fixture
def run_folder(tmp_path: Path) -> Path:
    """The latest run of a store that holds an earlier one, too."""
    earlier: RunInfo = {"created": "2020-01-01T00:00:00Z", "turns": 1}
    write_run(tmp_path / "store", "earlier", turns=[turn_row("conv-a/1")], info=earlier)
    return write_run(
        tmp_path / "store",
        turns=[turn_row("conv-a/1", root="retrieval.missed_chunk"), turn_row("conv-a/2")],
        findings=[finding("conv-a/1", "retrieval.missed_chunk")],
        metrics=[metric("conv-a/1", "tool_ok_rate", 1, 2)],
        info={"turns": 2},
    )


def damaged(path: Path, how: str) -> None:
    """Damage one file of a run."""
    content = path.read_bytes()
    match how:
        case "missing":
            path.unlink()
        case "empty":
            path.write_bytes(b"")
        case "junk":
            path.write_bytes(bytes(range(256)) * 8)
        case "cut":
            path.write_bytes(content[: len(content) // 2])
        case "flipped":
            middle = len(content) // 2
            path.write_bytes(content[:middle] + b"\xff\x00\xff\x00" + content[middle + 4 :])
        case "folder":
            path.unlink()
            path.mkdir()


def assert_told(code: int, stderr: str) -> None:
    """Assert that a command ended as documented and said so as agreed."""
    assert code in set(Exit)
    assert "Traceback" not in stderr
    for line in stderr.splitlines():
        assert MESSAGE.fullmatch(line) or not line.startswith(("error", "warning", "note")), line
    if code not in (Exit.DONE, Exit.INTERRUPTED):
        assert any(line.startswith("error: ") for line in stderr.splitlines()), stderr


@pytest.mark.parametrize("how", ["missing", "empty", "junk", "cut", "flipped", "folder"])
@pytest.mark.parametrize("name", ["run.json", *(f"{table}.parquet" for table in TABLES)])
def test_every_file_of_a_run_damaged(
    stagefault: Stagefault, run_folder: Path, name: str, how: str
) -> None:
    damaged(run_folder / name, how)
    for command in READING.values():
        result = stagefault(*command)
        assert_told(result.exit_code, result.stderr)
        assert result.exit_code in (Exit.DONE, Exit.USAGE, Exit.STORE)
        if result.exit_code == Exit.STORE:
            assert name in result.stderr


@pytest.mark.parametrize(
    "content",
    [
        "null",
        "[]",
        "7",
        '"run"',
        "{}",
        '{"schema_version": 1}',
        '{"schema_version": "1", "run_id": "r-1"}',
        '{"schema_version": 99, "run_id": "r-1"}',
        '{"schema_version": 1, "run_id": 7}',
        '{"schema_version": 1, "run_id": "r-1", "outcomes": []}',
        '{"schema_version": 1, "run_id": "r-1", "outcomes": {"passed": 1}}',
        '{"schema_version": 1, "run_id": "r-1", "sources": [{}]}',
        '{"schema_version": 1, "run_id": "r-1", "sources": [{"path": 1}]}',
        '{"schema_version": 1, "run_id": "r-1", "window": 5}',
        '{"schema_version": 1, "run_id": "r-1", "judge": "local"}',
        '{"schema_version": 1, "run_id": "r-1", "profile": 3}',
        '{"schema_version": 1, "run_id": "r-1", "records": {"read": 1}}',
        '{"schema_version": 1, "run_id": "r-1", "questions": {"asked": "many"}}',
        '{"schema_version": 1, "run_id": "r-1", "created": 12}',
        '{"schema_version": 1, "run_id": "r-1", "turns": "two"}',
        '{"schema_version": 1, "run_id": "r-1", "selection": {}}',
        '{"schema_version": 1, "run_id": "r-1", "created": "yesterday", "cost_usd": null}',
        "[" * 100_000,
        '{"schema_version": 1, "run_id": "\\ud800"}',
    ],
    ids=lambda text: text[:60],
)
def test_a_run_json_that_is_not_as_it_was_written(
    stagefault: Stagefault, run_folder: Path, content: str
) -> None:
    (run_folder / "run.json").write_text(content)
    for command in READING.values():
        result = stagefault(*command)
        assert_told(result.exit_code, result.stderr)


@pytest.mark.parametrize("command", READING.values(), ids=READING)
@pytest.mark.parametrize("store", ["nothing there", "a file", "no runs", "runs is a file", "junk"])
def test_what_is_no_store(
    stagefault: Stagefault, tmp_path: Path, command: list[str], store: str
) -> None:
    place = tmp_path / "other"
    match store:
        case "a file":
            place.write_text("x")
        case "no runs":
            place.mkdir()
        case "runs is a file":
            place.mkdir()
            (place / "runs").write_text("x")
        case "junk":
            (place / "runs" / "r-1").mkdir(parents=True)
            (place / "runs" / "a file").write_text("x")
            (place / "runs" / "-rf *").mkdir()
    result = stagefault(*command, "--store", place, store=False)
    assert_told(result.exit_code, result.stderr)
    listed = {Exit.STORE} if store == "junk" else {Exit.DONE, Exit.USAGE}
    assert result.exit_code in (listed if command[0] == "runs" else {Exit.USAGE, Exit.STORE})


def sources(folder: Path) -> Iterator[tuple[str, Path, set[Exit]]]:
    """Yield what a source may be by mistake, and the codes that fit."""
    yield "missing", folder / "missing", {Exit.USAGE}
    yield "a glob that meets nothing", folder / "*.nope", {Exit.USAGE}
    (folder / "empty").mkdir()
    yield "an empty folder", folder / "empty", {Exit.NO_TURN}
    for name, content in {
        "nothing.jsonl": b"",
        "blank.jsonl": b"\n\n  \n",
        "junk.jsonl": bytes(range(256)) * 50,
        "words.jsonl": b"hello there\n" * 40,
        "other.json": b'{"a": [1, 2, {"b": null}]}',
        "cut.json": b'{"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "ab',
        "deep.json": b"[" * 50_000,
        "gzip.gz": b"\x1f\x8b\x08\x00\x00\x00\x00\x00",
        "zstd.zst": b"\x28\xb5\x2f\xfd\x00",
        "table.parquet": b"PAR1\x00\x00PAR1",
        "zip.zip": b"PK\x03\x04\x00\x00",
    }.items():
        path = folder / name
        path.write_bytes(content)
        yield name, path, {Exit.NO_TURN, Exit.LOSSES, Exit.USAGE}


def test_every_kind_of_wrong_source(stagefault: Stagefault, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for name, path, codes in sources(tmp_path / "in"):
        for command in (["doctor"], ["replay", "--store", tmp_path / "store"]):
            result = stagefault(*command, path, store=False)
            assert result.exit_code in codes, (name, command[0], result.exit_code, result.stderr)
            assert "Traceback" not in result.output


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read and write everything")
@pytest.mark.parametrize("command", READING.values(), ids=READING)
def test_a_run_without_permission(
    stagefault: Stagefault, run_folder: Path, command: list[str]
) -> None:
    (run_folder / "run.json").chmod(0)
    result = stagefault(*command)
    assert_told(result.exit_code, result.stderr)


@pytest.mark.parametrize(
    ("store", "code"),
    [
        pytest.param("/proc/nope", Exit.STORE, id="where nothing can be made"),
        pytest.param("/dev/null", Exit.STORE, id="a device"),
        pytest.param("file", Exit.USAGE, id="a file"),
        pytest.param("file/below", Exit.STORE, id="below a file"),
    ],
)
def test_a_store_that_cannot_be_written(
    stagefault: Stagefault, tmp_path: Path, store: str, code: Exit
) -> None:
    (tmp_path / "file").write_text("x")
    result = stagefault("replay", SAMPLE, "-q", "--store", tmp_path / store, store=False)
    assert result.exit_code == code
    assert_told(result.exit_code, result.stderr)


def test_a_report_into_what_cannot_be_written(
    stagefault: Stagefault, run_folder: Path, tmp_path: Path
) -> None:
    del run_folder
    (tmp_path / "file").write_text("x")
    for target in (tmp_path / "file" / "x.md", "/proc/nope/x.md", tmp_path / ("n" * 300 + ".md")):
        result = stagefault("report", "-o", target)
        assert result.exit_code == Exit.STORE, target
        assert_told(result.exit_code, result.stderr)
        assert "cannot be written" in result.stderr


def test_a_report_that_cannot_be_written_is_refused_before_anything_is_judged(
    stagefault: Stagefault, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("x")
    store = tmp_path / "untouched"
    for target in (tmp_path / "file" / "x.md", tmp_path / "file" / "x" / "y.html", "/proc/nope/x"):
        where = ["-o", f"{target}/" if str(target).startswith("/proc") else target]
        result = stagefault("replay", SAMPLE, *where, "--store", store, store=False)
        assert result.exit_code == Exit.STORE, target
        assert "cannot be written" in result.stderr
        assert not store.exists()
    assert (
        "a file stands where its folder should be"
        in stagefault("replay", SAMPLE, "-o", tmp_path / "file" / "x.md").stderr
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
@pytest.mark.parametrize("command", [["report"], ["show", "--failed"], ["runs", "list", "--json"]])
def test_a_full_disk_behind_stdout(run_folder: Path, command: list[str]) -> None:
    store = run_folder.parents[1]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*COMMAND, *command, "--store", store],
            stdout=full, stderr=subprocess.PIPE, text=True, cwd=ROOT, timeout=120, check=False,
        )  # fmt: skip
    assert done.returncode == Exit.STORE
    assert_told(done.returncode, done.stderr)


@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "PYTHONUNBUFFERED"])
def test_a_disk_that_fills_up_behind_stdout(tmp_path: Path, unbuffered: str) -> None:
    resource = pytest.importorskip("resource")
    write_run(tmp_path / "store", turns=[turn_row(f"conv-a/{turn}") for turn in range(1, 100)])
    with (tmp_path / "out").open("w") as out:
        done = subprocess.run(
            [*COMMAND, "export", "jsonl", "--table", "turns", "--store", tmp_path / "store"],
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8_192, 8_192)),
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered}, stdout=out,
            stderr=subprocess.PIPE, text=True, cwd=ROOT, timeout=120, check=False,
        )  # fmt: skip
    assert done.returncode == Exit.STORE
    assert done.stderr.startswith("error: stdout: cannot be used (File too large).")


def test_a_full_disk_behind_temporary_files_is_not_laid_to_stdout(
    stagefault: Stagefault, run_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del run_folder

    def full(*_: object, **__: object) -> str:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("analysis.report.text.render_text", full)
    result = stagefault("report")
    assert result.exit_code == Exit.STORE
    place = "the folder of temporary files (TMPDIR)"
    assert result.stderr.startswith(f"error: {place}: cannot be used (No space left on device).")


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_a_full_disk_behind_an_export_leaves_what_stood_there(run_folder: Path, form: str) -> None:
    resource = pytest.importorskip("resource")
    store, folder = run_folder.parents[1], run_folder.parents[1] / "out"
    folder.mkdir()
    (folder / "old").write_text("as it was")
    for name in ("old", "new"):
        done = subprocess.run(
            [*COMMAND, "export", form, "--store", store, "-o", folder / name],
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (128, 128)),
            capture_output=True, text=True, cwd=ROOT, timeout=120, check=False,
        )  # fmt: skip
        assert done.returncode == Exit.STORE
        assert done.stderr.startswith(f"error: {folder / name}: cannot be written (File too large)")
    assert [(path.name, path.read_text()) for path in folder.iterdir()] == [("old", "as it was")]


@pytest.mark.parametrize("limit", [0, 4_096, 100_000], ids=lambda size: f"{size} bytes")
def test_a_full_disk_behind_the_store(tmp_path: Path, limit: int) -> None:
    """The limit on the size of a file stands for a disk that fills up."""
    resource = pytest.importorskip("resource")
    store = tmp_path / "store"
    done = subprocess.run(
        [*COMMAND, "replay", SAMPLE, "--store", store, "-q"],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
        capture_output=True, text=True, cwd=ROOT, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == Exit.STORE, done.stderr
    assert_told(done.returncode, done.stderr)
    assert not list(store.rglob("*.part"))
    assert not list(store.glob("runs/*/run.json"))
    shutil.rmtree(store, ignore_errors=True)


def test_a_want_of_memory_is_told_in_a_sentence(
    stagefault: Stagefault, monkeypatch: pytest.MonkeyPatch
) -> None:
    def starved(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("analysis.replaying.replay", starved)
    result = stagefault("replay", SAMPLE)
    assert result.exit_code == Exit.STORE
    assert_told(result.exit_code, result.stderr)
    assert "there is not enough" in result.stderr
