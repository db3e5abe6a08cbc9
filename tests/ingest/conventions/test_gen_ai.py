import json
from typing import Any

import pytest

from ingest.span import (
    Document,
    HandoffFact,
    Message,
    RawEvent,
    Span,
    SpanKind,
    ToolDefinition,
    ToolRequest,
    ToolResponse,
    Usage,
    Value,
)
from tests.ingest.conventions.recordings import made

QUESTION = "How long may I return shoes?"
ANSWER = "30 days [1]."
ASKED: list[Any] = [{"role": "user", "parts": [{"type": "text", "content": QUESTION}]}]
TOLD: list[Any] = [{"role": "assistant", "parts": [{"type": "text", "content": ANSWER}]}]


def chat(attributes: dict[str, Any] | None = None, **fields: Any) -> Span:
    return made({"gen_ai.operation.name": "chat", **(attributes or {})}, **fields)


def tool(attributes: dict[str, Any] | None = None, **fields: Any) -> Span:
    named = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "stock"}
    return made({**named, **(attributes or {})}, **fields)


def event(name: str, body: Value = None, /, **attributes: Any) -> RawEvent:
    return RawEvent(name=name, attributes=attributes, body=body)


def test_a_chat_span() -> None:
    span = made(
        {
            "gen_ai.operation.name": "chat",
            "gen_ai.conversation.id": "conv-42",
            "gen_ai.agent.name": "shop-bot",
            "gen_ai.request.model": "m1",
            "gen_ai.response.model": "m1-2026-01",
            "gen_ai.system_instructions": '[{"type":"text","content":"Answer from the policies."}]',
            "gen_ai.input.messages": json.dumps(ASKED),
            "gen_ai.output.messages": json.dumps(TOLD),
            "gen_ai.tool.definitions": '[{"type":"function","name":"stock","description":"Look up stock.",'
            '"parameters":{"type":"object"}}]',
            "gen_ai.usage.input_tokens": 100,
            "gen_ai.usage.output_tokens": 20,
            "gen_ai.response.finish_reasons": ["stop"],
            "gen_ai.response.time_to_first_chunk": 0.25,
            "tenant.id": "acme",
        },
        name="chat m1",
    )  # fmt: skip
    assert span.kind is SpanKind.LLM
    assert span.conventions == ("gen_ai",)
    assert (span.conversation_id, span.agent, span.tenant) == ("conv-42", "shop-bot", "acme")
    assert span.model == "m1-2026-01"
    assert span.instructions == "Answer from the policies."
    assert span.input_messages == (Message(role="user", text=QUESTION),)
    assert span.output_messages == (Message(role="assistant", text=ANSWER),)
    assert span.tools_available == (
        ToolDefinition(
            name="stock", description="Look up stock.", parameters={"type": "object"}
        ),
    )  # fmt: skip
    assert span.usage == Usage(input_tokens=100, output_tokens=20)
    assert (span.finish_reason, span.first_output_ms) == ("stop", 250.0)
    assert span.content == "captured"
    assert span.flags == ()


