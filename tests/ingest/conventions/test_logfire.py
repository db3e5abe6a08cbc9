import json
from typing import Any

import pytest

from ingest.span import Message, RawEvent, SpanKind, Usage
from tests.ingest.conventions.recordings import made

QUESTION = "How long may I return shoes?"
ANSWER = "30 days [1]."
MARK = {"logfire.span_type": "span"}


def message(role: str, **fields: Any) -> dict[str, Any]:
    return {"event.name": f"gen_ai.{role}.message", "role": role, **fields}


def test_a_pending_span_is_nobodys_work() -> None:
    pending = made({"logfire.span_type": "pending_span", "gen_ai.operation.name": "invoke_agent"})
    assert (pending.kind, pending.synthetic) == (SpanKind.AGENT, True)
    assert not made({**MARK, "gen_ai.operation.name": "invoke_agent"}).synthetic


def test_a_call_of_an_older_release() -> None:
    asked = [{"role": "user", "content": QUESTION}]
    tools = [{"type": "function", "function": {"name": "stock"}}]
    usage = {"prompt_tokens": 2, "completion_tokens": 1}
    span = made(
        {
            **MARK,
            "request_data": json.dumps({"model": "m1", "messages": asked, "tools": tools}),
            "response_data": json.dumps(
                {"message": {"role": "assistant", "content": ANSWER}, "usage": usage}
            ),
        }
    )
    assert (span.kind, span.model, span.conventions) == (SpanKind.LLM, "m1", ("logfire",))
    assert span.usage == Usage(input_tokens=2, output_tokens=1)
    assert span.input_messages == (Message(role="user", text=QUESTION),)
    assert span.output_messages == (Message(role="assistant", text=ANSWER),)
    assert [tool.name for tool in span.tools_available or ()] == ["stock"]


def test_a_stream_and_a_completion() -> None:
    stream = made(
        {**MARK, "request_data": {"messages": []}, "response_data": {"combined_chunk_content": ANSWER}}
    )  # fmt: skip
    assert stream.output_text == ANSWER
    completion = made(
        {**MARK, "request_data": {"prompt": QUESTION}, "response_data": {"text": ANSWER}}
    )
    assert (completion.input_text, completion.output_text) == (QUESTION, ANSWER)


STREAMED = {"messages": [{"role": "user", "content": QUESTION}], "stream": True}


@pytest.mark.parametrize(
    ("attributes", "status", "opens"),
    [
        pytest.param({"request_data": STREAMED}, "unset", True, id="its beginning"),
        pytest.param({"request_data": {"stream": True}}, "unset", True, id="without messages"),
        pytest.param(
            {"request_data": STREAMED, "response_data": {"combined_chunk_content": ANSWER}},
            "unset",
            False,
            id="its end",
        ),
        pytest.param(
            {
                "request_data": {"stream": True},
                "events": [message("user", content="a"), message("assistant", content="b")],
            },
            "unset",
            False,
            id="its end, in events",
        ),
        pytest.param({"request_data": STREAMED}, "error", False, id="one that failed"),
        pytest.param(
            {"request_data": {**STREAMED, "stream": False}}, "unset", False, id="no stream"
        ),
    ],
)
def test_a_stream_is_the_record_of_its_end(
    attributes: dict[str, Any], status: Any, *, opens: bool
) -> None:
    assert made({**MARK, **attributes}, status=status).synthetic is opens


@pytest.mark.parametrize("request_data", [{"file": "x"}, "text", None])
def test_other_requests_are_no_model_calls(request_data: Any) -> None:
    assert made({**MARK, "request_data": request_data}).kind is SpanKind.OTHER


def test_events_without_a_choice_end_with_the_answer() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "stock", "arguments": "{}"}}
    searched = {"type": "file_search_call", "id": "f1", "queries": ["shoes"]}
    events = [
        message("user", content=QUESTION),
        message("assistant", tool_calls=[call]),
        message("tool", content="7 left", id="c1"),
        {"event.name": "gen_ai.unknown", "role": "assistant", "content": "…", "data": searched},
        message("assistant", content=ANSWER),
    ]
    span = made({**MARK, "gen_ai.operation.name": "chat", "events": json.dumps(events)})
    assert [m.role for m in span.input_messages or ()] == ["user", "assistant", "tool"]
    written = span.output_messages or ()
    assert [m.text for m in written] == [None, ANSWER]
    assert [(r.name, r.arguments) for r in written[0].tool_requests] == [("file_search", ["shoes"])]


def test_events_that_end_with_the_question_have_no_answer() -> None:
    events = (
        RawEvent(name="gen_ai.assistant.message", time_ns=1, attributes={"content": "Hello."}),
        RawEvent(name="gen_ai.user.message", time_ns=2, attributes={"content": QUESTION}),
    )
    span = made({"gen_ai.operation.name": "chat"}, events=events)
    assert [m.text for m in span.input_messages or ()] == ["Hello.", QUESTION]
    assert span.output_messages is None
