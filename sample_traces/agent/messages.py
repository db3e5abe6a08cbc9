"""What goes into a model and comes out of it, before any convention encodes it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sample_traces.agent.tools import Tool

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRequest:
    """A model's wish to call a tool."""

    call_id: str
    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message; a tool's result carries the id of its call."""

    role: Role
    text: str = ""
    requests: tuple[ToolRequest, ...] = ()
    call_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """One request to the model and its reply."""

    agent: str
    purpose: str
    """`chat` or `rewrite_query`."""
    instructions: str
    messages: Sequence[Message]
    reply: Message
    tools: Sequence[Tool] = ()
    finish_reason: str = "stop"

    @property
    def input_tokens(self) -> int:
        """Tokens of instructions, tools and messages, at four characters a token."""
        told = sum(len(str(tool.definition())) for tool in self.tools)
        said = sum(len(message.text) + _requested(message) for message in self.messages)
        return (len(self.instructions) + told + said) // 4 + 3 * len(self.messages)

    @property
    def cached_tokens(self) -> int:
        """Tokens that the provider has seen before: the prompt up to the last question.

        A prefix shorter than 256 tokens is not cached.
        """
        last = max(i for i, message in enumerate(self.messages) if message.role == "user")
        told = sum(len(str(tool.definition())) for tool in self.tools)
        said = sum(len(message.text) for message in self.messages[:last])
        prefix = (len(self.instructions) + told + said) // 4
        return prefix // 64 * 64 if prefix >= _MIN_CACHED else 0

    @property
    def output_tokens(self) -> int:
        """Tokens of the reply, at four characters a token."""
        return max(1, (len(self.reply.text) + _requested(self.reply)) // 4)


_MIN_CACHED = 256


def _requested(message: Message) -> int:
    return sum(len(request.tool) + len(str(request.arguments)) for request in message.requests)
