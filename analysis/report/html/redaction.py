"""A page for people who may not read the traces: numbers, names and ids stay, texts go.

What may stay is listed; every other text is replaced by its length, so that a column which
is added later is hidden until somebody lists it.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from analysis.report.html.meanings import of_kind
from analysis.report.model import FailingTurn, Report
from analysis.report.numbers import counted

_IDS: Final = (
    "turn_id", "conversation_id", "trace_ids", "golden_id", "tenant", "inherited_from", "call_id",
    "span_id", "parent_span_id", "retrieval_id", "chunk_id", "found_chunk_id", "evidence_id",
    "evidence_ids", "found_verdict", "key", "subject", "prior",
)  # fmt: skip
_NAMES: Final = (
    "service", "agent", "agents", "model", "collection", "collections", "found_collection",
    "found_collections", "tool", "tools", "name", "catalogue", "fitting_agent", "fits", "argument",
    "judge", "prompt_version", "convention",
)  # fmt: skip
"""Of what was built, not of what was said."""
_WORDS: Final = (
    "outcome", "outcome_reason", "root_stage", "root_kind", "missing", "status", "kind", "stage",
    "role", "symptom", "label", "claim", "support", "reply", "flags", "gaps", "answer_source",
    "answer_flag", "finish_reason", "language", "answer_language", "metric", "unit", "source",
    "unjudged_reason", "unjudged", "possible", "routing", "retrieval", "generation", "started_at",
    "start_ns", "end_ns",
)  # fmt: skip
"""Of ours and of the conventions, and times."""
_STAY: Final = frozenset((*_IDS, *_NAMES, *_WORDS))
_STAY_IN: Final[Mapping[str, frozenset[str]]] = {
    "metrics": frozenset({"reason"}),  # of a metric without a value: a word of ours
    "verdicts": frozenset({"question"}),  # the kind of question, not its text
}
_REFERENCE: Final = re.compile(r"[PE]\d+|(?:chunk|call|search|span|verdict|question|answer) .+")
_PAIRS: Final = ("attributes", "named_arguments")
"""Lists of `[name, text, …]`: names stay."""


def hidden(text: str) -> str:
    """Return what stands in place of a text."""
    return f"[{counted(len(text), 'character')} hidden]"


def sentence_without_texts(stage: str | None, kind: str | None) -> str | None:
    """Return a sentence that says what broke a turn without quoting it; None unless failed."""
    if stage is None:
        return None
    words = stage.capitalize() + (f", {kind}" if kind else "")
    meaning = of_kind(stage, kind) if kind else ""
    return f"{words}: {meaning}" if meaning else f"{words}."


def report_without_texts(report: Report) -> Report:
    """Return a report whose failing turns are named without a text of theirs."""
    return replace(report, failing=tuple(map(_named, report.failing)))


def _named(turn: FailingTurn) -> FailingTurn:
    sentence = sentence_without_texts(turn.stage, turn.kind) or ""
    return replace(turn, sentence=sentence, question=turn.question and hidden(turn.question))


def redacted(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body of a turn with every text hidden that is no name, id or word of ours."""
    found = {
        name: _part(value, name, _STAY_IN.get(name, frozenset())) for name, value in body.items()
    }
    turn = found["turn"]
    turn["sentence"] = sentence_without_texts(turn["root_stage"], turn["root_kind"])
    for verdict in found["verdicts"]:
        if verdict["criterion"]:
            verdict["subject"] = verdict["criterion"]  # a goal that somebody wrote
    for citation in found["citations"]:
        citation["start"] = citation["end"] = 0  # no place in a text that is not shown
    return found


def _part(value: Any, name: str, stay: frozenset[str]) -> Any:
    if isinstance(value, str):
        return value if name in _STAY or name in stay else hidden(value)
    if isinstance(value, Mapping):
        return {key: _part(one, key, stay) for key, one in value.items()}
    if isinstance(value, list | tuple):
        if name in _PAIRS:
            return [[pair[0], hidden(pair[1]), *([0] * (len(pair) - 2))] for pair in value]
        if name == "evidence":
            return [one if _REFERENCE.fullmatch(one) else hidden(one) for one in value]
        return [_part(one, name, stay) for one in value]
    return value
