"""Files to batches of spans: the one place where everything about reading comes together.

    paths ─sources▶ files ─compression▶ streams ─framing, formats▶ batches

Memory stays flat whatever the input: a batch holds a bounded number of records, and
nothing is kept but counts and losses. Only a path that cannot be meant is an error;
whatever a file holds ends as spans, log records and losses whose numbers agree.
"""

import os
from collections import Counter
from collections.abc import Iterable, Iterator

from ingest.batch import Batch
from ingest.compression import Budget, hidden_kind, inflated, kind_of
from ingest.errors import SourceError
from ingest.foreign import METRICS, hint_of
from ingest.formats import recognise
from ingest.framing import frames, looks_framed
from ingest.limits import DEFAULT_LIMITS, Limits
from ingest.losses import Loss, RecordCounts, count_losses
from ingest.sources import (
    HashingReader,
    InputFile,
    SkippedFile,
    Source,
    expand,
    open_input,
    shown_path,
)
from ingest.stream import HEAD_BYTES, Chunk, Cut, Stream
from ingest.window import StreamPieces, Window

_BATCH_RECORDS = 1_000
_BATCH_BYTES = 8 * 2**20
_MAGIC_BYTES = 16
_NOT_A_TRACE = "not_a_trace_file"


def read_spans(
    paths: Iterable[str | os.PathLike[str]], limits: Limits = DEFAULT_LIMITS
) -> "Reading":
    """Return the records of all files behind *paths*, to be iterated once.

    Raises:
        SourceError: A path leads to nothing, or a file named by it cannot be opened.
    """
    return Reading(paths, limits)


class Reading(Iterator[Batch]):
    """Batches of records; what was read, skipped and lost, once they are exhausted."""

    def __init__(self, paths: Iterable[str | os.PathLike[str]], limits: Limits) -> None:
        expansion = expand(paths)
        self.sources: list[Source] = []
        """The files that were read, in order of path."""
        self.skipped_files: list[SkippedFile] = list(expansion.skipped)
        """What stood in a folder beside them."""
        self.losses: list[Loss] = []
        """Of all batches so far."""
        self.flags: Counter[str] = Counter()
        """How many spans carry which flag of the reader."""
        self._kept = 0
        self._limits = limits
        self._batches = self._read(expansion.files)

    @property
    def counts(self) -> RecordCounts:
        """Records so far by outcome; duplicates are found later, across files."""
        return count_losses(self.losses, self._kept)

    def __next__(self) -> Batch:
        batch = next(self._batches)
        self._kept += len(batch.spans) + len(batch.logs)
        self.losses += batch.losses
        self.flags.update(flag for span in batch.spans for flag in span.flags)
        return batch

    def _read(self, files: Iterable[InputFile]) -> Iterator[Batch]:
        for file in files:
            yield from _bounded(self._read_file(file))

    def _read_file(self, file: InputFile) -> Iterator[Batch]:
        path = shown_path(file.path)
        try:
            with open_input(file) as reader:
                yield from self._read_open(file, path, reader)
        except OSError as error:
            problem = error.strerror or str(error)
            if file.explicit:
                remedy = "Check the file and its permissions."
                raise SourceError(path, f"cannot be opened: {problem}", remedy) from None
            yield Batch(losses=[_file_loss("unreadable_file", path, problem)])

    def _read_open(self, file: InputFile, path: str, reader: HashingReader) -> Iterator[Batch]:
        opened = _Opened(path, reader, self._limits)
        if opened.empty:
            self.skipped_files.append(SkippedFile(path=path, reason="empty_file"))
            return
        if not opened.readable and not (file.explicit or opened.cut):
            hint = hint_of(opened.head)
            self.skipped_files.append(SkippedFile(path=path, reason=_NOT_A_TRACE, hint=hint))
            return
        records = rejected = passed_over = empty = 0
        for batch in opened.batches():
            if not file.explicit and [loss.reason for loss in batch.losses] == [_NOT_A_TRACE]:
                self.skipped_files.append(SkippedFile(path=path, reason=_NOT_A_TRACE))
                return
            yield batch
            records += len(batch.spans) + len(batch.logs) + len(batch.losses)
            passed_over += batch.passed_over
            empty += batch.empty
            rejected += sum(loss.outcome == "rejected" for loss in batch.losses)
            if rejected > self._limits.rejected_per_file:
                detail = f"more than {self._limits.rejected_per_file} rejected before"
                offset = batch.losses[-1].offset + 1
                yield Batch(losses=[_file_loss("too_many_rejected", path, detail, offset)])
                break
        if passed_over and not records:
            if not file.explicit:
                skipped = SkippedFile(path=path, reason=_NOT_A_TRACE, hint=METRICS)
                self.skipped_files.append(skipped)
                return
            yield Batch(losses=[_file_loss(_NOT_A_TRACE, path, METRICS)])
        reader.drain()
        self.sources.append(
            Source(
                path=path,
                bytes=reader.bytes_read,
                sha256=reader.sha256,
                format=opened.format,
                container=opened.container,
                passed_over=passed_over,
                # What holds records back until its end can only be seen as a whole.
                empty=empty if records or passed_over or empty else 1,
            )
        )


