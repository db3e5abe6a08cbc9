"""TruLens spans, by hand."""

import json
from typing import Any

import pytest

from ingest.span import (
    Document,
    RerankFact,
    RetrievalFact,
    RouteFact,
    Span,
    SpanKind,
    ToolFact,
    Usage,
)
from tests.ingest.conventions.recordings import made

QUESTION = "How many vacation days?"
PASSAGES = ["25 days a year.", "Ask your manager first."]
FIRST, SECOND = (Document(document_id=None, text=text) for text in PASSAGES)


def trulens(kind: str, name: str = "step", **attributes: Any) -> Span:
    told = {f"ai.observability.{k.replace('__', '.')}": v for k, v in attributes.items()}
    return made({"ai.observability.span_type": kind, **told}, name=name)


def test_a_record() -> None:
    span = trulens(
        "record_root",
        record_root__input=QUESTION,
        record_root__output="25 days.",
        conversation_id="conv-42",
    )
    assert (span.kind, span.agent, span.conversation_id) == (SpanKind.AGENT, None, "conv-42")
    assert (span.input_text, span.output_text) == (QUESTION, "25 days.")
    assert span.conventions == ("trulens",)


def test_an_agent_is_named_by_its_function() -> None:
    assert trulens("agent", call__function="shop.Bot.hr_agent").agent == "hr_agent"
    assert trulens("agent", workflow__agent_name="HR").agent == "HR"


def test_a_retrieval() -> None:
    span = trulens(
        "retrieval", retrieval__query_text=QUESTION, retrieval__retrieved_contexts=PASSAGES
    )
    assert span.retrieval == RetrievalFact(
        query=QUESTION, collection=None, documents=(FIRST, SECOND)
    )


def test_a_retrieval_told_by_its_function_only() -> None:
    returned = json.dumps([{"id": "hr-001", "text": PASSAGES[0]}])
    span = trulens("retrieval", call__kwargs__query=QUESTION, call__return=returned)
    assert span.retrieval == RetrievalFact(
        query=QUESTION,
        collection=None,
        documents=(Document(document_id="hr-001", text=PASSAGES[0]),),
    )


def test_a_reranking() -> None:
    span = trulens(
        "reranking",
        reranking__query_text=QUESTION,
        reranking__input_context_texts=PASSAGES,
        reranking__output_context_texts=PASSAGES[::-1],
        reranking__output_context_scores=[0.9, 0.5],
    )
    assert span.rerank == RerankFact(
        query=QUESTION,
        documents_in=(FIRST, SECOND),
        documents_out=(
            Document(document_id=None, text=PASSAGES[1], score=0.9),
            Document(document_id=None, text=PASSAGES[0], score=0.5),
        ),
    )


def test_scores_of_another_length_belong_to_nothing() -> None:
    span = trulens(
        "reranking",
        reranking__output_context_texts=PASSAGES,
        reranking__output_context_scores=[0.9],
    )
    assert span.rerank is not None
    assert span.rerank.documents_out == (FIRST, SECOND)


def test_a_generation() -> None:
    span = trulens(
        "generation",
        call__kwargs__prompt=QUESTION,
        call__kwargs__self="<shop.Bot object>",
        call__return="25 days.",
        cost__model="m1",
        cost__num_prompt_tokens=50,
        cost__num_completion_tokens=5,
        generation__time_to_first_token_ms=120.5,
    )
    assert (span.kind, span.model) == (SpanKind.LLM, "m1")
    assert (span.input_text, span.output_text) == (QUESTION, "25 days.")
    assert span.usage == Usage(input_tokens=50, output_tokens=5)
    assert span.first_output_ms == 120.5


def test_a_generation_takes_all_of_its_arguments() -> None:
    span = trulens(
        "generation", call__kwargs__query=QUESTION, call__kwargs__context=json.dumps(PASSAGES)
    )
    assert json.loads(span.input_text or "") == {"query": QUESTION, "context": PASSAGES}


@pytest.mark.parametrize(
    ("kind", "attributes"),
    [
        pytest.param(
            "tool",
            {"call__function": "shop.stock", "call__kwargs__sku": "A", "call__return": "7 left"},
            id="function",
        ),
        pytest.param(
            "MCP",
            {
                "mcp__tool_name": "stock",
                "mcp__input_arguments": '{"sku": "A"}',
                "mcp__output_content": "7 left",
            },
            id="MCP",
        ),
    ],
)
def test_a_tool(kind: str, attributes: dict[str, Any]) -> None:
    span = trulens(kind, **attributes)
    assert span.kind is SpanKind.TOOL
    assert span.tool == ToolFact(name="stock", arguments={"sku": "A"}, result="7 left")


def test_a_tool_that_says_it_failed() -> None:
    span = trulens(
        "MCP",
        mcp__tool_name="stock",
        mcp__output_content="No such item.",
        mcp__output_is_error=True,
    )
    assert span.tool is not None
    assert (span.tool.is_error, span.tool.error) == (True, "No such item.")


@pytest.mark.parametrize(("passed", "flag"), [(True, None), (False, "no_secrets")])
def test_a_guardrail(*, passed: bool, flag: str | None) -> None:
    span = trulens("guardrail", guardrail__name="no_secrets", guardrail__passed=passed)
    assert (span.kind, span.policy_flag) == (SpanKind.GUARDRAIL, flag)


def test_a_node_that_routes() -> None:
    span = trulens(
        "graph_node",
        graph_node__node_name="router",
        graph_node__input_state=json.dumps({"question": QUESTION}),
        graph_node__output_state=json.dumps({"route": "hr_policies"}),
    )
    assert (span.node, span.kind) == ("router", SpanKind.ROUTER)
    assert span.route == RouteFact(chosen=("hr_policies",), inferred=True)


@pytest.mark.parametrize("kind", ["eval", "eval_root", "eval_decision", "unknown"])
def test_feedback_does_no_stages_work(kind: str) -> None:
    span = trulens(kind, eval__score=0.5)
    assert (span.kind, span.output_text) == (SpanKind.OTHER, None)
