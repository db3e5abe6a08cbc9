import json
from typing import Any

import pytest

from ingest.span import (
    Document,
    HandoffFact,
    Message,
    NativeCitation,
    RawEvent,
    RerankFact,
    RouteFact,
    Span,
    SpanKind,
    ToolDefinition,
    ToolRequest,
    ToolResponse,
    Usage,
    Value,
)
from tests.ingest.conventions.recordings import made


def oi(kind: str, attributes: dict[str, Any] | None = None, **fields: Any) -> Span:
    return made({"openinference.span.kind": kind, **(attributes or {})}, **fields)


@pytest.mark.parametrize(
    ("recorded", "kind"),
    [
        ("LLM", SpanKind.LLM),
        ("RETRIEVER", SpanKind.RETRIEVER),
        ("RERANKER", SpanKind.RERANKER),
        ("EMBEDDING", SpanKind.EMBEDDING),
        ("TOOL", SpanKind.TOOL),
        ("AGENT", SpanKind.AGENT),
        ("GUARDRAIL", SpanKind.GUARDRAIL),
        ("DECISION", SpanKind.ROUTER),
        ("CHAIN", SpanKind.OTHER),
        ("PROMPT", SpanKind.OTHER),
        ("EVALUATOR", SpanKind.OTHER),
        ("UNKNOWN", SpanKind.OTHER),
        ("llm", SpanKind.LLM),
        ("A_NEW_ONE", SpanKind.OTHER),
    ],
)
def test_kind(recorded: str, kind: SpanKind) -> None:
    assert oi(recorded).kind is kind


@pytest.mark.parametrize(
    ("attributes", "kind"),
    [
        ({"retrieval.documents.3.document.id": "p-1"}, SpanKind.RETRIEVER),
        ({"llm.output_messages.0.message.role": "assistant"}, SpanKind.LLM),
        ({"llm.token_count.prompt": 5}, SpanKind.LLM),
        ({"reranker.query": "shoes"}, SpanKind.RERANKER),
        ({"tool.name": "stock"}, SpanKind.TOOL),
        ({"output.value": "Hello"}, SpanKind.OTHER),
    ],
)
def test_a_kind_that_was_dropped_shows_in_the_other_keys(
    attributes: dict[str, Any], kind: SpanKind
) -> None:
    span = made(attributes)
    assert (span.kind, span.conventions) == (kind, ("openinference",))


def test_names_may_be_nested() -> None:
    span = made(
        {
            "openinference": {"span": {"kind": "RETRIEVER"}},
            "session": {"id": "conv-42"},
            "input": {"value": "vacation days"},
            "retrieval": {
                "documents": [
                    {"document.id": "hr-001", "document.metadata": '{"collection": "hr"}'},
                    {"document": {"id": "hr-002", "content": "Leave."}},
                ]
            },
        }
    )
    assert (span.kind, span.conversation_id) == (SpanKind.RETRIEVER, "conv-42")
    assert span.retrieval is not None
    assert span.retrieval.query == "vacation days"
    assert [d.document_id for d in span.retrieval.documents or ()] == ["hr-001", "hr-002"]


# Searches


def documents(attributes: dict[str, Any]) -> tuple[Document, ...] | None:
    fact = oi("RETRIEVER", attributes).retrieval
    assert fact is not None
    return fact.documents


def test_positions_are_numbers_and_gaps_close() -> None:
    leaves = {f"retrieval.documents.{at}.document.id": f"p-{at}" for at in ("10", "2", "0", "12")}
    found = documents(leaves) or ()
    assert [document.document_id for document in found] == ["p-0", "p-2", "p-10", "p-12"]
    assert oi("RETRIEVER", leaves).flags == ("index_gap",)
    assert oi("RETRIEVER", {"retrieval.documents.0.document.id": "p-0"}).flags == ()


def test_scores_are_kept_as_they_are_or_unknown() -> None:
    leaves = {
        "retrieval.documents.0.document.score": 0.12,
        "retrieval.documents.1.document.score": -3.5,
        "retrieval.documents.2.document.score": "NaN",
        "retrieval.documents.3.document.content": "no score",
        "retrieval.documents.4.document.metadata": '{"score": 0.4}',
    }
    assert [d.score for d in documents(leaves) or ()] == [0.12, -3.5, None, None, 0.4]