@pytest.mark.parametrize(
    ("name", "attributes", "kind"),
    [
        ("chat m", {"gen_ai.operation.name": "chat"}, SpanKind.LLM),
        ("x", {"gen_ai.operation.name": "generate_content"}, SpanKind.LLM),
        ("x", {"gen_ai.operation.name": "text_completion"}, SpanKind.LLM),
        ("x", {"gen_ai.operation.name": "embeddings"}, SpanKind.EMBEDDING),
        ("x", {"gen_ai.operation.name": "retrieval"}, SpanKind.RETRIEVER),
        ("x", {"gen_ai.operation.name": "rerank"}, SpanKind.RERANKER),
        ("x", {"gen_ai.operation.name": "invoke_agent"}, SpanKind.AGENT),
        ("x", {"gen_ai.operation.name": "execute_tool"}, SpanKind.TOOL),
        ("x", {"gen_ai.operation.name": "create_agent"}, SpanKind.OTHER),
        ("x", {"gen_ai.operation.name": "invoke_workflow"}, SpanKind.OTHER),
        ("x", {"gen_ai.operation.name": "plan"}, SpanKind.OTHER),
        ("x", {"gen_ai.operation.name": "something_new"}, SpanKind.OTHER),
        ("execute_tool stock", {"gen_ai.tool.call.id": "c1"}, SpanKind.TOOL),
        ("running tool", {"gen_ai.tool.name": "stock"}, SpanKind.TOOL),
        ("openai.chat", {"gen_ai.system": "openai", "gen_ai.request.model": "m", "gen_ai.usage.prompt_tokens": 5},
         SpanKind.LLM),
        ("openai.chat", {"gen_ai.request.model": "m", "gen_ai.completion.0.content": "Hi"}, SpanKind.LLM),
        ("agent", {"gen_ai.request.model": "m"}, SpanKind.OTHER),
        ("embed", {"gen_ai.request.model": "m", "llm.request.type": "embedding"}, SpanKind.EMBEDDING),
        ("r", {"gen_ai.operation.name": "embeddings", "langsmith.span.kind": "retriever"}, SpanKind.RETRIEVER),
        ("POST", {"gen_ai.conversation.id": "conv-42", "http.method": "POST"}, SpanKind.OTHER),
    ],
)  # fmt: skip
def test_kind(name: str, attributes: dict[str, Any], kind: SpanKind) -> None:
    assert made(attributes, name=name).kind is kind


CHOICE: dict[str, Any] = {"role": "assistant", "content": ANSWER}


@pytest.mark.parametrize(
    ("attributes", "events"),
    [
        pytest.param(
            {"gen_ai.input.messages": json.dumps(ASKED), "gen_ai.output.messages": json.dumps(TOLD)}, (),
            id="a: JSON text",
        ),
        pytest.param({"gen_ai.input.messages": ASKED, "gen_ai.output.messages": TOLD}, (), id="a: structure"),
        pytest.param(
            {"gen_ai": {"input": {"messages": ASKED}, "output": {"messages": TOLD}}}, (), id="a: nested names"
        ),
        pytest.param(
            {},
            (event("gen_ai.client.inference.operation.details",
                   **{"gen_ai.input.messages": ASKED, "gen_ai.output.messages": json.dumps(TOLD)}),),
            id="b: details event",
        ),
        pytest.param(
            {},
            (event("gen_ai.client.inference.operation.details",
                   {"gen_ai.input.messages": ASKED, "gen_ai.output.messages": TOLD}),),
            id="b: details as log body",
        ),
        pytest.param(
            {},
            (event("strands.telemetry.tracer",
                   {"input": {"messages": [{"role": "user", "content": {"content": f'[{{"text": "{QUESTION}"}}]'}}]},
                    "output": {"messages": [{"role": "assistant", "content": {"message": ANSWER}}]}}),),
            id="b: log record of any name",
        ),
        pytest.param(
            {},
            (event("gen_ai.user.message", content=QUESTION),
             event("gen_ai.choice", message=json.dumps(CHOICE), finish_reason="stop")),
            id="b: span events",
        ),
        pytest.param(
            {},
            (event("gen_ai.user.message", {"content": QUESTION}),
             event("gen_ai.choice", {"index": 0, "message": CHOICE})),
            id="b: log records",
        ),
        pytest.param(
            {},
            (event("gen_ai.user.message", content=f'[{{"text": "{QUESTION}"}}]'),
             event("gen_ai.choice", message=f'[{{"text": "{ANSWER}"}}]')),
            id="b: parts as JSON text",
        ),
        pytest.param(
            {},
            (event("gen_ai.user.message", **{"gen_ai.event.content": json.dumps({"content": QUESTION})}),
             event("gen_ai.choice", event_body={"message": CHOICE})),
            id="b: bodies in one attribute",
        ),
        pytest.param(
            {"events": json.dumps([
                {"event.name": "gen_ai.user.message", "content": QUESTION, "role": "user"},
                {"event.name": "gen_ai.choice", "index": 0, "message": CHOICE}])},
            (),
            id="b: listed in an attribute",
        ),
        pytest.param(
            {"events": [{"content": QUESTION, "role": "user"}, {"index": 0, "finish_reason": "stop", "message": CHOICE}]},
            (),
            id="b: listed without names",
        ),
        pytest.param(
            {},
            (event("gen_ai.content.prompt", **{"gen_ai.prompt": json.dumps([{"role": "user", "content": QUESTION}])}),
             event("gen_ai.content.completion", **{"gen_ai.completion": json.dumps([CHOICE])})),
            id="c: content events",
        ),
        pytest.param(
            {"gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": QUESTION,
             "gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.content": ANSWER}, (),
            id="d: one leaf per attribute",
        ),
        pytest.param(
            {"gen_ai.prompt": json.dumps({"messages": [{"role": "user", "content": QUESTION}]}),
             "gen_ai.completion": json.dumps({"choices": [{"message": CHOICE}]})}, (),
            id="e: whole request and response",
        ),
        pytest.param({"gen_ai.prompt": QUESTION, "gen_ai.completion": ANSWER}, (), id="e: plain texts"),
        pytest.param(
            {"gen_ai.input.messages": "[]", "gen_ai.prompt": QUESTION, "gen_ai.output.messages": TOLD}, (),
            id="an old name tells what the new one leaves empty",
        ),
        pytest.param(
            {"gen_ai.input.messages": ASKED, "gen_ai.prompt": "older", "gen_ai.completion": ANSWER}, (),
            id="each side has its own generation, the newest first",
        ),
    ],
)  # fmt: skip
def test_every_generation_of_messages(
    attributes: dict[str, Any], events: tuple[RawEvent, ...]
) -> None:
    span = chat(attributes, events=events)
    assert [(m.role, m.text) for m in span.input_messages or ()] == [("user", QUESTION)]
    assert [(m.role, m.text) for m in span.output_messages or ()] == [("assistant", ANSWER)]
    assert span.content == "captured"


