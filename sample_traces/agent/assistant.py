"""The loop: route, rewrite, call tools, answer; what the script decides is done for real."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC

from sample_traces.agent.agents import ORCHESTRATOR, Agent, Service, transfer_tool
from sample_traces.agent.bm25 import rerank, search
from sample_traces.agent.corpus import Corpus, Passage
from sample_traces.agent.messages import Message, ModelCall, ToolRequest
from sample_traces.agent.script import Call, Conversation, Turn
from sample_traces.agent.sources import Cited, Sources
from sample_traces.agent.telemetry import Recorder
from sample_traces.agent.tools import Database, Tool, ToolFailureError

_NS_PER_S = 1_000_000_000
_THINKS_MS = (20_000, 90_000)
"""How long a user reads before asking on."""
_NOTHING: tuple[str, ...] = ()
_REWRITER = "query_rewriter"
_REWRITE = "Rewrite the last question as a search query that can be understood on its own."


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRecord:
    """One tool call that was made."""

    call_id: str
    position: int
    """From 1, in order of start within the turn."""
    agent: str
    tool: str
    status: str
    """`ok`, `empty` or `error`."""
    collection: str | None
    """Set for a search."""
    found: tuple[str, ...] = ()
    """Ids of the passages a search returned, in final order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRecord:
    """What happened in a turn, as far as the answers to the judge's questions need it."""

    conversation_id: str
    turn: int
    service: str
    language: str
    script: Turn
    answer: str
    cited: tuple[Cited, ...]
    calls: tuple[CallRecord, ...]
    in_prompt: tuple[str, ...]
    """Passages of this turn that the last prompt held."""
    carried: tuple[str, ...]
    """Passages and calls of earlier turns that the messages still held."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Past:
    """An earlier turn, as later prompts may hold it."""

    question: str
    answer: str
    agent: str
    exchange: tuple[Message, ...]
    passages: tuple[Passage, ...]
    call_ids: tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class _Work:
    """What an agent has done in the current turn."""

    sources: Sources
    exchange: list[Message] = field(default_factory=list)
    calls: list[CallRecord] = field(default_factory=list)
    passages: list[Passage] = field(default_factory=list)
    context: list[str] = field(default_factory=list)
    """Texts that a single prompt is made of."""


class Assistant:
    """One service at work."""

    def __init__(
        self, service: Service, corpus: Corpus, database: Database, recorder: Recorder
    ) -> None:
        """Connect the service to what it searches and to what records it."""
        self._service = service
        self._corpus = corpus
        self._database = database
        self._recorder = recorder

    def converse(self, conversation: Conversation) -> list[TurnRecord]:
        """Answer every question of the conversation, one after the other."""
        records: list[TurnRecord] = []
        past: list[_Past] = []
        starts_at = conversation.starts_at.replace(tzinfo=UTC)
        now_ns = int(starts_at.timestamp()) * _NS_PER_S
        for number, turn in enumerate(conversation.turns, start=1):
            self._recorder.begin_turn(conversation.conversation_id, number, now_ns)
            record, memory = self._answer(conversation, number, turn, past)
            records.append(record)
            past.append(memory)
            self._recorder.clock.spend(*_THINKS_MS)
            now_ns = self._recorder.clock.now_ns
        return records

    def _answer(
        self, conversation: Conversation, number: int, turn: Turn, past: Sequence[_Past]
    ) -> tuple[TurnRecord, _Past]:
        orchestrator = self._service.agent(ORCHESTRATOR)
        agents = [self._service.agent(name) for name in turn.agents]
        answering = agents[-1] if agents else orchestrator
        carried = [memory for memory in past if _keeps(answering, memory)]
        work = _Work(sources=Sources(answering.citations))
        for memory in carried:
            work.sources.add(memory.passages)
        prefix = f"call_{conversation.conversation_id.replace('-', '')}_{number}"
        with self._recorder.agent(orchestrator, turn.question, None) as root:
            if turn.guardrail is not None:
                self._recorder.guardrail(turn.question, turn.guardrail)
                answer, cited = work.sources.cite(turn.answer)
            elif not agents:
                answer, cited = work.sources.cite(turn.answer)
                self._say(
                    orchestrator, _history(orchestrator, past, turn), answer, turn.finish_reason
                )
            else:
                self._hand_over(orchestrator, agents[0], _history(orchestrator, past, turn), prefix)
                answer, cited = self._visit(agents, turn, past, work, prefix)
            root.answered(answer)
        record = TurnRecord(
            conversation_id=conversation.conversation_id,
            turn=number,
            service=self._service.name,
            language=conversation.language,
            script=turn,
            answer=answer,
            cited=cited,
            calls=tuple(work.calls),
            in_prompt=tuple(passage.passage_id for passage in work.passages),
            carried=tuple(
                evidence_id
                for memory in carried
                for evidence_id in (*(p.passage_id for p in memory.passages), *memory.call_ids)
            ),
        )
        memory = _Past(
            question=turn.question,
            answer=answer,
            agent=answering.name,
            exchange=tuple(work.exchange),
            passages=tuple(work.passages),
            call_ids=tuple(call.call_id for call in work.calls if call.collection is None),
        )
        return record, memory

    def _visit(
        self,
        agents: Sequence[Agent],
        turn: Turn,
        past: Sequence[_Past],
        work: _Work,
        prefix: str,
    ) -> tuple[str, tuple[Cited, ...]]:
        caller = ORCHESTRATOR
        *passing, answering = agents
        for agent, successor in zip(passing, agents[1:], strict=True):
            with self._recorder.agent(agent, turn.question, caller):
                self._work(agent, turn, past, work, prefix)
                messages = [*_history(agent, past, turn), *work.exchange]
                self._hand_over(agent, successor, messages, f"{prefix}_{agent.name}")
            caller = agent.name
        with self._recorder.agent(answering, turn.question, caller) as span:
            self._work(answering, turn, past, work, prefix)
            answer, cited = work.sources.cite(turn.answer)
            self._say(
                answering, self._prompt(answering, past, turn, work), answer, turn.finish_reason
            )
            span.answered(answer)
        return answer, cited

    def _work(
        self, agent: Agent, turn: Turn, past: Sequence[_Past], work: _Work, prefix: str
    ) -> None:
        """Rewrite the question if nobody has yet, and make the calls that are the agent's."""
        if turn.refined_query is not None and agent.name == turn.agents[0]:
            self._rewrite(_history(agent, past, turn), turn.refined_query)
        own = {tool.name for tool in agent.tools}
        for step in turn.steps:
            if {call.tool for call in step} <= own:
                self._step(agent, step, _history(agent, past, turn), work, prefix)

    def _step(
        self,
        agent: Agent,
        step: Sequence[Call],
        history: Sequence[Message],
        work: _Work,
        prefix: str,
    ) -> None:
        first = len(work.calls) + 1
        requests = tuple(
            ToolRequest(call_id=f"{prefix}_{position}", tool=call.tool, arguments=call.arguments)
            for position, call in enumerate(step, start=first)
        )
        decision = Message(role="assistant", requests=requests)
        self._recorder.model_call(
            ModelCall(
                agent=agent.name,
                purpose="chat",
                instructions=agent.instructions,
                messages=[*history, *work.exchange],
                reply=decision,
                tools=_choices(self._service, agent),
                finish_reason="tool_calls",
            )
        )
        work.exchange.append(decision)
        clock = self._recorder.clock
        start, ends = clock.now_ns, []
        for call, request in zip(step, requests, strict=True):
            clock.now_ns = start
            start += clock.spend(1, 2)
            text = self._call(agent, call, request, work)
            work.exchange.append(Message(role="tool", text=text, call_id=request.call_id))
            ends.append(clock.now_ns)
        clock.now_ns = max(ends)

    def _call(self, agent: Agent, call: Call, request: ToolRequest, work: _Work) -> str:
        """Make one call and return what the model reads of it."""
        tool = agent.tool(call.tool)
        status, found = "ok", _NOTHING
        with self._recorder.tool(agent.name, tool, request) as span:
            try:
                if tool.collections:
                    text, result, found = self._search(call, work)
                else:
                    result = text = self._look_up(tool, call)
                span.returned(result)
                status = "ok" if found or result != "[]" else "empty"
            except ToolFailureError as error:
                span.failed(error.reason)
                text, status = f"Error: {error.reason}", "error"
        work.calls.append(
            CallRecord(
                call_id=request.call_id,
                position=len(work.calls) + 1,
                agent=agent.name,
                tool=tool.name,
                status=status,
                collection=call.arguments["collection"] if tool.collections else None,
                found=found,
            )
        )
        work.context.append(text if found else f"{tool.name}: {text}")
        return text

    def _search(self, call: Call, work: _Work) -> tuple[str, str, tuple[str, ...]]:
        """Search, and return what the model reads, what the tool returns, what was found."""
        query, collection = call.arguments["query"], call.arguments["collection"]
        if call.fails is not None:
            self._recorder.search(collection, query, (), error=call.fails)
            raise ToolFailureError(call.fails)
        passages = [
            passage
            for passage in self._corpus[collection]
            if passage.passage_id not in call.lacks
            and passage.since_ns <= self._recorder.clock.now_ns
        ]
        hits = search(query, passages, self._service.retrieved)
        self._recorder.search(collection, query, hits)
        if self._service.reranks and hits:
            reranked = rerank(query, hits)
            self._recorder.rerank(query, hits, reranked)
            hits = reranked
        best = [hit.passage for hit in hits[: self._service.in_prompt]]
        work.passages += [passage for passage in best if passage not in work.passages]
        result = [{"id": passage.passage_id, "text": passage.text} for passage in best]
        text = work.sources.add(best) if best else "No passage found."
        return text, _json(result), tuple(hit.passage.passage_id for hit in hits)

    def _look_up(self, tool: Tool, call: Call) -> str:
        clock = self._recorder.clock
        if call.fails is not None:
            clock.spend(9_900, 10_100)
            raise ToolFailureError(call.fails)
        clock.spend(30, 200)
        return "[]" if call.finds_nothing else _json(self._database.call(tool.name, call.arguments))

    def _prompt(
        self, agent: Agent, past: Sequence[_Past], turn: Turn, work: _Work
    ) -> Sequence[Message]:
        history = _history(agent, past, turn)
        if not self._service.one_prompt or not work.context:
            return [*history, *work.exchange]
        sources = "\n\n".join(work.context)
        text = f"Sources:\n\n{sources}\n\nQuestion: {turn.question}"
        return [*history[:-1], Message(role="user", text=text)]

    def _say(
        self, agent: Agent, messages: Sequence[Message], answer: str, finish_reason: str
    ) -> None:
        self._recorder.model_call(
            ModelCall(
                agent=agent.name,
                purpose="chat",
                instructions=agent.instructions,
                messages=messages,
                reply=Message(role="assistant", text=answer),
                tools=_choices(self._service, agent),
                finish_reason=finish_reason,
            )
        )

    def _rewrite(self, history: Sequence[Message], refined_query: str) -> None:
        self._recorder.model_call(
            ModelCall(
                agent=_REWRITER,
                purpose="rewrite_query",
                instructions=_REWRITE,
                messages=history,
                reply=Message(role="assistant", text=refined_query),
            )
        )

    def _hand_over(
        self, agent: Agent, target: Agent, messages: Sequence[Message], prefix: str
    ) -> None:
        tool = transfer_tool(target)
        request = ToolRequest(call_id=f"{prefix}_transfer", tool=tool.name, arguments={})
        self._recorder.model_call(
            ModelCall(
                agent=agent.name,
                purpose="chat",
                instructions=agent.instructions,
                messages=messages,
                reply=Message(role="assistant", requests=(request,)),
                tools=_choices(self._service, agent),
                finish_reason="tool_calls",
            )
        )
        self._recorder.handoff(agent.name, target, request.call_id)


def _choices(service: Service, agent: Agent) -> tuple[Tool, ...]:
    transfers = (transfer_tool(service.agent(name)) for name in agent.hands_over_to)
    return (*agent.tools, *transfers)


def _keeps(agent: Agent, memory: _Past) -> bool:
    return agent.keeps_results and memory.agent == agent.name


def _history(agent: Agent, past: Sequence[_Past], turn: Turn) -> list[Message]:
    messages: list[Message] = []
    for memory in past:
        messages.append(Message(role="user", text=memory.question))
        if _keeps(agent, memory):
            messages += memory.exchange
        messages.append(Message(role="assistant", text=memory.answer))
    return [*messages, Message(role="user", text=turn.question)]


def _json(value: Sequence[Mapping[str, object]]) -> str:
    return json.dumps(value, ensure_ascii=False)
