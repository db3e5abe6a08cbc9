"""Queries held against what they should have looked for, and constraints against texts.

Agents cut a refined query into one search per collection, or put its words in another
order; and a question's words come back in a passage as parts of a compound or in another
form. None of that is a fault.
"""

from collections.abc import Iterable, Iterator, Sequence

from judge.tokens import tokens

_SHORT = 3
"""Letters up to which a word in small letters ("of", "und") may be left out of a query."""
_STEM = 5
"""Letters that two forms of a word, or a compound and its first part, begin with."""


def was_searched(refined: str, queries: Iterable[str]) -> bool:
    """Tell whether the searches of a turn looked for all that a refined query asks for.

    They do where together they have its words, in whatever order; short words in small
    letters ("of") may be missing, a name of two letters ("EU") may not.
    """
    offered = {token for query in queries for token in tokens(query)}
    return all(_looked_for(tokens(word), offered) for word in _weighty(refined))


def _weighty(text: str) -> Iterator[str]:
    for word in text.split():
        bare = word.strip(".,;:!?()\"'")
        if not (len(bare) <= _SHORT and bare.isalpha() and bare.islower()):
            yield word


def _looked_for(terms: Sequence[str], offered: set[str]) -> bool:
    """Tell whether all terms of a word are offered; a code may be written in its parts."""
    code = any(char.isdigit() for term in terms for char in term)
    return offered.issuperset(terms) or (code and len(terms) > 1 and offered.issuperset(terms[1:]))


def carries(text: str, constraint: str) -> bool:
    """Tell whether a text has a constraint of a question, or a form of one of its words.

    "Kreditkartenbelege" stands in "Belege der Kreditkarte". Numbers and codes must be the
    same.
    """
    if constraint.casefold() in text.casefold():
        return True
    offered = set(tokens(text))
    return any(_stands(word, offered) for word in tokens(constraint))


def _stands(word: str, offered: set[str]) -> bool:
    if word in offered:
        return len(word) > _SHORT or not word.isalpha()
    return len(word) >= _STEM and any(
        len(one) >= _STEM and (word.startswith(one) or one.startswith(word)) for one in offered
    )
