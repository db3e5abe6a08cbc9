"""Was it right to search a collection: what it holds beside what the others hold."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from judge.local.asked_turns import AskedTurn
from judge.local.constraints import conflict, places
from judge.local.evidence import spoken
from judge.local.library import Library
from judge.local.needs import Need, leans
from judge.local.relevance import match
from judge.local.subjects import Subjects
from judge.local.text import bag, collapse
from judge.local.thresholds import Thresholds

Holdings: TypeAlias = Mapping[str, tuple[float, str]]
"""Collection → the best score of a passage for one need, and that passage's title."""
_LONGEST_TITLE: Final = 80
_CLEARLY: Final = 0.05
"""By how much the passage of another collection must be more than just relevant: a question
that nothing answers has its nearest passage somewhere, too."""


def holdings_of(
    turn: AskedTurn, need: Need, library: Library, limits: Thresholds, *, any_subject: bool = False
) -> Holdings:
    """Return what each reachable or searched collection holds for one need.

    Of *any_subject*: also where the need names a neighbour of the collection.
    """
    held: dict[str, tuple[float, str]] = {}
    for name in dict.fromkeys((*turn.reachable, *turn.searched)):
        score, passage = library.best(need, turn.place, name, limits, any_subject=any_subject)
        held[name] = (score, "" if passage is None else _shown(passage.title, passage.text))
    for search in turn.searches:
        name = search["collection"]
        for found in search["found"] if name else ():
            if not found["text"]:
                continue
            met = match(need, found["text"], found["title"], library.rarity, limits)
            score = 0.0 if met.conflict else met.score
            if score > held[name][0]:
                held[name] = (score, _shown(found["title"], found["text"]))
    return held


def _shown(title: str | None, text: str) -> str:
    return collapse(title or text)[:_LONGEST_TITLE]


def judge_collection(
    name: str,
    turn: AskedTurn,
    need: Need,
    holdings: Sequence[Holdings],
    searched: Sequence[Holdings],
    subjects: Subjects,
    limits: Thresholds,
) -> Mapping[str, Any]:
    """Judge one searched collection: it serves a part of the question, or another does.

    Between neighbours, whose passages are alike, what was named decides before what is held.

    Args:
        name: The collection.
        turn: The turn.
        need: All of the question.
        holdings: What each collection holds for each part of the question.
        searched: The same for each query that was searched here.
        subjects: What tells neighbours apart.
        limits: Cut-offs.
    """
    meant = {other: named_in(turn, name, other, subjects) for other in subjects.neighbours(name)}
    told = holdings if -1 in meant.values() else (*holdings, *searched)
    served = max(told, key=lambda held: held[name])
    own = served[name][0]
    ok, instead, reason = None, None, f"nothing of {name} matches the question clearly"
    rivals = [
        (score - held[name][0], other, text)
        for held in holdings
        for other, (score, text) in held.items()
        if other != name and score >= limits.relevant + _CLEARLY and meant.get(other) in (-1, None)
    ]
    gap, best, text = max(rivals, default=(0.0, None, ""))
    mismatch = conflict(need.text, name_text(name))
    named = _named_instead(turn, meant, (*holdings, *searched), limits)
    if named is not None:
        ok, instead = False, named
        reason = f"it is about what {named} holds, {name} is about another"
    elif own < limits.relevant and best is not None and gap >= limits.collection_margin:
        ok, instead = False, best
        reason = f"{best} holds \u201c{text}\u201d, {name} holds nothing like it"
    elif own < limits.relevant and mismatch is not None:
        asked = places(need.text)
        right = [other for other in holdings[0] if places(name_text(other)) & asked]
        ok, instead, reason = False, right[0] if right else None, f"{name}: {mismatch}"
    elif own >= limits.relevant:
        ok = True
        reason = f"{name} holds \u201c{served[name][1]}\u201d"
    elif (
        len(holdings[0]) == 1
        or bag(spoken(name)) & set(need.weights)
        or (meant and set(meant.values()) == {1})
    ):
        ok, reason = True, f"{name} is the only one, or is named like the question"
    return {"collection": name, "ok": ok, "reason": reason, "fits": instead}


def _named_instead(
    turn: AskedTurn,
    meant: Mapping[str, int | None],
    holdings: Sequence[Holdings],
    limits: Thresholds,
) -> str | None:
    """Return the neighbour that was named instead, and holds what was asked or searched for."""
    found = [
        (held[other][0], other)
        for other, which in meant.items()
        if which == -1 and other not in turn.searched
        for held in holdings
        if other in held and held[other][0] >= limits.relevant
    ]
    return max(found, default=(0.0, None))[1]


def named_in(turn: AskedTurn, name: str, other: str, subjects: Subjects) -> int | None:
    """Tell which of two neighbours a turn is about: 1, -1, 0 for both, None for neither.

    What the question names comes first, then what was searched for, then the conversation.
    There one that was named alone holds on, and of two the last, where the question leans on it.
    """
    queries = "\n".join(
        search["query"]
        for search in turn.searches
        if search["query"] and search["collection"] == name
    )
    for akin in (False, True):
        for text in (turn.question, queries):
            which = subjects.leaning(text, name, other, akin=akin)
            if which is not None:
                return which
    named = [subjects.leaning(text, name, other, akin=True) for text in turn.messages]
    told = [which for which in named if which is not None]
    said = [
        subjects.leaning(one.text, name, other, akin=True)
        for one in turn.said
        if not one.where.startswith("result")
    ]
    if not told:
        return None
    if len(set(told)) == 1 and -told[0] not in said and 0 not in said:
        return told[0]
    if {name, other} <= {*turn.searched}:
        return 0
    return told[-1] if leans(turn.question) and named[-1] is not None else 0


def left_out(
    part: str, turn: AskedTurn, library: Library, limits: Thresholds
) -> tuple[str, str] | None:
    """Return a neighbour that a part of the question names and no search went to, with why.

    It holds what was searched for in its neighbour, as far as the run shows.
    """
    subjects = library.subjects(turn.place)
    for name in turn.searched:
        for other in subjects.neighbours(name):
            if other in turn.searched or subjects.leaning(part, name, other) != -1:
                continue
            for search in turn.searches:
                if search["query"] and search["collection"] == name:
                    need = library.need(search["query"])
                    score, passage = library.best(need, turn.place, other, limits, any_subject=True)
                    if passage is not None and score >= limits.relevant:
                        return other, _shown(passage.title, passage.text)
    return None


def name_text(name: str) -> str:
    """Return a name as words in which country codes are found: `policies-us` → POLICIES US."""
    return spoken(name).replace("-", " ").upper()
