import json
from typing import Any

import pytest

from ingest.conventions.messages import decode_messages, read_messages
from ingest.span import Message, ToolRequest, ToolResponse, Value

CALL = ToolRequest(call_id="c1", name="stock", arguments={"sku": "A"})
RESULT = ToolResponse(call_id="c1", name=None, result="7 left")
LC = ["langchain", "schema", "messages"]


def lc(name: str, **kwargs: Any) -> dict[str, Any]:
    return {"lc": 1, "type": "constructor", "id": [*LC, name], "kwargs": kwargs}


@pytest.mark.parametrize(
    "conversation",
    [
        pytest.param(
            [
                {"role": "user", "parts": [{"type": "text", "content": "Left?"}]},
                {"role": "assistant",
                 "parts": [{"type": "tool_call", "id": "c1", "name": "stock", "arguments": {"sku": "A"}}]},
                {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c1", "response": "7 left"}]},
                {"role": "assistant", "parts": [{"type": "text", "content": "Seven."}]},
            ],
            id="OTel GenAI",
        ),
        pytest.param(
            [
                {"role": "user", "content": "Left?"},
                {"role": "assistant", "content": None,
                 "tool_calls": [{"id": "c1", "function": {"name": "stock", "arguments": '{"sku": "A"}'}}]},
                {"role": "tool", "tool_call_id": "c1", "content": "7 left"},
                {"role": "assistant", "content": "Seven."},
            ],
            id="OpenAI",
        ),
        pytest.param(
            [
                {"role": "user", "content": [{"type": "input_text", "text": "Left?"}]},
                {"type": "reasoning", "summary": []},
                {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "stock", "arguments": '{"sku":"A"}'},
                {"type": "function_call_output", "call_id": "c1", "output": "7 left"},
                {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Seven."}]},
            ],
            id="OpenAI Responses",
        ),
        pytest.param(
            [
                {"role": "user", "content": "Left?"},
                {"role": "assistant", "content": [
                    {"type": "thinking", "thinking": "Let me look."},
                    {"type": "tool_use", "id": "c1", "name": "stock", "input": {"sku": "A"}}]},
                {"role": "user", "content": [
                    {"type": "tool_result", "tool_use_id": "c1", "content": [{"type": "text", "text": "7 left"}]}]},
                {"role": "assistant", "content": [{"type": "text", "text": "Seven."}]},
            ],
            id="Anthropic",
        ),
        pytest.param(
            {"messages": [[
                lc("HumanMessage", content="Left?"),
                lc("AIMessage", content="", tool_calls=[{"name": "stock", "args": {"sku": "A"}, "id": "c1"}]),
                lc("ToolMessage", content="7 left", tool_call_id="c1", status="success"),
                lc("AIMessageChunk", content="Seven."),
            ]]},
            id="LangChain constructors",
        ),
        pytest.param(
            {"route": "x", "messages": [
                {"type": "human", "data": {"content": "Left?"}},
                {"type": "ai", "data": {"content": "", "tool_calls": [
                    {"name": "stock", "args": {"sku": "A"}, "id": "c1", "type": "tool_call"}]}},
                {"type": "tool", "data": {"content": "7 left", "tool_call_id": "c1"}},
                {"kwargs": {"type": "ai", "content": "Seven."}},
            ]},
            id="LangChain in a graph's state",
        ),
        pytest.param(
            [
                {"role": "user", "parts": [{"text": "Left?"}]},
                {"role": "model", "parts": [{"functionCall": {"id": "c1", "name": "stock", "args": {"sku": "A"}}}]},
                {"role": "function", "parts": [{"functionResponse": {"id": "c1", "response": "7 left"}}]},
                {"role": "model", "parts": [{"text": "hidden", "thought": True}, {"text": "Seven."}]},
            ],
            id="Gemini",
        ),
        pytest.param(
            [
                {"role": "user", "content": [{"text": "Left?"}]},
                {"role": "assistant", "content": [
                    {"toolUse": {"toolUseId": "c1", "name": "stock", "input": {"sku": "A"}}}]},
                {"role": "user", "content": [{"toolResult": {"toolUseId": "c1", "content": [{"text": "7 left"}]}}]},
                {"role": "assistant", "content": [{"text": "Seven."}]},
            ],
            id="Bedrock",
        ),
        pytest.param(
            [
                {"role": "user", "content": [{"type": "text", "text": "Left?"}]},
                {"role": "assistant", "content": [
                    {"type": "tool-call", "toolCallId": "c1", "toolName": "stock", "input": {"sku": "A"}}]},
                {"role": "tool", "content": [
                    {"type": "tool-result", "toolCallId": "c1", "output": {"type": "text", "value": "7 left"}}]},
                {"role": "assistant", "content": [{"type": "text", "text": "Seven."}]},
            ],
            id="AI SDK",
        ),
    ],
)  # fmt: skip
def test_one_conversation_in_every_shape(conversation: Any) -> None:
    expected = (
        Message(role="user", text="Left?"),
        Message(role="assistant", tool_requests=(CALL,)),
        Message(role="tool", tool_responses=(RESULT,)),
        Message(role="assistant", text="Seven."),
    )
    found = read_messages(conversation, "user")
    assert found is not None
    assert found.messages == expected
    again = decode_messages(json.dumps(json.dumps(conversation)), "user")
    assert again is not None
    assert again.messages == expected


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        pytest.param(
            {"role": "user", "content": ["a", {"type": "text", "text": "b"}]},
            Message(role="user", text="a\n\nb"),
            id="text parts are joined by a blank line",
        ),
        pytest.param(
            {"role": "developer", "content": "Answer."},
            Message(role="system", text="Answer."),
            id="developers write system messages",
        ),
        pytest.param(
            {"role": "user", "parts": [{"type": "uri", "uri": "https://x"}, {"type": "blob", "content": "QQ=="}]},
            Message(role="user"),
            id="files are no text",
        ),
        pytest.param(
            {"role": "assistant", "parts": [{"type": "reasoning", "content": "Hm."}, {"type": "text", "content": "Yes."}]},
            Message(role="assistant", text="Yes."),
            id="reasoning is no text",
        ),
        pytest.param(
            {"role": "assistant", "content": "", "finish_reason": "length"},
            Message(role="assistant", text="", finish_reason="length"),
            id="an empty answer is an answer",
        ),
        pytest.param(
            {"role": "user", "name": "ann", "content": "Hi...[truncated 9 chars]"},
            Message(role="user", text="Hi...[truncated 9 chars]", name="ann", truncated=True),
            id="a cut text",
        ),
        pytest.param(
            {"role": "critic", "content": "No."},
            Message(role="user", text="No."),
            id="an unknown role takes the side's",
        ),
        pytest.param(
            {"role": "user", "parts": [
                {"type": "tool_call_response", "id": "c1", "result": "7 left"}, {"type": "text", "content": "Go on."}]},
            Message(role="user", text="Go on.", tool_responses=(RESULT,)),
            id="a user who also says something stays one",
        ),
        pytest.param(
            {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "stock", "input": {"sku": "A"}}],
             "tool_calls": [{"id": "c1", "name": "stock", "args": {"sku": "A"}}]},
            Message(role="assistant", tool_requests=(CALL,)),
            id="a call recorded twice is one",
        ),
        pytest.param(
            {"role": "assistant", "function_call": {"name": "stock", "arguments": '{"sku": "A"}'}},
            Message(role="assistant", tool_requests=(ToolRequest(call_id=None, name="stock", arguments={"sku": "A"}),)),
            id="a call of the first generation",
        ),
        pytest.param(
            {"role": "tool", "tool_call_id": "c1", "content": "Error: 503"},
            Message(role="tool", tool_responses=(ToolResponse(call_id="c1", name=None, result="Error: 503", is_error=True),)),
            id="a failure hidden in a result",
        ),
        pytest.param(
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "no", "is_error": True}]},
            Message(role="tool", tool_responses=(ToolResponse(call_id="c1", name=None, result="no", is_error=True),)),
            id="a failure that is flagged",
        ),
        pytest.param(
            {"type": "file_search_call", "id": "fs_1", "queries": ["leave"], "results": [{"file_id": "f", "text": "25."}]},
            Message(role="assistant", tool_requests=(ToolRequest(call_id="fs_1", name="file_search", arguments=["leave"], hosted=True),)),
            id="a tool that the provider ran",
        ),
    ],
)  # fmt: skip
def test_single_messages(message: dict[str, Any], expected: Message) -> None:
    found = read_messages([message], "user")
    assert found is not None
    assert found.messages[0] == expected


