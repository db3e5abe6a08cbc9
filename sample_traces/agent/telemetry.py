"""Recording with the OpenTelemetry SDK, on a clock of its own and with ids from a seed.

A `Recorder` knows what an assistant does; its two subclasses know how one convention
writes that down. Spans nest as they do in any instrumented program: through the current
context.
"""

import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, SpanLimits, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.id_generator import IdGenerator
from opentelemetry.sdk.trace.sampling import ALWAYS_ON
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, use_span
from opentelemetry.util.types import AttributeValue

from sample_traces.agent.agents import Agent, Service
from sample_traces.agent.bm25 import Hit
from sample_traces.agent.messages import ModelCall, ToolRequest
from sample_traces.agent.tools import Tool, ToolFailureError

_NS_PER_MS = 1_000_000
_FIRST_OUTPUT = 0.3
"""Share of a model call that passes before its first output."""


class Clock:
    """A clock that moves only when something takes time."""

    def __init__(self, now_ns: int, seed: str) -> None:
        """Start at *now_ns*; *seed* decides how long things take."""
        self.now_ns = now_ns
        self._random = random.Random(seed)

    def spend(self, at_least_ms: int, at_most_ms: int) -> int:
        """Let some time pass and return it in nanoseconds."""
        passed = self._random.randint(at_least_ms * _NS_PER_MS, at_most_ms * _NS_PER_MS)
        self.now_ns += passed
        return passed


class _SeededIds(IdGenerator):
    """Ids that depend on the turn alone, so that editing one script leaves the others."""

    def __init__(self) -> None:
        self._random = random.Random()

    def reseed(self, seed: str) -> None:
        self._random.seed(seed)

    def generate_span_id(self) -> int:
        return self._random.getrandbits(64) or 1

    def generate_trace_id(self) -> int:
        return self._random.getrandbits(128) or 1


class ToolSpan:
    """A tool at work; says how it ended."""

    def __init__(self, span: Span, clock: Clock, result_key: str) -> None:
        """Write the result under *result_key*."""
        self._span = span
        self._clock = clock
        self._result_key = result_key

    def returned(self, result: str) -> None:
        """Record the result."""
        self._span.set_attribute(self._result_key, result)

    def failed(self, error: ToolFailureError) -> None:
        """Record the error."""
        record_error(self._span, error, self._clock.now_ns)


class AgentSpan(Protocol):
    """An agent at work."""

    def answered(self, answer: str) -> None:
        """Record the answer."""


class Recorder(ABC):
    """Writes down what the assistants of one service do."""

    def __init__(self, service: Service) -> None:
        """Set up a tracer provider without anything that differs between machines."""
        self._unrecorded = service.unrecorded
        self._ids = _SeededIds()
        self._exporter = InMemorySpanExporter()
        provider = TracerProvider(
            sampler=ALWAYS_ON,
            resource=Resource(
                {
                    "service.name": service.name,
                    "service.version": service.version,
                    "deployment.environment.name": "production",
                }
            ),
            shutdown_on_exit=False,
            id_generator=self._ids,
            # flattened lists of passages need more than the SDK's 128
            span_limits=SpanLimits(max_attributes=4096, max_span_attributes=4096),
        )
        provider.add_span_processor(SimpleSpanProcessor(self._exporter))
        self._tracer = provider.get_tracer(f"{service.name}.telemetry", service.version)
        self.clock = Clock(0, "")
        self.conversation_id = ""

    def begin_turn(self, conversation_id: str, turn: int, now_ns: int) -> None:
        """Set the clock and the ids to the start of a turn."""
        self._ids.reseed(f"ids {conversation_id}/{turn}")
        self.clock = Clock(now_ns, f"clock {conversation_id}/{turn}")
        self.conversation_id = conversation_id

    def finished_spans(self) -> tuple[ReadableSpan, ...]:
        """Return what was recorded, in the order in which the spans ended."""
        return self._exporter.get_finished_spans()

    @abstractmethod
    def agent(
        self, agent: Agent, question: str, caller: str | None
    ) -> AbstractContextManager[AgentSpan]:
        """Record that an agent is at work; *caller* is None for the root of a turn."""

    @abstractmethod
    def model_call(self, call: ModelCall) -> None:
        """Record one request to the model."""

    @abstractmethod
    def handoff(self, source: str, target: Agent, call_id: str) -> None:
        """Record that control was passed on."""

    @abstractmethod
    def tool(
        self, agent: str, tool: Tool, request: ToolRequest
    ) -> AbstractContextManager[ToolSpan]:
        """Record that a tool is at work."""

    @abstractmethod
    def search(
        self,
        collection: str,
        query: str,
        hits: Sequence[Hit],
        error: ToolFailureError | None = None,
    ) -> None:
        """Record a search and what it found."""

    @abstractmethod
    def rerank(self, query: str, before: Sequence[Hit], after: Sequence[Hit]) -> None:
        """Record that passages were put in a new order."""

    @abstractmethod
    def guardrail(self, question: str, policy: str) -> None:
        """Record that a policy forbids an answer."""

    @contextmanager
    def _span(
        self,
        name: str,
        attributes: Mapping[str, AttributeValue],
        kind: SpanKind = SpanKind.INTERNAL,
    ) -> Iterator[Span]:
        span = self._tracer.start_span(
            name, kind=kind, attributes=attributes, start_time=self.clock.now_ns
        )
        with use_span(span, end_on_exit=False, record_exception=False):
            yield span
        span.end(end_time=self.clock.now_ns)

    def _think(self, call: ModelCall) -> int:
        """Let a model call take its time; return when its first output came, in ns."""
        start = self.clock.now_ns
        passed = self.clock.spend(250 + 4 * call.output_tokens, 400 + 6 * call.output_tokens)
        return start + int(passed * _FIRST_OUTPUT)


def record_error(span: Span, error: ToolFailureError, now_ns: int) -> None:
    """Record an error as `record_exception` does, but without a stack trace."""
    span.set_status(Status(StatusCode.ERROR, error.message))
    span.set_attribute("error.type", error.kind)
    event = {"exception.type": error.kind, "exception.message": error.message}
    span.add_event("exception", event, timestamp=now_ns)
