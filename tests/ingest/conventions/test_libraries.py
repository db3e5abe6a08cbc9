"""What single libraries do differently under OpenInference."""

import json
from typing import Any

import pytest

from ingest.span import (
    HandoffFact,
    Message,
    RawEvent,
    RouteFact,
    Span,
    SpanKind,
    ToolDefinition,
    ToolFact,
    ToolRequest,
)
from tests.ingest.conventions.recordings import made

SCOPE = "openinference.instrumentation."
STATE = '{"messages": [{"type": "human", "data": {"content": "Days?"}}], "route": "hr"}'


def span_of(library: str, kind: str, attributes: dict[str, Any], **fields: Any) -> Span:
    return made(
        {"openinference.span.kind": kind, **attributes}, scope_name=SCOPE + library, **fields
    )


def graph(name: str, output: str, *, node: str, kind: str = "CHAIN", **more: Any) -> Span:
    metadata = {"thread_id": "conv-42", "langgraph_node": node, "langgraph_step": 1}
    attributes = {"input.value": STATE, "output.value": output, "metadata": json.dumps(metadata)}
    return span_of("langchain", kind, {**attributes, **more}, name=name)


# LangGraph


@pytest.mark.parametrize(
    ("output", "chosen"),
    [
        ("hr_policies", ("hr_policies",)),
        ('{"route": "hr_policies"}', ("hr_policies",)),
        ('{"next": ["hr", "it"]}', ("hr", "it")),
        ("I would say the question is about leave.", None),
        ('{"confidence": 0.4}', None),
    ],
)
def test_a_router_node(output: str, chosen: tuple[str, ...] | None) -> None:
    span = graph("router", output, node="router")
    assert span.route == (None if chosen is None else RouteFact(chosen=chosen, inferred=True))
    assert span.kind is (SpanKind.OTHER if chosen is None else SpanKind.ROUTER)
    assert (span.node, span.conversation_id) == ("router", "conv-42")


@pytest.mark.parametrize(
    ("name", "output", "chosen"),
    [
        ("RunnableCallable", "rewrite", ("rewrite",)),
        ("should_continue", "tools", ("tools",)),
        ("route_question", '["hr", "it"]', ("hr", "it")),
        ("decide_to_generate", "__end__", ("__end__",)),
        ("format_docs", "docs", None),
        ("RunnableCallable", "The answer is 25 days.", None),
        ("router", "hr", None),
    ],
)
def test_a_conditional_edge(name: str, output: str, chosen: tuple[str, ...] | None) -> None:
    route = graph(name, output, node="router").route
    if name == "router":  # the node itself, not an edge of it
        assert route == RouteFact(chosen=("hr",), inferred=True)
    else:
        assert route == (None if chosen is None else RouteFact(chosen=chosen))


def test_a_small_model_that_routes() -> None:
    answer = {"llm.output_messages.0.message.content": '{"route": "hr_policies"}'}
    inferred = RouteFact(chosen=("hr_policies",), inferred=True)
    by_name = graph("route_llm", "", node="x", kind="LLM", **answer)
    assert (by_name.kind, by_name.route) == (SpanKind.LLM, inferred)
    assert graph("ChatOpenAI", "", node="router", kind="LLM", **answer).route == inferred
    assert graph("ChatOpenAI", "", node="generate", kind="LLM", **answer).route is None


@pytest.mark.parametrize(
    ("name", "node", "refined"),
    [
        pytest.param("rewrite", "rewrite", "vacation days", id="a node"),
        pytest.param("condense_question", "condense_question", "vacation days", id="another name"),
        pytest.param("contextualize_q", "contextualize_q", "vacation days", id="with context"),
        pytest.param("refine_answer", "refine_answer", None, id="an answer is no query"),
        pytest.param("StrOutputParser", "rewrite", None, id="a callable inside the node"),
        pytest.param("generate", "generate", None, id="another node"),
    ],
)
def test_a_rewriting_node(name: str, node: str, refined: str | None) -> None:
    assert graph(name, "vacation days", node=node).refined_query == refined
    assert graph(name, '{"query": "vacation days", "n": 1}', node=node).refined_query == refined


def test_a_rewriting_model() -> None:
    answer = {"llm.output_messages.0.message.content": "vacation days"}
    assert graph("rewrite_llm", "", node="x", kind="LLM", **answer).refined_query == "vacation days"
    assert graph("M", "", node="rewrite", kind="LLM", **answer).refined_query == "vacation days"
    assert graph("M", "", node="generate", kind="LLM", **answer).refined_query is None


def test_a_node_called_agent_is_no_agent() -> None:
    step = graph("agent", '{"messages": []}', node="agent", kind="AGENT")
    assert (step.kind, step.agent) == (SpanKind.OTHER, None)
    real = graph("hr_agent", '{"messages": []}', node="hr_agent", kind="AGENT")
    assert (real.kind, real.agent) == (SpanKind.AGENT, "hr_agent")


