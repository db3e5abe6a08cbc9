"""What generation did in one turn, as lines for a terminal: the answer against its evidence."""

from collections.abc import Iterator
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from analysis.report.contradictions import Contradiction
from analysis.report.layout import cut, line, wrap
from analysis.report.numbers import counted
from analysis.report.terminal import safe_line
from analysis.report.turn_room import (
    SIGNS,
    Room,
    detail,
    fault_lines,
    limited,
    paragraph_lines,
    stage_line,
)
from analysis.report.turn_view import TurnView
from analysis.tables.turn_rows import Row

_ORIGINS: Final = {"generated": None, "unknown": "origin not told"}


def generation_lines(view: TurnView, room: Room) -> Iterator[Text]:
    """Yield what kind of answer it is, its faults, its blocks, and what it left out."""
    turn = view.turn
    told = [
        turn["reply"],
        turn["answer_flag"] and f"flag {turn['answer_flag']}",
        _ORIGINS.get(turn["answer_source"], turn["answer_source"]),
        turn["finish_reason"] if turn["finish_reason"] not in (None, "stop") else None,
    ]
    yield stage_line(view, "generation", ", ".join(one for one in told if one), room)
    yield from fault_lines(view, "generation", room)
    symptoms = {number: cause["symptom"] for cause in view.causes for number in cause["paragraphs"]}
    blocks = view["paragraphs"]
    ordered = sorted(blocks, key=lambda row: (row["paragraph"] not in symptoms, row["paragraph"]))
    shown = sorted(ordered[: room.paragraphs], key=lambda row: row["paragraph"])
    against = view.contradictions[: room.contradictions]
    for row in shown:
        yield from _paragraph(view, row, symptoms.get(row["paragraph"]), room)
        for one in against:
            if one.paragraph == row["paragraph"]:
                yield from _contradiction(one, row["text"], room)
    if len(blocks) > len(shown):
        yield detail(f"… {len(blocks) - len(shown)} more", room)
    untold = len(view.contradictions) - len(against)
    if untold:
        yield detail(f"… {counted(untold, 'more claim')} contradicted; --json has all", room)
    missing = [
        f"E{number} {element['status'].replace('_', ' ')}: {element['text']}"
        for number, element in enumerate(view.elements, start=1)
        if element["status"] != "answered"
    ]
    yield from (detail(text, room) for text in limited(missing, room.elements))


def _paragraph(view: TurnView, row: Row, symptom: str | None, room: Room) -> Iterator[Text]:
    """Yield a block of the answer; one with a symptom gets room to be read."""
    support = row["support"] or ("support not judged" if row["needs_source"] else "")
    markers = dict.fromkeys(
        f"{item['marker']}{'' if item['status'].startswith('resolved') else '!'}"
        for item in view["citations"]
        if item["paragraph"] == row["paragraph"] and item["marker"]
    )
    if symptom:
        sign, style = SIGNS["root"]
    elif row["support"] in ("full", "partial"):
        sign, style = SIGNS["fine"]
    else:
        sign, style = "·", "dim"
    words = [symptom, f"({support})" if symptom and support else support]
    label = " ".join(one for one in (*words, cut(" ".join(markers), 12)) if one)
    lead = f"  P{row['paragraph']:<3}"
    parts: list[str | tuple[str, str]] = [lead, (f"{sign} ", style)]
    if label:
        most = room.width - sum(map(_width, parts)) - 2
        parts.append((f"{cut(label, most)}  ", style))
    left = room.width - sum(map(_width, parts))
    if not symptom or room.symptom_lines == 0 or cell_len(safe_line(row["text"])) <= left:
        yield line(*parts, cut(row["text"], left))
        return
    yield line(*parts)
    indent = " " * len(lead)
    for text in wrap(row["text"], room.width - len(lead), most=room.symptom_lines):
        yield line(indent, text)


def _contradiction(one: Contradiction, block: str, room: Room) -> Iterator[Text]:
    """Yield the claim, unless it is the whole block above, and what its source says."""
    indent = " " * 6
    if one.said and safe_line(one.said) != safe_line(block):
        said = f"“{one.said}”"
        yield from paragraph_lines(said, f"{indent}says ", room.quote_lines, room)
    source = f"{cut(one.source, room.width // 2)}: “{one.quote}”" if one.quote else one.source
    yield from paragraph_lines(source, f"{indent}but  ", room.quote_lines, room)


def _width(part: str | tuple[str, str]) -> int:
    return cell_len(part if isinstance(part, str) else part[0])
