"""Which turn of one run is which turn of another.

The same golden item, where both runs hold it once; else the same conversation, turn and
question. A turn has one counterpart or none.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TypeAlias

import pyarrow as pa

PAIRING_COLUMNS = ("conversation_id", "turn", "question", "golden_id")

Key: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Pairs:
    """Places of paired turns in the tables of both runs, in the order of the second."""

    before: tuple[int, ...]
    after: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.before)


def paired(before: pa.Table, after: pa.Table) -> Pairs:
    """Return the turns that two runs share.

    Args:
        before: The `turns` of a run, with at least `PAIRING_COLUMNS`.
        after: Those of the other.
    """
    golden = _golden_in_both(before, after)
    places: dict[Key, int] = {}
    for place, key in enumerate(_keys(before, golden)):
        places.setdefault(key, place)
    found: dict[int, int] = {}
    for place, key in enumerate(_keys(after, golden)):
        known = places.pop(key, None)
        if known is not None:
            found[place] = known
    return Pairs(tuple(found.values()), tuple(found))


def _golden_in_both(before: pa.Table, after: pa.Table) -> set[str]:
    """Return the golden items that each run holds once."""
    counts = [Counter(table.column("golden_id").to_pylist()) for table in (before, after)]
    return {name for name, number in counts[0].items() if name and number == counts[1][name] == 1}


def _keys(turns: pa.Table, golden: set[str]) -> Sequence[Key]:
    columns = (turns.column(name).to_pylist() for name in PAIRING_COLUMNS)
    return [
        ("golden", item) if item in golden else (conversation, turn, _digest(question))
        for conversation, turn, question, item in zip(*columns, strict=True)
    ]


def _digest(text: str | None) -> bytes | None:
    """Return what stands for a question; questions themselves may be long."""
    return (
        None
        if text is None
        else blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    )
