"""A judgement as an event of OpenTelemetry: one log record, as JSON or as protobuf.

    Judgement ──event_of──▶ Event ─┬─ as_json     a line of a file, OTLP JSON
                                   └─ as_record   part of a request, OTLP protobuf

The names are those of OpenTelemetry's GenAI conventions of 2026 (`gen_ai.evaluation.result`),
still in development; what they have no word for begins with `stagefault.`. Equal judgements
are equal events, whenever they are written.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from analysis.exporting.judgements import OUTCOME, Judgement, shortened
from analysis.run import Run

if TYPE_CHECKING:
    from opentelemetry.proto.common.v1.common_pb2 import KeyValue
    from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord

EVENT_NAME: Final = "gen_ai.evaluation.result"
ITEM_ID: Final = "stagefault.item_id"
_UID: Final = "log.record.uid"
"""By OpenTelemetry's conventions, records of one uid are duplicates and may be dropped."""
_TRACE_ID: Final = re.compile(r"(?!0{32})[0-9a-f]{32}")
_SPAN_ID: Final = re.compile(r"(?!0{16})[0-9a-f]{16}")
_LAST_NS: Final = 2**63 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One log record, in no encoding yet."""

    item_id: str
    time_ns: int
    """When the span began that the judgement is about; 0 where that is not known."""
    trace_id: str
    """32 lower-case hex digits; empty with `span_id` where the recorder's ids are others, which
    are attributes then."""
    span_id: str
    attributes: Mapping[str, str | float]


def event_of(one: Judgement) -> Event:
    """Return the event of a judgement that has a span."""
    place = one.place
    if place is None:
        raise ValueError(one.turn_id)
    trace_id, span_id = place.trace_id.lower(), place.span_id.lower()
    is_hex = bool(_TRACE_ID.fullmatch(trace_id) and _SPAN_ID.fullmatch(span_id))
    item_id = item_id_of(one)
    told = {
        "gen_ai.evaluation.name": f"stagefault.{one.name}",
        "gen_ai.evaluation.score.value": one.score,
        "gen_ai.evaluation.score.label": _low_cardinality(one),
        "gen_ai.evaluation.explanation": shortened(one.explanation),
        "gen_ai.conversation.id": one.conversation_id,
        "stagefault.turn_id": one.turn_id,
        "stagefault.subject": one.subject,
        "stagefault.verdict_key": one.key,
        "stagefault.trace_id": None if is_hex else place.trace_id,
        "stagefault.span_id": None if is_hex else place.span_id,
        "error.type": one.error,
        ITEM_ID: item_id,
        _UID: item_id,
    }
    return Event(
        item_id=item_id,
        time_ns=min(max(place.start_ns or 0, 0), _LAST_NS),
        trace_id=trace_id if is_hex else "",
        span_id=span_id if is_hex else "",
        attributes={name: _plain(value) for name, value in told.items() if value is not None},
    )


def item_id_of(one: Judgement) -> str:
    """Return what tells this judgement from every other, the same whenever it is made.

    It is made from what was judged and the key of the verdict, which covers judge and prompt;
    an outcome has no key, and what was decided stands for it.
    """
    said = one.key or f"{one.label}\0{one.score}\0{one.error}\0{one.explanation}"
    text = f"{one.name}\0{one.turn_id}\0{one.subject}\0{said}"
    return f"stagefault-{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"


def as_json(event: Event) -> dict[str, Any]:
    """Return the event as a log record of OTLP JSON."""
    return {
        "timeUnixNano": str(event.time_ns),
        "eventName": EVENT_NAME,
        "traceId": event.trace_id,
        "spanId": event.span_id,
        "attributes": [_pair(name, value) for name, value in event.attributes.items()],
    }


def as_record(event: Event) -> "LogRecord":
    """Return the event as a log record of OTLP protobuf."""
    from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord

    return LogRecord(
        time_unix_nano=event.time_ns,
        event_name=EVENT_NAME,
        trace_id=bytes.fromhex(event.trace_id),
        span_id=bytes.fromhex(event.span_id),
        attributes=[_key_value(name, value) for name, value in event.attributes.items()],
    )


def json_lines(run: Run, records: list[dict[str, Any]]) -> dict[str, Any]:
    """Return records of OTLP JSON with what is the same for all of a run."""
    resource = {"attributes": [_pair(*pair) for pair in _resource(run).items()]}
    scope = {"name": "stagefault", "version": _version(run)}
    scopes = [{"scope": scope, "logRecords": records}]
    return {"resourceLogs": [{"resource": resource, "scopeLogs": scopes}]}


def request_body(run: Run, records: Iterable["LogRecord"]) -> bytes:
    """Return the bytes of one request to export these records."""
    from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
    from opentelemetry.proto.common.v1.common_pb2 import InstrumentationScope
    from opentelemetry.proto.logs.v1.logs_pb2 import ResourceLogs, ScopeLogs
    from opentelemetry.proto.resource.v1.resource_pb2 import Resource

    scope = InstrumentationScope(name="stagefault", version=_version(run))
    resource = Resource(attributes=[_key_value(*pair) for pair in _resource(run).items()])
    observed_ns = _created_ns(run)
    written = ScopeLogs(scope=scope, log_records=records)
    for record in written.log_records:
        record.observed_time_unix_nano = observed_ns
    logs = ResourceLogs(resource=resource, scope_logs=[written])
    return ExportLogsServiceRequest(resource_logs=[logs]).SerializeToString()


def _resource(run: Run) -> dict[str, str]:
    return {"service.name": "stagefault", "stagefault.run_id": _plain(run.run_id)}


def _version(run: Run) -> str:
    return str(run.info.get("tool_version", ""))


def _created_ns(run: Run) -> int:
    """Return when the run was made, which is when its judgements were; 0 if it does not say."""
    try:
        created = datetime.fromisoformat(run.info.get("created", ""))
    except ValueError:
        return 0
    return max(int(created.timestamp()) * 1_000_000_000, 0) if created.tzinfo else 0


def _low_cardinality(one: Judgement) -> str | None:
    """Return `pass` or a fault kind for an outcome, else the label."""
    return "pass" if one.name == OUTCOME and one.label == "passed" else one.label


def _plain(value: Any) -> Any:
    """Return a value that can be encoded: half of a character cannot."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _pair(key: str, value: str | float) -> dict[str, Any]:
    kind = "stringValue" if isinstance(value, str) else "doubleValue"
    return {"key": key, "value": {kind: value}}


def _key_value(key: str, value: str | float) -> "KeyValue":
    from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue

    if isinstance(value, str):
        return KeyValue(key=key, value=AnyValue(string_value=value))
    return KeyValue(key=key, value=AnyValue(double_value=value))
