"""A question taken apart into elements, each readable as a question of its own.

"What does the BX-200 cost and how long is the warranty?"
    ─▶  What does the BX-200 cost?
        how long is the warranty? (BX-200)
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from judge.local.expected import expected
from judge.local.needs import with_context
from judge.local.patterns import pattern
from judge.local.text import bag, clauses, collapse, sentences

_MOST_ELEMENTS: Final = 6
_FEWEST: Final = 2
"""Words and terms up to which a statement before a question ("Right.") tells nothing."""
_QUESTION = re.compile(r"[?？؟]\W*$")
_LONGEST_CONTEXT: Final = 300


def elements_of(question: str, earlier: Sequence[str]) -> tuple[str, ...]:
    """Return the elements of *question*, at least one, in reading order.

    Args:
        question: The user's message.
        earlier: The user's messages before it, oldest first. They stand in brackets behind
            each element where it leans on them, and so do the elements before it.
    """
    parts = list(_parts(question))[:_MOST_ELEMENTS] or [collapse(question)]
    statements = [
        sentence for sentence in sentences(question) if not asks(sentence) and _tells(sentence)
    ]
    context = collapse(" ".join(statements))[:_LONGEST_CONTEXT] if any(map(asks, parts)) else ""
    return tuple(
        with_context(
            f"{context} {part}" if context and context not in part else part,
            (*earlier, *parts[:number]),
        )
        for number, part in enumerate(parts)
    )


def _parts(question: str) -> Iterator[str]:
    asked = [sentence for sentence in sentences(question) if asks(sentence)]
    wishes = [sentence for sentence in sentences(question) if bag(sentence)]
    for sentence in asked or [" ".join(wishes)]:
        for part in _conjoined(sentence):
            text = collapse(part).strip(" ,;")
            if _says_something(text) or not asked:
                yield text


def _conjoined(sentence: str) -> Iterator[str]:
    """Split at *and* before another question word or verb: two questions in one sentence."""
    start = 0
    for match in pattern("and_asks").finditer(sentence):
        if bag(sentence[start : match.start()]) and _says_something(sentence[match.end() :]):
            yield _asking(sentence[start : match.start()])
            start = match.end()
    yield sentence[start:]


def _tells(sentence: str) -> bool:
    """Tell whether a sentence that asks nothing says what the question is about.

    "Right." does not; "Hi, my camera was stolen" does behind its greeting.
    """
    said = [clause for clause in clauses(sentence) if not pattern("filler").search(clause)]
    found = len(bag(" ".join(said)))
    return found > 0 and found + len(" ".join(said).split()) > _FEWEST


def _says_something(part: str) -> bool:
    """Tell whether a part asks for anything: "how much is it" has no term, but a kind."""
    return bool(bag(part)) or expected(part) is not None


def _asking(part: str) -> str:
    stripped = part.rstrip(" ,;")
    return stripped if _QUESTION.search(stripped) else f"{stripped}?"


def asks(sentence: str) -> bool:
    """Tell whether a sentence is a question or a request."""
    return bool(_QUESTION.search(sentence)) or bool(pattern("asks").search(sentence))
