"""Retrievals of a turn: what was searched, where, and which chunks came back in what order.

Most agents search through a tool and leave no retriever span. A tool whose result is a
list of passages did retrieve; so did a search tool that found nothing or failed.
"""

import re
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ingest.span import Document, SpanKind, ToolDefinition, Value
from stages.catalogues import collection_argument
from stages.documents import chunk_id_of, documents_in
from stages.executions import Execution
from stages.records import Chunk, Gap, Retrieval, RetrievalStatus
from stages.run import Run
from stages.searches import Search, keys_of, recorded_searches
from stages.tool_results import found_nothing

_QUERY_KEYS = ("query", "q", "question", "search_query", "search_term", "search_text", "queries")
_SEARCH_NAME = re.compile(
    r"(?:\w+[_.-])?(?:search|retriev(?:e|er|al)|look_?up|rag|knowledge(?:_?base)?|vector_?store)"
    r"(?:[_.-]\w+)?",
)
_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|\s+")
"""Where a word begins in `searchDocs`, `HRSearch` and `Search docs`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The searches of a turn, before it is known which chunks entered the prompt."""

    retrievals: tuple[Retrieval, ...]
    searches: frozenset[str]
    """Call ids of the tool calls that are retrievals too."""
    gaps: tuple[Gap, ...]
    first_seen_ns: Mapping[str, int]
    """When each chunk was first seen, by chunk id."""


def retrievals_of(run: Run, executions: Sequence[Execution], call_ids: Sequence[str]) -> Found:
    """Return the retrievals of a turn by start, chunks in final order, `in_context` open."""
    tools = [tool for span in run.acting for tool in span.tools_available or ()]
    searches = recorded_searches(run)
    _join_tools(run, searches, executions)
    joined = {id(search.execution) for search in searches if search.execution is not None}
    known = {e.name for e in executions if id(e) in joined or documents_in(e.result[0])}
    for execution in executions:
        if id(execution) not in joined:
            search = _tool_search(execution, searches_by_name=execution.name in known)
            if search is not None:
                searches.append(search)
    searches.sort(key=lambda s: (s.start_ns is None, s.start_ns or 0, _place(s)))
    ids = {id(e): call_id for e, call_id in zip(executions, call_ids, strict=True)}
    made = [
        _retrieval(run, search, position, ids.get(id(search.execution)), tools)
        for position, search in enumerate(searches, start=1)
    ]
    return Found(
        retrievals=tuple(made),
        searches=frozenset(r.call_id for r in made if r.call_id is not None),
        gaps=tuple(_gaps(made)),
        first_seen_ns=_first_seen(searches, made),
    )


def query_in(arguments: Value) -> str | None:
    """Return the search text among a tool's arguments, None when there is none."""
    if isinstance(arguments, list):  # the queries of a search that the provider ran
        arguments = {"queries": arguments}
    if isinstance(arguments, dict):
        for key in _QUERY_KEYS:
            value = arguments.get(key)
            if isinstance(value, list):
                value = "\n".join(str(item) for item in value if isinstance(item, str))
            if isinstance(value, str) and value.strip():
                return value
    return None


def looks_like_search(name: str, arguments: Value) -> bool:
    """Tell whether a tool is a search by its name and by having a query."""
    spelled = _WORD_START.sub("_", name.strip()).lower()
    named = _SEARCH_NAME.fullmatch(spelled) is not None
    return named and (arguments is None or query_in(arguments) is not None)


def _join_tools(run: Run, searches: Sequence[Search], executions: Sequence[Execution]) -> None:
    """Give each search below a tool span the execution that asked for it."""
    by_span = {span.span_id: e for e in executions for span in e.spans}
    for search in searches:
        for above in run.tree.ancestors(search.spans[0]):
            if above.kind is SpanKind.AGENT:
                break
            if (execution := by_span.get(above.span_id)) is not None:
                search.execution = execution
                search.query = search.query or query_in(execution.arguments[0])
                if search.final is None:
                    search.first = search.final = documents_in(execution.result[0], searched=True)
                break


def _tool_search(execution: Execution, *, searches_by_name: bool) -> Search | None:
    arguments, result = execution.arguments[0], execution.result
    searched = searches_by_name or looks_like_search(execution.name, arguments)
    documents = documents_in(result[0], searched=searched)
    failed = execution.error
    if not documents:
        empty = result[1] != "not_captured" and found_nothing(result[0])
        if not searched or not (empty or failed or result[1] == "not_captured"):
            return None
        documents = () if empty and not failed else None
    return Search(
        spans=list(execution.spans),
        query=query_in(arguments),
        collection=None,
        collection_inferred=False,
        first=documents,
        final=documents,
        error=failed,
        execution=execution,
    )


