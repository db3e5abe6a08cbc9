"""What speaks against the stage that one would suspect first, in one sentence.

A fabricated answer beside irrelevant chunks looks like a bad search, until one knows that the
collection holds nothing better. What cleared the stage upstream of a cause is said beside it.
"""

from analysis.attribution.cases import Case, case_of, evidence_was_there
from analysis.attribution.kinds import Cause, Fault
from analysis.attribution.retrieval_faults import retrieval_faults
from analysis.attribution.routing_faults import routing_faults
from analysis.attribution.sentences import LONGEST, named
from analysis.attribution.wording import listed, place, short
from analysis.judged import JudgedTurn, ProbeHit

_ELSEWHERE = frozenset({"wrong_agent", "wrong_collection"})
"""Routing faults that would be to blame had the evidence lain in another collection."""


def counter_evidence(judged: JudgedTurn, cause: Cause) -> str | None:
    """Return what cleared the stage upstream of a cause.

    None where no other stage was suspected, and where what would tell is missing.

    Args:
        judged: The turn.
        cause: The cause of one of its symptoms.
    """
    told = _told(judged, cause)
    return None if told is None else short(f"Would have been {told}", LONGEST - 1) + "."


def _told(judged: JudgedTurn, cause: Cause) -> str | None:
    symptom = cause.symptom
    stage = cause.fault.stage if cause.fault else None
    if cause.inherited_from is not None or symptom.kind in ("citation", "form"):
        return None
    if symptom.kind == "false":
        return _although(_upstream(judged), "the answer goes against what stood before the model")
    if symptom.element is None:
        return _unasked(judged) if stage == "generation" else None
    case = case_of(judged, symptom, symptom.element)
    if stage == "retrieval":
        return _searched(case, cause.found) if cause.found else _not_only_there(case)
    if stage == "generation":
        if evidence_was_there(case):
            return _although(_upstream(judged), "what answers it stood before the model")
        return _never_held(case)
    return _open(case, cause.missing)


def _upstream(judged: JudgedTurn) -> tuple[Fault, ...]:
    return (*routing_faults(judged), *retrieval_faults(judged))


def _although(suspects: tuple[Fault, ...], cleared: str) -> str | None:
    if not suspects:
        return None
    return f"{suspects[0].stage} ({suspects[0].explanation}), but {cleared}"


def _unasked(judged: JudgedTurn) -> str | None:
    return _although(_upstream(judged), "nobody asked for it: no search had to bring its evidence")


def _open(case: Case, missing: str | None) -> str | None:
    """Return what clears a stage although none is known; None where what would tell is missing."""
    if missing == "not_in_observed_corpus":
        return _never_held(case)
    if missing != "evidence_seen_only_later":
        return None
    hit = case.later[0]
    stage = "retrieval" if hit.searched else "routing"
    where = place(hit.collection)
    return f"{stage}, but {named(hit)} in {where} was first seen after this turn"


def _never_held(case: Case) -> str:
    """Return that the evidence was looked for in the run, and is in no collection of it."""
    searches = case.judged.turn.retrievals
    astray = any(fault.kind in _ELSEWHERE for fault in routing_faults(case.judged))
    if astray or not searches:
        told = "routing, but no collection within reach ever held it"
    else:
        held = listed((search.collection for search in searches), place(None))
        told = f"retrieval, but {held} never held it"
    nearest = len(case.hits or ())
    if not nearest:
        return f"{told}: no other chunk of this run comes near it"
    if nearest == 1:
        return f"{told}: the one other chunk of this run that comes near does not answer it"
    return f"{told}: none of the {nearest} nearest other chunks of this run answers it"


def _searched(case: Case, hit: ProbeHit) -> str | None:
    """Return that routing went where the evidence is, whatever else it did wrong."""
    where = place(hit.collection)
    return _although(routing_faults(case.judged), f"{named(hit)} is in {where}, which was searched")


def _not_only_there(case: Case) -> str | None:
    """Return that evidence elsewhere shows nothing: a call that nobody called wrong failed."""
    if not case.positive:
        return None
    hit = case.positive[0]
    return (
        f"routing ({named(hit)} in {place(hit.collection)} answers and was not searched), but a "
        "call that nobody called wrong failed, and what it would have brought is not known"
    )
