"""Judgements in the words of other programs, as JSON lines.

Each form writes what it has words for. What it leaves out is counted by reason, so that it
can be told.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from hashlib import sha256
from itertools import islice
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from analysis.exporting.judgements import Judgement, shortened
from analysis.exporting.otlp_records import as_json, event_of, json_lines
from analysis.report.terminal import safe_json
from analysis.run import Run

_RECORDS_PER_LINE: Final = 512
NO_SPAN: Final = "no_span"
UNDECIDED: Final = "undecided"
NO_VALUE: Final = "no_value"

Form: TypeAlias = Callable[[Run, Iterable[Judgement], "Counter[str]"], Iterator[str]]
"""Yields the lines of judgements, and counts by reason those that it leaves out."""


def phoenix(run: Run, judgements: Iterable[Judgement], left_out: Counter[str]) -> Iterator[str]:
    """Yield annotations of spans; what is undecided, or has no span, is left out."""
    for one in judgements:
        if one.error is not None or one.place is None:
            left_out[NO_SPAN if one.place is None else UNDECIDED] += 1
            continue
        yield _line(
            {
                "span_id": one.place.span_id,
                "name": one.name,
                "annotator_kind": "CODE" if one.judge.startswith("local") else "LLM",
                "result": _without_none(
                    label=one.label, score=one.score, explanation=shortened(one.explanation)
                ),
                "metadata": {
                    "run_id": run.run_id,
                    "turn_id": one.turn_id,
                    "subject": one.subject,
                },
                "identifier": f"stagefault:{one.key or one.turn_id}",
            }
        )


def langfuse(run: Run, judgements: Iterable[Judgement], left_out: Counter[str]) -> Iterator[str]:
    """Yield scores; what is undecided, has no value, or has no span is left out."""
    for one in judgements:
        value = one.label if one.label is not None else one.score
        if one.error is not None or one.place is None or value is None:
            undecided = UNDECIDED if one.error is not None else NO_VALUE
            left_out[NO_SPAN if one.place is None else undecided] += 1
            continue
        yield _line(
            {
                "id": _id(one),
                "traceId": one.place.trace_id,
                "observationId": one.place.span_id,
                "name": f"stagefault.{one.name}",
                "value": value,
                "dataType": "CATEGORICAL" if isinstance(value, str) else "NUMERIC",
                **_without_none(comment=shortened(one.explanation)),
                "metadata": {
                    "run_id": run.run_id,
                    "turn_id": one.turn_id,
                    "subject": one.subject,
                    "score": one.score,
                },
            }
        )


def otlp(run: Run, judgements: Iterable[Judgement], left_out: Counter[str]) -> Iterator[str]:
    """Yield `gen_ai.evaluation.result` events as OTLP JSON, some hundred a line.

    What is undecided is there too, with `error.type` and without a score; what has no span is
    left out.
    """
    records = (as_json(event_of(one)) for one in with_span(judgements, left_out))
    while some := list(islice(records, _RECORDS_PER_LINE)):
        yield _line(json_lines(run, some))


FORMS: Final[Mapping[str, Form]] = MappingProxyType(
    {"phoenix": phoenix, "langfuse": langfuse, "otlp": otlp}
)


def with_span(judgements: Iterable[Judgement], left_out: Counter[str]) -> Iterator[Judgement]:
    """Yield the judgements that have a span; count the others."""
    for one in judgements:
        if one.place is None:
            left_out[NO_SPAN] += 1
        else:
            yield one


def _id(one: Judgement) -> str:
    text = f"{one.name}\0{one.turn_id}\0{one.subject}"
    return f"stagefault-{sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:32]}"


def _without_none(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _line(value: Mapping[str, Any]) -> str:
    return safe_json(value) + "\n"