@pytest.mark.parametrize(
    "value",
    [
        pytest.param([{"id": "hr-001", "text": "25 days.", "score": 0.9}], id="documents"),
        pytest.param([{"type": "text", "text": "25 days."}], id="parts"),
        pytest.param({"documents": [{"page_content": "x", "type": "Document"}]}, id="a result"),
        pytest.param({"answer": "25 days."}, id="an answer"),
        pytest.param([1, "x"], id="other things"),
        pytest.param(None, id="nothing"),
    ],
)
def test_what_is_no_message(value: Any) -> None:
    assert read_messages(value, "user") is None


def test_an_empty_list_is_no_messages() -> None:
    found = read_messages([], "user")
    assert found is not None
    assert (found.messages, found.told) == ((), False)


def test_a_cut_behind_the_messages_leaves_them_whole() -> None:
    state = '{"messages": [{"role": "user", "content": "Left?"}], "docs": [{"text": "25 d'
    found = decode_messages(state, "user")
    assert found is not None
    assert found.messages == (Message(role="user", text="Left?"),)
    assert found.truncated


def test_what_a_provider_was_asked_stands_in_its_own_object() -> None:
    part: Value = {
        "type": "server_tool_call",
        "id": "w1",
        "name": "web_search",
        "server_tool_call": {"type": "web_search", "query": "weather"},
    }
    found = read_messages([{"role": "assistant", "parts": [part]}], "assistant")
    assert found is not None
    assert found.messages[0].tool_requests == (
        ToolRequest(call_id="w1", name="web_search", arguments={"query": "weather"}, hosted=True),
    )
