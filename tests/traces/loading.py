"""Real trace files, read by the product's readers."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ingest import group_spans, read_spans
from ingest.span import RawEvent, RawSpan

FOLDER = Path(__file__).parents[2].parent / "shared" / "traces"

Loader = Callable[[Path], Iterator[RawSpan]]


def file(name: str) -> Path:
    """Return a real file; skip where the folder is absent."""
    path = FOLDER / name
    if not path.is_file():
        pytest.skip(f"{path} is not on this machine")
    return path


def read(path: Path) -> Iterator[RawSpan]:
    """Read the spans of a trace file of any format."""
    for trace in group_spans(read_spans([path])):
        yield from trace.spans


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


def parsed(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))
