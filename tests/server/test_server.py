import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any, cast

import anthropic
import pytest

from tests.server import OK, BatchScript, ScriptedServer, Step, cut_mid_line, in_turn

PARAMS: Any = {
    "model": "claude-test-20260101",
    "max_tokens": 100,
    "system": [{"type": "text", "text": "judge", "cache_control": {"type": "ephemeral"}}],
    "messages": [{"role": "user", "content": "hi"}],
}


def client(url: str, key: str = "k") -> anthropic.Anthropic:
    return anthropic.Anthropic(api_key=key, base_url=url, max_retries=0)


def test_a_message_is_answered_and_charged() -> None:
    with ScriptedServer() as server, client(server.url) as api:
        first, second = (api.messages.create(**PARAMS) for _ in range(2))
        assert first.stop_reason == "end_turn"
        assert first.usage.cache_creation_input_tokens == second.usage.cache_read_input_tokens
        charges = server.bill.charges
        assert [charge.output_tokens for charge in charges] == [
            first.usage.output_tokens,
            second.usage.output_tokens,
        ]
        assert list(server.bill.repeats.values()) == [2]
        count = api.messages.count_tokens(
            model="m", messages=PARAMS["messages"], system=PARAMS["system"]
        )
        assert count.input_tokens == charges[0].all_input_tokens


def test_failures_come_as_scripted_and_are_charged_only_where_work_was_done() -> None:
    steps = (Step(status=429, headers={"retry-after": "3"}), Step(reset="before"))
    script = in_turn(*steps, Step(reset="after"), OK)
    with ScriptedServer(script) as server, client(server.url) as api:
        with pytest.raises(anthropic.RateLimitError) as limited:
            api.messages.create(**PARAMS)
        assert limited.value.response.headers["retry-after"] == "3"
        for charged in (0, 1):
            with pytest.raises(anthropic.APIConnectionError):
                api.messages.create(**PARAMS)
            assert len(server.bill.charges) == charged
        api.messages.create(**PARAMS)


def test_a_wrong_key_is_refused() -> None:
    with ScriptedServer(key="right") as server:
        with client(server.url, "wrong") as api, pytest.raises(anthropic.AuthenticationError):
            api.messages.create(**PARAMS)
        with client(server.url, "right") as api:
            assert api.messages.create(**PARAMS)


def test_a_batch_ends_after_some_looks_and_tells_its_items_apart() -> None:
    outcomes = {
        "a": OK,
        "b": Step(outcome="errored", error="prompt is too long", status=400),
        "c": Step(outcome="expired"),
    }
    batches = BatchScript(polls=1, downloads=[cut_mid_line])
    server = ScriptedServer(
        lambda params, _: outcomes[params["messages"][0]["content"]], batches=batches
    )
    with server, client(server.url) as connected:
        api = connected.messages.batches
        made = api.create(
            requests=[
                cast(
                    "Any",
                    {
                        "custom_id": f"x-{name}",
                        "params": {**PARAMS, "messages": [{"role": "user", "content": name}]},
                    },
                )
                for name in outcomes
            ]
        )
        looks = [api.retrieve(made.id) for _ in range(2)]
        assert [one.processing_status for one in looks] == ["in_progress", "ended"]
        assert looks[0].request_counts.processing == 3
        with pytest.raises(json.JSONDecodeError):
            list(api.results(made.id))
        types = {one.custom_id: one.result.type for one in api.results(made.id)}
        assert types == {"x-a": "succeeded", "x-b": "errored", "x-c": "expired"}
        assert [charge.custom_id for charge in server.bill.charges] == ["x-a"]
        assert [one.id for one in api.list(limit=1)] == [made.id]


def test_it_runs_on_its_own(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.server", "--port", "0", "--bill", str(tmp_path / "bill")],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    url = process.stdout.readline().strip().removeprefix("ANTHROPIC_BASE_URL=")
    with client(url) as api:
        api.messages.create(**PARAMS)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=60)
    process.stdout.close()
    (line,) = (tmp_path / "bill").read_text().splitlines()
    assert json.loads(line)["via"] == "sync"
