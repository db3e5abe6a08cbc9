"""A process of its own that reads a Parquet file of strangers, row by row.

    parquet_child.py FILE RECORD_BYTES MEMORY_BYTES SECONDS   writes rows, as JSON, in frames

Invalid Parquet may crash the library that reads it, or make it ask for all memory. Here
that costs this process and no other: it bounds its own memory and time before it opens
the file, and whoever started it sees how it ended.

Run by its path; imported only for what frames are made of.
"""

import json
import os
import resource
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, BinaryIO

HEADER = struct.Struct(">cIQ")
"""Kind, length of the payload, position in the file."""

ROW, LOST, DONE = b"R", b"L", b"D"
"""A row; rows that could not be read, with the reason; the end of the file."""

_NO_FOOTER = "its footer, which tells where the rows are, is damaged"
_TROUBLES = (
    ("encrypted", "it is encrypted"),
    ("magic bytes not found", "it was cut off, or is no Parquet: its end is missing"),
    ("smaller than", "it was cut off, or is no Parquet: its end is missing"),
)
"""Words of the library, and what they mean."""

_ROWS = 64
_ID_BYTES = (8, 16)
"""Lengths of span ids and trace ids that were stored as bytes."""


def main(path: str, record_bytes: int, memory_bytes: int, seconds: int, out: BinaryIO) -> None:
    """Write every row of the file at *path* to *out*.

    Args:
        path: The file.
        record_bytes: Longer rows are lost.
        memory_bytes: Allowed beyond what the library takes before it has seen the file.
        seconds: Work allowed between two batches of rows.
        out: Where frames go.
    """
    # Other allocators reserve far more than they use, which the bound would count.
    os.environ["ARROW_DEFAULT_MEMORY_POOL"] = "system"
    import pyarrow as pa
    from pyarrow import parquet

    pa.set_cpu_count(1)
    pa.set_io_thread_count(1)
    _bound_memory(memory_bytes)
    _bound_time(seconds)
    try:
        file = parquet.ParquetFile(path)
    except (MemoryError, pa.ArrowMemoryError):
        _lose(out, 0, "memory_limit", "its footer needs more memory than is allowed")
    except (pa.ArrowException, OSError, ValueError) as error:
        _lose(out, 0, "corrupt_parquet", _trouble_of_file(str(error)))
    else:
        _read(file, record_bytes, seconds, out)
    _send(out, DONE, 0)


def _trouble_of_file(told: str) -> str:
    """Return why no row can be read, in our words; *told* are the library's."""
    return next((words for sign, words in _TROUBLES if sign in told), _NO_FOOTER)


def _read(file: Any, record_bytes: int, seconds: int, out: BinaryIO) -> None:
    import pyarrow as pa

    for number in range(file.num_row_groups):
        place = 0
        try:
            place = _place(file.metadata.row_group(number))
            for batch in file.iter_batches(_ROWS, row_groups=[number], use_threads=False):
                for row in _rows(batch):
                    if len(row) <= record_bytes:
                        _send(out, ROW, place, row)
                    else:
                        _lose(out, place, "oversize_record", f"a row of {len(row)} bytes")
                _bound_time(seconds)
        except (MemoryError, pa.ArrowMemoryError):
            detail = f"row group {number + 1} needs more memory than is allowed"
            _lose(out, place, "memory_limit", detail)
        except pa.ArrowNotImplementedError:
            detail = f"row group {number + 1} is written in a way that cannot be read here"
            _lose(out, place, "corrupt_row_group", detail)
        except (pa.ArrowException, OSError, ValueError):
            detail = f"row group {number + 1} of {file.num_row_groups} is damaged"
            _lose(out, place, "corrupt_row_group", detail)


def _rows(batch: Any) -> Iterator[bytes]:
    names = batch.schema.names
    columns = [_values(column) for column in batch.columns]
    for number in range(batch.num_rows):
        row = {name: _plain(column[number]) for name, column in zip(names, columns, strict=True)}
        # Bytes that were no UTF-8 are written as they were, for others to repair and tell.
        yield json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogateescape")


def _values(column: Any) -> list[Any]:
    import pyarrow as pa

    kind = column.type
    if pa.types.is_timestamp(kind):
        with suppress(pa.ArrowInvalid):  # beyond the years of nanoseconds
            column = column.cast(pa.timestamp("ns", tz=kind.tz)).cast(pa.int64())
    try:
        return column.to_pylist()  # type: ignore[no-any-return]
    except UnicodeDecodeError:
        texts = column.cast(pa.binary()).to_pylist()
        return [None if text is None else _text(text) for text in texts]


def _plain(value: Any) -> Any:
    """Return a value as JSON has it; pairs in a list are the entries of a map."""
    match value:
        case dict():
            return {str(name): _plain(item) for name, item in value.items()}
        case list():
            if value and all(isinstance(item, tuple) for item in value):
                return {str(name): _plain(item) for name, item in value}
            return [_plain(item) for item in value]
        case bytes():
            return value.hex() if len(value) in _ID_BYTES else _text(value)
        case datetime() | date() | time():
            return value.isoformat()
        case timedelta():
            return value.total_seconds()
        case Decimal():
            return float(value)
        case _:
            return value


def _text(value: bytes) -> str:
    return value.decode("utf-8", "surrogateescape")


def _place(group: Any) -> int:
    """Return where the first page of a row group stands."""
    if not group.num_columns:
        return 0
    column = group.column(0)
    pages = (column.dictionary_page_offset, column.data_page_offset)
    return min((page for page in pages if page), default=0)


def _bound_memory(most: int) -> None:
    """Allow no more than *most* bytes on top of what is mapped now."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        mapped = int(statm.read_text("ascii").split()[0]) * resource.getpagesize()
        _limit(resource.RLIMIT_AS, mapped + most)


def _bound_time(seconds: int) -> None:
    used = resource.getrusage(resource.RUSAGE_SELF)
    _limit(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime) + seconds)


def _limit(what: int, most: int) -> None:
    hard = resource.getrlimit(what)[1]
    within = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(what, (within, hard))


def _lose(out: BinaryIO, place: int, reason: str, detail: str) -> None:
    _send(out, LOST, place, json.dumps([reason, detail]).encode())


def _send(out: BinaryIO, kind: bytes, place: int, payload: bytes = b"") -> None:
    out.write(HEADER.pack(kind, len(payload), place))
    out.write(payload)


if __name__ == "__main__":
    bytes_of_record, bytes_of_memory, seconds_of_work = map(int, sys.argv[2:5])
    main(sys.argv[1], bytes_of_record, bytes_of_memory, seconds_of_work, sys.stdout.buffer)
    sys.stdout.buffer.flush()
