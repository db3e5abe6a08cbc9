"""A question taken apart into elements, each readable as a question of its own.

"What does the BX-200 cost and how long is the warranty?"
    ─▶  What does the BX-200 cost?
        how long is the warranty? (BX-200)
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from judge.local.constraints import constraints
from judge.local.expected import expected
from judge.local.identifiers import family, identifiers
from judge.local.patterns import pattern
from judge.local.text import bag, collapse, sentences

_MOST_ELEMENTS: Final = 6
_PRONOUN = re.compile(r"\b(?:sie|ihn|es|das|diese|dafür|damit)\b")
"""German pronouns; the polite *Sie* is written large."""
_QUESTION = re.compile(r"[?？؟]\W*$")
_FEW_TERMS: Final = 2
"""A part with so few terms takes the model or order of the whole question along."""
_GENERIC: Final = frozenset({"@pay", "@cost", "@work", "@receive", "@start"})
"""What can be asked of anything: "and how much do you pay?" goes on from the part before."""
_LONGEST_CONTEXT: Final = 300


def elements_of(question: str, earlier: Sequence[str]) -> tuple[str, ...]:
    """Return the elements of *question*, at least one, in reading order.

    Args:
        question: The user's message.
        earlier: The user's messages before it, oldest first; a question that leans on what
            was said before takes the last of them in.
    """
    parts = list(_parts(question))[:_MOST_ELEMENTS] or [collapse(question)]
    statements = [
        sentence
        for sentence in sentences(question)
        if not _asks(sentence) and not pattern("filler").search(sentence) and bag(sentence)
    ]
    context = collapse(" ".join(statements))[:_LONGEST_CONTEXT] if any(map(_asks, parts)) else ""
    found: list[str] = []
    for part in parts:
        before = found[-1:] or earlier
        found.append(_whole(part, question, context, before, alone=len(parts) == 1))
    return tuple(found)


def _parts(question: str) -> Iterator[str]:
    asked = [sentence for sentence in sentences(question) if _asks(sentence)]
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


def _says_something(part: str) -> bool:
    """Tell whether a part asks for anything: "how much is it" has no term, but a kind."""
    return bool(bag(part)) or expected(part) is not None


def _asking(part: str) -> str:
    stripped = part.rstrip(" ,;")
    return stripped if _QUESTION.search(stripped) else f"{stripped}?"


def _asks(sentence: str) -> bool:
    return bool(_QUESTION.search(sentence)) or bool(pattern("asks").search(sentence))


def _whole(part: str, question: str, context: str, earlier: Sequence[str], *, alone: bool) -> str:
    """Make one part readable alone: what it leans on goes in front, what it lacks behind."""
    text = part
    if context and context not in text:
        text = f"{context} {text}"
    if not alone and len(bag(part)) <= _FEW_TERMS:
        here = dict(constraints(text))
        lacking = [
            written
            for known, written in identifiers(question).items()
            if known not in here and not _rivals(known, text)
        ]
        if lacking:
            text = f"{text} ({', '.join(lacking)})"
    first = question.find(part[:20]) <= 0
    bare = (len(bag(part)) <= 1 and alone) or (bag(part) <= _GENERIC and not first)
    bare = bare or (not first and _PRONOUN.search(part) is not None)
    leans = bare or pattern("leaning").search(part)
    return _continued(earlier[-1], part) if earlier and leans and not context else text


def _rivals(known: str, text: str) -> bool:
    return any(family(other) == family(known) for other in identifiers(text))


def _continued(before: str, text: str) -> str:
    """Put the earlier question in front, with the identifier that the new one replaces."""
    before = collapse(before)[:_LONGEST_CONTEXT]
    old, new = identifiers(before), identifiers(text)
    if len(old) == len(new) == 1:
        (known, written), (other, replacement) = *old.items(), *new.items()
        if family(known) == family(other) and known != other:
            return before.replace(written, replacement)
    return f"{before} {text}"
