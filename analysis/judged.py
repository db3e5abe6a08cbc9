"""A turn with its verdicts: all that metrics, symptoms and attribution read.

    Turn + Verdict* ──▶ JudgedTurn ──▶ Metric, Finding

Verdicts are looked up, never asked, from here on. A verdict that was never asked is
absent from its mapping; one that was asked and not decided is present and `Unjudged`.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from judge.answers import (
    AnswerJudgement,
    Element,
    InventedQuestions,
    Relevance,
    Statements,
    Support,
    SupportLabel,
    TurnRouting,
    Unjudged,
)
from judge.question import Verdict
from stages.records import Chunk, Evidence, Turn

_SUPPORT_ORDER: tuple[SupportLabel, ...] = ("none", "partial", "full", "contradicted")
"""A later one outweighs those before it."""


def best_support(labels: Iterable[SupportLabel | None]) -> SupportLabel | None:
    """Return the best of some labels, but `contradicted` if any contradicts.

    Args:
        labels: None where undecided: those say nothing.

    Returns:
        None when nothing is decided.
    """
    known = [label for label in labels if label is not None]
    return max(known, key=_SUPPORT_ORDER.index, default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One chunk of the run that was not before the model, and may answer one element."""

    element: int
    """Index of the element, from 0."""
    chunk: Chunk
    collection: str | None
    first_seen_ns: int | None
    """Earliest start of a turn of the run that retrieved it."""
    seen_before: bool
    """It was visible in an earlier turn of the run, or retrieved by this one."""
    retrieved: bool
    """This turn retrieved it, but its text was not in the prompt."""
    searched: bool
    """It belongs to a collection that this turn searched."""
    reachable_by: tuple[str, ...] = ()
    """Agents whose catalogue reaches its collection, when only others than this turn's do."""

    def judged(self, verdict: Verdict[Relevance]) -> "ProbeHit":
        """Return the probe: this chunk with the judge's word on it."""
        known: dict[str, Any] = {one.name: getattr(self, one.name) for one in fields(Candidate)}
        return ProbeHit(**known, verdict=verdict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeHit(Candidate):
    """A candidate that the judge was asked about."""

    verdict: Verdict[Relevance]

    @property
    def positive(self) -> bool:
        """The judge found it relevant to the element."""
        decided = self.verdict.decided
        return decided is not None and decided.relevant


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedTurn:
    """A turn and every stored verdict about it."""

    turn: Turn
    routing: TurnRouting | Unjudged | None = None
    """None: not asked."""
    routing_key: str | None = None
    relevance: Mapping[str, Verdict[Relevance]] = field(default_factory=dict)
    """By chunk id."""
    support: Mapping[tuple[int, tuple[str, ...]], Verdict[Support]] = field(default_factory=dict)
    """By paragraph and cited evidence ids: one id for a pair, several (sorted) for the cited
    ones together."""
    rest: Mapping[int, Verdict[Support]] = field(default_factory=dict)
    """By paragraph: against the turn's other relevant evidence together."""
    answer: Verdict[AnswerJudgement] | None = None
    statements: Verdict[Statements] | None = None
    invented: Verdict[InventedQuestions] | None = None
    """The questions that the answer would answer; asked on request."""
    likeness: tuple[float | None, ...] = ()
    """Cosine of each invented question with the real one, in [-1, 1]; None where a text has
    no word that the embedding model knows."""
    probes: Mapping[int, tuple[ProbeHit, ...]] | None = None
    """By element index. None: not probed (switched off, or nothing to probe). An element that
    is present with an empty tuple was probed and the search found no candidate."""
    records_elsewhere: Mapping[str, str] = field(default_factory=dict)
    """By call id of an empty call: where else in the run the record was seen, in words."""
    citing_expected: bool = False
    sourceless: bool = False
    """Nothing was searched or called, and the run knows of no source that its agent has."""
    not_judged: str | None = None
    """Why no question was asked at all: `not_captured`, `template_answer`, …"""
    earlier: tuple["JudgedTurn", ...] = ()
    """The turns of the conversation before it, whose results may still stand before the model.
    Empty until the conversation is attributed."""

    @property
    def evidence(self) -> Mapping[str, Evidence]:
        """What stood before the model, by id."""
        return {item.evidence_id: item for item in self.turn.evidence}

    @property
    def elements(self) -> tuple[Element, ...]:
        """What the question asks for; empty where the answer was not judged."""
        answer = self.answer.decided if self.answer else None
        return answer.elements if answer else ()

    def fetched_by(self, evidence_id: str) -> "JudgedTurn":
        """Return the turn that fetched a piece of evidence: an earlier one, or this one.

        This one too where that turn is not known.
        """
        item = self.evidence.get(evidence_id)
        made = (one for one in self.earlier if item and one.turn.turn == item.from_turn)
        return next(made, self)

    def chunks(self) -> Iterator[Chunk]:
        """Yield the distinct chunks of the turn, each at its best rank, in order of search."""
        best: dict[str, Chunk] = {}
        for retrieval in self.turn.retrievals:
            for chunk in retrieval.chunks:
                known = best.get(chunk.chunk_id)
                if known is None or chunk.rank < known.rank:
                    best[chunk.chunk_id] = chunk
        yield from best.values()

    def said_in(self, paragraph: int) -> str:
        """Return the text of a paragraph of the answer, empty where there is none."""
        blocks = self.turn.generation.paragraphs if self.turn.generation else ()
        return next((one.text for one in blocks if one.paragraph == paragraph), "")

    def cited_by(self, paragraph: int) -> tuple[str, ...]:
        """Return the distinct evidence ids that a paragraph cites and that resolve, in order."""
        generation = self.turn.generation
        if generation is None:
            return ()
        found = (
            citation.target
            for citation in generation.citations
            if citation.paragraph == paragraph and citation.resolved and citation.target
        )
        return tuple(dict.fromkeys(found))

    def cited_support(self, paragraph: int) -> tuple[SupportLabel | None, ...]:
        """Return the support by each source that a paragraph cites, then by them together.

        None where it was not asked or not decided; empty where nothing is cited that resolves.
        """
        alone = [(source,) for source in self.cited_by(paragraph)]
        several = [ids for number, ids in self.support if number == paragraph and len(ids) > 1]
        verdicts = (self.support.get((paragraph, ids)) for ids in (*alone, *several))
        return tuple(one.decided.label if one and one.decided else None for one in verdicts)

    def failed_sources(self) -> tuple[str, ...]:
        """Return the call or retrieval ids that ended in an error and were not made good.

        A call is made good by a later call of the same tool that did not fail, a search by a
        later search of the same collection.
        """
        calls = self.turn.tool_calls
        failed = [
            call.call_id
            for number, call in enumerate(calls)
            if call.status == "error"
            and not any(
                later.name == call.name and later.status in ("ok", "empty")
                for later in calls[number + 1 :]
            )
        ]
        searches = self.turn.retrievals
        failed += [
            search.retrieval_id
            for number, search in enumerate(searches)
            if search.status == "error"
            and search.call_id is None
            and not any(
                later.collection == search.collection and later.status in ("ok", "empty")
                for later in searches[number + 1 :]
            )
        ]
        return tuple(failed)
