"""Batches: cut into chunks, made once, found again, fetched whole, whatever order they come in."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from judge.answers import Relevance
from judge.remote.batch_service import BatchSettings
from tests.judge.remote_runs import (
    KEY,
    billed_tokens,
    good,
    kept_tokens,
    question_text,
    run,
    select,
    states,
)
from tests.server import OK, BatchScript, ScriptedServer, Step, cut_mid_line

ROOT = Path(__file__).parents[2]
CASES = ROOT.parent / "shared" / "cases"
SOON = {"first_look_s": 0.01, "longest_look_s": 0.02, "find_s": 0.15}

Serve = Callable[..., ScriptedServer]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "verdicts.sqlite"


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Serve:
    """Start a server that the client finds, stopped at the end of the test."""

    def start(script: Any = lambda *_: OK, **batches: Any) -> ScriptedServer:
        server = ScriptedServer(script, batches=BatchScript(**batches))
        request.addfinalizer(server.close)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        return server

    return start


def sizes(server: ScriptedServer) -> list[int]:
    return [len(one.body["requests"]) for one in server.asked("/v1/messages/batches")]


def texts(number: int) -> list[str]:
    return [f"text {one}" for one in range(number)]


@pytest.mark.parametrize(
    ("items", "size", "expected"),
    [
        pytest.param(4, 10**9, [4, 4, 2], id="by number"),
        pytest.param(10, 10**9, [10], id="exactly one"),
        pytest.param(99, 1, [1] * 10, id="one that is too large goes alone"),
        pytest.param(99, 14_000, [3, 3, 3, 1], id="by size"),
    ],
)
def test_batches_are_cut(
    store: Path, serve: Serve, items: int, size: int, expected: list[int]
) -> None:
    server = serve()
    settings = BatchSettings(items=items, bytes=size, **SOON)
    ran = run(store, texts=texts(10), batch=True, batches=settings)
    assert ran.outcomes == ["judged"] * 10
    assert sizes(server) == expected
    bodies = [len(json.dumps(one.body)) for one in server.asked("/v1/messages/batches")]
    assert max(bodies) <= max(size, 5_000)


def test_ids_tell_run_batch_item_and_question(store: Path, serve: Serve) -> None:
    server = serve()
    run(store, texts=texts(3), batch=True)
    (made,) = server.asked("/v1/messages/batches")
    ids = [item["custom_id"] for item in made.body["requests"]]
    assert all(len(one) <= 64 and one.replace("-", "").isalnum() for one in ids)
    assert len({one.split("-")[1] for one in ids}) == 1
    keys = [key for (key,) in select(store, "SELECT key FROM attempts WHERE key != '' ORDER BY id")]
    assert [one.split("-")[4] for one in ids] == [key[:24] for key in keys[:3]]


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(Step(reset="after"), id="made, and nobody was told"),
        pytest.param(Step(reset="before"), id="not made"),
        pytest.param(Step(status=529), id="refused for now"),
    ],
)
def test_a_batch_is_made_once_whatever_becomes_of_the_answer(
    store: Path, serve: Serve, step: Step
) -> None:
    server = serve(create=[step])
    ran = run(store, texts=texts(5), batch=True)
    assert ran.outcomes == ["judged"] * 5
    assert len(server.batches.made) == 1
    assert server.bill.repeats == {}
    assert kept_tokens(store) == billed_tokens(server)
    assert set(states(store)) == {"settled"}


@pytest.mark.parametrize(
    "looks",
    [
        pytest.param([Step(status=500)] * 3, id="for a while"),
        pytest.param([Step(reset="before")] * 3, id="no connection for a while"),
    ],
)
def test_looking_is_patient(store: Path, serve: Serve, looks: list[Step]) -> None:
    server = serve(create=[Step(reset="after")], looks=looks)
    assert run(store, texts=texts(3), batch=True).outcomes == ["judged"] * 3
    assert len(server.batches.made) == 1


@pytest.mark.parametrize(
    ("create", "looks"),
    [
        pytest.param(Step(reset="after"), 10, id="made, and nobody was told"),
        pytest.param(Step(reset="before"), 10, id="not made"),
        pytest.param(OK, 5, id="made"),
    ],
)
def test_a_batch_that_cannot_be_looked_at_is_left_to_the_next_run(
    store: Path, serve: Serve, create: Step, looks: int
) -> None:
    server = serve(create=[create], looks=[Step(status=500)] * looks)
    first = run(store, texts=texts(3), batch=True)
    assert first.outcomes == ["api_error"] * 3
    assert any("cannot be looked at" in warning for warning in first.warnings)
    assert list(store.parent.glob("*.run-*"))
    again = run(store, texts=texts(3), batch=True)
    assert again.outcomes == ["judged"] * 3
    assert len(server.batches.made) == 1
    assert server.bill.repeats == {}
    assert not list(store.parent.glob("*.run-*"))


def test_a_batch_of_somebody_else_is_not_adopted(store: Path, serve: Serve) -> None:
    server = serve(create=[Step(reset="before")])
    params = {"model": "m", "max_tokens": 1, "messages": [{"role": "user", "content": "x"}]}
    server.batches.create([{"custom_id": f"other-{n}", "params": params} for n in range(5)])
    ran = run(store, texts=texts(5), batch=True)
    assert ran.outcomes == ["judged"] * 5
    assert len(server.batches.made) == 2


def test_what_is_refused_for_good_is_no_verdict(store: Path, serve: Serve) -> None:
    server = serve(create=[Step(status=400, error="bad")])
    ran = run(store, texts=texts(2), batch=True)
    assert ran.outcomes == ["api_error"] * 2
    assert "a batch was not taken: HTTP 400: bad" in ran.warnings[0]
    assert run(store, texts=texts(2), batch=True).outcomes == ["judged"] * 2
    assert server.bill.repeats == {}


@pytest.mark.parametrize(
    ("item", "times", "outcome"),
    [
        pytest.param(Step(outcome="expired"), 2, "judged", id="expired"),
        pytest.param(Step(outcome="canceled"), 2, "judged", id="canceled"),
        pytest.param(Step(status=529), 2, "judged", id="the service failed"),
        pytest.param(Step(status=400, error="prompt is too long"), 1, "too_long", id="too long"),
        pytest.param(Step(status=400, error="bad"), 1, "api_error", id="invalid"),
    ],
)
def test_items_that_failed_are_told_apart(
    store: Path, serve: Serve, item: Step, times: int, outcome: str
) -> None:
    def script(params: Any, before: int) -> Step:
        return item if question_text(params) == "text 1" and before == 0 else OK

    server = serve(script)
    ran = run(store, texts=texts(3), batch=True)
    assert ran.outcomes == ["judged", outcome, "judged"]
    assert sizes(server) == [3, *([1] * (times - 1))]
    assert kept_tokens(store) == billed_tokens(server)


@pytest.mark.parametrize(
    "download",
    [
        pytest.param(cut_mid_line, id="cut in a line"),
        pytest.param(lambda lines: b"\n".join(lines[:2]), id="cut at the end of a line"),
        pytest.param(lambda _: b"", id="empty"),
        pytest.param(lambda lines: b"\n".join([*lines[:2], b"{}", b"nonsense"]), id="rubbish"),
        pytest.param(lambda lines: b"\r\n\n".join([*lines, *lines]), id="everything twice"),
    ],
)
def test_results_are_downloaded_until_all_have_come(
    store: Path, serve: Serve, download: Callable[[list[bytes]], bytes]
) -> None:
    server = serve(downloads=[download])
    ran = run(store, texts=texts(6), batch=True)
    assert ran.outcomes == ["judged"] * 6
    assert ran.warnings == []
    assert server.bill.repeats == {}
    assert kept_tokens(store) == billed_tokens(server)


def test_results_that_do_not_come_are_fetched_by_the_next_run(store: Path, serve: Serve) -> None:
    server = serve(downloads=[lambda lines: b"\n".join(lines[:4])] * 4)
    ran = run(store, texts=texts(6), batch=True)
    assert sorted(ran.outcomes) == ["api_error"] * 2 + ["judged"] * 4
    assert any("2 results did not come" in warning for warning in ran.warnings)
    again = run(store, texts=texts(6))
    assert again.outcomes == ["judged"] * 6
    assert again.counts.asked == 0
    assert len(server.bill.charges) == 6
    assert kept_tokens(store) == billed_tokens(server)
    assert not list(store.parent.glob("*.run-*"))


def test_counts_that_do_not_fit_are_reported(store: Path, serve: Serve) -> None:
    serve(counts={"succeeded": 2, "errored": 1})
    ran = run(store, texts=texts(3), batch=True)
    assert ran.outcomes == ["judged"] * 3
    assert any("counted 1 errored, 2 succeeded" in warning for warning in ran.warnings)


# Crashes

CHILD = """
import sys
from pathlib import Path
from tests.judge.remote_runs import run
print("ready", flush=True)
ran = run(Path(sys.argv[1]), texts=[f"text {n}" for n in range(int(sys.argv[2]))], batch=sys.argv[3] == "batch", jobs=4)
print(ran.outcomes.count("judged"), flush=True)
"""


def child(store: Path, number: int, how: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", CHILD, str(store), str(number), how],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def wait_for(happened: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Wait until something has happened that the process does while it lives."""
    while not happened():
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGINT], ids=["killed", "interrupted"])
def test_a_batch_outlives_the_run_that_made_it(
    store: Path, serve: Serve, stop: signal.Signals
) -> None:
    server = serve(polls=10**6)
    process = child(store, 8, "batch")

    def looked() -> bool:
        paths = [one.path for one in server.requests if one.method == "GET"]
        return bool(server.batches.made) and any("batches/msgbatch" in path for path in paths)

    wait_for(looked, process)
    process.send_signal(stop)
    process.communicate()
    server.batches.script.polls = 0
    ran = run(store, texts=texts(8), batch=True)
    assert ran.outcomes == ["judged"] * 8
    assert ran.counts.asked == 0
    assert len(server.batches.made) == 1
    assert kept_tokens(store) == billed_tokens(server)
    assert not list(store.parent.glob("*.run-*"))


