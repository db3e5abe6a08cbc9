"""Rows of `turns`: a turn, what became of it, and why."""

from collections.abc import Iterable
from typing import Any, TypeAlias

from analysis.attribution.counter_evidence import counter_evidence
from analysis.attribution.kinds import Attribution, Cause
from analysis.judged import JudgedTurn
from analysis.tables.cells import int64, json_text
from judge.answers import AnswerJudgement
from judge.rendering import title_of
from stages.records import Stage, Turn

Row: TypeAlias = dict[str, Any]
"""One row of a table, by column; a column that is left out is null."""

_STAGES: tuple[Stage, ...] = ("routing", "retrieval", "generation")
QUOTE_LENGTH = 300
"""Characters kept of a chunk that should have been before the model, without a quote."""


def turn_row(judged: JudgedTurn, attribution: Attribution) -> Row:
    """Return the row of one turn."""
    turn = judged.turn
    answer = judged.answer.decided if judged.answer else None
    return {
        "conversation_id": turn.conversation_id,
        "turn": turn.turn,
        "turn_id": turn.turn_id,
        "trace_ids": list(turn.trace_ids),
        "service": turn.service,
        "agent": turn.agent,
        "agents": [choice.name for choice in turn.routing.agents] if turn.routing else None,
        "model": turn.model,
        "language": turn.language,
        "flags": list(turn.flags),
        "started_at": int64(turn.start_ns),
        "duration_ms": turn.duration_ms,
        "question": turn.question,
        "complete": turn.complete,
        "outcome": attribution.outcome,
        "outcome_reason": attribution.outcome_reason,
        "root_stage": attribution.root_stage,
        "root_kind": attribution.root_kind,
        "inherited_from": attribution.inherited_from,
        "sentence": attribution.sentence or None,
        "tenant": turn.tenant,
        "answer_language": turn.answer_language,
        "collections": _distinct(_searched(turn)),
        "found_collections": _distinct(_found(attribution.causes)),
        "tools": _distinct(call.name for call in turn.tool_calls),
        "refined_query": refined_query(turn),
        "gaps": _distinct(gap.reason for gap in turn.gaps),
        "missing": _distinct(cause.missing for cause in attribution.causes if not cause.fault),
        "causes": json_text([_cause(judged, cause) for cause in attribution.causes]),
        "elements": None if answer is None else json_text(_elements(answer)),
        "reply": None if answer is None else answer.reply,
        "citing_expected": judged.citing_expected,
        "error": turn.error,
        "golden_id": turn.golden_id,
        **_answer_cells(turn),
        **_use_cells(turn),
    }


def refined_query(turn: Turn) -> str | None:
    """Return the reformulation of the question, None when there is none."""
    refined = turn.routing.refined_query if turn.routing else None
    return None if refined is None else refined.name


def _answer_cells(turn: Turn) -> Row:
    generation = turn.generation
    if generation is None:
        return {}
    return {
        "answer": generation.answer,
        "answer_source": generation.source,
        "answer_flag": generation.flag,
        "finish_reason": generation.finish_reason,
        "first_output_ms": generation.first_output_ms,
    }


def _use_cells(turn: Turn) -> Row:
    cells: Row = {
        "input_tokens": int64(turn.input_tokens),
        "output_tokens": int64(turn.output_tokens),
        "cached_tokens": int64(turn.cached_tokens),
    }
    for stage in _STAGES:
        if use := turn.use.get(stage):
            cells[f"{stage}_ms"] = use.duration_ms
            cells[f"{stage}_input_tokens"] = int64(use.input_tokens)
            cells[f"{stage}_output_tokens"] = int64(use.output_tokens)
    return cells


def _searched(turn: Turn) -> Iterable[str | None]:
    if turn.routing:
        yield from (choice.name for choice in turn.routing.collections)
    for search in turn.retrievals:
        yield search.collection


def _found(causes: Iterable[Cause]) -> Iterable[str | None]:
    return (cause.found.collection for cause in causes if cause.found)


def _distinct(names: Iterable[str | None]) -> list[str]:
    return list(dict.fromkeys(name for name in names if name))


def _elements(answer: AnswerJudgement) -> list[Row]:
    return [
        {
            "text": element.text,
            "status": element.status,
            "paragraphs": list(element.paragraphs),
            "in_evidence": element.in_evidence,
        }
        for element in answer.elements
    ]


def _cause(judged: JudgedTurn, cause: Cause) -> Row:
    """Return one symptom and its cause, flat: what the drill-down shows of it.

    `element` counts from 0 and is null for a claim that answers none; `status` is the
    element's. `stage`, `kind` and `explanation` are null when the cause is undetermined;
    `possible` and `missing` then say between what, and for want of what. `counter_evidence` is
    null where no stage upstream was suspected.
    """
    answer = judged.answer.decided if judged.answer else None
    symptom, fault, found = cause.symptom, cause.fault, cause.found
    element = None
    if answer is not None and symptom.element is not None:
        element = answer.elements[symptom.element]
    row: Row = {
        "symptom": symptom.kind,
        "detail": symptom.detail or None,
        "element": symptom.element,
        "element_text": element.text if element else None,
        "status": element.status if element else None,
        "paragraphs": list(symptom.paragraphs),
        "stage": fault.stage if fault else None,
        "kind": fault.kind if fault else None,
        "explanation": fault.explanation if fault else None,
        "possible": list(cause.possible),
        "missing": cause.missing,
        "evidence": list(dict.fromkeys([*symptom.evidence, *(fault.evidence if fault else ())])),
        "inherited_from": cause.inherited_from,
        "beside": [
            {"stage": other.stage, "kind": other.kind, "role": role} for other, role in cause.beside
        ],
        "counter_evidence": counter_evidence(judged, cause),
        "found_chunk_id": None,
        "found_collection": None,
    }
    if found is not None:
        verdict = found.verdict.decided
        text = " ".join((found.chunk.text or "").split())
        row |= {
            "found_chunk_id": found.chunk.chunk_id,
            "found_collection": found.collection,
            "found_title": title_of(found.chunk.metadata),
            "found_grade": verdict.grade if verdict else None,
            "found_quote": (verdict.quote if verdict else None) or text[:QUOTE_LENGTH] or None,
            "found_retrieved": found.retrieved,
            "found_searched": found.searched,
            "found_verdict": found.verdict.key,
        }
    return row
