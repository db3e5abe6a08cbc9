"""Times of one trace that cannot be as they were recorded.

Nothing is corrected: clocks of hosts differ, and only what is seen is told. A child that
ends after its parent may be a stream that was consumed later; one that begins before its
parent cannot be.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ingest.span import RawSpan, Span

TOLERANCE_NS: Final = 1_000_000
"""Finer differences are how clocks are read."""
DAY_NS: Final = 86_400 * 10**9
OF_ONE: Final[Mapping[str, str]] = {
    "have no start": "has no start",
    "have no end": "has no end",
    "are at time zero": "is at time zero",
    "end before they begin": "ends before it begins",
    "are in the future": "is in the future",
    "begin before their parent": "begins before its parent",
    "end after their parent": "ends after its parent",
}
"""Every oddity as it is told of a single span."""


@dataclass(slots=True, kw_only=True)
class Clocks:
    """What was seen, over all traces."""

    oddities: Counter[str] = field(default_factory=Counter)
    """Spans by what is odd about their times."""
    skews: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    """By calling and called service: number of calls that begin before their caller's span,
    and the most nanoseconds they do so by."""

    def add(self, spans: Sequence[Span], now_ns: int) -> None:
        """Look at the spans of one trace."""
        known = {span.span_id: span.raw for span in spans}
        for raw in known.values():
            self.oddities.update(_own(raw, now_ns))
            parent = known.get(raw.parent_id or "")
            if parent is not None and parent is not raw:
                self._add_pair(parent, raw)

    @property
    def worst_skews(self) -> Mapping[tuple[str, str], tuple[int, float]]:
        """By calling and called service: calls, and milliseconds; the most calls first."""
        ordered = sorted(self.skews.items(), key=lambda item: (-item[1][0], item[0]))
        return {pair: (calls, most / 1e6) for pair, (calls, most) in ordered}

    def _add_pair(self, parent: RawSpan, child: RawSpan) -> None:
        early = _difference(parent.start_ns, child.start_ns)
        if early is not None and early > TOLERANCE_NS:
            self.oddities["begin before their parent"] += 1
            if parent.service != child.service:
                pair = (parent.service or "unknown", child.service or "unknown")
                calls, most = self.skews.get(pair, (0, 0))
                self.skews[pair] = [calls + 1, max(most, early)]
        late = _difference(child.end_ns, parent.end_ns)
        if late is not None and late > TOLERANCE_NS:
            self.oddities["end after their parent"] += 1


def _own(raw: RawSpan, now_ns: int) -> list[str]:
    start, end = raw.start_ns, raw.end_ns
    found: list[str] = []
    if start is None or end is None:
        found.append("have no start" if start is None else "have no end")
    if 0 in (start, end):
        found.append("are at time zero")
    if start is not None and end is not None and end < start:
        found.append("end before they begin")
    if max(start or 0, end or 0) > now_ns + DAY_NS:
        found.append("are in the future")
    return found


def _difference(later: int | None, earlier: int | None) -> int | None:
    """Return later - earlier; None where either is unknown or zero."""
    return later - earlier if later and earlier else None
