"""Did the searched query keep what the user asked for: models, places, years, the topic."""

from collections.abc import Iterator, Sequence
from typing import Final

from judge.local.asked_turns import AskedTurn
from judge.local.constraints import constraints, places
from judge.local.library import Library
from judge.local.matching import overlap
from judge.local.needs import Need
from judge.local.relevance import match
from judge.local.routed_collections import name_text
from judge.local.shelves import Passage
from judge.local.text import bag, collapse, language_by_words, sentences
from judge.local.thresholds import Thresholds
from judge.local.topics import ALIKE
from judge.local.vectors import load, words
from judge.rendering import value_text

_ASTRAY: Final = 3.0
"""Log-odds by which a query fits what it found better than the passage that answers."""
_FARTHER: Final = 1.0
"""Log-odds by which it fits that passage less than the question does."""
_MOST_LOST: Final = 2
_TELLING: Final = 0.5
"""Part of the rarest word's weight from which a word tells what was asked."""
_RAREST: Final = 0.95
"""Part of that weight from which it tells most of it."""
_AKIN: Final = 0.3
"""Cosine from which a word of the query may stand for a lost one all the same."""
_WEAKER: Final = 0.3
"""Log-odds that a passage fits a query less than the question, when words were lost."""
_COMPARED: Final = 120
"""Characters by which a passage is recognised."""


