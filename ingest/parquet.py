"""Parquet files: rows that hold spans, read by another process.

    bytes ──temporary file──▶ parquet_child ──frames──▶ row as JSON ──shapes──▶ records

A row is an object like any other, so every shape that knows its names reads it. Its place
is that of its row group. A table whose first row holds no span is none of traces.
"""

import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Self

import msgspec

from ingest import parquet_child
from ingest.batch import Batch
from ingest.errors import StoreError
from ingest.json_mend import is_json, mended
from ingest.json_nodes import Node
from ingest.json_repair import is_utf8
from ingest.json_shapes import Records, Shape, finish, read_object, shape_of
from ingest.limits import Limits
from ingest.parquet_child import DONE, HEADER, LOST, ROW
from ingest.stream import Cut, Stream

NAME = "parquet"

_MAGIC = b"PAR1"
_WAIT_SECONDS = 60
"""Without a word, on a machine however busy; the child bounds its own time tighter."""

_PIPE_BYTES = 2**16
_BATCH_ROWS = 256
_MOST_DETAIL = 200
_LOSS = msgspec.json.Decoder(tuple[str, str])


def recognises(head: bytes) -> bool:
    """Tell whether a file that begins with *head* says that it is Parquet."""
    return head.startswith(_MAGIC)


def read_parquet(stream: Stream, shapes: tuple[Shape, ...]) -> Iterator[Batch]:
    """Yield the records of *stream*, some rows at a time.

    Raises:
        StoreError: There is no room for a temporary copy.
    """
    try:
        with tempfile.NamedTemporaryFile(suffix=".parquet") as copy:
            cut = _copy(stream, copy)
            if cut is None:
                yield from _read(copy.name, stream, shapes)
            else:
                # Without its end, a Parquet file cannot be read at all.
                yield Batch(losses=[stream.loss(cut.reason, 0, cut.detail)])
    except OSError as error:
        place, problem = tempfile.gettempdir(), f"cannot be written: {error.strerror}"
        remedy = "Free some space there, or name another folder with TMPDIR."
        raise StoreError(place, problem, remedy) from None


def _copy(stream: Stream, copy: IO[bytes]) -> Cut | None:
    for chunk in stream:
        if isinstance(chunk, Cut):
            return chunk
        copy.write(chunk)
    copy.flush()
    return None


def _read(path: str, stream: Stream, shapes: tuple[Shape, ...]) -> Iterator[Batch]:
    records = Records(stream)
    limits = stream.limits
    most = max(limits.ratio_after_bytes, limits.ratio * Path(path).stat().st_size)
    rows = read = 0
    with Child(reader_of(path, limits), limits) as child:
        for kind, payload, place in child.frames():
            read += len(payload)
            if read > most:
                records.lose("ratio_limit", place, f"more than {limits.ratio} times the file")
                break
            if kind == LOST:
                reason, detail = _LOSS.decode(payload)
                records.lose(reason, place, detail)
                continue
            sound = is_utf8(payload) and is_json(payload)
            row = Node(payload if sound else mended(payload), place, exact=False)
            if not rows and shape_of(row, shapes) is None:
                records.lose("not_a_trace_file", 0, "a table without spans")
                yield records.take()
                return
            read_object(row, records, shapes)
            rows += 1
            if rows % _BATCH_ROWS == 0:
                yield records.take()
        if child.trouble is not None:
            records.lose(child.trouble.reason, 0, child.trouble.detail)
    finish(records, shapes)
    yield records.take()


def reader_of(path: str, limits: Limits) -> list[str]:
    """Return the command that reads a file, with bounds on a row, its memory and its time."""
    bounds = (limits.record_bytes, limits.child_bytes, limits.child_seconds)
    return [sys.executable, "-P", parquet_child.__file__, path, *map(str, bounds)]


class Child:
    """A process that writes frames, and how it ended; leaving ends it."""

    def __init__(self, command: list[str], limits: Limits) -> None:
        """Start *command*, whose frames hold little more than a record may."""
        self._most = limits.record_bytes + _PIPE_BYTES
        self._seconds = limits.child_seconds
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # closed on leaving
        reading, writing = os.pipe()
        self._pipe = os.fdopen(reading, "rb", buffering=0)
        self._process = subprocess.Popen(  # noqa: S603  # a script and a path of our own
            command, stdin=subprocess.DEVNULL, stdout=writing, stderr=self._errors
        )
        os.close(writing)
        self.trouble: Cut | None = None
        """Why it ended before the file did."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        self._pipe.close()
        self._errors.close()

    def frames(self) -> Iterator[tuple[bytes, bytes, int]]:
        """Yield kind, payload and place of each frame, up to the end or to trouble."""
        pipe = self._pipe.fileno()
        buffer = bytearray()
        while True:
            while len(buffer) >= HEADER.size:
                kind, size, place = HEADER.unpack_from(buffer)
                if kind == DONE:
                    return
                if kind not in {ROW, LOST} or size > self._most:
                    self.trouble = Cut("reader_crash", "it wrote what is no frame")
                    return
                if len(buffer) < HEADER.size + size:
                    break
                yield kind, bytes(buffer[HEADER.size : HEADER.size + size]), place
                del buffer[: HEADER.size + size]
            wait = max(_WAIT_SECONDS, 2 * self._seconds)
            if not select.select([pipe], [], [], wait)[0]:
                self.trouble = Cut("reader_timeout", f"nothing came for {wait} seconds")
                return
            data = os.read(pipe, _PIPE_BYTES)
            if not data:
                self.trouble = self._ended()
                return
            buffer += data

    def _ended(self) -> Cut:
        code = self._process.wait()
        if code == -signal.SIGXCPU:
            return Cut("reader_timeout", f"no row in {self._seconds} seconds of work")
        self._errors.seek(0)
        told = self._errors.read().decode("utf-8", "replace").strip().rpartition("\n")[2]
        how = f"signal {-code}" if code < 0 else f"status {code}"
        return Cut("reader_crash", f"it ended with {how} {told}".strip()[:_MOST_DETAIL])
