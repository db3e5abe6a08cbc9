"""Recorded exports: what stands in the raw file, counted by hand, and what was read."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ingest import RawSpan
from tests.ingest.exports import SHARED
from tests.ingest.outcome import Outcome, group_paths, read_paths

TRACES = SHARED / "traces"


def given(name: str) -> Path:
    """Return a recorded file; skips where the folder is absent."""
    path = TRACES / name
    if not path.exists():
        pytest.skip(f"{path} is not there")
    return path


def values(path: Path) -> Iterator[Any]:
    """Yield the JSON values in a file, whatever stands between them."""
    text = path.read_text("utf-8")
    decoder = json.JSONDecoder()
    at = len(text) - len(text.lstrip())
    while at < len(text):
        value, at = decoder.raw_decode(text, at)
        yield value
        at += len(text[at:]) - len(text[at:].lstrip())


def read_whole(path: Path) -> Outcome:
    """Read a file of which nothing may be lost or changed."""
    found = read_paths(path)
    assert [loss for loss in found.losses if loss.outcome != "duplicate"] == []
    return found


def one(spans: list[RawSpan], span_id: str) -> RawSpan:
    """Return the span of that id; there must be one."""
    [found] = [span for span in spans if span.span_id == span_id]
    return found


def duplicates(path: Path) -> int:
    """Return how many spans of a file another one stands for, after grouping."""
    traces, losses = group_paths(path)
    read = read_paths(path)
    dropped = [
        loss
        for loss in losses
        if loss.outcome == "duplicate" and loss.reason in {"duplicate_span", "conflicting_span"}
    ]
    assert sum(len(trace.spans) for trace in traces) == len(read.spans) - len(dropped)
    return len(dropped)
