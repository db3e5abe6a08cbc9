"""What is odd about the shape of one trace. Nothing is changed, only named.

missing_parent     the parent is not in the trace: this span is one of its tops
second_root        a span without a parent beside another top that began before it
self_parent        the span names itself
cycle              following parents comes back here; named once for the whole cycle
end_before_start   as recorded; clocks differ

Beside these, `conflicting_span` names a span of whose id there was another, finished one
that says something else (`ingest.grouping`).
"""

from collections.abc import Sequence

from ingest.span import RawSpan


def oddities(spans: Sequence[RawSpan]) -> dict[str, list[str]]:
    """Return the oddities by span id; spans without any are left out.

    Args:
        spans: All spans of one trace, each id once, ordered by start.
    """
    ids = {span.span_id for span in spans}
    found: dict[str, list[str]] = {}
    tops = 0
    for span in spans:
        parent = span.parent_id
        if parent is None or parent not in ids:
            tops += 1
            if parent is not None:
                found.setdefault(span.span_id, []).append("missing_parent")
            elif tops > 1:
                found.setdefault(span.span_id, []).append("second_root")
        elif parent == span.span_id:
            found.setdefault(span.span_id, []).append("self_parent")
        start, end = span.start_ns, span.end_ns
        if start is not None and end is not None and end < start:
            found.setdefault(span.span_id, []).append("end_before_start")
    for span_id in _cycles(spans):
        found.setdefault(span_id, []).append("cycle")
    return found


def _cycles(spans: Sequence[RawSpan]) -> list[str]:
    """Return the first span, in the order of *spans*, of each cycle of two or more."""
    parents = {span.span_id: span.parent_id for span in spans}
    order = {span.span_id: position for position, span in enumerate(spans)}
    settled: set[str] = set()
    firsts: list[str] = []
    for start in parents:
        path: list[str] = []
        on_path: set[str] = set()
        here: str | None = start
        while here is not None and here in parents and here not in settled:
            if here in on_path:
                cycle = path[path.index(here) :]
                if len(cycle) > 1:
                    firsts.append(min(cycle, key=order.__getitem__))
                break
            path.append(here)
            on_path.add(here)
            here = parents[here]
        settled |= on_path
    return firsts
