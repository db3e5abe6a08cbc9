"""Span rows: the spans of a turn, reduced to what waterfalls and tables show."""

import json
from collections.abc import Iterator, Mapping

from ingest.span import Span
from stages.records import SpanRow, Stage
from stages.run import Run


def span_rows(run: Run, stages: Mapping[str, Stage]) -> Iterator[SpanRow]:
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
            flags=span.flags,
            attributes=_as_json(span),
        )


def _as_json(span: Span) -> str:
    return json.dumps(dict(span.raw.attributes), ensure_ascii=False, default=str)
