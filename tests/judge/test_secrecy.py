"""The key, and other secrets of the environment, appear in nothing that a run leaves behind."""

import json
import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from judge.remote.secrecy import guard_logs, scrub
from tests.judge.remote_runs import KEY, PRICED, turn_line
from tests.server import OK, BatchScript, ScriptedServer, Step, cut_mid_line, in_turn

ROOT = Path(__file__).parents[2]
SECRETS = {
    "ANTHROPIC_API_KEY": KEY,
    "ANTHROPIC_WEBHOOK_SIGNING_KEY": "whsec-MARKED-02-zzzzzz",
    "ANTHROPIC_CUSTOM_HEADERS": "X-Team: MARKED-03-team-secret\nX-Proxy: MARKED-04-proxy-secret",
    "ANTHROPIC_IDENTITY_TOKEN": "MARKED-05-identity",
    "AWS_ACCESS_KEY_ID": "AKIAMARKED06AAAAAAAA",
    "AWS_SECRET_ACCESS_KEY": "MARKED-07-aws-secret-access-key-0000000",
    "AWS_SESSION_TOKEN": "MARKED-08-session-token",
    "ANTHROPIC_AUTH_TOKEN": "MARKED-09-auth-token",
    "AWS_BEARER_TOKEN_BEDROCK": "MARKED-10-bedrock-token",
}
MARKS = [
    KEY,
    KEY[-20:],
    "AKIAMARKED06AAAAAAAA",
    *(f"MARKED-{n:02}" for n in (2, 3, 4, 5, 7, 8, 9, 10)),
]
NOISY = """
import logging, sys, traceback
logging.basicConfig(level=logging.DEBUG, filename=sys.argv[1])
from analysis.cli import main
try:
    main(sys.argv[2:])
except SystemExit:
    pass
from judge.remote.client import ApiClient, fatal_error
client = ApiClient("m", timeout_s=5)
try:
    for number in range(4):
        outcome = client.send({"model": "m", "max_tokens": 1, "messages": [{"role": "user", "content": "x"}]})
        print(outcome)
    raise fatal_error("the key was refused. Set another")
except Exception:
    traceback.print_exc()
print(open("/proc/self/cmdline").read())
"""


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        (f"key {KEY} refused", KEY),
        ("Authorization: Bearer abcdefgh12345678", "abcdefgh12345678"),
        ("{'x-api-key': 'abcdef123456'}", "abcdef123456"),
        ("AKIAABCDEFGHIJKLMNOP", "AKIAABCDEFGHIJKLMNOP"),
        ("aws_secret_access_key=abcdefghij", "abcdefghij"),
    ],
)
def test_what_looks_like_a_key_is_scrubbed(text: str, hidden: str) -> None:
    assert hidden not in scrub(text)
    assert "[secret]" in scrub(text)


def test_a_value_of_the_environment_is_scrubbed_whatever_it_looks_like(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "plain words here")
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "A: first one\nB: second one")
    assert scrub("a plain words here b first one c second one") == (
        "a [secret] b [secret] c [secret]"
    )
    assert scrub("nothing to hide") == "nothing to hide"


def test_logs_of_the_client_are_scrubbed_for_every_handler(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    factory = logging.getLogRecordFactory()
    try:
        guard_logs()
        guarded = logging.getLogRecordFactory()
        guard_logs()
        assert logging.getLogRecordFactory() is guarded
        with caplog.at_level(logging.DEBUG):
            logging.getLogger("anthropic._base_client").debug("options %s", {"key": KEY})
            try:
                int(KEY)
            except ValueError:
                logging.getLogger("httpx2").debug("failed", exc_info=True)
            logging.getLogger("another").debug("left %s", "alone")
        assert KEY not in caplog.text
        assert "options" in caplog.text
        assert "invalid literal for int() with base 10: '[secret]'" in caplog.text
        assert "left alone" in caplog.text
    finally:
        logging.setLogRecordFactory(factory)


@pytest.mark.parametrize("how", ["--no-batch", "--batch"])
def test_no_secret_is_left_behind(tmp_path: Path, how: str) -> None:
    traces, log = tmp_path / "traces.jsonl", tmp_path / "debug.log"
    traces.write_text("\n".join(turn_line(number) for number in range(1, 4)), "utf-8")
    failures = (
        Step(status=500, error=f"header Authorization: Bearer {KEY} is odd"),
        Step(reset="after"),
        Step(body=b"<html>"),
    )

    def script(params: Any, before: int) -> Step:
        if params["model"] == "m":
            return Step(status=(400, 401, 500, 529)[before % 4], error=f"bad {KEY}")
        return in_turn(*(failures if how == "--no-batch" else in_batch), OK)(params, before)

    odd = Step(status=500, error=f"header Authorization: Bearer {KEY} is odd")
    in_batch = (
        Step(outcome="errored", status=400, error=f"x-api-key: {KEY} is odd"),
        Step(body=f"<html>{KEY}".encode()),
    )
    batches = BatchScript(create=[odd, Step(reset="after")], looks=[odd], downloads=[cut_mid_line])
    with ScriptedServer(script, batches=batches) as server:
        done = subprocess.run(
            [
                *(sys.executable, "-c", NOISY, log, "replay", traces, "--judge", "anthropic"),
                *("--judge-model", PRICED, "--store", tmp_path / "store", how),
                *("-o", tmp_path / "report.md", "-o", tmp_path / "report.json"),
                *("--max-cost", "5"),
            ],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
            env={
                **os.environ,
                **SECRETS,
                "ANTHROPIC_BASE_URL": server.url,
                "ANTHROPIC_LOG": "debug",
            },
        )
        assert any(one.headers.get("x-team") for one in server.requests)
        assert len(server.bill.charges) > 5
        ways = {charge.via for charge in server.bill.charges}
        assert ("batch" in ways) is (how == "--batch")
    texts = {"output": done.stdout + done.stderr}
    for path in tmp_path.rglob("*"):
        if path.suffix == ".parquet":
            texts[str(path)] = json.dumps(pq.read_table(path).to_pylist(), default=str)
        if path.is_file():
            texts[f"{path} raw"] = path.read_bytes().decode("latin-1")
    assert "HTTP Request" in texts[f"{log} raw"]
    assert any("run.json" in name for name in texts)
    stored = "".join(text for name, text in texts.items() if "verdicts.sqlite" in name)
    assert "[secret]" in stored  # what the server told of the key did come by
    found = [(name, mark) for name, text in texts.items() for mark in MARKS if mark in text]
    assert found == []
