"""What a span did, by the names that GenAI recorders have for operations.

`gen_ai.operation.name` is the standard's; recorders add operations of their own to it, and
span names begin with the same words (`invoke_agent hr_agent`).

Source: OpenTelemetry GenAI semantic conventions; names of their own are
OpenLLMetry's, Vercel's and Semantic Kernel's.
"""

from ingest.span import SpanKind, Value

_KINDS = {
    "chat": SpanKind.LLM,
    "completion": SpanKind.LLM,
    "generate_content": SpanKind.LLM,
    "text_completion": SpanKind.LLM,
    "text_completions": SpanKind.LLM,
    "embeddings": SpanKind.EMBEDDING,
    "embedding": SpanKind.EMBEDDING,
    "retrieval": SpanKind.RETRIEVER,
    "search_memory": SpanKind.RETRIEVER,
    "vector_db_retrieve": SpanKind.RETRIEVER,
    "rerank": SpanKind.RERANKER,
    "invoke_agent": SpanKind.AGENT,
    "execute_tool": SpanKind.TOOL,
    "handoff": SpanKind.ROUTER,
    # They define, frame or plan; what they lead to has spans of its own.
    "create_agent": SpanKind.OTHER,
    "invoke_workflow": SpanKind.OTHER,
    "execute_task": SpanKind.OTHER,
    "plan": SpanKind.OTHER,
}


def kind_of_operation(operation: Value) -> SpanKind | None:
    """Return the kind of a known operation, None for any other value."""
    return _KINDS.get(operation) if isinstance(operation, str) else None


def kind_of_name(name: str) -> SpanKind | None:
    """Return the kind of a span called `<operation> <target>`, None for other names."""
    return _KINDS.get(name.partition(" ")[0])