class _Opened:
    """One file, from its first bytes to the batches in it."""

    def __init__(self, path: str, reader: HashingReader, limits: Limits) -> None:
        self._path = path
        self._reader = reader
        self._limits = limits
        self._budget = Budget(reader, limits)
        window = Window(reader)
        head = self._open(window, kind_of(window.peek(_MAGIC_BYTES)))
        self.head = head
        """The first bytes, inflated."""
        self.cut = None if head else self._stream.next_cut()
        """What is wrong from the first byte on."""
        self.empty = not head and self.cut is None
        hidden = None if self.readable else hidden_kind(head)
        if hidden is not None:
            self._open(Window(StreamPieces(self._stream)), hidden)

    def _open(self, window: Window, kind: str) -> bytes:
        """Look at what *window* holds when it is inflated, and return the head of that."""
        chunks = inflated(window, kind, self._budget, self._limits)
        self._stream = Stream(self._path, _with_read_errors(chunks, self._reader), self._limits)
        head = self._stream.peek(HEAD_BYTES)
        framed = looks_framed(head)
        found = None if framed else recognise(head)
        self._read = self._frames if framed else found.read if found else self._nothing
        self.format = found.name if found else None
        self.container = "+".join([kind] * (kind != "plain" or not framed) + ["framed"] * framed)
        self.readable = framed or found is not None
        return head

    def batches(self) -> Iterator[Batch]:
        """Yield what is in the file, as its format reads it."""
        return self._read(self._stream)

    def _frames(self, stream: Stream) -> Iterator[Batch]:
        for frame in frames(stream, self._budget):
            payload = frame.payload
            if isinstance(payload, Cut):
                yield Batch(losses=[stream.loss(payload.reason, frame.offset, payload.detail)])
                continue
            found = recognise(payload[:HEAD_BYTES])
            if found is None:
                detail = "a frame that holds no known format"
                yield Batch(losses=[stream.loss("unknown_record", frame.offset, detail)])
                continue
            self.format = self.format or found.name
            yield from found.read(Stream(stream.path, [payload], stream.limits, place=frame.offset))

    def _nothing(self, stream: Stream) -> Iterator[Batch]:
        cut = self.cut or Cut(_NOT_A_TRACE, hint_of(self.head) or "no known format")
        yield Batch(losses=[stream.loss(cut.reason, 0, cut.detail)])


def _with_read_errors(chunks: Iterable[Chunk], reader: HashingReader) -> Iterator[Chunk]:
    """Turn a failure of the disk, which ends the bytes, into the cut that it is."""
    told = False
    for chunk in chunks:
        if isinstance(chunk, Cut) and reader.error:
            told = True
            yield Cut("read_error", reader.error)
        else:
            yield chunk
    if reader.error and not told:
        yield Cut("read_error", reader.error)


def _bounded(batches: Iterable[Batch]) -> Iterator[Batch]:
    """Join small batches up to a size at which handing them on costs nothing."""
    joined = Batch()
    for batch in batches:
        joined.extend(batch)
        records = len(joined.spans) + len(joined.logs) + len(joined.losses)
        if records >= _BATCH_RECORDS or joined.bytes >= _BATCH_BYTES:
            yield joined
            joined = Batch()
    if joined.spans or joined.logs or joined.losses:
        yield joined


def _file_loss(reason: str, path: str, detail: str, offset: int = 0) -> Loss:
    return Loss(outcome="rejected", reason=reason, file=path, offset=offset, detail=detail)
