"""Turns whose number or id the trace itself tells, as a house may map it.

    step acme.turn = 1 ─ search        two turns of one trace, whatever else is in them
    step acme.turn = 2 ─ write

Recorded numbers order the turns of a conversation before any clock does.
"""

from collections.abc import Iterable, Sequence

from ingest.span import Span
from stages.tree import Tree

_MOST_DIGITS = 9


def told_turns(tree: Tree) -> list[list[Span]] | None:
    """Return the spans of each turn that a trace tells apart, in order; None for one or none.

    A span that tells no turn belongs to that of the span around it, else to the one that
    was last begun before it.
    """
    told: dict[str, str] = {}
    for span in tree.spans:
        around = (span, *reversed(tree.enclosing(span)))
        named = next((one.turn for one in around if one.turn is not None), None)
        if named is not None:
            told[span.span_id] = named
    if len(set(told.values())) < 2:  # noqa: PLR2004 - one is no reason to part
        return None
    turns: dict[str, list[Span]] = {}
    current = next(iter(told.values()))
    for span in tree.spans:
        name = told.get(span.span_id)
        begins = name is not None and name not in turns
        current = name if begins and name is not None else current
        turns.setdefault(name or current, []).append(span)
    return list(turns.values())


def told_turn(spans: Iterable[Span]) -> str | None:
    """Return what the spans of one turn, in order, say that it is; the first counts."""
    return next((span.turn for span in spans if span.turn), None)


def told_order(turns: Sequence[str | None]) -> list[int] | None:
    """Return the recorded numbers of turns; None unless each tells one of its own."""
    numbers = [int(turn) for turn in turns if turn is not None and _is_number(turn)]
    distinct = len(set(numbers)) == len(numbers) == len(turns)
    return numbers if distinct else None


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
