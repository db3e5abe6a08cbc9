"""Making the tool calls of a turn: what comes back is not scripted."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sample_traces.agent.agents import Agent, Service
from sample_traces.agent.bm25 import rerank, search
from sample_traces.agent.corpus import Corpus, Passage
from sample_traces.agent.messages import Message, ToolRequest
from sample_traces.agent.records import CallRecord
from sample_traces.agent.script import Call
from sample_traces.agent.sources import Sources
from sample_traces.agent.telemetry import Recorder
from sample_traces.agent.tools import Database, Tool, ToolFailureError


@dataclass(slots=True, kw_only=True)
class Work:
    """What was done in the current turn so far."""

    sources: Sources
    exchange: list[Message] = field(default_factory=list)
    """Tool calls and results as messages."""
    context: list[str] = field(default_factory=list)
    """The same results as texts that a single prompt is made of."""
    passages: list[Passage] = field(default_factory=list)
    calls: list[CallRecord] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Result:
    """What came back of one call."""

    text: str
    """As the model reads it."""
    value: str
    """As the tool returned it; empty after an error."""
    status: str
    found: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Workshop:
    """Everything that tools work with."""

    service: Service
    corpus: Corpus
    database: Database
    recorder: Recorder

    def make_calls(
        self, agent: Agent, step: Sequence[Call], requests: Sequence[ToolRequest], work: Work
    ) -> None:
        """Make the calls of one step, all starting at once, and add what they bring to *work*."""
        clock = self.recorder.clock
        start, ends = clock.now_ns, []
        for call, request in zip(step, requests, strict=True):
            clock.now_ns = start
            start += clock.spend(1, 2)
            self._call(agent, call, request, work)
            ends.append(clock.now_ns)
        clock.now_ns = max(ends)

    def _call(self, agent: Agent, call: Call, request: ToolRequest, work: Work) -> None:
        tool = agent.tool(call.tool)
        with self.recorder.tool(agent.name, tool, request) as span:
            try:
                result = self._search(call, work) if tool.collections else self._look_up(tool, call)
                span.returned(result.value)
            except ToolFailureError as error:
                span.failed(error)
                result = _Result(text=f"Error: {error.message}", value="", status="error")
        work.calls.append(
            CallRecord(
                call_id=request.call_id,
                position=len(work.calls) + 1,
                status=result.status,
                collection=call.arguments["collection"] if tool.collections else None,
                found=result.found,
            )
        )
        work.exchange.append(Message(role="tool", text=result.text, call_id=request.call_id))
        work.context.append(result.text if result.found else f"{tool.name}: {result.text}")

    def _search(self, call: Call, work: Work) -> _Result:
        query, collection = call.arguments["query"], call.arguments["collection"]
        if call.fails is not None:
            error = ToolFailureError(call.fails)
            self.recorder.search(collection, query, (), error=error)
            raise error
        passages = [
            passage
            for passage in self.corpus[collection]
            if passage.passage_id not in call.lacks
            and passage.since_ns <= self.recorder.clock.now_ns
        ]
        hits = search(query, passages, self.service.retrieved)
        self.recorder.search(collection, query, hits)
        if self.service.reranks and hits:
            reranked = rerank(query, hits)
            self.recorder.rerank(query, hits, reranked)
            hits = reranked
        best = [hit.passage for hit in hits[: self.service.in_prompt]]
        work.passages += [passage for passage in best if passage not in work.passages]
        return _Result(
            text=work.sources.add(best) if best else "No passage found.",
            value=_json([{"id": passage.passage_id, "text": passage.text} for passage in best]),
            status="ok" if best else "empty",
            found=tuple(hit.passage.passage_id for hit in hits),
        )

    def _look_up(self, tool: Tool, call: Call) -> _Result:
        clock = self.recorder.clock
        if call.fails is not None:
            clock.spend(9_900, 10_100)
            raise ToolFailureError(call.fails)
        clock.spend(30, 200)
        records = [] if call.finds_nothing else self.database.call(tool, call.arguments)
        text = _json(records)
        return _Result(text=text, value=text, status="ok" if records else "empty")


def _json(value: Sequence[Mapping[str, object]]) -> str:
    return json.dumps(value, ensure_ascii=False)