@pytest.mark.parametrize("number", [200])
def test_an_interrupted_run_stores_what_is_under_way(
    store: Path, serve: Serve, number: int
) -> None:
    server = serve(lambda *_: Step(delay_s=0.05))
    process = child(store, number, "directly")
    wait_for(lambda: len(server.bill.charges) >= 12, process)
    process.send_signal(signal.SIGINT)
    process.communicate()
    assert len(server.bill.charges) < number
    assert kept_tokens(store) == billed_tokens(server)
    assert set(states(store)) == {"settled"}
    assert run(store, texts=texts(number)).outcomes == ["judged"] * number
    assert server.bill.repeats == {}


# Case 38


def in_our_schema(line: Any, ids: dict[str, str]) -> bytes:
    """Put our ids and a reply in our schema into a line of the case."""
    line = json.loads(json.dumps(line))
    message = line["result"].get("message")
    if message is not None:
        score = json.loads(message["content"][0]["text"])["score"]
        message["content"][0]["text"] = json.dumps({**json.loads(good(0)), "reason": str(score)})
    line["custom_id"] = ids.get(line["custom_id"], line["custom_id"])
    return json.dumps(line).encode()


def result(name: str, score: float) -> Any:
    content = [{"type": "text", "text": json.dumps({"score": score})}]
    usage = {"input_tokens": 10, "output_tokens": 4}
    message: Any = {"type": "message", "model": "m", "stop_reason": "end_turn", "content": content}
    message["usage"] = usage
    return {"custom_id": name, "result": {"type": "succeeded", "message": message}}


