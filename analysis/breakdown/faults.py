"""Faults beside the root: those that did no harm, and what each stage had to do with it."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Final, Literal

import pyarrow as pa

from analysis.attribution.kinds import STAGES
from analysis.breakdown.facts import Facts
from analysis.breakdown.model import BesideRow, LatentRow, Part, PathRow
from analysis.breakdown.roots import ordered_kinds
from analysis.breakdown.selection import Selection
from stages.records import Stage

FINDING_COLUMNS: Final = ("turn_id", "stage", "kind", "role")
_PARTS: Final[tuple[Part, ...]] = ("root", "contributing", "downstream", "none")
"""Strongest first."""

Beside = Literal["contributing", "downstream"]
_BESIDE: Final[tuple[Beside, ...]] = ("contributing", "downstream")

Found = Mapping[int, Mapping[tuple[Stage, str], set[str]]]
"""By place of the turn: roles by stage and kind."""


def found_in(facts: Facts, findings: pa.Table) -> Found:
    """Return the findings of the selected turns.

    Args:
        facts: The selected turns.
        findings: The `findings` table with at least `FINDING_COLUMNS`.
    """
    places = {turn_id: place for place, turn_id in enumerate(facts.turn_ids)}
    found: dict[int, dict[tuple[Stage, str], set[str]]] = defaultdict(lambda: defaultdict(set))
    columns = (findings.column(name).to_pylist() for name in FINDING_COLUMNS)
    for turn_id, stage, kind, role in zip(*columns, strict=True):
        place = places.get(turn_id)
        if place is not None:
            found[place][stage, kind].add(role)
    return found


def latent_rows(facts: Facts, found: Found, selected: Selection) -> tuple[LatentRow, ...]:
    """Return the faults that caused no symptom, in order of stage and precedence.

    A turn counts once per kind; turns that were not judged do not count, nor do faults of
    a stage or kind that the selection leaves out.
    """
    turns: Counter[tuple[Stage, str]] = Counter()
    passed: Counter[tuple[Stage, str]] = Counter()
    for place, faults in found.items():
        for fault, roles in faults.items():
            if roles == {"latent"} and facts.judged[place] and selected.admits_root(*fault):
                turns[fault] += 1
                passed[fault] += facts.outcomes[place] == "passed"
    return tuple(
        LatentRow(stage=stage, kind=kind, turns=turns[stage, kind], in_passed=passed[stage, kind])
        for stage in STAGES
        for kind in ordered_kinds(stage, (name for one, name in turns if one == stage))
    )


def beside_rows(facts: Facts, found: Found) -> tuple[BesideRow, ...]:
    """Return the faults beside the roots of failing turns, contributing ones first.

    A turn counts once per kind, by the stronger of its roles.
    """
    turns: Counter[tuple[Beside, Stage, str]] = Counter()
    for place, faults in found.items():
        for (stage, kind), roles in faults.items():
            role = next((one for one in _BESIDE if one in roles), None)
            if role is not None and "root" not in roles and facts.failed[place]:
                turns[role, stage, kind] += 1
    return tuple(
        BesideRow(stage=stage, kind=kind, role=role, turns=turns[role, stage, kind])
        for role in _BESIDE
        for stage in STAGES
        for kind in ordered_kinds(stage, (name for *own, name in turns if own == [role, stage]))
    )


def path_rows(facts: Facts, found: Found) -> tuple[PathRow, ...]:
    """Return how many failing turns share the same parts of the three stages.

    Most frequent first. They add up to the failing turns.
    """
    counts = Counter(
        ("undetermined",) * 3
        if root is not None and root[0] == "undetermined"
        else tuple(_parts(found.get(place, {})))
        for place, root in enumerate(facts.roots)
        if facts.failed[place]
    )
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return tuple(
        PathRow(routing=routing, retrieval=retrieval, generation=generation, turns=number)
        for (routing, retrieval, generation), number in ordered
    )


def _parts(faults: Mapping[tuple[Stage, str], set[str]]) -> Iterator[Part]:
    for stage in STAGES:
        roles = {role for (one, _), found in faults.items() if one == stage for role in found}
        yield next((part for part in _PARTS if part in roles), "none")
