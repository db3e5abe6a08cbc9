"""From judged turns to attributions, one conversation at a time.

Turns are taken in order, because a claim may repeat one of an earlier turn.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from analysis.attribution.causes import cause_of
from analysis.attribution.diagnosis import Diagnosis
from analysis.attribution.inheritance import EarlierTurn, repeated_failure, repeats_supported
from analysis.attribution.kinds import (
    STAGES,
    Attribution,
    Cause,
    Fault,
    Finding,
    Role,
    Symptom,
)
from analysis.attribution.retrieval_faults import retrieval_faults
from analysis.attribution.routing_faults import routing_faults
from analysis.attribution.sentences import sentence_of
from analysis.attribution.symptoms import diagnose
from analysis.judged import JudgedTurn
from stages.records import Stage

_ROLE_ORDER: tuple[Role, ...] = ("root", "contributing", "downstream", "latent")


def attribute(turns: Sequence[JudgedTurn]) -> tuple[Attribution, ...]:
    """Return what became of each turn of one conversation, in order.

    Args:
        turns: The judged turns of the conversation, in order.
    """
    earlier: list[EarlierTurn] = []
    for judged in turns:
        earlier.append(_attribute(judged, earlier))
    return tuple(before.attribution for before in earlier)


def _attribute(judged: JudgedTurn, earlier: Sequence[EarlierTurn]) -> EarlierTurn:
    """Return a turn with what became of it, for those that come after it."""
    if judged.not_judged is not None:
        attribution = Attribution(
            turn_id=judged.turn.turn_id, outcome="not_judged", outcome_reason=judged.not_judged
        )
        return EarlierTurn(judged=judged, attribution=attribution)
    informed = replace(judged, earlier=tuple(before.judged for before in earlier))
    diagnosis = diagnose(informed, lambda claim: repeats_supported(informed, claim, earlier))
    attribution = _became(informed, diagnosis, earlier)
    return EarlierTurn(judged=judged, attribution=attribution, kept=diagnosis.kept)


def _became(
    judged: JudgedTurn, diagnosis: Diagnosis, earlier: Sequence[EarlierTurn]
) -> Attribution:
    turn_id = judged.turn.turn_id
    if diagnosis.symptoms:
        causes = tuple(_cause(judged, symptom, earlier) for symptom in diagnosis.symptoms)
        return _failed(judged, causes)
    latent = tuple(
        Finding(turn_id=turn_id, fault=fault, role="latent") for fault in _standing(judged)
    )
    if diagnosis.undecided:
        return Attribution(
            turn_id=turn_id,
            outcome="not_judged",
            outcome_reason=diagnosis.undecided[0],
            findings=latent,
        )
    return Attribution(
        turn_id=turn_id, outcome="passed", outcome_reason=_note(diagnosis), findings=latent
    )


def _note(diagnosis: Diagnosis) -> str | None:
    return diagnosis.notes[0] if diagnosis.notes else None


def _cause(judged: JudgedTurn, symptom: Symptom, earlier: Sequence[EarlierTurn]) -> Cause:
    if symptom.kind in ("false", "misfounded", "unfounded"):
        repeated = repeated_failure(judged, symptom, earlier)
        if repeated is not None:
            cause, origin = repeated
            return Cause(
                symptom=symptom, fault=cause.fault, found=cause.found, inherited_from=origin
            )
    return cause_of(judged, symptom)


def _standing(judged: JudgedTurn) -> tuple[Fault, ...]:
    return (*routing_faults(judged), *retrieval_faults(judged))


def _failed(judged: JudgedTurn, causes: tuple[Cause, ...]) -> Attribution:
    turn_id = judged.turn.turn_id
    determined = [cause for cause in causes if cause.fault is not None]
    if not determined:
        return Attribution(
            turn_id=turn_id,
            outcome="failed",
            outcome_reason=_open(causes),
            root_stage="undetermined",
            sentence=sentence_of(judged, causes[0]),
            findings=tuple(_findings(judged, causes, None)),
            causes=causes,
        )
    root = min(determined, key=_precedence)
    return Attribution(
        turn_id=turn_id,
        outcome="failed",
        root_stage=_fault(root).stage,
        root_kind=_fault(root).kind,
        inherited_from=root.inherited_from,
        sentence=sentence_of(judged, root),
        findings=tuple(_findings(judged, causes, root)),
        causes=causes,
    )


def _fault(cause: Cause) -> Fault:
    if cause.fault is None:
        raise ValueError("an undetermined cause has no fault")
    return cause.fault


def _precedence(cause: Cause) -> tuple[int, int]:
    return _fault(cause).precedence


def _open(causes: tuple[Cause, ...]) -> str:
    """Return what is missing and the stages it would decide between, in words."""
    missing = dict.fromkeys(cause.missing for cause in causes if cause.missing)
    possible: set[Stage] = {stage for cause in causes for stage in cause.possible}
    stages = ", ".join(stage for stage in STAGES if stage in possible)
    return f"{'; '.join(missing)} ({stages})"


def _findings(
    judged: JudgedTurn, causes: tuple[Cause, ...], root: Cause | None
) -> Iterator[Finding]:
    """Yield every fault of the turn once, in the strongest role it plays."""
    roles: dict[tuple[str, str, str], tuple[Fault, Role]] = {}

    def add(fault: Fault, role: Role) -> None:
        key = (fault.stage, fault.kind, fault.explanation)
        known = roles.get(key)
        if known is None or _ROLE_ORDER.index(role) < _ROLE_ORDER.index(known[1]):
            roles[key] = (fault, role)

    for cause in causes:
        if cause.fault is not None and root is not None:
            is_root = _precedence(cause) == _precedence(root)
            add(cause.fault, "root" if is_root else "contributing")
        for fault, role in cause.beside:
            add(fault, role)
    playing = {_same(fault) for fault, _ in roles.values()}
    for fault in _standing(judged):
        if _same(fault) not in playing:
            add(fault, "latent")
    for fault, role in sorted(
        roles.values(), key=lambda item: (_ROLE_ORDER.index(item[1]), item[0].precedence)
    ):
        yield Finding(turn_id=judged.turn.turn_id, fault=fault, role=role)


def _same(fault: Fault) -> tuple[str, frozenset[str]]:
    """Return what two tellings of one fault share: the kind, and the call if it is a call's."""
    return fault.kind, frozenset(item for item in fault.evidence if item.startswith("call "))
