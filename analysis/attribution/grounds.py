"""Which evidence a paragraph's support rests on: the narrowest that can be told.

That is what holds the judge's quote; without one, what holds all numbers and names of what
is said; else all that was held against it. An absence is told by what was looked up for
it: no other result can have shown that something is not there.
"""

from collections.abc import Iterable, Iterator, Sequence

from analysis.attribution.marks import names_and_numbers, plain, words
from analysis.judged import JudgedTurn
from judge.answers import ParagraphClaim, Statement
from stages.records import Evidence
from stages.wording import squeezed, value_text


def supporting(
    judged: JudgedTurn, described: ParagraphClaim, statements: Sequence[Statement]
) -> Iterator[str]:
    """Yield the evidence ids that support a paragraph fully or in part.

    Args:
        judged: The turn.
        described: What the paragraph claims.
        statements: Those of the paragraph that its support is read off.
    """
    number, absence = described.paragraph, described.claim == "absence"
    said = judged.said_in(number)
    for (paragraph, ids), verdict in judged.support.items():
        decided = verdict.decided
        if paragraph == number and decided and decided.label in ("full", "partial"):
            yield from _resting(judged, ids, decided.quote_evidence, said, absence=absence)
    rest = judged.rest.get(number)
    if rest is not None and rest.decided and rest.decided.label in ("full", "partial"):
        ids = rest.question.subject.evidence_ids
        yield from _resting(judged, ids, rest.decided.quote_evidence, said, absence=absence)
    for statement in statements:
        if statement.label == "supported":
            ids = tuple(judged.evidence)
            yield from _resting(judged, ids, statement.quote, statement.text, absence=absence)


def _resting(
    judged: JudgedTurn, ids: Sequence[str], quote: str | None, said: str, *, absence: bool
) -> Sequence[str]:
    evidence = judged.evidence
    pieces = [evidence[item] for item in ids if item in evidence]
    needle = None if quote is None else squeezed(quote)
    holding = [one for one in pieces if needle is not None and needle in squeezed(one.text)]
    if holding:
        return _ids(holding)
    looked_up = _looked_up(judged, pieces) if absence else ()
    marks = names_and_numbers(plain(said))
    holding = [one for one in looked_up or pieces if marks and marks <= _told_by(judged, one)]
    return _ids(holding or looked_up) or ids


def _looked_up(judged: JudgedTurn, pieces: Sequence[Evidence]) -> Sequence[Evidence]:
    """Return what came back empty, else what a turn with calls fetched, that may show an absence.

    Earlier results count where the turn fetched nothing. Empty where it only searched: a
    passage of any turn may say that there is none.
    """
    own = [one for one in pieces if one.from_turn == judged.turn.turn]
    if own and all(one.kind == "chunk" for one in own):
        return ()
    return [one for one in own or pieces if one.tool_status == "empty"] or own


def _told_by(judged: JudgedTurn, piece: Evidence) -> frozenset[str]:
    """Return the words of a piece, those that a call was filled with among them."""
    told = words(piece.text)
    for call in judged.fetched_by(piece.evidence_id).turn.tool_calls:
        if call.call_id == piece.evidence_id:
            told |= words(value_text(call.arguments))
    return told


def _ids(pieces: Iterable[Evidence]) -> tuple[str, ...]:
    return tuple(one.evidence_id for one in pieces)
