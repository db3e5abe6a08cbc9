"""How each paragraph of an answer stands against the evidence.

Read off the stored `support`, `rest`, `statements` and `relevance` verdicts; nothing is
asked here. A paragraph's support is the best among what it cites (alone or together) and
the turn's other relevant evidence; for a paragraph of a turn without citations it is what
its statements add up to.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from analysis.judged import JudgedTurn, best_support
from judge.answers import (
    CallJudgement,
    ParagraphClaim,
    Statement,
    SupportLabel,
    TurnRouting,
    Unjudged,
)
from stages.records import Chunk


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
        supporting=tuple(dict.fromkeys(_supporting(judged, number))),
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


def _supporting(judged: JudgedTurn, paragraph: int) -> Iterator[str]:
    """Yield the evidence ids that support a paragraph fully or in part."""
    for (number, ids), verdict in judged.support.items():
        decided = verdict.decided
        if number == paragraph and decided and decided.label in ("full", "partial"):
            yield from _narrowed(judged, ids, decided.quote_evidence)
    rest = judged.rest.get(paragraph)
    if rest is not None and rest.decided and rest.decided.label in ("full", "partial"):
        ids = rest.question.subject.evidence_ids
        yield from _narrowed(judged, ids, rest.decided.quote_evidence)
    for statement in _statements(judged, paragraph):
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


def good_evidence(judged: JudgedTurn, evidence_id: str) -> bool | None:
    """Tell whether one piece of evidence may carry a claim about what was asked.

    Returns:
        False for a chunk about another object and for the result of a call that was judged
        wrong or came back wrongly empty; None when that was not decided; True otherwise. A
        chunk of an earlier turn was good for that turn's question and stays good.
    """
    item = judged.evidence.get(evidence_id)
    if item is not None and item.kind == "tool_result":
        return _good_call(judged, evidence_id)
    verdict = judged.relevance.get(evidence_id)
    if verdict is None:
        return True
    decided = verdict.decided
    return None if decided is None else decided.target or decided.relevant


def _good_call(judged: JudgedTurn, call_id: str) -> bool | None:
    if call_id in judged.records_elsewhere:
        return False
    call = next((call for call in judged.turn.tool_calls if call.call_id == call_id), None)
    judgement = call_judgements(judged).get(call.position) if call else None
    if judgement is None:
        return True
    return not (judgement.tool_ok is False or judgement.args_ok is False)


def call_judgements(judged: JudgedTurn) -> dict[int, CallJudgement]:
    """Return the judgements of the turn's calls, by position."""
    routing = routing_of(judged)
    return {} if routing is None else {call.position: call for call in routing.calls}


def routing_of(judged: JudgedTurn) -> TurnRouting | None:
    """Return the routing verdict of the turn, None when it is missing or undecided."""
    routing = judged.routing
    if routing is None or isinstance(routing, Unjudged) or routing.unjudged is not None:
        return None
    return routing


def relevant_in_context(judged: JudgedTurn) -> tuple[Chunk, ...]:
    """Return the turn's chunks judged relevant to its question that the model saw."""
    return tuple(
        chunk
        for chunk in judged.chunks()
        if chunk.in_context is not False and is_relevant(judged, chunk)
    )


def has_relevant_evidence(judged: JudgedTurn) -> bool:
    """Tell whether anything of the turn that the model saw bears on the question.

    That is a chunk judged relevant, or what a call returned that was not judged wrong: a
    right call was made for this question.
    """
    return bool(relevant_in_context(judged)) or any(
        item.kind == "tool_result"
        and item.tool_status == "ok"
        and item.from_turn == judged.turn.turn
        and good_evidence(judged, item.evidence_id)
        for item in judged.turn.evidence
    )


def is_relevant(judged: JudgedTurn, chunk: Chunk) -> bool:
    """Tell whether a chunk was judged relevant to the turn's question."""
    verdict = judged.relevance.get(chunk.chunk_id)
    return verdict is not None and verdict.decided is not None and verdict.decided.relevant
