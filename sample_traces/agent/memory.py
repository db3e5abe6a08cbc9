"""What a prompt holds of the turns before it."""

from collections.abc import Sequence
from dataclasses import dataclass

from sample_traces.agent.agents import Agent
from sample_traces.agent.corpus import Passage
from sample_traces.agent.messages import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """An earlier turn."""

    question: str
    answer: str
    agent: str
    """Who answered it."""
    exchange: tuple[Message, ...]
    """Its tool calls and their results."""
    passages: tuple[Passage, ...]
    call_ids: tuple[str, ...]
    """Calls that were no searches."""

    @property
    def evidence_ids(self) -> tuple[str, ...]:
        """Ids of everything the exchange brought before the model."""
        return (*(passage.passage_id for passage in self.passages), *self.call_ids)


def keeps_results(agent: Agent, past: Past) -> bool:
    """Tell whether the agent's messages still carry the tool results of an earlier turn."""
    return agent.keeps_results and past.agent == agent.name


def conversation_so_far(agent: Agent, past: Sequence[Past], question: str) -> list[Message]:
    """Return the messages that the agent gets to read before it does anything."""
    messages: list[Message] = []
    for earlier in past:
        messages.append(Message(role="user", text=earlier.question))
        if keeps_results(agent, earlier):
            messages += earlier.exchange
        messages.append(Message(role="assistant", text=earlier.answer))
    return [*messages, Message(role="user", text=question)]
