"""Tool calls, searches, rerankings and routes, as a mapping leads to them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from ingest.conventions.catalogues import read_definitions
from ingest.conventions.handoffs import handoff_by_tool
from ingest.conventions.mapped_lists import CHUNK_FACTS, Paths, listed_chunks, mapped_chunks
from ingest.conventions.mapped_texts import told_text
from ingest.conventions.tool_results import read_result, tool_fact
from ingest.span import Document, RerankFact, RetrievalFact, RouteFact, Span, Value
from ingest.values import NOT_CAPTURED, Decoded, decode, identifier

TOOL_FACTS: Final = ("tool", "call_id", "arguments", "result", "failed", *CHUNK_FACTS)
SEARCH_FACTS: Final = ("query", "collection", *CHUNK_FACTS)
RERANK_FACTS: Final = ("query", "chunks_before", *CHUNK_FACTS)
ROUTE_FACTS: Final = ("chosen", "candidates")

_FAILED = frozenset({"true", "error", "failed", "failure", "1"})
_WORKED = frozenset({"false", "ok", "success", "0"})


def with_tool(span: Span, told: Mapping[str, Value], paths: Paths) -> Span:
    """Return *span* with the call that was told."""
    known = span.tool
    chunks = mapped_chunks(told, paths)
    result = decode(told["result"]) if "result" in told else None
    if result is not None:
        result = read_result(result.value) if result.value is not None else result
    elif chunks is not None:
        result = decode([_as_value(chunk) for chunk in chunks])
    elif known is not None:
        result = Decoded(value=known.result, capture=known.result_capture)
    arguments = decode(told["arguments"]) if "arguments" in told else None
    if arguments is None and known is not None:
        arguments = Decoded(value=known.arguments, capture=known.arguments_capture)
    failed = _truth(told.get("failed"))
    tool = tool_fact(
        name=identifier(told.get("tool")) or (known.name if known else span.raw.name),
        call_id=identifier(told.get("call_id")) or (known.call_id if known else None),
        arguments=arguments or NOT_CAPTURED,
        result=result or NOT_CAPTURED,
        error=span.error,
        flagged=failed is True or (failed is None and known is not None and known.is_error),
        definition=known.definition if known else None,
    )
    if failed is False:
        tool = replace(tool, is_error=False, error=None)
    handoff = span.handoff or handoff_by_tool(tool.name, tool.arguments, span.agent)
    return replace(span, tool=tool, handoff=handoff)


def with_search(span: Span, told: Mapping[str, Value], paths: Paths) -> Span:
    """Return *span* with the search that was told."""
    known = span.retrieval or RetrievalFact(query=None, collection=None)
    collection = identifier(told.get("collection"))
    chunks = mapped_chunks(told, paths)
    return replace(
        span,
        retrieval=RetrievalFact(
            query=told_text(told, "query") or known.query,
            collection=collection or known.collection,
            collection_inferred=known.collection_inferred and collection is None,
            documents=known.documents if chunks is None else chunks,
        ),
    )


def with_rerank(span: Span, told: Mapping[str, Value], paths: Paths) -> Span:
    """Return *span* with the reranking that was told."""
    known = span.rerank or RerankFact(query=None, documents_in=None, documents_out=None)
    before = listed_chunks(told["chunks_before"], paths) if "chunks_before" in told else None
    after = mapped_chunks(told, paths)
    return replace(
        span,
        rerank=RerankFact(
            query=told_text(told, "query") or known.query,
            documents_in=known.documents_in if before is None else before,
            documents_out=known.documents_out if after is None else after,
        ),
    )


def with_route(span: Span, told: Mapping[str, Value]) -> Span:
    """Return *span* with the route that was told."""
    known = span.route
    chosen = _names(told.get("chosen"))
    candidates = read_definitions(told["candidates"]) if "candidates" in told else None
    if not chosen and candidates is None:
        return span
    return replace(
        span,
        route=RouteFact(
            chosen=chosen or (known.chosen if known else ()),
            candidates=(known.candidates if known else ()) if candidates is None else candidates,
            inferred=known.inferred if known and not chosen else False,
        ),
    )


def _as_value(document: Document) -> Value:
    return {
        "id": document.document_id,
        "text": document.text,
        "score": document.score,
        "metadata": dict(document.metadata),
    }


def _names(value: Value) -> tuple[str, ...]:
    listed = decode(value).value
    items = listed if isinstance(listed, list) else [listed]
    return tuple(name for item in items if (name := identifier(item)))


def _truth(value: Value) -> bool | None:
    word = str(value).strip().lower()
    return True if word in _FAILED else False if word in _WORKED else None