def test_leaves_carry_tool_calls_and_their_results_in_numeric_order() -> None:
    span = chat(
        {
            "gen_ai.prompt.10.role": "tool",
            "gen_ai.prompt.10.content": "7 left",
            "gen_ai.prompt.10.tool_call_id": "c1",
            "gen_ai.prompt.2.role": "assistant",
            "gen_ai.prompt.2.tool_calls.0.id": "c1",
            "gen_ai.prompt.2.tool_calls.0.name": "stock",
            "gen_ai.prompt.2.tool_calls.0.arguments": '{"sku": "A"}',
            "gen_ai.completion.0.role": "assistant",
            "gen_ai.completion.0.content": ANSWER,
            "gen_ai.completion.0.finish_reason": "stop",
        }
    )
    request = ToolRequest(call_id="c1", name="stock", arguments={"sku": "A"})
    response = ToolResponse(call_id="c1", name=None, result="7 left")
    assert span.input_messages == (
        Message(role="assistant", tool_requests=(request,)),
        Message(role="tool", tool_responses=(response,)),
    )
    assert span.finish_reason == "stop"


def test_logs_are_read_in_order_of_time() -> None:
    later = RawEvent(name="gen_ai.user.message", time_ns=2, attributes={"content": "second"})
    sooner = RawEvent(name="gen_ai.user.message", time_ns=1, attributes={"content": "first"})
    span = chat(events=(later, sooner))
    assert [m.text for m in span.input_messages or ()] == ["first", "second"]


@pytest.mark.parametrize(
    ("attributes", "inputs"),
    [
        pytest.param({}, None, id="absent"),
        pytest.param({"gen_ai.input.messages": "[]"}, (), id="empty"),
        pytest.param({"gen_ai.input.messages": "__REDACTED__"}, None, id="masked"),
        pytest.param(
            {"gen_ai.input.messages_ref": "s3://bucket/1"}, None, id="stored somewhere else"
        ),
    ],
)
def test_content_that_is_not_there(attributes: dict[str, Any], inputs: tuple[()] | None) -> None:
    span = chat({"gen_ai.usage.input_tokens": 10, **attributes})
    assert span.input_messages == inputs
    assert span.content == "not_captured"
    assert ("content_by_reference" in span.flags) == (
        "gen_ai.input.messages_ref" in attributes
    )  # fmt: skip


def test_elided_texts_are_not_captured() -> None:
    listed = [
        {"content": "<elided>", "role": "user"},
        {"index": 0, "content": "<elided>", "finish_reason": "STOP"},
    ]
    assert chat({"events": listed}).content == "not_captured"


