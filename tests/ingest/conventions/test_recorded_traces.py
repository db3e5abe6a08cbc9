"""Traces that real instrumentors wrote; the facts were read off the files by hand."""

import json
from typing import Any

import pytest

from ingest.conventions import to_span
from ingest.span import (
    HandoffFact,
    NativeCitation,
    RawEvent,
    RawSpan,
    RouteFact,
    Span,
    SpanKind,
    ToolRequest,
    ToolResponse,
    Usage,
)
from tests.ingest.conventions.recordings import SHARED, by_id, converted

LANGGRAPH = "traces/generated-langgraph/openinference.otlp.jsonl"
ANSWER = "Employees accrue 25 vacation days per year. Unused days expire on March 31. [1]"


def texts(span: Span) -> list[str | None]:
    return [message.text for message in span.output_messages or ()]


def documents(span: Span) -> list[tuple[str | None, float | None, bool]]:
    assert span.retrieval is not None
    return [(d.document_id, d.score, d.text is not None) for d in span.retrieval.documents or ()]


def test_langgraph_under_genai_has_searches_without_texts() -> None:
    spans = converted("traces/generated-langgraph/genai.otlp.jsonl")
    assert len(spans) == 8
    root = by_id(spans, "31f80e70b49a220a")
    assert (root.kind, root.agent, root.conversation_id) == (
        SpanKind.AGENT,
        "support_agent",
        "conv-42",
    )
    assert [m.text for m in root.input_messages or ()] == ["And when do they expire?"]
    assert texts(root) == [ANSWER]
    search = by_id(spans, "426f461181a83b58")
    assert search.retrieval is not None
    assert (search.retrieval.query, search.retrieval.collection) == (
        "vacation days expire date",
        None,
    )
    assert documents(search) == [("hr-001", 0.75, False), ("hr-002", 0.0, False)]
    tool = by_id(spans, "05ef594467c0de89").tool
    assert tool is not None
    assert (tool.name, tool.call_id) == ("create_ticket", "call_1")
    assert tool.arguments == {"kind": "HW-REFRESH", "note": "new laptop"}
    assert (tool.is_error, tool.error) == (True, "ValueError: ticket backend returned 503")
    assert (tool.result, tool.result_capture) == (None, "not_captured")


def test_langgraph_under_openinference_tells_every_stage() -> None:
    spans = [span for span in converted(LANGGRAPH) if span.trace_id.endswith("3e7909")]
    assert {span.conversation_id for span in spans} == {"conv-42"}
    routes = {span.raw.name: span.route for span in spans if span.route}
    assert routes == {
        "route_llm": RouteFact(chosen=("hr_policies",), inferred=True),
        "router": RouteFact(chosen=("hr_policies",), inferred=True),
        "RunnableCallable": RouteFact(chosen=("rewrite",)),
    }
    refined = {span.raw.name: span.refined_query for span in spans if span.refined_query}
    assert refined == dict.fromkeys(("rewrite_llm", "rewrite"), "vacation days expire date")
    search = by_id(spans, "e1c53a80531e0d81")
    assert search.retrieval is not None
    assert (search.retrieval.query, search.node) == ("vacation days expire date", "retrieve")
    assert (search.retrieval.collection, search.retrieval.collection_inferred) == (
        "hr_policies",
        True,
    )
    assert documents(search) == [("hr-001", 0.75, True), ("hr-002", 0.0, True)]
    generation = by_id(spans, "d72009f4686caf27")
    assert texts(generation) == [ANSWER]
    assert generation.usage == Usage(input_tokens=50, output_tokens=12)
    root = by_id(spans, "e7cf19b140233265")
    assert (root.kind, root.agent) == (SpanKind.AGENT, "support_agent")
    assert [m.text for m in root.input_messages or ()] == ["And when do they expire?"]
    assert texts(root)[-1] == ANSWER
    assert root.output_value is None


def test_langgraph_swallows_the_failure_of_a_tool() -> None:
    spans = converted(LANGGRAPH)
    tool = by_id(spans, "309fe90efee39cc5").tool
    assert tool is not None
    assert (tool.is_error, tool.error) == (True, "ValueError: ticket backend returned 503")
    answer = by_id(spans, "810bea00acb95663")
    assert (answer.input_messages or ())[-1].tool_responses == (
        ToolResponse(
            call_id="call_1", name=None, result="Error: ticket backend returned 503", is_error=True
        ),
    )  # fmt: skip
    assert texts(answer) == ["I have created your laptop ticket T-1."]
    assert by_id(spans, "e5530fb28e034ecd").error is None


