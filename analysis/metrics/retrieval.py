"""How good the retrieved chunks are, in what order they came, and which were cited.

Two views of a turn's searches: *each search* as a ranked list of its own, for measures of
order, and *all searches* as one set of distinct chunks, for the others. A chunk that one
search returned twice counts once, at its best rank. Chunks without a decided grade leave a
list before it is measured, and a list that loses more than one in five is not measured.

A search whose result the trace does not tell, or that ended in an error, is no list: it is
left out, and only when no other is there the turn is undefined.
"""

from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from analysis.judged import JudgedTurn
from analysis.metrics.citation import UNCLEAR
from analysis.metrics.measured import Measured, share, undefined
from analysis.metrics.ranking import (
    RELEVANT,
    context_relevance,
    gains,
    max_relevance,
    mean_ndcg,
    precision_at_k,
)
from analysis.metrics.ratio import NOTHING, Ratio
from stages.records import Chunk, Retrieval

MOST_UNJUDGED: Final = 5
"""At most one chunk in this many may be unjudged."""

_LISTS: Final = frozenset({"ok", "empty"})


@dataclass(frozen=True, slots=True, kw_only=True)
class GradedList:
    """The judged chunks of a list, distinct, best rank first (the condensed list).

    Source:
        T. Sakai, Alternatives to Bpref, SIGIR 2007.
    """

    grades: Mapping[str, int]
    """By chunk id, in rank order."""
    unjudged: tuple[Chunk, ...] = ()
    """Chunks that left the list."""

    @property
    def measurable(self) -> bool:
        """Whether not more than one chunk in five is unjudged; true for an empty list."""
        return MOST_UNJUDGED * len(self.unjudged) <= len(self.grades) + len(self.unjudged)


def graded_list(chunks: Iterable[Chunk], grades: Mapping[str, int]) -> GradedList:
    """Return the condensed list of *chunks*, whose `rank` decides the order.

    Args:
        chunks: One search's result or the distinct chunks of a turn.
        grades: Decided grades by chunk id; what is absent is unjudged.
    """
    best: dict[str, Chunk] = {}
    for chunk in sorted(chunks, key=lambda chunk: chunk.rank):
        best.setdefault(chunk.chunk_id, chunk)
    return GradedList(
        grades={chunk_id: grades[chunk_id] for chunk_id in best if chunk_id in grades},
        unjudged=tuple(chunk for chunk_id, chunk in best.items() if chunk_id not in grades),
    )


def cited_relevance(grades: Mapping[str, int], cited: AbstractSet[str]) -> Ratio:
    """Mean grade of the cited chunks, as a share of the best grade.

    Args:
        grades: Grades of the retrieved chunks by id.
        cited: Ids that the answer cites; those of other turns or of tools do not count.

    Returns:
        Undefined when no retrieved chunk is cited.

    Source:
        M. Robbana, Berger-Levrault Research, on evaluating an agent without ground truth,
        section 4.1 (mean relevance of cited chunks).
    """
    return context_relevance([grade for chunk_id, grade in grades.items() if chunk_id in cited])


def cited_precision(grades: Mapping[str, int], cited: AbstractSet[str]) -> Ratio:
    """Chunks that are relevant and cited among the retrieved ones.

    Returns:
        Undefined when nothing was retrieved.

    Source:
        As `cited_relevance` (cited chunk precision).
    """
    return Ratio(len(_relevant(grades) & cited), len(grades))


def cited_recall(grades: Mapping[str, int], cited: AbstractSet[str]) -> Ratio:
    """Chunks that are relevant and cited among the relevant retrieved ones.

    Returns:
        Undefined when nothing relevant was retrieved.

    Source:
        As `cited_relevance` (cited chunk recall).
    """
    relevant = _relevant(grades)
    return Ratio(len(relevant & cited), len(relevant))


def _relevant(grades: Mapping[str, int]) -> set[str]:
    return {chunk_id for chunk_id, grade in grades.items() if grade >= RELEVANT}


# From a turn


def measure_context_relevance(judged: JudgedTurn) -> Measured:
    """Measure `context_relevance` over the distinct chunks of the turn."""
    grades = _distinct(judged)
    if isinstance(grades, Measured):
        return grades
    return share(context_relevance(list(grades.values())), "nothing_retrieved")


def measure_max_relevance(judged: JudgedTurn) -> Measured:
    """Measure `max_relevance` over the distinct chunks of the turn."""
    grades = _distinct(judged)
    if isinstance(grades, Measured):
        return grades
    return share(max_relevance(list(grades.values())), "nothing_retrieved")


def measure_precision(judged: JudgedTurn, k: int) -> Measured:
    """Measure `precision_at_k`: the mean over the searches of the turn.

    An empty search has 0 of k. `lengths` holds the length of each list measured, without
    which a low value of a short list cannot be read.
    """
    lists = _each_search(judged)
    if isinstance(lists, Measured):
        return lists
    pooled = sum((precision_at_k(grades, k) for grades in lists), NOTHING)
    return share(pooled, "nothing_retrieved", lengths=tuple(map(len, lists)))