@pytest.mark.parametrize("kind", ["ParentCommand", "langgraph.errors.GraphInterrupt"])
def test_control_flow_is_no_error(kind: str) -> None:
    raised = RawEvent(
        name="exception",
        attributes={
            "exception.type": kind,
            "exception.message": "Command(graph='__parent__', update={}, goto='hr_agent')",
        },
    )
    span = span_of(
        "langchain",
        "TOOL",
        {"tool.name": "transfer"},
        status="error",
        status_message=f"{kind}(Command(…))Traceback (most recent call last): …",
        events=(raised,),
    )
    assert span.error is None
    assert span.tool is not None
    assert not span.tool.is_error
    assert span.handoff == HandoffFact(target="hr_agent")


def test_control_flow_without_an_exception_event() -> None:
    span = span_of("langchain", "CHAIN", {}, status="error", status_message="GraphInterrupt(())")
    assert span.error is None
    real = span_of("langchain", "CHAIN", {}, status="error", status_message="KeyError('x')")
    assert real.error == "KeyError('x')"


# Applications without a library


@pytest.mark.parametrize(
    ("name", "route"),
    [
        ("route_query", RouteFact(chosen=("hr",), inferred=True)),
        ("RouterQueryEngine.query", None),
        ("Router", None),
    ],
)
def test_functions_are_steps_and_classes_are_none(name: str, route: RouteFact | None) -> None:
    span = made({"openinference.span.kind": "CHAIN", "output.value": "hr"}, name=name)
    assert span.route == route


# LlamaIndex

CHOICES = json.dumps(
    {
        "choices": [
            {"name": "hr", "description": "HR policies", "fn_schema": "<DefaultToolFnSchema>"},
            {"name": "it", "description": "IT runbooks"},
        ],
        "query": {"query_str": "VPN token?"},
    }
)


@pytest.mark.parametrize(
    ("output", "chosen"),
    [
        ('{"selections":[{"index":1,"reason":"keyword"}]}', ("it",)),
        ('{"selections":[{"index":1},{"index":0}]}', ("it", "hr")),
        ('{"selections":[{"index":7}]}', ()),
        ('{"selections":[]}', ()),
    ],
)
def test_a_selector_joins_positions_with_choices(output: str, chosen: tuple[str, ...]) -> None:
    attributes = {"input.value": CHOICES, "output.value": output}
    span = span_of("llama_index", "CHAIN", attributes, name="Sel._select")
    assert span.kind is SpanKind.ROUTER
    assert span.route == RouteFact(
        chosen=chosen,
        candidates=(
            ToolDefinition(name="hr", description="HR policies"),
            ToolDefinition(name="it", description="IT runbooks"),
        ),
    )


def test_the_inner_of_two_spans_is_synthetic() -> None:
    outer = span_of("llama_index", "RETRIEVER", {}, name="VectorIndexRetriever.retrieve")
    inner = span_of("llama_index", "RETRIEVER", {}, name="VectorIndexRetriever._retrieve")
    assert (outer.synthetic, inner.synthetic) == (False, True)


def test_a_query_engine_answers_and_does_not_route() -> None:
    attributes = {"input.value": "Days?", "output.value": "25"}
    span = span_of("llama_index", "CHAIN", attributes, name="RouterQueryEngine.query")
    assert (span.kind, span.route, span.output_text) == (SpanKind.OTHER, None, "25")


# Haystack


def test_a_router_is_told_by_the_branch_it_took() -> None:
    attributes = {
        "input.value": '{"kwargs": {"query": "Days?"}}',
        "output.value": '{"hr": "Days?"}',
    }
    span = span_of("haystack", "CHAIN", attributes, name="ConditionalRouter.run")
    assert (span.kind, span.route) == (SpanKind.ROUTER, RouteFact(chosen=("hr",)))


def test_a_prompt_builder_is_no_model_call() -> None:
    attributes = {"output.value": "[1] 25 days. Q: Days?"}
    span = span_of("haystack", "LLM", attributes, name="PromptBuilder.run")
    assert (span.kind, span.output_text) == (SpanKind.OTHER, "[1] 25 days. Q: Days?")


# OpenAI Agents


def test_the_whole_run_is_no_agent() -> None:
    run = span_of("openai_agents", "AGENT", {}, name="support")
    assert (run.kind, run.agent) == (SpanKind.OTHER, None)
    agent = span_of("openai_agents", "AGENT", {"graph.node.id": "hr_agent"}, name="hr_agent")
    assert (agent.kind, agent.agent) == (SpanKind.AGENT, "hr_agent")


def test_the_longer_list_of_messages_is_whole() -> None:
    call = {"type": "function_call", "call_id": "c1", "name": "stock", "arguments": '{"sku": "A"}'}
    result = {"type": "function_call_output", "call_id": "c1", "output": "7"}
    recorded = [{"role": "user", "content": "Left?"}, call, result]
    span = span_of(
        "openai_agents",
        "LLM",
        {
            "llm.input_messages.0.message.role": "system",
            "llm.input_messages.0.message.content": "Answer.",
            "llm.input_messages.1.message.role": "user",
            "llm.input_messages.1.message.content": "Left?",
            "input.value": json.dumps(recorded),
        },
    )
    assert [m.role for m in span.input_messages or ()] == ["system", "user", "assistant", "tool"]
    request = ToolRequest(call_id="c1", name="stock", arguments={"sku": "A"})
    assert (span.input_messages or ())[2] == Message(role="assistant", tool_requests=(request,))


