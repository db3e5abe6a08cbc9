"""What came out, held against what was planted: shares and confusion matrices."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bench.attribution.judging import Result
from bench.attribution.planting import CONTROL

PLANTED: Final = ("good", "routing", "retrieval", "generation")
FOUND: Final = ("passed", "routing", "retrieval", "generation", "undetermined", "not_judged")


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How well one judge did. Shares lie in [0, 1]; None where there was nothing to count."""

    faulty: int
    """Turns with a planted fault that must fail."""
    root_stage: float | None
    """Of the faulty turns: root stage found."""
    root_kind: float | None
    """Of the faulty turns: root stage and kind found."""
    undetermined: float | None
    """Of the faulty turns: failed, and the stage left open."""
    not_judged: float | None
    """Of the faulty turns."""
    good: int
    """Untouched turns."""
    false_alarms: float | None
    """Of the untouched turns: called failed."""
    left_open: float | None
    """Of the untouched turns: not judged."""
    harmless: int
    """Turns with a latent fault that must pass."""
    harmless_alarms: float | None
    """Of those: called failed."""
    confusion: Mapping[str, Mapping[str, int]]
    """By planted stage (`good`: must pass): what was found, in turns."""
    kinds: Mapping[str, Mapping[str, int]]
    """By planted kind: what kind was found, in turns."""
    faults: Mapping[str, Mapping[str, float]]
    """By name of the fault: turns, and shares of root stage and kind."""


def score(results: Sequence[Result]) -> Score:
    """Count the results of one judge."""
    faulty = [one for one in results if one.planted.stage is not None]
    good = [one for one in results if one.planted.name == CONTROL]
    harmless = [one for one in results if one.planted.stage is None and one.planted.name != CONTROL]
    by_fault: dict[str, list[Result]] = {}
    for one in results:
        by_fault.setdefault(one.planted.name, []).append(one)
    return Score(
        faulty=len(faulty),
        root_stage=_share(faulty, lambda one: one.right_stage),
        root_kind=_share(faulty, lambda one: one.right_kind),
        undetermined=_share(faulty, lambda one: one.found == "undetermined"),
        not_judged=_share(faulty, lambda one: one.found == "not_judged"),
        good=len(good),
        false_alarms=_share(good, alarmed),
        left_open=_share(good, lambda one: one.found == "not_judged"),
        harmless=len(harmless),
        harmless_alarms=_share(harmless, alarmed),
        confusion=_matrix((one.planted.stage or CONTROL, one.found) for one in results),
        kinds=_matrix((one.planted.kind or CONTROL, one.found_kind) for one in results),
        faults={
            name: {
                "turns": len(ones),
                "root_stage": _share(ones, lambda one: one.right_stage) or 0.0,
                "root_kind": _share(ones, lambda one: one.right_kind) or 0.0,
            }
            for name, ones in by_fault.items()
        },
    )


def alarmed(result: Result) -> bool:
    """Tell whether a turn was called failed."""
    return result.attribution.outcome == "failed"


def _share(results: Sequence[Result], holds: Callable[[Result], bool]) -> float | None:
    return sum(map(holds, results)) / len(results) if results else None


def _matrix(pairs: Iterable[tuple[str, str]]) -> dict[str, dict[str, int]]:
    rows: dict[str, Counter[str]] = {}
    for planted, found in pairs:
        rows.setdefault(planted, Counter())[found] += 1
    return {planted: dict(row.most_common()) for planted, row in rows.items()}


# As text


def table(name: str, scored: Score, results: Sequence[Result]) -> str:
    """Return the score as text: shares, then the matrices, then fault by fault."""
    width = max(map(len, FOUND)) + 2
    lines = [
        f"judge: {name}",
        f"  root stage found            {_percent(scored.root_stage)} of {scored.faulty} turns",
        f"  root stage and kind found   {_percent(scored.root_kind)}",
        f"  stage left undetermined     {_percent(scored.undetermined)}",
        f"  not judged                  {_percent(scored.not_judged)}",
        f"  false alarms                {_percent(scored.false_alarms)} of {scored.good} good",
        f"  left open                   {_percent(scored.left_open)}",
        f"  alarms on latent faults     {_percent(scored.harmless_alarms)} of {scored.harmless}",
        f"  false alarms by language    {_by_language(results)}",
        "",
        f"{'planted / found':<22}" + "".join(f"{one:>{width}}" for one in FOUND),
    ]
    lines += [
        f"{planted:<22}" + "".join(f"{row.get(one, 0):>{width}}" for one in FOUND)
        for planted in PLANTED
        if (row := scored.confusion.get(planted))
    ]
    lines += ["", f"{'planted kind':<22}{'turns':>6}  found kinds"]
    lines += [
        f"{kind:<22}{sum(row.values()):>6}  "
        + ", ".join(f"{found} {count}" for found, count in row.items())
        for kind, row in scored.kinds.items()
    ]
    lines += ["", f"{'fault':<26}{'turns':>6}{'stage':>8}{'kind':>8}"]
    lines += [
        f"{fault:<26}{row['turns']:>6.0f}{row['root_stage']:>8.1%}{row['root_kind']:>8.1%}"
        for fault, row in scored.faults.items()
    ]
    return "\n".join(lines)


def _percent(share: float | None) -> str:
    return "  n/a" if share is None else f"{share:>6.1%}"


def _by_language(results: Sequence[Result]) -> str:
    turns, alarms = Counter[str](), Counter[str]()
    for one in results:
        if one.planted.name == CONTROL:
            language = one.planted.language
            turns[language] += 1
            alarms[language] += alarmed(one)
    return ", ".join(f"{code} {alarms[code]}/{count}" for code, count in turns.most_common())
