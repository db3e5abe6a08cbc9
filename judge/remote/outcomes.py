"""What came of one request: a reply with its cost, and whether to ask once more.

    a message   end_turn ──▶ text, to be read      max_tokens ──▶ truncated, once with more room
                refusal ──▶ refused                 model_context_window_exceeded ──▶ too_long
    an error    429, 5xx, no connection ──▶ later    400 too long, 413 ──▶ too_long
                401, 402, 403, 404 ──▶ the judge cannot be used at all
    neither     ──▶ api_error, once more

No text of a cut or refused reply is ever read. Texts of errors are cut short and scrubbed
of secrets; the request that they came from stays behind.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from judge.answers import UnjudgedReason
from judge.question import Reply
from judge.remote.pricing import Usage, cost_usd
from judge.remote.secrecy import scrub

Again: TypeAlias = Literal["no", "later", "more_room", "at_once"]
"""Whether to ask again: not at all; after a while; with more room for the reply; at once."""

_SHOWN: Final = 200
_TOO_LONG = re.compile(
    r"too (?:long|large|many tokens)|exceeds? (?:the )?(?:context|maximum)"
    r"|context (?:window|length)",
    re.IGNORECASE,
)
_NO_CREDIT = re.compile(r"credit balance|billing", re.IGNORECASE)
_FATAL: Final[Mapping[int, str]] = {
    401: "the key was refused. Set ANTHROPIC_API_KEY to a valid key",
    402: "the account has no credit left. Add credit, then run the command again",
    403: "the key may not use this model. Ask for access, or name another --judge-model",
    404: "the model does not exist. Name another --judge-model",
}
_PERMANENT: Final = frozenset(
    {"invalid_request_error", "not_found_error", "authentication_error", "permission_error"}
    | {"billing_error"}
)
"""Errors of an item that would come again."""
_LATER: Final = frozenset({408, 409, 425, 429})
_SERVER: Final = 500
_BAD_REQUEST: Final = 400
_TOO_LARGE: Final = 413
_STOPS: Final[Mapping[str, tuple[UnjudgedReason, Again]]] = {
    "max_tokens": ("truncated", "more_room"),
    "refusal": ("refused", "no"),
    "model_context_window_exceeded": ("too_long", "no"),
}
NO_USAGE: Final = Usage()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One attempt, settled."""

    reply: Reply
    usage: Usage = NO_USAGE
    again: Again = "no"
    wait_s: float | None = None
    """What the service asked to wait before anything else is sent."""
    fatal: str | None = None
    """Why no other request can succeed either: the problem, then the remedy."""
    maybe_paid: bool = False
    """The request may have been worked on and charged for, and no usage came back."""
    overloaded: bool = False
    """The service could not keep up."""
    detail: str = ""


def of_message(body: Any, *, model: str, batch: bool) -> Outcome:
    """Read what should be a message.

    Args:
        body: Decoded JSON, or None where it was none.
        model: The model that was asked for.
        batch: It was asked for in a batch.
    """
    if not isinstance(body, Mapping) or body.get("type") != "message":
        return failed(model, "the reply is no message", again="later", maybe_paid=True)
    named = body.get("model")
    named = named if isinstance(named, str) and named else model
    usage = _usage(body.get("usage"))
    cost = None if usage is None else cost_usd(usage, named, batch=batch)
    text = _text(body.get("content"))
    stop = body.get("stop_reason")
    error: UnjudgedReason | None = None
    again: Again = "no"
    if isinstance(stop, str) and stop in _STOPS:
        error, again = _STOPS[stop]
    elif stop not in ("end_turn", "stop_sequence") or text is None:
        error, again = "api_error", "later"
    known = usage or NO_USAGE
    reply = Reply(
        text=text or "",
        model=named,
        input_tokens=known.input_tokens,
        output_tokens=known.output_tokens,
        cost_usd=cost,
        error=error,
    )
    detail = f"stop_reason {str(stop)[:40]}" if error else ""
    if usage is None:
        detail = f"{detail} without usage".strip()
    return Outcome(reply=reply, usage=known, again=again, detail=detail)


def of_status(
    status: int, message: str, *, model: str, retry_after_s: float | None = None
) -> Outcome:
    """Read an error of the service.

    Args:
        status: HTTP status.
        message: The service's words; decide only between kinds of a 400.
        model: The model that was asked for.
        retry_after_s: What the service asked to wait.
    """
    shown = f"HTTP {status}: {scrub(message)[:_SHOWN]}"
    if status in _FATAL or (status == _BAD_REQUEST and _NO_CREDIT.search(message)):
        reason = _FATAL.get(status, _FATAL[402])
        return failed(model, shown, fatal=reason)
    if status == _TOO_LARGE or (status == _BAD_REQUEST and _TOO_LONG.search(message)):
        return failed(model, shown, error="too_long")
    if status in _LATER or status >= _SERVER:
        return failed(model, shown, again="later", wait_s=retry_after_s, overloaded=True)
    return failed(model, shown)


def of_item_error(kind: str, message: str, *, model: str) -> Outcome:
    """Read the error of one item of a batch, which has a type and no status."""
    shown = f"{kind[:40]}: {scrub(message)[:_SHOWN]}"
    if kind == "request_too_large" or _TOO_LONG.search(message):
        return failed(model, shown, error="too_long")
    return failed(model, shown, again="no" if kind in _PERMANENT else "later")


def failed(
    model: str,
    detail: str,
    *,
    error: UnjudgedReason = "api_error",
    again: Again = "no",
    wait_s: float | None = None,
    fatal: str | None = None,
    maybe_paid: bool = False,
    overloaded: bool = False,
) -> Outcome:
    """Return the outcome of a request that brought no message."""
    return Outcome(
        reply=Reply(text="", model=model, error=error),
        again=again,
        wait_s=wait_s,
        fatal=fatal,
        maybe_paid=maybe_paid,
        overloaded=overloaded,
        detail=detail,
    )


def _text(content: Any) -> str | None:
    """Return the text blocks together; None where the content is no list of blocks."""
    if not isinstance(content, list):
        return None
    texts = []
    for block in content:
        if not isinstance(block, Mapping):
            return None
        if block.get("type") == "text":
            if not isinstance(block.get("text"), str):
                return None
            texts.append(block["text"])
    return "".join(texts)


def _usage(usage: Any) -> Usage | None:
    """Return the tokens of a reply, None where the service's numbers are none."""
    if not isinstance(usage, Mapping):
        return None
    creation = usage.get("cache_creation")
    hour = creation.get("ephemeral_1h_input_tokens") if isinstance(creation, Mapping) else 0
    numbers = [
        usage.get("input_tokens"),
        usage.get("output_tokens"),
        usage.get("cache_read_input_tokens") or 0,
        usage.get("cache_creation_input_tokens") or 0,
        hour or 0,
    ]
    counts = [number for number in numbers if type(number) is int and number >= 0]
    if len(counts) < len(numbers):
        return None
    plain, output, read, written, hour = counts
    return Usage(
        input_tokens=plain + read + written,
        cache_read_tokens=read,
        cache_write_tokens=written,
        cache_write_1h_tokens=min(hour, written),
        output_tokens=output,
    )
