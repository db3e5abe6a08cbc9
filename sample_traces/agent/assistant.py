"""The loop: route, rewrite, call tools, answer; what the script decides is done for real."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC

from sample_traces.agent.agents import ORCHESTRATOR, Agent, Service, transfer_tool
from sample_traces.agent.corpus import Corpus
from sample_traces.agent.memory import Past, conversation_so_far, keeps_results
from sample_traces.agent.messages import Message, ModelCall, ToolRequest
from sample_traces.agent.records import TurnRecord
from sample_traces.agent.script import Call, Conversation, Turn
from sample_traces.agent.sources import Cited, Sources
from sample_traces.agent.telemetry import Recorder
from sample_traces.agent.tools import Database, Tool
from sample_traces.agent.working import Work, Workshop

_NS_PER_S = 1_000_000_000
_READS_MS = (20_000, 90_000)
"""How long a user reads before asking on."""
_REWRITER = "query_rewriter"
_REWRITE = "Rewrite the last question as a search query that can be understood on its own."


@dataclass(frozen=True, slots=True, kw_only=True)
class _Situation:
    """The turn that is being answered."""

    turn: Turn
    past: Sequence[Past]
    call_prefix: str

    def messages(self, agent: Agent) -> list[Message]:
        """Return the conversation as the agent gets to read it."""
        return conversation_so_far(agent, self.past, self.turn.question)


class Assistant:
    """One service at work."""

    def __init__(
        self, service: Service, corpus: Corpus, database: Database, recorder: Recorder
    ) -> None:
        """Connect the service to what it searches and to what records it."""
        self._service = service
        self._recorder = recorder
        self._workshop = Workshop(
            service=service, corpus=corpus, database=database, recorder=recorder
        )

    def converse(self, conversation: Conversation) -> list[TurnRecord]:
        """Answer every question of the conversation, one after the other."""
        records: list[TurnRecord] = []
        past: list[Past] = []
        starts_at = conversation.starts_at.replace(tzinfo=UTC)
        now_ns = int(starts_at.timestamp()) * _NS_PER_S
        for number, turn in enumerate(conversation.turns, start=1):
            self._recorder.begin_turn(conversation.conversation_id, number, now_ns)
            record, memory = self._answer(conversation, number, turn, past)
            records.append(record)
            past.append(memory)
            self._recorder.clock.spend(*_READS_MS)
            now_ns = self._recorder.clock.now_ns
        return records

    def _answer(
        self, conversation: Conversation, number: int, turn: Turn, past: Sequence[Past]
    ) -> tuple[TurnRecord, Past]:
        orchestrator = self._service.agent(ORCHESTRATOR)
        agents = [self._service.agent(name) for name in turn.agents]
        answering = agents[-1] if agents else orchestrator
        carried = [earlier for earlier in past if keeps_results(answering, earlier)]
        work = Work(sources=Sources(answering.citations))
        for earlier in carried:
            work.sources.add(earlier.passages)
        now = _Situation(
            turn=turn,
            past=past,
            call_prefix=f"call_{conversation.conversation_id.replace('-', '')}_{number}",
        )
        started_ns = self._recorder.clock.now_ns
        answer, cited = work.sources.cite(turn.answer) if not agents else ("", ())
        with self._recorder.agent(orchestrator, turn.question, None) as root:
            if turn.guardrail is not None:
                self._recorder.guardrail(turn.question, turn.guardrail)
            elif not agents:
                self._say(orchestrator, now.messages(orchestrator), answer, turn)
            else:
                self._hand_over(orchestrator, agents[0], now.messages(orchestrator), now)
                answer, cited = self._visit(agents, now, work)
            root.answered(answer)
        record = TurnRecord(
            conversation_id=conversation.conversation_id,
            turn=number,
            started_ns=started_ns,
            service=self._service.name,
            language=conversation.language,
            script=turn,
            answer=answer,
            cited=cited,
            calls=tuple(work.calls),
            in_prompt=tuple(passage.passage_id for passage in work.passages),
            carried=tuple(i for earlier in carried for i in earlier.evidence_ids),
        )
        memory = Past(
            question=turn.question,
            answer=answer,
            agent=answering.name,
            exchange=tuple(work.exchange),
            passages=tuple(work.passages),
            call_ids=tuple(call.call_id for call in work.calls if call.collection is None),
        )
        return record, memory

    def _visit(
        self, agents: Sequence[Agent], now: _Situation, work: Work
    ) -> tuple[str, tuple[Cited, ...]]:
        """Let the agents work one after the other; the last one answers."""
        caller = ORCHESTRATOR
        *passing, answering = agents
        for agent, successor in zip(passing, agents[1:], strict=True):
            with self._recorder.agent(agent, now.turn.question, caller):
                self._work(agent, now, work)
                messages = [*now.messages(agent), *work.exchange]
                self._hand_over(agent, successor, messages, now)
            caller = agent.name
        with self._recorder.agent(answering, now.turn.question, caller) as span:
            self._work(answering, now, work)
            answer, cited = work.sources.cite(now.turn.answer)
            self._say(answering, self._prompt(answering, now, work), answer, now.turn)
            span.answered(answer)
        return answer, cited

    def _work(self, agent: Agent, now: _Situation, work: Work) -> None:
        """Rewrite the question if nobody has yet, and make the calls that are the agent's."""
        messages = now.messages(agent)
        if now.turn.refined_query is not None and agent.name == now.turn.agents[0]:
            self._rewrite(messages, now.turn.refined_query)
        own = {tool.name for tool in agent.tools}
        for step in now.turn.steps:
            if {call.tool for call in step} <= own:
                requests = _requests(step, now, len(work.calls) + 1)
                decision = Message(role="assistant", requests=requests)
                self._decide(agent, [*messages, *work.exchange], decision)
                work.exchange.append(decision)
                self._workshop.make_calls(agent, step, requests, work)

    def _prompt(self, agent: Agent, now: _Situation, work: Work) -> list[Message]:
        """Return what stands before the model when it answers."""
        messages = now.messages(agent)
        if not self._service.one_prompt or not work.context:
            return [*messages, *work.exchange]
        sources = "\n\n".join(work.context)
        text = f"Sources:\n\n{sources}\n\nQuestion: {now.turn.question}"
        return [*messages[:-1], Message(role="user", text=text)]

    def _rewrite(self, messages: Sequence[Message], refined_query: str) -> None:
        self._recorder.model_call(
            ModelCall(
                agent=_REWRITER,
                purpose="rewrite_query",
                instructions=_REWRITE,
                messages=messages,
                reply=Message(role="assistant", text=refined_query),
            )
        )

    def _hand_over(
        self, agent: Agent, target: Agent, messages: Sequence[Message], now: _Situation
    ) -> None:
        name = transfer_tool(target).name
        request = ToolRequest(call_id=f"{now.call_prefix}_{name}", tool=name, arguments={})
        self._decide(agent, messages, Message(role="assistant", requests=(request,)))
        self._recorder.handoff(agent.name, target, request.call_id)

    def _decide(self, agent: Agent, messages: Sequence[Message], decision: Message) -> None:
        self._model_call(agent, messages, decision, "tool_calls")

    def _say(self, agent: Agent, messages: Sequence[Message], answer: str, turn: Turn) -> None:
        reply = Message(role="assistant", text=answer)
        self._model_call(agent, messages, reply, turn.finish_reason)

    def _model_call(
        self, agent: Agent, messages: Sequence[Message], reply: Message, finish_reason: str
    ) -> None:
        self._recorder.model_call(
            ModelCall(
                agent=agent.name,
                purpose="chat",
                instructions=agent.instructions,
                messages=messages,
                reply=reply,
                tools=self._choices(agent),
                finish_reason=finish_reason,
            )
        )

    def _choices(self, agent: Agent) -> tuple[Tool, ...]:
        transfers = (transfer_tool(self._service.agent(name)) for name in agent.hands_over_to)
        return (*agent.tools, *transfers)


def _requests(step: Sequence[Call], now: _Situation, first: int) -> tuple[ToolRequest, ...]:
    return tuple(
        ToolRequest(
            call_id=f"{now.call_prefix}_{position}", tool=call.tool, arguments=call.arguments
        )
        for position, call in enumerate(step, start=first)
    )
