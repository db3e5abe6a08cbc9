"""`replay --judge anthropic`, against a scripted server, from files to exit codes."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from analysis import load_run
from analysis.run import list_runs
from tests.cli.conftest import Serve, Stagefault
from tests.judge.remote_runs import (
    KEY,
    PRICED,
    billed_tokens,
    kept_tokens,
    question_text,
    select,
    turn_line,
)
from tests.server import OK, ScriptedServer, Step

ROOT = Path(__file__).parents[2]
CASES = ROOT.parent / "shared" / "cases"
JUDGE = ("--judge", "anthropic", "--judge-model", PRICED)


@pytest.fixture
def traces(tmp_path: Path) -> Path:
    """A conversation about shoes: three chunks, one cited; and a secret in the second chunk."""
    path = tmp_path / "traces.jsonl"
    lines = [turn_line(number) for number in range(1, 4)]
    path.write_text("\n".join(lines), "utf-8")
    return path


def sent(server: ScriptedServer) -> list[Any]:
    """Return the parameters of every message that was asked for."""
    direct = [one.body for one in server.asked("/v1/messages")]
    made = [one.body["requests"] for one in server.asked("/v1/messages/batches")]
    return [*direct, *(item["params"] for requests in made for item in requests)]


@pytest.mark.parametrize("how", ["--no-batch", "--batch"])
def test_a_run_asks_each_question_once_and_says_what_it_cost(
    stagefault: Stagefault, serve: Serve, traces: Path, tmp_path: Path, how: str
) -> None:
    server = serve()
    store = tmp_path / "store" / "verdicts.sqlite"
    result = stagefault("replay", traces, *JUDGE, how)
    assert result.exit_code == 0, result.stderr
    assert server.bill.repeats == {}
    assert kept_tokens(store) == billed_tokens(server)
    info = load_run("latest", tmp_path / "store").info
    assert info["questions"]["asked"] == len(server.bill.charges) == len(sent(server)) > 10
    assert info["tokens"] == dict(zip(("input", "output"), billed_tokens(server), strict=True))
    assert info["cost_usd"]
    assert f"cost    ${info['cost_usd']:,.4f} for" in result.stderr
    assert info["judge"]["model"] == PRICED
    assert info["judge"]["prompts"]["relevance"].startswith("relevance/1/")
    before = len(server.requests)
    again = stagefault("replay", traces, *JUDGE, how)
    assert again.exit_code == 0
    assert len(server.requests) == before
    asked = [one.info["questions"]["asked"] for one in list_runs(tmp_path / "store")]
    assert sorted(asked) == [0, info["questions"]["asked"]]


def test_both_ways_of_asking_share_verdicts_and_batches_are_few(
    stagefault: Stagefault, serve: Serve, traces: Path, tmp_path: Path
) -> None:
    server = serve()
    stagefault("replay", traces, *JUDGE, "--batch")
    batches = server.asked("/v1/messages/batches")
    assert 1 <= len(batches) <= 4  # one per round of questions
    stagefault("replay", traces, *JUDGE)
    assert server.asked("/v1/messages") == []


def test_a_dry_run_counts_and_sends_nothing(
    stagefault: Stagefault, serve: Serve, traces: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve()
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    counted = json.loads(stagefault("replay", traces, *JUDGE, "--dry-run", "--json").stdout)
    assert server.requests == []
    assert counted["cost_usd"]["batch"] == pytest.approx(counted["cost_usd"]["direct"] / 2)
    assert counted["prices"].startswith("genai-prices ")
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    stagefault("replay", traces, *JUDGE)
    asked = len(sent(server))
    assert counted["asked"] <= asked <= counted["asked"] + counted["later_at_most"]
    after = stagefault("replay", traces, *JUDGE, "--dry-run").stdout
    assert "100%" in after
    unknown = stagefault(
        "replay", traces, *JUDGE[:3], "claude-unheard-of-20260101", "--dry-run"
    ).stdout
    assert "cost        unknown: no price is known of anthropic" in unknown
    assert "claude-unheard-of-20260101" in unknown


def test_what_would_leave_is_what_leaves(
    stagefault: Stagefault, serve: Serve, traces: Path
) -> None:
    server = serve()
    shown = stagefault("replay", traces, *JUDGE, "--show-egress", "500", "--redact", "email")
    assert server.requests == []
    decoder, text, bodies = json.JSONDecoder(), shown.stdout.strip(), []
    while text:
        body, end = decoder.raw_decode(text)
        bodies.append(body)
        text = text[end:].lstrip()
    stagefault("replay", traces, *JUDGE, "--redact", "email")
    left = [json.dumps(one, sort_keys=True) for one in sent(server)]
    assert {json.dumps(one, sort_keys=True) for one in bodies} <= set(left)
    whole = "".join(left)
    assert "hunter2" not in whole
    assert "jo@example.org" not in whole
    assert "<EMAIL_1>" in whole
    assert "<PASSWORD_1>" in whole


def test_secrets_leave_only_when_told_to(
    stagefault: Stagefault, serve: Serve, traces: Path
) -> None:
    server = serve()
    stagefault("replay", traces, *JUDGE, "--keep-secrets")
    whole = json.dumps(sent(server))
    assert "hunter2!x" in whole
    assert "jo@example.org" in whole


def test_the_budget_is_never_exceeded(
    stagefault: Stagefault, serve: Serve, traces: Path, tmp_path: Path
) -> None:
    server = serve()
    none = stagefault("replay", traces, *JUDGE, "--max-cost", "0")
    assert none.exit_code == 5
    assert sent(server) == []
    some = stagefault("replay", traces, *JUDGE, "--max-cost", "0.05")
    assert some.exit_code == 5
    spent = max(one.info["cost_usd"] or 0.0 for one in list_runs(tmp_path / "store"))
    assert 0 < spent <= 0.05
    left = stagefault("replay", traces, *JUDGE, "--max-cost", "50")
    assert left.exit_code == 0
    assert server.bill.repeats == {}


def test_offline_opens_no_connection(
    stagefault: Stagefault, serve: Serve, traces: Path, tmp_path: Path
) -> None:
    server = serve()
    result = stagefault("replay", traces, *JUDGE, "--offline")
    assert result.exit_code == 4
    assert server.requests == []
    assert select(tmp_path / "store" / "verdicts.sqlite", "SELECT 1 FROM replies") == []
    stagefault("replay", traces, *JUDGE)
    before = len(server.requests)
    assert stagefault("replay", traces, *JUDGE, "--offline").exit_code == 0
    assert len(server.requests) == before


SOCKETLESS = """
import socket, sys
def refuse(*args, **kwargs):
    raise AssertionError("a socket was opened")
