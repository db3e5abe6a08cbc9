"""Has every question asked that a block of conversations raises, in the order of need.

    round 1   routing, answer, statements, relevance, support (pairs)
    round 2   support of the cited evidence together, where no piece alone is enough
    round 3   support by the rest, where what is cited is not enough
    round 4   probes, for elements of failed, partly answered and abstaining turns
    round 5   canaries, for verdicts that a text may have talked the judge into

Each round asks only what the one before left open, for all turns of the block at once, so
that a judge can work on many questions at a time.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from analysis.attribution import attribute
from analysis.judged import Candidate, JudgedTurn, ProbeHit
from analysis.probing import Prober, elements_to_probe
from analysis.screened import flagged, screened
from judge import (
    answer_question,
    citing_expected,
    not_judgeable,
    relevance_questions,
    rest_questions,
    routing_questions,
    statements_question,
    support_questions,
    together_questions,
)
from judge.answers import InventedQuestions, RoutingJudgement, TurnRouting, Unjudged
from judge.asking import Citing
from judge.canaries import canary_of, is_fooled, wants_canary
from judge.likeness import Likeness, StaticLikeness
from judge.on_request import criterion_questions, invented_question
from judge.question import AnyVerdict, Question, QuestionKind, Verdict
from judge.run_knowledge import RunKnowledge
from stages.records import Conversation, Turn

Ask = Callable[[Iterable[Question]], Iterator[AnyVerdict]]
"""Asks questions once and yields a verdict for each, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedConversation:
    """A conversation with its judged turns and every verdict that was used, in order."""

    conversation: Conversation
    turns: tuple[JudgedTurn, ...]
    verdicts: tuple[AnyVerdict, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What the profile and the command line say about asking."""

    citing: Citing = "auto"
    templates: bool = False
    """Judge canned answers too."""
    probes: int = 5
    """Candidates per element; 0 turns probing off."""
    requested: frozenset[QuestionKind] = frozenset()
    """`questions`: what the answer would answer. `statements`: also of answers that cite."""
    criteria: tuple[str, ...] = ()
    """Goals that each conversation is held against."""
    likeness: Likeness = field(default_factory=StaticLikeness)
    """Compares invented questions with the one that was asked."""
    canary_every: int | None = None
    """A canary for flagged verdicts, and for one in so many others; None: none at all."""


@dataclass(slots=True)
class _Open:
    """The verdicts of one conversation, while they come in."""

    conversation: Conversation
    turns: dict[str, JudgedTurn]
    judged_ids: frozenset[str]
    verdicts: list[AnyVerdict] = field(default_factory=list)
    probed: dict[str, str] = field(default_factory=dict)
    """Recorded texts of probed chunks, by the verdict's key: other turns retrieved them."""

    def asked_turns(self) -> Iterator[JudgedTurn]:
        for turn_id, judged in self.turns.items():
            if turn_id in self.judged_ids:
                yield judged


def judge_conversations(
    conversations: Sequence[Conversation],
    *,
    wanted: Callable[[Turn], bool],
    ask: Ask,
    prober: Prober,
    citing_agents: frozenset[tuple[str | None, str | None]],
    settings: Settings,
) -> tuple[JudgedConversation, ...]:
    """Return the conversations judged, in order.

    Args:
        conversations: A block; the larger, the more questions are asked at a time.
        wanted: Tells which turns belong to the run. The others are context: they are not
            judged and not in the result.
        ask: Asks questions once.
        prober: Finds the chunks of the run that may answer an element.
        citing_agents: (service, agent) of the agents that cite anywhere in the run.
        settings: What the profile says.
    """
    block = [_open(one, wanted, prober.knowledge, citing_agents, settings) for one in conversations]
    _round(block, ask, partial(_first_questions, settings=settings), settings.likeness)
    _round(block, ask, _together)
    _round(block, ask, _rest)
    if settings.probes:
        _probe(block, ask, prober, settings)
    for one in block:
        one.verdicts = screened(one.conversation, one.verdicts, one.probed)
    if settings.canary_every is not None:
        _watch(block, ask, settings.canary_every)
    return tuple(
        JudgedConversation(
            conversation=one.conversation,
            turns=tuple(one.turns.values()),
            verdicts=tuple(one.verdicts),
        )
        for one in block
    )


def _open(
    conversation: Conversation,
    wanted: Callable[[Turn], bool],
    knowledge: RunKnowledge,
    citing_agents: frozenset[tuple[str | None, str | None]],
    settings: Settings,
) -> _Open:
    turns = {
        turn.turn_id: JudgedTurn(
            turn=turn,
            not_judged=not_judgeable(turn, templates=settings.templates),
            citing_expected=citing_expected(turn, citing_agents, settings.citing),
            sourceless=not knowledge.has_sources(turn),
        )
        for turn in conversation.turns
        if wanted(turn)
    }
    judged_ids = frozenset(key for key, judged in turns.items() if judged.not_judged is None)
    return _Open(conversation=conversation, turns=turns, judged_ids=judged_ids)


def _round(
    block: Sequence[_Open],
    ask: Ask,
    questions_of: Callable[[_Open], Iterator[Question]],
    likeness: Likeness | None = None,
) -> None:
    """Ask one round of questions for the whole block and file the verdicts."""
    questions = [(one, question) for one in block for question in questions_of(one)]
    verdicts = ask(question for _, question in questions)
    for (one, question), verdict in zip(questions, verdicts, strict=True):
        one.verdicts.append(verdict)
        _file(one, question, verdict, likeness)


def _first_questions(one: _Open, settings: Settings) -> Iterator[Question]:
    requested = settings.requested
    if one.judged_ids:
        yield from _routing(one)
        yield from criterion_questions(one.conversation, settings.criteria)
    for judged in one.asked_turns():
        yield answer_question(judged.turn)
        statements = statements_question(judged.turn, on_request="statements" in requested)
        if statements is not None:
            yield statements
        invented = invented_question(judged.turn) if "questions" in requested else None
        if invented is not None:
            yield invented
        yield from relevance_questions(judged.turn)
        yield from support_questions(judged.turn)


def _routing(one: _Open) -> Iterator[Question]:
    """Yield the routing windows that hold a turn of the run."""
    numbers = {judged.turn.turn for judged in one.asked_turns()}
    for question in routing_questions(one.conversation):
        if numbers.intersection(question.subject.turns):
            yield question


def _together(one: _Open) -> Iterator[Question]:
    for judged in one.asked_turns():
        yield from together_questions(judged.turn, judged.support)


def _rest(one: _Open) -> Iterator[Question]:
    for judged in one.asked_turns():
        pairs = {key: v for key, v in judged.support.items() if len(key[1]) == 1}
        togethers = {key: v for key, v in judged.support.items() if len(key[1]) > 1}
        yield from rest_questions(
            judged.turn,
            judged.answer.decided if judged.answer else None,
            pairs,
            togethers,
            judged.relevance,
            citing_expected=judged.citing_expected,
        )


def _file(one: _Open, question: Question, verdict: Any, likeness: Likeness | None) -> None:
    """Put one verdict where it belongs on its turn."""
    if question.kind == "routing":
        _file_routing(one, question, verdict)
        return
    if question.kind == "criterion":
        return  # about the conversation
    judged = one.turns[question.turn_id or ""]
    subject = question.subject
    changes: dict[str, Any]
    match question.kind:
        case "answer":
            changes = {"answer": verdict}
        case "statements":
            changes = {"statements": verdict}
        case "questions":
            changes = {"invented": verdict, "likeness": _alike(judged.turn, verdict, likeness)}
        case "relevance":
            changes = {"relevance": {**judged.relevance, subject.chunk_id: verdict}}
        case "support" if subject.rest:
            changes = {"rest": {**judged.rest, subject.paragraph: verdict}}
        case "support":
            key = (subject.paragraph, subject.evidence_ids)
            changes = {"support": {**judged.support, key: verdict}}
        case _:
            raise ValueError(f"no place for a verdict on {question.kind}")
    one.turns[judged.turn.turn_id] = replace(judged, **changes)


def _alike(
    turn: Turn, verdict: Verdict[InventedQuestions], likeness: Likeness | None
) -> tuple[float | None, ...]:
    """Return the cosine of each invented question with the one that was asked."""
    if verdict.decided is None or likeness is None:
        return ()
    return likeness.cosines(turn.question or "", verdict.decided.questions)


def _watch(block: Sequence[_Open], ask: Ask, every: int) -> None:
    """Flag the verdicts whose texts make the judge believe what is known to be false."""
    wanted = [
        (one, place, canary)
        for one in block
        for place, verdict in enumerate(one.verdicts)
        if wants_canary(verdict, every) and (canary := canary_of(verdict.question)) is not None
    ]
    verdicts = ask(canary for _, _, canary in wanted)
    for (one, place, _), verdict in zip(wanted, verdicts, strict=True):
        if is_fooled(verdict.answer):
            one.verdicts[place] = flagged(one.verdicts[place], "canary")


def _file_routing(one: _Open, question: Question, verdict: Any) -> None:
    answer: RoutingJudgement | Unjudged = verdict.answer
    by_turn: Mapping[int, TurnRouting] = (
        {} if isinstance(answer, Unjudged) else {item.turn: item for item in answer.turns}
    )
    for turn_id, judged in one.turns.items():
        if judged.turn.turn in question.subject.turns and turn_id in one.judged_ids:
            missing = answer if isinstance(answer, Unjudged) else Unjudged(reason="uncertain")
            routing = by_turn.get(judged.turn.turn, missing)
            one.turns[turn_id] = replace(judged, routing=routing, routing_key=verdict.key)


def _probe(block: Sequence[_Open], ask: Ask, prober: Prober, settings: Settings) -> None:
    wanted: list[tuple[_Open, str, Question, Candidate]] = []
    for one in block:
        one.turns = {
            turn_id: replace(judged, records_elsewhere=prober.records_elsewhere(judged.turn))
            for turn_id, judged in one.turns.items()
        }
        attributions = attribute(tuple(one.turns.values()))
        for judged, attribution in zip(one.turns.values(), attributions, strict=True):
            elements = elements_to_probe(judged, attribution)
            if elements:
                found = dict[int, tuple[ProbeHit, ...]].fromkeys(elements, ())
                one.turns[judged.turn.turn_id] = replace(judged, probes=found)
            for index in elements:
                candidates = prober.candidates(judged, index, settings.probes)
                wanted += [(one, judged.turn.turn_id, *found) for found in candidates]
    questions = [question for _, _, question, _ in wanted]
    verdict: Any
    for (one, turn_id, _, candidate), verdict in zip(wanted, ask(questions), strict=True):
        one.verdicts.append(verdict)
        one.probed[verdict.key] = candidate.chunk.text or ""
        judged = one.turns[turn_id]
        hits = dict(judged.probes or {})
        hits[candidate.element] = (*hits.get(candidate.element, ()), candidate.judged(verdict))
        one.turns[turn_id] = replace(judged, probes=hits)