def measure_ndcg(judged: JudgedTurn, k: int | None = None) -> Measured:
    """Measure `ndcg`, or `ndcg_at_k`: the mean over the searches of the turn that have one."""
    lists = _each_search(judged)
    if isinstance(lists, Measured):
        return lists
    longest = max(map(len, lists))
    otherwise = {0: "nothing_retrieved", 1: "fewer_than_two_chunks"}.get(longest, "no_gain")
    return share(mean_ndcg(map(gains, lists), k), otherwise)


def measure_cited_relevance(judged: JudgedTurn) -> Measured:
    """Measure `cited_relevance` over the cited chunks that the turn retrieved.

    A chunk of an earlier turn was retrieved for another question and has no grade here.
    """
    cited = _cited(judged)
    if isinstance(cited, Measured):
        return cited
    grades = _distinct(judged, cited)
    if isinstance(grades, Measured):
        return grades
    return share(cited_relevance(grades, cited), "nothing_cited")


def measure_cited_precision(judged: JudgedTurn) -> Measured:
    """Measure `cited_precision`; a turn that should cite and does not has 0."""
    cited, grades = _cited(judged), _distinct(judged)
    if isinstance(cited, Measured):
        return cited
    if isinstance(grades, Measured):
        return grades
    return share(cited_precision(grades, cited), "nothing_retrieved")


def measure_cited_recall(judged: JudgedTurn) -> Measured:
    """Measure `cited_recall`; a turn that should cite and does not has 0."""
    cited, grades = _cited(judged), _distinct(judged)
    if isinstance(cited, Measured):
        return cited
    if isinstance(grades, Measured):
        return grades
    return share(cited_recall(grades, cited), "nothing_relevant" if grades else "nothing_retrieved")


def _distinct(
    judged: JudgedTurn, among: AbstractSet[str] | None = None
) -> Mapping[str, int] | Measured:
    """Return the grades of the turn's distinct chunks, or of those *among* them."""
    searches = _searches(judged)
    if isinstance(searches, Measured):
        return searches
    chunks = [chunk for chunk in judged.chunks() if among is None or chunk.chunk_id in among]
    graded = graded_list(chunks, _grades(judged))
    return graded.grades if graded.measurable else undefined(_why(judged, graded.unjudged))


def _each_search(judged: JudgedTurn) -> list[tuple[int, ...]] | Measured:
    """Return the grades of each measurable list, best rank first; at least one list."""
    searches = _searches(judged)
    if isinstance(searches, Measured):
        return searches
    grades = _grades(judged)
    lists = [graded_list(search.chunks, grades) for search in searches]
    measurable = [tuple(one.grades.values()) for one in lists if one.measurable]
    if not measurable:
        return undefined(_why(judged, [chunk for one in lists for chunk in one.unjudged]))
    return measurable


def _searches(judged: JudgedTurn) -> list[Retrieval] | Measured:
    """Return the searches whose result is known, at least one."""
    retrievals = judged.turn.retrievals
    if not retrievals:
        return undefined("no_retrieval")
    if judged.not_judged is not None:  # of such turns only the empty searches would count
        return undefined(judged.not_judged)
    known = [search for search in retrievals if search.chunks or search.status in _LISTS]
    if known:
        return known
    untold = any(search.status == "not_captured" for search in retrievals)
    return undefined("retrieval_not_captured" if untold else "retrieval_failed")


def _grades(judged: JudgedTurn) -> dict[str, int]:
    decided = ((key, verdict.decided) for key, verdict in judged.relevance.items())
    return {key: relevance.grade for key, relevance in decided if relevance is not None}


def _why(judged: JudgedTurn, unjudged: Collection[Chunk]) -> str:
    """Return why chunks are unjudged."""
    if any(chunk.text is None for chunk in unjudged):
        return "chunk_text_not_captured"
    asked = any(chunk.chunk_id in judged.relevance for chunk in unjudged)
    return "too_many_unjudged" if asked else "not_asked"


def _cited(judged: JudgedTurn) -> frozenset[str] | Measured:
    """Return the ids that the answer cites; empty where it cites nothing that resolves.

    Undefined where nothing is cited and nothing need be.
    """
    if not judged.turn.retrievals:
        return undefined("no_retrieval")
    generation = judged.turn.generation
    if generation is None:
        return undefined("no_generation")
    if generation.answer is None:
        return undefined("answer_not_captured")
    statuses = {citation.status for citation in generation.citations}
    if statuses and statuses <= UNCLEAR:
        return undefined("citations_unclear")
    if not statuses and not judged.citing_expected:
        return undefined("no_citations")
    return frozenset(
        citation.target
        for citation in generation.citations
        if citation.resolved and citation.target is not None
    )
