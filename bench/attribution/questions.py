"""Question by question: does the local judge say what is known?

Every distinct question that a run with known answers raises is put to the local judge as
well. `Pairs` counts what was known against what was said, measure by measure; `–` stands
for undecided.
"""

import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

from judge import Ledger, ask
from judge.answers import (
    Answer,
    AnswerJudgement,
    Element,
    Relevance,
    RoutingJudgement,
    Statements,
    Support,
    TurnRouting,
    Unjudged,
)
from judge.question import AnyVerdict, Judge
from judge.tokens import tokens

OPEN: Final = "–"
Pair: TypeAlias = tuple[str, str, str]
"""Measure, what is known, what was said."""
_GOOD: Final = 2
"""Lowest grade of understanding and coherence that is no symptom."""
_WORST: Final = ("contradicted", "unsupported", "supported")


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """One thing that the judge said otherwise."""

    measure: str
    known: str
    said: str
    verdict: AnyVerdict
    """The judge's."""


@dataclass(slots=True)
class Agreement:
    """What was known against what was said, by measure."""

    pairs: dict[str, Counter[tuple[str, str]]] = field(default_factory=dict)
    disagreements: list[Disagreement] = field(default_factory=list)

    def add(self, known: AnyVerdict, said: AnyVerdict) -> None:
        """Count one question."""
        if isinstance(known.answer, Unjudged):
            return
        for measure, right, got in compared(known, said.answer):
            self.pairs.setdefault(measure, Counter())[right, got] += 1
            if right != got:
                self.disagreements.append(
                    Disagreement(measure=measure, known=right, said=got, verdict=said)
                )


def agreement(verdicts: Iterable[AnyVerdict], judge: Judge) -> Agreement:
    """Put every distinct question of a run with known answers to a judge.

    Args:
        verdicts: The known answers.
        judge: The judge to be measured.
    """
    distinct: dict[str, AnyVerdict] = {}
    for verdict in verdicts:
        question = verdict.question
        content = json.dumps([question.kind, question.content], sort_keys=True)
        distinct.setdefault(f"{content}{verdict.answer}", verdict)
    known = list(distinct.values())
    found = Agreement()
    with (
        tempfile.TemporaryDirectory() as place,
        Ledger(Path(place) / "verdicts.sqlite") as ledger,
    ):
        said = ask((verdict.question for verdict in known), judge, ledger)
        for right, got in zip(known, said, strict=True):
            found.add(right, got)
    return found


def merged(parts: Iterable[Agreement]) -> Agreement:
    """Put the agreements of several runs together."""
    whole = Agreement()
    for part in parts:
        for measure, pairs in part.pairs.items():
            whole.pairs.setdefault(measure, Counter()).update(pairs)
        whole.disagreements += part.disagreements
    return whole


def compared(known: AnyVerdict, said: Answer | Unjudged) -> Iterator[Pair]:
    """Yield what is known and what was said of one question, part by part."""
    kind, subject = known.question.kind, known.question.subject
    right = known.answer
    match right:
        case Relevance():
            got = said if isinstance(said, Relevance) else None
            if kind == "relevance":
                yield "relevance grade", str(right.grade), OPEN if got is None else str(got.grade)
            yield f"{kind} relevant", _told(right.relevant), _part(got, "relevant")
        case Support():
            label = said.label if isinstance(said, Support) else OPEN
            several = " together" if len(subject.evidence_ids) > 1 else ""
            yield "support rest" if subject.rest else f"support{several}", right.label, label
        case AnswerJudgement():
            yield from _answers(right, said if isinstance(said, AnswerJudgement) else None)
        case Statements():
            yield from _statements(right, said if isinstance(said, Statements) else None)
        case RoutingJudgement():
            yield from _routings(right, said if isinstance(said, RoutingJudgement) else None)
        case _:
            return


def _told(value: bool | None) -> str:  # noqa: FBT001 - three values, one of them None
    return OPEN if value is None else "yes" if value else "no"


def _part(record: object | None, name: str) -> str:
    """Return one field of a record, as far as it was decided."""
    return _told(None if record is None else getattr(record, name))


def _answers(right: AnswerJudgement, got: AnswerJudgement | None) -> Iterator[Pair]:
    yield "needs evidence", _told(right.needs_evidence), _part(got, "needs_evidence")
    yield "reply", right.reply, got.reply if got else OPEN
    yield (
        "on topic",
        _told(right.understanding >= 2),
        OPEN if got is None else _told(got.understanding >= 2),
    )
    yield (
        "coherent",
        _told(right.coherence >= 2),
        OPEN if got is None else _told(got.coherence >= 2),
    )
    for name in ("question_language", "answer_language"):
        value = getattr(right, name)
        if value is not None:
            yield name.replace("_", " "), value, (getattr(got, name) if got else None) or OPEN
    claims = {one.paragraph: one for one in got.paragraphs} if got else {}
    for one in right.paragraphs:
        other = claims.get(one.paragraph)
        yield "needs source", _told(one.needs_source), _part(other, "needs_source")
        yield "claim", one.claim, other.claim if other else OPEN
    if right.needs_evidence:
        yield from _elements(right, got)


