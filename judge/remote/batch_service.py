"""Batches as the service has them: made once, found again, waited for, downloaded whole."""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any, Final, TypeVar

from judge.remote.attempt import Attempt
from judge.remote.batch_results import Download, first_id
from judge.remote.client import ApiClient, BatchState, SendError, fatal_error
from judge.remote.outcomes import Outcome
from judge.remote.retrying import Policy

_DOWNLOADS: Final = 4
_STORED_AT_ONCE: Final = 256
_CLOCKS_DIFFER: Final = timedelta(minutes=10)
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchSettings:
    """How batches are cut and watched."""

    items: int = 5_000
    """Far below what the service takes; its own pages disagree about that number."""
    bytes: int = 100_000_000
    first_look_s: float = 5.0
    longest_look_s: float = 60.0
    """Between looks at a batch, which grow from the first to this."""
    find_s: float = 60.0
    """A batch whose creation got no answer is looked for so long before it is sent again."""


class CannotTellError(Exception):
    """Whether a batch exists cannot be found out now."""


class BatchService:
    """What is asked about batches, patiently."""

    def __init__(
        self, client: ApiClient, policy: Policy, settings: BatchSettings, notes: list[str]
    ) -> None:
        self._client = client
        self._policy = policy
        self._settings = settings
        self._notes = notes

    def create(self, batch: Attempt, requests: list[dict[str, Any]]) -> str | None:
        """Make a batch that exists once, and return its id; None where it was refused.

        Args:
            batch: Its intent, which is stored.
            requests: Its items.

        Raises:
            CannotTellError: It may exist, and cannot be found now.
            JudgeError: No request can succeed.
        """
        tries = 0
        while True:
            try:
                return self._client.create_batch(requests).batch_id
            except SendError as error:
                outcome = error.outcome
            if outcome.fatal is not None:
                raise fatal_error(outcome.fatal)
            if outcome.maybe_paid:
                found = self.find(batch, len(requests))
                if found is not None:
                    return found
            if outcome.again == "no" or tries == self._policy.later:
                self._notes.append(f"a batch was not taken: {outcome.detail}")
                return None
            tries += 1
            self._pause(outcome, tries)

    def find(self, batch: Attempt, items: int) -> str | None:
        """Look for a batch whose creation got no answer; None when it was never made.

        Args:
            batch: Its intent, as stored.
            items: How many items it has.

        Raises:
            CannotTellError: The service does not tell.
        """
        made = datetime.fromisoformat(json.loads(batch.detail)["made"])
        others: set[str] = set()
        while True:
            age = datetime.now(UTC) - made
            for state in self._patiently(self._client.batches_since, made - _CLOCKS_DIFFER):
                if state.batch_id in others or state.total != items:
                    continue
                ended = self.ended(state.batch_id)
                lines = self._patiently(_first_lines(self._client), ended.batch_id)
                if (first_id(lines) or "").startswith(f"{batch.custom_id}-"):
                    return state.batch_id
                others.add(state.batch_id)
            if age.total_seconds() >= self._settings.find_s:
                return None
            time.sleep(min(self._settings.first_look_s, self._settings.find_s))

    def ended(self, batch_id: str) -> BatchState:
        """Wait until a batch has ended.

        Raises:
            CannotTellError: It cannot be looked at.
        """
        wait_s = self._settings.first_look_s
        while not (state := self._patiently(self._client.batch, batch_id)).ended:
            time.sleep(wait_s)
            wait_s = min(wait_s * 1.5, self._settings.longest_look_s)
        return state

    def results(self, batch_id: str, download: Download) -> Iterator[list[tuple[str, Outcome]]]:
        """Yield results of a batch once it has ended, downloading until all have come.

        In groups to be stored together, before more is fetched.

        Results that still lack after some downloads are left to a later run.

        Args:
            batch_id: The batch.
            download: Grows.
        """
        try:
            state = self.ended(batch_id)
        except CannotTellError:
            return
        for tries in range(_DOWNLOADS):
            if tries:
                time.sleep(self._settings.first_look_s)
            lines = self._lines(batch_id)
            outcomes = download.outcomes(lines, self._client.model)
            while group := list(islice(outcomes, _STORED_AT_ONCE)):
                yield group
            if download.complete:
                break
        if download.disagrees_with(state.counts):
            self._notes.append(
                f"batch {batch_id} counted {_shown(state.counts)}, "
                f"its results are {_shown(Counter(download.types.values()))}"
            )

    def _lines(self, batch_id: str) -> Iterator[bytes]:
        """Yield the lines of one download, as far as it goes."""
        try:
            yield from self._client.results(batch_id)
        except SendError as error:
            self._notes.append(f"results of batch {batch_id}: {error.outcome.detail}")

    def _patiently(self, ask: Callable[[Any], T], about: Any) -> T:
        """Ask again while the service fails; asking costs nothing."""
        tries = 0
        while True:
            try:
                return ask(about)
            except SendError as error:
                outcome = error.outcome
            if outcome.fatal is not None:
                raise fatal_error(outcome.fatal)
            if outcome.again == "no" or tries == self._policy.later:
                self._notes.append(f"batches cannot be looked at: {outcome.detail}")
                raise CannotTellError
            tries += 1
            self._pause(outcome, tries)

    def _pause(self, outcome: Outcome, tries: int) -> None:
        backoff = self._policy.first_wait_s * 2.0 ** (tries - 1)
        time.sleep(max(outcome.wait_s or 0.0, min(backoff, self._policy.longest_wait_s)))


def _first_lines(client: ApiClient) -> Callable[[str], list[bytes]]:
    """Return what fetches the beginning of a batch's results."""

    def fetch(batch_id: str) -> list[bytes]:
        lines = client.results(batch_id)
        return [line for line, _ in zip(lines, range(3), strict=False)]

    return fetch


def _shown(counts: Mapping[str, int]) -> str:
    found = [f"{number} {name}" for name, number in sorted(counts.items()) if number]
    return ", ".join(found) or "none"