def test_llamaindex() -> None:
    spans = converted("traces/generated-llamaindex/openinference.otlp.jsonl")
    selected = by_id(spans, "69daede0a2e11427")
    assert selected.route is not None
    assert (selected.kind, selected.route.chosen) == (SpanKind.ROUTER, ("it_runbooks",))
    assert [c.name for c in selected.route.candidates] == ["hr_policies", "it_runbooks"]
    outer, inner = by_id(spans, "729eb5139718fc37"), by_id(spans, "8a8649b527d676e3")
    assert (outer.synthetic, inner.synthetic) == (False, True)
    score = 0.9999999999999998
    assert documents(outer) == [("hr-001", score, True), ("hr-002", score, True)]
    assert outer.retrieval is not None
    assert outer.retrieval.collection == "hr_policies"
    root = by_id(spans, "062b89f50b5e2483")
    assert (root.kind, root.conversation_id) == (SpanKind.OTHER, "conv-77")
    assert root.input_text == "How do I reset my VPN token?"
    call = by_id(spans, "9f7bde33e20bd8e5")
    assert (call.input_text or "").startswith("Context information is below.\n")
    assert call.output_text == " ".join(["text"] * 20)
    assert all(span.route is None for span in spans if not span.raw.name.endswith("._select"))
    assert all(span.refined_query is None for span in spans)


def test_haystack() -> None:
    spans = converted("traces/generated-haystack/openinference.otlp.jsonl")
    assert by_id(spans, "8dd5044c3bc90c40").route == RouteFact(chosen=("it",))
    search = by_id(spans, "111cb55bcb1a4ec8")
    assert documents(search) == [("it-001", 2.980035029263541, True)]
    assert by_id(spans, "0cfd1e1b3d6dc2ce").kind is SpanKind.OTHER
    call = by_id(spans, "deb18bd972f936c4")
    assert (call.kind, call.model) == (SpanKind.LLM, "fake")
    assert texts(call) == ["Open the self-service portal and choose Reset token. [1]"]
    root = by_id(spans, "8a2b5ca71966695b")
    assert root.input_text == "How do I reset my VPN token?"
    assert root.output_text == "Open the self-service portal and choose Reset token. [1]"
    assert {span.conversation_id for span in spans} == {None}


def test_openai_agents_under_openinference() -> None:
    spans = [
        span
        for span in converted("traces/generated-openai-agents/openinference.otlp.jsonl")
        if span.trace_id.endswith("9925f6")
    ]
    assert [s.agent for s in spans if s.kind is SpanKind.AGENT] == ["triage_agent", "hr_agent"]
    handoff = by_id(spans, "7480d7cc398f53bd")
    assert handoff.handoff == HandoffFact(target="hr_agent", source="triage_agent")
    assert handoff.tool is None
    routed = by_id(spans, "3fb7db3d2fa731e0")
    assert [m.tool_requests for m in routed.output_messages or ()] == [
        (ToolRequest(call_id="call_1", name="transfer_to_hr_agent", arguments={}),)
    ]
    answer = by_id(spans, "eec8946a522923de")
    assert [m.role for m in answer.input_messages or ()] == [
        *("system", "user", "assistant", "tool", "assistant", "tool")
    ]
    assert texts(answer) == ["You get 25 vacation days. [hr-001]"]
    assert answer.citations == (NativeCitation(start=23, end=23, target_id="file-hr-001"),)
    tool = by_id(spans, "70546a43f6423ac9").tool
    assert tool is not None
    assert tool.arguments == {"query": "vacation days", "top_k": 2}
    assert isinstance(tool.result, list)
    assert len(tool.result) == 2
    assert tool.definition is not None
    assert tool.definition.description == "Search the hr_policies collection."


def test_openai_agents_under_genai_record_no_texts_of_agents() -> None:
    spans = converted("traces/generated-openai-agents/genai.otlp.jsonl")
    agents = [span for span in spans if span.kind is SpanKind.AGENT]
    assert [a.agent for a in agents] == ["triage_agent", "hr_agent"] * 2
    assert {a.content for a in agents} == {"not_captured"}
    workflow = by_id(spans, "65bf9cc8c703d4a7")
    assert (workflow.kind, workflow.conversation_id) == (SpanKind.OTHER, "conv-42")


def test_pydantic_ai() -> None:
    spans = converted("traces/generated-pydantic-ai/v5.otlp.jsonl")
    root, inner = by_id(spans, "9bc1b9612ed53bef"), by_id(spans, "985204bc1ce52fad")
    assert (root.conversation_id, root.conversation_weak) == ("conv-42", False)
    assert inner.conversation_id == "01a22934-6e30-700e-bcfe-0650eafdd041"
    assert inner.conversation_weak
    assert (root.agent, inner.agent) == ("triage_agent", "hr_agent")
    assert [m.text for m in root.input_messages or () if m.role == "user"] == [
        "How many vacation days do I get?",
        "And when do they expire?",
    ]
    assert [m.role for m in root.output_messages or ()] == ["assistant", "tool", "assistant"]
    assert root.output_text == "You get 25 vacation days. [hr-001]"
    assert (root.usage, root.instructions) == (None, "Route.")
    chat = by_id(spans, "ec4acf73702a8732")
    assert chat.usage == Usage(input_tokens=91, output_tokens=13)
    assert [m.role for m in chat.input_messages or ()] == ["user", "assistant", "tool"]
    assert [tool.name for tool in chat.tools_available or ()] == ["search_hr"]
    assert all(span.handoff is None for span in spans)


