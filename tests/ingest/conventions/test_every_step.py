"""Where every recorder writes what agents, tools and searches did, by one row each.

A row is a span as its recorder writes it, and one fact that it tells.
"""

import json
from typing import Any

import pytest

from ingest.span import RawEvent, Span
from tests.ingest.conventions.recordings import made

OI, GENAI, LLMETRY = "openinference.span.kind", "gen_ai.operation.name", "traceloop.span.kind"
VERCEL, MLFLOW = "ai.operationId", "mlflow.spanType"
TOOL = '[{"type":"function","function":{"name":"stock","parameters":{"type":"object"}}}]'


def tools(span: Span) -> list[str]:
    return [tool.name for tool in span.tools_available or ()]


def handoff(span: Span) -> tuple[str | None, str | None, bool | None]:
    assert span.handoff is not None
    return span.handoff.source, span.handoff.target, span.handoff.returns


def call(span: Span) -> tuple[Any, ...]:
    assert span.tool is not None
    return span.tool.name, span.tool.call_id, span.tool.arguments, span.tool.result


def search(span: Span) -> tuple[Any, ...]:
    assert span.retrieval is not None
    return span.retrieval.query, span.retrieval.collection


def chunks(span: Span) -> list[tuple[Any, ...]]:
    assert span.retrieval is not None
    return [(d.document_id, d.text, d.score) for d in span.retrieval.documents or ()]


def reranked(span: Span) -> tuple[Any, ...]:
    assert span.rerank is not None
    return span.rerank.query, [(d.text, d.score) for d in span.rerank.documents_out or ()]


