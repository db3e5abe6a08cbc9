"""One Arrow schema per table of a run.

The first columns of each table are a contract: other people's scripts read them by name.
What stands after the blank line of a table may grow. A missing value is always null:
never 0, never an empty text, never NaN.
"""

from typing import Final, Literal, TypeAlias, get_args

import pyarrow as pa

TableName: TypeAlias = Literal[
    "turns",
    "tool_calls",
    "retrievals",
    "chunks",
    "paragraphs",
    "citations",
    "spans",
    "verdicts",
    "metrics",
    "findings",
    "losses",
]
TABLES: Final[tuple[TableName, ...]] = get_args(TableName)

SCHEMA_VERSION: Final = 1
"""Raised when a column is renamed, removed or changes its meaning; not when one is added."""

_TEXT = pa.string()
_INT = pa.int64()
_REAL = pa.float64()
_FLAG = pa.bool_()
_TEXTS = pa.list_(pa.field("element", _TEXT))  # the name that Parquet gives back
_INTS = pa.list_(pa.field("element", _INT))
_TIME = pa.timestamp("ns", tz="UTC")


def _schema(columns: dict[str, pa.DataType]) -> pa.Schema:
    metadata = {"schema_version": str(SCHEMA_VERSION)}
    return pa.schema(list(columns.items()), metadata=metadata)


SCHEMAS: Final[dict[TableName, pa.Schema]] = {
    "turns": _schema({
        "conversation_id": _TEXT,
        "turn": _INT,
        "turn_id": _TEXT,
        "trace_ids": _TEXTS,
        "service": _TEXT,
        "agent": _TEXT,
        "agents": _TEXTS,
        "model": _TEXT,
        "language": _TEXT,
        "flags": _TEXTS,
        "started_at": _TIME,
        "duration_ms": _REAL,
        "question": _TEXT,
        "answer": _TEXT,
        "complete": _FLAG,
        "outcome": _TEXT,
        "outcome_reason": _TEXT,
        "root_stage": _TEXT,
        "root_kind": _TEXT,
        "inherited_from": _TEXT,
        "sentence": _TEXT,
        "input_tokens": _INT,
        "output_tokens": _INT,
        "cached_tokens": _INT,
        "routing_ms": _REAL,
        "retrieval_ms": _REAL,
        "generation_ms": _REAL,
        "first_output_ms": _REAL,

        "tenant": _TEXT,
        "answer_language": _TEXT,
        "collections": _TEXTS,
        "found_collections": _TEXTS,
        "tools": _TEXTS,
        "refined_query": _TEXT,
        "gaps": _TEXTS,
        "missing": _TEXTS,
        "causes": _TEXT,
        "elements": _TEXT,
        "reply": _TEXT,
        "citing_expected": _FLAG,
        "answer_source": _TEXT,
        "answer_flag": _TEXT,
        "finish_reason": _TEXT,
        "error": _FLAG,
        "golden_id": _TEXT,
        "routing_input_tokens": _INT,
        "routing_output_tokens": _INT,
        "retrieval_input_tokens": _INT,
        "retrieval_output_tokens": _INT,
        "generation_input_tokens": _INT,
        "generation_output_tokens": _INT,
    }),
    "tool_calls": _schema({
        "turn_id": _TEXT,
        "position": _INT,
        "call_id": _TEXT,
        "agent": _TEXT,
        "name": _TEXT,
        "arguments": _TEXT,
        "result": _TEXT,
        "status": _TEXT,
        "error": _TEXT,
        "catalogue": _TEXTS,
        "span_id": _TEXT,

        "is_retrieval": _FLAG,
        "truncated": _FLAG,
        "prior": _TEXTS,
    }),
    "retrievals": _schema({
        "turn_id": _TEXT,
        "retrieval_id": _TEXT,
        "position": _INT,
        "collection": _TEXT,
        "query": _TEXT,
        "refined_query": _TEXT,
        "status": _TEXT,
        "n_chunks": _INT,
        "span_id": _TEXT,

        "agent": _TEXT,
        "call_id": _TEXT,
        "error": _TEXT,
        "collection_inferred": _FLAG,
    }),
    "chunks": _schema({
        "turn_id": _TEXT,
        "retrieval_id": _TEXT,
        "chunk_id": _TEXT,
        "rank": _INT,
        "first_rank": _INT,
        "score": _REAL,
        "text": _TEXT,
        "collection": _TEXT,
        "metadata": _TEXT,
        "in_context": _FLAG,
        "grade": _INT,
        "relevant": _FLAG,
        "cited": _FLAG,

        "title": _TEXT,
        "on_target": _FLAG,
        "unjudged_reason": _TEXT,
    }),
    "paragraphs": _schema({
        "turn_id": _TEXT,
        "paragraph": _INT,
        "kind": _TEXT,
        "start": _INT,
        "end": _INT,
        "text": _TEXT,
        "needs_source": _FLAG,

        "claim": _TEXT,
        "support": _TEXT,
    }),
    "citations": _schema({
        "turn_id": _TEXT,
        "citation": _INT,
        "paragraph": _INT,
        "marker": _TEXT,
        "start": _INT,
        "end": _INT,
        "chunk_id": _TEXT,
        "status": _TEXT,
        "source": _TEXT,
    }),
    "spans": _schema({
        "trace_id": _TEXT,
        "span_id": _TEXT,
        "parent_span_id": _TEXT,
        "name": _TEXT,
        "kind": _TEXT,
        "start_ns": _INT,
        "end_ns": _INT,
        "status": _TEXT,
        "service": _TEXT,
        "conversation_id": _TEXT,
        "turn_id": _TEXT,
        "convention": _TEXT,
        "flags": _TEXTS,
        "attributes": _TEXT,

        "stage": _TEXT,
    }),
    "verdicts": _schema({
        "key": _TEXT,
        "conversation_id": _TEXT,
        "turn_id": _TEXT,
        "question": _TEXT,
        "subject": _TEXT,
        "status": _TEXT,
        "unjudged_reason": _TEXT,
        "label": _TEXT,
        "grade": _INT,
        "reason": _TEXT,
        "quotes": _TEXTS,
        "judge": _TEXT,
        "prompt_version": _TEXT,
        "model": _TEXT,
        "input_tokens": _INT,
        "output_tokens": _INT,
        "cost_usd": _REAL,
        "from_store": _FLAG,

        "paragraph": _INT,
        "element": _INT,
        "chunk_id": _TEXT,
        "evidence_ids": _TEXTS,
        "rest": _FLAG,
        "criterion": _TEXT,
        "score": _REAL,
        "detail": _TEXT,
        "flags": _TEXTS,
        "hidden_characters": _INT,
    }),
    "metrics": _schema({
        "turn_id": _TEXT,
        "stage": _TEXT,
        "metric": _TEXT,
        "value": _REAL,
        "hits": _REAL,
        "total": _INT,
        "reason": _TEXT,

        "unit": _TEXT,
        "lengths": _INTS,
    }),
    "findings": _schema({
        "turn_id": _TEXT,
        "stage": _TEXT,
        "kind": _TEXT,
        "role": _TEXT,
        "explanation": _TEXT,
        "evidence": _TEXTS,
    }),
    "losses": _schema({
        "outcome": _TEXT,
        "reason": _TEXT,
        "file": _TEXT,
        "offset": _INT,
        "detail": _TEXT,
    }),
}  # fmt: skip
