"""The facts of a turn as answers to questions, for `judge.recorded.RecordedJudge`."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from bench.attribution.facts import Called, Facts, Grade, Pairs
from judge.rendering import legible
from stages.records import Turn

_REST: Final = "rest"
_QUOTED: Final = 200
"""Characters of a long piece of evidence that are quoted: a judge may see its start only."""


def record(facts: Facts, turn: Turn) -> dict[str, Any]:
    """Return the answers to all questions about a turn, for a `RecordedJudge`."""
    present = {piece.evidence_id for piece in turn.evidence}
    elements = [
        {
            "text": one.text,
            "status": one.status,
            "paragraphs": list(one.paragraphs),
            "in_evidence": not present.isdisjoint(one.answered_by)
            if facts.needs_evidence
            else None,
            "answered_by": list(one.answered_by),
        }
        for one in facts.elements
    ]
    paragraphs = turn.generation.paragraphs if turn.generation else ()
    claims = {one.paragraph: facts.claims.get(one.paragraph, "none") for one in paragraphs}
    return {
        "conversation_id": turn.conversation_id,
        "turn": turn.turn,
        "answer": {
            "needs_evidence": facts.needs_evidence,
            "reply": facts.reply,
            "elements": elements,
            "paragraphs": [
                {"paragraph": number, "needs_source": claim != "none", "claim": claim}
                for number, claim in claims.items()
            ],
            "understanding": facts.understanding,
            "coherence": facts.coherence,
            "completeness": _completeness(facts),
            "question_language": turn.language,
            "answer_language": facts.answer_language or turn.language,
            "evidence_sufficient": all(one["in_evidence"] for one in elements)
            if facts.needs_evidence
            else None,
        },
        "relevance": {key: _criteria(grade) for key, grade in facts.grades.items()},
        "support": {str(number): dict(pairs) for number, pairs in facts.support.items()},
        "statements": [
            one
            for number, claim in claims.items()
            if claim != "none"
            for one in _statements(turn, number, facts.support.get(number, {}))
        ],
        "routing": _routing(facts, turn),
    }


def _completeness(facts: Facts) -> int:
    answered = sum(one.status == "answered" for one in facts.elements)
    return round(3 * answered / len(facts.elements)) if facts.elements else 3


def _criteria(grade: Grade) -> dict[str, Any]:
    return {
        "grade": grade.grade,
        "target": grade.target,
        "intent": grade.relevant or not grade.target,
        "usable": grade.relevant or not grade.target,
    }


def _statements(turn: Turn, paragraph: int, pairs: Pairs) -> Iterable[dict[str, Any]]:
    """Yield what a paragraph states; a partly supported one states two things."""
    texts = {piece.evidence_id: piece.text for piece in turn.evidence}
    labels = {key: label for key, label in pairs.items() if _present(key, texts)}
    quoted = [key for key in labels if key in texts and labels[key] != "none"]
    text = next(
        one.text
        for one in (turn.generation.paragraphs if turn.generation else ())
        if one.paragraph == paragraph
    )
    statement = {"text": text, "paragraph": paragraph}
    found = set(labels.values())
    if "contradicted" in found:
        against = next(key for key in quoted if labels[key] == "contradicted")
        return [{**statement, "label": "contradicted", "quote": _quote(texts[against])}]
    told: list[dict[str, Any]] = []
    if found & {"full", "partial"}:
        told.append({**statement, "label": "supported", "quote": _quote(texts[quoted[0]])})
    if "full" not in found:
        told.append({**statement, "label": "unsupported", "quote": None})
    return told


def _quote(text: str) -> str:
    """Return the start of a text as a judge gets to see it."""
    return legible(text)[:_QUOTED]


def _present(key: str, texts: Mapping[str, str]) -> bool:
    return key in texts or (key != _REST and all(part in texts for part in key.split("+")))


def _routing(facts: Facts, turn: Turn) -> dict[str, Any]:
    searched = [choice.name for choice in turn.routing.collections] if turn.routing else []
    reworded = turn.routing is not None and turn.routing.refined_query is not None
    return {
        "agent_ok": facts.agent_ok,
        "fitting_agent": facts.fitting_agent,
        "collections": [
            {
                "collection": name,
                "ok": name not in facts.wrong_collections,
                "fits": facts.wrong_collections.get(name),
            }
            for name in searched
        ],
        "calls": [_call(call.position, facts.calls) for call in turn.tool_calls],
        "missing": [{"kind": kind, "name": name} for kind, name in facts.missing],
        "refined_faithful": facts.refined_faithful if reworded else None,
        "lost_constraints": list(facts.lost),
    }


def _call(position: int, calls: Mapping[int, Called]) -> dict[str, Any]:
    called = calls.get(position, Called())
    return {
        "position": position,
        "tool_ok": called.tool_ok,
        "args_ok": not called.wrong if called.tool_ok else None,
        "wrong_arguments": [
            {
                "argument": one.argument,
                "value": one.value,
                "expected": one.expected,
                "known_from": one.known_from,
            }
            for one in called.wrong
        ],
        "fits": called.fits,
    }
