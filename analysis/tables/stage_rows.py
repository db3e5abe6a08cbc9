"""Rows of what the stages did: calls, searches, chunks, the answer's blocks, spans."""

from collections.abc import Iterator

from analysis.attribution.claims import claims_of
from analysis.judged import JudgedTurn
from analysis.tables.cells import int64, json_text
from analysis.tables.turn_rows import Row, refined_query
from ingest.span import Value
from judge.answers import Unjudged
from judge.rendering import title_of
from stages.records import Chunk, Turn


def tool_call_rows(turn: Turn) -> Iterator[Row]:
    """Yield one row per tool call, in order of start."""
    for call in turn.tool_calls:
        catalogue = call.catalogue
        yield {
            "turn_id": turn.turn_id,
            "position": call.position,
            "call_id": call.call_id,
            "agent": call.agent,
            "name": call.name,
            "arguments": _recorded(call.arguments),
            "result": _recorded(call.result),
            "status": call.status,
            "error": call.error,
            "catalogue": None if catalogue is None else [tool.name for tool in catalogue],
            "span_id": call.span_id,
            "is_retrieval": call.is_retrieval,
            "truncated": call.truncated,
            "prior": list(call.prior),
        }


def retrieval_rows(turn: Turn) -> Iterator[Row]:
    """Yield one row per search, in order of start."""
    refined = refined_query(turn)
    for search in turn.retrievals:
        captured = search.status != "not_captured"
        yield {
            "turn_id": turn.turn_id,
            "retrieval_id": search.retrieval_id,
            "position": search.position,
            "collection": search.collection,
            "query": search.query,
            "refined_query": refined,
            "status": search.status,
            "n_chunks": len(search.chunks) if captured else None,
            "span_id": search.span_id,
            "agent": search.agent,
            "call_id": search.call_id,
            "error": search.error,
            "collection_inferred": search.collection_inferred,
        }


def chunk_rows(judged: JudgedTurn) -> Iterator[Row]:
    """Yield one row per retrieved chunk, in order of search and rank.

    `cited`: a citation of this turn's answer resolves to it; null when nothing was answered.
    `grade` and what follows from it is null where the judge did not decide.
    """
    turn = judged.turn
    cited = None
    if turn.generation is not None:
        cited = {item.target for item in turn.generation.citations if item.resolved}
    for search in turn.retrievals:
        for chunk in search.chunks:
            yield {
                "turn_id": turn.turn_id,
                "retrieval_id": search.retrieval_id,
                "chunk_id": chunk.chunk_id,
                "rank": chunk.rank,
                "first_rank": chunk.first_rank,
                "score": None if chunk.score is None else float(chunk.score),
                "text": chunk.text,
                "collection": chunk.collection or search.collection,
                "metadata": json_text(dict(chunk.metadata)),
                "in_context": chunk.in_context,
                "cited": None if cited is None else chunk.chunk_id in cited,
                "title": title_of(chunk.metadata),
                **_relevance_cells(judged, chunk),
            }


def _relevance_cells(judged: JudgedTurn, chunk: Chunk) -> Row:
    verdict = judged.relevance.get(chunk.chunk_id)
    if verdict is None:
        return {}
    answer = verdict.answer
    if isinstance(answer, Unjudged):
        return {"unjudged_reason": answer.reason}
    return {"grade": answer.grade, "relevant": answer.relevant, "on_target": answer.target}


def paragraph_rows(judged: JudgedTurn) -> Iterator[Row]:
    """Yield one row per block of the answer.

    `support` is the best support among what it cites and the turn's other evidence; null for
    a block that needs none, and where nothing was decided.
    """
    generation = judged.turn.generation
    if generation is None:
        return
    answer = judged.answer.decided if judged.answer else None
    described = {item.paragraph: item for item in answer.paragraphs} if answer else {}
    claims = {claim.paragraph: claim for claim in claims_of(judged)}
    for block in generation.paragraphs:
        known = described.get(block.paragraph)
        claim = claims.get(block.paragraph)
        yield {
            "turn_id": judged.turn.turn_id,
            "paragraph": block.paragraph,
            "kind": block.kind,
            "start": block.start,
            "end": block.end,
            "text": block.text,
            "needs_source": known.needs_source if known else None,
            "claim": known.claim if known else None,
            "support": claim.best if claim else None,
        }


def citation_rows(turn: Turn) -> Iterator[Row]:
    """Yield one row per citation, in reading order; `chunk_id` may be a tool call's id."""
    for item in turn.generation.citations if turn.generation else ():
        yield {
            "turn_id": turn.turn_id,
            "citation": item.citation,
            "paragraph": item.paragraph,
            "marker": item.marker,
            "start": item.start,
            "end": item.end,
            "chunk_id": item.target,
            "status": item.status,
            "source": item.source,
        }


def span_rows(turn: Turn) -> Iterator[Row]:
    """Yield one row per span of the turn, as the turn orders them."""
    for span in turn.spans:
        yield {
            "trace_id": span.trace_id,
            "span_id": span.span_id,
            "parent_span_id": span.parent_id,
            "name": span.name,
            "kind": span.kind,
            "start_ns": int64(span.start_ns),
            "end_ns": int64(span.end_ns),
            "status": span.status,
            "service": span.service,
            "conversation_id": turn.conversation_id,
            "turn_id": turn.turn_id,
            "convention": span.convention,
            "flags": list(span.flags),
            "attributes": span.attributes,
            "stage": span.stage,
        }


def _recorded(value: Value) -> str | None:
    """Return a value as JSON text; None when it was not captured."""
    return None if value is None else json_text(value)