@pytest.mark.parametrize(
    ("counts", "usage"),
    [
        pytest.param({"input_tokens": 5, "output_tokens": 2}, Usage(input_tokens=5, output_tokens=2), id="new names"),
        pytest.param(
            {"prompt_tokens": 5, "completion_tokens": 2}, Usage(input_tokens=5, output_tokens=2), id="old names"
        ),
        pytest.param({"input_tokens": "5"}, Usage(input_tokens=5), id="a number as text"),
        pytest.param({"input_tokens": 0}, Usage(input_tokens=0), id="zero is recorded"),
        pytest.param(
            {"input_tokens": 100, "cache_read.input_tokens": 60, "cache_write.input_tokens": 40},
            Usage(input_tokens=100, cached_tokens=60, cache_write_tokens=40),
            id="cached tokens are part of the input",
        ),
        pytest.param(
            {"input_tokens": 4, "cache_read.input_tokens": 29447, "cache_creation.input_tokens": 2861},
            Usage(input_tokens=32312, cached_tokens=29447, cache_write_tokens=2861),
            id="a part larger than the whole was counted apart",
        ),
        pytest.param({"input_tokens": -1, "output_tokens": "many"}, None, id="no counts"),
        pytest.param({}, None, id="nothing recorded"),
    ],
)  # fmt: skip
def test_usage(counts: dict[str, Value], usage: Usage | None) -> None:
    assert chat({f"gen_ai.usage.{name}": value for name, value in counts.items()}).usage == usage


@pytest.mark.parametrize(
    ("attributes", "reason", "flag"),
    [
        ({"gen_ai.response.finish_reasons": '["stop"]'}, "stop", None),
        ({"gen_ai.response.finish_reasons": ["tool_calls", "stop"]}, "stop", None),
        ({"gen_ai.response.finish_reasons": ["content_filter"]}, "content_filter", "content_filter"),
        ({"gen_ai.output.messages": [{**TOLD[0], "finish_reason": "refusal"}]}, "refusal", "refusal"),
        ({"gen_ai.output.messages": [{**TOLD[0], "finish_reason": ""}]}, None, None),
        ({}, None, None),
    ],
)  # fmt: skip
def test_finish_reason(attributes: dict[str, Any], reason: str | None, flag: str | None) -> None:
    span = chat(attributes)
    assert (span.finish_reason, span.policy_flag) == (reason, flag)


def test_a_cut_list_keeps_whole_messages_and_marks_the_last() -> None:
    cut = json.dumps(
        [*ASKED, {"role": "user", "parts": [{"type": "text", "content": "And hats?"}]}]
    )[:-7]
    span = chat({"gen_ai.input.messages": cut})
    assert span.input_messages == (
        Message(role="user", text=QUESTION),
        Message(role="user", text="And hat", truncated=True),
    )
    assert span.content == "truncated"
    assert span.flags == ("truncated",)


# Tools


@pytest.mark.parametrize(
    "recorded",
    [
        pytest.param('{"sku":"A"}', id="JSON text"),
        pytest.param({"sku": "A"}, id="structure"),
        pytest.param("{'sku': 'A'}", id="Python repr"),
    ],
)
def test_arguments(recorded: Value) -> None:
    fact = tool({"gen_ai.tool.call.arguments": recorded, "gen_ai.tool.call.id": "c1"}).tool
    assert fact is not None
    assert (fact.name, fact.call_id, fact.arguments) == ("stock", "c1", {"sku": "A"})


@pytest.mark.parametrize(
    ("attributes", "arguments", "capture"),
    [
        ({}, None, "not_captured"),
        ({"gen_ai.tool.call.arguments": ""}, {}, "captured"),
        ({"gen_ai.tool.call.arguments": "sku A"}, "sku A", "captured"),
        ({"tool_arguments": '{"sku":"A"}'}, {"sku": "A"}, "captured"),
    ],
)
def test_arguments_that_are_missing_or_no_object(
    attributes: dict[str, Any], arguments: Value, capture: str
) -> None:
    fact = tool(attributes).tool
    assert fact is not None
    assert (fact.arguments, fact.arguments_capture) == (arguments, capture)


