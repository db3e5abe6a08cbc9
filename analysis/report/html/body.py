"""One turn as the page's script gets it: what `show --json` prints, and what only a page shows.

Added to it are the spans with their raw attributes, the parts that the stages played, and
the texts of evidence that stood in the prompt but was fetched by an earlier turn.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from analysis.report.marks import STAGES
from analysis.report.turn_view import TurnView, turn_json
from analysis.report.waterfall import in_tree_order
from analysis.tables.turn_rows import Row

LONGEST_ATTRIBUTE: Final = 8_000
"""Characters kept of one raw attribute."""
MOST_ATTRIBUTES: Final = 100_000
"""Characters kept of all raw attributes of a turn; `spans.parquet` has them whole."""

_NS_PER_MS = 1e6

Earlier = tuple[int, Sequence[Row], Sequence[Row]]
"""An earlier turn of the conversation: its number, chunks and tool calls."""


def turn_body(
    view: TurnView, spans: Sequence[Row], earlier: Iterable[Earlier], found: Sequence[Row]
) -> dict[str, Any]:
    """Return the body of a turn as plain JSON values.

    Args:
        view: The turn.
        spans: Its rows of `spans`, attributes included.
        earlier: Earlier turns of its conversation, in order.
        found: Rows of `chunks` for the chunks that probes found.
    """
    body = turn_json(view)
    for name in ("run_id", "page"):
        body.pop(name)
    body["marks"] = {stage: view.mark(stage) for stage in STAGES}
    body["verdicts"] = [_of_turn(row, view.turn["turn"]) for row in body["verdicts"]]
    for call in body["tool_calls"]:
        call["named_arguments"] = _named(call["arguments"])
    body["spans"] = list(_spans(spans))
    body["earlier"] = list(_earlier(view, body["verdicts"], earlier))
    body["found"] = [
        {name: row[name] for name in ("chunk_id", "collection", "title", "text")} for row in found
    ]
    return body


def _of_turn(verdict: Row, number: int) -> Row:
    """Return a verdict with only what it says about one turn of the conversation."""
    detail = verdict["detail"]
    if verdict["question"] != "routing" or not detail:
        return verdict
    turns = [one for one in detail.get("turns", ()) if one.get("turn") == number]
    return verdict | {"detail": detail | {"turns": turns}}


def _named(arguments: str | None) -> list[tuple[str, str]] | None:
    """Return recorded arguments by name, each as JSON text; None when they are no object."""
    value = _value(arguments)
    if not isinstance(value, dict):
        return None
    return [(name, json.dumps(one, ensure_ascii=False)) for name, one in value.items()]


def _spans(spans: Sequence[Row]) -> Iterator[dict[str, Any]]:
    """Yield the spans in the order of a waterfall, times relative to the first one."""
    starts = [span["start_ns"] for span in spans if span["start_ns"] is not None]
    first = min(starts, default=0)
    room = MOST_ATTRIBUTES
    for depth, span in in_tree_order(spans):
        attributes = list(_attributes(span["attributes"], room))
        room -= sum(len(text) for _, text, _ in attributes)
        start, end = span["start_ns"], span["end_ns"]
        told = start is not None and end is not None and end >= start
        yield {
            "span_id": span["span_id"],
            "parent_span_id": span["parent_span_id"],
            "name": span["name"],
            "kind": span["kind"],
            "stage": span["stage"],
            "status": span["status"],
            "service": span["service"],
            "convention": span["convention"],
            "flags": span["flags"] or [],
            "depth": depth,
            # nanoseconds since 1970 are more than a script's numbers hold exactly
            "start_ns": None if start is None else str(start),
            "end_ns": None if end is None else str(end),
            "offset_ms": None if start is None else (start - first) / _NS_PER_MS,
            "duration_ms": (end - start) / _NS_PER_MS if told else None,
            "attributes": attributes,
        }


def _attributes(text: str | None, room: int) -> Iterator[tuple[str, str, int]]:
    """Yield name, text and number of characters left out, of each raw attribute."""
    value = _value(text)
    pairs = value.items() if isinstance(value, dict) else [("attributes", text or "")]
    for name, one in pairs:
        shown = one if isinstance(one, str) else json.dumps(one, ensure_ascii=False)
        kept = shown[: max(min(LONGEST_ATTRIBUTE, room), 0)]
        room -= len(kept)
        yield name, kept, len(shown) - len(kept)


def _earlier(
    view: TurnView, verdicts: Iterable[Row], earlier: Iterable[Earlier]
) -> Iterator[dict[str, Any]]:
    """Yield the evidence of earlier turns that verdicts and citations name, or statements quote."""
    own = {row["chunk_id"] for row in view["chunks"]}
    own |= {row["call_id"] for row in view["tool_calls"]}
    named = {row["chunk_id"] for row in view["citations"]}
    named |= {one for row in view.verdicts for one in row["evidence_ids"] or ()}
    missing = named - own - {None}
    quotes = _quotes_of_others(view, verdicts)
    for number, chunks, calls in earlier:
        for piece in (*map(_chunk, chunks), *map(_result, calls)):
            text = _flat(piece["text"]) if quotes else ""
            quoted = {quote for quote in quotes if quote in text}
            if quoted or piece["evidence_id"] in missing:
                missing.discard(piece["evidence_id"])
                quotes -= quoted
                yield piece | {"from_turn": number}


def _quotes_of_others(view: TurnView, verdicts: Iterable[Row]) -> set[str]:
    """Return what statements quote of a source that is none of this turn's."""
    quotes = {
        _flat(one["quote"])
        for row in verdicts
        if row["question"] == "statements" and row["detail"]
        for one in row["detail"]["statements"]
        if one["quote"]
    }
    own = [*map(_chunk, view["chunks"]), *map(_result, view["tool_calls"])] if quotes else []
    texts = [_flat(piece["text"]) for piece in own]
    return {quote for quote in quotes if not any(quote in text for text in texts)}


def _flat(text: str | None) -> str:
    return " ".join((text or "").split())


def _chunk(chunk: Row) -> dict[str, Any]:
    return {
        "kind": "chunk",
        "evidence_id": chunk["chunk_id"],
        "collection": chunk["collection"],
        "title": chunk["title"],
        "text": chunk["text"],
    }


def _result(call: Row) -> dict[str, Any]:
    return {
        "kind": "tool_result",
        "evidence_id": call["call_id"],
        "collection": None,
        "title": call["name"],
        "text": _read(call),
    }


def _read(call: Row) -> str | None:
    """Return what the model read as the result of a call: of a failed one its error."""
    first, second = ("error", "result") if call["status"] == "error" else ("result", "error")
    text: str | None = call[first] or call[second]
    return text


def _value(text: str | None) -> Any:
    if text is None:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None  # a recorder's text that is no JSON is shown as it is
