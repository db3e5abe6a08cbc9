"""Causes that stay open: what is missing, and between which stages it would decide."""

from dataclasses import replace

from analysis.attribution.cases import Case, asserts
from analysis.attribution.evidence import call_judgements, routing_of
from analysis.attribution.kinds import Cause
from analysis.attribution.routing_faults import routing_faults
from analysis.judged import JudgedTurn, ProbeHit
from judge.answers import CallJudgement
from stages.records import Stage


def evidence_unknown(case: Case) -> Cause | None:
    """Whether the evidence stood before the model was not decided."""
    if case.element.in_evidence is not None:
        return None
    return undetermined(case, "verdict_missing:answer")


def not_decided(case: Case) -> Cause | None:
    """A probe or verdict that decides between the stages is missing."""
    if case.hits is None:
        return undetermined(case, "corpus_not_probed")
    if any(hit.verdict.decided is None for hit in case.hits):
        return undetermined(case, "verdict_missing:probe")
    if case.later:
        return undetermined(case, "evidence_seen_only_later", case.later[0])
    if asserts(case.symptom) and _calls_undecided(case.judged):
        return undetermined(case, "verdict_missing:routing")
    return None


def undetermined(case: Case, missing: str, later: ProbeHit | None = None) -> Cause:
    """Return an open cause, with the stages that what is *missing* would decide between.

    Args:
        case: The case.
        missing: What would decide.
        later: The chunk that answers and was first seen after the turn, where that is it.
    """
    possible: list[Stage] = ["retrieval"]
    if _may_be_routing(case) or (later is not None and not later.searched):
        possible.insert(0, "routing")
    if asserts(case.symptom) or case.element.in_evidence is None:
        possible.append("generation")
    symptom = case.symptom
    if later is not None:
        named = (*symptom.evidence, f"chunk {later.chunk.chunk_id}")
        symptom = replace(symptom, evidence=named)
    return Cause(symptom=symptom, fault=None, possible=tuple(possible), missing=missing)


def _may_be_routing(case: Case) -> bool:
    """Tell whether routing did something wrong in the turn, or may have."""
    routing = routing_of(case.judged)
    return (
        routing is None
        or bool(routing_faults(case.judged))
        or _calls_undecided(case.judged)
        or not routing.missing_decided
        or any(item.ok is None for item in routing.collections)
    )


def _calls_undecided(judged: JudgedTurn) -> bool:
    """Tell whether a call of the turn may have been the wrong one, for all that is known."""
    judgements = call_judgements(judged)
    return any(
        not call.is_retrieval and not _is_right(judgements.get(call.position))
        for call in judged.turn.tool_calls
    )


def _is_right(judgement: CallJudgement | None) -> bool:
    """Tell whether a call is known to be right; right arguments of an unsure tool are not it."""
    return bool(judgement and judgement.tool_ok and judgement.args_ok)