# CrewAI


def crew(kind: str, took: Any, gave: Any, **attributes: Any) -> Span:
    return made(
        {
            "openinference.span.kind": kind,
            "input.value": json.dumps(took),
            "output.value": json.dumps(gave),
            "output.mime_type": "application/json",
            **attributes,
        },
        name="Task._execute_core",
        scope_name="openinference.instrumentation.crewai",
    )


@pytest.mark.parametrize(
    ("agent", "attributes", "expected"),
    [
        pytest.param("id=UUID('1') role='Writer' goal='x'", {}, "Writer", id="printed"),
        pytest.param('id=1 role="Writer\'s aid" goal=\'x\'', {}, "Writer's aid", id="with an apostrophe"),
        pytest.param("id=1", {}, "Task._execute_core", id="without a role"),
        pytest.param("role='x'", {"graph.node.id": "Writer"}, "Writer", id="as a node"),
    ],
)  # fmt: skip
def test_an_agent_of_a_crew_is_known_by_its_role(
    agent: str, attributes: dict[str, Any], expected: str
) -> None:
    gave = {"description": "Write a page.", "raw": "<html>", "agent": "Writer"}
    span = crew("AGENT", {"agent": agent, "context": ""}, gave, **attributes)
    assert (span.agent, span.input_text, span.output_text) == (expected, "Write a page.", "<html>")


def test_a_crew_gives_what_its_last_task_gave() -> None:
    span = crew("CHAIN", None, {"raw": "<html>", "tasks_output": []})
    assert (span.kind, span.output_text) == (SpanKind.OTHER, "<html>")


def test_telemetry_of_crewai_is_no_agents_work() -> None:
    span = made(
        {"crew_key": "k", "crew_id": "1"}, name="Crew Created", scope_name="crewai.telemetry"
    )
    assert (span.kind, span.conventions) == (SpanKind.OTHER, ())  # fmt: skip


# BeeAI


def bee(kind: str, name: str, **attributes: Any) -> Span:
    told = {k.replace("__", "."): v for k, v in attributes.items()}
    return span_of("beeai", kind, told, name=name)


def test_a_run_is_named_by_its_agent() -> None:
    span = bee("AGENT", "beeai-framework-main", source="ReActAgent", beeai__version="0.1.33")
    assert (span.kind, span.agent) == (SpanKind.AGENT, "ReActAgent")


@pytest.mark.parametrize("event", ["start-4", "update-13", "partial_update-263", "success-2"])
def test_an_event_of_an_agent_is_no_agent(event: str) -> None:
    span = bee("AGENT", f"agent.react.{event}", tool__name="Wikipedia", output__value="[]")
    assert (span.kind, span.agent, span.tool, span.output_text) == (SpanKind.OTHER, None, None, None)  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "name", "synthetic"),
    [
        ("TOOL", "tool.search.wikipedia.start-12", True),
        ("TOOL", "tool.search.wikipedia.finish-12", True),
        ("TOOL", "tool.search.wikipedia.success-12", False),
        ("TOOL", "tool.search.wikipedia.error-12", False),
        ("LLM", "backend.openai.chat.start-14", False),
        ("LLM", "backend.openai.chat.success-14", True),
        ("LLM", "backend.openai.chat.finish-14", True),
    ],
)
def test_one_event_stands_for_a_call(kind: str, name: str, *, synthetic: bool) -> None:
    assert bee(kind, name).synthetic is synthetic


def test_a_tool_is_named_by_its_emitter() -> None:
    span = bee(
        "TOOL",
        "tool.search.wikipedia.success-12",
        tool__parameters='{"query": "Barcelona"}',
        output__value="A city.",
    )
    assert span.tool == ToolFact(
        name="wikipedia", arguments={"query": "Barcelona"}, result="A city."
    )


# Claude Agent SDK


@pytest.mark.parametrize("tool", ["Agent", "Task"])
def test_a_subagent_is_named_by_the_tool_that_asks_it(tool: str) -> None:
    arguments = json.dumps({"subagent_type": "math-agent", "prompt": "6 * 7"})
    asked = span_of("claude_agent_sdk", "TOOL", {"tool.name": tool, "input.value": arguments})
    assert asked.handoff == HandoffFact(target="math-agent", returns=True)
    ran = span_of("claude_agent_sdk", "AGENT", {"agent.name": "Agent"}, name="ClaudeAgentSDK.Agent")
    assert (ran.kind, ran.agent) == (SpanKind.AGENT, None)


def test_other_tools_of_the_claude_agent_sdk_are_tools() -> None:
    span = span_of("claude_agent_sdk", "TOOL", {"tool.name": "Bash", "input.value": "{}"})
    assert (span.handoff, span.tool and span.tool.name) == (None, "Bash")
