"""Model calls: each counted once, however many spans recorded it.

A framework and a provider library often both record one call, the second span below the
first, each knowing half of it. Such a chain is one `ModelCall` with the facts of all its
spans. A model span above several others is their sum, not a call of its own.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from ingest.span import (
    Message,
    NativeCitation,
    Span,
    SpanKind,
    ToolDefinition,
    Usage,
)
from stages.tree import Tree
from stages.wording import same_words


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """One call of a language model."""

    span: Span
    """The innermost recording; its times and id stand for the call."""
    recordings: tuple[Span, ...]
    """All spans that recorded it, the innermost first."""
    usage: Usage | None
    agent: str | None
    """The agent that made it, read off the call or the agent span above it."""

    @property
    def read(self) -> tuple[Message, ...] | None:
        """Messages that went in; None when no recording tells."""
        return next((s.input_messages for s in self.recordings if s.input_messages), None)

    @property
    def plain_input(self) -> str | None:
        """The prompt as plain text, where it is not recorded as messages."""
        return next((s.input_text for s in self.recordings if s.input_text), None)

    @property
    def wrote(self) -> tuple[Message, ...]:
        """Messages that came out; empty when no recording tells."""
        for span in self.recordings:
            if span.output_messages:
                return span.output_messages
        return ()

    @property
    def instructions(self) -> str | None:
        """The system prompt recorded beside the messages."""
        return next((s.instructions for s in self.recordings if s.instructions), None)

    @property
    def text(self) -> str | None:
        """The text it wrote in its last message that holds any."""
        for message in reversed(self.wrote):
            if message.role == "assistant" and message.text and message.text.strip():
                return message.text
        return next((s.output_text for s in self.recordings if s.output_text), None)

    @property
    def asks_for_tools(self) -> bool:
        """It wrote a wish that the agent has to fulfil before there is an answer."""
        return any(map(asks, self.wrote))

    @property
    def told(self) -> bool:
        """Some recording tells what it wrote."""
        return bool(self.wrote) or self.text is not None

    @property
    def model(self) -> str | None:
        """Name of the model."""
        return next((s.model for s in self.recordings if s.model), None)

    @property
    def tools_available(self) -> tuple[ToolDefinition, ...] | None:
        """The catalogue recorded on the call."""
        return next((s.tools_available for s in self.recordings if s.tools_available), None)

    @property
    def citations(self) -> tuple[NativeCitation, ...]:
        """Citations that the model's API returned beside the text."""
        return next((s.citations for s in self.recordings if s.citations), ())

    @property
    def finish_reason(self) -> str | None:
        """Why it stopped."""
        named = next((s.finish_reason for s in self.recordings if s.finish_reason), None)
        return named or next((m.finish_reason for m in self.wrote if m.finish_reason), None)

    @property
    def first_output_ns(self) -> int | None:
        """When its first token came."""
        for span in self.recordings:
            if span.first_output_ms is not None and span.raw.start_ns is not None:
                return span.raw.start_ns + round(span.first_output_ms * 1e6)
        return None


def model_calls(tree: Tree, spans: Sequence[Span]) -> tuple[ModelCall, ...]:
    """Return the model calls among *spans*, in the order of their innermost spans."""
    leaves = [span for span in spans if span.kind is SpanKind.LLM and not _models_below(tree, span)]
    recorded = {leaf.span_id: _recordings(tree, leaf) for leaf in leaves}
    usages = {leaf.span_id: _usage(recorded[leaf.span_id]) for leaf in leaves}
    for wrapper in spans:
        if wrapper.kind is SpanKind.LLM and wrapper.usage is not None:
            inner = [span.span_id for span in tree.below(wrapper) if span.span_id in usages]
            if inner and all(usages[span_id] is None for span_id in inner):
                usages[inner[-1]] = wrapper.usage
    return tuple(
        ModelCall(
            span=leaf,
            recordings=recorded[leaf.span_id],
            usage=usages[leaf.span_id],
            agent=tree.agents.get(leaf.span_id),
        )
        for leaf in sorted(leaves, key=tree.place)
    )


def asks(message: Message) -> bool:
    """Tell whether a message waits for a tool; one that the provider ran is done already."""
    return any(not request.hosted for request in message.tool_requests)


def since_question(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return what follows the last user text: the tool calls of this turn, none of others."""
    last = max((i for i, m in enumerate(messages) if is_user_text(m)), default=-1)
    return tuple(messages[last + 1 :])


def is_user_text(message: Message) -> bool:
    """Tell whether a user wrote it; tool results that travel as user messages are none."""
    return message.role == "user" and bool(message.text and message.text.strip())


def conversation_before(
    messages: Sequence[Message], question: str | None
) -> tuple[Message, ...] | None:
    """Return the user and assistant texts that stood before this turn's question.

    None when *messages* do not hold the question.
    """
    places = [i for i, m in enumerate(messages) if is_user_text(m)]
    if not places or question is None:
        return None
    matching = [i for i in places if same_words(messages[i].text, question)]
    if not matching:
        return None
    return tuple(_spoken(messages[: matching[-1]]))


def _spoken(messages: Sequence[Message]) -> Iterator[Message]:
    roles: tuple[Literal["user", "assistant"], ...] = ("user", "assistant")
    for message in messages:
        if message.role in roles and message.text and message.text.strip():
            yield Message(role=message.role, text=message.text)


def _models_below(tree: Tree, span: Span) -> bool:
    return any(child.kind is SpanKind.LLM for child in tree.children.get(span.span_id, ()))


def _recordings(tree: Tree, leaf: Span) -> tuple[Span, ...]:
    found = [leaf]
    for above in tree.ancestors(leaf):
        below = tree.children.get(above.span_id, ())
        models = [child for child in below if child.kind is SpanKind.LLM]
        if above.kind is not SpanKind.LLM or len(models) > 1 or not _agree(found[-1], above):
            break
        found.append(above)
    return tuple(found)


def _agree(inner: Span, outer: Span) -> bool:
    ours, theirs = _said(inner), _said(outer)
    return ours is None or theirs is None or same_words(ours, theirs)


def _said(span: Span) -> str | None:
    for message in reversed(span.output_messages or ()):
        if message.text:
            return message.text
    return span.output_text


def _usage(recordings: Sequence[Span]) -> Usage | None:
    return next((span.usage for span in recordings if span.usage is not None), None)
