"""The sentences that several renderings share, as plain text.

What is not known is left out or said to be unknown. Names may come out of traces: every
rendering makes them safe in its own way.
"""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from rich.cells import cell_len

from analysis.breakdown.headline import by_roots
from analysis.breakdown.model import (
    SMALL_HITS,
    SMALL_TOTAL,
    Breakdown,
    Change,
    Comparison,
    Dimension,
    Rate,
    ReasonCount,
    Segmentation,
)
from analysis.breakdown.selection import ROOT_FILTERS
from analysis.report.model import Report
from analysis.report.numbers import NOTHING, count, counted, percent, percent_interval, points

MARKS: Final = {"up": "▲", "down": "▼", None: "·"}
SMALL_NOTE: Final = (
    f"~ fewer than {SMALL_HITS} failing turns, or fewer than {SMALL_TOTAL} judged: do not read "
    "much into it"
)


def failed_text(breakdown: Breakdown) -> str:
    """Return the failed rate with its interval and what of it is inherited."""
    failed = breakdown.failed
    text = f"Failed{by_roots(breakdown)} {rate_text(failed)}"
    if breakdown.inherited:
        repeat = "repeats" if breakdown.inherited == 1 else "repeat"
        text += (
            f"; {count(breakdown.inherited)} of them {repeat} a failing claim of an earlier turn"
        )
    if breakdown.comparison:
        text += f"; {change_text(breakdown.comparison.failed)}"
    if breakdown.failed_otherwise:
        text += f". {counted(breakdown.failed_otherwise, 'other turn')} failed otherwise"
    return text + "."


def not_judged_text(breakdown: Breakdown) -> str:
    """Return how many turns were not judged and why; empty when all were."""
    total = sum(row.turns for row in breakdown.not_judged)
    if not total:
        return ""
    was = "turn was" if total == 1 else "turns were"
    return f"{count(total)} {was} not judged: {reasons_text(breakdown.not_judged)}."


def reasons_text(reasons: Iterable[ReasonCount]) -> str:
    """Return `118 not_captured, 43 template_answer`."""
    return ", ".join(f"{count(row.turns)} {row.reason}" for row in reasons)


def notes_text(breakdown: Breakdown) -> str:
    """Return what could not be looked at in turns that passed; empty when all could."""
    notes = [(row.turns, row.reason) for row in breakdown.notes]
    return f"Passed, but: {_tally(notes)}." if notes else ""


def latent_text(breakdown: Breakdown) -> str:
    """Return which faults did no harm, and in how many turns; empty without any."""
    faults = [(row.turns, row.kind) for row in breakdown.latent]
    return f"Latent faults, which did no harm: {_tally(faults)}." if faults else ""


def beside_text(breakdown: Breakdown) -> str:
    """Return which faults stood beside a root, by their role; empty without any."""
    by_role: dict[str, list[tuple[int, str]]] = {}
    for row in breakdown.beside:
        by_role.setdefault(row.role, []).append((row.turns, row.kind))
    parts = [f"{role} {_tally(faults)}" for role, faults in by_role.items()]
    return f"Faults beside a root: {'; '.join(parts)}." if parts else ""


def _tally(counts: Sequence[tuple[int, str]]) -> str:
    """Return `3 turns wrong_agent, 1 wrong_collection`."""
    (first, name), *others = counts
    return ", ".join(
        [f"{counted(first, 'turn')} {name}", *(f"{count(turns)} {word}" for turns, word in others)]
    )


def rate_text(rate: Rate) -> str:
    """Return `7.1 % (6.7–7.5)`, `n/a (0 of 0)` when there is nothing to count."""
    if rate.value is None:
        return NOTHING
    return f"{percent(rate.value)} ({percent_interval(rate.low, rate.high)})"


def change_text(change: Change) -> str:
    """Return a change in words: `+0.37 points (0.12 to 0.62), was 3.0 %`."""
    if change.difference is None:
        return "was n/a"
    if change.clear is None:
        return f"was {percent(change.before.value)}, no clear change"
    return (
        f"was {percent(change.before.value)}, {MARKS[change.clear]} "
        f"{points(change.difference)} points"
    )