@pytest.mark.parametrize(
    ("recorded", "result", "capture"),
    [
        pytest.param("7 left", "7 left", "captured", id="a text"),
        pytest.param("1", "1", "captured", id="a number stays a text"),
        pytest.param('[{"id": "p-1"}]', [{"id": "p-1"}], "captured", id="JSON"),
        pytest.param("[]", [], "captured", id="nothing found"),
        pytest.param("null", None, "captured", id="nothing returned"),
        pytest.param('[{"type":"text","text":"7 left"}]', "7 left", "captured", id="one text part"),
        pytest.param(
            [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
            [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}],
            "captured",
            id="several parts stay apart",
        ),
        pytest.param('{"result":"<not serializable>"}', None, "not_captured", id="a placeholder"),
        pytest.param("cut...[truncated 9 chars]", "cut...[truncated 9 chars]", "truncated", id="cut"),
        pytest.param(None, None, "not_captured", id="absent"),
    ],
)  # fmt: skip
def test_results(recorded: Value, result: Value, capture: str) -> None:
    span = tool({"gen_ai.tool.call.result": recorded})
    assert span.tool is not None
    assert (span.tool.result, span.tool.result_capture) == (result, capture)
    assert not span.tool.is_error
    assert span.flags == (("truncated",) if capture == "truncated" else ())


def test_a_tool_whose_content_is_events() -> None:
    span = tool(
        events=(
            event("gen_ai.tool.message", role="tool", content='{"sku": "A"}', id="c1"),
            event("gen_ai.choice", message='[{"text": "7 left"}]', id="c1"),
        )
    )
    assert span.tool is not None
    assert (span.tool.arguments, span.tool.result) == ({"sku": "A"}, "7 left")
    assert span.input_messages is None


@pytest.mark.parametrize(
    ("attributes", "fields", "error"),
    [
        pytest.param({"error.type": "ValueError"}, {"status": "error", "status_message": "503"}, "ValueError: 503",
                     id="status and type"),
        pytest.param({}, {"status": "error", "status_message": "503"}, "503", id="status"),
        pytest.param({}, {"status": "error"}, "error", id="status without words"),
        pytest.param({"error.type": "TimeoutError"}, {}, "TimeoutError", id="type"),
        pytest.param({"gen_ai.tool.call.result": "Error: no such order"}, {}, "Error: no such order",
                     id="hidden in the result"),
        pytest.param({"gen_ai.tool.status": "error", "gen_ai.tool.call.result": "no such order"}, {},
                     "no such order", id="the tool's own status"),
        pytest.param({"gen_ai.tool.call.result": "an error was found in 1998"}, {}, None, id="none"),
    ],
)  # fmt: skip
def test_a_failed_tool(
    attributes: dict[str, Any], fields: dict[str, Any], error: str | None
) -> None:
    fact = tool(attributes, **fields).tool
    assert fact is not None
    assert (fact.is_error, fact.error) == (error is not None, error)


def test_merged_tools_are_a_duplicate() -> None:
    assert made(
        {"gen_ai.operation.name": "execute_tool"}, name="execute_tool (merged tools)"
    ).synthetic


# Searches and handoffs


def test_a_search() -> None:
    documents = [
        {"id": "hr-001", "score": 0.75, "text": "25 days.", "metadata": {"page": 3}},
        {"id": "hr-002", "score": None, "title": "Leave"},
    ]
    span = made(
        {
            "gen_ai.operation.name": "retrieval",
            "gen_ai.retrieval.query.text": "vacation days",
            "gen_ai.retrieval.documents": json.dumps(documents),
            "gen_ai.data_source.id": "hr",
        }
    )
    assert span.retrieval is not None
    assert (span.retrieval.query, span.retrieval.collection) == ("vacation days", "hr")
    assert not span.retrieval.collection_inferred
    assert span.retrieval.documents == (
        Document(document_id="hr-001", text="25 days.", score=0.75, metadata={"page": 3}),
        Document(document_id="hr-002", text=None, metadata={"title": "Leave"}),
    )


