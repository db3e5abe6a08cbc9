"""Records that were loaded, but not as they were."""

from collections.abc import Set as AbstractSet

from ingest.losses import Loss
from ingest.stream import Stream

REPAIRS = {
    "surrogate_replaced": "half a surrogate pair became U+FFFD",
    "invalid_utf8_replaced": "bytes that are no UTF-8 became U+FFFD",
    "bad_time": "a time that is none became unknown",
    "bad_attribute": "attributes of no known shape became unknown",
}
"""Flags that make a record `repaired`, the weightiest first. Others only name oddities."""


def repair_losses(
    flags: AbstractSet[str], stream: Stream, offset: int, span_id: str | None
) -> list[Loss]:
    """Return the loss of a repaired record: one, however much was repaired, or none."""
    for reason, detail in REPAIRS.items():
        if reason in flags:
            return [stream.loss(reason, offset, detail, span_id=span_id, outcome="repaired")]
    return []
