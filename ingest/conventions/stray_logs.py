"""Log records whose span was not exported, as spans of their own.

Some collectors send content as log records and keep the spans elsewhere. A record that holds
what went into a model and what came out is a model call, whatever the span around it was:

    traceId, spanId, timeUnixNano, attributes {"session.id": "conv-42"},
    body {"input": {"messages": [...]}, "output": {"messages": [...]}}

Only such records become spans. Their times are those of the records.

Source: AWS Distro for OpenTelemetry, GenAI log records.
"""

from collections.abc import Iterable

from ingest.batch import RawLog
from ingest.conventions.gen_ai_events import carries_messages
from ingest.span import RawSpan

MADE_OF_LOGS = "made_of_logs"
"""Flag of a span that was never recorded as one."""


def spans_of_logs(logs: Iterable[RawLog]) -> tuple[RawSpan, ...]:
    """Return one span for all records of one span id, in the order of the first ones.

    Args:
        logs: Records of one trace whose span is missing from it.
    """
    told: dict[tuple[str, str], list[RawLog]] = {}
    for log in logs:
        if log.trace_id and log.span_id and carries_messages(log.event):
            told.setdefault((log.trace_id, log.span_id), []).append(log)
    return tuple(_span(trace_id, span_id, group) for (trace_id, span_id), group in told.items())


def _span(trace_id: str, span_id: str, logs: list[RawLog]) -> RawSpan:
    first = logs[0]
    times = [log.event.time_ns for log in logs if log.event.time_ns is not None]
    return RawSpan(
        trace_id=trace_id,
        span_id=span_id,
        name=first.event.name or first.scope_name,
        start_ns=min(times, default=None),
        end_ns=max(times, default=None),
        attributes={key: value for log in logs for key, value in log.event.attributes.items()},
        events=tuple(log.event for log in logs),
        resource=first.resource,
        scope_name=first.scope_name,
        flags=(MADE_OF_LOGS,),
        source=first.source,
    )
