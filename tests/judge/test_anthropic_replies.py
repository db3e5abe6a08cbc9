"""What a service can answer, asked directly and in batches: the outcome and the bill."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from ingest.errors import JudgeError, StoreError
from judge.ledger import Ledger
from tests.judge.remote_runs import (
    MODEL,
    PRICED,
    QUICK,
    billed_tokens,
    good,
    kept_tokens,
    run,
    select,
    states,
)
from tests.server import OK, ScriptedServer, Step, in_turn

pytestmark = pytest.mark.usefixtures("key_set")

TWICE = good() + "\n" + good(0)
WRONG_QUOTE = json.dumps({**json.loads(good()), "quote": "never said"})
NO_CONTENT = json.dumps(
    {"type": "message", "model": "m", "content": None, "stop_reason": "end_turn", "usage": {}}
).encode()
TOO_LONG = Step(status=400, error="prompt is too long: 250000 tokens > 200000 maximum")
TRIES = QUICK.later + 1


def judged_by(server: ScriptedServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)


REPLIES: list[Any] = [
    # steps, outcome, how often it is asked
    pytest.param([OK], "judged", 1, id="a good reply"),
    pytest.param([Step(reply=f"```json\n{good()}\n```")], "judged", 1, id="in a code fence"),
    pytest.param([Step(reply=good() + "  \n")], "judged", 1, id="with white space"),
    pytest.param([Step(reply=TWICE)], "two_objects", 2, id="two objects"),
    pytest.param([Step(reply=TWICE), OK], "judged", 2, id="two objects, then a good reply"),
    pytest.param([Step(reply="I cannot say.")], "invalid_json", 2, id="no JSON"),
    pytest.param([Step(reply="")], "invalid_json", 2, id="an empty reply"),
    pytest.param([Step(reply=f"Sure: {good()}")], "invalid_json", 2, id="words around it"),
    pytest.param([Step(reply='{"grade": 3}')], "invalid_json", 2, id="keys are missing"),
    pytest.param([Step(reply=good(7))], "out_of_range", 2, id="a grade out of range"),
    pytest.param([Step(reply=WRONG_QUOTE)], "quote_not_found", 2, id="a quote made up"),
    pytest.param([Step(reply=good(), stop="max_tokens")], "truncated", 2, id="cut twice"),
    pytest.param([Step(reply='{"gr', stop="max_tokens"), OK], "judged", 2, id="cut once"),
    pytest.param([Step(reply=good(), stop="refusal")], "refused", 1, id="refused"),
    pytest.param(
        [Step(reply="", stop="model_context_window_exceeded")], "too_long", 1, id="no room"
    ),
    pytest.param([Step(reply=good(), stop="tool_use")], "api_error", TRIES, id="an odd stop"),
    pytest.param([TOO_LONG], "too_long", 1, id="the prompt is too long"),
    pytest.param([Step(status=400, error="bad schema")], "api_error", 1, id="a bad request"),
    pytest.param([Step(status=413)], "too_long", 1, id="the request is too large"),
    pytest.param([Step(status=529)], "api_error", TRIES, id="overloaded for good"),
    pytest.param([Step(status=529), Step(status=500), OK], "judged", 3, id="overloaded, broken"),
    pytest.param([Step(status=500)], "api_error", TRIES, id="broken for good"),
    pytest.param(
        [Step(status=429, headers={"retry-after": "0.01"}), OK], "judged", 2, id="too many requests"
    ),
    pytest.param([Step(usage={"input_tokens": -4})], "judged", 1, id="a usage that is none"),
    pytest.param([Step(model="claude-other-20270101")], "judged", 1, id="another model answers"),
]
assert len(REPLIES) == 25


@pytest.mark.parametrize("batch", [False, True], ids=["directly", "in a batch"])
@pytest.mark.parametrize(("steps", "outcome", "times"), REPLIES)
def test_outcome_and_bill(
    store: Path,
    monkeypatch: pytest.MonkeyPatch,
    steps: list[Step],
    outcome: str,
    times: int,
    *,
    batch: bool,
) -> None:
    with ScriptedServer(in_turn(*steps)) as server:
        judged_by(server, monkeypatch)
        ran = run(store, batch=batch)
        assert ran.outcomes == [outcome] * 3
        paths = ("/v1/messages/batches",) if batch else ("/v1/messages",)
        sent = [one for path in paths for one in server.asked(path)]
        requests = sum(len(one.body["requests"]) if batch else 1 for one in sent)
        assert requests == 3 * times
        known = steps[0].usage is None
        assert kept_tokens(store) == (billed_tokens(server) if known else (0, 0))
        assert (ran.counts.input_tokens, ran.counts.output_tokens) == kept_tokens(store)
        assert ran.counts.asked == 3
        assert set(states(store)) == {"settled"}
        assert not list(store.parent.glob("*.run-*"))
        # nothing of a failure is a verdict in the next run either
        if outcome == "judged":
            again = run(store, batch=batch)
            assert (again.counts.asked, again.outcomes) == (0, ["judged"] * 3)


@pytest.mark.parametrize("status", [401, 402, 403, 404])
def test_what_no_request_can_pass_stops_the_run_at_once(
    store: Path, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    with ScriptedServer(in_turn(Step(status=status))) as server:
        judged_by(server, monkeypatch)
        with pytest.raises(JudgeError):
            run(store, texts=[str(number) for number in range(30)], jobs=1)
        assert len(server.asked("/v1/messages")) == 1
        with pytest.raises(JudgeError):
            run(store, texts=[str(number) for number in range(30)], jobs=4)
        assert len(server.asked("/v1/messages")) <= 1 + 4


def test_a_refused_key_stops_a_batch_before_it_is_made(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ScriptedServer(key="another") as server:
        judged_by(server, monkeypatch)
        with pytest.raises(JudgeError, match="key was refused"):
            run(store, batch=True)
        assert len(server.requests) == 1
    assert set(states(store)) <= {"intent", "void"}


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(Step(overload_in_stream=True, reply='{"score":0.'), id="overload in a stream"),
        pytest.param(Step(body=b"<html>bad gateway</html>"), id="no JSON"),
        pytest.param(Step(body=b'{"type": "message"'), id="JSON that is cut"),
        pytest.param(Step(body=b"[]"), id="no object"),
        pytest.param(Step(reset="before"), id="a connection that broke"),
        pytest.param(Step(reset="after"), id="a reply that got lost"),
    ],
)
def test_what_is_no_message_is_never_read(
    store: Path, monkeypatch: pytest.MonkeyPatch, step: Step
) -> None:
    with ScriptedServer(in_turn(step)) as server:
        judged_by(server, monkeypatch)
        ran = run(store, texts=["a"])
        assert ran.outcomes == ["api_error"]
        assert len(server.asked("/v1/messages")) == TRIES
        assert states(store) == ["maybe_paid"] * TRIES
        assert "5 requests may have been paid for" in ran.warnings[0]
        assert kept_tokens(store) == (0, 0)
    with ScriptedServer(in_turn(step, OK)) as server:
        judged_by(server, monkeypatch)
        assert run(store, texts=["a"]).outcomes == ["judged"]


def test_a_service_that_is_not_there_cannot_have_been_paid(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ScriptedServer() as server:
        url = server.url
    monkeypatch.setenv("ANTHROPIC_BASE_URL", url)
    ran = run(store, texts=["a"])
    assert ran.outcomes == ["api_error"]
    assert set(states(store)) == {"settled"}
    assert ran.warnings == []


def test_content_that_is_none_is_a_failure_of_the_service(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ScriptedServer(in_turn(Step(body=NO_CONTENT))) as server:
        judged_by(server, monkeypatch)
        assert run(store, texts=["a"]).outcomes == ["api_error"]


def test_a_service_that_fails_on_and_on_is_given_up(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ScriptedServer(in_turn(Step(status=500))) as server:
        judged_by(server, monkeypatch)
        with pytest.raises(JudgeError, match="50 questions in a row"):
            run(store, texts=[str(number) for number in range(500)])
        assert len(server.requests) < 500


def test_a_cut_reply_gets_more_room(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedServer(in_turn(Step(reply="{", stop="max_tokens"), OK)) as server:
        judged_by(server, monkeypatch)
        run(store, texts=["a"])
        rooms = [one.body["max_tokens"] for one in server.asked("/v1/messages")]
        assert rooms == [1_500, 6_000]


def test_what_the_service_says_of_itself_is_kept(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ScriptedServer(in_turn(Step(model="claude-other-20270101"))) as server:
        judged_by(server, monkeypatch)
        ran = run(store, texts=["a"])
    assert ran.verdicts[0].model == "claude-other-20270101"
    assert ran.warnings == [f"the service answered as claude-other-20270101, asked was {MODEL}"]
    ((detail,),) = select(store, "SELECT detail FROM attempts WHERE state = 'settled'")
    assert json.loads(detail)["input_tokens"] == ran.counts.input_tokens


def test_an_unknown_price_is_unknown_and_a_known_one_is_counted(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ScriptedServer(caches=False) as server:
        judged_by(server, monkeypatch)
        unknown = run(store)
        known = run(store, model=PRICED)
        batch = run(store, texts=["d", "e", "f"], model=PRICED, batch=True)
    assert (unknown.counts.unpriced, unknown.counts.cost_usd) == (3, 0.0)
    assert known.counts.unpriced == 0
    assert known.counts.cost_usd > 0
    assert batch.counts.cost_usd == pytest.approx(known.counts.cost_usd / 2)


def test_the_prompt_cache_says_what_it_saved(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedServer() as server:
        judged_by(server, monkeypatch)
        account = run(store, model=PRICED, texts=list("abcdefgh")).judge.account
        charges = server.bill.charges
    assert account.usage.cache_read_tokens == sum(one.cache_read_tokens for one in charges) > 0
    assert account.usage.cache_write_tokens == sum(one.cache_write_tokens for one in charges) > 0
    assert account.saved_usd > 0


def test_a_reply_that_takes_too_long_may_have_been_paid_for(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ScriptedServer(in_turn(Step(delay_s=1.0), OK)) as server:
        judged_by(server, monkeypatch)
        ran = run(store, texts=["a"], timeout_s=0.3)
    assert ran.outcomes == ["judged"]
    assert states(store) == ["maybe_paid", "settled"]
    assert len(ran.judge.account.maybe_paid) == 1


def test_no_more_is_under_way_than_allowed(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedServer(lambda *_: Step(delay_s=0.02)) as server:
        judged_by(server, monkeypatch)
        run(store, texts=[str(number) for number in range(30)], jobs=3)
        assert server.most_in_flight == 3


def test_a_service_that_asks_to_wait_is_left_alone(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limited = Step(status=429, headers={"retry-after": "0.7"})
    asked: list[float] = []

    def script(_: Any, __: int) -> Step:
        asked.append(time.monotonic())
        return limited if len(asked) == 1 else OK

    with ScriptedServer(script) as server:
        judged_by(server, monkeypatch)
        assert run(store, texts=list("abcdef"), jobs=1).outcomes == ["judged"] * 6
    assert asked[1] - asked[0] >= 0.7
    assert len(asked) == 7


@pytest.mark.parametrize("nth", range(1, 9))
@pytest.mark.parametrize("for_good", [False, True], ids=["once", "from then on"])
def test_a_store_that_cannot_be_written_stops_the_run_and_loses_nothing_it_stored(
    store: Path, monkeypatch: pytest.MonkeyPatch, nth: int, *, for_good: bool
) -> None:
    plain, calls = Ledger.transact, 0

    def failing(ledger: Ledger, work: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == nth or (for_good and calls > nth):
            raise StoreError(str(store), "cannot be used (disk full)")
        return plain(ledger, work)

    with ScriptedServer() as server:
        judged_by(server, monkeypatch)
        with monkeypatch.context() as patched:
            patched.setattr(Ledger, "transact", failing)
            try:
                run(store, texts=list("abcdefgh"), jobs=2)
            except StoreError:
                assert calls >= nth
        ran = run(store, texts=list("abcdefgh"))
        assert ran.outcomes == ["judged"] * 8
        listed = states(store).count("maybe_paid")
        assert len(server.bill.charges) - 8 <= listed <= 2
        assert select(store, "PRAGMA integrity_check") == [("ok",)]