def test_a_retriever_and_the_store_below_it() -> None:
    spans = converted("traces/otlp-openinference/rag_earnings_agent.json")
    retriever = by_id(spans, "L2l7L7onxPI=")
    assert documents(retriever) == [(None, None, True)] * 3
    assert retriever.retrieval is not None
    assert retriever.retrieval.query == "what was meta's revenue in Q4 2023"
    assert (retriever.retrieval.collection, retriever.retrieval.collection_inferred) == (
        "data",
        True,
    )
    store = by_id(spans, "y5Bd/TcYois=")
    assert (store.kind, store.conventions) == (SpanKind.RETRIEVER, ("vector_db",))
    assert documents(store) == [
        ("4c0ca22f-5b37-44af-aca6-36e798c054c6", 0.25226640701293945, True),
        ("381c8154-a66c-4de6-a92e-b89a0bdb27f1", 0.25226640701293945, True),
        ("c8e1a069-3d64-4821-815f-2f49c577f8a8", 0.2523272633552551, True),
    ]
    assert store.retrieval is not None
    assert (store.retrieval.collection, store.retrieval.collection_inferred) == ("langchain", False)
    root = by_id(spans, "7Xjk53+Xypc=")
    assert root.output_text == "Meta Platforms Inc.'s revenue in Q4 2023 was $40.1 billion."
    call = by_id(spans, "GcmtOA5tpAU=")
    assert (call.model, call.finish_reason) == ("gpt-3.5-turbo", "stop")
    assert call.usage == Usage(input_tokens=629, output_tokens=19, cached_tokens=0)
    assert by_id(spans, "IkweT4IEqvQ=").conventions == ()


# Files in shapes of their own, read here as lists of flat spans


def live(name: str) -> list[Span]:
    path = SHARED / "traces" / name
    if not path.is_file():
        pytest.skip(f"{path} is not on this machine")
    listed = json.loads(path.read_text("utf-8"))
    return [
        to_span(flat(span)) for span in (listed["spans"] if isinstance(listed, dict) else listed)
    ]


def flat(span: dict[str, Any]) -> RawSpan:
    events = [
        RawEvent(name=event["event_name"], attributes=event["attributes"])
        for event in span["span_events"]
    ]
    return RawSpan(
        trace_id=span["trace_id"],
        span_id=span["span_id"],
        parent_id=span["parent_span_id"],
        name=span["name"],
        status="error" if span["status"]["code"] == "ERROR" else "unset",
        attributes=span["attributes"],
        events=tuple(events),
        scope_name=span["scope"]["name"],
    )


def test_content_in_an_event_of_the_span() -> None:
    spans = live("adot-cloudwatch/otel_genai_convention_spans.json")
    chat = by_id(spans, "1000000000000005")
    assert [m.role for m in chat.input_messages or ()] == ["user", "assistant", "tool", "tool"]
    assert (chat.input_messages or ())[3].tool_responses == (
        ToolResponse(call_id="call_london_001", name=None, result="Error: TimeoutError", is_error=True),
    )  # fmt: skip
    failed = by_id(spans, "1000000000000004").tool
    assert failed is not None
    assert (failed.is_error, failed.error) == (True, "TimeoutError")


def test_cached_tokens_that_were_counted_apart() -> None:
    spans = live("adot-cloudwatch/claude_adot_spans.json")
    query = next(span for span in spans if span.raw.name == "ClaudeAgentSDK.query")
    assert query.conventions == ("openinference", "gen_ai")
    assert query.usage == Usage(
        input_tokens=4 + 29447 + 2861,
        output_tokens=767,
        cached_tokens=29447,
        cache_write_tokens=2861,
    )
    assert query.input_text == "What is 42 * 7, and how many miles is that in kilometers?"


def test_tools_of_smolagents() -> None:
    spans = live("strands-live/smolagents_live_spans.json")
    search = next(span.tool for span in spans if span.tool and span.tool.name == "web_search")
    assert search.arguments == {"query": "population of Tokyo"}
    assert search.definition is not None
    assert search.definition.parameters == {
        "type": "object",
        "properties": {"query": {"type": "string", "description": "The search query to perform."}},
    }
    agent = next(span for span in spans if span.kind is SpanKind.AGENT)
    assert agent.input_text == "What is the population of Tokyo?"
    assert [tool.name for tool in agent.tools_available or ()] == ["web_search", "final_answer"]
