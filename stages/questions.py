"""The question of a turn: its user's message, told apart from the history around it."""

from collections.abc import Iterator, Sequence

from ingest.span import Message, Span
from stages.model_calls import ModelCall, conversation_before, is_user_text
from stages.run import Run
from stages.tree import by_start


def question_of(run: Run) -> str | None:
    """Return the user's message, None when the trace does not tell.

    The outermost agent that has one knows it best; a model call may see it rewritten.
    """
    for span in sorted(
        run.agents, key=lambda span: (run.tree.depths[span.span_id], by_start(span))
    ):
        if (text := own_question(span)) is not None:
            return text
    for call in run.calls:
        if (text := _last_user_text(call.read or ())) is not None:
            return text
    return next((span.input_text for span in _others(run) if span.input_text), None)


def own_question(span: Span) -> str | None:
    """Return the user's message that a span itself took in."""
    return _last_user_text(span.input_messages or ()) or span.input_text or None


def history_of(run: Run, question: str | None) -> tuple[Message, ...]:
    """Return the user and assistant messages that stood before the question, oldest first.

    The longest of what agents and model calls carried; empty when none carried any.
    """
    found: tuple[Message, ...] = ()
    for messages in _messages(run.agents, run.calls):
        before = conversation_before(messages, question)
        if before is not None and len(before) > len(found):
            found = before
    return found


def _messages(agents: Sequence[Span], calls: Sequence[ModelCall]) -> Iterator[tuple[Message, ...]]:
    for span in agents:
        if span.input_messages:
            yield span.input_messages
    for call in calls:
        if call.read:
            yield call.read


def _last_user_text(messages: Sequence[Message]) -> str | None:
    return next((message.text for message in reversed(messages) if is_user_text(message)), None)


def _others(run: Run) -> Iterator[Span]:
    return (span for span in run.acting if span.retrieval is None and span.tool is None)