@pytest.mark.parametrize(
    ("document", "document_id"),
    [
        pytest.param({"id": "a", "metadata": '{"chunk_id": "b"}'}, "a", id="its own"),
        pytest.param({"id": 7}, "7", id="a number"),
        pytest.param({"metadata": '{"chunk_id": "b", "id": "c"}'}, "b", id="chunk_id first"),
        pytest.param({"metadata": '{"x-amz-bedrock-kb-chunk-id": "k"}'}, "k", id="Bedrock's"),
        pytest.param({"metadata": '{"doc_uri": "u"}'}, "u", id="an address"),
        pytest.param({"metadata": "{'doc_id': 'd'}"}, "d", id="metadata as a Python repr"),
        pytest.param({"metadata": {"doc_id": "d"}}, "d", id="metadata as a structure"),
        pytest.param({"metadata": '{"source": "a.md"}'}, None, id="a source is shared by chunks"),
    ],
)
def test_the_id_of_a_document(document: dict[str, Value], document_id: str | None) -> None:
    leaves = {f"retrieval.documents.0.document.{key}": value for key, value in document.items()}
    assert [d.document_id for d in documents(leaves) or ()] == [document_id]


def test_ids_come_from_the_output_where_the_same_list_has_them() -> None:
    leaves = {
        "retrieval.documents.0.document.content": "25 days.",
        "retrieval.documents.1.document.content": "16 weeks.",
        "output.value": '{"documents": [{"id": "hr-001", "page_content": "25 days."}, {"id": "hr-002"}]}',
    }
    assert [(d.document_id, d.text) for d in documents(leaves) or ()] == [
        ("hr-001", "25 days."),
        ("hr-002", "16 weeks."),
    ]
    other_list = {**leaves, "output.value": '[{"id": "hr-001"}]'}
    assert [d.document_id for d in documents(other_list) or ()] == [None, None]


@pytest.mark.parametrize(
    ("output", "ids"),
    [
        pytest.param(None, None, id="absent: not told"),
        pytest.param("[]", [], id="an empty list: nothing found"),
        pytest.param('{"documents": []}', [], id="an empty list inside"),
        pytest.param("__REDACTED__", None, id="masked"),
        pytest.param("three documents", None, id="a text"),
        pytest.param('["<NodeWithScore(node=TextNode(id_=hr-001), score=0.9)>"]', ["hr-001"], id="printed nodes"),
        pytest.param(
            "{\"documents\": [\"Document(id=hr-001, content: 'It''s 25.', meta: {'a': 1}, score: 1.9)\"]}",
            ["hr-001"], id="printed documents",
        ),
    ],
)  # fmt: skip
def test_documents_of_the_output(output: str | None, ids: list[str] | None) -> None:
    found = documents({} if output is None else {"output.value": output})
    assert (None if found is None else [d.document_id for d in found]) == ids


def test_masked_documents_keep_their_ids() -> None:
    leaves = {
        "retrieval.documents.0.document.id": "p-1",
        "retrieval.documents.0.document.content": "__REDACTED__",
    }
    assert documents(leaves) == (Document(document_id="p-1", text=None),)


@pytest.mark.parametrize(
    ("metadata", "collection"),
    [
        pytest.param(['{"collection": "hr"}', '{"collection": "hr"}'], "hr", id="the same"),
        pytest.param(['{"collection": "hr"}', '{"collection": "it"}'], None, id="different ones"),
        pytest.param(['{"collection": "hr"}', "{}"], None, id="not for all"),
        pytest.param(['{"source": "kb/hr/a.md"}', '{"source": "kb/hr/b.md"}'], "hr", id="the folder"),
        pytest.param(['{"source": "a.md"}', '{"source": "b.md"}'], None, id="no folder"),
        pytest.param(['{"source": "https://x.org/hr/a"}'], None, id="an address has no folder"),
        pytest.param(['{"index": 3}'], None, id="a number is a position"),
        pytest.param(['{"namespace": "hr"}'], "hr", id="a namespace"),
    ],
)  # fmt: skip
def test_collection_of_the_metadata(metadata: list[str], collection: str | None) -> None:
    leaves = {
        f"retrieval.documents.{at}.document.metadata": text for at, text in enumerate(metadata)
    }
    fact = oi("RETRIEVER", leaves).retrieval
    assert fact is not None
    assert (fact.collection, fact.collection_inferred) == (collection, collection is not None)