ROWS = [
    # agents and handoffs
    pytest.param(
        {GENAI: "execute_tool", "gen_ai.tool.name": "to_hr", "gen_ai.agent.name": "triage"}
        | {"gen_ai.transfer.mode": "pass_control", "gen_ai.transfer.target.name": "hr"},
        handoff,
        ("triage", "hr", False),
        id="genai pass_control",
    ),
    pytest.param(
        {GENAI: "execute_tool", "gen_ai.tool.name": "to_hr", "gen_ai.agent.name": "triage"}
        | {"gen_ai.transfer.mode": "return_to_caller", "gen_ai.transfer.target.name": "hr"},
        handoff,
        ("triage", "hr", True),
        id="genai return_to_caller",
    ),
    pytest.param(
        {GENAI: "invoke_agent", "gen_ai.agent.name": "hr"}
        | {"gen_ai.caller.type": "agent", "gen_ai.caller.name": "triage"},
        handoff,
        ("triage", "hr", None),
        id="genai caller",
    ),
    pytest.param(
        {GENAI: "handoff", LLMETRY: "handoff"}
        | {"gen_ai.handoff.from_agent": "triage", "gen_ai.handoff.to_agent": "hr"},
        handoff,
        ("triage", "hr", None),
        id="openllmetry handoff",
    ),
    pytest.param(
        {GENAI: "execute_tool", "gen_ai.tool.name": "transfer_to_agent"}
        | {"gcp.vertex.agent.tool_call_args": '{"agent_name": "hr"}'},
        handoff,
        (None, "hr", None),
        id="adk transfer",
    ),
    pytest.param(
        {"span.type": "agentic.delegation"}
        | {"entity.1.from_agent": "triage", "entity.1.to_agent": "hr"},
        handoff,
        ("triage", "hr", None),
        id="monocle delegation",
    ),
    # tools
    pytest.param(
        {GENAI: "execute_tool", "gen_ai.tool.name": "stock", "gen_ai.tool.call.id": "c1"}
        | {"gen_ai.tool.call.arguments": {"sku": "A"}, "gen_ai.tool.call.result": "7"},
        call,
        ("stock", "c1", {"sku": "A"}, "7"),
        id="genai tool",
    ),
    pytest.param(
        {GENAI: "execute_tool", "gen_ai.tool.name": "stock", "gen_ai.tool.call.id": "c1"}
        | {"tool_arguments": '{"sku": "A"}', "tool_response": "7"},
        call,
        ("stock", "c1", {"sku": "A"}, "7"),
        id="pydantic ai v2 tool",
    ),
    pytest.param(
        {GENAI: "execute_tool", "gen_ai.tool.name": "stock", "gen_ai.tool.call.id": "c1"}
        | {"gcp.vertex.agent.tool_call_args": '{"sku": "A"}'}
        | {"gcp.vertex.agent.tool_response": '{"result": "7"}'},
        call,
        ("stock", "c1", {"sku": "A"}, "7"),
        id="adk tool",
    ),
    pytest.param(
        {VERCEL: "ai.toolCall", "ai.toolCall.name": "stock", "ai.toolCall.id": "c1"}
        | {"ai.toolCall.args": '{"sku": "A"}', "ai.toolCall.result": '"7"'},
        call,
        ("stock", "c1", {"sku": "A"}, "7"),
        id="vercel tool",
    ),
    pytest.param(
        {OI: "TOOL", "tool.name": "stock", "tool.id": "c1"}
        | {"input.value": "{'sku': 'A', 'n': None}", "output.value": "7"},
        call,
        ("stock", "c1", {"sku": "A", "n": None}, "7"),
        id="openinference python repr",
    ),
    pytest.param(
        {GENAI: "execute_tool", LLMETRY: "tool", "gen_ai.tool.name": "stock"}
        | {
            "gen_ai.tool.call.arguments": json.dumps(
                {"input_str": "{'sku': 'A'}", "tags": [], "metadata": {}}
            ),
            "gen_ai.tool.call.result": json.dumps({"output": "7", "kwargs": {}}),
        },
        call,
        ("stock", None, {"sku": "A"}, "7"),
        id="openllmetry envelope",
    ),
    pytest.param(
        {GENAI: "execute_tool", "gen_ai.tool.name": "stock"}
        | {"gen_ai.tool.input": '{"sku": "A"}', "gen_ai.tool.output": "7"},
        call,
        ("stock", None, {"sku": "A"}, "7"),
        id="langchain-azure tool",
    ),
    # catalogues
    pytest.param({GENAI: "chat", "gen_ai.tool.definitions": TOOL}, tools, ["stock"], id="genai"),
    pytest.param(
        {OI: "LLM", "llm.tools.0.tool.json_schema": json.dumps(json.loads(TOOL)[0])},
        tools,
        ["stock"],
        id="openinference tools",
    ),
    pytest.param(
        {GENAI: "chat", "gen_ai.request.model": "m", "llm.request.functions.0.name": "stock"},
        tools,
        ["stock"],
        id="openllmetry functions",
    ),
    pytest.param(
        {MLFLOW: '"CHAT_MODEL"', "mlflow.chat.tools": TOOL}, tools, ["stock"], id="mlflow tools"
    ),
    pytest.param(
        {VERCEL: "ai.generateText.doGenerate"}
        | {"ai.prompt.tools": ['{"type":"function","name":"stock","inputSchema":{}}']},
        tools,
        ["stock"],
        id="vercel tools",
    ),
    pytest.param(
        {GENAI: "chat", "gen_ai.request.model": "m"}
        | {
            "model_request_parameters": json.dumps(
                {"function_tools": [{"name": "stock", "parameters_json_schema": {}}]}
            )
        },
        tools,
        ["stock"],
        id="pydantic ai parameters",
    ),
    pytest.param(
        {GENAI: "invoke_agent", "gen_ai.agent.tools": '["stock"]'},
        tools,
        ["stock"],
        id="strands names",
    ),
    # searches
    pytest.param(
        {GENAI: "retrieval", "gen_ai.retrieval.query.text": "q", "gen_ai.data_source.id": "hr"},
        search,
        ("q", "hr"),
        id="genai search",
    ),
    pytest.param(
        {GENAI: "vector_db_retrieve", LLMETRY: "task", "gen_ai.task.input": '{"query": "q"}'},
        search,
        ("q", None),
        id="openllmetry task input",
    ),
    pytest.param(
        {OI: "RETRIEVER", "input.value": '{"query_bundle": {"query_str": "q"}}'},
        search,
        ("q", None),
        id="llama-index bundle",
    ),
    pytest.param(
        {OI: "RETRIEVER", "input.value": '{"query_str": "q"}'},
        search,
        ("q", None),
        id="llama-index query_str",
    ),
    pytest.param(
        {MLFLOW: '"RETRIEVER"', "mlflow.spanInputs": '{"query": "q", "collection": "hr"}'},
        search,
        ("q", "hr"),
        id="mlflow search",
    ),
    pytest.param(
        {"db.system": "qdrant", "db.operation": "search", "qdrant.search.collection_name": "hr"},
        search,
        (None, "hr"),
        id="qdrant collection",
    ),
    pytest.param(
        {"db.system": "milvus", "db.operation": "search", "db.milvus.search.collection_name": "hr"},
        search,
        (None, "hr"),
        id="milvus collection",
    ),
    pytest.param(
        {GENAI: "execute_tool", "gen_ai.tool.type": "retriever", "gen_ai.tool.name": "store"}
        | {"gen_ai.retriever.query": "q", "gen_ai.retriever.results": "[]"},
        search,
        ("q", None),
        id="langchain-azure search",
    ),
    pytest.param(
        {"ai.observability.span_type": "retrieval", "ai.observability.retrieval.query_text": "q"},
        search,
        ("q", None),
        id="trulens search",
    ),
    # chunks
    pytest.param(
        {
            GENAI: "retrieval",
            "gen_ai.retrieval.documents": '[{"id": "a", "score": null}, {"id": 2}]',
        },
        chunks,
        [("a", None, None), ("2", None, None)],
        id="genai documents without text",
    ),
    pytest.param(
        {OI: "RETRIEVER", "retrieval.documents.0.document.id": 7}
        | {
            "retrieval.documents.0.document.content": "x",
            "retrieval.documents.0.document.score": 2,
        },
        chunks,
        [("7", "x", 2.0)],
        id="openinference id as a number",
    ),
    pytest.param(
        {OI: "RETRIEVER", "retrieval.documents.0.document.content": "x"}
        | {
            "retrieval.documents.0.document.metadata": json.dumps(
                {"x-amz-bedrock-kb-chunk-id": "kb-1"}
            )
        },
        chunks,
        [("kb-1", "x", None)],
        id="bedrock id in metadata",
    ),
    pytest.param(
        {MLFLOW: '"RETRIEVER"'}
        | {
            "mlflow.spanOutputs": json.dumps(
                [{"page_content": "x", "metadata": {"chunk_id": "c", "score": 0.5}}]
            )
        },
        chunks,
        [("c", "x", 0.5)],
        id="mlflow score in metadata",
    ),
    pytest.param(
        {"ai.observability.span_type": "retrieval"}
        | {"ai.observability.retrieval.retrieved_contexts": ["x", "y"]},
        chunks,
        [(None, "x", None), (None, "y", None)],
        id="trulens texts",
    ),
    # rerankings
    pytest.param(
        {VERCEL: "ai.rerank.doRerank", "ai.documents": ['"x"', '"y"']}
        | {"ai.ranking": ['{"index":1,"relevanceScore":0.9}', '{"index":0,"relevanceScore":0.1}']},
        reranked,
        (None, [("y", 0.9), ("x", 0.1)]),
        id="vercel ranking",
    ),
    pytest.param(
        {OI: "RERANKER", "reranker.query": "q", "reranker.top_k": 1}
        | {"reranker.output_documents.0.document.content": "y"}
        | {"reranker.output_documents.0.document.score": 3.5},
        reranked,
        ("q", [("y", 3.5)]),
        id="openinference reranking",
    ),
    # routes
    pytest.param(
        {GENAI: "invoke_agent", "metadata.langgraph.goto": "hr"},
        lambda s: s.route.chosen,
        ("hr",),
        id="langchain-azure goto",
    ),
]


@pytest.mark.parametrize(("attributes", "fact", "expected"), ROWS)
def test_a_fact_is_read(attributes: dict[str, Any], fact: Any, expected: Any) -> None:
    assert fact(made(attributes)) == expected


def test_a_milvus_hit_is_an_event() -> None:
    hit = RawEvent(
        name="db.query.result",
        attributes={
            "db.query.result.id": "a",
            "db.query.result.distance": 0.25,
            "db.query.result.document": "x",
            "db.query.result.metadata": '{"page": 1}',
        },
    )
    span = made({"db.system": "chroma", "db.operation": "query"}, events=(hit,))
    assert chunks(span) == [("a", "x", 0.25)]
