"""How each paragraph of an answer stands against the evidence.

Read off the stored `support`, `rest`, `statements` and `relevance` verdicts; nothing is
asked here. A paragraph's support is the best among what it cites (alone or together) and
the turn's other relevant evidence; for a paragraph of a turn without citations it is what
its statements add up to.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from analysis.attribution.grounds import supporting
from analysis.judged import JudgedTurn, best_support
from judge.answers import ParagraphClaim, Statement, SupportLabel


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One paragraph and all that is known about its support."""

    paragraph: int
    needs_source: bool
    asserts: str
    """`fact`, `absence`, `success` or `none`."""
    cited: SupportLabel | None
    """Best support among its citations, alone or together; None when it cites nothing that
    could be judged."""
    rest: SupportLabel | None
    """Support by the turn's other relevant evidence."""
    stated: SupportLabel | None
    """Support that its statements add up to."""
    undecided: tuple[str, ...]
    """Questions about it that were put and not decided, or could not be put."""
    supporting: tuple[str, ...]
    """Ids of the evidence that its support rests on."""

    @property
    def best(self) -> SupportLabel | None:
        """The support of the paragraph; `contradicted` wins. None: nothing was decided."""
        return best_support((self.cited, self.rest, self.stated))

    @property
    def supported(self) -> bool:
        """At least one claim of the paragraph is in the evidence and none is contradicted."""
        return self.best in ("full", "partial")


def claims_of(judged: JudgedTurn) -> tuple[Claim, ...]:
    """Return one claim per paragraph that is held against the evidence.

    Those are the ones that need a source, assert absence or success, or are contradicted.
    Empty when the `answer` question was not decided: then no paragraph is known to claim
    anything.
    """
    answer = judged.answer.decided if judged.answer else None
    if answer is None:
        return ()
    return tuple(
        _claim(judged, described)
        for described in answer.paragraphs
        if described.needs_source
        or described.claim in ("absence", "success")
        or "contradicted" in _known_support(judged, described.paragraph)
    )


def _known_support(judged: JudgedTurn, paragraph: int) -> tuple[SupportLabel | None, ...]:
    """Return support by citations, by the rest and by statements; None where not decided."""
    rest = judged.rest.get(paragraph)
    rest_label = rest.decided.label if rest is not None and rest.decided else None
    cited = best_support(judged.cited_support(paragraph))
    return cited, rest_label, _stated(judged, paragraph)


def _claim(judged: JudgedTurn, described: ParagraphClaim) -> Claim:
    number = described.paragraph
    cited, rest, stated = _known_support(judged, number)
    undecided = () if cited == "full" else tuple(_undecided(judged, number))
    if not undecided and cited is rest is stated is None:
        stated = "none"  # nothing that could support it stood before the model
    return Claim(
        paragraph=number,
        needs_source=described.needs_source,
        asserts=described.claim,
        cited=cited,
        rest=rest,
        stated=stated,
        undecided=undecided,
        supporting=tuple(dict.fromkeys(supporting(judged, described, _statements(judged, number)))),
    )


def _statements(judged: JudgedTurn, paragraph: int) -> tuple[Statement, ...]:
    decided = judged.statements.decided if judged.statements else None
    if decided is None or judged.cited_by(paragraph):
        return ()
    return tuple(item for item in decided.statements if item.paragraph == paragraph)


def _stated(judged: JudgedTurn, paragraph: int) -> SupportLabel | None:
    labels = {statement.label for statement in _statements(judged, paragraph)}
    if not labels:
        return None
    if "contradicted" in labels:
        return "contradicted"
    if labels == {"supported"}:
        return "full"
    return "partial" if "supported" in labels else "none"


def _undecided(judged: JudgedTurn, paragraph: int) -> Iterator[str]:
    """Yield what of a paragraph's support is open and could still change its label."""
    pairs = [verdict for (number, _), verdict in judged.support.items() if number == paragraph]
    rest = judged.rest.get(paragraph)
    if any(verdict.decided is None for verdict in [*pairs, *([rest] if rest else [])]):
        yield "verdict_missing:support"
    cited = judged.cited_by(paragraph)
    if not pairs and rest is None:
        if judged.statements is not None and not cited:
            if not _statements(judged, paragraph):
                yield "verdict_missing:statements"
        elif _untold_chunks(judged, cited):
            yield "chunk_text_not_captured"
        elif cited or _could_support(judged):
            yield "verdict_missing:support"
    if _cites_untold(judged, paragraph):
        yield "chunk_text_not_captured"


def _could_support(judged: JudgedTurn) -> bool:
    """Tell whether anything the model saw is, or may be, relevant to the question.

    Irrelevant chunks support nothing: no question is put about them.
    """
    for item in judged.turn.evidence:
        verdict = judged.relevance.get(item.evidence_id)
        if verdict is None or verdict.decided is None or verdict.decided.relevant:
            return True
    return False


def _untold_chunks(judged: JudgedTurn, cited: tuple[str, ...]) -> bool:
    """Tell whether the support may rest on chunks whose text the trace does not hold."""
    untold = {chunk.chunk_id for chunk in judged.chunks() if chunk.text is None}
    return bool(untold.intersection(cited) if cited else untold)


def _cites_untold(judged: JudgedTurn, paragraph: int) -> bool:
    generation = judged.turn.generation
    return generation is not None and any(
        citation.paragraph == paragraph and citation.status == "target_not_captured"
        for citation in generation.citations
    )
