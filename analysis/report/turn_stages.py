"""What the three stages did in one turn, as lines for a terminal."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from analysis.report.contradictions import Contradiction
from analysis.report.layout import WIDTH, cut, line, wrap
from analysis.report.numbers import counted
from analysis.report.terminal import safe_line
from analysis.report.turn_view import Mark, TurnView
from analysis.report.wording import joined
from analysis.tables.turn_rows import Row
from stages.records import Stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """How much of each section is shown."""

    finding_lines: int
    details: int
    chunks: int
    paragraphs: int
    elements: int
    cause_lines: int
    symptom_lines: int
    """For a block of the answer that failed, below its label; 0: what fits beside it."""
    contradictions: int
    """Of all blocks together."""
    quote_lines: int
    """For what a block says, and again for what its source says."""
    width: int = WIDTH
    """Cells of a line."""


WIDE: Final = Room(
    finding_lines=2,
    details=4,
    chunks=8,
    paragraphs=8,
    elements=3,
    cause_lines=2,
    symptom_lines=3,
    contradictions=3,
    quote_lines=3,
)
NARROW: Final = Room(
    finding_lines=1,
    details=2,
    chunks=4,
    paragraphs=4,
    elements=1,
    cause_lines=1,
    symptom_lines=0,
    contradictions=1,
    quote_lines=1,
)
"""For a turn that needs more than a screen with WIDE."""
NARROWEST: Final = replace(NARROW, details=1, chunks=2, paragraphs=2)
"""A turn that needs more than a screen with NARROW fits one with this, whatever it holds."""

_FINDINGS: Final = 2
_LEAD: Final = 13
"""Cells before what a stage did."""
_SHORTEST_NAME: Final = 10
"""Cells that the name of a chunk keeps beside what is said of it."""

_ORIGINS: Final = {"generated": None, "unknown": "origin not told"}
SIGNS: Final[dict[Mark, tuple[str, str]]] = {
    "root": ("✗", "bold red"),
    "contributing": ("✗", "yellow"),
    "downstream": ("✗", "red"),
    "latent": ("✓", "green"),
    "fine": ("✓", "green"),
    "not_judged": ("?", "dim"),
    "not_run": ("–", "dim"),
}
"""Sign and style; the words of `_WORDS` say the same."""
_WORDS: Final[dict[Mark, str]] = {
    "root": "← root",
    "contributing": "own fault beside the root",
    "downstream": "downstream of the root",
    "latent": "a fault that did no harm",
    "fine": "",
    "not_judged": "",
    "not_run": "did not run",
}


def stage_lines(view: TurnView, room: Room) -> Iterator[Text]:
    """Yield what each stage did, whether that was right, and what shows it."""
    yield from _routing(view, room)
    yield from _retrieval(view, room)
    yield from _generation(view, room)


# Routing


def _routing(view: TurnView, room: Room) -> Iterator[Text]:
    turn = view.turn
    agents = " → ".join(turn["agents"] or ())
    where = joined([*dict.fromkeys((*turn["collections"], *turn["tools"]))])
    told = f"{agents}: {where}" if agents and where else agents or where
    yield _stage(view, "routing", told, room)
    yield from _findings(view, "routing", room)
    details = [*_wrong_arguments(view), *map(_call, _calls_at_fault(view))]
    yield from (_detail(text, room) for text in limited(details, room.details))


def _wrong_arguments(view: TurnView) -> Iterator[str]:
    """Yield the wrong arguments that no finding tells of, as those of a search."""
    told = " ".join(row["explanation"] for row in view.faults("routing"))
    names = {call["position"]: call["name"] for call in view["tool_calls"]}
    for judged in (view.routing or {}).get("calls", ()):
        for wrong in judged["wrong_arguments"]:
            name = names.get(judged["position"], "a call")
            if not (name in told and wrong["argument"] in told):
                was = "left out" if wrong["value"] is None else f"= {wrong['value']}"
                right = f", should be {wrong['expected']}" if wrong["expected"] else ""
                yield f"{name}: {wrong['argument']} {was}{right} ({wrong['known_from']})"


def _calls_at_fault(view: TurnView) -> list[Row]:
    named = _named(view, "call ")
    return [
        call for call in view["tool_calls"] if call["call_id"] in named or call["status"] == "error"
    ]


def _named(view: TurnView, kind: str) -> set[str]:
    """Return the ids of one kind that the evidence of the findings names."""
    return {
        item.removeprefix(kind)
        for row in view["findings"]
        if row["kind"] != "irrelevant_chunks"  # names all there are
        for item in row["evidence"]
        if item.startswith(kind)
    }


def _call(call: Row) -> str:
    sent = cut(f"{call['name']}({_arguments(call['arguments'])})", 50)
    return f"{sent} → {call['status']} {call['error'] or call['result'] or ''}"


def _arguments(text: str | None) -> str:
    """Return recorded arguments as `name=value, …`, or as they are when they are no object."""
    if text is None:
        return "not captured"
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if not isinstance(value, dict):
        return text
    return ", ".join(f"{name}={json.dumps(one, ensure_ascii=False)}" for name, one in value.items())


# Retrieval


def _retrieval(view: TurnView, room: Room) -> Iterator[Text]:
    searches, chunks = view["retrievals"], view["chunks"]
    yield _stage(view, "retrieval", joined([_search(one) for one in searches]), room)
    yield from _findings(view, "retrieval", room)
    if searches and searches[0]["query"]:
        yield _detail(f"searched “{cut(searches[0]['query'], room.width - 16)}”", room)
    shown = _telling(view, chunks, room.chunks)
    yield from (_chunk(chunk, room) for chunk in shown)
    if len(chunks) > len(shown):
        yield _detail(f"  … {len(chunks) - len(shown)} more", room)
    yield from _should_have_been(view, room)


def _search(search: Row) -> str:
    name = search["collection"] or "a search"
    told = search["n_chunks"] if search["status"] in ("ok", "empty") else search["status"]
    return f"{name} ({told})"


def _telling(view: TurnView, chunks: Sequence[Row], most: int) -> list[Row]:
    """Return the chunks that matter most, in order of search and rank."""
    named = _named(view, "chunk ")

    def weight(place: int) -> tuple[int, int]:
        chunk = chunks[place]
        told = 4 * (chunk["chunk_id"] in named) + 2 * bool(chunk["relevant"])
        return -(told + bool(chunk["cited"])), chunk["rank"]

    kept = sorted(range(len(chunks)), key=weight)[:most]
    return [chunks[place] for place in sorted(kept)]


def _chunk(chunk: Row, room: Room) -> Text:
    notes = [_judged(chunk)]
    if chunk["cited"]:
        notes.append("cited")
    if chunk["in_context"] is False:
        notes.append("not in prompt")
    score = "" if chunk["score"] is None else f"{chunk['score']:.2f}"
    text = chunk["text"] if chunk["text"] is not None else "(text not captured)"
    name = f"{chunk['title'] or chunk['chunk_id']}: {text}"
    style = "green" if chunk["relevant"] else ""
    return _ranked(str(chunk["rank"]), score, name, (", ".join(notes), style), room)


def _judged(chunk: Row) -> str:
    if chunk["grade"] is None:
        reason = chunk["unjudged_reason"]
        return f"unjudged: {reason}" if reason else "unjudged"
    off = chunk["grade"] and not chunk["relevant"] and not chunk["on_target"]
    return f"grade {chunk['grade']}" + (", off target" if off else "")


def _should_have_been(view: TurnView, room: Room) -> Iterator[Text]:
    """Show the chunk that a probe found and no search of the turn brought."""
    found = next((one for one in view.causes if one.get("found_chunk_id")), None)
    if found is None or found.get("found_retrieved"):
        return
    where = found["found_collection"]
    whence = f", from {cut(where, 24)}" if where and room.width >= WIDTH else ""
    note = f"should have been here{whence}"
    title = found.get("found_title") or found["found_chunk_id"]
    yield _ranked("–", "", title, (note, "bold red"), room)
    if found.get("found_quote"):
        lead = " " * _LEAD
        yield line(lead, cut(f"“{found['found_quote']}”", room.width - _LEAD))


def _ranked(rank: str, score: str, name: str, note: tuple[str, str], room: Room) -> Text:
    lead = f"  {rank:>3}  {cut(score, 8):>6}  "
    told = cut(note[0], room.width - cell_len(lead) - _SHORTEST_NAME - 2)
    shown = cut(name, room.width - cell_len(lead) - cell_len(told) - 2)
    gap = room.width - cell_len(lead) - cell_len(shown) - cell_len(told)
    return line(lead, shown, " " * gap, (told, note[1]))


# Generation


def _generation(view: TurnView, room: Room) -> Iterator[Text]:
    turn = view.turn
    told = [
        turn["reply"],
        turn["answer_flag"] and f"flag {turn['answer_flag']}",
        _ORIGINS.get(turn["answer_source"], turn["answer_source"]),
        turn["finish_reason"] if turn["finish_reason"] not in (None, "stop") else None,
    ]
    yield _stage(view, "generation", ", ".join(one for one in told if one), room)
    yield from _findings(view, "generation", room)
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
        yield _detail(f"… {len(blocks) - len(shown)} more", room)
    untold = len(view.contradictions) - len(against)
    if untold:
        yield _detail(f"… {counted(untold, 'more claim')} contradicted; --json has all", room)
    missing = [
        f"E{number} {element['status'].replace('_', ' ')}: {element['text']}"
        for number, element in enumerate(view.elements, start=1)
        if element["status"] != "answered"
    ]
    yield from (_detail(text, room) for text in limited(missing, room.elements))


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


# Any stage


def _stage(view: TurnView, stage: Stage, told: str, room: Room) -> Text:
    mark = view.mark(stage)
    sign, style = SIGNS[mark]
    lead = f"{sign} {stage}".ljust(_LEAD)
    word = _WORDS[mark]
    shown = cut(told, room.width - len(lead) - len(word) - 2)
    return line((lead, style), shown, ("  " if shown and word else ""), (word, style))


def _findings(view: TurnView, stage: Stage, room: Room) -> Iterator[Text]:
    texts = [f"{row['kind']}: {row['explanation']}" for row in view.faults(stage)]
    for text in limited(texts, _FINDINGS):
        yield from paragraph_lines(text, "  ", room.finding_lines, room)


def _detail(text: str, room: Room) -> Text:
    return line("  ", cut(text, room.width - 2))


def paragraph_lines(text: str, lead: str, most: int, room: Room) -> Iterator[Text]:
    """Yield a text in at most *most* lines, all but the first indented below *lead*."""
    for number, part in enumerate(wrap(text, room.width - len(lead), most=most)):
        yield line((lead if not number else " " * len(lead), "bold"), part)


def limited(texts: Iterable[str], most: int) -> Sequence[str]:
    """Return at most that many texts, the last one telling how many are left out."""
    found = list(texts)
    hidden = len(found) - most
    return found if hidden <= 0 else [*found[: most - 1], f"(+{hidden}) {found[most - 1]}"]
