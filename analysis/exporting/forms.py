"""Judgements in the words of other programs, as JSON lines."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import islice
from types import MappingProxyType
from typing import Any, Final

from analysis.exporting.judgements import OUTCOME, Judgement
from analysis.report.terminal import safe_json
from analysis.run import Run

_RECORDS_PER_LINE: Final = 512
_LONGEST: Final = 4_000
"""Characters of an explanation; backends cut or refuse longer ones."""


def phoenix(run: Run, judgements: Iterable[Judgement]) -> Iterator[str]:
    """Yield annotations of spans; what is undecided, or has no span, is left out."""
    for one in judgements:
        if one.error is None and one.place is not None:
            yield _line(
                {
                    "span_id": one.place.span_id,
                    "name": one.name,
                    "annotator_kind": "CODE" if one.judge.startswith("local") else "LLM",
                    "result": _without_none(
                        label=one.label, score=one.score, explanation=_short(one.explanation)
                    ),
                    "metadata": {
                        "run_id": run.run_id,
                        "turn_id": one.turn_id,
                        "subject": one.subject,
                    },
                    "identifier": f"stagefault:{one.key or one.turn_id}",
                }
            )


def langfuse(run: Run, judgements: Iterable[Judgement]) -> Iterator[str]:
    """Yield scores; what is undecided, has no value, or has no span is left out."""
    for one in judgements:
        value = one.label if one.label is not None else one.score
        if one.error is None and one.place is not None and value is not None:
            yield _line(
                {
                    "id": _id(one),
                    "traceId": one.place.trace_id,
                    "observationId": one.place.span_id,
                    "name": f"stagefault.{one.name}",
                    "value": value,
                    "dataType": "CATEGORICAL" if isinstance(value, str) else "NUMERIC",
                    **_without_none(comment=_short(one.explanation)),
                    "metadata": {
                        "run_id": run.run_id,
                        "turn_id": one.turn_id,
                        "subject": one.subject,
                        "score": one.score,
                    },
                }
            )


def otlp(run: Run, judgements: Iterable[Judgement]) -> Iterator[str]:
    """Yield `gen_ai.evaluation.result` events as OTLP JSON, some hundred a line.

    What is undecided is there too, with `error.type` and without a score. The names are those
    of OpenTelemetry's GenAI conventions of 2026, still in development.
    """
    records = (_record(one) for one in judgements if one.place is not None)
    resource = {"attributes": [_pair("service.name", "stagefault")]}
    scope = {"name": "stagefault", "version": run.info.get("tool_version", "")}
    while some := list(islice(records, _RECORDS_PER_LINE)):
        scopes = [{"scope": scope, "logRecords": some}]
        yield _line({"resourceLogs": [{"resource": resource, "scopeLogs": scopes}]})


FORMS: Final[Mapping[str, Callable[[Run, Iterable[Judgement]], Iterator[str]]]] = MappingProxyType(
    {"phoenix": phoenix, "langfuse": langfuse, "otlp": otlp}
)


def _record(one: Judgement) -> dict[str, Any]:
    place = one.place
    told = {
        "gen_ai.evaluation.name": f"stagefault.{one.name}",
        "gen_ai.evaluation.score.value": one.score,
        "gen_ai.evaluation.score.label": _low_cardinality(one),
        "gen_ai.evaluation.explanation": _short(one.explanation),
        "gen_ai.conversation.id": one.conversation_id,
        "stagefault.turn_id": one.turn_id,
        "stagefault.subject": one.subject,
        "error.type": one.error,
    }
    return {
        "timeUnixNano": str(place.start_ns or 0) if place else "0",
        "eventName": "gen_ai.evaluation.result",
        "traceId": place.trace_id if place else "",
        "spanId": place.span_id if place else "",
        "attributes": [_pair(name, value) for name, value in told.items() if value is not None],
    }


def _low_cardinality(one: Judgement) -> str | None:
    """Return `pass` or a fault kind for an outcome, else the label."""
    return "pass" if one.name == OUTCOME and one.label == "passed" else one.label


def _pair(key: str, value: str | float) -> dict[str, Any]:
    kind = "stringValue" if isinstance(value, str) else "doubleValue"
    return {"key": key, "value": {kind: value}}


def _id(one: Judgement) -> str:
    text = f"{one.name}\0{one.turn_id}\0{one.subject}"
    return f"stagefault-{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"


def _short(text: str | None) -> str | None:
    return text if text is None or len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _without_none(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _line(value: Mapping[str, Any]) -> str:
    return safe_json(value) + "\n"