def judge_refined_query(
    turn: AskedTurn, needs: Sequence[Need], library: Library, limits: Thresholds
) -> tuple[bool | None, tuple[str, ...]]:
    """Return whether the refined query is faithful, and the constraints that were lost.

    A constraint is kept where the refined or a searched query, an argument or the name of a
    searched collection carries it, and where it tells no passage of the run from another. What
    holds only from earlier messages is lost where what was found is about another. None: no
    refined query was recorded.
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
        for known, written in constraints(turn.question)
        if known not in dict(constraints(carried))
        and not _carried(known, written, carried)
        and library.tells(known)
    )
    if not lost:
        lost = _lost_words(turn, needs, queries, library, limits)
    if not lost:
        lost = _led_astray(turn, needs, queries, library, limits)
    return (None if refined is None else not lost), lost


def _lost_words(
    turn: AskedTurn,
    needs: Sequence[Need],
    queries: Sequence[str],
    library: Library,
    limits: Thresholds,
) -> tuple[str, ...]:
    """Return words of the question by which a passage that was not found would be found.

    The passage stands in a searched collection, meets the need, and the queries have none
    of these words in any form. Either it fits the queries less than it fits the question, or
    what they have lost is what the passage is about, and nothing that was found has it.
    """
    searched = "\n".join(queries)
    if language_by_words(turn.question) != language_by_words(searched):
        return ()
    found = [collapse(one["text"] or "") for search in turn.searches for one in search["found"]]
    brought = frozenset[str]().union(*map(bag, found))
    for need, passage in _missed(turn, needs, found, library, limits):
        lost = _words_lost(turn.question, need, passage, searched)
        most = max((need.weights[term] for term in need.asked), default=0.0)
        telling = tuple(word for word, weight in lost.items() if weight >= most * _TELLING)
        if not telling:
            continue
        asked = (need, library.need(turn.question))
        if _fits_less(queries, asked, passage, library, limits):
            return telling
        rarest = tuple(
            word
            for word, weight in lost.items()
            if weight >= most * _RAREST
            and _is_subject(word, passage)
            and brought.isdisjoint(bag(word))
            and not load().soft_matches(words(word), words(searched), _AKIN).any()
        )
        if rarest:
            return rarest
    return ()


def _missed(
    turn: AskedTurn,
    needs: Sequence[Need],
    found: Sequence[str],
    library: Library,
    limits: Thresholds,
) -> Iterator[tuple[Need, Passage]]:
    """Yield what meets a need in a searched collection and is not among the texts *found*."""
    for need in needs:
        for name in turn.searched:
            score, passage = library.best(need, turn.place, name, limits)
            if passage and score >= limits.relevant and not _among(passage.text, found):
                yield need, passage


def _is_subject(word: str, passage: Passage) -> bool:
    """Tell whether a passage names a word where it says what it is about: title, first sentence."""
    opening = next(iter(sentences(passage.text)), "")
    return not bag(word).isdisjoint(bag(f"{passage.title or ''}\n{opening}"))


def _words_lost(question: str, need: Need, passage: Passage, searched: str) -> dict[str, float]:
    """Return the words of a question that a passage has and the queries have in no form."""
    held, offered = bag(passage.whole) & need.asked, bag(searched)
    lost: dict[str, float] = {}
    for word in map(_bare, question.split()):
        weights = [need.weights[term] for term in bag(word) & held]
        if (
            weights
            and not overlap(_weighed(word), offered).found
            and not load().soft_matches(words(word), words(searched), ALIKE).any()
        ):
            lost[word] = max(weights)
    return lost


def _fits_less(
    queries: Sequence[str],
    asked: Sequence[Need],
    passage: Passage,
    library: Library,
    limits: Thresholds,
) -> bool:
    """Tell whether each query fits a passage less than the question does, whole and in part."""

    def fit(need: Need) -> float:
        return match(need, passage.text, passage.title, library.rarity, limits).odds

    searched = max((fit(library.need(query)) for query in queries), default=0.0)
    return searched <= min(map(fit, asked)) - _WEAKER


def _among(text: str, found: Sequence[str]) -> bool:
    """Tell whether a passage was found; what was found is shown cut short."""
    whole = collapse(text)
    return any(one and whole[:_COMPARED] == one[:_COMPARED] for one in found)


def _weighed(word: str) -> dict[str, float]:
    """Return the terms of a word, all of the same weight."""
    return dict.fromkeys(bag(word), 1.0)


def _bare(word: str) -> str:
    return word.strip(".,;:!?()\"'¿¡？！。、")


def _carried(known: str, written: str, carried: str) -> bool:
    if known.startswith("place:"):
        return bool(places(carried) & {known.removeprefix("place:")})
    return written.casefold() in carried.casefold() or known in "".join(
        char for char in carried.casefold() if char.isalnum()
    )


def _led_astray(
    turn: AskedTurn,
    needs: Sequence[Need],
    queries: Sequence[str],
    library: Library,
    limits: Thresholds,
) -> tuple[str, ...]:
    """Return words of the question that would have led to what answers it.

    How many words a query shares with its question tells nothing: it is put into those of
    the passages, or into another language. It is lost where it fits what it found far better
    than the passage that answers, and that passage less than the question does.
    """
    searched = [library.need(query) for query in queries]
    found = [one for search in turn.searches for one in search["found"] if one["text"]]
    texts = [collapse(one["text"]) for one in found]

    def fit(wanted: Sequence[Need], text: str, title: str | None) -> float:
        return max(match(one, text, title, library.rarity, limits).odds for one in wanted)

    reached = max((fit(searched, one["text"], one["title"]) for one in found), default=None)
    if reached is None:
        return ()
    for need, passage in _missed(turn, needs, texts, library, limits):
        own = fit(searched, passage.text, passage.title)
        asked = fit([need], passage.text, passage.title)
        if own <= reached - _ASTRAY and own <= asked - _FARTHER:
            return _told_by(need, passage, "\n".join(queries))
    return ()


def _told_by(need: Need, passage: Passage, searched: str) -> tuple[str, ...]:
    """Return the rarest words of a need that a passage says, and no query in any words."""
    own, said = words(passage.whole), words(searched)
    asked = tuple(dict.fromkeys(word for word in map(_bare, need.text.split()) if bag(word)))
    plain = [" ".join(words(word)) or word for word in asked]
    told = load().soft_matches(plain, own, ALIKE)
    kept = load().soft_matches(plain, said, ALIKE)
    offered, carried = bag(passage.whole), bag(searched)
    lost = [
        (max(need.weights.get(term, 0.0) for term in bag(word)), word)
        for word, there, here in zip(asked, told, kept, strict=True)
        if (there > 0 or not bag(word).isdisjoint(offered))
        and here <= 0
        and bag(word).isdisjoint(carried)
    ]
    return tuple(word for _, word in sorted(lost, key=lambda one: -one[0])[:_MOST_LOST])
