"""Whether what the answer says is in what it cites, and whether it cites enough.

A paragraph's *cited support* is the best support among its citations, alone or together,
and `contradicted` if any contradicts. It is open (None) while a verdict is missing that
could change it: nothing lifts `full`, nothing mends `contradicted`. Open paragraphs and
pairs are in no count.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from analysis.judged import JudgedTurn, best_support
from analysis.metrics.measured import Measured, share, undefined
from analysis.metrics.ratio import NOTHING, Ratio
from judge.answers import SupportLabel, Unjudged
from stages.records import Citation, CitationStatus

CREDIT: Final[Mapping[SupportLabel, float]] = MappingProxyType(
    {"full": 1.0, "partial": 0.5, "none": 0.0, "contradicted": 0.0}
)
"""What a paragraph earns by its support."""

UNCLEAR: Final[frozenset[CitationStatus]] = frozenset({"ambiguous", "target_not_captured"})
"""What such a citation points to is unknown: it is neither valid nor invalid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CitingParagraph:
    """A paragraph with at least one citation that resolves."""

    support: SupportLabel | None
    """Its cited support; None while open."""
    pairs: tuple[SupportLabel | None, ...]
    """Support of each citation alone, in reading order; None where undecided. A source that
    is cited twice stands here twice."""


def cited_support(labels: Iterable[SupportLabel | None]) -> SupportLabel | None:
    """Return the best of the labels, or `contradicted` if any contradicts.

    Args:
        labels: Support of a paragraph by each of its sources and by them together; None
            where undecided.

    Returns:
        None for no labels, and where an undecided one could be better than the best.
    """
    asked = tuple(labels)
    best = best_support(asked)
    return best if best in ("full", "contradicted") or None not in asked else None


def faithfulness(paragraphs: Iterable[CitingParagraph]) -> Ratio:
    """Mean cited support of the paragraphs that cite: full 1, partial ½, none 0.

    Returns:
        Out of the paragraphs whose support is decided.

    Source:
        M. Robbana, Berger-Levrault Research, on evaluating an agent without ground truth,
        section 4.2 (faithfulness to cited references).
    """
    return _mean_credit(paragraph.support for paragraph in paragraphs)


def citation_correctness(pairs: Iterable[SupportLabel | None]) -> Ratio:
    """Pairs of paragraph and source where the source says at least a part of it.

    `partial` counts: one claim of the paragraph is in the source and none is contradicted,
    so the source was read rightly.

    Returns:
        Full and partial pairs, out of the decided ones.

    Source:
        As `faithfulness` (citation correctness).
    """
    decided = [label for label in pairs if label is not None]
    return Ratio(sum(label in ("full", "partial") for label in decided), len(decided))


def citation_recall(supports: Iterable[SupportLabel | None]) -> Ratio:
    """Mean cited support of the paragraphs that need a source; 0 for an uncited one.

    Args:
        supports: Cited support of each paragraph that needs a source, `none` for one
            without citations, None while open.

    Source:
        N. Thakur et al., Support evaluation for the TREC 2024 RAG track: comparing human
        versus LLM judges, SIGIR 2025 (weighted recall); paragraphs for sentences, and only
        those that need a source.
    """
    return _mean_credit(supports)


def citation_precision(paragraphs: Iterable[CitingParagraph]) -> Ratio:
    """Citations that help, among those that resolve.

    In a fully supported paragraph a citation counts that is full alone, and a partial one
    only if no citation there is full alone: beside one that says everything it is not
    needed. In any other paragraph no citation counts.

    Returns:
        Out of the citations whose pair is decided, in paragraphs whose support is.

    Source:
        T. Gao et al., Enabling large language models to generate text with citations,
        EMNLP 2023 (ALCE citation precision); paragraphs for sentences, no leave-one-out.
    """
    return sum(map(_helping, paragraphs), NOTHING)


def citation_validity(statuses: Iterable[CitationStatus]) -> Ratio:
    """Citations that resolve to something of this or an earlier turn.

    Neither valid nor invalid, and in no count: citations whose target the trace does not
    hold, and ambiguous ones.

    Source:
        Augmented Traveler, tutorial on evaluating answers, section 3 (citation validity).
    """
    clear = [status for status in statuses if status not in UNCLEAR]
    valid = sum(status in ("resolved", "resolved_earlier_turn") for status in clear)
    return Ratio(valid, len(clear))


def _mean_credit(supports: Iterable[SupportLabel | None]) -> Ratio:
    decided = [label for label in supports if label is not None]
    return Ratio(sum(CREDIT[label] for label in decided), len(decided))


def _helping(paragraph: CitingParagraph) -> Ratio:
    if paragraph.support is None:
        return NOTHING
    decided = [label for label in paragraph.pairs if label is not None]
    helpful: SupportLabel = "full" if "full" in decided else "partial"
    hits = decided.count(helpful) if paragraph.support == "full" else 0
    return Ratio(hits, len(decided))


