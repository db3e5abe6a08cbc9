"""At which span a finding is to be looked for.

    routing     the model call that decided: the last one before the call it is about
    retrieval   the call or search itself
    generation  the first model call that wrote the failing paragraph, else the one that
                wrote the answer

A call that was never made was not made where the answer was written instead. A wrong agent
was chosen at the start of the turn.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from analysis import Run

_NEVER_MADE: Final = "missing_resource"


class Placed(NamedTuple):
    """One finding of a run."""

    conversation: str
    span: str | None
    """None where the trace has no span for it."""
    stage: str
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Steps:
    """What a turn did, by span."""

    models: tuple[Mapping[str, Any], ...]
    """Model calls, in time order."""
    calls: Mapping[str, str]
    """Span ids of calls and searches, by call or chunk id."""
    searches: tuple[str, ...]
    starts: Mapping[str, int]
    """Nanoseconds, by span id."""
    paragraphs: Mapping[str, str]
    """Texts, by the name that evidence gives them."""


def placed(run: Run) -> Iterator[Placed]:
    """Yield the findings of a run, each with its span."""
    steps = _steps(run)
    spoken = {row["turn_id"]: row["conversation_id"] for row in run.rows("turns")}
    for row in run.rows("findings", ["turn_id", "stage", "kind", "evidence"]):
        turn = row["turn_id"]
        span = _PLACES[row["stage"]](steps[turn], row["kind"], row["evidence"])
        yield Placed(spoken[turn], span, row["stage"], row["kind"])


def _steps(run: Run) -> Mapping[str, _Steps]:
    by_turn = {
        name: _by_turn(run.rows(name))
        for name in ("spans", "tool_calls", "retrievals", "chunks", "paragraphs")
    }
    found = {}
    for row in run.rows("turns", ["turn_id"]):
        turn = row["turn_id"]
        spans = by_turn["spans"].get(turn, ())
        starts = {span["span_id"]: span["start_ns"] or 0 for span in spans}
        models = [span for span in spans if span["kind"] == "llm"]
        searches = {
            one["retrieval_id"]: one["span_id"] for one in by_turn["retrievals"].get(turn, ())
        }
        calls = {
            one["chunk_id"]: searches[one["retrieval_id"]]
            for one in by_turn["chunks"].get(turn, ())
        }
        calls |= searches
        calls |= {one["call_id"]: one["span_id"] for one in by_turn["tool_calls"].get(turn, ())}
        found[turn] = _Steps(
            models=tuple(sorted(models, key=lambda span: (span["start_ns"] or 0, span["span_id"]))),
            starts=starts,
            calls={key: span for key, span in calls.items() if span},
            searches=tuple(filter(None, searches.values())),
            paragraphs={
                f"P{one['paragraph']}": " ".join(one["text"].split())
                for one in by_turn["paragraphs"].get(turn, ())
            },
        )
    return found


def _by_turn(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    found: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        found.setdefault(row["turn_id"], []).append(row)
    return found


def _routing(steps: _Steps, kind: str, evidence: Sequence[str]) -> str | None:
    call = _named(steps, evidence)
    if call is None:
        if kind == _NEVER_MADE:
            return _writing(steps)
        return steps.models[0]["span_id"] if steps.models else None
    began = steps.starts.get(call, 0)
    before = [span["span_id"] for span in steps.models if steps.starts[span["span_id"]] <= began]
    return before[-1] if before else call


def _retrieval(steps: _Steps, kind: str, evidence: Sequence[str]) -> str | None:
    del kind
    return _named(steps, evidence) or (steps.searches[-1] if steps.searches else None)


def _generation(steps: _Steps, kind: str, evidence: Sequence[str]) -> str | None:
    del kind
    for text in filter(None, map(steps.paragraphs.get, evidence)):
        for span in steps.models:
            if text in _output(span["attributes"]):
                return str(span["span_id"])
    return _writing(steps)


def _writing(steps: _Steps) -> str | None:
    wrote = [span["span_id"] for span in steps.models if span["stage"] == "generation"]
    return wrote[-1] if wrote else None


def _named(steps: _Steps, evidence: Sequence[str]) -> str | None:
    ids = (item.partition(" ")[2] for item in evidence)
    return next((steps.calls[one] for one in ids if one in steps.calls), None)


def _output(attributes: str) -> str:
    told = (value for key, value in json.loads(attributes).items() if "output" in key)
    return " ".join(" ".join(text for value in told for text in _texts(value)).split())


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts inside a value, also of JSON that is itself a text."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, str):
        try:
            inner = json.loads(value) if value[:1] in ("[", "{") else None
        except ValueError:
            inner = None
        yield from [value] if inner is None else _texts(inner)


_PLACES: Final = {"routing": _routing, "retrieval": _retrieval, "generation": _generation}
