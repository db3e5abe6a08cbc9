"""Generation: the answer of a turn, and which model call wrote it.

answer = what the agent's root span gave back,
else what the last model call wrote that was not a wish to call a tool
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ingest.span import Message, NativeCitation, Span, SpanKind, Value
from stages.model_calls import ModelCall, asks
from stages.records import AnswerSource, Gap, Generation
from stages.run import Run
from stages.wording import parsed, same_words

_ANSWER_KEYS = ("answer", "response", "text", "output", "final_answer", "message", "content")
_CITATION_KEYS = ("citations", "sources", "references", "source_ids", "cited_ids", "citation_ids")
_ID_KEYS = ("id", "chunk_id", "source_id", "doc_id", "document_id", "source", "url", "title")
_QUOTE_KEYS = ("quote", "cited_text", "text")


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """The answer of a turn before it is cut into paragraphs and its citations are resolved."""

    generation: Generation | None
    """None when nothing that could answer ran."""
    call: ModelCall | None
    """The model call that wrote it, None when no model span is there."""
    native: tuple[NativeCitation, ...]
    """Citations that the model's API returned beside the text."""
    listed: tuple[NativeCitation, ...]
    """Sources that the model itself listed in a structured answer."""
    complete: bool
    gaps: tuple[Gap, ...] = ()


def written(run: Run) -> Written:
    """Find the answer of a turn."""
    if not run.agents and not run.calls:
        gap = Gap(stage="generation", reason="answer_not_recorded", span_id=run.root.span_id)
        return Written(
            generation=None, call=None, native=(), listed=(), complete=False, gaps=(gap,)
        )
    told, span = _answer(run)
    call = _writer(run, told)
    source_span = span or (call.span if call else run.root)
    if told is None:
        made = Generation(
            answer=None,
            finish_reason=call.finish_reason if call else None,
            source=_source(run, call, None),
            flag=_flag(run),
            first_output_ms=_first_output_ms(run, call),
            span_id=source_span.span_id,
        )
        gap = Gap(stage="generation", reason="answer_not_captured", span_id=source_span.span_id)
        return Written(
            generation=made,
            call=call,
            native=(),
            listed=(),
            complete=bool(run.agents) or not _only_asks(run),
            gaps=(gap,),
        )
    answer, structured, listed = _unwrapped(told)
    if structured is None and span is not None:
        inside = _in_object(span.output_value)
        if inside is not None and same_words(inside[0], told):
            _, structured, listed = inside
    if structured is None and call is not None and call.text and _wrote(call, told):
        _, structured, listed = _unwrapped(call.text)
    made = Generation(
        answer=answer,
        finish_reason=call.finish_reason if call else None,
        structured=structured,
        source=_source(run, call, told),
        flag=_flag(run),
        first_output_ms=_first_output_ms(run, call),
        span_id=source_span.span_id,
    )
    return Written(
        generation=made,
        call=call,
        native=_native(run, call),
        listed=listed,
        complete=True,
        gaps=tuple(_cut(source_span)),
    )


def _answer(run: Run) -> tuple[str | None, Span | None]:
    for frame in run.frames:
        text = _given_back(frame)
        if text is not None and (parsed(text) is None or _unwrapped(text)[0] != text):
            return text, frame
    for span in run.agents:
        text = _given_back(span)
        if text is not None:
            return text, span
    for call in reversed(_candidates(run)):
        if not call.told:
            return None, None
        if call.text is not None and not call.asks_for_tools:
            return call.text, call.span
    return None, None


def _given_back(span: Span) -> str | None:
    """Return the text that a span gave back, also from inside an object."""
    text = _said_last(span.output_messages or ()) or _full(span.output_text)
    if text is None and (inside := _in_object(span.output_value)) is not None:
        text = inside[0]
    return text


def _said_last(messages: Sequence[Message]) -> str | None:
    for message in reversed(messages):
        if message.role == "assistant" and not asks(message) and _full(message.text):
            return message.text
    return None


def _full(text: str | None) -> str | None:
    return text if text is not None and text.strip() else None