socket.socket.connect = socket.socket.connect_ex = refuse
socket.create_connection = socket.getaddrinfo = refuse
from analysis.cli import main
for option in ("--offline", "--dry-run", "--show-egress=3"):
    try:
        main([*sys.argv[1:], option])
    except SystemExit as ended:
        print("exit", ended.code)
"""


def test_no_socket_is_opened(traces: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SOCKETLESS, "replay", traces, *JUDGE, "--store", tmp_path],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "ANTHROPIC_API_KEY": KEY},
    )
    assert "socket was opened" not in done.stderr
    exits = [line for line in done.stdout.splitlines() if line.startswith("exit ")]
    assert exits == ["exit 4", "exit 0", "exit 0"], done.stderr


@pytest.mark.parametrize(
    ("options", "message"),
    [
        pytest.param(("--judge", "anthropic"), "no model is named", id="no model"),
        pytest.param((*JUDGE[:3], KEY), "looks like a key", id="a key for a model"),
        pytest.param((*JUDGE, "--redact", "names"), "no class 'names'", id="no such class"),
    ],
)
def test_what_cannot_be_meant(
    stagefault: Stagefault, serve: Serve, traces: Path, options: tuple[str, ...], message: str
) -> None:
    serve()
    result = stagefault("replay", traces, *options)
    assert result.exit_code == 2
    assert message in result.stderr
    assert KEY not in result.output


def test_without_a_key_nothing_is_asked(
    stagefault: Stagefault, serve: Serve, traces: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve()
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    monkeypatch.setenv("ANTHROPIC_CONFIG_DIR", str(traces.parent))
    result = stagefault("replay", traces, *JUDGE)
    assert result.exit_code == 2
    assert "there is no key. Set ANTHROPIC_API_KEY." in result.stderr


def test_a_budget_is_needed_where_nobody_watches(
    stagefault: Stagefault, serve: Serve, traces: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve()
    monkeypatch.setenv("CI", "true")
    assert stagefault("replay", traces, *JUDGE).exit_code == 2
    assert server.requests == []
    assert stagefault("replay", traces, *JUDGE, "--max-cost", "9").exit_code == 0


def test_a_refused_key_stops_the_run_and_keeps_what_was_paid_for(
    stagefault: Stagefault, serve: Serve, traces: Path, tmp_path: Path
) -> None:
    asked = 0

    def script(_: Any, __: int) -> Step:
        nonlocal asked
        asked += 1
        return Step(status=401) if asked > 4 else OK

    server = serve(script)
    result = stagefault("replay", traces, *JUDGE, "-j", "1")
    assert result.exit_code == 2
    assert "the key was refused" in result.stderr
    assert len(sent(server)) == 5
    assert kept_tokens(tmp_path / "store" / "verdicts.sqlite") == billed_tokens(server)


def test_an_alias_is_resolved_and_that_is_said(
    stagefault: Stagefault, serve: Serve, traces: Path, tmp_path: Path
) -> None:
    server = serve(models={"claude-haiku-latest": PRICED})
    result = stagefault("replay", traces, *JUDGE[:3], "claude-haiku-latest")
    assert f"is not pinned to a date: what it means may change; now it is {PRICED}" in result.stderr
    assert {one["model"] for one in sent(server)} == {PRICED}
    assert load_run("latest", tmp_path / "store").info["judge"]["model"] == PRICED


def test_turns_without_content_are_never_sent(stagefault: Stagefault, serve: Serve) -> None:
    if not CASES.is_dir():
        pytest.skip("the given cases are not here")
    server = serve()
    stagefault("replay", CASES / "21.nocontent.jsonl", *JUDGE)
    assert server.requests == []


def test_more_technical_failures_than_two_in_a_hundred_are_an_exit_code(
    stagefault: Stagefault, serve: Serve, traces: Path
) -> None:
    serve(lambda *_: Step(stop="refusal", reply=""))
    assert stagefault("replay", traces, *JUDGE).exit_code == 4


def test_texts_of_questions_reach_the_server(
    stagefault: Stagefault, serve: Serve, traces: Path
) -> None:
    server = serve()
    stagefault("replay", traces, *JUDGE)
    relevance = [one for one in sent(server) if "<<< chunk" in one["messages"][0]["content"]]
    assert {question_text(one) for one in relevance} >= {"Hats never.", "Shoes: 1 days."}
