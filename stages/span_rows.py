"""Span rows: the spans of a turn, reduced to what waterfalls and tables show."""

import json
from collections.abc import Iterator, Mapping

from ingest.span import Span
from stages.records import SpanRow, Stage
from stages.run import Run


def span_rows(
    run: Run, stages: Mapping[str, Stage], flags: Mapping[str, tuple[str, ...]]
) -> Iterator[SpanRow]:
    """Yield a row for every span of the turn, by start and id."""
    for span in run.spans:
        raw = span.raw
        yield SpanRow(
            trace_id=raw.trace_id,
            span_id=raw.span_id,
            parent_id=raw.parent_id,
            name=raw.name,
            kind=str(span.kind),
            stage=stages.get(span.span_id),
            start_ns=raw.start_ns,
            end_ns=raw.end_ns,
            status=raw.status,
            service=raw.service,
            convention=span.conventions[0] if span.conventions else None,
            flags=flags.get(span.span_id, ()),
            attributes=_as_json(span),
        )


def flags_of(run: Run) -> dict[str, tuple[str, ...]]:
    """Return the oddities of each span, by span id; spans without any are left out.

    A span without a parent beside the turn's own root is a `second_root`.
    """
    tree = run.tree
    main = tree.top_ids[run.root.span_id]
    found: dict[str, tuple[str, ...]] = {}
    for span in run.spans:
        words = [*span.flags, *tree.flags.get(span.span_id, ())]
        stray = not span.raw.parent_id and span.span_id != main
        if stray and tree.top_ids[span.span_id] == span.span_id:
            words.append("second_root")
        if words:
            found[span.span_id] = tuple(dict.fromkeys(words))
    return found


def _as_json(span: Span) -> str:
    return json.dumps(dict(span.raw.attributes), ensure_ascii=False, default=str)
