"""One request to a receiver of OTLP over HTTP, again until it is answered or not worth it.

OpenTelemetry's own exporter (`opentelemetry-exporter-otlp-proto-http`) cannot do it: any status
below 400 is success to it, redirects among them; it does not read the body, in which the
receiver tells what it rejected; it tries for ten seconds in all and then says only that it
failed. Its messages and its HTTP library, `requests`, are used.

A receiver may have kept what it gave no answer to. So a record may arrive twice, never with
two ids.
"""

import gzip
import random
import ssl
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, Literal

import requests
from urllib3.exceptions import ConnectTimeoutError, HTTPError, NewConnectionError
from urllib3.exceptions import ProxyError as NoProxyError

from analysis.exporting.answers import Answer, answer_of
from analysis.exporting.endpoint import Endpoint
from analysis.report.numbers import counted
from analysis.report.terminal import safe_line
from ingest.errors import DeliveryError, StagefaultError, UsageError

_READ_BYTES: Final = 1 << 16
"""Of an answer; what is longer is no answer of OTLP."""
_OWN_HEADERS: Final = ("content-length", "transfer-encoding", "connection", "expect")
"""Set by what is sent, not by whoever sends it."""
_GO_ON: Final = "Run it again to go on: what was accepted is not sent twice."
_HEADERS_REMEDY: Final = (
    "Set OTEL_EXPORTER_OTLP_HEADERS, such as authorization=Bearer%20TOKEN, and run it again."
)
_TLS_REMEDY: Final = (
    "Name the authority's file in OTEL_EXPORTER_OTLP_CERTIFICATE, or correct the address."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """How often a request is sent, and after what time again."""

    tries: int = 8
    first_tries: int = 4
    """As long as there was no answer to anything: the address may be wrong."""
    first_wait_s: float = 1.0
    """Doubled with each try; the actual wait is random between half of it and it."""
    longest_wait_s: float = 30.0
    longest_asked_s: float = 300.0
    """A receiver that asks to be left alone for longer ends the export."""
    connect_s: float = 10.0
    answer_s: float = 30.0
    """Without a byte of an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of the records of one request."""

    kind: Literal["accepted", "too_large", "refused", "undelivered"]
    answer: Answer | None = None
    """The last one; None for `undelivered`."""
    error: StagefaultError | None = None
    """Why the export has to end, for `undelivered`."""
    in_doubt: bool = False
    """A try before may have been taken, or this one where it is `undelivered`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Failure:
    """A try without an answer."""

    reason: str
    in_doubt: bool


@dataclass(slots=True, kw_only=True)
class Receiver:
    """Who an export is sent to. For use by one thread."""

    endpoint: Endpoint
    user_agent: str = "stagefault"
    patience: Patience = field(default_factory=Patience)
    sleep: Callable[[float], None] = time.sleep
    tell_wait: Callable[[str, float], None] = lambda *_: None
    """Called before each wait, with why and for how many seconds."""
    now_s: Callable[[], float] = time.time
    retries: int = field(default=0, init=False)
    """Requests that were sent again."""
    _session: requests.Session = field(default_factory=requests.Session, init=False, repr=False)
    _answered: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        session, endpoint = self._session, self.endpoint
        session.headers.update(
            {name: text for name, text in endpoint.headers.items() if name not in _OWN_HEADERS}
        )
        session.headers.update(
            {
                "user-agent": self.user_agent,
                "content-type": "application/x-protobuf",
                "content-encoding": "gzip",
                "accept": "application/x-protobuf",
            }
        )
        # Without one, requests would put what ~/.netrc holds in the place of a header.
        session.auth = endpoint.basic or (lambda request: request)
        session.cert = endpoint.certificate

    def post(self, body: bytes) -> Outcome:
        """Send one request until it is answered for good.

        Args:
            body: Of the request, not yet compressed.
        """
        packed = gzip.compress(body)
        in_doubt = False
        tries = 0
        while True:
            tries += 1
            try:
                result = self._try(packed)
            except StagefaultError as error:
                return Outcome(kind="undelivered", error=error, in_doubt=in_doubt)
            if isinstance(result, Answer):
                self._answered = True
                outcome = self._final(result, in_doubt=in_doubt)
                if outcome is not None:
                    return outcome
                in_doubt = in_doubt or result.may_be_kept
            else:
                in_doubt = in_doubt or result.in_doubt
            reason = self.endpoint.without_secrets(result.reason)
            asked_s = result.retry_after_s if isinstance(result, Answer) else None
            given_up = self._given_up(tries, reason, asked_s)
            if given_up is not None:
                return Outcome(kind="undelivered", error=given_up, in_doubt=in_doubt)
            self.retries += 1
            wait_s = self._wait_s(tries, asked_s)
            self.tell_wait(reason, wait_s)
            self.sleep(wait_s)

    def close(self) -> None:
        """Close the connection."""
        self._session.close()

    def _final(self, answer: Answer, *, in_doubt: bool) -> Outcome | None:
        """Return what an answer comes to, None where it asks for another try."""
        match answer.kind:
            case "accepted" | "too_large" | "refused":
                return Outcome(kind=answer.kind, answer=answer, in_doubt=in_doubt)
            case "later":
                return None
            case "unwelcome":
                reason = self.endpoint.without_secrets(answer.reason)
                problem, remedy = f"refuses the credentials ({reason})", _HEADERS_REMEDY
            case "elsewhere":
                problem = f"answers with a redirect ({answer.status}), which is not followed"
                remedy = "Name the address that it leads to."
            case _:  # a stranger
                problem = f"answers with a web page ({answer.status}): it is no receiver of OTLP"
                remedy = "Name the address of one; a proxy's login page looks like this, too."
        error = UsageError(self.endpoint.url, problem, remedy)
        return Outcome(kind="undelivered", error=error, in_doubt=in_doubt)

    def _given_up(self, tries: int, reason: str, asked_s: float | None) -> DeliveryError | None:
        patience, place = self.patience, self.endpoint.url
        if asked_s is not None and asked_s > patience.longest_asked_s:
            problem = f"asks to be left alone for {counted(round(asked_s), 'second')} ({reason})"
            return DeliveryError(place, problem, _GO_ON.replace("again", "again after that"))
        if tries >= (patience.tries if self._answered else patience.first_tries):
            times = "once" if tries == 1 else f"{tries} times"
            remedy = _GO_ON if self._answered else "Check the address, and that it listens."
            return DeliveryError(place, f"was tried {times} in vain ({reason})", remedy)
        return None

    def _wait_s(self, tries: int, asked_s: float | None) -> float:
        """Return how long to wait: at least what was asked for, and not all at the same time."""
        patience = self.patience
        backoff = min(patience.first_wait_s * 2.0 ** (tries - 1), patience.longest_wait_s)
        jittered = backoff * random.uniform(0.5, 1.0)
        return jittered if asked_s is None else asked_s + jittered / 4

    def _try(self, packed: bytes) -> Answer | _Failure:
        """Send it once.

        Raises:
            UsageError: It cannot be sent at all.
        """
        url = self.endpoint.url
        try:
            response = self._session.post(
                url,
                data=packed,
                timeout=(self.patience.connect_s, self.patience.answer_s),
                verify=self.endpoint.authorities
                or True,  # said here, it precedes REQUESTS_CA_BUNDLE
                allow_redirects=False,
                stream=True,
            )
            with response:
                body = b""
                for chunk in response.iter_content(_READ_BYTES):
                    body += chunk
                    if len(body) >= _READ_BYTES:
                        break
            return answer_of(response.status_code, response.headers, body, self.now_s())
        except requests.exceptions.SSLError as error:
            if self._answered:  # so it is not about certificates
                return _Failure(reason=f"TLS: {_tls_reason(error)}", in_doubt=True)
            problem = f"no connection by TLS ({_tls_reason(error)})"
            raise UsageError(url, problem, _TLS_REMEDY) from None
        except (requests.exceptions.InvalidURL, requests.exceptions.InvalidSchema) as error:
            # The proxy's too; its text may hold a password.
            problem = f"cannot be asked ({type(error).__name__})"
            raise UsageError(url, problem, "Check the address and the proxy.") from None
        except (requests.exceptions.RequestException, HTTPError) as error:
            return _failure(error)
        except OSError as error:
            problem = f"cannot be asked ({error.strerror or 'a certificate cannot be read'})"
            raise UsageError(url, problem, _TLS_REMEDY) from None


def _failure(error: Exception) -> _Failure:
    causes = list(_causes(error))
    unsent = (NewConnectionError, ConnectTimeoutError, NoProxyError)
    in_doubt = not any(isinstance(cause, unsent) for cause in causes)
    if isinstance(error, requests.exceptions.Timeout):
        return _Failure(
            reason="no answer in time" if in_doubt else "no connection in time", in_doubt=in_doubt
        )
    unreadable = (requests.exceptions.ContentDecodingError, requests.exceptions.InvalidHeader)
    lost = "cannot be read" if isinstance(error, unreadable) else "was lost"
    systems = (cause.strerror for cause in causes if isinstance(cause, OSError))
    told = next(filter(None, systems), f"its answer {lost}")
    return _Failure(reason=safe_line(told), in_doubt=in_doubt)


def _tls_reason(error: Exception) -> str:
    for cause in _causes(error):
        if isinstance(cause, ssl.SSLCertVerificationError):
            return safe_line(cause.verify_message)
        if isinstance(cause, ssl.SSLError) and isinstance(cause.reason, str):
            return safe_line(cause.reason.replace("_", " ").lower())
    return "it failed"


def _causes(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and all that it was made of, from the outside in."""
    waiting, seen = [error], set[int]()
    while waiting:
        one = waiting.pop(0)
        if id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        inner = [one.__cause__, one.__context__, *one.args]
        with suppress(AttributeError):
            inner.append(one.reason)  # type: ignore[attr-defined]  # of urllib3's
        waiting += [cause for cause in inner if isinstance(cause, BaseException)]
