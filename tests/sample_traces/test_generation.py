"""Regeneration gives the files that are in the repository, byte for byte."""

import json
import shutil
from pathlib import Path

import pytest
import zstandard
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from sample_traces.agent.generate import generate

FOLDER = Path(__file__).parents[2] / "sample_traces"


@pytest.fixture(scope="module")
def regenerated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("regenerated")
    shutil.copy(FOLDER / "README.md", folder)
    generate(folder)
    return folder


def test_every_file_comes_out_again(regenerated: Path) -> None:
    written = {path.name for path in regenerated.iterdir()}
    committed = {path.name for path in FOLDER.iterdir() if path.is_file()}
    assert written == committed - {"__init__.py"}


@pytest.mark.parametrize(
    "name",
    sorted(path.name for path in FOLDER.iterdir() if path.suffix in {".jsonl", ".binpb", ".md"}),
)
def test_the_bytes_are_the_same(regenerated: Path, name: str) -> None:
    assert (regenerated / name).read_bytes() == (FOLDER / name).read_bytes()


@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.glob("*.zst")))
def test_what_was_compressed_is_the_same(regenerated: Path, name: str) -> None:
    # another version of zstd may compress the same bytes otherwise
    again, committed = (decompressed(folder / name) for folder in (regenerated, FOLDER))
    assert again == committed


def test_two_runs_are_the_same(regenerated: Path, tmp_path: Path) -> None:
    for path in generate(tmp_path):
        assert path.read_bytes() == (regenerated / path.name).read_bytes()


def test_all_traces_are_smaller_than_three_megabytes() -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir() if path.is_file()) < 3_000_000


@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.glob("*-desk-*.jsonl")))
def test_json_lines_are_otlp_with_hex_ids(name: str) -> None:
    requests = [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]
    spans = [
        span
        for request in requests
        for resource in request["resourceSpans"]
        for scope in resource["scopeSpans"]
        for span in scope["spans"]
    ]
    assert spans
    assert all(len(bytes.fromhex(span["traceId"])) == 16 for span in spans)
    assert all(len(bytes.fromhex(span["spanId"])) == 8 for span in spans)
    assert all(isinstance(span["startTimeUnixNano"], str) for span in spans)


@pytest.mark.parametrize("name", sorted(path.name for path in FOLDER.glob("*.binpb")))
def test_protobuf_records_parse(name: str) -> None:
    requests = [ExportTraceServiceRequest.FromString(f) for f in frames(FOLDER / name)]
    spans = [
        span
        for request in requests
        for resource in request.resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]
    assert spans
    assert {len(span.trace_id) for span in spans} == {16}
    assert all(span.end_time_unix_nano > span.start_time_unix_nano for span in spans)


def frames(path: Path) -> list[bytes]:
    content, found, offset = path.read_bytes(), [], 0
    while offset < len(content):
        length = int.from_bytes(content[offset : offset + 4], "big")
        found.append(content[offset + 4 : offset + 4 + length])
        offset += 4 + length
    assert offset == len(content)
    return found


def decompressed(path: Path) -> list[bytes]:
    return [zstandard.ZstdDecompressor().decompress(frame) for frame in frames(path)]
