"""Spans after the OpenInference conventions: lists flattened, one attribute per leaf.

Source: OpenInference specification, spec/semantic_conventions.md.
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

_Attributes = dict[str, AttributeValue]


class OpenInferenceRecorder(Recorder):
    """Writes `openinference.span.kind` and what belongs to it."""

    @contextmanager
    def agent(self, agent: Agent, question: str, caller: str | None) -> Iterator[AgentSpan]:
        """Record an AGENT span, as a node of the graph of agents."""
        attributes = self._attributes("AGENT") | {
            "agent.name": agent.name,
            "graph.node.id": agent.name,
            "input.value": question,
            "input.mime_type": "text/plain",
        }
        if caller is not None:
            attributes["graph.node.parent_id"] = caller
        with self._span(agent.name, attributes) as span:
            yield _OpenInferenceAgentSpan(span)

    def model_call(self, call: ModelCall) -> None:
        """Record an LLM span with an event at the first token of an answer."""
        told = Message(role="system", text=call.instructions)
        attributes = self._attributes("LLM") | {
            "agent.name": call.agent,
            "llm.model_name": MODEL,
            "llm.provider": "scripted",
            "llm.finish_reason": call.finish_reason,
            "llm.token_count.prompt": call.input_tokens,
            "llm.token_count.completion": call.output_tokens,
            "llm.token_count.total": call.input_tokens + call.output_tokens,
            "llm.token_count.prompt_details.cache_read": call.cached_tokens,
        }
        for index, message in enumerate([told, *call.messages]):
            attributes |= _message(f"llm.input_messages.{index}.message", message)
        attributes |= _message("llm.output_messages.0.message", call.reply)
        if call.reply.text:
            attributes |= {"output.value": call.reply.text, "output.mime_type": "text/plain"}
        for index, tool in enumerate(call.tools):
            attributes[f"llm.tools.{index}.tool.json_schema"] = _json(_schema(tool))
        name = "llm" if call.purpose == "chat" else call.purpose
        with self._span(name, attributes, SpanKind.CLIENT) as span:
            first_output_ns = self._think(call)
            if call.reply.text:
                span.add_event("First Token Stream Event", timestamp=first_output_ns)

    def handoff(self, source: str, target: Agent, call_id: str) -> None:
        """Record a TOOL span `handoff to …`, from and to as its input and output."""
        del call_id
        attributes = self._attributes("TOOL") | {
            "tool.name": f"transfer_to_{target.name}",
            "input.value": source,
            "output.value": target.name,
        }
        with self._span(f"handoff to {target.name}", attributes):
            self.clock.spend(1, 3)

    @contextmanager
    def tool(self, agent: str, tool: Tool, request: ToolRequest) -> Iterator[ToolSpan]:
        """Record a TOOL span."""
        attributes = self._attributes("TOOL") | {
            "agent.name": agent,
            "tool.name": tool.name,
            "tool.id": request.call_id,
            "tool.description": tool.description,
            "input.value": _json(request.arguments),
            "input.mime_type": "application/json",
            "output.mime_type": "application/json",
        }
        with self._span(tool.name, attributes) as span:
            yield ToolSpan(span, self.clock, "output.value")

    def search(
        self,
        collection: str,
        query: str,
        hits: Sequence[Hit],
        error: ToolFailureError | None = None,
    ) -> None:
        """Record a RETRIEVER span."""
        attributes = self._attributes("RETRIEVER") | {
            "input.value": query,
            "metadata": _json({"collection": collection, "retriever": "bm25"}),
        }
        attributes |= _documents("retrieval.documents", hits)
        with self._span("bm25_search", attributes) as span:
            self.clock.spend(20, 90)
            if error is not None:
                record_error(span, error, self.clock.now_ns)
            elif not hits:
                span.set_attribute("output.value", "[]")

    def rerank(self, query: str, before: Sequence[Hit], after: Sequence[Hit]) -> None:
        """Record a RERANKER span."""
        attributes = self._attributes("RERANKER") | {
            "reranker.query": query,
            "reranker.model_name": "word-pairs",
            "reranker.top_k": len(after),
        }
        attributes |= _documents("reranker.input_documents", before)
        attributes |= _documents("reranker.output_documents", after)
        with self._span("rerank", attributes):
            self.clock.spend(15, 60)

    def guardrail(self, question: str, policy: str) -> None:
        """Record a GUARDRAIL span that blocks the question."""
        attributes = self._attributes("GUARDRAIL") | {
            "input.value": question,
            "output.value": _json({"blocked": True, "flag": policy}),
            "output.mime_type": "application/json",
        }
        with self._span("policy_check", attributes):
            self.clock.spend(20, 50)

    def _attributes(self, kind: str) -> _Attributes:
        return {"openinference.span.kind": kind, "session.id": self.conversation_id}


class _OpenInferenceAgentSpan:
    def __init__(self, span: Span) -> None:
        self._span = span

    def answered(self, answer: str) -> None:
        """Record the answer as the span's output."""
        self._span.set_attributes({"output.value": answer, "output.mime_type": "text/plain"})


def _message(prefix: str, message: Message) -> _Attributes:
    attributes: _Attributes = {f"{prefix}.role": message.role}
    if message.text:
        attributes[f"{prefix}.content"] = message.text
    for index, request in enumerate(message.requests):
        call = f"{prefix}.tool_calls.{index}.tool_call"
        attributes[f"{call}.id"] = request.call_id
        attributes[f"{call}.function.name"] = request.tool
        attributes[f"{call}.function.arguments"] = _json(request.arguments)
    return attributes


def _documents(prefix: str, hits: Sequence[Hit]) -> _Attributes:
    attributes: _Attributes = {}
    for index, hit in enumerate(hits):
        document = f"{prefix}.{index}.document"
        attributes[f"{document}.id"] = hit.passage.passage_id
        attributes[f"{document}.content"] = hit.passage.text
        attributes[f"{document}.score"] = hit.score
        attributes[f"{document}.metadata"] = _json({"collection": hit.passage.collection})
    return attributes


def _schema(tool: Tool) -> Mapping[str, Any]:
    definition = tool.definition()
    return {"type": definition.pop("type"), "function": definition}


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
