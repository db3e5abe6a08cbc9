"""Records that a message asks about, and which of them no call has looked up.

"Which doctor is A-20533 with? I am P-3352."   A-20533; P-3352 only tells who asks
"It is about invoice R-77. What is left open?" R-77, since the question names none
"""

from collections.abc import Sequence
from functools import lru_cache

from judge.local.asked_turns import AskedTurn, result_text
from judge.local.elements import asks
from judge.local.identifiers import identifiers
from judge.local.records import written_for
from judge.local.said import squeezed
from judge.local.text import sentences
from judge.local.tools import Fit
from judge.rendering import value_text


@lru_cache(maxsize=16_384)
def asked_records(text: str) -> tuple[str, ...]:
    """Return the identifiers of the sentences that ask, else of the others, as written."""
    return tuple(identifiers(asking(text)).values()) or tuple(identifiers(text).values())


def asking(text: str) -> str:
    """Return the sentences of a message that ask, all of it where none does."""
    return "\n".join(filter(asks, sentences(text))) or text


def carries(call: object, record: str) -> bool:
    """Tell whether the arguments of a call have a record in them."""
    arguments = call["arguments"] if isinstance(call, dict) else None
    return squeezed(record) in squeezed(value_text(arguments))


def left_records(text: str, turn: AskedTurn) -> dict[str, tuple[str, ...]]:
    """Return the records of a part of the question that no call asked for, with their tools.

    Only those count for which a tool of the catalogue is written.
    """
    found: dict[str, tuple[str, ...]] = {}
    used = {call["tool"] for call in turn.calls}
    # Whoever searches documents for a record's number has not looked it up.
    looked_up = [call for call in turn.calls if not call["searches"]]
    for record in asked_records(text):
        able = written_for(record, turn.tools, turn.taken)
        if able and used.isdisjoint(able) and not any(carries(one, record) for one in looked_up):
            found[record] = able
    return found


def was_found_before(text: str, turn: AskedTurn) -> bool:
    """Tell whether a result of an earlier turn has a record or a passage in it."""
    wanted = squeezed(text)
    return any(wanted in squeezed(one) for one in turn.found)


def known_to(turn: AskedTurn) -> tuple[str, ...]:
    """Return what was said and found in a turn, and before it where it names no record itself."""
    now = (turn.question, *map(result_text, turn.calls))
    named = asked_records(turn.question)
    if any(carries(call, record) for call in turn.calls for record in named):
        return now
    return (*now, *(one.text for one in turn.said))


def best_of(names: Sequence[str], ranked: Sequence[Fit]) -> Fit | None:
    """Return the tool of *names* that fits best."""
    return next((fit for fit in ranked if fit.name in names), None)
