"""A judge's words to a typed answer, strictly: read whole, or not at all.

    text ──one JSON object──▶ plain values ──exact fields──▶ Answer ──checks──▶ Answer

The judged text is hostile and may quote, or plant, a verdict of its own. So a reply is
exactly one JSON object (one code fence around it is allowed), its keys are exactly the
fields of the answer's record, its numbers lie in range and exist in the question, and its
quotes are verbatim. Anything else is `Unjudged`; no part of a broken reply is used.

    two_objects       more than one JSON object
    invalid_json      no JSON object, text around it, a key too many, missing or repeated,
                      a value of another type
    out_of_range      a grade outside its scale; a paragraph, turn, call or tool that is
                      not in the question; a paragraph or turn left out
    quote_not_found   a quote that is no verbatim substring, white space aside
"""

import json
import re
from dataclasses import replace
from typing import Final

import msgspec

from ingest.span import Value
from judge.answers import (
    Answer,
    AnswerJudgement,
    Criterion,
    InventedQuestions,
    Relevance,
    RoutingJudgement,
    Statements,
    Support,
    Unjudged,
)
from judge.question import Question, QuestionKind
from judge.rendering import items
from judge.replies_routing import checked_routing

ANSWERS: Final[dict[QuestionKind, type[Answer]]] = {
    "routing": RoutingJudgement,
    "relevance": Relevance,
    "probe": Relevance,
    "support": Support,
    "answer": AnswerJudgement,
    "statements": Statements,
    "questions": InventedQuestions,
    "criterion": Criterion,
}
"""The record whose fields are the schema of a reply, by kind of question."""

_GRADES = range(4)
_SHOWN = 200
_FENCE = re.compile(r"```(?:json)?[ \t]*\n(.*)```", re.DOTALL | re.IGNORECASE)


def read_reply(question: Question, text: str) -> Answer | Unjudged:
    """Read the answer to *question* out of the judge's words.

    Returns:
        `Unjudged` with a reason where the words are no valid answer. The same words always
        give the same result, so a stored reply can be read again by a better reader.
    """
    try:
        fields = _only_object(text)
        answer: Answer = msgspec.convert(fields, ANSWERS[question.kind])
        _refuse_unknown_keys(fields, msgspec.to_builtins(answer))
        return _checked(answer, question)
    except _BrokenReplyError as broken:
        return broken.unjudged
    except msgspec.ValidationError as error:
        return Unjudged(reason="invalid_json", detail=str(error)[:_SHOWN])


class _BrokenReplyError(Exception):
    """Carries why a reply cannot be used."""

    def __init__(self, unjudged: Unjudged) -> None:
        super().__init__(unjudged.reason)
        self.unjudged = unjudged


def _only_object(text: str) -> dict[str, Value]:
    body = text.strip()
    fenced = _FENCE.fullmatch(body)
    try:
        value = json.loads(
            fenced[1] if fenced else body,
            object_pairs_hook=_without_repeats,
            parse_constant=_refuse_constant,
        )
    except (ValueError, RecursionError) as error:
        if _count_objects(body) > 1:
            raise _BrokenReplyError(Unjudged(reason="two_objects")) from None
        detail = str(error)[:_SHOWN]
        raise _BrokenReplyError(Unjudged(reason="invalid_json", detail=detail)) from None
    if not isinstance(value, dict):
        several = _count_objects(body) > 1
        raise _BrokenReplyError(
            Unjudged(
                reason="two_objects" if several else "invalid_json",
                detail="not a JSON object",
            )
        )
    return value


def _count_objects(text: str) -> int:
    """Count whole objects one after another, up to the first brace that opens none."""
    decoder = json.JSONDecoder()
    count = 0
    start = text.find("{")
    while start >= 0:
        try:
            _, end = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            break
        count += 1
        start = text.find("{", end)
    return count


def _without_repeats(pairs: list[tuple[str, Value]]) -> dict[str, Value]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a key stands twice in one object")
    return fields


def _refuse_constant(name: str) -> Value:
    raise ValueError(f"{name} is no JSON")


def _refuse_unknown_keys(given: Value, known: Value) -> None:
    """Compare a reply with what was read from it, at every depth."""
    if isinstance(given, dict) and isinstance(known, dict):
        for key, value in given.items():
            if key not in known:
                detail = f"unknown key {key[:_SHOWN]!r}"
                raise _BrokenReplyError(Unjudged(reason="invalid_json", detail=detail))
            _refuse_unknown_keys(value, known[key])
    elif isinstance(given, list) and isinstance(known, list | tuple):
        for one, other in zip(given, known, strict=True):
            _refuse_unknown_keys(one, other)


def _checked(answer: Answer, question: Question) -> Answer:
    """Return the answer, blank quotes dropped, or raise why it cannot be used."""
    content = question.content
    match answer:
        case Relevance():
            _require_grades(answer.grade)
            chunk = _readable([content["chunk"]])
            return replace(answer, quote=_verbatim(answer.quote, chunk))
        case Support():
            return replace(
                answer,
                quote_paragraph=_verbatim(
                    answer.quote_paragraph, _readable([content["paragraph"]])
                ),
                quote_evidence=_verbatim(answer.quote_evidence, _readable(content["evidence"])),
            )
        case AnswerJudgement():
            _check_judgement(answer, _paragraph_numbers(question))
        case Statements():
            numbers = _paragraph_numbers(question)
            evidence = _readable(content["evidence"])
            for statement in answer.statements:
                _require(statement.paragraph in numbers, "no such paragraph")
            statements = tuple(
                replace(statement, quote=_verbatim(statement.quote, evidence))
                for statement in answer.statements
            )
            return replace(answer, statements=statements)
        case RoutingJudgement():
            checked = checked_routing(answer, question)
            if isinstance(checked, Unjudged):
                raise _BrokenReplyError(checked)
            return checked
        case Criterion():
            _require(0 <= answer.score <= 1, "score outside 0 to 1")
    return answer


def _check_judgement(answer: AnswerJudgement, numbers: list[Value]) -> None:
    _require_grades(answer.understanding, answer.coherence, answer.completeness)
    _require(
        [claim.paragraph for claim in answer.paragraphs] == numbers,
        "not one claim per paragraph, in order",
    )
    for element in answer.elements:
        _require(set(element.paragraphs) <= set(numbers), "no such paragraph")


def _require_grades(*grades: int) -> None:
    _require(all(grade in _GRADES for grade in grades), "grade outside 0 to 3")


def _require(condition: bool, otherwise: str) -> None:  # noqa: FBT001 - an assertion
    if not condition:
        raise _BrokenReplyError(Unjudged(reason="out_of_range", detail=otherwise))


def _paragraph_numbers(question: Question) -> list[Value]:
    return [item["paragraph"] for item in items(question.content["paragraphs"])]


def _readable(value: Value) -> list[str]:
    """Return the texts and titles of paragraphs, chunks or pieces of evidence."""
    return [
        _spaced(text)
        for item in items(value)
        for text in (item.get("text"), item.get("title"))
        if isinstance(text, str)
    ]


def _verbatim(quote: str | None, texts: list[str]) -> str | None:
    wanted = _spaced(quote or "")
    if not wanted:
        return None
    if not any(wanted in text for text in texts):
        detail = wanted[:_SHOWN]
        raise _BrokenReplyError(Unjudged(reason="quote_not_found", detail=detail))
    return quote


def _spaced(text: str) -> str:
    return " ".join(text.split())
