"""The API client, set up so that nothing is sent twice and nothing leaks.

Retries are off: the service cannot tell a repeated request from a new one, so that every
retry is ours, and written down. What an error of the service means is said without the
request that it carries.
"""

import json
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, Final

from ingest.errors import JudgeError
from judge.remote.outcomes import Outcome, failed, of_message, of_status
from judge.remote.platforms import PLACE, REMEDIES, SHOWN, Platform, client_of, credential_errors
from judge.remote.secrecy import guard_logs, scrub

if TYPE_CHECKING:
    from anthropic import APIStatusError

_PINNED: Final = re.compile(r"-20\d{6}(?:-v\d+(?::\d+)?)?$|@20\d{6}$")
_LONGEST_WAIT_S: Final = 3_600.0


@dataclass(frozen=True, slots=True)
class BatchState:
    """A batch as the service shows it."""

    batch_id: str
    ended: bool
    counts: Mapping[str, int]
    """Items by state: processing, succeeded, errored, canceled, expired."""
    created: datetime

    @property
    def total(self) -> int:
        """All items."""
        return sum(self.counts.values())


class SendError(Exception):
    """A request about batches failed; the outcome tells how."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.detail)
        self.outcome = outcome


class _ClosingError(Exception):
    """The client is being closed."""


class ApiClient:
    """What the judge asks of the service. Messages may be sent from many threads."""

    def __init__(self, model: str, *, platform: Platform = "anthropic", timeout_s: float) -> None:
        """Set up the client; opens no connection.

        Raises:
            JudgeError: There is no key in the environment.
        """
        guard_logs()
        self.model = model
        self._platform = platform
        self._client = client_of(platform, timeout_s)
        self._lock = threading.Lock()
        self._sending = 0
        self._closing = False

    def send(self, params: Mapping[str, Any]) -> Outcome:
        """Send one message and wait for the reply. Never raises for what the service does."""
        import anthropic

        try:
            with self._under_way():
                raw = self._client.messages.with_raw_response.create(**params)
                body = _json(raw.http_response.content)
        except _ClosingError:
            return failed(self.model, "not sent: the run has ended")
        except anthropic.APIError as error:
            return self._outcome(error)
        except UnicodeEncodeError:
            return failed(self.model, "the request is no text that can be sent")
        except credential_errors() as error:
            detail = " ".join(scrub(str(error)).split())[:SHOWN]
            problem = f"the credentials for {self._platform} cannot be used ({detail})"
            return failed(self.model, detail, fatal=f"{problem}. {REMEDIES[self._platform]}")
        return of_message(body, model=self.model, batch=False)

    def create_batch(self, requests: Sequence[Mapping[str, Any]]) -> BatchState:
        """Send a batch.

        Raises:
            SendError: It failed; `maybe_paid` of the outcome: the batch may exist all the same.
        """
        import anthropic

        try:
            # The client's types are those of its own request records.
            batch = self._client.messages.batches.create(requests=requests)  # type: ignore[arg-type]
        except anthropic.APIError as error:
            raise SendError(self._outcome(error)) from None
        return _state(batch)

    def batch(self, batch_id: str) -> BatchState:
        """Look at a batch.

        Raises:
            SendError: It cannot be looked at now.
        """
        import anthropic

        try:
            return _state(self._client.messages.batches.retrieve(batch_id))
        except anthropic.APIError as error:
            raise SendError(self._outcome(error, about_batch=True)) from None

    def batches_since(self, created: datetime) -> list[BatchState]:
        """Return the batches that were made since a time, newest first.

        Raises:
            SendError: They cannot be listed now.
        """
        import anthropic

        found: list[BatchState] = []
        try:
            for batch in self._client.messages.batches.list(limit=100):
                state = _state(batch)
                if state.created < created:
                    break
                found.append(state)
        except anthropic.APIError as error:
            raise SendError(self._outcome(error, about_batch=True)) from None
        return found

    def results(self, batch_id: str) -> Iterator[bytes]:
        """Yield the lines of a batch's results as far as they come, the last perhaps cut.

        Raises:
            SendError: They cannot be downloaded, or not to the end.
        """
        import anthropic
        import httpx2

        rest = b""
        try:
            with self._client.messages.batches.with_streaming_response.results(batch_id) as raw:
                for part in raw.iter_bytes():
                    *lines, rest = (rest + part).split(b"\n")
                    yield from lines
        except anthropic.APIError as error:
            raise SendError(self._outcome(error, about_batch=True)) from None
        except httpx2.HTTPError as error:
            raise SendError(failed(self.model, type(error).__name__, again="later")) from None
        if rest:
            yield rest

    def pinned(self) -> str | None:
        """Return the model's full name, None where the service does not tell.

        Raises:
            JudgeError: The key was refused.
        """
        import anthropic

        try:
            name = self._client.models.retrieve(self.model).id
        except (anthropic.NotFoundError, AttributeError):
            return None
        except anthropic.APIError as error:
            outcome = self._outcome(error)
            if outcome.fatal is not None:
                raise fatal_error(outcome.fatal) from None
            return None
        return name if isinstance(name, str) and name else None

    def close(self) -> None:
        """Send nothing more and close all connections, without waiting.

        While messages are under way, the last one of them to end does it: a connection that
        is just being opened is none yet that could be closed.
        """
        with self._lock:
            self._closing = True
        self._close_if_idle()

    @contextmanager
    def _under_way(self) -> Iterator[None]:
        """Count a message that is being sent from any thread.

        Raises:
            _ClosingError: Nothing is sent any more.
        """
        with self._lock:
            if self._closing:
                raise _ClosingError
            self._sending += 1
        try:
            yield
        finally:
            with self._lock:
                self._sending -= 1
            self._close_if_idle()

    def _close_if_idle(self) -> None:
        with self._lock:
            ended = self._closing and not self._sending
        if ended:
            self._client.close()

    def _outcome(self, error: Any, *, about_batch: bool = False) -> Outcome:
        """Return what an error of the client means, without the request it carries."""
        import anthropic
        import httpx2

        if isinstance(error, anthropic.APIStatusError):
            status = error.status_code
            message = error.api_message or scrub(str(error.body or ""))
            if about_batch and status == 404:  # noqa: PLR2004 - HTTP: the batch is gone
                return failed(self.model, "HTTP 404: no such batch")
            return of_status(status, message, model=self.model, retry_after_s=_retry_after(error))
        cause = error.__cause__
        never_sent = isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout)
        name = type(cause or error).__name__
        return failed(self.model, name, again="later", maybe_paid=not never_sent, overloaded=True)


def is_pinned(model: str) -> bool:
    """Tell whether a model's name ends in a date, so that it always means the same model."""
    return _PINNED.search(model) is not None


