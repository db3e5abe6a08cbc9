"""A question taken apart into elements, each readable as a question of its own.

"What does the BX-200 cost and how long is the warranty?"
    ─▶  What does the BX-200 cost?
        how long is the warranty? (BX-200)
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from judge.local.expected import expected
from judge.local.follow_ups import follow_up, without_form
from judge.local.needs import NO_OBJECTS, with_context
from judge.local.objects import Objects
from judge.local.patterns import pattern
from judge.local.text import bag, clauses, collapse, sentences

_MOST_ELEMENTS: Final = 6
_FEWEST: Final = 2
"""Words and terms up to which a statement before a question ("Right.") tells nothing."""
_SHORT: Final = 5
"""Terms up to which a statement may only complete what was asked before."""
_CLAUSE: Final = 3
"""Words from which a part may be a question without any term."""
_QUESTION = re.compile(r"[?？؟]\W*$")
_LONGEST_CONTEXT: Final = 300


def elements_of(
    question: str, earlier: Sequence[str], objects: Objects = NO_OBJECTS
) -> tuple[str, ...]:
    """Return the elements of *question*, at least one, in reading order.

    Args:
        question: The user's message.
        earlier: The user's messages before it, oldest first. They stand in brackets behind
            each element where it leans on them, and so do the elements before it.
        objects: What tells the neighbouring collections of the run apart.
    """
    question = without_form(question)
    beside = _asked_beside(question) if earlier else None
    if beside is not None:
        again = elements_of(earlier[-1], earlier[:-1], objects)
        new = elements_of(beside, earlier, objects) if beside else ()
        return (*again, *new)[:_MOST_ELEMENTS]
    parts = list(_parts(question))[:_MOST_ELEMENTS] or [collapse(question)]
    asked_again = list(_parts(earlier[-1]))[:_MOST_ELEMENTS] if earlier else []
    if len(parts) == 1 and len(asked_again) > 1 and _only_completes(question):
        # "In the other one." is what all that was asked is asked of.
        return tuple(with_context(parts[0], (*earlier[:-1], part), objects) for part in asked_again)
    statements = [
        sentence for sentence in sentences(question) if not asks(sentence) and _tells(sentence)
    ]
    context = collapse(" ".join(statements))[:_LONGEST_CONTEXT] if any(map(asks, parts)) else ""
    return tuple(
        with_context(
            f"{context} {part}" if context and context not in part else part,
            (*earlier, *parts[:number]),
            objects,
        )
        for number, part in enumerate(parts)
    )


def _parts(question: str) -> Iterator[str]:
    asked = [sentence for sentence in sentences(question) if asks(sentence)]
    wishes = [sentence for sentence in sentences(question) if bag(sentence)]
    for sentence in asked or [" ".join(wishes) or question]:
        for part in _conjoined(sentence):
            text = collapse(part).strip(" ,;")
            if _says_something(text) or not asked:
                yield from _one_by_one(text)


def _conjoined(sentence: str) -> Iterator[str]:
    """Split at *and* before another question word or verb: two questions in one sentence."""
    start = 0
    both = pattern("opens_asking").search(sentence)
    opened = pattern("goes_on").match(sentence)
    least = opened.end() if opened else 0
    alone = pattern("yes_no").search(sentence) is not None
    found = [
        one
        for name in ("and_asks", "and_of")
        for one in pattern(name).finditer(sentence)
        if one.start() >= least and not (alone and pattern("or_else").match(sentence, one.start()))
    ]
    found += pattern("then_asks").finditer(sentence) if both else ()
    twice = [one.span() for one in pattern("asks_twice").finditer(sentence)]
    for match in sorted(found, key=lambda match: match.start()):
        if any(begin < match.start() < end for begin, end in twice):
            continue
        if _says_something(sentence[start : match.start()]) and _says_something(
            sentence[match.end() :]
        ):
            yield _asking(sentence[start : match.start()])
            start = match.end()
    yield sentence[start:]


def _one_by_one(question: str) -> Iterator[str]:
    """Ask "When and where is it?" word by word: when is it, where is it."""
    twice = pattern("asks_twice").search(question)
    if twice is None:
        yield question
        return
    before, after = question[: twice.start()], question[twice.end() :]
    for word in filter(None, twice.groups()):
        yield f"{before}{word} {after}"


def _asked_beside(question: str) -> str | None:
    """Return what is asked beside the wish that what was asked is tried or said again.

    None without that wish.
    """
    if pattern("say_again").search(question):
        return ""
    told = sentences(question)
    again = [pattern("once_more").search(one) is not None for one in told]
    if not any(again):
        return None
    rest = [one for one, wished in zip(told, again, strict=True) if not wished]
    return " ".join(rest) if any(map(asks, rest)) else ""


def _only_completes(question: str) -> bool:
    """Tell whether a message asks nothing itself, and so completes what was asked before."""
    if len(bag(question)) > _SHORT:
        return False
    asking = any(map(asks, sentences(question))) or any(
        pattern(name).search(question) for name in ("goes_on", "requests")
    )
    return not asking and follow_up(question) != "complete"


def _tells(sentence: str) -> bool:
    """Tell whether a sentence that asks nothing says what the question is about.

    "Right." does not; "Hi, my camera was stolen" does behind its greeting.
    """
    said = [clause for clause in clauses(sentence) if not pattern("filler").search(clause)]
    found = len(bag(" ".join(said)))
    return found > 0 and found + len(" ".join(said).split()) > _FEWEST


def _says_something(part: str) -> bool:
    """Tell whether a part asks for anything.

    "How much is it" has no term, but a kind; "do you have any" has neither, and is a clause.
    """
    whole = len(part.split()) >= _CLAUSE and pattern("question_word").search(part) is not None
    return bool(bag(part)) or expected(part) is not None or whole


def _asking(part: str) -> str:
    stripped = part.rstrip(" ,;")
    return stripped if _QUESTION.search(stripped) else f"{stripped}?"


def asks(sentence: str) -> bool:
    """Tell whether a sentence is a question or a request."""
    return bool(_QUESTION.search(sentence)) or bool(pattern("asks").search(sentence))
