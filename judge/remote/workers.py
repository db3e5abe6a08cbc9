"""Threads that wait for the service, so that the run does not have to.

They touch neither the store nor the account: a request goes in, an outcome comes out.
They are daemons: a second Ctrl-C ends the process without waiting for the service.
"""

import queue
import threading
from collections.abc import Callable, Mapping
from typing import Any, Generic, TypeVar

from judge.remote.outcomes import Outcome

T = TypeVar("T")
Send = Callable[[Mapping[str, Any]], Outcome]


class Workers(Generic[T]):
    """A number of threads; started when they are needed."""

    def __init__(self, send: Send, most: int) -> None:
        self._send = send
        self._most = most
        self._threads: list[threading.Thread] = []
        self._todo: queue.SimpleQueue[tuple[T, Mapping[str, Any]] | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[tuple[T, Outcome | BaseException]] = queue.SimpleQueue()
        self.in_flight = 0
        """Requests whose outcome was not taken yet."""

    def start(self, job: T, params: Mapping[str, Any]) -> None:
        """Have a request sent."""
        self.in_flight += 1
        if len(self._threads) < min(self._most, self.in_flight):
            thread = threading.Thread(target=self._work, name="judge", daemon=True)
            self._threads.append(thread)
            thread.start()
        self._todo.put((job, params))

    def finished(self, timeout_s: float) -> list[tuple[T, Outcome]]:
        """Return what has come back, waiting for the first one at the most so long.

        Raises:
            BaseException: A request failed for a fault of ours; what came before it was returned.
        """
        found: list[tuple[T, Outcome]] = []
        wait_s = timeout_s
        while self.in_flight:
            try:
                job, outcome = self._done.get(timeout=wait_s) if wait_s else self._done.get_nowait()
            except queue.Empty:
                break
            if isinstance(outcome, BaseException):
                if found:
                    self._done.put((job, outcome))
                    break
                self.in_flight -= 1
                raise outcome
            self.in_flight -= 1
            found.append((job, outcome))
            wait_s = 0.0
        return found

    def close(self) -> None:
        """Let the threads end, each once its request has; none is waited for."""
        for _ in self._threads:
            self._todo.put(None)
        self._threads = []

    def _work(self) -> None:
        while (item := self._todo.get()) is not None:
            job, params = item
            try:
                self._done.put((job, self._send(params)))
            except BaseException as fault:  # noqa: BLE001 - handed on to the run
                self._done.put((job, fault))
