"""Inputs that ask for more than a machine has, and what reading them costs.

Everything here is small or sparse on disk. Each is read, grouped and made into turns by a
process of its own, whose time and peak of memory are the answer.
"""

import json
import os
import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import zstandard

from tests.ingest.formats import test_jaeger_tempo
from tests.robustness.corpus import binary, framed, zstd

MIB, GIB = 2**20, 2**30

READ = """
import json, resource, sys, time
from ingest import group_spans, read_spans
from ingest.conventions import to_span
from stages import assemble, build_drafts

reading = read_spans([sys.argv[1]])
grouping = group_spans(reading)
drafts, spans = {}, 0
for trace in grouping:
    spans += len(trace.spans)
    for draft in build_drafts(trace.trace_id, [to_span(span) for span in trace.spans]):
        drafts.setdefault(draft.conversation_id, []).append(draft)
turns = sum(len(assemble(key, drafts[key]).turns) for key in drafts)
used = resource.getrusage(resource.RUSAGE_SELF)
below = resource.getrusage(resource.RUSAGE_CHILDREN)
# Unlike ru_maxrss, this forgets what the parent held when it started the process.
told = [line for line in open("/proc/self/status") if line.startswith("VmHWM")]
peak = max(int(told[0].split()[1]), below.ru_maxrss if below.ru_utime else 0)
reasons = sorted({loss.reason for loss in reading.losses} | {f.reason for f in reading.skipped_files})
print(json.dumps([used.ru_utime + used.ru_stime + below.ru_utime + below.ru_stime, peak / 1024, spans, turns, reasons]))
"""


class Cost(msgspec.Struct, array_like=True, frozen=True):
    """What reading a file took and gave."""

    seconds: float
    """Of work, start of the interpreter included."""
    mib: float
    """Most memory held at once."""
    spans: int
    turns: int
    reasons: list[str]


