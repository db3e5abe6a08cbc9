"""A golden set and what a run made of it, for a terminal and as JSON."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final

import msgspec
from rich.text import Text

from analysis.golden.item import Item
from analysis.golden.item_scores import NOTHING_TO_SCORE, SCORES
from analysis.golden.scoring import GoldenScores, Mean
from analysis.report.layout import WIDTH, Align, columns, cut, fitting, line, paint, wrap
from analysis.report.numbers import count, counted, milliseconds, score, score_interval

GOLDEN_SCHEMA_VERSION: Final = 1
_WORST = 5
_HELD: Final = tuple(name for name in SCORES if name != "id_precision")
"""Scores that a good answer has whole; other chunks may well be retrieved, too."""


def render_scores(scores: GoldenScores, *, color: bool = False, width: int = WIDTH) -> str:
    """Return the scores as text: all, by type, by program, and the items that missed most."""
    return paint(_lines(scores, width), color=color)


def scores_json(scores: GoldenScores) -> dict[str, Any]:
    """Return the scores as one object, every item included."""
    return {
        "schema_version": GOLDEN_SCHEMA_VERSION,
        "overall": _means_json(scores.overall),
        "by_type": {name: _means_json(means) for name, means in scores.by_type.items()},
        "by_program": {name: _means_json(means) for name, means in scores.by_program.items()},
        "by_flag": _means_json(scores.by_flag),
        "flag_accuracy_of_flagged": asdict(scores.flagged),
        "median_first_output_ms": scores.median_first_output_ms,
        "items": [
            {
                "item": msgspec.to_builtins(one.item),
                "turn_id": one.turn_id,
                "flag": one.flag,
                "scores": {name: got.value for name, got in one.scores.items()},
                "unscored": {
                    name: got.reason for name, got in one.scores.items() if got.value is None
                },
                "first_output_ms": one.first_output_ms,
            }
            for one in scores.scored
        ],
        "missing": [item.id for item in scores.missing],
        "ambiguous": [item.id for item in scores.ambiguous],
    }


def _means_json(means: Mapping[str, Mean]) -> dict[str, Any]:
    return {name: asdict(mean) for name, mean in means.items()}


def _lines(scores: GoldenScores, width: int) -> Iterator[Text]:
    total = len(scores.scored) + len(scores.missing) + len(scores.ambiguous)
    have = "has" if total == 1 else "have"
    told = f"{count(len(scores.scored))} of {counted(total, 'item')} {have} a turn."
    yield line((told, "bold"))
    yield from _listed("Without a turn", scores.missing, "", width)
    yield from _listed(
        "Not told apart",
        scores.ambiguous,
        " They share a question, and its turns name no item.",
        width,
    )
    if not scores.scored:
        return
    yield from _overall(scores, width)
    for title, groups in (("type", scores.by_type), ("program", scores.by_program)):
        if len(groups) > 1:
            yield from _groups(title, groups, width)
    yield from _worst(scores, width)


def _listed(title: str, items: Sequence[Item], remark: str, width: int) -> Iterator[Text]:
    if items:
        names = ", ".join(item.id for item in items[:_WORST])
        more = len(items) - _WORST
        told = f"{title}: {names}" + (f" and {count(more)} more" if more > 0 else "")
        yield from map(line, wrap(f"{told}.{remark}", width))


def _overall(scores: GoldenScores, width: int) -> Iterator[Text]:
    named = [(name, scores.overall[name]) for name in SCORES]
    named.insert(1, ("  of items with a flag", scores.flagged))
    rows = [["score", "mean", "95 %", "items"]]
    rows += [[name, _value(mean), _bounds(mean), count(mean.items)] for name, mean in named]
    yield Text()
    align: list[Align] = ["left", "right", "left", "right"]
    for number, text in enumerate(columns(rows, align, width=width)):
        yield line((text, "" if number else "dim"))
    yield from _unknown(scores, width)
    if scores.median_first_output_ms is not None:
        yield line(f"median time to first output {milliseconds(scores.median_first_output_ms)}")
    if len(scores.by_flag) > 1:
        flags = ", ".join(f"{name} {_value(mean)}" for name, mean in scores.by_flag.items())
        yield from map(line, wrap(f"Flag accuracy by expected flag: {flags}.", width))


def _unknown(scores: GoldenScores, width: int) -> Iterator[Text]:
    """Yield how many items have no score for want of a record; they are in no mean."""
    for name in SCORES:
        holes = {
            reason: number
            for reason, number in scores.overall[name].unscored.items()
            if reason not in NOTHING_TO_SCORE
        }
        if holes:
            named = ", ".join(f"{reason} {count(number)}" for reason, number in holes.items())
            for part in wrap(f"{name} unknown: {named}", width):
                yield line((part, "dim"))


def _groups(title: str, groups: Mapping[str, Mapping[str, Mean]], width: int) -> Iterator[Text]:
    shown = [name for name in SCORES if any(means[name].items for means in groups.values())]
    heads = [name.removesuffix("_rate").removesuffix("_accuracy") for name in shown]
    rows = [[title, "items", *heads]]
    for name, means in groups.items():
        items = means["flag_accuracy"].items
        rows.append([cut(name, 24), count(items), *(_value(means[one]) for one in shown)])
    last = len(rows[0])
    kept = fitting(rows, elastic=0, optional=range(last - 1, 1, -1), width=width)
    right: list[Align] = ["right"] * (len(kept) - 1)
    cells: Sequence[Sequence[str]] = [[row[place] for place in kept] for row in rows]
    yield Text()
    for number, text in enumerate(columns(cells, ["left", *right], width=width)):
        yield line((text, "" if number else "dim"))
    left_out = [head for place, head in enumerate(rows[0]) if place not in kept]
    if left_out:
        note = f"no room for: {', '.join(left_out)}"
        yield from (line((part, "dim")) for part in wrap(note, width))


def _worst(scores: GoldenScores, width: int) -> Iterator[Text]:
    """Yield the items that missed most, each with what it missed."""
    missed = [
        (one, [name for name in _HELD if _is_missed(one.scores[name].value)])
        for one in scores.scored
    ]
    missed = sorted((entry for entry in missed if entry[1]), key=lambda entry: -len(entry[1]))
    if not missed:
        return
    yield Text()
    yield line((f"{counted(len(missed), 'item')} missed something", "bold"))
    for one, names in missed[:_WORST]:
        yield line("  ", cut(f"{one.item.id}, turn {one.turn_id}: {', '.join(names)}", width - 2))
    if len(missed) > _WORST:
        yield line((f"  and {count(len(missed) - _WORST)} more; --json has all", "dim"))


def _is_missed(value: float | None) -> bool:
    return value is not None and value < 1


def _value(mean: Mean) -> str:
    return score(mean.value)


def _bounds(mean: Mean) -> str:
    interval = mean.interval
    return "" if interval is None else score_interval(interval.low, interval.high)
