"""Was it right to search a collection: what it holds beside what the others hold."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

from judge.local.asked_turns import AskedTurn
from judge.local.constraints import conflict, places
from judge.local.evidence import spoken
from judge.local.library import Library
from judge.local.needs import Need
from judge.local.relevance import match
from judge.local.text import bag, collapse
from judge.local.thresholds import Thresholds

Holdings: TypeAlias = Mapping[str, tuple[float, str]]
"""Collection → the best score of a passage for one need, and that passage's title."""
_LONGEST_TITLE: Final = 80


def holdings_of(turn: AskedTurn, need: Need, library: Library, limits: Thresholds) -> Holdings:
    """Return what each reachable or searched collection holds for one need."""
    held: dict[str, tuple[float, str]] = {}
    for name in dict.fromkeys((*turn.reachable, *turn.searched)):
        score, passage = library.best(need, turn.place, name, limits)
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
    name: str, need: Need, holdings: Sequence[Holdings], limits: Thresholds
) -> Mapping[str, Any]:
    """Judge one searched collection: it serves a part of the question, or another does."""
    own = max(held[name][0] for held in holdings)
    ok, instead, reason = None, None, f"nothing of {name} matches the question clearly"
    rivals = [
        (score - held[name][0], other, text)
        for held in holdings
        for other, (score, text) in held.items()
        if other != name and score >= limits.relevant
    ]
    gap, best, text = max(rivals, default=(0.0, None, ""))
    mismatch = conflict(need.text, name_text(name))
    if own < limits.relevant and best is not None and gap >= limits.collection_margin:
        ok, instead = False, best
        reason = f"{best} holds \u201c{text}\u201d, {name} holds nothing like it"
    elif own < limits.relevant and mismatch is not None:
        named = places(need.text)
        right = [other for other in holdings[0] if places(name_text(other)) & named]
        ok, instead, reason = False, right[0] if right else None, f"{name}: {mismatch}"
    elif own >= limits.relevant:
        ok = True
        reason = f"{name} holds \u201c{max(held[name] for held in holdings)[1]}\u201d"
    elif len(holdings[0]) == 1 or bag(spoken(name)) & set(need.weights):
        ok, reason = True, f"{name} is the only one, or is named like the question"
    return {"collection": name, "ok": ok, "reason": reason, "fits": instead}


def name_text(name: str) -> str:
    """Return a name as words in which country codes are found: `policies-us` → POLICIES US."""
    return spoken(name).replace("-", " ").upper()
