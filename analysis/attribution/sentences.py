"""One sentence in plain words for every failed turn: stage, kind and evidence."""

from collections.abc import Callable

from analysis.attribution.kinds import Cause
from analysis.attribution.wording import listed, place, quoted, short
from analysis.judged import JudgedTurn, ProbeHit

LONGEST = 300
"""Length of a sentence, in characters; a longer one is cut."""

_OPEN = {
    "misfounded": "rests on a source about something else",
    "unfounded": "is not supported by the evidence",
    "missing": "was not answered",
}
_UNDECIDED = {
    "corpus_not_probed": "the corpus was not probed for what would answer it",
    "verdict_missing:probe": "the judge left the probe for its evidence undecided",
    "verdict_missing:answer": "the judge left open whether its evidence stood in the prompt",
    "verdict_missing:routing": "the judge left the tool calls of the turn undecided",
    "evidence_seen_only_later": "{named} was first seen after this turn",
    "not_in_observed_corpus": "no chunk of this run answers it",
}
_TITLES = ("title", "heading", "section", "name")


def sentence_of(judged: JudgedTurn, cause: Cause) -> str:
    """Return the sentence that says what broke the turn.

    Args:
        judged: The turn.
        cause: The root; one that is undetermined where there is no root.
    """
    return short(_told(judged, cause), LONGEST - 1) + "."


def _told(judged: JudgedTurn, cause: Cause) -> str:
    """Return the sentence without its full stop."""
    fault = cause.fault
    if fault is None:
        return _undetermined(cause)
    if cause.inherited_from is not None:
        origin = f"Repeats what failed in turn {short(cause.inherited_from)} by {fault.stage}"
        return f"{origin}{_claimed(judged, cause)}; there, {fault.explanation}"
    if fault.stage == "generation":
        return f"Generation: {fault.explanation}{_claimed(judged, cause)}"
    build = _WITH_CHUNK.get(fault.kind)
    if build is not None and cause.found is not None:
        return build(judged, cause, cause.found)
    return f"{fault.stage.capitalize()}: {fault.explanation}"


def _undetermined(cause: Cause) -> str:
    symptom = cause.symptom
    named = short(symptom.evidence[-1])
    why = _UNDECIDED[str(cause.missing)].format(named=named)
    stages = " or ".join(cause.possible)
    return f"{_asked(cause)} {_OPEN[symptom.kind]}; {why}, so the stage stays open ({stages})"


def _claimed(judged: JudgedTurn, cause: Cause) -> str:
    """Return what shows a fault of generation: the element, the claim, or what was seen."""
    symptom = cause.symptom
    if symptom.kind == "missing":
        return f": {_asked(cause)}"
    generation = judged.turn.generation
    for paragraph in generation.paragraphs if generation else ():
        if paragraph.paragraph in symptom.paragraphs:
            return f": {quoted(paragraph.text)}"
    return f" ({listed(symptom.evidence, '')})" if symptom.evidence else ""


def _asked(cause: Cause) -> str:
    return quoted(cause.symptom.asked) if cause.symptom.asked.strip() else "What was asked"


def named(hit: ProbeHit) -> str:
    """Return the title and id of a chunk."""
    titles = (hit.chunk.metadata.get(key) for key in _TITLES)
    title = next((title for title in titles if isinstance(title, str) and title.strip()), None)
    name = short(hit.chunk.chunk_id)
    return f"{short(title)} ({name})" if title else f"chunk {name}"


# upstream, where a probe found what would have answered


def _wrong_collection(judged: JudgedTurn, cause: Cause, hit: ProbeHit) -> str:
    del cause
    searched = listed((search.collection for search in judged.turn.retrievals), place(None))
    where = f"in {place(hit.collection)}, {named(hit)},"
    return f"Routing searched {searched}; the chunk that answers is {where} and was never searched"


def _wrong_agent(judged: JudgedTurn, cause: Cause, hit: ProbeHit) -> str:
    del cause
    agent = short(judged.turn.agent or "an agent")
    others = listed(hit.reachable_by, "another agent")
    return (
        f"Routing gave the question to {agent}, which cannot reach {place(hit.collection)}; "
        f"{others} can, and {named(hit)} there answers it"
    )


def _missing_resource(judged: JudgedTurn, cause: Cause, hit: ProbeHit) -> str:
    del judged
    where = place(hit.collection)
    return f"Routing never searched {where}, where {named(hit)} answers {_asked(cause)}"


def _drifted(judged: JudgedTurn, cause: Cause, hit: ProbeHit) -> str:
    lost = cause.fault.explanation if cause.fault else ""
    query = _refined(judged)
    searched = f" searched {query}" if query else ""
    return f"Routing{searched}: {lost}; {named(hit)} would have answered"


def _ignored(judged: JudgedTurn, cause: Cause, hit: ProbeHit) -> str:
    del cause
    return (
        f"Routing refined the query to {_refined(judged)} and did not search that; "
        f"{named(hit)} would have answered"
    )


def _refined(judged: JudgedTurn) -> str:
    refined = judged.turn.routing.refined_query if judged.turn.routing else None
    return quoted(refined.name) if refined else ""


def _missed(judged: JudgedTurn, cause: Cause, hit: ProbeHit) -> str:
    del judged, cause
    where = place(hit.collection)
    return f"Retrieval searched {where} and did not return {named(hit)}, which answers"


def _nothing(judged: JudgedTurn, cause: Cause, hit: ProbeHit) -> str:
    del judged, cause
    where = place(hit.collection)
    return f"Retrieval searched {where} and got nothing, although {named(hit)} there answers"


def _partial(judged: JudgedTurn, cause: Cause, hit: ProbeHit) -> str:
    del judged
    return (
        f"Retrieval brought part of the evidence from {place(hit.collection)}, but not "
        f"{named(hit)}, which answers {_asked(cause)}"
    )


_WITH_CHUNK: dict[str, Callable[[JudgedTurn, Cause, ProbeHit], str]] = {
    "wrong_collection": _wrong_collection,
    "wrong_agent": _wrong_agent,
    "missing_resource": _missing_resource,
    "refined_query_drifted": _drifted,
    "refined_query_ignored": _ignored,
    "missed_chunk": _missed,
    "nothing_retrieved": _nothing,
    "partial_evidence": _partial,
}
