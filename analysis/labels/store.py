"""`labels.jsonl` in the store: one label a line, the last word of each person on each item."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from analysis.alone import changing_alone
from analysis.labels.label import Label
from analysis.store_lines import read_lines, write_lines
from ingest.errors import StoreError

LABELS_FILE: Final = "labels.jsonl"


def stored_labels(store: Path) -> tuple[Label, ...]:
    """Return the labels of a store, in the order of what they are about.

    Raises:
        StoreError: The file cannot be read.
    """
    path = store / LABELS_FILE
    labels = []
    for number, line in enumerate(read_lines(path), start=1):
        try:
            labels.append(msgspec.json.decode(line, type=Label))
        except (msgspec.DecodeError, RecursionError) as error:
            raise StoreError(
                f"{path}:{number}", f"is no label ({error})", "Remove the line; others stay."
            ) from None
    return tuple(labels)


def add_labels(store: Path, labels: Iterable[Label]) -> tuple[int, int]:
    """Add labels; a person's later label of the same item replaces the earlier one.

    Returns:
        How many were new, and how many replaced another.

    Raises:
        StoreError: The file cannot be read or written.
    """
    given = {(one.item, one.annotator): one for one in labels}
    with changing_alone(store / LABELS_FILE):
        known = {(one.item, one.annotator): one for one in stored_labels(store)}
        before = len(known)
        replaced = sum(key in known and known[key] != one for key, one in given.items())
        known |= given
        ordered = sorted(known.items(), key=lambda entry: entry[0])
        write_lines(store / LABELS_FILE, (label for _, label in ordered))
    return len(known) - before, replaced