def _candidates(run: Run) -> list[ModelCall]:
    """Return the model calls that may have answered: not inside a tool, search or router."""
    inner = (SpanKind.RETRIEVER, SpanKind.RERANKER, SpanKind.ROUTER, SpanKind.GUARDRAIL)
    outside = [
        call
        for call in run.calls
        if call.span.route is None
        and not run.is_delegated(call.span)
        and run.tree.nearest(call.span, *inner) is None
    ]
    return outside or list(run.calls)


def _writer(run: Run, answer: str | None) -> ModelCall | None:
    """Return the last call that wrote the answer, else the last one that wrote any text."""
    candidates = _candidates(run)
    for call in reversed(candidates):
        if _wrote(call, answer):
            return call
    # A call that only asks for tools did not write the answer; that call was not recorded.
    return next((call for call in reversed(candidates) if not call.asks_for_tools), None)


def _wrote(call: ModelCall | None, answer: str | None) -> bool:
    """Tell whether a call wrote the answer, as it is or inside a structure."""
    if call is None or call.text is None:
        return False
    return same_words(call.text, answer) or same_words(_unwrapped(call.text)[0], answer)


def _only_asks(run: Run) -> bool:
    """Tell whether the last thing known is a wish to call a tool: the answer comes later."""
    last = run.calls[-1]
    return last.told and last.asks_for_tools


def _unwrapped(told: str) -> tuple[str, Value, tuple[NativeCitation, ...]]:
    """Return the text inside a structured answer, the structure, and the sources it lists."""
    structured = parsed(told)
    if not isinstance(structured, dict):
        return told, None, ()
    return _in_object(structured) or (told, structured, ())


def _in_object(value: Value) -> tuple[str, Value, tuple[NativeCitation, ...]] | None:
    """Return the text inside an object with an answer, the object, and the sources it lists."""
    if not isinstance(value, dict):
        return None
    for key in _ANSWER_KEYS:
        text = value.get(key)
        if isinstance(text, str) and text.strip():
            return text, value, tuple(_listed(value))
    return None


def _listed(structured: dict[str, Value]) -> Iterator[NativeCitation]:
    for key in _CITATION_KEYS:
        items = structured.get(key)
        for item in items if isinstance(items, list) else ():
            if isinstance(item, dict):
                target = next((item[k] for k in _ID_KEYS if item.get(k) is not None), None)
                quote = next((q for k in _QUOTE_KEYS if isinstance(q := item.get(k), str)), None)
                if isinstance(target, str | int):
                    yield _cited(target, quote)
            elif isinstance(item, str | int) and not isinstance(item, bool):
                yield _cited(item, None)


def _cited(target: str | int, quote: str | None) -> NativeCitation:
    return NativeCitation(start=None, end=None, target_id=str(target), quote=quote)


def _native(run: Run, call: ModelCall | None) -> tuple[NativeCitation, ...]:
    if call is not None and call.citations:
        return call.citations
    return next((s.citations for s in (*run.frames, *run.agents) if s.citations), ())


def _source(run: Run, call: ModelCall | None, answer: str | None) -> AnswerSource:
    spans = (*run.frames, *run.agents, *(call.recordings if call else ()), *run.acting)
    recorded = (span.answer_source for span in spans if span.answer_source != "unknown")
    return next(recorded, "generated" if _wrote(call, answer) else "unknown")


def _flag(run: Run) -> str | None:
    spans = (*run.frames, *run.agents, *run.acting)
    return next((span.policy_flag for span in spans if span.policy_flag), None)


def _first_output_ms(run: Run, call: ModelCall | None) -> float | None:
    start = run.outermost.raw.start_ns
    first = call.first_output_ns if call is not None else None
    if start is None or first is None or first < start:
        return None
    return (first - start) / 1e6


def _cut(span: Span) -> Iterator[Gap]:
    if any(message.truncated for message in span.output_messages or ()):
        yield Gap(stage="generation", reason="answer_truncated", span_id=span.span_id)
