"""Which evidence a paragraph's support rests on."""

from collections.abc import Iterable, Iterator, Sequence

from analysis.judged import JudgedTurn
from judge.answers import Statement


def supporting(
    judged: JudgedTurn, paragraph: int, statements: Sequence[Statement]
) -> Iterator[str]:
    """Yield the evidence ids that support a paragraph fully or in part.

    Args:
        judged: The turn.
        paragraph: Its number, from 1.
        statements: Those of the paragraph that its support is read off.
    """
    for (number, ids), verdict in judged.support.items():
        decided = verdict.decided
        if number == paragraph and decided and decided.label in ("full", "partial"):
            yield from _narrowed(judged, ids, decided.quote_evidence)
    rest = judged.rest.get(paragraph)
    if rest is not None and rest.decided and rest.decided.label in ("full", "partial"):
        ids = rest.question.subject.evidence_ids
        yield from _narrowed(judged, ids, rest.decided.quote_evidence)
    for statement in statements:
        if statement.label == "supported":
            yield from _narrowed(judged, judged.evidence, statement.quote)


def _narrowed(judged: JudgedTurn, ids: Iterable[str], quote: str | None) -> tuple[str, ...]:
    """Return the evidence that holds the quote, or all of it when none does."""
    everything = tuple(ids)
    if quote is None or len(everything) == 1:
        return everything
    needle = " ".join(quote.split())
    evidence = judged.evidence
    holding = tuple(
        item
        for item in everything
        if item in evidence and needle in " ".join(evidence[item].text.split())
    )
    return holding or everything
