"""What the three stages did in one turn, as lines for a terminal."""

import json
from collections.abc import Iterator, Sequence
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from analysis.report.layout import WIDTH, cut, line
from analysis.report.numbers import counted
from analysis.report.turn_generation import generation_lines
from analysis.report.turn_room import LEAD, Room, detail, fault_lines, limited, stage_line
from analysis.report.turn_view import TurnView
from analysis.report.wording import joined
from analysis.tables.turn_rows import Row

_SHORTEST_NAME: Final = 10
"""Cells that the name of a chunk keeps beside what is said of it."""


def stage_lines(view: TurnView, room: Room) -> Iterator[Text]:
    """Yield what each stage did, whether that was right, and what shows it."""
    yield from _routing(view, room)
    yield from _retrieval(view, room)
    yield from generation_lines(view, room)


# Routing


def _routing(view: TurnView, room: Room) -> Iterator[Text]:
    turn = view.turn
    agents = " → ".join(turn["agents"] or ())
    where = joined([*dict.fromkeys((*turn["collections"], *turn["tools"]))])
    told = f"{agents}: {where}" if agents and where else agents or where
    yield stage_line(view, "routing", told, room)
    yield from fault_lines(view, "routing", room)
    details = [*_wrong_arguments(view), *(_call(call, room) for call in _calls_at_fault(view))]
    yield from (detail(text, room) for text in limited(details, room.details))


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


def _call(call: Row, room: Room) -> str:
    most = max(room.width - 30, 50)
    sent = cut(f"{call['name']}({_arguments(call['arguments'])})", most)
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
    yield stage_line(view, "retrieval", joined([_search(one) for one in searches]), room)
    yield from fault_lines(view, "retrieval", room)
    if searches and searches[0]["query"]:
        yield detail(f"searched “{cut(searches[0]['query'], room.width - 16)}”", room)
    shown = _telling(view, chunks, room.chunks)
    yield from (_chunk(chunk, room) for chunk in shown)
    if len(chunks) > len(shown):
        yield detail(f"  … {len(chunks) - len(shown)} more", room)
    yield from _should_have_been(view, room)


def _search(search: Row) -> str:
    name = search["collection"] or "a search"
    found = search["status"] in ("ok", "empty")
    return f"{name} ({counted(search['n_chunks'], 'chunk') if found else search['status']})"


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
        lead = " " * LEAD
        yield line(lead, cut(f"“{found['found_quote']}”", room.width - LEAD))


def _ranked(rank: str, score: str, name: str, note: tuple[str, str], room: Room) -> Text:
    lead = f"  {rank:>3}  {cut(score, 8):>6}  "
    told = cut(note[0], room.width - cell_len(lead) - _SHORTEST_NAME - 2)
    shown = cut(name, room.width - cell_len(lead) - cell_len(told) - 2)
    gap = room.width - cell_len(lead) - cell_len(shown) - cell_len(told)
    return line(lead, shown, " " * gap, (told, note[1]))
