"""The question of a turn: its user's message, told apart from the history around it."""

import re
from collections.abc import Iterator, Sequence

from ingest.span import Message, Span
from stages.model_calls import ModelCall, conversation_before, is_user_text
from stages.run import Run
from stages.wording import parsed, squeezed

_PASSAGE = 60
_LABELLED = re.compile(
    r"^[ \t#*]*(?:user |customer )?(?:question|query|q|frage|pregunta|domanda|質問|问题)"
    r"[ \t*]*[:：][ \t*]*(\S[^\n]*)",
    re.IGNORECASE | re.MULTILINE,
)


def question_of(run: Run) -> str | None:
    """Return the user's message, None when the trace does not tell.

    The outermost step that has one knows it best; a model call may see it rewritten, or
    inside a prompt that was built around it.
    """
    for frame in run.frames:
        text = own_question(frame)
        if text is not None and parsed(text) is None:
            return text
    depths = run.tree.depths
    for span in sorted(run.agents, key=lambda s: (depths[s.span_id], run.tree.place(s))):
        if (text := own_question(span)) is not None:
            return text
    for call in run.calls:
        if (text := _last_user_text(call.read or ())) is not None:
            return _inside_template(run, text)
    return next((span.input_text for span in _others(run) if span.input_text), None)


def own_question(span: Span) -> str | None:
    """Return the user's message that a span itself took in."""
    return _last_user_text(span.input_messages or ()) or span.input_text or None


def _inside_template(run: Run, prompt: str) -> str:
    """Return the question inside a prompt that was filled with retrieved passages."""
    words = squeezed(prompt)
    facts = [span.retrieval for span in run.acting if span.retrieval is not None]
    passages = (squeezed(d.text or "")[:_PASSAGE] for f in facts for d in f.documents or ())
    if not any(passage and passage in words for passage in passages):
        return prompt
    labelled = _LABELLED.findall(prompt)
    if labelled:
        return str(labelled[-1]).strip()
    queries = (fact.query for fact in facts if fact.query)
    return next((query for query in queries if squeezed(query) in words), prompt)


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
