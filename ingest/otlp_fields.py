"""Ids, times and enums of OTLP/JSON in all the spellings that exporters produce.

    trace id  32 hex │ 24 base64 │ 44 base64 of the hex text │ 0x… │ UUID   ▶ 32 hex
    span id   16 hex │ 12 base64 │ 24 base64 of the hex text │ 0x…          ▶ 16 hex
    time      "1767225600123456789" │ number │ {"low": …, "high": …}         ▶ int ns
    enum      2 │ "2" │ "SPAN_KIND_SERVER" │ "SERVER"                        ▶ "SERVER"

Each id is told apart by itself, by its field and length: one file may mix spellings.
"""

import base64
import binascii
import re
from functools import lru_cache
from typing import TypeAlias

import msgspec

from ingest.span import Status

_LOWER_HEX = "0123456789abcdef"
_HEX = re.compile(r"[0-9a-fA-F]+")
_UUID = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_OPAQUE = re.compile(r"[!-~]{1,128}")
_DIGITS = re.compile(r"[0-9]{1,20}")

TRACE_DIGITS = 32
SPAN_DIGITS = 16
_MOST_ZEROS_LOST = 3
"""Hex digits that a number formatter may have dropped in front of an id."""

_NOW_DIGITS = 19
"""Of any time between 2001 and 2286."""

_LAST_NS = 2**63 - 1
"""Year 2262, where 64-bit nanoseconds end."""


class LowHigh(msgspec.Struct):
    """A 64-bit integer as JavaScript libraries split it; the halves may be negative."""

    low: int
    high: int


Time: TypeAlias = int | str | float | LowHigh | None
Enum: TypeAlias = int | str | None

KINDS = ("UNSPECIFIED", "INTERNAL", "SERVER", "CLIENT", "PRODUCER", "CONSUMER")
_KIND_NAMES: dict[Enum, str] = dict(enumerate(KINDS))
_STATUSES: tuple[Status, ...] = ("unset", "ok", "error")


class UnreadableError(ValueError):
    """A record that cannot be loaded; becomes a rejected `Loss`."""

    def __init__(self, reason: str, detail: str = "", span_id: str | None = None) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail
        self.span_id = span_id


@lru_cache(maxsize=1024)  # spans of one trace come together
def trace_id(text: str | None) -> str:
    """Return a trace id as 32 lowercase hex digits, or as it is when it is opaque.

    Raises:
        UnreadableError: `bad_trace_id` or `zero_trace_id`.
    """
    found = normal_id(text, TRACE_DIGITS)
    if found is None:
        raise UnreadableError("bad_trace_id", repr(text)[:100] if text else "no trace id")
    if not found.strip("0"):
        raise UnreadableError("zero_trace_id")
    return found


def span_id(text: str | None) -> str:
    """Return a span id as 16 lowercase hex digits, or as it is when it is opaque.

    Raises:
        UnreadableError: `bad_span_id` or `zero_span_id`.
    """
    found = normal_id(text, SPAN_DIGITS)
    if found is None:
        raise UnreadableError("bad_span_id", repr(text)[:100] if text else "no span id")
    if not found.strip("0"):
        raise UnreadableError("zero_span_id")
    return found


def optional_id(text: str | None, digits: int) -> str | None:
    """Return an id that may be absent: None for nothing, zeros and what is no id."""
    found = normal_id(text, digits)
    return found if found and found.strip("0") else None


def normal_id(text: str | None, digits: int) -> str | None:
    """Return an id of *digits* hex digits in one spelling, None when it can be no id."""
    if not text:
        return None
    if len(text) == digits and not text.strip(_LOWER_HEX):
        return text
    if len(text) == digits and _HEX.fullmatch(text):
        return text.lower()
    if text[:2] in {"0x", "0X"} and len(text) <= digits + 2 and _HEX.fullmatch(text[2:]):
        return text[2:].lower().zfill(digits)
    if digits - _MOST_ZEROS_LOST <= len(text) < digits and _HEX.fullmatch(text):
        return text.lower().zfill(digits)
    if text.endswith("="):
        decoded = _from_base64(text, digits)
        if decoded is not None:
            return decoded
    if digits == TRACE_DIGITS and _UUID.fullmatch(text):
        return text.replace("-", "").lower()
    return text if _OPAQUE.fullmatch(text) else None


def _from_base64(text: str, digits: int) -> str | None:
    try:
        decoded = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None
    if len(decoded) == digits // 2:
        return decoded.hex()
    if len(decoded) == digits and decoded.isascii() and _HEX.fullmatch(decoded.decode()):
        return decoded.decode().lower()
    return None


def time_ns(value: Time, flags: set[str]) -> int | None:
    """Return nanoseconds since the epoch exactly as recorded.

    None when nothing was recorded (zero is OTLP's nothing), and, with `bad_time` among
    the flags, when what was recorded is no time.
    """
    if type(value) is str and len(value) == _NOW_DIGITS and value.isdecimal():
        number = int(value)
    elif isinstance(value, str):
        number = int(value) if _DIGITS.fullmatch(value) else -1 if value else 0
    elif isinstance(value, LowHigh):
        number = (value.high << 32) + (value.low & 0xFFFFFFFF)
    elif isinstance(value, float):
        number = int(value) if value.is_integer() else -1
    else:
        number = value or 0
    if not 0 <= number <= _LAST_NS:
        flags.add("bad_time")
        return None
    return number or None


def kind_name(value: Enum) -> str:
    """Return the OTLP span kind by name; what is no kind is UNSPECIFIED."""
    name = _KIND_NAMES.get(value)
    return KINDS[_enum_number(value, "SPAN_KIND_", KINDS)] if name is None else name


def status_name(value: Enum) -> Status:
    """Return the OTLP status by name; what is no status is `unset`."""
    number = _enum_number(value, "STATUS_CODE_", ("UNSET", "OK", "ERROR"))
    return _STATUSES[number]


def _enum_number(value: Enum, prefix: str, names: tuple[str, ...]) -> int:
    if isinstance(value, str):
        name = value.upper().removeprefix(prefix)
        if name in names:
            return names.index(name)
        value = int(value) if len(value) == 1 and value in "012345" else 0
    return value if value is not None and 0 <= value < len(names) else 0