def _place(search: Search) -> str:
    if search.spans:
        return search.spans[0].span_id
    return (search.execution.call_id or "") if search.execution else ""


def _retrieval(
    run: Run,
    search: Search,
    position: int,
    call_id: str | None,
    tools: Sequence[ToolDefinition],
) -> Retrieval:
    chunks = tuple(_chunks(search))
    collection, inferred = _collection(search, chunks, tools)
    execution = search.execution
    agent = run.agent_of(search.spans[0]) if search.spans else None
    if agent is None and execution is not None and execution.asked_by is not None:
        agent = execution.asked_by.agent
    span_id = search.spans[0].span_id if search.spans else None
    by_tool = execution is not None and search.spans[:1] == execution.spans[:1]
    return Retrieval(
        retrieval_id=(call_id if by_tool else span_id) or f"search-{position}",
        position=position,
        query=search.query,
        status=_status(search),
        collection=collection,
        collection_inferred=inferred,
        chunks=chunks,
        agent=agent,
        call_id=call_id,
        error=search.error,
        span_id=span_id,
    )


def _status(search: Search) -> RetrievalStatus:
    if search.error is not None:
        return "error"
    if search.final is None:
        return "not_captured"
    return "ok" if search.final or search.first else "empty"


def _collection(
    search: Search, chunks: Sequence[Chunk], tools: Sequence[ToolDefinition]
) -> tuple[str | None, bool]:
    if search.collection is not None and not search.collection_inferred:
        return search.collection, False
    execution = search.execution
    if execution is not None:
        named = collection_argument(execution.arguments[0], tools, execution.name)
        if named is not None:
            return named, False
    if search.collection is not None:
        return search.collection, True
    told = {chunk.collection for chunk in chunks}
    only = told.pop() if len(told) == 1 else None
    return only, only is not None


def _chunks(search: Search) -> Iterator[Chunk]:
    """Yield the chunks in final order; what a reranker dropped follows in first order."""
    first, final = search.first or (), search.final or ()
    places: dict[str, deque[int]] = {}
    for index, document in enumerate(first):
        for key in keys_of(document):
            places.setdefault(key, deque()).append(index)
    taken: set[int] = set()
    ordered: list[tuple[Document, int | None]] = []
    for index, document in enumerate(final):
        keys = keys_of(document)
        same_place = index < len(first) and index not in taken and keys & keys_of(first[index])
        place = index if same_place else _next_free(places, keys, taken)
        if place is not None:
            taken.add(place)
        ordered.append((document, place))
    ordered.extend((d, index) for index, d in enumerate(first) if index not in taken)
    for rank, (document, place) in enumerate(ordered, start=1):
        yield Chunk(
            chunk_id=chunk_id_of(document),
            rank=rank,
            first_rank=rank if place is None else place + 1,
            score=document.score,
            text=document.text,
            collection=document.collection or search.collection,
            metadata=document.metadata,
        )


def _next_free(
    places: Mapping[str, deque[int]], keys: Iterable[str], taken: Collection[int]
) -> int | None:
    free: list[int] = []
    for key in keys:
        waiting = places.get(key, deque())
        while waiting and waiting[0] in taken:
            waiting.popleft()
        if waiting:
            free.append(waiting[0])
    return min(free, default=None)


def _gaps(retrievals: Sequence[Retrieval]) -> Iterator[Gap]:
    for retrieval in retrievals:
        if retrieval.status == "not_captured":
            yield Gap(stage="retrieval", reason="retrieval_not_captured", span_id=retrieval.span_id)
        if any(chunk.text is None for chunk in retrieval.chunks):
            yield Gap(
                stage="retrieval", reason="chunk_text_not_captured", span_id=retrieval.span_id
            )


def _first_seen(searches: Sequence[Search], made: Sequence[Retrieval]) -> dict[str, int]:
    seen: dict[str, int] = {}
    for search, retrieval in zip(searches, made, strict=True):
        ends = [s.raw.end_ns for s in search.spans if s.raw.end_ns is not None]
        moment = ends[0] if ends else search.start_ns
        if moment is not None:
            for chunk in retrieval.chunks:
                seen.setdefault(chunk.chunk_id, moment)
    return seen
