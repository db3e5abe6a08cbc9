"""Values of filters that nothing carries: a typing error would look like good news."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import pyarrow as pa

from analysis.attribution.kinds import KINDS
from analysis.breakdown.admission import values_of
from analysis.breakdown.roots import ROOT_STAGES
from analysis.breakdown.selection import Selection
from analysis.suggesting import did_you_mean

_LISTED: Final = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """A value of a filter that no turn carries."""

    name: str
    """Of the filter."""
    value: str
    refused: bool
    """It was to be left out, so that nothing is missing without it."""
    known: tuple[str, ...]
    """Values that turns do carry, most frequent first."""

    @property
    def problem(self) -> str:
        """What is wrong, without a full stop."""
        if self.name in ("stage", "kind"):
            return f"there is no root {self.name} {self.value!r}"
        return f"no turn has {self.name} {self.value!r}"

    @property
    def remedy(self) -> str:
        """The nearest values, else the known ones."""
        if near := did_you_mean(self.value, self.known):
            return near
        if not self.known:
            return f"No turn tells its {self.name}."
        more = len(self.known) - _LISTED
        rest = f" and {more} more" if more > 0 else ""
        return f"Known: {', '.join(self.known[:_LISTED])}{rest}."


def unknown_in(selected: Selection, turns: pa.Table) -> tuple[Unknown, ...]:
    """Return the values of a selection that no turn of a run carries.

    Args:
        selected: The filters. A root stage or kind that exists counts as known, whether or
            not a turn of the run has it.
        turns: The `turns` table with at least `facts.TURN_COLUMNS`.
    """
    known: dict[str, Iterable[str | None]] = {}
    for name in selected.choices:
        carried = [value for values in values_of(turns, name) for value in values]
        if name == "stage":
            carried += ROOT_STAGES
        elif name == "kind":
            carried += [word for stage, kinds in KINDS.items() for word in _spellings(stage, kinds)]
        known[name] = carried
    return unknown_values(selected, known)


def unknown_values(
    selected: Selection, carried: Mapping[str, Iterable[str | None] | Counter[str | None]]
) -> tuple[Unknown, ...]:
    """Return the values of a selection that are not among those carried, by filter."""
    found = []
    for name, choice in selected.choices.items():
        counts = Counter(carried[name])
        known = tuple(value for value, _ in counts.most_common() if value is not None)
        for refused, values in ((False, choice.accepted), (True, choice.refused)):
            found += [
                Unknown(name=name, value=value, refused=refused, known=known)
                for value in sorted(values.difference(known))
            ]
    return tuple(found)


def _spellings(stage: str, kinds: Sequence[str]) -> Iterable[str]:
    for kind in kinds:
        yield from (f"{stage}.{kind}", kind)
