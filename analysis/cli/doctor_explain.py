"""What `doctor --explain` prints: each fact, and below it what told it."""

import json
from collections.abc import Iterator
from typing import Any, Final

from analysis.cli.doctor_text import ROOMY, Paragraph
from analysis.diagnosis.explaining import Explanation, TurnFact
from analysis.report.layout import WIDTH, hanging
from analysis.report.numbers import counted
from analysis.report.terminal import safe_line
from ingest.conventions.origins import Origin
from ingest.span import Message

_VALUE: Final = 150
"""Characters of a value that are shown."""
_SHOWN_PARTS = 4
_SHOWN_SPANS = 3


def explanation_lines(found: Explanation, width: int = WIDTH) -> Iterator[str]:
    """Yield the span, its facts, what was ignored, and the facts of its turn.

    Args:
        found: What told which fact.
        width: Cells of a line.
    """
    for first, text in _paragraphs(found, " " * 20 if width >= ROOMY else " " * 6):
        yield from hanging(first, text, width)


def _paragraphs(found: Explanation, indent: str) -> Iterator[Paragraph]:
    span = found.origins.span
    raw = span.raw
    yield _row("Span", f"{span.span_id} {safe_line(raw.name)}")
    yield _row("Trace", span.trace_id)
    recorded = (raw.scope_name or "no scope", raw.service or "no service", f"status {raw.status}")
    yield _row("Recorded", ", ".join(map(safe_line, recorded)))
    yield _row("Known to", ", ".join(span.conventions) or "no convention")
    turn = found.turn
    yield _row("In turn", "none" if turn is None else safe_line(turn.turn_id))
    yield "", ""
    yield "", "Facts of the span, and what told them"
    for origin in found.origins.facts:
        yield from _fact(origin.fact, origin.value, _told(origin), indent)
    if found.origins.ignored:
        yield "", ""
        yield "", "Ignored, and why"
    for ignored in found.origins.ignored:
        yield "  ", f"{safe_line(ignored.what)}: {ignored.why}"
    if turn is not None:
        yield "", ""
        yield "", f"Facts of turn {safe_line(turn.turn_id)}"
    for fact in found.facts:
        yield from _fact(fact.fact, fact.value, _read_on(fact, found), indent)
    if turn is not None and turn.gaps:
        yield "", ""
        yield "", "Not told"
    for gap in turn.gaps if turn is not None else ():
        where = f" on span {gap.span_id}" if gap.span_id else ""
        yield "  ", f"{gap.stage}: {gap.reason}{where}"


def explanation_json(found: Explanation) -> dict[str, Any]:
    """Return the same as one object."""
    span = found.origins.span
    turn = found.turn
    return {
        "schema_version": 1,
        "trace_id": span.trace_id,
        "span_id": span.span_id,
        "name": span.raw.name,
        "conventions": list(span.conventions),
        "facts": [
            {
                "fact": origin.fact,
                "value": _plain(origin.value),
                "convention": origin.convention,
                "rule": origin.rule,
                "keys": list(origin.parts),
            }
            for origin in found.origins.facts
        ],
        "ignored": [{"what": one.what, "why": one.why} for one in found.origins.ignored],
        "turn_id": None if turn is None else turn.turn_id,
        "turn_facts": [
            {
                "fact": fact.fact,
                "value": _plain(fact.value),
                "spans": list(fact.spans),
                "convention": fact.convention,
                "keys": list(fact.parts),
            }
            for fact in found.facts
        ],
        "gaps": []
        if turn is None
        else [
            {"stage": gap.stage, "reason": gap.reason, "span_id": gap.span_id} for gap in turn.gaps
        ],
    }


def _told(origin: Origin) -> str:
    return _source(origin.rule or origin.convention, origin.parts)


def _read_on(fact: TurnFact, found: Explanation) -> str:
    if not fact.spans:
        return "follows from other facts" if fact.value not in (None, ()) else "told by no span"
    shown = [f"{span} {safe_line(found.names.get(span, ''))}" for span in fact.spans[:_SHOWN_SPANS]]
    more = len(fact.spans) - len(shown)
    spans = (" or " if fact.alike else " and ").join(shown) + (
        f" and {more:,} more" if more else ""
    )
    return f"span {spans}" + (f"; {_source(fact.convention, fact.parts)}" if fact.parts else "")


def _source(who: str | None, parts: tuple[str, ...]) -> str:
    shown = ", ".join(map(safe_line, parts[:_SHOWN_PARTS]))
    more = len(parts) - _SHOWN_PARTS
    what = shown + (f" and {more:,} more" if more > 0 else "")
    return f"{who}: {what}" if what else f"{who}: follows from other facts"


def _fact(name: str, value: Any, source: str, indent: str) -> Iterator[Paragraph]:
    text = safe_line(_text(value))
    cut = text if len(text) <= _VALUE else text[: _VALUE - 1] + "…"
    label = f"  {name}".ljust(len(indent))
    if not label.endswith("  "):
        yield "  ", name
        label = indent
    yield label, cut or '""'
    yield f"{indent}← ", source


def _text(value: Any) -> str:
    if isinstance(value, tuple) and value and isinstance(value[0], Message):
        return " | ".join(f"{message.role}: {_said(message)}" for message in value)
    plain = _plain(value)
    if isinstance(plain, list) and all(isinstance(item, str | int | float) for item in plain):
        return ", ".join(map(str, plain)) or "none"
    if isinstance(plain, str):
        return plain
    return "none" if plain is None else json.dumps(plain, ensure_ascii=False, default=str)


def _said(message: Message) -> str:
    if message.text is not None:
        return message.text
    wished = ", ".join(request.name for request in message.tool_requests)
    return f"calls {wished}" if wished else counted(len(message.tool_responses), "tool result")


def _plain(value: Any) -> Any:
    """Return a value as JSON has it; messages and the like as their fields."""
    import msgspec

    plain = msgspec.to_builtins(value, str_keys=True, enc_hook=str)
    return list(plain) if isinstance(plain, tuple) else plain


def _row(label: str, text: str) -> Paragraph:
    return f"{label:<11}", text
