"""One turn for a terminal: what broke it and what shows that, on one screen.

At most 40 lines of 80 columns or more, or 80 of 40, whatever the turn holds: every section has a
limit and says what it left out; `--json` has everything.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from analysis.report.layout import WIDTH, cut, line, wrap
from analysis.report.numbers import counted
from analysis.report.turn_room import NARROW, NARROWEST, WIDE, Room, limited, paragraph_lines
from analysis.report.turn_stages import stage_lines
from analysis.report.turn_view import TurnView
from analysis.report.wording import joined
from analysis.tables.turn_rows import Row

LONGEST: Final = 40
_CAUSES: Final = 3


def turn_lines(view: TurnView, width: int = WIDTH) -> list[Text]:
    """Return the lines of a turn, at most `LONGEST` of full width."""
    # a narrow terminal is a tall one, or is scrolled anyway
    longest = max(LONGEST * WIDTH // width, LONGEST)
    for room in (WIDE, NARROW):
        lines = _lines(view, replace(room, width=width))
        if len(lines) <= longest:
            return lines
    return _lines(view, replace(NARROWEST, width=width))


def _lines(view: TurnView, room: Room) -> list[Text]:
    return [
        *_head(view, room),
        Text(),
        *paragraph_lines(view.turn["question"] or "(not captured)", "Q  ", 2, room),
        *stage_lines(view, room),
        *_why(view, room),
        *_suspect(view, room),
        *_foot(view, room),
    ]


def _head(view: TurnView, room: Room) -> Iterator[Text]:
    yield line((_where(view, room.width), "dim"))
    sentence = view.turn["sentence"] or ""
    yield from (line((part, "bold")) for part in wrap(sentence, room.width, most=3))
    yield from _outcome(view, room.width)


def _where(view: TurnView, width: int) -> str:
    """Return the turn, when and by whom it was handled; what has no room is left out."""
    turn = view.turn
    started = turn["started_at"]
    told = {
        "turn": f"turn {turn['turn']} of {view.turns}",
        "service": turn["service"],
        "agent": turn["agent"],
        "model": turn["model"],
        "language": turn["language"],
        "time": started.strftime("%Y-%m-%d %H:%M UTC") if started is not None else None,
    }
    name = cut(turn["conversation_id"], width // 2)
    whole = ""
    for less in ("", "model", "service", "language", "agent"):
        told.pop(less, None)
        whole = " · ".join([name, *(cut(one, 24) for one in told.values() if one)])
        if cell_len(whole) <= width:
            break
    return cut(whole, width)


def _outcome(view: TurnView, width: int) -> Iterator[Text]:
    turn = view.turn
    if turn["outcome"] != "failed":
        word = turn["outcome"].upper().replace("_", " ")
        reason = turn["outcome_reason"]
        style = "bold green" if turn["outcome"] == "passed" else "bold"
        yield line((word, style), f"  {cut(reason, width - len(word) - 2)}" if reason else "")
        return
    if turn["root_stage"] == "undetermined":
        root = f"undetermined: {turn['outcome_reason']}"
    else:
        root = f"{turn['root_stage']}.{turn['root_kind']}"
    if turn["inherited_from"]:
        root += f", inherited from {turn['inherited_from']}"
    yield line(("ROOT", "bold red"), "  ", cut(root, width - 6))
    also = dict.fromkeys(
        f"{row['stage']}.{row['kind']}"
        for row in view["findings"]
        if row["role"] in ("contributing", "downstream")
    )
    if also:
        yield line(("also", "yellow"), "  ", cut(joined(list(also)), width - 6))


def _why(view: TurnView, room: Room) -> Iterator[Text]:
    root = (view.turn["root_stage"], view.turn["root_kind"])
    causes = sorted(view.causes, key=lambda one: (one["stage"], one["kind"]) != root)
    for number, text in enumerate(limited(map(_cause, causes), _CAUSES)):
        yield from paragraph_lines(text, "     " if number else "Why  ", room.cause_lines, room)
    cleared = (view.root_cause or {}).get("counter_evidence")
    if cleared:
        yield from paragraph_lines(cleared, "     ", room.cause_lines, room)


def _suspect(view: TurnView, room: Room) -> Iterator[Text]:
    """Yield whether texts of the turn address their judge, or hide words from readers."""
    flags = sorted({flag for row in view.verdicts for flag in row.get("flags") or ()})
    hidden = max((row.get("hidden_characters") or 0 for row in view.verdicts), default=0)
    if flags:
        told = f"a text addresses its judge or hides words: {', '.join(flags)}"
        told += f"; {counted(hidden, 'invisible character')}" if hidden else ""
        yield from paragraph_lines(told, "Note ", 2, room)


def _cause(cause: Row) -> str:
    if cause["element"] is not None:
        subject = f"E{cause['element'] + 1} “{cut(cause['element_text'] or '', 40)}”"
    else:
        subject = joined([f"P{number}" for number in cause["paragraphs"]]) or "the answer"
    if cause["stage"] is None:
        became = f"undetermined ({cause['missing']})"
    else:
        became = f"{cause['stage']}.{cause['kind']}"
    shown = ", ".join([_reference(item) for item in cause["evidence"] if " " in item][:3])
    return f"{subject}: {cause['symptom']} ← {became}" + (f"; {shown}" if shown else "")


def _reference(item: str) -> str:
    """Return a reference to evidence with the key of a verdict shortened."""
    kind, _, name = item.partition(" ")
    return f"{kind} {name[:8]}" if kind == "verdict" else item


def _foot(view: TurnView, room: Room) -> Iterator[Text]:
    more = "--json shows all of it, --spans when each step ran, --open its page"
    yield from (line((part, "dim")) for part in wrap(more, room.width))
    if view.page:
        yield line((view.page, "dim"))  # to be copied: neither cut nor broken
