"""Given inputs that broke other tools, as far as one span decides the right value."""

from ingest.span import Message, SpanKind, ToolRequest, Usage
from tests.ingest.conventions.recordings import by_id, converted

QUESTION = "How long may I return shoes?"


def test_12_a_turn_in_two_conventions() -> None:
    spans = converted("cases/12.orphans.jsonl")
    kinds = {span.span_id[-1]: span.kind for span in spans}
    assert kinds == {
        "1": SpanKind.AGENT,
        "2": SpanKind.RETRIEVER,
        "3": SpanKind.LLM,
        "8": SpanKind.OTHER,
        "9": SpanKind.OTHER,
        "a": SpanKind.OTHER,
        "b": SpanKind.TOOL,
    }
    assert by_id(spans, "1").input_messages == (Message(role="user", text=QUESTION),)
    tool = by_id(spans, "b").tool
    assert tool is not None
    assert (tool.name, tool.call_id, tool.arguments, tool.result) == ("stock", "c9", {}, "7 left")


def test_14_cached_tokens_are_part_of_the_input() -> None:
    spans = converted("cases/14.tokens.jsonl")
    assert by_id(spans, "2").usage == Usage(
        input_tokens=130213, output_tokens=15, cached_tokens=128955, cache_write_tokens=1253
    )
    assert by_id(spans, "3").usage == by_id(spans, "2").usage
    assert by_id(spans, "4").usage == Usage(input_tokens=105, output_tokens=5)


def test_17_three_names_of_one_session() -> None:
    roots = [s for s in converted("cases/17.sessions.jsonl") if s.kind is SpanKind.AGENT]
    assert [root.conversation_id for root in roots] == ["conv-7", "conv-7", "conv-7"]


def test_19_calls_and_results_are_paired_by_id() -> None:
    spans = converted("cases/19.parallel.jsonl")
    executed = {
        span.tool.call_id: (span.tool.name, span.tool.result) for span in spans if span.tool
    }
    assert executed == {"c1": ("stock", "1"), "c2": ("stock", "2"), "c3": ("price", "80")}
    (message,) = by_id(spans, "2").output_messages or ()
    assert message.tool_requests == (
        ToolRequest(call_id="c1", name="stock", arguments={"sku": "A"}),
        ToolRequest(call_id="c2", name="stock", arguments={"sku": "B"}),
        ToolRequest(call_id="c3", name="price", arguments={"sku": "A"}),
    )


def test_21_content_that_is_off_is_a_state() -> None:
    spans = converted("cases/21.nocontent.jsonl")
    assert [span.content for span in spans] == ["not_captured"] * 3
    search = by_id(spans, "2").retrieval
    assert search is not None
    assert (search.query, search.documents) == (None, None)
    chat = by_id(spans, "3")
    assert (chat.input_messages, chat.usage) == ((), Usage(input_tokens=10, output_tokens=4))


def test_23_what_a_limit_cut_is_salvaged_and_marked() -> None:
    spans = converted("cases/23.truncated.jsonl")
    chat = by_id(spans, "3")
    messages = chat.input_messages or ()
    assert [(m.role, m.truncated) for m in messages] == [
        ("system", False),
        ("user", False),
        ("assistant", False),
        ("user", True),
    ]
    assert messages[1].text == QUESTION
    assert (messages[3].text or "").startswith("And hats? hhh")
    assert (chat.content, chat.flags) == ("truncated", ("truncated",))
    placeholder, cut = by_id(spans, "5"), by_id(spans, "6")
    assert placeholder.tool is not None
    assert (placeholder.tool.result, placeholder.tool.result_capture) == (None, "not_captured")
    assert placeholder.tool.arguments == {"sku": "A"}
    assert placeholder.content == "captured"
    assert cut.tool is not None
    assert cut.tool.result_capture == "truncated"
    assert cut.flags == ("truncated",)


def test_24_arguments_are_unwrapped_as_a_whole_and_no_further() -> None:
    spans = converted("cases/24.double.jsonl")
    assert [span.tool.arguments for span in spans if span.tool] == [
        {"city": "Köln"},
        {"city": "Köln"},
        {"city": "Köln"},
        {"payload": '{"a":1}'},
        {"sql": "[1]"},
    ]


def test_26_nothing_found_is_not_the_same_as_not_told() -> None:
    spans = converted("cases/26.empty.jsonl")
    found = {span.trace_id[-1]: span.retrieval for span in spans if span.retrieval}
    assert set(found) == {"1", "2", "4"}
    assert (found["1"].documents, found["2"].documents) == ((), None)
    assert len(found["4"].documents or ()) == 3


def test_28_the_recorded_order_stands_whatever_the_scores_are() -> None:
    span = by_id(converted("cases/28.scores.jsonl"), "2")
    assert span.retrieval is not None
    documents = span.retrieval.documents or ()
    assert [d.document_id for d in documents] == ["p-1", "p-2", "p-3", "p-4", "p-10", "p-12"]
    assert [d.score for d in documents] == [0.12, 0.4, -3.5, None, None, None]
    assert [d.text for d in documents[3:]] == [None, None, None]
    assert span.flags == ("index_gap",)


def test_29_and_31_the_answer_stays_as_it_was_written() -> None:
    code = by_id(converted("cases/29.code.jsonl"), "3").output_messages or ()
    assert (code[0].text or "").startswith(
        "Use the first item [1].\n\n```py\nx = arr[0]; y = arr[2]\n"
    )
    assert (code[0].text or "").endswith("```\nunclosed [3]")
    marks = by_id(converted("cases/31.marks.jsonl"), "3").output_messages or ()
    assert "Gamma［３］. Delta¹². Eps【3†source】. Escaped \\[1\\]." in (marks[0].text or "")


def test_41_hostile_names_and_values_are_data() -> None:
    spans = converted("cases/41.xss.jsonl")
    payload = "</script><script>window.PWN=1</script>"
    tool = by_id(spans, "9").tool
    assert tool is not None
    assert tool.name == "<img src=x onerror=window.PWN=1>"
    assert (tool.call_id, tool.result) == (payload, payload)
    assert tool.arguments == {payload: '"><svg onload=window.PWN=1>'}
    search = by_id(spans, "2").retrieval
    assert search is not None
    assert [d.document_id for d in search.documents or ()] == [payload]