@pytest.mark.parametrize(
    ("recorded", "query"),
    [
        ("vacation days", "vacation days"),
        ('{"query": "vacation days", "top_k": 3}', "vacation days"),
        ('{"query_bundle": {"query_str": "vacation days"}}', "vacation days"),
        ("{'query': 'vacation days'}", "vacation days"),
        ("__REDACTED__", None),
        ('{"top_k": 3}', None),
    ],
)
def test_query(recorded: str, query: str | None) -> None:
    fact = oi("RETRIEVER", {"input.value": recorded}).retrieval
    assert fact is not None
    assert fact.query == query


def test_a_reranking() -> None:
    span = oi(
        "RERANKER",
        {
            "reranker.query": "shoes",
            "reranker.model_name": "r1",
            "reranker.input_documents.0.document.id": "p-1",
            "reranker.input_documents.1.document.id": "p-2",
            "reranker.output_documents.0.document.id": "p-2",
            "reranker.output_documents.0.document.score": 3.2,
        },
    )
    assert span.rerank == RerankFact(
        query="shoes",
        documents_in=(
            Document(document_id="p-1", text=None),
            Document(document_id="p-2", text=None),
        ),
        documents_out=(Document(document_id="p-2", text=None, score=3.2),),
    )
    assert span.model == "r1"


# Model calls


def test_a_model_call() -> None:
    schema = {"type": "function", "function": {"name": "stock", "parameters": {"type": "object"}}}
    span = oi(
        "LLM",
        {
            "session.id": "conv-42",
            "llm.model_name": "m1",
            "llm.input_messages.0.message.role": "system",
            "llm.input_messages.0.message.content": "Answer.",
            "llm.input_messages.1.message.role": "user",
            "llm.input_messages.1.message.contents.0.message_content.type": "text",
            "llm.input_messages.1.message.contents.0.message_content.text": "Left?",
            "llm.input_messages.1.message.contents.1.message_content.type": "image",
            "llm.input_messages.2.message.role": "assistant",
            "llm.input_messages.2.message.tool_calls.0.tool_call.id": "c1",
            "llm.input_messages.2.message.tool_calls.0.tool_call.function.name": "stock",
            "llm.input_messages.2.message.tool_calls.0.tool_call.function.arguments": '{"sku":"A"}',
            "llm.input_messages.3.message.role": "tool",
            "llm.input_messages.3.message.tool_call_id": "c1",
            "llm.input_messages.3.message.content": "7 left",
            "llm.output_messages.0.message.role": "assistant",
            "llm.output_messages.0.message.contents.0.message_content.type": "reasoning",
            "llm.output_messages.0.message.contents.0.message_content.text": "Let me see.",
            "llm.output_messages.0.message.contents.1.message_content.type": "text",
            "llm.output_messages.0.message.contents.1.message_content.text": "Seven.",
            "llm.tools.0.tool.json_schema": json.dumps(schema),
            "llm.token_count.prompt": 50,
            "llm.token_count.completion": 12,
            "llm.token_count.prompt_details.cache_read": 30,
            "llm.finish_reason": "stop",
        },
        start_ns=1_000_000_000,
        events=(RawEvent(name="First Token Stream Event", time_ns=1_250_000_000),),
    )
    request = ToolRequest(call_id="c1", name="stock", arguments={"sku": "A"})
    assert span.input_messages == (
        Message(role="system", text="Answer."),
        Message(role="user", text="Left?"),
        Message(role="assistant", tool_requests=(request,)),
        Message(
            role="tool",
            tool_responses=(ToolResponse(call_id="c1", name=None, result="7 left"),),
        ),
    )
    assert span.output_messages == (Message(role="assistant", text="Seven."),)
    assert span.tools_available == (ToolDefinition(name="stock", parameters={"type": "object"}),)
    assert span.usage == Usage(input_tokens=50, output_tokens=12, cached_tokens=30)
    assert (span.model, span.finish_reason, span.first_output_ms) == ("m1", "stop", 250.0)
    assert span.conversation_id == "conv-42"


