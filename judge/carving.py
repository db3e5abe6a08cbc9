"""Rows out of a damaged store, read past SQLite.

SQLite stops at the first broken page and cannot open a file without its header at all.
Here every page is looked at by itself: a leaf of a table lists its rows, and each row of
ours proves with its digest that it is whole. So everything is saved that is still there,
from a file whose head, middle or end is gone, and nothing that is not genuine.

Source: SQLite, *Database File Format* (sqlite.org/fileformat2.html), sections 1.6
(b-tree pages), 2.1 (record format) and 4.1 (write-ahead log).
"""

import struct
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO, Final

from judge.ledger_schema import COLUMNS, REAL_COLUMNS, Cell, Row, intact

PAGE_BYTES: Final = 4096
"""The page size that `judge.ledger` creates its stores with."""

_TABLES = {len(columns): table for table, columns in COLUMNS.items()}
_TABLE_LEAF = 0x0D
_LEAF_HEADER = 8
_WAL_HEADER = 32
_FRAME_HEADER = 24
_LARGEST_PAYLOAD = 64 << 20
_FIXED_BYTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 7: 8}
_FIRST_VARIABLE = 12


def carve(store: Path, wal: Path) -> Iterator[tuple[str, int, Row]]:
    """Yield (table, id, row) for each intact row of the store and its write-ahead log.

    In no order; a row that stands in several pages or in both files is yielded each time.

    Args:
        store: The damaged file.
        wal: Its log; need not exist.
    """
    logged = dict(_frames(wal))
    with store.open("rb") as file:
        reader = _Reader(file, logged)
        file.seek(PAGE_BYTES)  # the first page holds the schema
        number = 1
        while page := file.read(PAGE_BYTES):
            number += 1
            yield from _rows(page.ljust(PAGE_BYTES, b"\0"), reader)
            file.seek(number * PAGE_BYTES)
        # Every frame, not only the latest of each page: where the end of the log is gone,
        # an earlier one may hold what was moved to a page that is lost.
        for _, page in _frames(wal):
            yield from _rows(page, reader)


class _Reader:
    """Finds the pages that a long row runs over into."""

    def __init__(self, store: BinaryIO, logged: Mapping[int, bytes]) -> None:
        self._store = store
        self._logged = logged

    def page(self, number: int) -> bytes:
        if number in self._logged:
            return self._logged[number]
        if number < 1:
            raise ValueError("no such page")
        self._store.seek((number - 1) * PAGE_BYTES)
        return self._store.read(PAGE_BYTES)


def _frames(wal: Path) -> Iterator[tuple[int, bytes]]:
    if not wal.exists():
        return
    with wal.open("rb") as file:
        file.seek(_WAL_HEADER)
        while len(header := file.read(_FRAME_HEADER)) == _FRAME_HEADER:
            page = file.read(PAGE_BYTES)
            if len(page) == PAGE_BYTES:
                yield int.from_bytes(header[:4]), page


def _rows(page: bytes, reader: _Reader) -> Iterator[tuple[str, int, Row]]:
    if page[0] != _TABLE_LEAF:
        return
    count = int.from_bytes(page[3:5])
    for pointer in range(_LEAF_HEADER, _LEAF_HEADER + 2 * count, 2):
        try:
            row_id, payload = _cell(page, int.from_bytes(page[pointer : pointer + 2]), reader)
            # The id is no value of the record: its place holds NULL.
            _, *values = _values(payload)
        except (IndexError, ValueError, struct.error):
            continue
        table = _TABLES.get(len(values))
        if table is not None and intact(row := _as_read(table, values)):
            yield table, row_id, row


def _as_read(table: str, values: Sequence[Cell]) -> Row:
    """Return the values of a record as SQLite would give them back."""
    return tuple(
        float(value) if isinstance(value, int) and name in REAL_COLUMNS[table] else value
        for name, value in zip(COLUMNS[table], values, strict=True)
    )


def _cell(page: bytes, at: int, reader: _Reader) -> tuple[int, bytes]:
    """Return id and payload of the row whose cell starts at *at*."""
    size, at = _varint(page, at)
    row_id, at = _varint(page, at)
    if size > _LARGEST_PAYLOAD:
        raise ValueError("no row of ours is that long")
    most = PAGE_BYTES - 35
    if size <= most:
        return row_id, page[at : at + size]
    least = (PAGE_BYTES - 12) * 32 // 255 - 23
    here = least + (size - least) % (PAGE_BYTES - 4)
    here = here if here <= most else least
    parts = [page[at : at + here]]
    following = int.from_bytes(page[at + here : at + here + 4])
    rest = size - here
    while rest > 0:
        overflow = reader.page(following)
        if len(overflow) < PAGE_BYTES:
            raise ValueError("the row runs over into a page that is gone")
        following = int.from_bytes(overflow[:4])
        parts.append(overflow[4 : 4 + rest])
        rest -= PAGE_BYTES - 4
    return row_id, b"".join(parts)


def _values(payload: bytes) -> Iterator[Cell]:
    body, at = _varint(payload, 0)
    end = body
    while at < end:
        kind, at = _varint(payload, at)
        width = _width(kind)
        yield _value(kind, payload[body : body + width], width)
        body += width


def _width(kind: int) -> int:
    if kind >= _FIRST_VARIABLE:
        return (kind - _FIRST_VARIABLE) // 2
    return _FIXED_BYTES.get(kind, 0)


def _value(kind: int, raw: bytes, width: int) -> Cell:
    if len(raw) < width:
        raise ValueError("the row is cut")
    match kind:
        case 0:
            return None
        case 7:
            number: float = struct.unpack(">d", raw)[0]
            return number
        case 8 | 9:
            return kind - 8
        case _ if kind < _FIRST_VARIABLE:
            return int.from_bytes(raw, signed=True)
        case _:
            return raw.decode() if kind % 2 else raw


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return the big-endian variable-length integer at *at* and where it ends."""
    value = 0
    for offset in range(8):
        byte = data[at + offset]
        value = value << 7 | byte & 0x7F
        if not byte & 0x80:
            return value, at + offset + 1
    return value << 8 | data[at + 8], at + 9