def _elements(right: AnswerJudgement, got: AnswerJudgement | None) -> Iterator[Pair]:
    yield "number of elements", str(len(right.elements)), str(len(got.elements)) if got else OPEN
    for place, one in enumerate(right.elements):
        other = _counterpart(one, place, len(right.elements), got.elements if got else ())
        yield "element status", one.status, other.status if other else OPEN
        yield "in evidence", _told(one.in_evidence), _part(other, "in_evidence")
        if one.status == "answered" and other and other.status == "answered":
            same = set(one.paragraphs) <= set(other.paragraphs)
            yield "element paragraphs", "all", "all" if same else "not all"


def _counterpart(one: Element, place: int, count: int, others: Sequence[Element]) -> Element | None:
    """Return the element of the other judgement that means the same, None without any."""
    if len(others) == count:
        return others[place]
    wanted = set(tokens(one.text))
    return max(others, key=lambda other: len(wanted & set(tokens(other.text))), default=None)


def _statements(right: Statements, got: Statements | None) -> Iterator[Pair]:
    known, said = _by_paragraph(right), _by_paragraph(got) if got else {}
    for paragraph, label in known.items():
        yield "statements", label, said.get(paragraph, OPEN)


def _by_paragraph(statements: Statements) -> dict[int, str]:
    """Return what the statements of each paragraph add up to."""
    found: dict[int, set[str]] = {}
    for one in statements.statements:
        found.setdefault(one.paragraph, set()).add(one.label)
    return {
        paragraph: "partly"
        if labels == {"supported", "unsupported"}
        else min(labels, key=_WORST.index)
        for paragraph, labels in found.items()
    }


def _routings(right: RoutingJudgement, got: RoutingJudgement | None) -> Iterator[Pair]:
    said = {one.turn: one for one in got.turns} if got else {}
    for one in right.turns:
        if one.unjudged is None:
            yield from _routed(one, said.get(one.turn))


def _routed(right: TurnRouting, got: TurnRouting | None) -> Iterator[Pair]:
    told = got if got is not None and got.unjudged is None else None
    yield "agent ok", _told(right.agent_ok), _part(told, "agent_ok")
    collections = {one.collection: one.ok for one in told.collections} if told else {}
    for one in right.collections:
        yield "collection ok", _told(one.ok), _told(collections.get(one.collection))
    calls = {one.position: one for one in told.calls} if told else {}
    for call in right.calls:
        other = calls.get(call.position)
        yield "tool ok", _told(call.tool_ok), _part(other, "tool_ok")
        if call.tool_ok:
            yield "args ok", _told(call.args_ok), _part(other, "args_ok")
    decided = told is not None and told.missing_decided
    missing = OPEN if told is None or not decided else _told(bool(told.missing))
    yield "resource missing", _told(bool(right.missing)), missing
    if right.refined_faithful is not None:
        faithful = told.refined_faithful if told else None
        yield "refined faithful", _told(right.refined_faithful), _told(faithful)


# Measures


def measures(found: Agreement) -> Mapping[str, Mapping[str, Any]]:
    """Return, by measure, how often the judge said what is known.

    `agree` is the share of all; `balanced` the mean over what is known of the share said
    right, undecided ones counted as wrong; `undecided` the share without a decision.
    `within_one` is there for grades.
    """
    return {name: _measure(name, pairs) for name, pairs in found.pairs.items()}


def _measure(name: str, pairs: Counter[tuple[str, str]]) -> dict[str, Any]:
    total = pairs.total()
    by_known: dict[str, Counter[str]] = {}
    for (known, said), count in pairs.items():
        by_known.setdefault(known, Counter())[said] += count
    recalls = [row[known] / row.total() for known, row in by_known.items()]
    measured: dict[str, Any] = {
        "count": total,
        "agree": sum(n for (known, said), n in pairs.items() if known == said) / total,
        "balanced": sum(recalls) / len(recalls),
        "undecided": sum(n for (_, said), n in pairs.items() if said == OPEN) / total,
        "said": {known: dict(row.most_common()) for known, row in sorted(by_known.items())},
    }
    if name == "relevance grade":
        close = sum(
            n
            for (known, said), n in pairs.items()
            if said != OPEN and abs(int(known) - int(said)) <= 1
        )
        measured["within_one"] = close / total
    return measured


def text_of(found: Agreement) -> str:
    """Return the measures as text."""
    lines = [f"{'measure':<20}{'count':>7}{'agree':>8}{'balanced':>10}{'open':>8}  known: said"]
    for name, row in measures(found).items():
        more = f"  within one {row['within_one']:.1%}" if "within_one" in row else ""
        lines.append(
            f"{name:<20}{row['count']:>7}{row['agree']:>8.1%}{row['balanced']:>10.1%}"
            f"{row['undecided']:>8.1%}{more}"
        )
        lines += [
            f"{'':<20}    {known}: " + ", ".join(f"{said} {n}" for said, n in said.items())
            for known, said in row["said"].items()
        ]
    return "\n".join(lines)
