"""Accidents of disks, networks and editors: to bytes and lines, whatever they mean."""

import gzip
from random import Random

from tests.robustness.corpus import Document, documents, framed, zstd
from tests.robustness.damage import Damaged

_PAGE = b"<html><body><h1>502 Bad Gateway</h1></body></html>\n"
_STRAY = (
    b"2026-01-01T00:00:00Z INFO exporter started\n",
    _PAGE,
    b"[object Object]\n",
    b"null\n",
    b"\n  \n\t\n",
    b'{"level":"info","msg":"flushed","spans":[]}\n',
    b"# exported by hand\n",
)
_MAGIC = (b"\x1f\x8b\x08\x00" + bytes(6), b"\x28\xb5\x2f\xfd", b"PAR1", b"\x0a\xff\xff\xff\x7f")
_ENDINGS = (b"\r\n", b"\r", b"\n\n", b"\xe2\x80\xa8", b"\x1e")


def _place(data: bytes, chance: Random) -> int:
    return chance.randrange(len(data)) if data else 0


def _put(data: bytes, at: int, piece: bytes, over: int = 0) -> Damaged:
    return Damaged(data=data[:at] + piece + data[at + over :])


def cut(document: Document, chance: Random) -> Damaged:
    """The disk was full."""
    return Damaged(data=document.data[: _place(document.data, chance)])


def flip_bit(document: Document, chance: Random) -> Damaged:
    at = _place(document.data, chance)
    return _put(document.data, at, bytes([document.data[at] ^ 1 << chance.randrange(8)]), 1)


def flip_many(document: Document, chance: Random) -> Damaged:
    data = bytearray(document.data)
    for _ in range(chance.randrange(2, 3 + len(data) // 200)):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return Damaged(data=bytes(data))


def delete(document: Document, chance: Random) -> Damaged:
    data = document.data
    return _put(data, _place(data, chance), b"", chance.choice([1, 2, 9, 200, len(data) // 3]))


def insert(document: Document, chance: Random) -> Damaged:
    piece = chance.randbytes(chance.choice([1, 3, 40]))
    return _put(document.data, _place(document.data, chance), piece)


def blank_out(document: Document, chance: Random) -> Damaged:
    """A hole of a sparse file, or of a page that was never written."""
    size = chance.choice([1, 16, 512])
    byte = chance.choice([b"\0", b"\xff", b" "])
    return _put(document.data, _place(document.data, chance), byte * size, size)


def repeat_part(document: Document, chance: Random) -> Damaged:
    data = document.data
    at, start = _place(data, chance), _place(data, chance)
    return _put(data, at, data[start : start + chance.choice([4, 64, 4096])])


def swap_parts(document: Document, chance: Random) -> Damaged:
    at = _place(document.data, chance)
    return Damaged(data=document.data[at:] + document.data[:at])


def structure(document: Document, chance: Random) -> Damaged:
    piece = chance.choice([b'"', b"{", b"}", b"[", b"]", b",", b":", b"\\", b"\n", b"NaN", b"-"])
    return _put(document.data, _place(document.data, chance), piece, chance.randrange(2))


def invalid_utf8(document: Document, chance: Random) -> Damaged:
    piece = chance.choice([b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82"])
    return _put(document.data, _place(document.data, chance), piece)


def byte_order_mark(document: Document, chance: Random) -> Damaged:
    mark = b"\xef\xbb\xbf"
    if chance.randrange(2):
        is_text = document.data[:1] in {b"{", b"["}
        return Damaged(data=mark + document.data, touched=frozenset() if is_text else None)
    if chance.randrange(2):
        return _put(document.data, _place(document.data, chance), mark)
    return Damaged(data=document.data.replace(b"\n", b"\n" + mark))


def sixteen_bits(document: Document, chance: Random) -> Damaged:
    """Windows saved it again."""
    text = document.data.decode("latin-1")
    return Damaged(data=text.encode(chance.choice(["utf-16", "utf-16-le", "utf-32", "utf-8"])))


def line_ends(document: Document, chance: Random) -> Damaged:
    return Damaged(data=document.data.replace(b"\n", chance.choice(_ENDINGS)))


def cut_line(document: Document, chance: Random) -> Damaged:
    lines = document.data.splitlines(keepends=True)
    at = chance.randrange(len(lines))
    lines[at] = lines[at][: chance.randrange(len(lines[at]) + 1)]
    return Damaged(data=b"".join(lines))


def stray_line(document: Document, chance: Random) -> Damaged:
    """Something else wrote to the same file."""
    lines = document.data.splitlines(keepends=True)
    lines.insert(chance.randrange(len(lines) + 1), chance.choice(_STRAY))
    return Damaged(data=b"".join(lines))


def split_line(document: Document, chance: Random) -> Damaged:
    """A log shipper wrapped long lines."""
    width = chance.choice([80, 1024, 16_384])
    data = document.data
    return Damaged(data=b"\n".join(data[at : at + width] for at in range(0, len(data), width)))


def other_format(document: Document, chance: Random) -> Damaged:
    """Two exports went to one file."""
    other = chance.choice(documents()).data
    if chance.randrange(2):
        return Damaged(data=other + document.data)
    return Damaged(data=document.data + b"\n" + other)


def wrong_frame(document: Document, chance: Random) -> Damaged:
    data = document.data
    size = chance.choice([0, 1, len(data) - 1, len(data) + 1, 2**31, 2**32 - 1])
    return Damaged(data=size.to_bytes(4, "big") + data)


def wrong_magic(document: Document, chance: Random) -> Damaged:
    magic = chance.choice(_MAGIC)
    return _put(document.data, 0, magic, chance.choice([0, len(magic)]))


def wrapped(document: Document, chance: Random) -> Damaged:
    """Compressed or framed once more, whole or half."""
    data = document.data
    half = chance.choice([len(data), len(data) // 2])
    once_more = chance.choice(
        [gzip.compress(data[:half]), zstd(data[:half]), framed([data[:half]])]
    )
    made = once_more + data[half:]
    return Damaged(data=made[: chance.choice([len(made), len(made) - 3])])


BYTE_MUTATORS = (
    cut,
    flip_bit,
    flip_many,
    delete,
    insert,
    blank_out,
    repeat_part,
    swap_parts,
    structure,
    invalid_utf8,
    byte_order_mark,
    sixteen_bits,
    line_ends,
    cut_line,
    stray_line,
    split_line,
    other_format,
    wrong_frame,
    wrong_magic,
    wrapped,
)
