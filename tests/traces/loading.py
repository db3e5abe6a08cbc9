"""Real trace files, read in the plainest way that shows their spans to the conventions.

Attributes bear the names that `ingest.conventions` lists for each format. A loader here
repairs nothing: that is the business of the product's readers, which have tests of their own.
"""

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from ingest import group_spans, read_spans
from ingest.span import RawEvent, RawLink, RawSpan, Status, Value

FOLDER = Path(__file__).parents[2].parent / "shared" / "traces"

Loader = Callable[[Path], Iterator[RawSpan]]


def file(name: str) -> Path:
    """Return a real file; skip where the folder is absent."""
    path = FOLDER / name
    if not path.is_file():
        pytest.skip(f"{path} is not on this machine")
    return path


def otlp(path: Path) -> Iterator[RawSpan]:
    for trace in group_spans(read_spans([path])):
        yield from trace.spans


def jaeger(path: Path) -> Iterator[RawSpan]:
    for trace in parsed(path)["data"]:
        for span in trace["spans"]:
            tags = {tag["key"]: tag["value"] for tag in span["tags"]}
            parents = [r["spanID"] for r in span["references"] if r["refType"] == "CHILD_OF"]
            process = trace["processes"][span["processID"]]
            yield RawSpan(
                trace_id=span["traceID"],
                span_id=span["spanID"],
                parent_id=parents[0] if parents else None,
                name=span["operationName"],
                start_ns=span["startTime"] * 1000,
                end_ns=(span["startTime"] + span["duration"]) * 1000,
                status="error" if tags.get("otel.status_code") == "ERROR" else "unset",
                attributes=tags,
                resource={"service.name": process["serviceName"]},
                scope_name=tags.get("otel.scope.name", ""),
            )


def tempo(path: Path) -> Iterator[RawSpan]:
    for batch in parsed(path)["batches"]:
        resource = _pairs(batch["resource"])
        for library in batch["instrumentationLibrarySpans"]:
            for span in library["spans"]:
                yield RawSpan(
                    trace_id=span["traceId"],
                    span_id=span["spanId"],
                    parent_id=span.get("parentSpanId") or None,
                    name=span["name"],
                    start_ns=int(span["startTimeUnixNano"]),
                    end_ns=int(span["endTimeUnixNano"]),
                    status="error" if span["status"].get("code") == 2 else "unset",
                    attributes=_pairs(span),
                    resource=resource,
                    scope_name=library["instrumentationLibrary"]["name"],
                )


def _pairs(record: dict[str, Any]) -> dict[str, Value]:
    return {
        pair["key"]: next(iter(pair["value"].values())) for pair in record.get("attributes", ())
    }


def mlflow(path: Path) -> Iterator[RawSpan]:
    for line in path.read_text("utf-8").splitlines():
        trace = json.loads(line)
        metadata = trace["info"]["trace_metadata"]
        for span in trace["data"]["spans"]:
            root = metadata if span["parent_span_id"] is None else {}
            yield RawSpan(
                trace_id=span["trace_id"],
                span_id=span["span_id"],
                parent_id=span["parent_span_id"],
                name=span["name"],
                start_ns=span["start_time_unix_nano"],
                end_ns=span["end_time_unix_nano"],
                status=status(span["status"]["code"]),
                status_message=span["status"]["message"],
                attributes={**root, **span["attributes"]},
            )


def langfuse(path: Path) -> Iterator[RawSpan]:
    export = parsed(path)
    trace = export["trace"]
    for observation in export["observations"]:
        metadata = observation.get("metadata")
        told = json.loads(metadata) if isinstance(metadata, str) else metadata or {}
        own = {
            "type": observation["type"].lower(),
            "input": observation.get("input"),
            "output": observation.get("output"),
            "level": observation.get("level"),
            "status_message": observation.get("statusMessage"),
            "model.name": observation.get("model"),
            "usage_details": observation.get("usageDetails"),
            "completion_start_time": observation.get("completionStartTime"),
        }
        attributes = {f"langfuse.observation.{key}": value for key, value in own.items()}
        attributes["session.id"] = trace.get("sessionId")
        if observation.get("parentObservationId") is None:
            attributes["langfuse.trace.input"] = trace.get("input")
            attributes["langfuse.trace.output"] = trace.get("output")
        scope = told.get("scope", {})
        yield RawSpan(
            trace_id=observation["traceId"],
            span_id=observation["id"],
            parent_id=observation.get("parentObservationId"),
            name=observation["name"],
            start_ns=nanoseconds(observation["startTime"]),
            end_ns=nanoseconds(observation.get("endTime")),
            status="error" if observation.get("level") == "ERROR" else "unset",
            status_message=observation.get("statusMessage") or "",
            attributes={**attributes, **told.get("attributes", {})},
            resource=told.get("resourceAttributes", {}),
            scope_name=scope.get("name", ""),
        )


