"""Rows of what was judged and found: verdicts, metrics, findings, losses."""

from collections.abc import Iterable, Iterator

import msgspec

from analysis.attribution.kinds import Attribution
from analysis.metrics.measured import Measured
from analysis.metrics.metric import Metric
from analysis.tables.cells import int64, json_text
from analysis.tables.turn_rows import Row
from ingest.losses import Loss
from judge.answers import AnswerJudgement, Criterion, Relevance, Support, Unjudged
from judge.question import AnyVerdict


def verdict_row(verdict: AnyVerdict) -> Row:
    """Return the row of one question and its reply.

    `label`, `grade`, `score` and `quotes` are null for questions that have none; `detail` is
    the whole answer as JSON text, null when it is unjudged.
    """
    question, subject = verdict.question, verdict.question.subject
    return {
        "key": verdict.key,
        "conversation_id": question.conversation_id,
        "turn_id": question.turn_id,
        "question": question.kind,
        "subject": str(subject),
        "judge": verdict.judge,
        "prompt_version": verdict.prompt_version,
        "model": verdict.model,
        "input_tokens": int64(verdict.input_tokens),
        "output_tokens": int64(verdict.output_tokens),
        "cost_usd": verdict.cost_usd,
        "from_store": verdict.from_store,
        "paragraph": subject.paragraph,
        "element": subject.element,
        "chunk_id": subject.chunk_id,
        "evidence_ids": list(subject.evidence_ids) if subject.paragraph is not None else None,
        "rest": subject.rest if subject.paragraph is not None else None,
        "criterion": subject.criterion,
        "flags": list(verdict.flags),
        "hidden_characters": verdict.hidden_characters,
        **_answer_cells(verdict),
    }


def _answer_cells(verdict: AnyVerdict) -> Row:
    answer = verdict.answer
    if isinstance(answer, Unjudged):
        return {
            "status": "unjudged",
            "unjudged_reason": answer.reason,
            "reason": answer.detail or None,
        }
    cells: Row = {
        "status": "judged",
        "reason": answer.reason,
        "detail": json_text(msgspec.to_builtins(answer)),
    }
    match answer:
        case Relevance():
            cells["label"] = "relevant" if answer.relevant else "not_relevant"
            cells["grade"] = answer.grade
            cells["quotes"] = _quotes(answer.quote)
        case Support():
            cells["label"] = answer.label
            cells["quotes"] = _quotes(answer.quote_paragraph, answer.quote_evidence)
        case AnswerJudgement():
            cells["label"] = answer.reply
        case Criterion():
            cells["score"] = float(answer.score)
        case _:
            pass
    return cells


def _quotes(*quotes: str | None) -> list[str]:
    return [quote for quote in quotes if quote]


def metric_rows(turn_id: str, measured: Iterable[tuple[Metric, Measured]]) -> Iterator[Row]:
    """Yield one row per metric of a turn; `value` or `reason` is null, never both.

    A metric on request has none where nobody asked for it.
    """
    for metric, result in measured:
        if metric.on_request and result.reason == "not_asked":
            continue
        yield {
            "turn_id": turn_id,
            "stage": metric.stage,
            "metric": metric.name,
            "value": result.value,
            "hits": float(result.hits),
            "total": result.total,
            "reason": result.reason,
            "unit": metric.unit,
            "lengths": list(result.lengths),
        }


def finding_rows(attribution: Attribution) -> Iterator[Row]:
    """Yield one row per fault of a turn, root first."""
    for finding in attribution.findings:
        yield {
            "turn_id": finding.turn_id,
            "stage": finding.fault.stage,
            "kind": finding.fault.kind,
            "role": finding.role,
            "explanation": finding.fault.explanation,
            "evidence": list(finding.fault.evidence),
        }


def loss_rows(losses: Iterable[Loss]) -> Iterator[Row]:
    """Yield one row per input record that was not loaded as it was."""
    for loss in losses:
        yield {
            "outcome": loss.outcome,
            "reason": loss.reason,
            "file": loss.file,
            "offset": int64(loss.offset),
            "detail": loss.detail or None,
        }
