"""What a claim says of a thing, against the values in its record.

    "Claim C-48213 is approved."                 ×  "status: waiting for documents"
    "Your policy (Annual Europe) runs until …"   ×  "plan: Single trip worldwide"

A thing is in one state of a set at a time. What is denied, or holds only under a condition,
is no state that it is said to be in.
"""

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from typing import Final

from judge.local.identifiers import identifiers
from judge.local.names import names
from judge.local.patterns import state_patterns, word_sets
from judge.local.polarity import conditional, negated
from judge.local.text import bag, clauses, is_exact, term
from judge.local.units import months
from judge.tokens import normalise


def other_state(claim: str, value: str) -> str | None:
    """Name the states of a claim and of a record that exclude each other, or None.

    Args:
        claim: A sentence of an answer.
        value: The value of a record's field for the state.
    """
    recorded = states(value.replace("_", " "))
    told = frozenset[str]().union(
        *(states(part) for part in clauses(claim) if not (negated(part) or conditional(part)))
    )
    if not recorded or not told or recorded & told:
        return None
    for group in word_sets("exclusive_states"):
        mine, theirs = told & group, recorded & group
        if mine and theirs:
            return f"{', '.join(sorted(mine))} against {', '.join(sorted(theirs))}"
    return None


def other_named_value(
    claim: str, given: str, line: Sequence[tuple[str, str]], there: AbstractSet[str]
) -> str | None:
    """Name what a claim calls a thing by, and what its record calls it; None if they agree.

    Args:
        claim: A sentence of an answer.
        given: What the user wrote.
        line: The keys and values of the record.
        there: All terms of the evidence.
    """
    foreign = sorted(_called(claim) - bag(given) - there)
    if not foreign:
        return None
    said = bag(claim)
    for key, value in line:
        words = bag(value)
        naming = value[:1].isupper() and not any(map(str.isdigit, value))
        naming = naming and len(value.split()) <= _LONGEST_NAME
        if naming and words and words.isdisjoint(said) and bag(key).isdisjoint(_WHO):
            return f"{', '.join(foreign)} against {value}"
    return None


_LONGEST_NAME: Final = 5
"""Words of a value that names a thing; a longer one tells of it."""
_WHO: Final = bag("customer holder owner user person email address contact kunde inhaber")
"""Keys of people, who are hardly ever named to themselves."""


def _called(claim: str) -> frozenset[str]:
    """Return the terms of names in a claim, and of what stands large in brackets or quotes."""
    inside = (bag(match[1]) for match in _INSIDE.finditer(claim))
    found = names(claim).union(*inside)
    parts = (bag(written.replace("-", " ")) for written in identifiers(claim).values())
    return frozenset(word for word in found if not is_exact(word)).difference(_months(), *parts)


@cache
def _months() -> frozenset[str]:
    return frozenset(map(term, months()))


_INSIDE = re.compile(r"[(\"“„«]([^\W\d_a-z][^()\"“”„«»]{2,60})[)\"”“»]")


@lru_cache(maxsize=16_384)
def states(text: str) -> frozenset[str]:
    """Return the names of the states that a text names."""
    said = normalise(text)
    return frozenset(name for name, found in state_patterns().items() if found.search(said))
