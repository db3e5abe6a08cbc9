"""Searches of a turn as the spans tell them, each counted once.

One search often leaves several spans: a framework's retriever knows the texts, the vector
database below or beside it knows ids and scores, a reranker gives the final order, a tool
gave the order to search. A `Search` has the facts of all of them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ingest.span import Document, Span, SpanKind
from stages.documents import chunk_id_of
from stages.executions import Execution
from stages.run import Run
from stages.wording import same_words, squeezed

_NEIGHBOURS = 16
"""How many searches back the second recording of one may stand; they start together."""


@dataclass(slots=True, kw_only=True)
class Search:
    """One search."""

    spans: list[Span]
    """Spans that recorded it, the outermost first; empty for a tool seen in messages only."""
    query: str | None
    collection: str | None
    collection_inferred: bool
    first: tuple[Document, ...] | None
    """Documents as the first stage returned them; None when the trace does not tell."""
    final: tuple[Document, ...] | None
    """The same, after reranking; what a reranker dropped is not in it."""
    error: str | None = None
    execution: Execution | None = None
    """The tool call that did the search."""
    other_collections: list[str] = field(default_factory=list)
    """Collections searched besides, by inner searches whose results it fused."""

    @property
    def start_ns(self) -> int | None:
        """When it started."""
        times = [s.raw.start_ns for s in self.spans if s.raw.start_ns is not None]
        if times:
            return times[0]
        return self.execution.start_ns if self.execution is not None else None


def recorded_searches(run: Run) -> list[Search]:
    """Return the searches that retriever and reranker spans record, by start."""
    found: list[tuple[Span, Search]] = []
    made: dict[str, Search] = {}
    for span in run.of_kind(SpanKind.RETRIEVER):
        search = _search(span)
        made[span.span_id] = search
        found.append((span, search))
    kept = _without_inner(run, found, made)
    kept = _without_companions(run, kept)
    searches = [search for _, search in kept]
    _rerank(run, searches)
    return searches


def keys_of(document: Document) -> set[str]:
    """Return what identifies a document across spans: its id and its text."""
    keys = {f"id {chunk_id_of(document)}"}
    if document.text:
        keys.add(f"text {squeezed(document.text)}")
    return keys


def _search(span: Span) -> Search:
    fact = span.retrieval
    documents = fact.documents if fact is not None else None
    return Search(
        spans=[span],
        query=fact.query if fact is not None else None,
        collection=fact.collection if fact is not None else None,
        collection_inferred=fact.collection_inferred if fact is not None else False,
        first=documents,
        final=documents,
        error=span.error,
    )


# One search recorded by nested spans


def _without_inner(
    run: Run, found: Sequence[tuple[Span, Search]], made: dict[str, Search]
) -> list[tuple[Span, Search]]:
    """Fold searches inside a search into it; without results of its own it gives way to them."""
    gone: set[str] = set()
    for span, search in reversed(found):
        inner = [
            made[child.span_id]
            for child in run.tree.children.get(span.span_id, ())
            if child.kind is SpanKind.RETRIEVER and child.span_id in made
        ]
        if len(inner) == 1:
            _fold(search, inner[0])
        elif inner and search.final is None:
            gone.add(span.span_id)
            continue
        elif inner:
            search.other_collections.extend(s.collection for s in inner if s.collection)
            search.spans.extend(s for child in inner for s in child.spans)
        gone.update(child.spans[0].span_id for child in inner)
    return [(span, search) for span, search in found if span.span_id not in gone]


def _fold(outer: Search, inner: Search) -> None:
    _complete(outer, inner)
    if outer.final is None:
        outer.first, outer.final = inner.first, inner.final
    elif inner.final is not None:
        merged = _merged(outer.final, inner.final)
        if merged is not None:
            outer.first = outer.final = merged
        else:
            outer.first = inner.first


def _complete(search: Search, other: Search) -> None:
    search.spans.extend(other.spans)
    search.query = search.query or other.query
    search.error = search.error or other.error
    search.other_collections.extend(other.other_collections)
    if search.collection is None or (search.collection_inferred and other.collection):
        search.collection = other.collection
        search.collection_inferred = other.collection_inferred


# One search recorded by two spans side by side


def _without_companions(
    run: Run, found: Sequence[tuple[Span, Search]]
) -> list[tuple[Span, Search]]:
    kept: list[tuple[Span, Search]] = []
    for span, search in found:
        for other_span, other in kept[-_NEIGHBOURS:]:
            if _side_by_side(run, span, other_span) and _one_search(search, other):
                merged = _merged(other.final, search.final)
                _complete(other, search)
                other.first = other.final = merged
                break
        else:
            kept.append((span, search))
    return kept


def _side_by_side(run: Run, one: Span, other: Span) -> bool:
    parents = [run.tree.parents.get(span.span_id) for span in (one, other)]
    if parents[0] is not parents[1] or one.conventions[:1] == other.conventions[:1] != ():
        return False
    times = (one.raw.start_ns, one.raw.end_ns, other.raw.start_ns, other.raw.end_ns)
    if None in times:
        return False
    start, end, other_start, other_end = (time or 0 for time in times)
    return start <= other_end and other_start <= end


def _one_search(one: Search, other: Search) -> bool:
    queries = (one.query, other.query)
    if None not in queries and not same_words(*queries):
        return False
    collections = {s.collection for s in (one, other) if not s.collection_inferred} - {None}
    if len(collections) > 1:
        return False
    if one.final is None and other.final is None:
        return None not in queries
    return _merged(other.final, one.final) is not None


def _merged(
    one: tuple[Document, ...] | None, other: tuple[Document, ...] | None
) -> tuple[Document, ...] | None:
    """Join two recordings of one list position by position, None where they disagree."""
    if one is None or other is None:
        return one if other is None else other
    if len(one) != len(other) or not all(map(_agree, one, other)):
        return None
    return tuple(
        Document(
            document_id=ours.document_id or theirs.document_id,
            text=ours.text if ours.text is not None else theirs.text,
            score=ours.score if ours.score is not None else theirs.score,
            metadata={**theirs.metadata, **ours.metadata},
            collection=ours.collection or theirs.collection,
        )
        for ours, theirs in zip(one, other, strict=True)
    )


def _agree(one: Document, other: Document) -> bool:
    if one.text is not None and other.text is not None:
        return squeezed(one.text) == squeezed(other.text)
    ids = (one.document_id, other.document_id)
    return None in ids or ids[0] == ids[1]


# Reranking


def _rerank(run: Run, searches: list[Search]) -> None:
    for span in run.of_kind(SpanKind.RERANKER):
        fact = span.rerank
        if fact is None or (fact.documents_out is None and fact.documents_in is None):
            continue
        before, after = fact.documents_in, fact.documents_out
        keys = {key for d in (*(before or ()), *(after or ())) for key in keys_of(d)}
        meant = [s for s in searches if any(keys & keys_of(d) for d in s.final or ())]
        for search in meant:
            if after is not None and search.final is not None:
                search.final = reordered(search.final, after)
        blind = [s for s in searches if s.final is None]
        if not meant and len(blind) == 1:
            meant = blind
            blind[0].first, blind[0].final = before or after, after or before
        for search in meant:
            search.query = search.query or fact.query
            search.spans.append(span)
        if not meant:
            searches.append(
                Search(
                    spans=[span],
                    query=fact.query,
                    collection=None,
                    collection_inferred=False,
                    first=before or after,
                    final=after or before,
                    error=span.error,
                )
            )


def reordered(documents: Sequence[Document], order: Iterable[Document]) -> tuple[Document, ...]:
    """Return the documents that stand in *order*, in that order; the others are left out."""
    places: dict[str, int] = {}
    for place, document in enumerate(order):
        for key in keys_of(document):
            places.setdefault(key, place)
    placed = [
        (min(places[key] for key in known), index, document)
        for index, document in enumerate(documents)
        if (known := keys_of(document) & places.keys())
    ]
    return tuple(document for _, _, document in sorted(placed, key=lambda item: item[:2]))
