"""Agreement of the judge with people, for a terminal and as JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any, Final

from rich.text import Text

from analysis.labels.agreement import Agreement
from analysis.labels.label import CHOICES, ORDERED
from analysis.report.layout import WIDTH, Align, columns, cut, line, paint, wrap
from analysis.report.numbers import count, counted, percent, percent_interval, score

AGREEMENT_SCHEMA_VERSION: Final = 1


def render_agreement(
    found: Sequence[Agreement], corrections: int, *, color: bool = False, width: int = WIDTH
) -> str:
    """Return the agreement by question as text.

    Args:
        found: One for each question.
        corrections: Labels that were chosen by people and are in no number.
        color: Write colours as escape sequences.
        width: Cells of a line, 40 to 80.
    """
    return paint(_lines(found, corrections, width), color=color)


def agreement_json(found: Sequence[Agreement], corrections: int) -> dict[str, Any]:
    """Return the same as one object."""
    return {
        "schema_version": AGREEMENT_SCHEMA_VERSION,
        "questions": [asdict(one) for one in found],
        "corrections": corrections,
    }


def _lines(found: Sequence[Agreement], corrections: int, width: int) -> Iterator[Text]:
    for one in found:
        judge = cut(one.judge, width - len(one.question) - 2)
        yield line((one.question, "bold"), f"  {judge}" if judge else "")
        for text in _sentences(one):
            yield from (line("  ", part) for part in wrap(text, width - 2))
        yield from _confusion(one, width)
        yield Text()
    if corrections:
        yield from map(
            line,
            wrap(
                f"{counted(corrections, 'correction')} not counted: they were chosen because the "
                "judge was thought wrong, so they cannot say how often it is.",
                width,
            ),
        )


def _sentences(one: Agreement) -> Iterator[str]:
    people = counted(one.annotators, "person", "people")
    told = f"{counted(one.labels, 'label')} of {counted(one.items, 'item')} by {people}"
    if one.undecided:
        told += f"; {count(one.undecided)} more where the judge left it open"
    yield f"{told}."
    if not one.labels:
        return
    weighted = "quadratic weighted κ" if one.question in ORDERED else "κ"
    value = "n/a (one label only)" if one.kappa is None else score(one.kappa)
    bounds = ""
    if one.kappa is not None and one.kappa_interval is not None:
        bounds = f" ({one.kappa_interval.low:.2f}–{one.kappa_interval.high:.2f})"
    yield f"{weighted} {value}{bounds}, exact agreement {percent(one.exact)}."
    if one.people is not None:
        yield f"Between people: κ {score(one.people)}."
    if one.judged_rate is not None and one.corrected_rate is not None:
        interval = one.corrected_interval
        shown = f" ({percent_interval(interval.low, interval.high)})" if interval else ""
        yield (
            f"Failed according to the judge {percent(one.judged_rate)}, corrected by these labels "
            f"{percent(one.corrected_rate)}{shown}."
        )


def _confusion(one: Agreement, width: int) -> Iterator[Text]:
    if not one.confusion:
        return
    said = {judge for row in one.confusion.values() for judge in row}
    names = [name for name in CHOICES[one.question] if name in said]
    rows = [["people \\ judge", *names]]
    rows += [
        [people, *(count(row.get(name, 0)) for name in names)]
        for people, row in one.confusion.items()
    ]
    right: list[Align] = ["right"] * len(names)
    for number, text in enumerate(columns(rows, ["left", *right], width=width - 2)):
        yield line("  ", (text, "" if number else "dim"))
