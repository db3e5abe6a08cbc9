"""Good turns: what a development file holds, one JSON object a line.

    {"conversation_id", "turn", "history": [{"role", "content"}], "question", "collection",
     "passages": [{"id", "text", "collection"}], "answer", "answerable", "language"}

`passages` are what stood before the model, in the order in which `[1]`, `[2]`, … number
them. A passage of a `tool:<name>` collection is the result of a tool call; it may add its
`arguments`, and an empty text is a call that found nothing. Further keys are optional:
`agent`, who answered; `known`, what its author knows of the turn
(`bench.attribution.facts`); `other_language`, the same answer in another language;
`fabricated`, an invented answer to a question that has none.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from ingest.errors import UsageError
from ingest.span import Value

TOOL: Final = "tool:"
"""Prefix of the collection of a tool result."""
ROLES: Final = ("user", "assistant")

_FIELDS: Final[Mapping[str, type]] = {
    "conversation_id": str,
    "turn": int,
    "history": list,
    "question": str,
    "collection": str,
    "passages": list,
    "answer": str,
    "answerable": bool,
    "language": str,
}
_SHAPES: Final[Mapping[type, str]] = {str: "a text", int: "a number", list: "a list"}
_REMEDY: Final = "See bench/attribution/turns.py for the format of a line."


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """One piece of evidence of a good turn."""

    passage_id: str
    text: str
    """The passage, or the result of a tool call as JSON; empty: it found nothing."""
    collection: str
    arguments: Value = None
    """Of a tool call; None where the line does not tell."""

    @property
    def tool(self) -> str | None:
        """Name of the tool whose result this is, None for a passage of a collection."""
        return self.collection.removeprefix(TOOL) if self.collection.startswith(TOOL) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class GoodTurn:
    """A turn in which nothing went wrong."""

    conversation_id: str
    turn: int
    history: tuple[tuple[str, str], ...]
    """(role, text) of the earlier messages, oldest first."""
    question: str
    collection: str
    """The collection that is right for the question."""
    passages: tuple[Passage, ...]
    answer: str
    answerable: bool
    language: str
    agent: str | None = None
    known: Mapping[str, Any] | None = None
    other_language: tuple[str, str] | None = None
    """Language and text of the answer in another language."""
    fabricated: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFile:
    """The turns of one file."""

    path: Path
    turns: tuple[GoodTurn, ...] = field(repr=False)


def read_turns(path: Path) -> TurnFile:
    """Read a file of good turns.

    Raises:
        UsageError: It cannot be read, holds no turn, or a line is not in the format.
    """
    try:
        lines = path.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(str(path), f"cannot be read ({error})") from None
    turns: dict[tuple[str, int], GoodTurn] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        place = f"{path}:{number}"
        turn = _turn(place, line)
        key = (turn.conversation_id, turn.turn)
        if key in turns:
            raise UsageError(place, f"turn {turn.turn} of {turn.conversation_id} is there twice")
        turns[key] = turn
    if not turns:
        raise UsageError(str(path), "holds no turn", _REMEDY)
    return TurnFile(path=path, turns=tuple(_distinct(turns.values())))


def _distinct(turns: Iterable[GoodTurn]) -> Iterator[GoodTurn]:
    """Yield the turns with one id for one text: numbers start anew in every turn of some files.

    A second text under an id gets an id of its own, and a text that was there before the id
    that it had; in the markers of the answer as well. Ids that an author's notes name stay.
    """
    texts: dict[str, list[tuple[str, str]]] = {}
    ids: dict[tuple[str, str], str] = {}
    for turn in turns:
        names = {
            one.passage_id: _name(one, texts, ids) if turn.known is None else one.passage_id
            for one in turn.passages
        }
        if len(set(names.values())) < len(names):  # one text twice in a turn stays two passages
            names = {name: name for name in names}
        for one in turn.passages:
            ids.setdefault((one.collection, one.text), names[one.passage_id])
        answer = turn.answer
        for old, new in names.items():
            if not old.isdigit():  # a number means a place, not an id
                answer = answer.replace(f"[{old}]", f"[{new}]")
        passages = tuple(replace(one, passage_id=names[one.passage_id]) for one in turn.passages)
        yield replace(turn, answer=answer, passages=passages)


def _name(
    one: Passage, texts: dict[str, list[tuple[str, str]]], ids: Mapping[tuple[str, str], str]
) -> str:
    """Return the id under which a passage is known, and remember which texts had its own."""
    held = (one.collection, one.text)
    known = texts.setdefault(one.passage_id, [])
    if held not in known:
        known.append(held)
    place = known.index(held)
    return ids.get(held) or (f"{one.passage_id}-v{place + 1}" if place else one.passage_id)


def _turn(place: str, line: str) -> GoodTurn:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise UsageError(place, f"no JSON ({error})", _REMEDY) from None
    if not isinstance(row, dict):
        raise UsageError(place, "no JSON object", _REMEDY)
    for name, shape in _FIELDS.items():
        _check(place, row, name, shape)
    if not row["question"].strip() or not row["answer"].strip():
        raise UsageError(place, "question or answer is empty", _REMEDY)
    if row["turn"] < 1:
        raise UsageError(place, "turns count from 1", _REMEDY)
    for name in ("agent", "fabricated"):
        if row.get(name) is not None:
            _check(place, row, name, str)
    other = row.get("other_language")
    if other is not None:
        if not isinstance(other, dict):
            raise UsageError(place, "other_language is no object", _REMEDY)
        for name in ("language", "answer"):
            _check(place, other, name, str)
    return GoodTurn(
        conversation_id=row["conversation_id"],
        turn=row["turn"],
        history=tuple(_message(place, item) for item in row["history"]),
        question=row["question"],
        collection=row["collection"],
        passages=_passages(place, row["passages"]),
        answer=row["answer"],
        answerable=row["answerable"],
        language=row["language"],
        agent=row.get("agent"),
        known=row.get("known"),
        other_language=None if other is None else (other["language"], other["answer"]),
        fabricated=row.get("fabricated"),
    )


def _check(place: str, row: Mapping[str, Any], name: str, shape: type) -> None:
    if name not in row:
        raise UsageError(place, f"{name} is missing", _REMEDY)
    value = row[name]
    if not isinstance(value, shape) or (shape is int and isinstance(value, bool)):
        raise UsageError(place, f"{name} is not {_SHAPES.get(shape, 'true or false')}", _REMEDY)


def _message(place: str, item: object) -> tuple[str, str]:
    if not isinstance(item, dict) or item.get("role") not in ROLES:
        raise UsageError(place, "a message of history has no role user or assistant", _REMEDY)
    _check(place, item, "content", str)
    return item["role"], item["content"]


def _passages(place: str, items: Sequence[object]) -> tuple[Passage, ...]:
    found: dict[str, Passage] = {}
    for item in items:
        if not isinstance(item, dict):
            raise UsageError(place, "a passage is no object", _REMEDY)
        for name in ("id", "text", "collection"):
            _check(place, item, name, str)
        if item["id"] in found:
            raise UsageError(place, f"passage {item['id']} is there twice", _REMEDY)
        found[item["id"]] = Passage(
            passage_id=item["id"],
            text=item["text"],
            collection=item["collection"],
            arguments=item.get("arguments"),
        )
    return tuple(found.values())