# From a turn


def measure_faithfulness(judged: JudgedTurn) -> Measured:
    """Measure `faithfulness`."""
    paragraphs = _citing(judged)
    if isinstance(paragraphs, Measured):
        return paragraphs
    return share(faithfulness(paragraphs), _open(judged))


def measure_correctness(judged: JudgedTurn) -> Measured:
    """Measure `citation_correctness`; a source cited twice in a paragraph is one pair."""
    paragraphs = _citing(judged)
    if isinstance(paragraphs, Measured):
        return paragraphs
    pairs = (
        _label(judged, paragraph, (source,))
        for paragraph in _numbers(judged)
        for source in judged.cited_by(paragraph)
    )
    return share(citation_correctness(pairs), _open(judged))


def measure_precision(judged: JudgedTurn) -> Measured:
    """Measure `citation_precision`."""
    paragraphs = _citing(judged)
    if isinstance(paragraphs, Measured):
        return paragraphs
    return share(citation_precision(paragraphs), _open(judged))


def measure_recall(judged: JudgedTurn) -> Measured:
    """Measure `citation_recall`, where citing is expected."""
    cited = _citations(judged)
    if isinstance(cited, Measured):
        return cited
    if not judged.turn.retrievals and not cited:
        return undefined("no_retrieval")
    if not judged.citing_expected:
        return undefined("citing_not_expected")
    if judged.answer is None:
        return undefined(judged.not_judged or "not_asked")
    if isinstance(judged.answer.answer, Unjudged):
        return undefined(judged.answer.answer.reason)
    needy = [claim.paragraph for claim in judged.answer.answer.paragraphs if claim.needs_source]
    if not needy:
        return undefined("no_source_needed")
    return share(citation_recall(_support(judged, number) for number in needy), _open(judged))


def measure_validity(judged: JudgedTurn) -> Measured:
    """Measure `citation_validity`, which needs no judge."""
    citations = _citations(judged)
    if isinstance(citations, Measured):
        return citations
    statuses = [citation.status for citation in citations]
    otherwise = "citations_unclear" if statuses else "no_citations"
    return share(citation_validity(statuses), otherwise)


def _citing(judged: JudgedTurn) -> list[CitingParagraph] | Measured:
    """Return the paragraphs that cite something that resolves, at least one."""
    citations = _citations(judged)
    if isinstance(citations, Measured):
        return citations
    paragraphs = [
        CitingParagraph(support=_support(judged, number), pairs=tuple(_pairs(judged, number)))
        for number in _numbers(judged)
    ]
    if paragraphs:
        return paragraphs
    statuses = {citation.status for citation in citations}
    return undefined("no_citations" if statuses.isdisjoint(UNCLEAR) else "citations_unclear")


def _citations(judged: JudgedTurn) -> Sequence[Citation] | Measured:
    generation = judged.turn.generation
    if generation is None:
        return undefined("no_generation")
    if generation.answer is None:
        return undefined("answer_not_captured")
    return generation.citations


def _made(judged: JudgedTurn) -> Sequence[Citation]:
    """Return the citations of an answer that is there."""
    return judged.turn.generation.citations if judged.turn.generation else ()


def _numbers(judged: JudgedTurn) -> list[int]:
    """Return the paragraphs with a citation that resolves, in reading order."""
    resolved = (one.paragraph for one in _made(judged) if one.resolved)
    numbers = {number for number in resolved if number is not None}
    return sorted(numbers)


def _support(judged: JudgedTurn, paragraph: int) -> SupportLabel | None:
    """Return the cited support of any paragraph: `none` for an uncited one, None while open."""
    here = [one for one in _made(judged) if one.paragraph == paragraph]
    unclear = [None for one in here if one.status in UNCLEAR]
    labels = (*judged.cited_support(paragraph), *unclear)
    return cited_support(labels) if labels else "none"


def _pairs(judged: JudgedTurn, paragraph: int) -> Iterator[SupportLabel | None]:
    for one in _made(judged):
        if one.paragraph == paragraph and one.resolved and one.target is not None:
            yield _label(judged, paragraph, (one.target,))


def _label(judged: JudgedTurn, paragraph: int, sources: tuple[str, ...]) -> SupportLabel | None:
    verdict = judged.support.get((paragraph, sources))
    return verdict.decided.label if verdict is not None and verdict.decided else None


def _open(judged: JudgedTurn) -> str:
    """Return why no cited support is decided."""
    if judged.not_judged is not None:
        return judged.not_judged
    cited = {source for number in _numbers(judged) for source in judged.cited_by(number)}
    if any(chunk.text is None and chunk.chunk_id in cited for chunk in judged.chunks()):
        return "chunk_text_not_captured"
    return "support_undecided" if judged.support else "not_asked"
