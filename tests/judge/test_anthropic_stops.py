"""However a run stops: what it has under way ends, or is given up, before its connections close.

A request is held back where the run cannot see it, while it connects or while it waits for
the reply, until the run is over.
"""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeAlias

import pytest

from ingest.errors import JudgeError, StoreError
from judge.anthropic_judge import AnthropicJudge
from judge.ledger import Ledger
from judge.remote.client import ApiClient
from judge.remote.outcomes import failed
from judge.remote.workers import Workers
from tests.judge.remote_runs import MODEL, PRICED, quick_settings, run, states
from tests.server import OK, ScriptedServer, Step

pytestmark = pytest.mark.usefixtures("key_set")

Where: TypeAlias = Literal["connecting", "waiting for the reply"]
STOPS: list[Any] = [
    pytest.param(StoreError("store", "cannot be used (disk full)"), True, id="the store breaks"),
    pytest.param(StoreError("store", "cannot be used (busy)"), False, id="the store fails once"),
    pytest.param(KeyboardInterrupt(), False, id="Ctrl-C"),
    pytest.param(ZeroDivisionError(), False, id="a fault of ours"),
]


@dataclass(slots=True)
class Held:
    """One request that is held back, and all sockets that were opened for the service."""

    where: Where
    release: threading.Event = field(default_factory=threading.Event)
    held: threading.Event = field(default_factory=threading.Event)
    sockets: list[socket.socket] = field(default_factory=list)

    def hold(self, here: Where) -> None:
        """Hold the first thread back that comes to the place."""
        if here == self.where and not self.held.is_set():
            self.held.set()
            assert self.release.wait(20)

    def script(self, _: Any, __: int) -> Step:
        """Answer all requests but one at once."""
        self.hold("waiting for the reply")
        return OK

    def all_closed(self) -> bool:
        """Tell whether no connection is left open."""
        return bool(self.sockets) and all(one.fileno() == -1 for one in self.sockets)


@pytest.fixture(params=["connecting", "waiting for the reply"])
def held(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    found = Held(request.param)
    connect: Callable[..., socket.socket] = socket.create_connection

    def connecting(*arguments: Any, **named: Any) -> socket.socket:
        found.hold("connecting")
        opened = connect(*arguments, **named)
        found.sockets.append(opened)
        return opened

    monkeypatch.setattr(socket, "create_connection", connecting)
    yield found
    found.release.set()


def workers_ended() -> bool:
    """Wait for the threads of a judge that was closed."""
    threads = [one for one in threading.enumerate() if one.name == "judge"]
    for one in threads:
        one.join(20)
    return not any(one.is_alive() for one in threads)


@pytest.mark.parametrize(("error", "for_good"), STOPS)
def test_a_request_that_outlives_its_run_closes_its_connection(
    store: Path,
    monkeypatch: pytest.MonkeyPatch,
    held: Held,
    error: BaseException,
    *,
    for_good: bool,
) -> None:
    monkeypatch.setattr("judge.remote.direct._GRACE_S", 0.1)
    plain, raised = Ledger.transact, 0

    def breaking(ledger: Ledger, work: Any) -> Any:
        nonlocal raised
        if held.held.is_set() and (for_good or not raised):
            raised += 1
            raise error
        return plain(ledger, work)

    with ScriptedServer(held.script) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        with monkeypatch.context() as patched:
            patched.setattr(Ledger, "transact", breaking)
            with pytest.raises(type(error)):
                run(store, texts=list("abcdefgh"), jobs=2)
        # The run is over, and does not wait for the one that is held.
        assert not held.release.is_set()
        held.release.set()
        assert workers_ended()
        assert held.all_closed()
        # What it came to is known to the service alone.
        assert run(store, texts=list("abcdefgh")).outcomes == ["judged"] * 8
        assert len(server.bill.charges) - 8 <= states(store).count("maybe_paid") <= 2


@pytest.mark.parametrize("stop", ["the key is refused", "the budget is spent", "nothing"])
def test_a_run_that_ends_by_itself_waits_for_what_is_under_way(
    store: Path, monkeypatch: pytest.MonkeyPatch, held: Held, stop: str
) -> None:
    refused = Step(status=401)
    seen = 0

    def script(body: Any, before: int) -> Step:
        nonlocal seen
        seen += 1
        last = seen > 1 and stop == "the key is refused"
        held.script(body, before)
        return refused if last else OK

    def later() -> None:
        assert held.held.wait(20)
        time.sleep(0.3)
        held.release.set()

    budget = 0.0106 if stop == "the budget is spent" else None
    threading.Thread(target=later).start()
    with ScriptedServer(script) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        try:
            ran = run(store, texts=list("abcdefgh"), jobs=2, model=PRICED, max_cost_usd=budget)
        except JudgeError:
            assert stop == "the key is refused"
        else:
            assert stop != "the key is refused"
            assert ("over_budget" in ran.outcomes) == (stop == "the budget is spent")
        assert held.release.is_set()
        assert held.all_closed()
    assert set(states(store)) == {"settled"}


def test_what_is_not_on_its_way_when_the_client_closes_is_not_sent() -> None:
    with ScriptedServer() as server, pytest.MonkeyPatch.context() as patched:
        patched.setenv("ANTHROPIC_BASE_URL", server.url)
        client = ApiClient(MODEL, timeout_s=5)
        client.close()
        outcome = client.send({"model": MODEL, "max_tokens": 1, "messages": []})
        assert (outcome.maybe_paid, outcome.fatal) == (False, None)
        assert server.requests == []


def test_a_judge_that_cannot_be_set_up_leaves_no_connection(
    monkeypatch: pytest.MonkeyPatch, held: Held
) -> None:
    held.release.set()
    with ScriptedServer(key="another") as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        with pytest.raises(JudgeError, match="key was refused"):
            AnthropicJudge(quick_settings(model="claude-test"))
        assert held.all_closed()


def test_replies_that_came_with_a_fault_of_ours_are_handed_on_before_it() -> None:
    def send(params: Any) -> Any:
        if params["n"] == 1:
            raise ZeroDivisionError
        return failed(MODEL, "fine")

    workers: Workers[int] = Workers(send, 1)
    for number in range(3):
        workers.start(number, {"n": number})
    workers.close()
    assert workers_ended()
    assert [[job for job, _ in workers.finished(0.25)] for _ in range(2)] == [[0], [2]]
    with pytest.raises(ZeroDivisionError):
        workers.finished(0.25)
    assert workers.in_flight == 0
