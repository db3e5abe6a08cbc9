"""One wrong byte in a whole document: whatever it costs is counted."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.ingest.outcome import read_bytes
from tests.robustness.corpus import Document, documents

DAMAGES = 30
"""Of each document. Thousands are tried by hand when reading changes."""


def damaged(data: bytes, seed: int) -> Iterator[tuple[int, bytes]]:
    """Yield documents with one bit or one byte wrong, and where."""
    chance = random.Random(seed)
    for _ in range(DAMAGES):
        at = chance.randrange(len(data))
        wrong = chance.choice([data[at] ^ 1 << chance.randrange(8), chance.randrange(256)])
        yield at, data[:at] + bytes([wrong]) + data[at + 1 :]


@pytest.mark.parametrize("document", documents(), ids=lambda document: document.name)
def test_a_wrong_byte_costs_nothing_in_silence(document: Document, tmp_path: Path) -> None:
    whole = read_bytes(tmp_path, document.data)
    for at, data in damaged(document.data, seed=len(document.data)):
        found = read_bytes(tmp_path, data)
        fewer = len(found.spans) + len(found.logs) < len(whole.spans) + len(whole.logs)
        told = len(found.losses) > len(whole.losses) or bool(found.reading.skipped_files)
        assert told or not fewer, (at, document.data[max(at - 40, 0) : at + 10], data[at])