@pytest.mark.parametrize(
    ("attributes", "text"),
    [
        pytest.param({"llm.prompts": ["Q: shoes?"]}, "Q: shoes?", id="a list"),
        pytest.param({"llm.prompts.0.prompt.text": "Q: shoes?"}, "Q: shoes?", id="leaves"),
        pytest.param({"input.value": "Q: shoes?"}, "Q: shoes?", id="the input"),
    ],
)
def test_a_completion_has_prompts_and_no_messages(attributes: dict[str, Any], text: str) -> None:
    span = oi("LLM", {**attributes, "output.value": "30 days.", "llm.model_name": "unknown"})
    assert (span.input_text, span.output_text) == (text, "30 days.")
    assert (span.input_messages, span.output_messages, span.model) == (None, None, None)


@pytest.mark.parametrize(
    "response",
    [
        pytest.param({"choices": [{"message": {"role": "assistant", "content": "Hi"}}]}, id="OpenAI"),
        pytest.param({"role": "assistant", "content": [{"type": "text", "text": "Hi"}]}, id="Anthropic"),
        pytest.param({"candidates": [{"content": {"role": "model", "parts": [{"text": "Hi"}]}}]}, id="Gemini"),
        pytest.param({"output": [{"type": "message", "role": "assistant",
                                  "content": [{"type": "output_text", "text": "Hi"}]}]}, id="OpenAI Responses"),
        pytest.param({"generations": [[{"text": "Hi", "generation_info": None,
                                        "message": {"lc": 1, "id": ["x", "AIMessage"], "kwargs": {"content": "Hi"}}}]]},
                     id="LangChain"),
        pytest.param({"text": "Hi", "finish_reason": "stop"}, id="a bare text with its reason"),
    ],
)  # fmt: skip
def test_the_raw_response_tells_what_the_messages_do_not(response: dict[str, Any]) -> None:
    span = oi(
        "LLM",
        {"llm.output_messages.0.message.role": "assistant", "output.value": json.dumps(response)},
    )
    assert [m.text for m in span.output_messages or ()] == ["Hi"]
    assert span.output_value is None


def test_citations_recorded_apart_return_to_their_parts() -> None:
    contents = "llm.output_messages.0.message.contents"
    location = {
        "type": "char_location",
        "cited_text": "within 30 days",
        "document_index": 0,
        "document_title": "Shoes",
    }
    span = oi(
        "LLM",
        {
            "llm.output_messages.0.message.role": "assistant",
            f"{contents}.0.message_content.type": "text",
            f"{contents}.0.message_content.text": "You have ",
            f"{contents}.2.message_content.type": "text",
            f"{contents}.2.message_content.text": "30 days",
            f"{contents}.3.message_content.type": "text",
            f"{contents}.3.message_content.text": ".",
            "metadata": json.dumps({"citations": {"2": [location]}}),
        },
    )  # fmt: skip
    assert [m.text for m in span.output_messages or ()] == ["You have 30 days."]
    assert span.citations == (
        NativeCitation(
            start=9,
            end=16,
            target_id="Shoes",
            target_index=0,
            quote="within 30 days",
            block_text="30 days",
        ),
    )


def test_a_cut_response_does_not_spoil_whole_messages() -> None:
    leaves = {
        "llm.input_messages.0.message.content": "Hi",
        "llm.output_messages.0.message.content": "Ho",
        "input.value": '{"messages": [{"role": "user", "content": "H',
        "output.value": '{"choices": [{"message": {"role": "assistant", "content": "H',
    }
    assert oi("LLM", leaves).content == "captured"
    del leaves["llm.output_messages.0.message.content"]
    span = oi("LLM", leaves)
    assert span.content == "truncated"
    assert span.output_messages == (Message(role="assistant", text="H", truncated=True),)


# Steps and agents


@pytest.mark.parametrize(
    ("recorded", "asked"),
    [
        ("What is left?", "What is left?"),
        ('{"task": "What is left?", "stream": false}', "What is left?"),
        ('{"data": {"router": {"query": "What is left?"}}}', "What is left?"),
        ('{"user_id": "u", "new_message": {"role": "user", "parts": [{"text": "What is left?"}]}}', "What is left?"),
        ('{"unknown": 1}', '{"unknown": 1}'),
        ("__REDACTED__", None),
    ],
)  # fmt: skip
def test_the_question_of_an_agent(recorded: str, asked: str | None) -> None:
    assert oi("AGENT", {"input.value": recorded}).input_text == asked


