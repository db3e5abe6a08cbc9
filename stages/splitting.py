"""Where one turn of a trace ends and the next begins.

Most traces hold one turn. A voice session or a notebook holds several agent runs one
after another; each is a turn of its own when it answers a new user message, and the next
step of the same turn when it works on what the run before it said.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from ingest.span import Message, Span, SpanKind
from stages.model_calls import is_user_text
from stages.questions import own_question
from stages.told_turns import told_turns
from stages.tree import Tree
from stages.wording import same_words, squeezed

_TELLING = 12
"""Shorter words turn up inside other words by chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Head:
    """The first span of a run, with what it was asked and what it said."""

    span: Span
    question: str | None
    answer: str | None
    read: tuple[Message, ...]
    end_ns: int | None


def turns_in(tree: Tree) -> list[list[Span]]:
    """Return the spans of each turn in time order; every span of the trace is in one."""
    told = told_turns(tree)
    if told is not None:
        return told
    tops = [span for span in tree.acting if tree.depths[span.span_id] == 0]
    kind = next(
        (k for k in (SpanKind.AGENT, SpanKind.LLM) if any(top.kind is k for top in tops)), None
    )
    heads = [_head(tree, top) for top in tops if top.kind is kind]
    starts: list[_Head] = []
    current: list[_Head] = []
    for head in heads:
        if not current or _begins_turn(current, head):
            starts.append(head)
            current = []
        current.append(head)
    if len(starts) < 2:  # noqa: PLR2004 - one start is one turn
        return [list(tree.spans)]
    return _shared_out(tree, [start.span for start in starts])


def _begins_turn(current: Sequence[_Head], head: _Head) -> bool:
    before = current[-1]
    if head.question is None or _overlaps(current, head):
        return False
    if any(same_words(head.question, other.question) for other in current):
        return False
    if _answered_in(head, before):
        return True
    if head.span.kind is not SpanKind.AGENT:
        return False
    words = squeezed(head.question)
    told = [text for h in current for text in (h.question, h.answer) if text]
    return not any(len(squeezed(t)) >= _TELLING and squeezed(t) in words for t in told)


def _answered_in(head: _Head, before: _Head) -> bool:
    """Tell whether *head* read the earlier answer as history, with a user message after it."""
    said = [
        index
        for index, message in enumerate(head.read)
        if message.role == "assistant" and same_words(message.text, before.answer)
    ]
    return bool(said) and any(is_user_text(message) for message in head.read[said[0] + 1 :])


def _overlaps(current: Sequence[_Head], head: _Head) -> bool:
    start = head.span.raw.start_ns
    if start is None:
        return True
    return any(other.end_ns is not None and other.end_ns > start for other in current)


def _head(tree: Tree, span: Span) -> _Head:
    inside = [span, *tree.below(span)]
    models = sorted((s for s in inside if s.kind is SpanKind.LLM), key=tree.place)
    question = own_question(span)
    if question is None and models:
        question = own_question(models[0])
    answer = _said_last(span)
    for model in reversed(models):
        answer = answer or _said_last(model)
    read = span.input_messages or next((m.input_messages for m in models if m.input_messages), None)
    return _Head(
        span=span, question=question, answer=answer, read=read or (), end_ns=span.raw.end_ns
    )


def _said_last(span: Span) -> str | None:
    for message in reversed(span.output_messages or ()):
        if message.role == "assistant" and message.text:
            return message.text
    return span.output_text


def _shared_out(tree: Tree, starts: Sequence[Span]) -> list[list[Span]]:
    """Give each span to its outermost acting ancestor's turn, else to the one it started in."""
    turns: list[list[Span]] = [[] for _ in starts]
    begun = [tree.place(start) for start in starts]
    outermost: dict[str, Span] = {}
    for span in sorted(tree.spans, key=lambda span: tree.depths[span.span_id]):
        above = tree.parents.get(span.span_id)
        outermost[span.span_id] = span if above is None else outermost[above.span_id]
    for span in tree.spans:
        at = outermost[span.span_id]
        known = at.raw.start_ns is not None
        turns[max(0, bisect_right(begun, tree.place(at)) - 1) if known else 0].append(span)
    return turns
