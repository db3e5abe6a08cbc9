"""Searches, rerankings, tool executions and decisions of OpenInference spans.

    retrieval.documents.0.document.id = "kb-17"      input.value = "vacation days"
    reranker.output_documents.0.document.score = 3.2
    tool.name = "stock"   input.value = "{'sku': 'A'}"   output.value = "7 left"
    name = "handoff to hr"   input.value = "triage"      output.value = "hr"

Positions are compared as numbers (`10` after `2`), and a gap is no document. Documents that
were recorded without ids take them from `output.value`, where the same list stands again.

Source: OpenInference specification, semantic conventions and decision spans.
"""

from dataclasses import replace

from ingest.conventions.catalogues import is_schema, read_schema
from ingest.conventions.documents import common_collection, complete, read_documents
from ingest.conventions.langchain_values import unwrap_tool_message
from ingest.conventions.lookup import Attributes, first_id, first_text, get, positions, tree
from ingest.conventions.openinference_messages import INPUT, OUTPUT, payload
from ingest.conventions.parts import says_error
from ingest.conventions.payloads import called_with, query_of
from ingest.conventions.tool_results import read_result, tool_fact
from ingest.span import (
    Document,
    HandoffFact,
    RawSpan,
    RerankFact,
    RetrievalFact,
    RouteFact,
    ToolDefinition,
    ToolFact,
    Value,
)
from ingest.values import Decoded, decode, text_of

_DOCUMENTS = "retrieval.documents"
_RERANKED_IN = "reranker.input_documents"
_RERANKED_OUT = "reranker.output_documents"
_HANDOFF = "handoff to "
_CALL_IDS = ("tool_call.id", "tool.id", "tool.call_id")
_SCHEMAS = ("tool.parameters", "tool.json_schema")
_ANSWER_KEYS = ("answer", "choice", "value", "label", "selected")
_OPTION_KEYS = ("options", "choices", "criteria", "labels")


def read_retrieval(attributes: Attributes) -> RetrievalFact:
    """Return what a retriever span tells."""
    found = payload(attributes, OUTPUT)
    documents = complete(_documents(attributes, _DOCUMENTS), read_documents(found.value))
    collection = common_collection(documents or ())
    return RetrievalFact(
        query=query_of(payload(attributes, INPUT).value),
        collection=collection,
        collection_inferred=collection is not None,
        documents=documents,
    )


def read_rerank(attributes: Attributes) -> RerankFact:
    """Return what a reranker span tells; printed results stand in for missing ones."""
    found = read_documents(payload(attributes, OUTPUT).value)
    query = first_text(attributes, "reranker.query")
    return RerankFact(
        query=query or query_of(payload(attributes, INPUT).value),
        documents_in=_documents(attributes, _RERANKED_IN),
        documents_out=complete(_documents(attributes, _RERANKED_OUT), found),
    )


def retrieval_flags(attributes: Attributes) -> tuple[str, ...]:
    """Return `index_gap` where positions are missing in the list of documents."""
    at = positions(attributes, _DOCUMENTS)
    return ("index_gap",) if at and at[-1] + 1 != len(at) else ()


def read_tool(raw: RawSpan, error: str | None) -> ToolFact:
    """Return what a tool span tells.

    Args:
        raw: The span.
        error: The span's own error, control flow left out.
    """
    attributes = raw.attributes
    name = first_id(attributes, "tool.name") or raw.name
    result = read_result(get(attributes, "output.value"))
    message = unwrap_tool_message(result.value) or {}
    if message:
        result = read_result(message.get("content"))
    return tool_fact(
        name=name,
        call_id=first_id(attributes, *_CALL_IDS) or first_id(message, "tool_call_id"),
        arguments=_arguments(attributes),
        result=result,
        error=error,
        flagged=says_error(message),
        definition=_definition(attributes, name),
    )


def read_handoff(raw: RawSpan) -> HandoffFact | None:
    """Return the handoff of a span that is nothing else; its payload names both agents."""
    if not raw.name.startswith(_HANDOFF):
        return None
    target = first_id(raw.attributes, "output.value") or raw.name.removeprefix(_HANDOFF)
    return HandoffFact(target=target, source=first_id(raw.attributes, "input.value"))


def read_decision(attributes: Attributes) -> RouteFact | None:
    """Return what a decision model chose; yes-or-no answers and scores choose nothing."""
    answered, asked = payload(attributes, OUTPUT).value, payload(attributes, INPUT).value
    answers = answered.get("answers", answered) if isinstance(answered, dict) else None
    questions = asked.get("questions") if isinstance(asked, dict) else None
    if not isinstance(answers, dict):
        text = text_of(answered)
        return RouteFact(chosen=(text,)) if text else None
    chosen: list[str] = []
    candidates: list[ToolDefinition] = []
    for key, answer in answers.items():
        picked = _picked(answer)
        if picked is not None:
            chosen.append(picked)
            question = questions.get(key) if isinstance(questions, dict) else None
            candidates.extend(_options(question))
    return RouteFact(chosen=tuple(chosen), candidates=tuple(candidates)) if chosen else None


def _documents(attributes: Attributes, name: str) -> tuple[Document, ...] | None:
    recorded = tree(attributes, name)
    return None if recorded is None else read_documents(recorded)


def _arguments(attributes: Attributes) -> Decoded:
    arguments = payload(attributes, INPUT)
    if arguments.capture == "not_captured":
        told = decode(get(attributes, "tool.parameters"))
        return arguments if is_schema(read_schema(told.value)) else told
    called = called_with(arguments)
    return replace(called, value=_by_name(called.value, attributes))


def _by_name(arguments: Value, attributes: Attributes) -> Value:
    """Return positional arguments under the names in which the tool takes them."""
    if not isinstance(arguments, dict) or not isinstance(positional := arguments.get("args"), list):
        return arguments
    told = decode(get(attributes, "tool.parameters")).value
    named = told.get("properties", told) if isinstance(told, dict) else {}
    names = list(named) if isinstance(named, dict) else []
    if "args" in names or not 0 < len(positional) <= len(names):
        return arguments
    others = {key: value for key, value in arguments.items() if key != "args"}
    return {**dict(zip(names, positional, strict=False)), **others}


def _definition(attributes: Attributes, name: str) -> ToolDefinition | None:
    schemas = (read_schema(get(attributes, key)) for key in _SCHEMAS)
    schema = next((found for found in schemas if is_schema(found)), None)
    description = first_text(attributes, "tool.description")
    if schema is None and description is None:
        return None
    return ToolDefinition(name=name, description=description, parameters=schema)


def _picked(answer: Value) -> str | None:
    if isinstance(answer, dict):
        answer = next((answer[key] for key in _ANSWER_KEYS if key in answer), None)
    return text_of(answer)


def _options(question: Value) -> list[ToolDefinition]:
    if not isinstance(question, dict):
        return []
    options = next((question[key] for key in _OPTION_KEYS if question.get(key)), None)
    if isinstance(options, dict):
        return [ToolDefinition(name=k, description=text_of(v)) for k, v in options.items()]
    listed = options if isinstance(options, list) else []
    return [ToolDefinition(name=option) for option in listed if isinstance(option, str)]
