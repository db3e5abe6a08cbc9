"""Rows of tables and records: what is said of one row must stand in it, and in its field.

"E2 means that the wrist moved; rest 3 minutes."   × | E2 | cuff too loose | …
                                                     | E3 | wrist moved    | rest 3 minutes
"VAT is 716.74 €."                                 × net: 716.74 · VAT: 136.18
"""

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Final

from judge.local.bands import row_meant
from judge.local.evidence import Piece
from judge.local.identifiers import identifiers
from judge.local.numbers import Quantity, matched, quantities
from judge.local.polarity import negated
from judge.local.text import bag, clauses, language_by_words
from judge.local.worked_out import parts_of

_RULE = re.compile(r"^\|?[\s:|-]+\|?$")
_CELLS = re.compile(r"\s*\|\s*")
_LONGEST_NAME: Final = 6
"""Words of a value that names its row."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a table, or one record."""

    line: str
    leaves: tuple[tuple[str, str], ...]
    """Keys and values."""

    @property
    def keys(self) -> tuple[str, ...]:
        """What its fields are called."""
        return tuple(key for key, _ in self.leaves)

    def holds(self, exact: "Quantity | str") -> bool:
        """Tell whether a number or an identifier stands in it, in a key or a value."""
        return any(_has(f"{key}: {value}", exact) for key, value in self.leaves)


def misread(claim: str, given: str, evidence: Sequence[Piece]) -> tuple[str, str, Piece] | None:
    """Say what a claim reads from another row or field than it names, with line and piece.

    Args:
        claim: A sentence of an answer.
        given: What the user wrote.
        evidence: Where a table or record may stand; what any other line has is not misread.
    """
    for piece in evidence:
        rows = _rows(piece)
        if not rows:
            continue
        others = _other_lines(piece, rows, evidence)
        found = _other_row(claim, given, rows, others) or _other_field(claim, given, rows, others)
        if found is not None:
            reason, row = found
            return reason, row.line, piece
    return None


def _rows(piece: Piece) -> tuple[Row, ...]:
    if piece.structured:
        return tuple(Row(line, tuple(piece.leaves(line))) for line in piece.lines)
    return _table(piece.lines) if any(line.startswith("|") for line in piece.lines) else ()


@lru_cache(maxsize=4_096)
def _table(lines: tuple[str, ...]) -> tuple[Row, ...]:
    found: list[Row] = []
    header: tuple[str, ...] = ()
    for before, line in zip(("", *lines), lines, strict=False):
        if not line.startswith("|"):
            header = ()
        elif _RULE.match(line):
            header = _cells(before)
        elif header and len(_cells(line)) == len(header):
            found.append(Row(line, tuple(zip(header, _cells(line), strict=True))))
    return tuple(found)


def _cells(line: str) -> tuple[str, ...]:
    return tuple(_CELLS.split(line.strip().strip("|").strip()))


def _other_lines(piece: Piece, rows: Sequence[Row], evidence: Sequence[Piece]) -> tuple[str, ...]:
    """Return all of the evidence but the rows."""
    mine = {row.line for row in rows}
    lines = chain.from_iterable(one.lines if one is not piece else () for one in evidence)
    beside = (line for line in piece.lines if line not in mine and not line.startswith("|"))
    return (*lines, *beside, *(one.context for one in evidence))


def _other_row(
    claim: str, given: str, rows: Sequence[Row], others: Sequence[str]
) -> tuple[str, Row] | None:
    """Find what stands in another row than the one that is named."""
    table = [row for row in rows if row.keys == rows[0].keys]
    if len(table) < 2:  # noqa: PLR2004 - another row
        return None
    told = bag(claim)
    named = _named(table, told)
    if not named:
        named = _named(table, bag(given)) or _in_range(table, given)
        named = named or _meant(table, told, bag(given))
    parts = (
        [(claim, named)]
        if len(named) == 1
        else [(p, _named(table, bag(p))) for p in clauses(claim)]
    )
    for part, rows_named in parts:
        if len(rows_named) != 1:
            continue
        (row,) = rows_named
        for exact in _exact(part, given):
            if row.holds(exact) or any(_has(line, exact) for line in others):
                continue
            other = next((one for one in table if one.holds(exact)), None)
            if other is not None and not _says_both(part, exact, row, other):
                return f"{_shown(exact)} stands there beside {_name(other)}, not {_name(row)}", row
    return None


def _named(table: Sequence[Row], told: AbstractSet[str]) -> list[Row]:
    """Return the rows whose name is said; of two of which one has the other's name, that one."""
    place = _naming_field(table)
    if place is None:
        return []
    names = {row: _terms(row.leaves[place][1]) for row in table}
    said = [row for row, name in names.items() if name and name <= told]
    return [row for row in said if not any(names[row] < names[other] for other in said)]