def fatal_error(reason: str) -> JudgeError:
    """Return the error that stops a run because no request can succeed."""
    problem, _, remedy = reason.partition(". ")
    return JudgeError(PLACE, problem, f"{remedy}.")


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _state(batch: Any) -> BatchState:
    counts = batch.request_counts
    names = ("processing", "succeeded", "errored", "canceled", "expired")
    return BatchState(
        batch_id=batch.id,
        ended=batch.processing_status == "ended",
        counts={name: getattr(counts, name, 0) or 0 for name in names},
        created=_time(batch.created_at),
    )


def _time(value: Any) -> datetime:
    """Return a time of the service; one that is none counts as now, which hides no batch."""
    if isinstance(value, datetime):
        return value if value.tzinfo else value.replace(tzinfo=UTC)
    return datetime.now(UTC)


def _retry_after(error: "APIStatusError") -> float | None:
    """Return the seconds that the service asked to wait, given as a number or a date."""
    headers = error.response.headers
    try:
        if "retry-after-ms" in headers:
            seconds = float(headers["retry-after-ms"]) / 1000
        else:
            value = headers.get("retry-after")
            if value is None:
                return None
            seconds = float(value) if re.fullmatch(r"[\d.]+", value) else _until(value)
    except (ValueError, TypeError):
        return None
    return min(max(seconds, 0.0), _LONGEST_WAIT_S)


def _until(date: str) -> float:
    return (parsedate_to_datetime(date) - datetime.now(UTC)).total_seconds()
