"""Did the searched query keep what the user asked for: models, places, years, the topic."""

from collections.abc import Sequence
from typing import Final

from judge.local.asked_turns import AskedTurn
from judge.local.constraints import constraints, places
from judge.local.identifiers import identifiers
from judge.local.matching import overlap
from judge.local.needs import Need
from judge.local.routed_collections import name_text
from judge.local.text import bag, language_by_words
from judge.rendering import value_text

_DRIFTED: Final = 0.15
"""Share of the question's words below which a query is about something else."""
_FEWEST_TERMS: Final = 2


def judge_refined_query(turn: AskedTurn, need: Need) -> tuple[bool | None, tuple[str, ...]]:
    """Return whether the refined query is faithful, and the constraints that were lost.

    A constraint is kept where the refined or a searched query, an argument or the name of a
    searched collection carries it. None: no refined query was recorded.
    """
    refined = turn.shown["refined_query"]
    queries = [search["query"] for search in turn.searches if search["query"]]
    if refined is not None:
        queries.append(refined["text"])
    if not queries:
        return None, ()
    arguments = [value_text(call["arguments"]) for call in turn.calls]
    carried = "\n".join((*queries, *arguments, *map(name_text, turn.searched)))
    lost = tuple(
        written
        for known, written in constraints(need.text)
        if known not in dict(constraints(carried)) and not _carried(known, written, carried)
    )
    if not lost and _drifted(need, queries):
        lost = _rarest_words(need)
    return (None if refined is None else not lost), lost


def _carried(known: str, written: str, carried: str) -> bool:
    if known.startswith("place:"):
        return bool(places(carried) & {known.removeprefix("place:")})
    return written.casefold() in carried.casefold() or known in "".join(
        char for char in carried.casefold() if char.isalnum()
    )


def _drifted(need: Need, queries: Sequence[str]) -> bool:
    searched = "\n".join(queries)
    offered = frozenset().union(*map(bag, queries))
    if len(need.weights) < _FEWEST_TERMS or len(offered) < _FEWEST_TERMS:
        return False
    if language_by_words(need.text) != language_by_words(searched) and not identifiers(need.text):
        return False  # a translated query shares few words
    return overlap(need.weights, offered).share < _DRIFTED


def _rarest_words(need: Need) -> tuple[str, ...]:
    """Return the words, as written, of the heaviest terms."""
    heaviest = sorted(need.weights, key=lambda term: -need.weights[term])[:2]
    words = (word.strip(".,;:!?()\"'") for word in need.text.split())
    return tuple(dict.fromkeys(word for word in words if bag(word) & set(heaviest)))[:2]
