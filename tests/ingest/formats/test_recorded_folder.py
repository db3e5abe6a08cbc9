"""The folder of recorded files: what is a trace is read whole, what is none is passed over."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.ingest.formats.recorded import TRACES, given, values
from tests.ingest.outcome import read_paths

NO_TRACES = {
    "INDEX.md": 1,
    "jaeger-tempo": 3,  # sets of evaluation cases
    "langsmith": 3,  # events of another API's sessions
    "monocle": 2,  # events alone, and a page of documentation
    "provider-cassettes": 8,  # recorded HTTP
    "smoltrace": 2,  # results of tasks
    "strands-live": 1,  # a session's items
    "vercel-openinference": 3,  # attributes without a span around them
}


def folder_of(path: str) -> str:
    return path.removeprefix(f"{TRACES}/").partition("/")[0]


def spans_in(value: Any) -> Iterator[Any]:
    """Yield the objects in a raw file that are spans by any name of the span's id."""
    if isinstance(value, list):
        for item in value:
            yield from spans_in(item)
    elif isinstance(value, dict):
        ids = {"spanId", "span_id", "spanID", "context", "spanContext"} & value.keys()
        if ids and {"name", "span_name", "operationName"} & value.keys():
            yield value
        else:
            for item in value.values():
                yield from spans_in(item)


def raw_spans(path: Path) -> int:
    """Count the spans in a raw file, each way of writing them by its own list."""
    found = 0
    for value in values(path):
        if isinstance(value, dict) and "observations" in value:
            found += len(value["observations"])
        elif isinstance(value, dict) and "post" in value:
            found += len(value["post"])
        elif isinstance(value, dict) and "object" in value:
            found += value["object"] == "trace.span"
        else:
            found += sum(1 for _ in spans_in(value))
    return found


def test_every_span_of_every_recorded_file_is_read() -> None:
    given("INDEX.md")
    found = read_paths(TRACES)
    read = Counter(span.source.path for span in found.spans if span.source is not None)
    assert read == {source.path: raw_spans(Path(source.path)) for source in found.reading.sources}
    assert (len(found.spans), len(found.logs)) == (1_176, 2)
    # Observations that Langfuse lists twice, and placeholders for times.
    assert Counter(loss.reason for loss in found.losses) == {"listed_twice": 77, "bad_time": 7}


def test_what_is_no_trace_is_passed_over() -> None:
    given("INDEX.md")
    skipped = read_paths(TRACES).reading.skipped_files
    assert Counter(folder_of(file.path) for file in skipped) == NO_TRACES
    assert {file.reason for file in skipped} == {"not_a_trace_file"}


def test_recorded_files_are_json(tmp_path: Path) -> None:
    path = tmp_path / "two.json"
    path.write_text(f" {json.dumps({'a': 1})}\n\n{json.dumps([2])} ", "utf-8")
    assert list(values(path)) == [{"a": 1}, [2]]
