"""A shelf of records between two steps of a run: in memory while small, on disk after.

Records go in once, under a key, and come out in the order of (partition, key, entry), a
partition at a time, so that the next step sees all records of one key together. Memory
is bounded by the limit plus the largest partition.
"""

import tempfile
from collections.abc import Iterator
from hashlib import blake2b
from types import TracebackType
from typing import IO, Final, Generic, Self, TypeVar

import msgspec

T = TypeVar("T")

PARTITIONS: Final = 64
MEMORY_LIMIT: Final = 256 * 1024 * 1024
"""Bytes of encoded records that are kept in memory before they are written out."""


class Shelf(Generic[T]):
    """Groups records of one type by key, with bounded memory."""

    def __init__(self, kind: type[T], memory_limit: int = MEMORY_LIMIT) -> None:
        self._decoder = msgspec.msgpack.Decoder(tuple[str, kind])  # type: ignore[valid-type]
        self._encoder = msgspec.msgpack.Encoder()
        self._limit = memory_limit
        self._held: list[list[bytes]] = [[] for _ in range(PARTITIONS)]
        self._held_bytes = 0
        self._files: list[IO[bytes] | None] = [None] * PARTITIONS
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._keys: set[str] = set()

    def put(self, key: str, record: T) -> None:
        """Add one record under a key."""
        self._keys.add(key)
        data = self._encoder.encode((key, record))
        self._held[_partition(key)].append(data)
        self._held_bytes += len(data)
        if self._held_bytes > self._limit:
            self._write_out()

    def keys(self) -> list[str]:
        """Return the distinct keys, sorted. They are kept in memory."""
        return sorted(self._keys)

    def groups(self) -> Iterator[tuple[str, list[T]]]:
        """Yield each key with its records in the order they came, keys in a fixed order.

        The order depends on the keys alone, not on the order of `put`.
        """
        for number in range(PARTITIONS):
            groups: dict[str, list[T]] = {}
            for data in self._partition_records(number):
                key, record = self._decoder.decode(data)
                groups.setdefault(key, []).append(record)
            yield from sorted(groups.items(), key=lambda group: group[0])

    def close(self) -> None:
        """Remove what was written out."""
        for file in self._files:
            if file is not None:
                file.close()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _partition_records(self, number: int) -> Iterator[bytes]:
        file = self._files[number]
        if file is not None:
            file.seek(0)
            while size := file.read(8):
                yield file.read(int.from_bytes(size, "big"))
        yield from self._held[number]

    def _write_out(self) -> None:
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="stagefault-")
        for number, held in enumerate(self._held):
            if not held:
                continue
            file = self._files[number]
            if file is None:
                file = tempfile.TemporaryFile(dir=self._folder.name)  # noqa: SIM115 - see close
                self._files[number] = file
            file.seek(0, 2)
            for data in held:
                file.write(len(data).to_bytes(8, "big") + data)
            held.clear()
        self._held_bytes = 0


def _partition(key: str) -> int:
    return blake2b(key.encode("utf-8", "surrogatepass"), digest_size=1).digest()[0] % PARTITIONS
