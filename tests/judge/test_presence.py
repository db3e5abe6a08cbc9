"""Runs that come in, leave and die while others look: none is taken for gone that is there."""

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from judge.ledger import Ledger
from judge.locking import StoreLock
from judge.question import JudgeIdentity
from judge.remote.account import Account
from judge.remote.attempt import Attempt, group_id, item_id
from judge.remote.desk import Desk
from judge.remote.journal import Granted
from judge.remote.presence import NONCE_DIGITS, Presence
from judge.remote.requests import RequestMaker
from tests.judge.remote_runs import MODEL, states
from tests.judge.stores import key

HALFWAY_S = 0.3
"""Long enough for all that another run does meanwhile, if it does not wait."""


@contextmanager
def desk(store: Path) -> Iterator[Desk]:
    with Ledger(store) as ledger:
        identity = JudgeIdentity(provider="anthropic", model=MODEL, params={})
        made = Desk(ledger, RequestMaker(model=MODEL), identity, Account())
        try:
            yield made
        finally:
            made.close()


def present(store: Path) -> set[str]:
    names = [path.name.partition(".run-")[2] for path in store.parent.glob("*.run-*")]
    return {name for name in names if not name.endswith("-journal")}


def want(one: Desk, number: int) -> Granted:
    item = item_id(group_id(one.run, "sync", 0), 0, key(number))
    attempt = Attempt(custom_id=item, key=key(number), run=one.run)
    return one.exchange((), {attempt.key: attempt}, lambda *_: True)


def test_a_run_that_is_just_coming_in_is_not_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another looks for what was left behind when its file is there and not locked yet."""
    store = tmp_path / "v.sqlite"
    claim, halfway, looked = StoreLock.claim, threading.Event(), threading.Event()

    def slowly(lock: StoreLock) -> None:
        if threading.current_thread() is not threading.main_thread() and not halfway.is_set():
            halfway.set()
            looked.wait(HALFWAY_S)
        claim(lock)

    monkeypatch.setattr(StoreLock, "claim", slowly)

    def come() -> tuple[str, list[str]]:
        with desk(store) as coming:
            granted = want(coming, 1)
            looked.wait()
            return coming.run, granted.free

    with ThreadPoolExecutor() as threads, desk(store) as other:
        run = threads.submit(come)
        try:
            assert halfway.wait(60)
            other.take_over_all()
            here = present(store) - {other.run}
            assert len(here) == 1
            assert all(other.presence.alive(nonce) for nonce in here)
            seen = want(other, 1)
        finally:
            looked.set()
        assert run.result() == (*here, [key(1)])
    assert (seen.free, seen.busy) == ([], {key(1)})
    assert other.account.maybe_paid == []


def test_a_run_that_seemed_gone_and_is_there_loses_nothing(tmp_path: Path) -> None:
    store = tmp_path / "v.sqlite"
    with desk(store) as one, desk(store) as other:
        assert want(one, 1).free == [key(1)]
        other.take_over(one.run)
        assert other.presence.alive(one.run)
        assert states(store) == ["intent"]
        assert other.account.maybe_paid == []
        # one leaves, its question open
    assert states(store) == ["intent"]
    with desk(store) as third:
        third.take_over_all()
        assert states(store) == ["maybe_paid"]
        assert present(store) == {third.run}


def test_looking_at_a_run_that_has_left_makes_nothing(tmp_path: Path) -> None:
    store = tmp_path / "v.sqlite"
    one = Presence(store)
    assert not one.alive("0" * NONCE_DIGITS)
    assert present(store) == {one.nonce}
    one.leave(finished=True)
    assert present(store) == set()
