r"""Coverage-guided fuzzing of what meets foreign bytes first.

    pip install --group fuzz
    python -m tests.robustness.fuzz lines|protobuf|compression|citations [--seconds N]

What fails is written to the folder that is printed, to become a line of `FOUND` in
`test_fuzz.py` once it is mended. Without atheris the targets are run by the tests only.
"""

import argparse
import importlib
import sys
import tempfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

from ingest import Limits, RawSpan
from ingest.batch import Batch
from ingest.compression import Budget, hidden_kind, inflated, kind_of
from ingest.conventions import to_span
from ingest.formats import recognise
from ingest.framing import frames, looks_framed
from ingest.otlp_json import read as read_json
from ingest.otlp_proto import read as read_proto
from ingest.sources import HashingReader
from ingest.span import Document
from ingest.stream import HEAD_BYTES, Cut, Stream
from ingest.window import Window
from stages import assemble, build_drafts
from tests.builders import agent_span, document, retriever_span
from tests.robustness.corpus import binary, documents, otlp

LIMITS = Limits(record_bytes=2**16, ratio_after_bytes=2**16, window_bytes=2**20)


def lines(data: bytes) -> None:
    """Read text as OTLP/JSON, and as whatever it is recognised as."""
    _checked(list(read_json(_stream(data))))
    found = recognise(data[:HEAD_BYTES])
    if found is not None and found.name != "parquet":
        _checked(list(found.read(_stream(data))))


def protobuf(data: bytes) -> None:
    """Read bytes as export requests."""
    _checked(list(read_proto(_stream(data))))


def compression(data: bytes) -> None:
    """Inflate bytes as what they look like, and walk the frames in them."""
    reader = HashingReader(BytesIO(data))
    budget = Budget(reader, LIMITS)
    window = Window(reader)
    kind = kind_of(window.peek(16))
    chunks = list(inflated(window, kind, budget, LIMITS))
    assert all(isinstance(chunk, Cut) or chunk for chunk in chunks)
    head = b"".join(chunk for chunk in chunks if isinstance(chunk, bytes))
    hidden_kind(head)
    if looks_framed(head):
        offsets = [frame.offset for frame in frames(Stream("f", chunks, LIMITS), budget)]
        assert offsets == sorted(offsets)


def citations(data: bytes) -> None:
    """Cut an answer into paragraphs and read its citations."""
    answer = data.decode("utf-8", "surrogateescape")
    passage = document("hr-001", "25 days", metadata={"title": "leave.pdf", "url": "http://a.b/c"})
    chunks: list[Document | str] = [passage, "two"]
    spans = [agent_span("a1", "days off?", answer), retriever_span("r1", "days off", chunks)]
    drafts = build_drafts("t1", spans)
    for turn in assemble(drafts[0].conversation_id, drafts).turns:
        generation = turn.generation
        if generation is None or generation.answer is None:
            continue
        size = len(generation.answer)
        for paragraph in generation.paragraphs:
            assert 0 <= paragraph.start <= paragraph.end <= size
        for citation in generation.citations:
            assert 0 <= citation.start <= citation.end <= size
            assert citation.marker in {"", generation.answer[citation.start : citation.end]}


TARGETS: dict[str, Callable[[bytes], None]] = {
    "lines": lines,
    "protobuf": protobuf,
    "compression": compression,
    "citations": citations,
}


def seeds(target: str) -> list[bytes]:
    """Return what a fuzzer begins with."""
    sound = {made.name: made.data[:4_096] for made in documents() if "parquet" not in made.name}
    match target:
        case "lines":
            return [data for name, data in sound.items() if data[:1] in {b"{", b"["}]
        case "protobuf":
            return [binary(record) for record in otlp()]
        case "compression":
            return [data for name, data in sound.items() if "zstd" in name or "gzip" in name]
        case _:
            return [
                "25 days [1][2], see [hr-001] 【4:0†leave.pdf】 (source: leave.pdf) ¹ [^1]".encode(),
                b"- a [1-3]\n- b [1, 2]\n\n```\narr[0]\n```\n\n[^1]: leave.pdf\n|a|b|\n|-|-|\n",
                b'{"answer": "25 days", "citations": ["hr-001", {"id": 2, "quote": "two"}]}',
            ]


def _stream(data: bytes) -> Stream:
    return Stream("f", [data] if data else [], LIMITS)


def _checked(batches: list[Batch]) -> None:
    traces: dict[str, list[RawSpan]] = {}
    for batch in batches:
        for span in batch.spans:
            assert span.trace_id
            assert span.span_id
            span.attributes.keys()
            traces.setdefault(span.trace_id, []).append(span)
        assert all(loss.reason and loss.offset >= 0 for loss in batch.losses)
    for trace_id, spans in traces.items():
        build_drafts(trace_id, [to_span(span) for span in spans])


def main() -> None:
    """Fuzz the target that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m tests.robustness.fuzz")
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--seconds", type=int, default=120)
    told = parser.parse_args()
    try:
        import atheris
    except ImportError:
        sys.exit("atheris is not installed. Run: pip install --group fuzz")
    folder = Path(tempfile.mkdtemp(prefix="stagefault-fuzz-"))
    (folder / "seeds").mkdir()
    for number, data in enumerate(seeds(told.target)):
        (folder / "seeds" / f"{number}").write_bytes(data)
    sys.stdout.write(f"what fails is kept in {folder}\n")
    for name in list(sys.modules):  # only what is imported again is watched
        if name.partition(".")[0] in {"ingest", "stages", "tests"}:
            del sys.modules[name]
    with atheris.instrument_imports(include=["ingest", "stages"]):
        target = importlib.import_module("tests.robustness.fuzz").TARGETS[told.target]
    options = [f"-max_total_time={told.seconds}", "-timeout=60", "-max_len=8192"]
    options += [f"-artifact_prefix={folder}/", str(folder / "seeds")]
    for data in seeds(told.target):  # what loads when it is first needed counts for no input
        target(data)
    atheris.Setup([sys.argv[0], *options], target)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
