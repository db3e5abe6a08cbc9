"""`stagefault export otlp` that sends: what it prints, how it ends, and what it never tells."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from analysis.cli.exit_codes import Exit
from tests.analysis.exporting.runs import run_of
from tests.cli.conftest import Stagefault
from tests.receiver import ScriptedReceiver, Step, partial, status

ROOT = Path(__file__).parents[2]
SECRET = "tok-5ecret-5ecret"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The latest run: seven turns, one of them without a span."""
    return run_of(tmp_path / "store", 7, without_span=1, info={"turns": 7}).folder


def test_everything_is_sent_once(stagefault: Stagefault, folder: Path) -> None:
    with ScriptedReceiver() as receiver:
        words = ["export", "otlp", "--endpoint", receiver.url, "--batch-size", "4"]
        first = stagefault(*words)
        assert first.exit_code == Exit.DONE
        assert first.stdout.splitlines() == [
            f"sent          6 of 7 judgements to {receiver.url}/v1/logs, in 2 requests",
            "left out      1  no_span",
        ]
        second = stagefault(*words, "--json", "-q")
        assert (second.exit_code, second.stderr) == (Exit.DONE, "")
        told = json.loads(second.stdout)
        assert (told["sent"], told["already_sent"], told["left_out"]) == (0, 6, {"no_span": 1})
        assert [post.path for post in receiver.posts] == ["/v1/logs"] * 2
        (record,) = folder.glob("sent-*")
        assert record.stat().st_mode & 0o777 == 0o600


def test_no_progress_is_told_where_nothing_listens(stagefault: Stagefault, folder: Path) -> None:
    del folder
    words = ("export", "otlp", "--progress", "json", "--endpoint")
    result = stagefault(*words, "http://127.0.0.1:9")
    assert result.exit_code == Exit.STORE
    assert "not sent      6" in result.stdout
    assert '"done": 7' not in result.stderr
    with ScriptedReceiver() as receiver:
        assert '"done": 7, "of": 7' in stagefault(*words, receiver.url).stderr


def test_what_is_rejected_is_told_and_has_a_code(stagefault: Stagefault, folder: Path) -> None:
    script = [partial(2, "quota\x1b[2J"), partial(0, "cut\x1b[2J")]
    with ScriptedReceiver(script) as receiver:
        words = ["export", "otlp", "--endpoint", receiver.url, "--batch-size", "4"]
        result = stagefault(*words, "--progress", "none")
        assert result.exit_code == Exit.LOSSES
        assert "rejected      2  partial success: quota\ufffd[2J\n" in result.stdout
        assert result.stderr == f"warning: {receiver.url}/v1/logs: cut\ufffd[2J.\n"
        again = stagefault(*words)
        assert again.exit_code == Exit.LOSSES
        assert "before that   2  partial success" in again.stdout
        assert stagefault(*words, "--allow-losses").exit_code == Exit.DONE
        assert stagefault(*words, "--retry-rejected").exit_code == Exit.DONE
        assert len(receiver.kept) == 6


def test_a_rehearsal_opens_no_connection(stagefault: Stagefault, folder: Path) -> None:
    with ScriptedReceiver() as receiver:
        words = ["export", "otlp", "--endpoint", receiver.url, "--dry-run"]
        result = stagefault(*words, "--batch-size", "4")
        assert result.stdout.splitlines() == [
            f"to send       6 of 7 judgements to {receiver.url}/v1/logs, in 2 requests or more",
            "left out      1  no_span",
        ]
        assert json.loads(stagefault(*words, "--json").stdout)["dry_run"] is True
        assert receiver.posts == []
        assert not list(folder.glob("sent-*"))


def test_credentials_are_sent_and_never_told(
    stagefault: Stagefault, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_HEADERS", f"authorization=Bearer%20{SECRET},x-a=b%2Cc")
    echoing = [partial(1, f"Bearer {SECRET} has no quota"), status(401, f"{SECRET} is unknown")]
    with ScriptedReceiver(echoing) as receiver:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url + "/otlp/")
        result = stagefault("export", "otlp", "--send", "--batch-size", "4", "--json")
        assert [post.path for post in receiver.posts] == ["/otlp/v1/logs"] * 2
        assert receiver.posts[0].headers["authorization"] == f"Bearer {SECRET}"
        assert receiver.posts[0].headers["x-a"] == "b,c"
    assert result.exit_code == Exit.USAGE
    told = json.loads(result.stdout)
    assert (told["sent"], told["not_sent"]) == (3, 2)
    assert told["rejected"] == {"partial success: [secret] has no quota": 1}
    assert "refuses the credentials (401 Unauthorized: [secret] is unknown)" in result.stderr
    kept = b"".join(path.read_bytes() for path in folder.iterdir())
    assert SECRET not in result.output + result.stderr
    assert SECRET.encode() not in kept


