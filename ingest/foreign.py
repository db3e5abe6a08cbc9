"""Files that are no traces, known well enough to say what to export instead.

Looked at only once no format has recognised a file. A hint is advice and decides nothing.
"""

from dataclasses import dataclass
from typing import Final

_HEAD = 2**16

METRICS: Final = "OTLP metrics: add an exporter to the traces pipeline of the collector."
"""Also for a file that a format of traces reads, and finds nothing but these in."""


@dataclass(frozen=True, slots=True)
class Foreign:
    """One kind of file."""

    marks: tuple[bytes, ...]
    """All of them stand in its first 64 KiB."""
    hint: str
    """What it is and what to export instead, as a sentence."""
    at_start: bool = False
    """The first mark stands at the very beginning."""


_KNOWN: Final = (
    Foreign(
        (b'"final_answer_called"', b'"tools_used"'),
        "Results of smoltrace evaluations: export the spans beside them, traces.json.",
    ),
    Foreign((b'"resourceMetrics"',), METRICS),
    Foreign(
        (b'"resourceProfiles"',),
        "OTLP profiles: add an exporter to the traces pipeline of the collector.",
    ),
    Foreign(
        (b'"dataset_id"', b'"inputs"'),
        "Examples of a LangSmith data set: export its runs (list_runs) as JSON lines.",
    ),
    Foreign(
        (b'"feedback_source"',),
        "LangSmith feedback: export the runs it is about (list_runs) as JSON lines.",
    ),
    Foreign(
        (b'"client.beta.sessions.',),
        "API calls of a managed agent, recorded for a test: export its traces as OTLP.",
    ),
    Foreign(
        (b'"run_uuid"', b'"experiment_id"'),
        "MLflow runs: export traces (search_traces, Trace.to_json) instead.",
    ),
    Foreign(
        (b'"dataType"', b'"observationId"'),
        "Langfuse scores: export traces with their observations.",
    ),
    Foreign((b'"traceEvents"',), "A browser's or profiler's timeline: it records no agent."),
    Foreign((b'"log"', b'"creator"', b'"entries"'), "Recorded HTTP (HAR): export spans instead."),
    Foreign((b"interactions:", b"request:"), "Recorded HTTP of a test: export spans instead."),
    Foreign((b"PK\x03\x04",), "A ZIP archive: unpack it first.", at_start=True),
    Foreign((b"BZh",), "Compressed with bzip2: inflate it, or use gzip or zstd.", at_start=True),
    Foreign((b"\xfd7zXZ",), "Compressed with xz: inflate it, or use gzip or zstd.", at_start=True),
    Foreign((b"ARROW1",), "An Arrow file: write it as Parquet.", at_start=True),
    Foreign((b"SQLite format 3",), "A data base: export its spans as JSON.", at_start=True),
    Foreign((b"<!DOCTYPE html",), "A web page: export the data behind it.", at_start=True),
    Foreign((b"<html",), "A web page: export the data behind it.", at_start=True),
)


def hint_of(head: bytes) -> str:
    """Return what a file is that begins with *head*, and what to export instead.

    Empty where nothing is known of it.
    """
    seen = head[:_HEAD].lstrip()
    for known in _KNOWN:
        if known.at_start:
            if seen.startswith(known.marks[0]):
                return known.hint
        elif all(mark in seen for mark in known.marks):
            return known.hint
    return ""
