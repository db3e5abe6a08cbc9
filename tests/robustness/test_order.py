"""Any order of files, records and partitions gives the same traces and the same turns."""

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ingest import group_spans, read_spans
from ingest.conventions import to_span
from ingest.wire import content_of
from stages import TurnDraft, assemble, build_drafts, pack
from tests.robustness.corpus import SAMPLES, Document, documents

PARTITIONS = (1, 2, 4)


def turns_of(paths: Sequence[Path], memory_limit: int = 2**28) -> list[bytes]:
    """Return the turns behind *paths* as bytes, in order of conversation and number."""
    drafts: dict[str, list[TurnDraft]] = {}
    for trace in group_spans(read_spans(paths), memory_limit):
        spans = [to_span(span) for span in trace.spans]
        for draft in build_drafts(trace.trace_id, spans):
            drafts.setdefault(draft.conversation_id, []).append(draft)
    return [pack(turn) for key in sorted(drafts) for turn in assemble(key, drafts[key]).turns]


def traces_of(paths: Sequence[Path], memory_limit: int = 2**28) -> list[tuple[str, list[bytes]]]:
    """Return traces as bytes that do not tell where their records stood."""
    grouping = group_spans(read_spans(paths), memory_limit)
    return [(trace.trace_id, [content_of(span) for span in trace.spans]) for trace in grouping]


def as_request(node: Any) -> list[Any]:
    """Return a request as requests of one span each."""
    return [
        {"resourceSpans": [{**group, "scopeSpans": [{**scope, "spans": [span]}]}]}
        for group in node["resourceSpans"]
        for scope in group["scopeSpans"]
        for span in scope["spans"]
    ]


@pytest.fixture(scope="module")
def lines() -> list[str]:
    text = (SAMPLES / "service-desk-mon-wed.jsonl").read_text("utf-8")
    return [
        json.dumps(one) for line in text.splitlines()[:2] for one in as_request(json.loads(line))
    ]


def scattered(lines: list[str], seed: int, folder: Path) -> list[Path]:
    """Write lines in another order to a few files, and name those in another order."""
    chance = Random(seed)
    chance.shuffle(lines := list(lines))
    files = [folder / f"{seed}-{name}.jsonl" for name in "dacb"]
    for number, file in enumerate(files):
        file.write_text("\n".join(lines[number :: len(files)]) + "\n", "utf-8")
    chance.shuffle(files)
    return files


@pytest.mark.parametrize("seed", range(5))
def test_turns_of_shuffled_lines_and_files(lines: list[str], seed: int, tmp_path: Path) -> None:
    whole = tmp_path / "whole.jsonl"
    whole.write_text("\n".join(lines) + "\n", "utf-8")
    expected = turns_of([whole])
    assert len(expected) > 3
    assert turns_of(scattered(lines, seed, tmp_path)) == expected


@pytest.mark.parametrize("partitions", PARTITIONS)
def test_turns_of_partitions_on_disk(lines: list[str], partitions: int, tmp_path: Path) -> None:
    # A batch goes to disk as soon as it is over the limit: one run for each part of the input.
    files = scattered(lines, 7, tmp_path)
    size = sum(file.stat().st_size for file in files) // partitions
    assert turns_of(files, memory_limit=size) == turns_of(files)


@pytest.mark.parametrize("document", documents(), ids=lambda document: document.name)
def test_traces_of_shuffled_records(document: Document, tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_bytes(document.data)
    expected = traces_of([path])
    rounds = 1 if "parquet" in document.name else 3
    for seed in range(rounds):
        records = list(document.records)
        Random(seed).shuffle(records)
        path.write_bytes(document.write(records))
        assert traces_of([path]) == expected
        assert traces_of([path], memory_limit=1_000) == expected


def test_sample_traces_in_any_order_of_files() -> None:
    files = sorted(
        path for path in SAMPLES.iterdir() if path.suffix in {".jsonl", ".zst", ".binpb"}
    )
    files = [path for path in files if path.name not in {"truth.jsonl", "answers.jsonl"}]
    expected = traces_of(files)
    assert traces_of(files[::-1], memory_limit=2**20) == expected
    assert sum(len(spans) for _, spans in expected) > 500
