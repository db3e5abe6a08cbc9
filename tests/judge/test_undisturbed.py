import os
import signal
import threading
from collections.abc import Callable

import pytest

from judge.remote.undisturbed import undisturbed


def ctrl_c() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_ctrl_c_waits_for_the_end_of_the_step() -> None:
    steps: list[str] = []

    def step() -> None:
        with undisturbed():
            ctrl_c()
            steps.append("done")

    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        step()
    assert steps == ["done"]
    assert signal.getsignal(signal.SIGINT) is before


def test_a_second_one_does_not_wait() -> None:
    steps: list[str] = []

    def step() -> None:
        with undisturbed():
            ctrl_c()
            steps.append("once")
            ctrl_c()
            steps.append("twice")

    with pytest.raises(KeyboardInterrupt):
        step()
    assert steps == ["once"]


def test_without_it_nothing_happens() -> None:
    before = signal.getsignal(signal.SIGINT)
    with undisturbed():
        pass
    assert signal.getsignal(signal.SIGINT) is before


def test_a_fault_of_the_step_comes_through() -> None:
    with pytest.raises(ValueError, match="x"), undisturbed():
        raise ValueError("x")


def test_other_threads_have_no_ctrl_c() -> None:
    done: list[Callable[[], None]] = []

    def work() -> None:
        with undisturbed():
            done.append(ctrl_c)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [ctrl_c]


def test_a_polite_kill_waits_like_ctrl_c_where_it_is_handled() -> None:
    steps: list[str] = []

    def handle(number: int, frame: object) -> None:
        del number, frame
        steps.append("handled")

    before = signal.signal(signal.SIGTERM, handle)
    try:
        with undisturbed():
            os.kill(os.getpid(), signal.SIGTERM)
            steps.append("done")
        assert signal.getsignal(signal.SIGTERM) is handle
    finally:
        signal.signal(signal.SIGTERM, before)
    assert steps == ["done", "handled"]
