"""The list of turns that a page searches, filters and sorts: columns, never bodies.

One entry per turn, newest first. A value that many turns share is written once and
referred to by number; a turn may carry several collections and tools, so each dimension
holds sets of values.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pyarrow as pa

from analysis.breakdown import DIMENSIONS, Selection
from analysis.breakdown.admission import Values, admitted, values_of
from analysis.breakdown.facts import TURN_COLUMNS
from analysis.breakdown.roots import roots_of
from analysis.report.html.redaction import hidden, sentence_without_texts
from analysis.report.marks import STAGES, marks_of
from analysis.run import Run

MOST_TURNS: Final = 200_000
"""Turns that a page lists; above it, those that failed and a sample of the others."""

LETTERS: Final = {
    "root": "R",
    "contributing": "C",
    "downstream": "D",
    "latent": "L",
    "fine": "f",
    "not_judged": "n",
}
"""One letter per part that a stage played."""
PARTS: Final = {
    "R": "root",
    "C": "contributing",
    "D": "downstream",
    "L": "latent fault",
    "f": "no fault",
    "n": "not judged",
    "u": "undetermined",
}
"""What the letters mean; `u`: which stage it was cannot be told."""

_QUESTION = 160
_SENTENCE = 240
_MS = 1_000_000
_UNDETERMINED = "uuu"


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """The turns that a page lists."""

    turns: pa.Table
    """The listed turns, newest first, with the columns of `_COLUMNS`."""
    admitted: int
    """Turns that the report is about, listed or not."""
    marks: Sequence[str]
    """Three letters per turn: routing, retrieval, generation."""
    roots: Sequence[str | None]
    """`stage.kind`, or `undetermined.<what is missing>`; None unless failed."""

    def __len__(self) -> int:
        return len(self.turns)

    def column(self, name: str) -> list[Any]:
        """Return a column of the listed turns."""
        values: list[Any] = self.turns.column(name).to_pylist()
        return values


_COLUMNS = (*TURN_COLUMNS, "turn", "question", "sentence")


def index_of(run: Run, selected: Selection, *, texts: bool = True) -> Index:
    """Return the index of the turns that a selection admits.

    Args:
        run: The run.
        selected: Which turns count; its filters on root stage and kind do, too.
        texts: Whether texts of the traces may be shown; without, their lengths stand for them.
    """
    turns = run.table("turns", _COLUMNS)
    if selected:
        turns = turns.filter(pa.array(admitted(turns, selected, roots=True)))
    order = _order(turns)
    shown = turns.take(pa.array(_limited(turns, order), pa.int64()))
    if not texts:
        shown = _without_texts(shown)
    ids = shown.column("turn_id").to_pylist()
    roots = roots_of(shown)
    found = marks_of(run, ids)
    marks = [
        _UNDETERMINED
        if root is not None and root[0] == "undetermined"
        else "".join(LETTERS[found[turn_id][stage]] for stage in STAGES)
        for turn_id, root in zip(ids, roots, strict=True)
    ]
    return Index(
        turns=shown,
        admitted=len(turns),
        marks=marks,
        roots=[None if root is None else ".".join(root) for root in roots],
    )


def _without_texts(turns: pa.Table) -> pa.Table:
    """Return the turns with questions hidden and with sentences that quote nothing."""
    questions = [one and hidden(one) for one in turns.column("question").to_pylist()]
    causes = zip(
        turns.column("root_stage").to_pylist(), turns.column("root_kind").to_pylist(), strict=True
    )
    sentences = [sentence_without_texts(stage, kind) for stage, kind in causes]
    for name, texts in (("question", questions), ("sentence", sentences)):
        place = turns.schema.get_field_index(name)
        turns = turns.set_column(place, name, pa.array(texts, pa.string()))
    return turns


def _order(turns: pa.Table) -> list[int]:
    """Return the places of the turns, newest first; without a time last, then by id."""
    starts = turns.column("started_at").cast("int64").to_pylist()
    ids = turns.column("turn_id").to_pylist()
    return sorted(
        range(len(turns)),
        key=lambda place: (starts[place] is None, -(starts[place] or 0), ids[place]),
    )


def _limited(turns: pa.Table, order: Sequence[int]) -> Sequence[int]:
    if len(order) <= MOST_TURNS:
        return order
    outcomes = turns.column("outcome").to_pylist()
    failed = [place for place in order if outcomes[place] == "failed"][:MOST_TURNS]
    others = [place for place in order if outcomes[place] != "failed"]
    room = MOST_TURNS - len(failed)
    picked = np.linspace(0, len(others) - 1, room).astype(int).tolist() if room else []
    rank = {place: number for number, place in enumerate(order)}
    return sorted({*failed, *(others[place] for place in picked)}, key=rank.__getitem__)


def index_json(index: Index) -> dict[str, Any]:
    """Return the columns of an index as plain JSON values."""
    starts = index.turns.column("started_at").cast("int64").to_pylist()
    return {
        "conversation": coded(index.column("conversation_id")),
        "turn": index.column("turn"),
        "time": [None if start is None else start // _MS for start in starts],
        "outcome": coded(index.column("outcome")),
        "reason": coded(index.column("outcome_reason")),
        "root": coded(index.roots),
        "marks": coded(index.marks),
        "inherited": [int(one is not None) for one in index.column("inherited_from")],
        "question": [_cut(text, _QUESTION) for text in index.column("question")],
        "sentence": [_cut(text, _SENTENCE) for text in index.column("sentence")],
        "by": {name: _sets(values_of(index.turns, name)) for name in DIMENSIONS if name != "day"},
    }


def coded(values: Iterable[Hashable]) -> dict[str, Any]:
    """Return values as numbers into a list of the distinct ones, in order of appearance."""
    distinct: dict[Hashable, int] = {}
    codes = [distinct.setdefault(value, len(distinct)) for value in values]
    return {"values": list(distinct), "codes": codes}


def _sets(values: Iterable[Values]) -> dict[str, Any]:
    """Return what turns carry as numbers of sets; a turn that tells nothing carries null."""
    names: dict[str | None, int] = {}
    number: Callable[[str | None], int] = lambda name: names.setdefault(name, len(names))  # noqa: E731
    sets = coded(tuple(map(number, one or (None,))) for one in values)
    return {"names": list(names), "sets": sets["values"], "codes": sets["codes"]}


def _cut(text: str | None, most: int) -> str | None:
    """Return a text on one line, shortened."""
    if text is None:
        return None
    flat = " ".join(text[: 4 * most].split())
    return flat if len(flat) <= most else f"{flat[: most - 1]}…"
