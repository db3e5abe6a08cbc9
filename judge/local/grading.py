"""The `relevance` and `probe` questions: from scores to grades.

A question of several parts is met part by part: a chunk that answers one of them partly
answers the question.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from judge.local.elements import elements_of
from judge.local.library import Library
from judge.local.needs import Need, has_context
from judge.local.relevance import Match, about_another, best_sentence
from judge.local.thresholds import Thresholds

_PARTLY: Final = 2


def judge_relevance(
    content: Mapping[str, Any], library: Library, limits: Thresholds, *, one: bool = False
) -> Mapping[str, Any] | None:
    """Answer a `relevance` or `probe` question; None when undecided.

    Args:
        content: What is asked.
        library: The run.
        limits: The cut-offs.
        one: The need is one element, whose brackets hold what was asked before it.
    """
    text, title = content["chunk"]["text"], content["chunk"]["title"]
    *earlier, asked = library.models.all_in_full([*content["earlier"], content["need"]])
    objects = library.rarity.objects
    elements = (asked,) if one else elements_of(asked, earlier, objects)
    parts = [library.need(element) for element in elements]
    need, found, partly = best_match(parts, text, title, library, limits)
    if found.conflict is None:
        found = replace(found, conflict=_about_another(content, text, title, library))
    grade = grade_of(found, limits)
    if grade is None:
        return None
    if partly:
        grade = min(grade, _PARTLY)
    relevant = grade >= 2  # noqa: PLR2004 - the definition of relevant
    return {
        "reason": _reason(found),
        # Words that are not shared prove no other object; another named one does, and so
        # does another passage that answers.
        "target": relevant
        or (
            found.conflict is None
            and not all(library.answered_elsewhere(part, text, title, limits) for part in parts)
        ),
        "intent": relevant,
        "usable": relevant,
        "grade": grade,
        "quote": best_sentence(need, text) if relevant else None,
    }


def _about_another(
    content: Mapping[str, Any], text: str, title: str | None, library: Library
) -> str | None:
    """Say what a chunk is about instead of what is asked now.

    An element of a question comes with what was asked before in brackets, which may name
    another object ("And in the south? (… in the north …)").
    """
    if content["earlier"] or not has_context(content["need"]):
        return None
    whole = f"{title}\n{text}" if title else text
    return about_another(library.need(content["need"]), whole, library.rarity)


def best_match(
    needs: Sequence[Need],
    text: str,
    title: str | None,
    library: Library,
    limits: Thresholds,
) -> tuple[Need, Match, bool]:
    """Match a chunk with the part of the question that it meets best.

    Returns:
        The need it was held against, the match, and whether that is only a part.
    """
    matches = [library.standing(need, text, title, limits) for need in needs]
    best = max(range(len(needs)), key=lambda number: _rank(matches[number]))
    answered = sum(grade_of(found, limits) == 3 for found in matches)  # noqa: PLR2004 - answers it
    return needs[best], matches[best], answered < len(needs) and len(needs) > 1


def _rank(found: Match) -> tuple[bool, float]:
    return (found.conflict is None, found.score)


def grade_of(found: Match, limits: Thresholds) -> int | None:
    """Return the grade 0 to 3 that a match comes to, None when undecided."""
    if found.conflict is not None:
        return 1 if found.score >= limits.related else 0
    if abs(found.score - limits.relevant) < limits.relevance_margin:
        return None
    cuts = (limits.related, limits.relevant, limits.answers)
    return sum(found.score >= cut for cut in cuts)


def _reason(found: Match) -> str:
    if found.conflict is not None:
        return found.conflict
    if found.alone is not None and found.alone > 2 * found.score:
        return "shares words with the question, but the run holds a chunk that fits far better"
    missing = ", ".join(term.lstrip("@") for term in found.overlap.missing[:3])
    lacking = f"; not there: {missing}" if missing else ""
    return f"{found.overlap.share:.0%} of the need's words, score {found.score:.2f}{lacking}"