@pytest.mark.skipif(not CASES.is_dir(), reason="the given cases are not here")
def test_case_38_ended_hides_what_failed(store: Path, serve: Serve) -> None:
    want = json.loads((CASES / "expected.json").read_text("utf-8"))["38"]
    names = want["requested"]
    *whole, cut = (CASES / "38.batch_results.jsonl").read_bytes().split(b"\n")
    lines = [json.loads(line) for line in whole]
    more = [result(name, score) for name, score in want["second_download"].items()]
    ids: dict[str, str] = {}
    fetched: list[dict[str, float]] = []

    def first(_: list[bytes]) -> bytes:
        whole = [in_our_schema(line, ids) for line in lines]
        return b"\n".join([*whole, cut.replace(b"v-6", ids["v-6"].encode())])

    def scores() -> dict[str, float]:
        rows = select(store, "SELECT key, text FROM replies WHERE error IS NULL")
        by_key = {one.split("-")[4]: name for name, one in ids.items()}
        return {by_key[key[:24]]: float(json.loads(text)["reason"]) for key, text in rows}

    def second(_: list[bytes]) -> bytes:
        fetched.append(scores())
        return b"\n".join(in_our_schema(line, ids) for line in [*lines, *more])

    server = serve(downloads=[first, second], counts=want["request_counts"])
    create = server.batches.create

    def noting(requests: Any) -> Any:
        if not ids:
            ids.update(zip(names, (one["custom_id"] for one in requests), strict=True))
        elif len(requests) == 2:
            fetched.append(scores())
            server.batches.script.counts = None
        return create(requests)

    server.batches.create = noting  # type: ignore[method-assign]
    ran = run(store, texts=names, batch=True)
    # after the first download
    assert fetched[0] == want["verdicts"]
    assert sum(fetched[0].values()) / len(fetched[0]) == pytest.approx(want["mean"])
    # after the second
    assert fetched[1] == {**want["verdicts"], **want["second_download"]}
    mean = sum(fetched[1].values()) / len(fetched[1])
    assert mean == pytest.approx(want["mean_after_second_download"])
    # v-2 is permanent, v-4 and v-5 are sent again in a new batch of two
    made = server.asked("/v1/messages/batches")
    assert [len(one.body["requests"]) for one in made] == [7, 2]
    again = {one["custom_id"].split("-")[4] for one in made[1].body["requests"]}
    assert again == {ids[name].split("-")[4] for name in want["resubmit"]}
    outcomes = dict(zip(names, ran.outcomes, strict=True))
    assert [name for name, one in outcomes.items() if one != "judged"] == want["permanent"]
    assert outcomes["v-2"] == "too_long"
    assert any("results that are not its own: 1" in warning for warning in ran.warnings)
    assert all(
        isinstance(one.answer, Relevance) for one in ran.verdicts if one.key != ran.verdicts[1].key
    )


def test_results_in_any_order_are_matched_by_id(store: Path, serve: Serve) -> None:
    def script(params: Any, _: int) -> Step:
        return Step(reply=json.dumps({**json.loads(good()), "reason": question_text(params)}))

    def shuffled(lines: list[bytes]) -> bytes:
        random.Random(3).shuffle(lines)
        return b"\n".join(lines)

    serve(script, downloads=[shuffled])
    ran = run(store, texts=texts(40), batch=True)
    reasons = [one.decided.reason for one in ran.verdicts if one.decided is not None]
    assert reasons == texts(40)