def change_cell(change: Change | None) -> str:
    """Return a change as a cell: `▲ +0.37`, `· −0.17`; empty when nothing is compared."""
    if change is None:
        return ""
    if change.difference is None:
        return "n/a"
    return f"{MARKS[change.clear]} {points(change.difference)}"


def top_kinds(breakdown: Breakdown, most: int = 3) -> Sequence[tuple[str, str, int]]:
    """Return the most frequent determined root kinds as (stage, kind, turns)."""
    found = [
        (row.stage, kind.kind, kind.rate.hits)
        for row in breakdown.stages
        if row.stage != "undetermined"
        for kind in row.kinds
    ]
    return sorted(found, key=lambda item: -item[2])[:most]


def hint(report: Report, kind: str) -> Sequence[str]:
    """Return the command line that lists the failing turns of a root kind that count here.

    In parts that belong together, each quoted for a shell.
    """
    choices = report.selected.choices
    others = {name: one for name, one in choices.items() if name not in ROOT_FILTERS}
    named = report.words or ("--run", report.info.get("run_id", "latest"))
    options = [
        ("--kind", kind),
        *((f"--{name}", ",".join(choice.typed)) for name, choice in others.items()),
        *((f"--{name}", bound) for name, bound in report.selected.bounds.items()),
    ]
    return ["stagefault show --failed", *map(shlex.join, options), *named_run(named)]


def named_run(words: Sequence[str]) -> list[str]:
    """Return the options that name a run, each with its value, quoted for a shell."""
    return [shlex.join(pair) for pair in zip(words[::2], words[1::2], strict=True)]


def command_lines(words: Sequence[str], width: int) -> Iterator[str]:
    """Yield a command line in as many lines as it takes; a shell reads them as one."""
    current = f"  {words[0]}"
    for word in words[1:]:
        if cell_len(f"{current} {word} \\") > width:
            yield f"{current} \\"
            current = f"    {word}"
        else:
            current = f"{current} {word}"
    yield current


def compared_text(comparison: Comparison) -> str:
    """Return how many rates were compared, and how many of them changed."""
    if not comparison.cells_compared:
        return "Only the rates above stand side by side."
    return (
        f"{counted(comparison.cells_compared, 'rate')} compared; "
        f"{counted(len(comparison.changed), 'change')} at a false discovery rate of 5 %."
    )


def overlap_text(by: Dimension) -> str:
    """Return why the columns of a cut add up to more than all turns; empty where they do not."""
    counted_in = {
        "collection": "every collection that it searched or should have searched",
        "tool": "every tool that it called",
    }.get(by)
    return f"A turn counts in {counted_in}: the columns may add up to more." if counted_in else ""


def segment_name(name: str | None) -> str:
    """Return the name of a segment, in words where the trace does not tell."""
    return "(not told)" if name is None else name


def unit_text(cut: Segmentation) -> str:
    """Return what the cells of a cut are: `%`, or `turns` where none has enough for a rate."""
    return "turns" if cut.few else "%"


def few_text(cut: Segmentation) -> str:
    """Return why the cells of a cut are counts and no rates; empty where they are rates."""
    if not cut.few:
        return ""
    return f"Failing turns, not rates: no {cut.by} has {SMALL_TOTAL} judged turns."


def cell_text(cut: Segmentation, rate: Rate) -> str:
    """Return a rate as a cell of a grid: `1.2`, marked `~` when it is small; `–` for 0 of 0.

    Where no segment of the cut has turns enough for a rate, the failing turns instead: `3`.
    """
    if rate.value is None:
        return "–"
    if not rate.hits or cut.few:
        return count(rate.hits)
    shown = percent(rate.value).removesuffix(" %")
    return f"{shown}~" if rate.small else shown


def joined(words: Sequence[str], conjunction: str = "and") -> str:
    """Return `a, b and c`."""
    if len(words) < 2:  # noqa: PLR2004 - one word needs no conjunction
        return "".join(words)
    return f"{', '.join(words[:-1])} {conjunction} {words[-1]}"