@pytest.mark.parametrize(
    ("recorded", "answered"),
    [
        ("Seven.", "Seven."),
        ('{"answer": "Seven.", "citations": ["p-1"]}', "Seven."),
        ('{"llm": {"replies": ["Seven."]}}', "Seven."),
        ("<generator object CodeAgent._run at 0x7f2c>", None),
    ],
)
def test_the_answer_of_an_agent(recorded: str, answered: str | None) -> None:
    span = oi("AGENT", {"output.value": recorded}, name="shop-bot")
    assert span.output_text == answered
    assert span.content == ("not_captured" if answered is None else "captured")
    assert span.agent == "shop-bot"


def test_a_structured_answer_is_kept() -> None:
    span = oi("AGENT", {"output.value": '{"answer": "Seven.", "citations": ["p-1"]}'})
    assert span.output_value == {"answer": "Seven.", "citations": ["p-1"]}


def test_a_step_is_told_by_its_input_and_not_by_the_oldest_message() -> None:
    state = {
        "messages": [
            {"type": "human", "data": {"content": "Old?"}},
            {"type": "human", "data": {"content": "New?"}},
        ]
    }
    span = oi(
        "CHAIN",
        {"input.value": json.dumps(state), "llm.input_messages.0.message.content": "Old?"},
    )  # fmt: skip
    assert [m.text for m in span.input_messages or ()] == ["Old?", "New?"]


@pytest.mark.parametrize(
    ("metadata", "conversation"),
    [
        ('{"thread_id": "t", "session_id": "s"}', "s"),
        ('{"thread_id": "t"}', "t"),
        ('{"other": "x"}', None),
        ("not JSON", None),
    ],
)
def test_conversation_of_the_metadata(metadata: str, conversation: str | None) -> None:
    assert oi("CHAIN", {"metadata": metadata}).conversation_id == conversation


# Tools


@pytest.mark.parametrize(
    ("attributes", "arguments"),
    [
        ({"input.value": '{"sku": "A"}'}, {"sku": "A"}),
        ({"input.value": "{'sku': 'A'}"}, {"sku": "A"}),
        ({"input.value": '{"args": [], "kwargs": {"sku": "A"}, "sanitize_inputs_outputs": false}'}, {"sku": "A"}),
        ({"input.value": '{"args": ["A"], "kwargs": {}}'}, {"args": ["A"]}),
        ({"tool.parameters": '{"sku": "A"}'}, {"sku": "A"}),
        ({"tool.parameters": '{"type": "object", "properties": {"sku": {}}}'}, None),
        ({"tool.parameters": '{"sku": {"type": "string"}}'}, None),
    ],
)  # fmt: skip
def test_arguments(attributes: dict[str, Any], arguments: Value) -> None:
    fact = oi("TOOL", {"tool.name": "stock", **attributes}).tool
    assert fact is not None
    assert fact.arguments == arguments
    assert fact.arguments_capture == ("not_captured" if arguments is None else "captured")


def test_a_tool_and_its_definition() -> None:
    schema: Value = {"type": "object", "properties": {"sku": {"type": "string"}}}
    span = oi(
        "TOOL",
        {
            "tool.name": "stock",
            "tool.description": "Look up stock.",
            "tool.parameters": json.dumps(schema),
            "tool.id": "c1",
            "input.value": '{"sku": "A"}',
            "output.value": "7",
        },
        name="StockTool",
    )
    assert span.tool is not None
    assert (span.tool.name, span.tool.call_id, span.tool.result) == ("stock", "c1", "7")
    assert span.tool.definition == ToolDefinition(
        name="stock", description="Look up stock.", parameters=schema
    )


def test_a_tool_message_holds_result_status_and_id() -> None:
    message = {"content": "no such order", "tool_call_id": "c1", "status": "error"}
    fact = oi("TOOL", {"output.value": json.dumps(message)}, name="order").tool
    assert fact is not None
    assert (fact.name, fact.call_id, fact.result) == ("order", "c1", "no such order")
    assert (fact.is_error, fact.error) == (True, "no such order")


def test_an_exception_is_the_tools_error() -> None:
    raised = RawEvent(
        name="exception",
        attributes={"exception.type": "shop.ValueError", "exception.message": "no stock"},
    )
    span = oi(
        "TOOL",
        {},
        status="error",
        status_message="ValueError('no stock')Traceback…",
        events=(raised,),
    )
    assert span.error == "ValueError: no stock"
    assert span.tool is not None
    assert (span.tool.is_error, span.tool.error) == (True, "ValueError: no stock")
    handled = oi("TOOL", {"output.value": "7"}, events=(raised,))
    assert handled.error is None


