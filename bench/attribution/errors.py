"""Where the local judge went wrong, compactly: for whoever improves it.

Two lists: turns whose root is not the planted one, with every verdict on them that is not
what is known; and questions that were answered otherwise, one by one.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from bench.attribution.judging import Result
from bench.attribution.questions import Disagreement, compared
from judge.answers import Answer, AnswerJudgement, Relevance, RoutingJudgement, Statements, Support
from judge.question import AnyVerdict, Question, Verdict
from judge.rendering import items
from stages.records import Turn

K = TypeVar("K")
A = TypeVar("A", bound=Answer)

_WIDE = 220


def turn_errors(
    known: Sequence[Result], said: Sequence[Result], kind: str | None = None
) -> Iterator[str]:
    """Yield one block of text for every turn whose root or outcome is wrong.

    Args:
        known: Results with the known answers.
        said: Results of the judge, of the same turns in the same order.
        kind: Only turns with this fault name, planted kind or found kind.
    """
    for right, got in zip(known, said, strict=True):
        planted = got.planted
        names = (planted.name, planted.kind or "passed", got.found_kind)
        if got.right_kind or (kind is not None and kind not in names):
            continue
        yield "\n".join(_turn_error(right, got))


def _turn_error(right: Result, got: Result) -> Iterator[str]:
    planted, turn = got.planted, got.planted.turn
    wanted = f"{planted.stage}.{planted.kind}" if planted.stage else "passed"
    reason = got.attribution.outcome_reason
    yield f"{turn.turn_id}  [{planted.name}]  {wanted} → {got.found}.{got.found_kind}" + (
        f"  ({reason})" if reason else ""
    )
    for message in turn.history[-2:]:
        yield f"   {message.role}: {_short(message.text or '')}"
    yield f"   Q {_short(turn.question or '')}"
    for paragraph in turn.generation.paragraphs if turn.generation else ():
        yield f"   P{paragraph.paragraph} {_short(paragraph.text)}"
    for search in turn.retrievals:
        seen = [f"{one.chunk_id}{'' if one.in_context else ' (cut)'}" for one in search.chunks]
        yield f"   search {search.collection} “{_short(search.query or '')}”: {', '.join(seen)}"
    for call in turn.tool_calls:
        yield f"   call {call.name} {call.arguments} → {call.status}"
    if got.attribution.sentence:
        yield f"   said: {got.attribution.sentence}"
    yield from _differences(right, got, turn)


def _differences(right: Result, got: Result, turn: Turn) -> Iterator[str]:
    """Yield every verdict on a turn that is not what is known."""
    texts = {piece.evidence_id: piece.text for piece in turn.evidence}
    texts |= {one.chunk_id: one.text or "" for s in turn.retrievals for one in s.chunks}
    for one, other in _verdict_pairs(right, got):
        for measure, known, said in compared(one, other.answer):
            if known != said:
                subject = one.question.subject
                where = "" if str(subject) == "turn" else f" {subject}"
                ids = [i for i in (subject.chunk_id, *subject.evidence_ids) if i in texts]
                shown = "".join(f"\n        {i}: {_short(texts[i])}" for i in ids[:2])
                yield f"   ✗ {measure}{where}: {said}, known {known}{shown}"
    yield from _elements(right, got)
    yield from _routing(right, got)


def _verdict_pairs(right: Result, got: Result) -> Iterator[tuple[AnyVerdict, AnyVerdict]]:
    """Yield verdicts on the same subject, what is known first."""
    mine, theirs = right.judged, got.judged
    if mine.answer and theirs.answer:
        yield mine.answer, theirs.answer
    if mine.statements and theirs.statements:
        yield mine.statements, theirs.statements
    yield from _shared(mine.relevance, theirs.relevance)
    yield from _shared(mine.support, theirs.support)
    yield from _shared(mine.rest, theirs.rest)


def _shared(
    known: Mapping[K, Verdict[A]], said: Mapping[K, Verdict[A]]
) -> Iterator[tuple[Verdict[A], Verdict[A]]]:
    for key, verdict in known.items():
        if key in said:
            yield verdict, said[key]


def _elements(right: Result, got: Result) -> Iterator[str]:
    """Yield the elements as the judge saw them where any differs, with their probes."""
    mine, theirs = right.judged.answer, got.judged.answer
    known = mine.decided if mine else None
    said = theirs.decided if theirs else None
    if known is None or said is None or known.elements == said.elements:
        return
    for number, one in enumerate(said.elements):
        hits = (got.judged.probes or {}).get(number, ())
        found = ", ".join(f"{hit.chunk.chunk_id}{'+' if hit.positive else '-'}" for hit in hits)
        yield (
            f"   E{number + 1} {one.status} P{list(one.paragraphs)} in evidence {one.in_evidence}"
            f" “{_short(one.text)}”" + (f" probes {found}" if found else "")
        )
    for one in known.elements:
        yield (
            f"   known {one.status} P{list(one.paragraphs)} in evidence {one.in_evidence}"
            f" “{_short(one.text)}”"
        )


def _routing(right: Result, got: Result) -> Iterator[str]:
    known, said = right.judged.routing, got.judged.routing
    if known is None or said is None:
        return
    fields = ("agent_ok", "fitting_agent", "refined_faithful", "lost_constraints", "unjudged")
    for name in fields:
        mine, theirs = getattr(known, name, None), getattr(said, name, None)
        if mine != theirs:
            yield f"   ✗ routing {name}: {theirs}, known {mine}"
    for name in ("collections", "calls", "missing"):
        mine, theirs = (_bare(getattr(one, name, ())) for one in (known, said))
        if mine != theirs:
            yield f"   ✗ routing {name}: {theirs or 'none'}, known {mine or 'none'}"


def _bare(judgements: Sequence[object]) -> list[str]:
    """Return judgements in short, without reasons."""
    found = []
    for one in judgements:
        names = ("collection", "ok", "fits", "position", "tool_ok", "args_ok", "kind", "name")
        found.append(" ".join(f"{getattr(one, name)}" for name in names if hasattr(one, name)))
    return found


def question_errors(found: Sequence[Disagreement], measure: str | None = None) -> Iterator[str]:
    """Yield one block of text for every part of a question that was answered otherwise."""
    for one in found:
        if measure is None or one.measure == measure:
            yield "\n".join(_question_error(one))


def _question_error(one: Disagreement) -> Iterator[str]:
    question = one.verdict.question
    where = question.turn_id or f"{question.conversation_id}"
    yield f"[{one.measure}] {one.said}, known {one.known}   {where} {question.subject}"
    yield from _asked(question)
    answer = one.verdict.answer
    match answer:
        case Relevance() | Support() | Statements():
            yield f"   reason: {_short(answer.reason)}"
        case AnswerJudgement():
            yield f"   reason: {_short(answer.reason)}"
            for number, element in enumerate(answer.elements, start=1):
                where = f"{element.status} P{list(element.paragraphs)}"
                yield f"   E{number} {where} “{_short(element.text)}”"
        case RoutingJudgement():
            for turn in answer.turns:
                yield f"   turn {turn.turn}: {_short(turn.reason)}"
        case _:
            yield f"   {answer}"


def _asked(question: Question) -> Iterator[str]:
    content = question.content
    for name in ("need", "question"):
        if isinstance(text := content.get(name), str):
            yield f"   {name} {_short(text)}"
    for name in ("chunk", "paragraph"):
        if isinstance(held := content.get(name), dict):
            yield f"   {name} {_short(str(held.get('text')))}"
    for one in items(content.get("paragraphs", [])):
        yield f"   P{one['paragraph']} {_short(str(one['text']))}"
    for one in items(content.get("evidence", [])):
        yield f"   {one['label']} {_short(str(one['text']))}"
    for one in items(content.get("transcript", [])):
        if one["judge"]:
            asked = _short(str(one["question"]))
            yield f"   turn {one['turn']} Q {asked} refined {one['refined_query']}"
            for step in items(one["steps"]):
                shown = {
                    k: step.get(k) for k in ("step", "collection", "tool", "arguments", "status")
                }
                yield f"      {shown}"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _WIDE else f"{line[: _WIDE - 1]}…"
