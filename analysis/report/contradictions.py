"""What contradicts an answer: the claim, the words of the source, and which source has them.

Read off the verdicts that attribution reads: `support` of a paragraph, and `statements` of one
that cites nothing.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from analysis.tables.schemas import TableName
from analysis.tables.turn_rows import Row

Earlier = Callable[[], Iterable[tuple[int, Sequence[Row], Sequence[Row]]]]
"""Returns the earlier turns of the conversation as (number, chunks, tool calls), latest first."""
UNNAMED: Final = "what stood before the model"
_NAMED: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction:
    """One claim of an answer and what says otherwise."""

    paragraph: int
    said: str | None
    """Verbatim from the answer, or the statement; None where the judge quoted none."""
    source: str
    """Names the chunk or call that holds the quote, and its turn where it is an earlier one."""
    quote: str | None
    """Verbatim from the source; None where the judge quoted none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Piece:
    ident: str
    name: str
    text: str


def contradictions(
    turn: int,
    tables: Mapping[TableName, Sequence[Row]],
    verdicts: Iterable[tuple[Row, Any]],
    earlier: Earlier,
) -> tuple[Contradiction, ...]:
    """Return what contradicts a turn's answer, in order of paragraphs.

    Args:
        turn: Its number.
        tables: Its rows of `chunks`, `tool_calls` and `citations`.
        verdicts: Rows of `verdicts` about it with their parsed `detail`, None where undecided.
        earlier: Asked only where a source is none of this turn's.
    """
    citing = {
        row["paragraph"]
        for row in tables["citations"]
        if row["chunk_id"] and row["status"].startswith("resolved")
    }
    own = list(_pieces(turn, turn, tables["chunks"], tables["tool_calls"]))
    found = []
    for row, detail in verdicts:
        for paragraph, said, quote, ids in _contradicted(row, detail, citing):
            source = _source(own, quote, ids) or _of_earlier(turn, earlier, quote, ids)
            found.append(Contradiction(paragraph=paragraph, said=said, source=source, quote=quote))
    return tuple(sorted(dict.fromkeys(found), key=lambda one: one.paragraph))


def _contradicted(
    row: Row, detail: Any, citing: set[int]
) -> Iterator[tuple[int, str | None, str | None, Sequence[str]]]:
    """Yield paragraph, claim, quote and evidence ids of what one verdict calls contradicted."""
    if detail is None:
        return
    if row["question"] == "support" and row["label"] == "contradicted":
        ids = row["evidence_ids"] or ()
        yield row["paragraph"], detail["quote_paragraph"], detail["quote_evidence"], ids
    elif row["question"] == "statements":
        for one in detail["statements"]:
            if one["label"] == "contradicted" and one["paragraph"] not in citing:
                yield one["paragraph"], one["text"] or None, one["quote"], ()


def _of_earlier(turn: int, earlier: Earlier, quote: str | None, ids: Sequence[str]) -> str:
    if quote is not None or ids:
        for number, chunks, calls in earlier():
            source = _source(_pieces(number, turn, chunks, calls), quote, ids)
            if source:
                return source
    return _listed([f"evidence {ident}" for ident in ids]) or UNNAMED


def _source(pieces: Iterable[_Piece], quote: str | None, ids: Sequence[str]) -> str:
    """Return the names of the pieces that hold the quote; empty when none does.

    Without a quote, of those with the ids.
    """
    needle = _flat(quote or "")
    holding = [
        piece.name
        for piece in pieces
        if (not ids or piece.ident in ids) and (needle in piece.text if needle else ids)
    ]
    return _listed(list(dict.fromkeys(holding)))


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")


def _pieces(
    number: int, turn: int, chunks: Iterable[Row], calls: Iterable[Row]
) -> Iterator[_Piece]:
    """Yield what stood before the model from one turn, as far as its text is known."""
    where = f", turn {number}" if number != turn else ""
    for chunk in chunks:
        if chunk["text"] is not None and chunk["in_context"] is not False:
            title = f" ({chunk['title']})" if chunk["title"] else ""
            name = f"chunk {chunk['chunk_id']}{title}{where}"
            yield _Piece(ident=chunk["chunk_id"], name=name, text=_flat(chunk["text"]))
    for call in calls:
        if not call["is_retrieval"]:
            text = _flat(f"{call['error'] or ''} {call['result'] or ''}")
            name = f"result of {call['name']}{where}"
            yield _Piece(ident=call["call_id"], name=name, text=text)


def _flat(text: str) -> str:
    return " ".join(text.split())