def test_a_handoff_tool_by_name() -> None:
    span = oi("TOOL", {"tool.name": "transfer_to_hr_agent", "input.value": "{}"})
    assert span.handoff == HandoffFact(target="hr_agent")
    assert span.tool is not None


def test_a_handoff_span_is_no_tool() -> None:
    attributes = {"input.value": "triage_agent", "output.value": "hr_agent"}
    span = oi("TOOL", {"tool.name": "transfer_to_hr", **attributes}, name="handoff to hr")
    assert span.handoff == HandoffFact(target="hr_agent", source="triage_agent")
    assert span.tool is None
    assert span.content == "captured"
    masked = oi("TOOL", {"output.value": "__REDACTED__"}, name="handoff to hr")
    assert masked.handoff == HandoffFact(target="hr")


# Decisions and guardrails


def test_a_decision_names_its_choice_and_the_options() -> None:
    asked = {"state": "…", "questions": {
        "route": {"type": "choice", "criteria": {"billing": "Invoices", "support": "Trouble"}},
        "urgent": {"type": "noul"},
    }}  # fmt: skip
    answered = {
        "answers": {"route": {"answer": "billing", "probability": 0.9}, "urgent": {"answer": True}}
    }
    span = oi(
        "DECISION",
        {
            "input.value": json.dumps(asked),
            "output.value": json.dumps(answered),
            "decision.model_name": "d1",
            "decision.token_count.input": 412,
        },
    )
    assert span.route == RouteFact(
        chosen=("billing",),
        candidates=(
            ToolDefinition(name="billing", description="Invoices"),
            ToolDefinition(name="support", description="Trouble"),
        ),
    )
    assert (span.model, span.usage) == ("d1", Usage(input_tokens=412))


def test_a_yes_or_no_is_no_route() -> None:
    answered = {"answers": {"urgent": {"answer": True, "probability": 0.9}}}
    assert oi("DECISION", {"output.value": json.dumps(answered)}).route is None


@pytest.mark.parametrize(
    ("verdict", "flag"),
    [
        ('{"flagged": true}', "toxicity"),
        ('{"blocked": true, "flag": "personal_data"}', "personal_data"),
        ('{"flagged": false}', None),
        ('{"flag": null}', None),
        ("ok", None),
    ],
)
def test_a_guardrail_that_steps_in_is_a_flag(verdict: str, flag: str | None) -> None:
    assert oi("GUARDRAIL", {"output.value": verdict}, name="toxicity").policy_flag == flag


def test_a_tool_that_its_recorder_calls_an_agent_for_its_name() -> None:
    span = oi(
        "AGENT", {"tool.name": "ask_hr_agent", "input.value": "{'q': 'x'}"}, name="ask_hr_agent"
    )
    assert (span.kind, span.agent) == (SpanKind.TOOL, None)
    assert span.tool is not None
    assert (span.tool.name, span.tool.arguments) == ("ask_hr_agent", {"q": "x"})
    passed = oi("AGENT", {"input.value": "{'agent_name': 'hr'}"}, name="transfer_to_agent")
    assert passed.handoff == HandoffFact(target="hr")
    assert oi("AGENT", {"input.value": "Hello"}, name="hr_agent").kind is SpanKind.AGENT


@pytest.mark.parametrize(
    ("parameters", "taken", "arguments"),
    [
        pytest.param(
            '{"answer": {"type": "any"}}',
            {"args": [7], "kwargs": {}},
            {"answer": 7},
            id="smolagents",
        ),
        pytest.param(
            '{"type": "object", "properties": {"q": {}, "n": {}}}',
            {"args": ["x"], "kwargs": {"n": 2}},
            {"q": "x", "n": 2},
            id="a schema",
        ),
        pytest.param(
            '{"q": {}}', {"args": ["x", 2], "kwargs": {}}, {"args": ["x", 2]}, id="too many"
        ),
        pytest.param("{}", {"args": ["x"], "kwargs": {}}, {"args": ["x"]}, id="no names"),
    ],
)
def test_positional_arguments_take_the_names_of_the_tool(
    parameters: str, taken: dict[str, Any], arguments: dict[str, Any]
) -> None:
    span = oi("TOOL", {"tool.parameters": parameters, "input.value": json.dumps(taken)}, name="t")
    assert span.tool is not None
    assert span.tool.arguments == arguments