@pytest.mark.parametrize(
    ("name", "attributes", "collection", "inferred"),
    [
        ("retrieval hr", {}, "hr", True),
        ("retrieval hr", {"gen_ai.data_source.id": "hr-eu"}, "hr-eu", False),
        ("retrieval", {}, None, False),
        ("retrieval", {"gen_ai.retrieval.documents": '[{"id":"1","metadata":{"collection":"hr"}}]'}, "hr", True),
    ],
)  # fmt: skip
def test_collection(
    name: str, attributes: dict[str, Any], collection: str | None, *, inferred: bool
) -> None:
    fact = made({"gen_ai.operation.name": "retrieval", **attributes}, name=name).retrieval
    assert fact is not None
    assert (fact.collection, fact.collection_inferred) == (collection, inferred)


@pytest.mark.parametrize(
    ("attributes", "handoff"),
    [
        pytest.param(
            {"gen_ai.transfer.mode": "pass_control", "gen_ai.transfer.target.name": "hr", "gen_ai.agent.name": "triage"},
            HandoffFact(target="hr", source="triage", returns=False), id="control is passed",
        ),
        pytest.param(
            {"gen_ai.transfer.mode": "return_to_caller", "gen_ai.transfer.target.name": "hr"},
            HandoffFact(target="hr", returns=True), id="control comes back",
        ),
        pytest.param({"gen_ai.tool.name": "transfer_to_hr"}, HandoffFact(target="hr"), id="by the tool's name"),
        pytest.param(
            {"gen_ai.tool.name": "transfer_to_agent", "gen_ai.tool.call.arguments": '{"agent_name": "hr"}'},
            HandoffFact(target="hr"), id="by the tool's argument",
        ),
        pytest.param({"gen_ai.tool.name": "ask_hr_agent"}, None, id="asking is no handoff"),
        pytest.param({"gen_ai.tool.name": "transfer_money"}, None, id="nor is every transfer"),
    ],
)  # fmt: skip
def test_handoff(attributes: dict[str, Any], handoff: HandoffFact | None) -> None:
    assert tool(attributes).handoff == handoff


def test_a_handoff_whose_target_was_not_known_yet() -> None:
    span = made({"gen_ai.operation.name": "handoff", "gen_ai.handoff.from_agent": "triage"})
    assert span.handoff == HandoffFact(target=None, source="triage")


def test_a_remote_call_names_its_caller() -> None:
    span = made(
        {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "hr", "gen_ai.caller.name": "triage"}
    )  # fmt: skip
    assert span.handoff == HandoffFact(target="hr", source="triage")


# Pydantic AI

RUN = [
    *ASKED,
    {"role": "assistant", "parts": [{"type": "text", "content": "Which shoes?"}]},
    {"role": "user", "parts": [{"type": "text", "content": "Boots."}]},
    {
        "role": "assistant",
        "parts": [{"type": "tool_call", "id": "c1", "name": "stock", "arguments": {}}],
    },
    {
        "role": "user",
        "parts": [{"type": "tool_call_response", "id": "c1", "name": "stock", "result": 7}],
    },
    {"role": "assistant", "parts": [{"type": "text", "content": ANSWER}]},
]


def test_an_agent_run_is_split_at_its_first_new_answer() -> None:
    span = made(
        {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": "shop-bot",
            "gen_ai.conversation.id": "conv-42",
            "pydantic_ai.all_messages": json.dumps(RUN),
            "pydantic_ai.new_message_index": 2,
            "final_result": ANSWER,
            "gen_ai.aggregated_usage.input_tokens": 143,
        },
        scope_name="pydantic-ai",
    )
    assert [m.text for m in span.input_messages or ()] == [QUESTION, "Which shoes?", "Boots."]
    assert [m.role for m in span.output_messages or ()] == ["assistant", "tool", "assistant"]
    assert span.output_text == ANSWER
    assert span.usage is None
    assert not span.conversation_weak


def test_the_id_of_a_run_inside_a_run_is_weak() -> None:
    span = chat({"gen_ai.conversation.id": "inner"}, scope_name="pydantic-ai", parent_id="a0")
    assert (span.conversation_id, span.conversation_weak) == ("inner", True)


def test_a_start_marker_is_a_duplicate() -> None:
    assert chat({"logfire.span_type": "pending_span"}).synthetic