def langsmith(path: Path) -> Iterator[RawSpan]:
    batch = parsed(path)
    runs: dict[str, dict[str, Any]] = {}
    for run in (*batch.get("post", ()), *batch.get("patch", ())):
        key = run.get("id") or next(iter(runs))
        runs.setdefault(key, {}).update({k: v for k, v in run.items() if v is not None})
    for run in runs.values():
        metadata = run.get("extra", {}).get("metadata", {})
        yield RawSpan(
            trace_id=run["trace_id"],
            span_id=run["id"],
            parent_id=run.get("parent_run_id"),
            name=run["name"],
            start_ns=nanoseconds(run["start_time"]),
            end_ns=nanoseconds(run.get("end_time")),
            status="error" if run.get("error") else "unset",
            status_message=run.get("error") or "",
            attributes={
                "langsmith.run_type": run["run_type"],
                "langsmith.inputs": run.get("inputs"),
                "langsmith.outputs": run.get("outputs"),
                **{f"langsmith.metadata.{key}": value for key, value in metadata.items()},
            },
        )


def snapshots(path: Path) -> Iterator[RawSpan]:
    """Read the spans of tests; each test is a world of its own."""
    for number, test in enumerate(parsed(path)):
        for span in test["spans"]:
            world = f"{test['test']}-{number}"
            parent = span["parent"]
            yield RawSpan(
                trace_id=f"{world}-{span['context']['trace_id']}",
                span_id=f"{span['context']['span_id']}",
                parent_id=f"{parent['span_id']}" if parent else None,
                name=span["name"],
                start_ns=span["start_time"] if isinstance(span["start_time"], int) else None,
                end_ns=span["end_time"] if isinstance(span["end_time"], int) else None,
                attributes=span["attributes"],
                events=tuple(
                    RawEvent(
                        name=event["name"],
                        time_ns=event["timestamp"],
                        attributes=event.get("attributes", {}),
                    )
                    for event in span.get("events", ())
                ),
            )


def console(path: Path) -> Iterator[RawSpan]:
    read = parsed(path)
    for span in read["spans"] if isinstance(read, dict) else read:
        context = span.get("context", span)
        parent = span.get("parent_id") or span.get("parent_span_id")
        told = span["status"]
        yield RawSpan(
            trace_id=context["trace_id"],
            span_id=context["span_id"].removeprefix("0x"),
            parent_id=parent.removeprefix("0x") if parent else None,
            name=span.get("name") or span["span_name"],
            start_ns=nanoseconds(span["start_time"]),
            end_ns=nanoseconds(span["end_time"]),
            status=status(told.get("status_code") or told.get("code", "")),
            status_message=told.get("description") or "",
            attributes=span["attributes"],
            events=tuple(
                RawEvent(
                    name=event["name"],
                    time_ns=nanoseconds(event.get("timestamp")),
                    attributes=event["attributes"],
                )
                for event in span["events"]
            ),
            links=tuple(
                RawLink(trace_id=link["context"]["trace_id"], span_id=link["context"]["span_id"])
                for link in span.get("links", ())
            ),
        )


def flat(path: Path) -> Iterator[RawSpan]:
    read = parsed(path)
    for span in read["spans"] if isinstance(read, dict) else read:
        yield RawSpan(
            trace_id=span["trace_id"],
            span_id=span["span_id"],
            parent_id=span["parent_span_id"],
            name=span["name"],
            start_ns=nanoseconds(span["start_time"]),
            end_ns=nanoseconds(span["end_time"]),
            status=status(span["status"]["code"]),
            attributes=span["attributes"],
            events=tuple(
                RawEvent(
                    name=event.get("event_name") or event["name"],
                    time_ns=nanoseconds(event.get("timestamp")),
                    attributes=event["attributes"],
                )
                for event in span.get("span_events", ())
            ),
            scope_name=span["scope"]["name"],
        )


def openai_agents(path: Path) -> Iterator[RawSpan]:
    records = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    traces = {record["id"]: record for record in records if record["object"] == "trace"}
    for record in records:
        if record["object"] != "trace.span":
            continue
        trace = traces.get(record["trace_id"], {})
        error = record["error"]
        yield RawSpan(
            trace_id=record["trace_id"],
            span_id=record["id"],
            parent_id=record["parent_id"],
            name=record["span_data"].get("name") or record["span_data"]["type"],
            start_ns=nanoseconds(record["started_at"]),
            end_ns=nanoseconds(record["ended_at"]),
            status="error" if error else "unset",
            status_message=error["message"] if error else "",
            attributes={
                "openai_agents.span_data": record["span_data"],
                "openai_agents.group_id": trace.get("group_id"),
                "openai_agents.workflow_name": trace.get("workflow_name"),
            },
        )


def vercel(path: Path) -> Iterator[RawSpan]:
    for span in parsed(path):
        seconds = [t[0] * 10**9 + t[1] for t in (span["startTime"], span["endTime"])]
        yield RawSpan(
            trace_id=span["spanContext"]["traceId"],
            span_id=span["spanContext"]["spanId"],
            name=span["name"],
            start_ns=seconds[0],
            end_ns=seconds[1],
            attributes=span["attributes"],
            scope_name="ai",
        )


def parsed(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def nanoseconds(time: Value) -> int | None:
    """Read a time in whichever unit it was written."""
    if isinstance(time, str):
        return round(datetime.fromisoformat(time).timestamp() * 1e6) * 1000
    if not isinstance(time, int | float):
        return None
    scale = 10**6 if time < 10**14 else 1  # milliseconds, else nanoseconds
    return round(time * scale)


def status(code: str) -> Status:
    word = code.removeprefix("STATUS_CODE_").lower()
    return "error" if word == "error" else "ok" if word == "ok" else "unset"
