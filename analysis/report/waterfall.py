"""The spans of a turn for a terminal: when each ran, for how long, and for which stage."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from rich.text import Text

from analysis.report.layout import WIDTH, cut, line, padded
from analysis.report.numbers import milliseconds
from analysis.tables.turn_rows import Row

SPAN_COLUMNS: Final = (
    "trace_id",
    "span_id",
    "parent_span_id",
    "name",
    "kind",
    "start_ns",
    "end_ns",
    "status",
    "service",
    "turn_id",
    "convention",
    "flags",
    "stage",
)
"""Columns of `spans` that are shown; the raw attributes are not."""

_STYLES: Final = {"routing": "cyan", "retrieval": "magenta", "generation": "blue", None: "dim"}
_DEEPEST = 12
_BAR = 16
_KINDS_FROM = 72
_BARS_FROM = 50


def waterfall(spans: Sequence[Row], width: int = WIDTH) -> Iterator[Text]:
    """Yield one line per span, children below their parent, in order of start.

    A span whose parent is not of the turn stands at the top; so does one of a circle. In a
    narrow terminal the kinds, then the bars are left out.
    """
    starts = [span["start_ns"] for span in spans if span["start_ns"] is not None]
    ends = [span["end_ns"] for span in spans if span["end_ns"] is not None]
    first = min(starts, default=0)
    whole = max(max(ends, default=0) - first, 1)
    for depth, span in in_tree_order(spans):
        told = span["kind"] if span["status"] != "error" else f"{span['kind']}, error"
        kind = f"  {padded(cut(told, 16), 16)}" if width >= _KINDS_FROM else ""
        bar = _bar(span, first, whole) if width >= _BARS_FROM else ""
        tail = f"{kind}  {milliseconds(_duration(span)):>9}  "
        room = width - len(tail) - (_BAR if width >= _BARS_FROM else 0)
        lead = " " * min(depth, _DEEPEST) + "· "
        name = padded(lead + cut(span["name"] or "", room - len(lead)), room)
        yield line(name, tail, (bar, _STYLES.get(span["stage"], "dim")))


def _duration(span: Row) -> float | None:
    start, end = span["start_ns"], span["end_ns"]
    if start is None or end is None or end < start:
        return None
    return float(end - start) / 1e6


def _bar(span: Row, first: int, whole: int) -> str:
    """Return when the span ran, as a bar within the turn; empty where that is not told."""
    if _duration(span) is None:
        return ""
    start: int = min((span["start_ns"] - first) * _BAR // whole, _BAR - 1)
    end: int = max((span["end_ns"] - first) * _BAR // whole, start + 1)
    return " " * start + "━" * min(end - start, _BAR - start)


def in_tree_order(spans: Sequence[Row]) -> Iterator[tuple[int, Row]]:
    """Yield every span once with its depth; the order of the lines of a waterfall."""
    ordered = sorted(spans, key=lambda span: (span["start_ns"] is None, span["start_ns"] or 0))
    known = {span["span_id"] for span in spans}
    children: dict[str | None, list[Row]] = defaultdict(list)
    tops: list[Row] = []
    for span in ordered:
        parent = span["parent_span_id"]
        own = parent is None or parent not in known or parent == span["span_id"]
        (tops if own else children[parent]).append(span)
    seen: set[int] = set()
    for top in [*tops, *ordered]:  # whatever is left after the tops goes in circles
        stack = [(0, top)]
        while stack:
            depth, span = stack.pop()
            if id(span) not in seen:
                seen.add(id(span))
                yield depth, span
                stack += [(depth + 1, child) for child in reversed(children[span["span_id"]])]