def _meant(table: Sequence[Row], told: AbstractSet[str], asked: AbstractSet[str]) -> list[Row]:
    """Return the row that alone has any word that was asked for in its name, if it is one.

    What the answer itself names in part may be any of them.
    """
    place = _naming_field(table)
    if place is None:
        return []
    names = {row: _terms(row.leaves[place][1]) for row in table}
    if any(name & told for name in names.values()):
        return []
    found = [row for row, name in names.items() if name & asked]
    return found if len(found) == 1 else []


def _in_range(table: Sequence[Row], given: str) -> list[Row]:
    """Return the row whose first field is a range with a number of the question in it."""
    place = row_meant([row.leaves[0][1] for row in table], quantities(given))
    return [] if place is None else [table[place]]


def _says_both(part: str, exact: "Quantity | str", row: Row, other: Row) -> bool:
    """Tell whether a claim that has another row's value has that of the named one as well.

    "25 cm at most for gravel: two layers of 20 cm would do" takes nothing for another.
    """
    here = dict(row.leaves)
    fields = [here[key] for key, value in other.leaves if key in here and _has(value, exact)]
    said = quantities(part)
    return any(matched(one, said) for value in fields for one in quantities(value))


def _naming_field(table: Sequence[Row]) -> int | None:
    """Return the place of the first field that tells the rows apart by a short name."""
    for place in range(len(table[0].leaves)):
        values = [row.leaves[place][1] for row in table]
        bags = [_terms(value) for value in values]
        short = all(len(value.split()) <= _LONGEST_NAME for value in values)
        if short and all(values) and len(set(bags)) == len(bags):
            return None if all(map(_is_measured, values)) else place
    return None


def _terms(name: str) -> frozenset[str]:
    """Return the terms of a name; what has none ("Lo") is one itself."""
    return bag(name) or frozenset({name.casefold()})


def _is_measured(value: str) -> bool:
    """Tell whether a value is an amount, a date or a bare number, which name nothing."""
    exact = any(one.unit or one.date for one in quantities(value))
    return not identifiers(value) and (exact or not any(map(str.isalpha, value)))


def _name(row: Row) -> str:
    return row.leaves[0][1]


def _exact(part: str, given: str) -> Iterator[Quantity | str]:
    """Yield the numbers and identifiers that the user did not bring up, short counts left out.

    Nor what follows from the numbers of the user: two layers of 20 cm for 40 cm.
    """
    said, known = quantities(given), identifiers(given)
    stated = [*quantities(part), *said]
    for number in quantities(part):
        telling = number.unit or number.date or any(value >= 10 for value in number.values)  # noqa: PLR2004
        if telling and not number.rate and not matched(number, said):
            if said and parts_of(number, part, stated, ()) is not None:
                continue
            yield number
    for name, written in identifiers(part).items():
        if name not in known:
            yield written


def _has(text: str, exact: Quantity | str) -> bool:
    if isinstance(exact, str):
        return not identifiers(exact).keys().isdisjoint(identifiers(text))
    return matched(exact, quantities(text))


def _shown(exact: Quantity | str) -> str:
    return exact if isinstance(exact, str) else exact.text


def _other_field(
    claim: str, given: str, rows: Sequence[Row], others: Sequence[str]
) -> tuple[str, Row] | None:
    """Find the value of one field where a field like it is named."""
    if negated(claim):
        return None
    said = bag(claim)
    asked = said | bag(given)
    foreign = language_by_words(claim) not in (None, "en", language_by_words(rows[0].line))
    exact = list(_exact(claim, given))
    stated = [*exact, *quantities(claim), *quantities(given), *identifiers(given).values()]
    for row in rows:
        held = [leaf for leaf in row.leaves if any(_has(leaf[1], one) for one in exact)]
        for key, value in held if len(held) == 1 else ():
            mine = bag(key)
            here = [one for one in exact if _has(value, one)]
            if any(_has(line, one) for one in here for line in others) or any(
                other is not row and other.holds(one) for one in here for other in rows
            ):
                continue
            for other, instead in row.leaves:
                theirs = bag(other) - mine
                if other == key or any(_has(instead, one) for one in stated):
                    continue
                alike = _head(key) == _head(other)
                wanted = asked if alike else frozenset[str]() if foreign else said
                if (
                    (alike or _shape(value) == _shape(instead) != "text")
                    and theirs & wanted
                    and not (mine - bag(other)) & asked
                ):
                    return f"{_shown(here[0])} stands under {key}, not {other}", row
    return None


def _head(key: str) -> str:
    """Return what a field is: its unit where it has one, or the last word of its name."""
    return next(iter(key.casefold().split()[::-1]), "")


def _shape(value: str) -> str:
    """Return what kind of value this is: a date, a number with a unit, a number, or text."""
    found = quantities(value)
    if len(value.split()) > _LONGEST_NAME or not found:
        return "text"
    if found[0].date is not None:
        return "date"
    return found[0].unit or "number"
