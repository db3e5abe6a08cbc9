"""Agent Framework, Semantic Kernel and LangChain on Azure, by hand."""

import json
from typing import Any

import pytest

from ingest.conventions import to_span
from ingest.span import (
    Document,
    HandoffFact,
    Message,
    RawEvent,
    RawSpan,
    RetrievalFact,
    RouteFact,
    Span,
    SpanKind,
    ToolRequest,
    ToolResponse,
    Usage,
)

QUESTION = "How many vacation days?"
ANSWER = "You get 25 days."


def span_of(name: str, events: tuple[RawEvent, ...] = (), **attributes: Any) -> Span:
    told = {key.replace("__", "."): value for key, value in attributes.items()}
    return to_span(RawSpan(trace_id="t", span_id="s", name=name, attributes=told, events=events))


def log(name: str, time: int, body: Any) -> RawEvent:
    text = body if isinstance(body, str) else json.dumps(body)
    return RawEvent(name=name, time_ns=time, attributes={"gen_ai.system": "openai"}, body=text)


def test_a_chat_whose_messages_are_texts_of_log_records() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "hr-days", "arguments": "{}"}}
    span = span_of(
        "chat gpt-5",
        (
            log("gen_ai.system.message", 1, {"role": "system", "content": "Be short."}),
            log("gen_ai.user.message", 2, {"role": "user", "content": QUESTION}),
            log("gen_ai.assistant.message", 3, {"role": "assistant", "tool_calls": [call]}),
            log("gen_ai.tool.message", 4, {"role": "tool", "content": "25", "tool_call_id": "c1"}),
            log(
                "gen_ai.choice",
                5,
                {"message": {"role": "assistant", "content": ANSWER}, "finish_reason": "stop"},
            ),
        ),
        gen_ai__operation__name="chat",
        gen_ai__request__model="gpt-5",
        gen_ai__response__finish_reason="FinishReason.STOP",
        gen_ai__usage__input_tokens=50,
        gen_ai__usage__output_tokens=9,
    )
    assert span.input_messages == (
        Message(role="system", text="Be short."),
        Message(role="user", text=QUESTION),
        Message(
            role="assistant",
            tool_requests=(ToolRequest(call_id="c1", name="hr-days", arguments={}),),
        ),
        Message(role="tool", tool_responses=(ToolResponse(call_id="c1", name=None, result="25"),)),
    )
    assert [m.text for m in span.output_messages or ()] == [ANSWER]
    assert (span.kind, span.finish_reason) == (SpanKind.LLM, "FinishReason.STOP")
    assert span.usage == Usage(input_tokens=50, output_tokens=9)


def test_a_refusal_by_the_name_of_a_member() -> None:
    span = span_of(
        "chat m1",
        gen_ai__operation__name="chat",
        gen_ai__response__finish_reason="FinishReason.CONTENT_FILTER",
    )
    assert span.policy_flag == "FinishReason.CONTENT_FILTER"


def test_a_completion_of_a_plain_prompt() -> None:
    span = span_of(
        "text_completions m1",
        (
            log("gen_ai.prompt", 1, QUESTION),
            log("gen_ai.choice", 2, {"message": {"type": "text", "text": ANSWER}}),
        ),
        gen_ai__operation__name="text_completions",
    )
    assert span.kind is SpanKind.LLM
    assert span.input_messages == (Message(role="user", text=QUESTION),)
    assert span.output_messages == (Message(role="assistant", text=ANSWER),)


def test_messages_in_one_attribute_of_an_event() -> None:
    def event(name: str, time: int, told: dict[str, Any]) -> RawEvent:
        content = {"gen_ai.event.content": json.dumps(told)}
        return RawEvent(name=name, time_ns=time, attributes=content)

    span = span_of(
        "chat m1",
        (
            event("gen_ai.user.message", 1, {"content": QUESTION}),
            event(
                "gen_ai.choice",
                2,
                {"message": {"content": ANSWER}, "finish_reason": "stop", "index": 0},
            ),
        ),
        gen_ai__operation__name="chat",
        gen_ai__thread__id="conv-42",
    )
    assert [m.text for m in span.input_messages or ()] == [QUESTION]
    assert [(m.text, m.finish_reason) for m in span.output_messages or ()] == [(ANSWER, "stop")]
    assert span.conversation_id == "conv-42"


def test_a_step_of_a_workflow() -> None:
    span = span_of("executor.process triage", executor__id="triage", executor__type="AgentExecutor")
    assert (span.kind, span.node) == (SpanKind.OTHER, "triage")


def test_a_retriever_that_is_recorded_as_a_tool() -> None:
    results = [
        {"metadata": {"chunk_id": "hr-001", "source": "hr.md"}, "content": "25 days a year."},
        {"metadata": {"chunk_id": "hr-002"}},
    ]
    span = span_of(
        "execute_tool VectorStoreRetriever",
        gen_ai__operation__name="execute_tool",
        gen_ai__tool__name="VectorStoreRetriever",
        gen_ai__tool__type="retriever",
        gen_ai__retriever__query=QUESTION,
        gen_ai__retriever__results=json.dumps(results),
    )
    assert (span.kind, span.tool) == (SpanKind.RETRIEVER, None)
    assert span.retrieval == RetrievalFact(
        query=QUESTION,
        collection=None,
        documents=(
            Document(
                document_id="hr-001",
                text="25 days a year.",
                metadata={"chunk_id": "hr-001", "source": "hr.md"},
            ),
            Document(document_id="hr-002", text=None, metadata={"chunk_id": "hr-002"}),
        ),
    )


@pytest.mark.parametrize(
    ("goto", "chosen"),
    [
        pytest.param("hr_policies", ("hr_policies",), id="one"),
        pytest.param("['hr_policies', 'benefits']", ("hr_policies", "benefits"), id="several"),
    ],
)
def test_a_node_that_went_on_by_a_command(goto: str, chosen: tuple[str, ...]) -> None:
    span = span_of(
        "invoke_agent router",
        gen_ai__operation__name="invoke_agent",
        gen_ai__agent__name="router",
        metadata__langgraph__goto=goto,
    )
    assert span.route == RouteFact(chosen=chosen)


def test_a_prose_goto_decides_nothing() -> None:
    span = span_of(
        "invoke_agent router",
        gen_ai__operation__name="invoke_agent",
        metadata__langgraph__goto="[Send(node='hr', arg={})]",
    )
    assert span.route is None


@pytest.mark.parametrize("tool", ["transfer_to_hr_agent", "escalate"])
def test_a_tool_that_passes_control(tool: str) -> None:
    span = span_of(
        f"execute_tool {tool}",
        gen_ai__operation__name="execute_tool",
        gen_ai__tool__name=tool,
        gen_ai__agent__name="triage",
        metadata__langgraph__goto="hr_agent",
    )
    assert span.handoff == HandoffFact(target="hr_agent", source="triage")
    assert span.tool is not None