def cost_of(path: Path, timeout: int = 60) -> Cost:
    """Read a file in a process of its own.

    Raises:
        subprocess.CalledProcessError: It did not end well.
        subprocess.TimeoutExpired: It took longer than *timeout* seconds by the clock.
    """
    done = subprocess.run(
        [sys.executable, "-c", READ, str(path)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        check=True,
        timeout=timeout,
    )
    return msgspec.json.decode(done.stdout, type=Cost)


Write = Callable[[Path, int], None]
"""Writes the file; the number is how large it is to be, or to become, in MiB."""


@dataclass(frozen=True, kw_only=True)
class Bomb:
    """One such input, and how it is to end."""

    write: Write
    reason: str | None
    """What its loss is called; None when it is read whole."""
    mib: int = 1024
    """Its size in the long form."""
    short: int = 128
    """Its size in the short form, still beyond every limit that it is to meet."""
    spans: int = 0
    """At least so many are read in spite of it."""


def sparse(path: Path, head: bytes, mib: int, tail: bytes = b"") -> None:
    """Write *mib* MiB of nothing between *head* and *tail*, without using the disk."""
    with path.open("wb") as file:
        file.write(head)
        file.seek(len(head) + mib * MIB)
        file.write(tail or b"\0")


def span(**fields: Any) -> dict[str, Any]:
    """Return one span as OTLP/JSON has it."""
    return {
        "traceId": "1" * 32,
        "spanId": "2" * 16,
        "name": "chat",
        "startTimeUnixNano": "1767225600000000000",
        "endTimeUnixNano": "1767225600000000009",
        "attributes": [
            {"key": "gen_ai.operation.name", "value": {"stringValue": "invoke_agent"}},
            {"key": "input.value", "value": {"stringValue": "days off?"}},
        ],
        **fields,
    }


def request(*spans: Any) -> bytes:
    """Return one line of OTLP/JSON."""
    made = {"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]}
    return json.dumps(made, ensure_ascii=False).encode() + b"\n"


def raw(raw_attributes: str, **fields: Any) -> bytes:
    return request(span(attributes="@", **fields)).replace(b'"@"', raw_attributes.encode())


def attribute(key: str, text: str) -> dict[str, Any]:
    return {"key": key, "value": {"stringValue": text}}


def answering(text: str) -> bytes:
    """Return a turn whose answer is *text*."""
    asked = json.dumps([{"role": "user", "parts": [{"type": "text", "content": "days off?"}]}])
    told = json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": text}]}])
    return request(
        span(
            attributes=[
                attribute("gen_ai.operation.name", "invoke_agent"),
                attribute("gen_ai.input.messages", asked),
                attribute("gen_ai.output.messages", told),
            ]
        )
    )


GOOD = request(span(spanId="3" * 16))


def _zstd(path: Path, mib: int) -> None:
    compressor = zstandard.ZstdCompressor(level=3).compressobj()
    with path.open("wb") as file:
        file.write(compressor.compress(GOOD))
        for _ in range(mib):
            file.write(compressor.compress(bytes(MIB)))
        file.write(compressor.flush())


def _zstd_frames(path: Path, mib: int) -> None:
    path.write_bytes(zstd(GOOD) + zstd(bytes(64 * MIB)) * (mib // 64))


def _gzip(path: Path, mib: int) -> None:
    head = b"\x1f\x8b\x08\x00" + bytes(4) + b"\x00\x03"
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    first = packer.compress(GOOD) + packer.flush(zlib.Z_FULL_FLUSH)
    again = packer.compress(bytes(16 * MIB)) + packer.flush(zlib.Z_FULL_FLUSH)
    with path.open("wb") as file:
        file.write(head + first)
        for _ in range(mib // 16):  # behind a full flush, a block may be repeated
            file.write(again)


def _gzip_twice(path: Path, mib: int) -> None:
    inner = zlib.compressobj(9, wbits=31)
    data = inner.compress(bytes(mib * MIB)) + inner.flush()
    outer = zlib.compressobj(9, wbits=31)
    path.write_bytes(outer.compress(data) + outer.flush())


def _zstd_window(path: Path, _mib: int) -> None:
    path.write_bytes(b"\x28\xb5\x2f\xfd\x00" + bytes([21 << 3]) + zstd(GOOD)[6:])


def _framed_zstd(path: Path, mib: int) -> None:
    bomb = zstd(b'{"resourceSpans":["' + bytes(mib * MIB))
    path.write_bytes(framed([zstd(GOOD), bomb, zstd(GOOD)]))


def _parquet_rows(path: Path, mib: int) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    text = json.dumps({"input.value": "x" * MIB})
    words = pa.array([text])
    index = pa.array([0] * mib, pa.int32())
    columns = {
        "trace_id": pa.array(["1" * 32] * mib),
        "span_id": pa.array([f"{number + 1:016x}" for number in range(mib)]),
        "name": pa.array(["chat"] * mib),
        "start_time": pa.array([1_767_225_600_000_000_000] * mib),
        "end_time": pa.array([1_767_225_600_000_000_009] * mib),
        "attributes": pa.DictionaryArray.from_arrays(index, words),
    }
    parquet.write_table(pa.table(columns), path, compression="zstd")


def _parquet_page(path: Path, mib: int) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    columns = {
        "trace_id": ["1" * 32],
        "span_id": ["2" * 16],
        "name": ["chat"],
        "start_time": [1_767_225_600_000_000_000],
        "end_time": [1_767_225_600_000_000_009],
        "attributes": ["x" * (mib * MIB)],
    }
    parquet.write_table(pa.table(columns), path, compression="zstd", use_dictionary=False)


def _line(path: Path, mib: int) -> None:
    sparse(path, GOOD + b'{"resourceSpans":["', mib, b'"]}\n' + GOOD)


def _document(path: Path, mib: int) -> None:
    whole = json.dumps(test_jaeger_tempo.response(test_jaeger_tempo.span(1)))
    at = whole.index("]", whole.index('"logs"') + 9)
    head = f'{whole[: at + 1]}, "processID": "p1"}}, {{"traceID": "'
    sparse(path, head.encode(), mib, b'"}]}]}')


def _pretty_document(path: Path, mib: int) -> None:
    sparse(path, b'{\n "resourceSpans": [\n  {"scopeSpans": "', mib, b'"}]}')


def _blank(path: Path, mib: int) -> None:
    sparse(path, GOOD, mib)


def _protobuf_length(path: Path, mib: int) -> None:
    sparse(path, binary(json.loads(GOOD)) + b"\x0a" + _varint(mib * MIB + 1), mib)


def _protobuf_endless(path: Path, _mib: int) -> None:
    path.write_bytes(binary(json.loads(GOOD)) + b"\x0a" + _varint(2**62) + bytes(1000))


def _frame_length(path: Path, mib: int) -> None:
    start = b'{"resourceSpans":'
    size = struct.pack(">I", len(start) + mib * MIB + 1)
    sparse(path, framed([GOOD[:-1]]) + size + start, mib)


def _varint(number: int) -> bytes:
    made = bytearray()
    while number > 127:
        made.append(number & 127 | 128)
        number >>= 7
    return bytes([*made, number])


def _deep_protobuf(path: Path, mib: int) -> None:
    value = b"\x0a\x01x"
    for _ in range(2_000):
        inner = b"\x0a" + _varint(len(value)) + value
        value = b"\x2a" + _varint(len(inner)) + inner
    pair = b"\x0a\x01k\x12" + _varint(len(value)) + value
    content = b"\x0a\x10" + b"1" * 16 + b"\x12\x08" + b"2" * 8 + b"\x2a\x01c"
    content += b"\x4a" + _varint(len(pair)) + pair
    for tag in (b"\x12", b"\x12", b"\x0a"):
        content = tag + _varint(len(content)) + content
    path.write_bytes(content * max(1, mib // 16))


def _text(make: Callable[[int], bytes]) -> Write:
    def write(path: Path, mib: int) -> None:
        path.write_bytes(GOOD + make(mib) + GOOD)

    return write


def _times(piece: str, mib: int) -> str:
    return piece * (mib * MIB // len(piece))


def _deep(opening: str, closing: str) -> Write:
    def make(mib: int) -> bytes:
        levels = mib * MIB // (len(opening) + len(closing))
        return raw(opening * levels + "1" + closing * levels)

    return _text(make)


def _spans(parent: Callable[[int], int]) -> Write:
    """Return the writer of a trace of many spans, each below the span that *parent* says."""

    def write(path: Path, mib: int) -> None:
        many = range(1, 1 + mib * 1_000)
        with path.open("wb") as file:
            for start in range(0, len(many), 1_000):
                part = many[start : start + 1_000]
                file.write(
                    request(
                        *(span(spanId=f"{n:016x}", parentSpanId=f"{parent(n):016x}") for n in part)
                    )
                )

    return write


BOMBS: dict[str, Bomb] = {
    "zstd": Bomb(write=_zstd, reason="ratio_limit"),
    "zstd, many frames": Bomb(write=_zstd_frames, reason="ratio_limit"),
    "zstd, a window of 2 GiB": Bomb(write=_zstd_window, reason="window_limit"),
    "gzip": Bomb(write=_gzip, reason="ratio_limit", mib=4096),
    "gzip in gzip": Bomb(write=_gzip_twice, reason="not_a_trace_file", mib=256, short=64),
    "zstd in a frame": Bomb(write=_framed_zstd, reason="ratio_limit", spans=1),
    "parquet, one text in every row": Bomb(write=_parquet_rows, reason="ratio_limit", short=256),
    "parquet, a page": Bomb(write=_parquet_page, reason="memory_limit", mib=256),
    "a line": Bomb(write=_line, reason="oversize_record", spans=1),
    "a document": Bomb(write=_document, reason="oversize_record", spans=1),
    "a pretty document": Bomb(write=_pretty_document, reason="oversize_record"),
    "nothing but zeros": Bomb(write=_blank, reason="oversize_record", spans=1),
    "protobuf, a length": Bomb(write=_protobuf_length, reason="oversize_record", spans=1),
    "protobuf, an endless length": Bomb(write=_protobuf_endless, reason="oversize_record", spans=1),
    "a length of a frame": Bomb(
        write=_frame_length, reason="oversize_record", mib=960, spans=1
    ),
    "deep lists": Bomb(write=_deep("[", "]"), reason="too_deep", mib=16, short=4, spans=1),
    "deep objects": Bomb(write=_deep('{"a":', "}"), reason="too_deep", mib=16, short=4, spans=1),
    "deep lists, never closed": Bomb(
        write=_text(lambda mib: raw(_times("[", mib))), reason="too_deep", mib=16, short=4, spans=1
    ),
    "deep objects, never closed": Bomb(
        write=_text(lambda mib: raw(_times('{"a":', mib))), reason="too_deep", mib=16, short=4, spans=1
    ),
    "deep values": Bomb(
        write=_deep('{"arrayValue":{"values":[', "]}}"), reason="too_deep", mib=16, short=4, spans=1
    ),
    "deep protobuf": Bomb(write=_deep_protobuf, reason="invalid_protobuf", mib=32, short=16),
    "attributes": Bomb(
        write=_text(
            lambda mib: raw(
                "[" + ",".join(
                    f'{{"key":"k{n}","value":{{"intValue":"1"}}}}' for n in range(mib * 20_000)
                ) + "]"
            )
        ),
        reason="too_many_attributes", mib=50, short=10, spans=1,
    ),
    "keys": Bomb(
        write=_text(lambda mib: raw("{" + ",".join(f'"k{n}":1' for n in range(mib * 80_000)) + "}")),
        reason="too_many_attributes", mib=12, short=3, spans=1,
    ),
    "digits": Bomb(
        write=_text(lambda mib: raw("[]", startTimeUnixNano="1" * mib * MIB)),
        reason="bad_time", mib=16, short=4, spans=2,
    ),
    "a chain of spans": Bomb(write=_spans(lambda n: n - 1), reason=None, mib=5, short=2, spans=2_000),
    "a ring of spans": Bomb(write=_spans(lambda n: n % 2_000 + 1), reason=None, mib=5, short=2, spans=2_000),
    "spans below one": Bomb(write=_spans(lambda _: 1), reason=None, mib=5, short=2, spans=2_000),
}  # fmt: skip

_UNPAIRED = ("[1", "[", "【4:0†", "```\n", "~~~\n", "`", "[^1]: x\n", "[1](", "(source: ", "|a|b|\n", "- [1]\n", "> ", "¹", "[1-", "[1, ", "{", "\\[", "<a", "http://a.b/", "1. ", "\u202e", "。", "A.", "é", "#", "\n\n", "\r", " ", "$", "[x](y) [1][2] ")  # fmt: skip

ANSWERS: dict[str, Bomb] = {
    f"answer of {piece!r}": Bomb(
        write=_text(lambda mib, piece=piece: answering(_times(piece, mib))),  # type: ignore[misc]
        reason=None,
        mib=1,
        short=1,
        spans=2,
    )
    for piece in _UNPAIRED
}
"""A megabyte of what answers hold, over and over: no reader of answers may choke on it."""


def measured(bombs: dict[str, Bomb], *, short: bool) -> Iterator[tuple[str, Bomb, Cost]]:
    """Yield the cost of each bomb."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "input"
        for name, bomb in bombs.items():
            bomb.write(path, bomb.short if short else bomb.mib)
            yield name, bomb, cost_of(path, timeout=600)  # it is the work that counts
            os.truncate(path, 0)


MOST_SECONDS, MOST_MIB = 5, 512


def trouble_with(bomb: Bomb, cost: Cost) -> list[str]:
    """Return in words what a bomb took or lost that it may not."""
    wanted = [] if bomb.reason is None else [bomb.reason]
    found = {
        f"{cost.seconds:.1f} seconds": cost.seconds > MOST_SECONDS,
        f"{cost.mib:.0f} MiB": cost.mib > MOST_MIB,
        f"{cost.spans} spans read": cost.spans < bomb.spans,
        f"lost for {cost.reasons}": cost.reasons != wanted,
    }
    return [words for words, holds in found.items() if holds]
