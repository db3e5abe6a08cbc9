"""Spans after the OpenTelemetry conventions for generative AI, messages as attributes.

Source: open-telemetry/semantic-conventions-genai, gen-ai-spans and gen-ai-agent-spans.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from opentelemetry.trace import Span, SpanKind
from opentelemetry.util.types import AttributeValue

from sample_traces.agent.agents import MODEL, Agent
from sample_traces.agent.bm25 import Hit
from sample_traces.agent.messages import Message, ModelCall, ToolRequest
from sample_traces.agent.telemetry import AgentSpan, Recorder, ToolSpan, record_error
from sample_traces.agent.tools import Tool, ToolFailureError

_NS_PER_S = 1e9


class GenAiRecorder(Recorder):
    """Writes `gen_ai.*` attributes."""

    @contextmanager
    def agent(self, agent: Agent, question: str, caller: str | None) -> Iterator[AgentSpan]:
        """Record an `invoke_agent` span."""
        del caller
        attributes = self._attributes("invoke_agent", agent.name) | {
            "gen_ai.agent.description": agent.description,
            "gen_ai.input.messages": _json([_message(Message(role="user", text=question))]),
        }
        with self._span(f"invoke_agent {agent.name}", attributes) as span:
            yield _GenAiAgentSpan(span)

    def model_call(self, call: ModelCall) -> None:
        """Record a `chat` span; rewriting the query is one with its own agent and name."""
        reply = _message(call.reply) | {"finish_reason": call.finish_reason}
        attributes = self._attributes("chat", call.agent) | {
            "gen_ai.provider.name": "scripted",
            "gen_ai.request.model": MODEL,
            "gen_ai.response.model": MODEL,
            "gen_ai.system_instructions": _json([_text(call.instructions)]),
            "gen_ai.input.messages": _json([_message(message) for message in call.messages]),
            "gen_ai.output.messages": _json([reply]),
            "gen_ai.response.finish_reasons": (call.finish_reason,),
            "gen_ai.usage.input_tokens": call.input_tokens,
            "gen_ai.usage.output_tokens": call.output_tokens,
            "gen_ai.usage.cache_read.input_tokens": call.cached_tokens,
        }
        if call.tools:
            definitions = [tool.definition() for tool in call.tools]
            attributes["gen_ai.tool.definitions"] = _json(definitions)
        name = f"chat {MODEL}" if call.purpose == "chat" else call.purpose
        with self._span(name, attributes, SpanKind.CLIENT) as span:
            start = self.clock.now_ns
            first_output_s = (self._think(call) - start) / _NS_PER_S
            span.set_attribute("gen_ai.response.time_to_first_chunk", round(first_output_s, 3))

    def handoff(self, source: str, target: Agent, call_id: str) -> None:
        """Record an `execute_tool` span that passes control."""
        name = f"transfer_to_{target.name}"
        attributes = self._attributes("execute_tool", source) | {
            "gen_ai.tool.name": name,
            "gen_ai.tool.type": "function",
            "gen_ai.tool.call.id": call_id,
            "gen_ai.tool.call.arguments": "{}",
            "gen_ai.transfer.mode": "pass_control",
            "gen_ai.transfer.target.name": target.name,
        }
        with self._span(f"execute_tool {name}", attributes):
            self.clock.spend(1, 3)

    @contextmanager
    def tool(self, agent: str, tool: Tool, request: ToolRequest) -> Iterator[ToolSpan]:
        """Record an `execute_tool` span."""
        attributes = self._attributes("execute_tool", agent) | {
            "gen_ai.tool.name": tool.name,
            "gen_ai.tool.type": "function",
            "gen_ai.tool.description": tool.description,
            "gen_ai.tool.call.id": request.call_id,
            "gen_ai.tool.call.arguments": _json(request.arguments),
        }
        with self._span(f"execute_tool {tool.name}", attributes) as span:
            yield ToolSpan(span, self.clock, "gen_ai.tool.call.result")

    def search(
        self,
        collection: str,
        query: str,
        hits: Sequence[Hit],
        error: ToolFailureError | None = None,
    ) -> None:
        """Record a `retrieval` span.

        Where the library that searches is not instrumented, the tool's result alone tells
        what it found.
        """
        if collection in self._unrecorded:
            self.clock.spend(10, 40)
            return
        attributes: dict[str, AttributeValue] = {
            "gen_ai.operation.name": "retrieval",
            "gen_ai.conversation.id": self.conversation_id,
            "gen_ai.data_source.id": collection,
            "gen_ai.retrieval.query.text": query,
        }
        with self._span(f"retrieval {collection}", attributes, SpanKind.CLIENT) as span:
            self.clock.spend(20, 90)
            if error is None:
                span.set_attribute("gen_ai.retrieval.documents", _json(list(map(_document, hits))))
            else:
                record_error(span, error, self.clock.now_ns)

    def rerank(self, query: str, before: Sequence[Hit], after: Sequence[Hit]) -> None:
        """Do nothing: the convention has no span for it."""

    def guardrail(self, question: str, policy: str) -> None:
        """Do nothing: the convention has no span for it."""

    def _attributes(self, operation: str, agent: str) -> dict[str, AttributeValue]:
        return {
            "gen_ai.operation.name": operation,
            "gen_ai.conversation.id": self.conversation_id,
            "gen_ai.agent.name": agent,
        }


class _GenAiAgentSpan:
    def __init__(self, span: Span) -> None:
        self._span = span

    def answered(self, answer: str) -> None:
        """Record the answer as a message."""
        message = _message(Message(role="assistant", text=answer)) | {"finish_reason": "stop"}
        self._span.set_attribute("gen_ai.output.messages", _json([message]))


def _message(message: Message) -> dict[str, Any]:
    if message.call_id is not None:
        parts = [
            {"type": "tool_call_response", "id": message.call_id, "response": message.text},
        ]
        return {"role": message.role, "parts": parts}
    parts = [_text(message.text)] if message.text else []
    return {"role": message.role, "parts": parts + [_request(item) for item in message.requests]}


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "content": text}


def _request(request: ToolRequest) -> dict[str, Any]:
    return {
        "type": "tool_call",
        "id": request.call_id,
        "name": request.tool,
        "arguments": dict(request.arguments),
    }


def _document(hit: Hit) -> Mapping[str, Any]:
    return {"id": hit.passage.passage_id, "score": hit.score, "content": hit.passage.text}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
