"""Tool executions, searches and handoffs of GenAI spans.

    gen_ai.tool.call.arguments  = {"sku": "A"}        gen_ai.tool.call.result    = "7 left"
    gen_ai.retrieval.query.text = "vacation days"     gen_ai.data_source.id      = "hr"
    gen_ai.retrieval.documents  = [{"id": "hr-001", "score": 0.75}]
    gen_ai.transfer.mode        = "pass_control"      gen_ai.transfer.target.name = "hr"

Structures arrive as JSON text or as they are. Documents may carry text and metadata
beside the two keys of the standard.
"""

from ingest.conventions.catalogues import read_schema
from ingest.conventions.documents import common_collection, read_documents
from ingest.conventions.gen_ai_events import tool_events
from ingest.conventions.handoffs import handoff_by_tool
from ingest.conventions.lookup import Attributes, first, first_id, first_text, get
from ingest.conventions.payloads import query_of
from ingest.conventions.tool_results import read_result, tool_fact
from ingest.span import HandoffFact, RawSpan, RetrievalFact, ToolDefinition, ToolFact, Value
from ingest.values import Decoded, decode, text_of

_TOOL_NAME = "gen_ai.tool.name"
_ARGUMENTS = (
    "gen_ai.tool.call.arguments",
    "tool_arguments",
    "gen_ai.tool.input",
)
_RESULTS = (
    "gen_ai.tool.call.result",
    "tool_response",
    "gen_ai.tool.output",
)
_TOOL_STATUS = "gen_ai.tool.status"
_QUERIES = ("gen_ai.retrieval.query.text", "gen_ai.retriever.query", "gen_ai.retrieval.query")
_DOCUMENTS = ("gen_ai.retrieval.documents", "gen_ai.retriever.results")
_WHOLE_QUERIES = ("gen_ai.prompt", "gen_ai.task.input")
_WHOLE_DOCUMENTS = ("gen_ai.completion", "gen_ai.task.output")
_COLLECTIONS = ("gen_ai.data_source.id", "gen_ai.retrieval.data_source.id", "db.collection.name")
_RETRIEVAL_SPAN = "retrieval "
_TOOL_SPAN = "execute_tool "
_RETURNS = {"return_to_caller": True, "pass_control": False}


def read_tool(raw: RawSpan, error: str | None) -> ToolFact:
    """Return what a tool span tells.

    Args:
        raw: The span.
        error: The span's own error, control flow left out.
    """
    attributes = raw.attributes
    event_arguments, event_result = tool_events(raw)
    name = first_id(attributes, _TOOL_NAME) or raw.name.removeprefix(_TOOL_SPAN)
    return tool_fact(
        name=name,
        call_id=first_id(attributes, "gen_ai.tool.call.id"),
        arguments=read_arguments(_or(first(attributes, _ARGUMENTS), event_arguments)),
        result=read_result(_or(first(attributes, _RESULTS), event_result)),
        error=error,
        flagged=get(attributes, _TOOL_STATUS) == "error",
        definition=_definition(attributes, name),
    )


def read_arguments(value: Value) -> Decoded:
    """Return a call's arguments; an empty text stands for none."""
    return Decoded(value={}) if value == "" else decode(value)


def read_retrieval(raw: RawSpan) -> RetrievalFact:
    """Return what a search span tells."""
    attributes = raw.attributes
    query = first_text(attributes, *_QUERIES) or query_of(
        decode(first(attributes, _WHOLE_QUERIES)).value
    )
    recorded = first(attributes, _DOCUMENTS)
    if recorded is None:
        recorded = first(attributes, _WHOLE_DOCUMENTS)
    documents = None if recorded is None else read_documents(recorded)
    collection = first_id(attributes, *_COLLECTIONS)
    inferred = common_collection(documents or ()) or _named(raw)
    return RetrievalFact(
        query=query,
        collection=collection or inferred,
        collection_inferred=collection is None and inferred is not None,
        documents=documents,
    )


def read_handoff(attributes: Attributes, tool: ToolFact | None) -> HandoffFact | None:
    """Return the handoff that a span records, or that its tool is by name."""
    agent = first_id(attributes, "gen_ai.agent.name")
    target = first_id(attributes, "gen_ai.transfer.target.name", "gen_ai.handoff.to_agent")
    source = first_id(attributes, "gen_ai.handoff.from_agent", "gen_ai.caller.name")
    mode = text_of(get(attributes, "gen_ai.transfer.mode"))
    if target or mode:
        return HandoffFact(
            target=target, source=source or agent, returns=_RETURNS.get(mode) if mode else None
        )
    if source:
        called = "gen_ai.caller.name" in attributes
        return HandoffFact(target=agent if called else None, source=source)
    return handoff_by_tool(tool.name, tool.arguments, agent) if tool else None


def _definition(attributes: Attributes, name: str) -> ToolDefinition | None:
    description = first_text(attributes, "gen_ai.tool.description")
    schema = first(attributes, ("gen_ai.tool.parameters", "gen_ai.tool.json_schema"))
    if description is None and schema is None:
        return None
    return ToolDefinition(name=name, description=description, parameters=read_schema(schema))


def _named(raw: RawSpan) -> str | None:
    """Return the data source of a span called `retrieval <data source>`."""
    if not raw.name.startswith(_RETRIEVAL_SPAN):
        return None
    return raw.name.removeprefix(_RETRIEVAL_SPAN).strip() or None


def _or(value: Value, other: Value) -> Value:
    return other if value is None else value