def test_a_password_in_the_address(
    stagefault: Stagefault, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ScriptedReceiver() as receiver:
        address = receiver.url.replace("//", f"//ada:{SECRET}@")
        typed = stagefault("export", "otlp", "--endpoint", address)
        assert (typed.exit_code, SECRET in typed.stderr) == (Exit.USAGE, False)
        assert "***@127.0.0.1" in typed.stderr
        assert receiver.posts == []
        monkeypatch.setenv("STAGEFAULT_ENDPOINT", address)
        result = stagefault("export", "otlp", "--send")
        assert (result.exit_code, SECRET in result.output) == (Exit.DONE, False)
        assert receiver.posts[0].headers["authorization"].startswith("Basic ")


def test_an_address_in_the_environment_alone_sends_nothing(
    stagefault: Stagefault, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ScriptedReceiver() as receiver:
        for name in ("OTEL_EXPORTER_OTLP_ENDPOINT", "STAGEFAULT_ENDPOINT"):
            monkeypatch.setenv(name, receiver.url)
            for form in ("otlp", "csv"):
                assert stagefault("export", form).exit_code == Exit.DONE
        assert receiver.posts == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        pytest.param(["csv", "--endpoint", "http://h"], "--endpoint: has no meaning", id="csv"),
        pytest.param(["phoenix", "--dry-run"], "--dry-run: has no meaning", id="phoenix"),
        pytest.param(["otlp", "--dry-run"], "--dry-run: is about sending", id="to nobody"),
        pytest.param(["otlp", "--retry-rejected"], "--retry-rejected: is", id="again, to nobody"),
        pytest.param(["otlp", "--send"], "--send: has no address", id="no address"),
        pytest.param(["otlp", "--endpoint", "collector"], "is no HTTP address", id="no scheme"),
        pytest.param(["otlp", "--endpoint", "http://h", "-o", "x"], "-o: names a file", id="-o"),
        pytest.param(["otlp", "--endpoint", "http://h", "--table", "turns"], "--table", id="table"),
    ],
)
def test_what_cannot_be_meant(
    stagefault: Stagefault, folder: Path, words: list[str], told: str
) -> None:
    result = stagefault("export", *words)
    assert result.exit_code == Exit.USAGE
    assert told in result.stderr
    assert not list(folder.glob("sent-*"))


def test_what_a_file_leaves_out_is_told(
    stagefault: Stagefault, folder: Path, tmp_path: Path
) -> None:
    path = tmp_path / "out.jsonl"
    assert "left out      1  no_span" in stagefault("export", "otlp").stderr
    assert "left out      1  no_span" in stagefault("export", "otlp", "-o", path).stderr
    told = json.loads(stagefault("export", "otlp", "-o", path, "--json").stdout)
    assert told["left_out"] == {"no_span": 1}


def test_a_killed_export_goes_on(folder: Path, tmp_path: Path) -> None:
    with ScriptedReceiver([Step(), Step(), Step(delay_s=60)]) as receiver:
        words = ["export", "otlp", "--endpoint", receiver.url, "--batch-size", "2", "--json"]
        command = [sys.executable, "-m", "analysis", *words, "--store", str(tmp_path / "store")]
        process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.DEVNULL, env={**os.environ, "NO_PROXY": "*"}
        )
        deadline = time.monotonic() + 60
        while len(receiver.posts) < 3:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
        again = subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
        told = json.loads(again.stdout)
        assert (told["already_sent"], told["sent"], told["sent_again"]) == (4, 2, 2)
        assert receiver.posts[2].ids == receiver.posts[3].ids
        assert len(receiver.kept) == 6
        assert len(receiver.posts) == 4
