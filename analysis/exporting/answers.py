"""What a receiver of OTLP over HTTP says to a request, read as the protocol means it.

A 2xx is not yet success: its body tells how many records were rejected, and gives warnings.
That body is protobuf, or JSON from receivers that answer everything so.

Source: OpenTelemetry Protocol specification, OTLP/HTTP response.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any, Final, Literal, TypeAlias

from google.protobuf.message import DecodeError
from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import (
    ExportLogsPartialSuccess,
    ExportLogsServiceResponse,
)

from analysis.report.terminal import safe_line

Kind: TypeAlias = Literal["accepted", "too_large", "refused", "later", "unwelcome", "elsewhere",
                          "stranger"]  # fmt: skip
LONGEST_MESSAGE: Final = 200
_COUNTS: Final = ("rejectedLogRecords", "rejected_log_records", "rejectedSpans", "rejected_spans")
_LATER: Final = (429, 502, 503, 504)
_UNWELCOME: Final = (401, 403, 407)
_GATEWAY: Final = (502, 504)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What became of one request."""

    kind: Kind
    """accepted     but for those that are `rejected`
    too_large    fewer records may do
    refused      and always would be
    later        try again
    unwelcome    the credentials do not do
    elsewhere    a redirect
    stranger     a page for people: no receiver of OTLP
    """
    status: str
    """Number and words of HTTP."""
    rejected: int = 0
    """Records, as told: it may be more than there were."""
    message: str = ""
    """In the receiver's words, on one line; empty without one."""
    readable: bool = True
    """False: accepted, and said so in a way that OTLP does not know."""
    retry_after_s: float | None = None
    """Seconds to wait before the next try, as the receiver wants it."""
    may_be_kept: bool = False
    """It failed at a place behind which the request may have been taken."""

    @property
    def reason(self) -> str:
        """Status, and the message if there is one."""
        return f"{self.status}: {self.message}" if self.message else self.status


def answer_of(status: int, headers: Mapping[str, str], body: bytes, now_s: float) -> Answer:
    """Return what an answer means.

    Args:
        status: Of HTTP.
        headers: By name, in any case.
        body: Its beginning at least.
        now_s: Seconds since the epoch, for a `Retry-After` with a date.
    """
    media = headers.get("content-type", "").partition(";")[0].strip().lower()
    told = _status_text(status)
    if 200 <= status < 300:  # noqa: PLR2004 - of HTTP
        return _success(told, media, body)
    kind: Kind = "refused"
    if 300 <= status < 400:  # noqa: PLR2004 - of HTTP
        kind = "elsewhere"
    elif status in _UNWELCOME:
        kind = "unwelcome"
    elif status in _LATER:
        kind = "later"
    elif status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE:
        kind = "too_large"
    return Answer(
        kind=kind,
        status=told,
        message=_complaint(media, body),
        retry_after_s=_retry_after(headers.get("retry-after"), now_s),
        may_be_kept=status in _GATEWAY,
    )


def _success(status: str, media: str, body: bytes) -> Answer:
    if media == "text/html":
        return Answer(kind="stranger", status=status)
    if media.endswith("json") or body.lstrip()[:1] == b"{":
        return _json_success(status, body)
    try:
        partial = ExportLogsServiceResponse.FromString(body).partial_success
    except DecodeError:
        return Answer(kind="accepted", status=status, readable=False)
    return _accepted(status, partial.rejected_log_records, partial.error_message)


def _json_success(status: str, body: bytes) -> Answer:
    found = _json(body)
    partial = found.get("partialSuccess", found.get("partial_success")) if found else None
    if found is None or not isinstance(partial, dict | None):
        return Answer(kind="accepted", status=status, readable=not body.strip())
    partial = partial or {}
    count = next((partial[name] for name in _COUNTS if name in partial), 0)
    try:
        rejected = int(count)  # 64 bits are a text in JSON
    except (TypeError, ValueError, OverflowError):
        return Answer(kind="accepted", status=status, readable=False)
    message = partial.get("errorMessage", partial.get("error_message"))
    return _accepted(status, rejected, message)


def _accepted(status: str, rejected: int, message: object) -> Answer:
    return Answer(
        kind="accepted", status=status, rejected=max(rejected, 0), message=_clipped(message)
    )


def _complaint(media: str, body: bytes) -> str:
    """Return why a request failed, as far as the body says it."""
    if media.endswith("json"):
        found = _json(body) or {}
        error = found.get("message") or found.get("error") or found.get("detail")
        return _clipped(error.get("message") if isinstance(error, dict) else error)
    if media == "application/x-protobuf":
        try:  # google.rpc.Status, which numbers code and message as this does its two fields
            return _clipped(ExportLogsPartialSuccess.FromString(body).error_message)
        except DecodeError:
            return ""
    return _clipped(body.decode("utf-8", "replace")) if media == "text/plain" else ""


def _json(body: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _clipped(message: object) -> str:
    if not isinstance(message, str):
        return ""
    line = safe_line(message[: 2 * LONGEST_MESSAGE])
    return line if len(line) <= LONGEST_MESSAGE else f"{line[: LONGEST_MESSAGE - 1]}…"


def _status_text(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _retry_after(value: str | None, now_s: float) -> float | None:
    """Return the seconds of a header that holds a whole number of them, or a date."""
    if value is None:
        return None
    value = value.strip()
    if value.isascii() and value.isdigit():
        return float(value[:12])
    try:
        until = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return max((until - datetime.fromtimestamp(now_s, UTC)).total_seconds(), 0.0)
