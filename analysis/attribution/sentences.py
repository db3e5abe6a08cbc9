"""One sentence in plain words for every failed turn: stage, kind and evidence."""

from analysis.attribution.kinds import Cause
from analysis.judged import JudgedTurn

QUOTE_LENGTH = 90
"""Longest piece of trace text in a sentence, in characters."""


def sentence_of(judged: JudgedTurn, causes: tuple[Cause, ...], root: Cause | None) -> str:
    """Return the sentence that says what broke the turn.

    Args:
        judged: The turn.
        causes: All causes of the turn.
        root: The cause that is the root; None when none could be determined.
    """
    if root is None:
        return _undetermined(judged, causes)
    build = _SENTENCES.get(root.fault.kind if root.fault else "", _plain)
    sentence = build(judged, root)
    if root.inherited_from is not None:
        sentence = f"Repeats a failing claim of turn {root.inherited_from}. {sentence}"
    return sentence


def _undetermined(judged: JudgedTurn, causes: tuple[Cause, ...]) -> str:
    cause = next(cause for cause in causes if cause.fault is None)
    what = {
        "false": "contradicts the evidence",
        "misfounded": "rests on a source about something else",
        "unfounded": "is not supported by the evidence",
        "missing": "was not answered",
    }.get(cause.symptom.kind, "failed")
    missing = cause.missing or ""
    why = {
        "corpus_not_probed": "the corpus was not probed for what would answer it",
        "verdict_missing:probe": "the judge left the probe for its evidence undecided",
        "verdict_missing:answer": "the judge left open whether its evidence stood in the prompt",
        "verdict_missing:routing": "the judge left the tool calls of the turn undecided",
        "evidence_seen_only_later": f"{_later(cause)} was first seen after this turn",
        "not_in_observed_corpus": "no chunk of this run answers it",
    }.get(missing, missing)
    stages = " or ".join(cause.possible)
    return f"{_subject(judged, cause)} {what}; {why}, so the stage stays open ({stages})."


def _later(cause: Cause) -> str:
    return next((item for item in cause.symptom.evidence if item.startswith("chunk ")), "a chunk")


def _subject(judged: JudgedTurn, cause: Cause) -> str:
    answer = judged.answer.decided if judged.answer else None
    if answer is not None and cause.symptom.element is not None:
        return f"“{_cut(answer.elements[cause.symptom.element].text)}”"
    if cause.symptom.paragraphs:
        return "Paragraph " + ", ".join(str(number) for number in cause.symptom.paragraphs)
    return "The answer"


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= QUOTE_LENGTH else line[: QUOTE_LENGTH - 1].rstrip() + "…"


def _chunk(cause: Cause) -> str:
    if cause.found is None:
        return "the chunk that answers"
    title = next(
        (
            value
            for key in ("title", "heading", "section", "name")
            if isinstance(value := cause.found.chunk.metadata.get(key), str) and value
        ),
        None,
    )
    name = cause.found.chunk.chunk_id
    return f"{_cut(title)} ({name})" if title else name


def _searched(judged: JudgedTurn) -> str:
    names = dict.fromkeys(s.collection for s in judged.turn.retrievals if s.collection)
    return ", ".join(names)


def _wrong_collection(judged: JudgedTurn, root: Cause) -> str:
    where = root.found.collection if root.found else None
    searched = _searched(judged)
    if root.found is None:
        return _plain(judged, root)
    did = f"Routing searched {searched}" if searched else "Routing searched nothing"
    place = f"{where}: {_chunk(root)}," if where else f"{_chunk(root)},"
    return f"{did}; the chunk that answers is in {place} and was never searched."


def _wrong_agent(judged: JudgedTurn, root: Cause) -> str:
    if root.found is None:
        return _plain(judged, root)
    agents = ", ".join(root.found.reachable_by)
    return (
        f"Routing gave the question to {judged.turn.agent or 'an agent'}, which cannot reach "
        f"{root.found.collection}; {agents} can, and {_chunk(root)} there answers it."
    )


def _missing_resource(judged: JudgedTurn, root: Cause) -> str:
    if root.found is None:
        return _plain(judged, root)
    return (
        f"Routing never searched {root.found.collection}, where {_chunk(root)} answers "
        f"{_subject(judged, root)}."
    )


def _drifted(judged: JudgedTurn, root: Cause) -> str:
    refined = judged.turn.routing.refined_query if judged.turn.routing else None
    query = f" “{_cut(refined.name)}”" if refined else ""
    return f"Routing searched{query}: {_explanation(root)}; {_chunk(root)} would have answered."


def _low(judged: JudgedTurn, root: Cause) -> str:
    del judged
    return f"Retrieval found what answers and lost it: {_explanation(root)}."


def _missed(judged: JudgedTurn, root: Cause) -> str:
    where = root.found.collection if root.found else _searched(judged)
    return f"Retrieval searched {where} and did not return {_chunk(root)}, which answers."


def _nothing(judged: JudgedTurn, root: Cause) -> str:
    where = root.found.collection if root.found else _searched(judged)
    return f"Retrieval searched {where} and got nothing, although {_chunk(root)} there answers."


def _partial(judged: JudgedTurn, root: Cause) -> str:
    where = root.found.collection if root.found else _searched(judged)
    return (
        f"Retrieval brought part of the evidence from {where}, but not {_chunk(root)}, which "
        f"answers {_subject(judged, root)}."
    )


def _plain(judged: JudgedTurn, root: Cause) -> str:
    """Return stage, explanation and kind for kinds whose explanation says it all."""
    del judged
    stage = root.fault.stage if root.fault else "generation"
    return f"{stage.capitalize()}: {_explanation(root)}."


def _generation(judged: JudgedTurn, root: Cause) -> str:
    explanation = _explanation(root)
    quote = _claimed(judged, root)
    return f"Generation: {explanation}{quote}."


def _claimed(judged: JudgedTurn, root: Cause) -> str:
    generation = judged.turn.generation
    numbers = set(root.symptom.paragraphs)
    texts = [
        item.text
        for item in (generation.paragraphs if generation else ())
        if item.paragraph in numbers
    ]
    if root.symptom.kind == "missing":
        return f": {_subject(judged, root)}"
    return f": “{_cut(texts[0])}”" if texts else ""


def _explanation(root: Cause) -> str:
    return root.fault.explanation if root.fault else ""


_GENERATION_KINDS = (
    "absence_misreported",
    "contradicts_source",
    "off_topic",
    "missing_abstention",
    "unsupported_claim",
    "over_abstention",
    "incomplete",
    "ignored_evidence",
    "invalid_citation",
    "wrong_citation",
    "missing_citation",
    "incoherent",
    "wrong_language",
)

_SENTENCES = {
    "wrong_collection": _wrong_collection,
    "wrong_agent": _wrong_agent,
    "missing_resource": _missing_resource,
    "refined_query_drifted": _drifted,
    "refined_query_ignored": _drifted,
    "ranked_too_low": _low,
    "missed_chunk": _missed,
    "nothing_retrieved": _nothing,
    "partial_evidence": _partial,
    **dict.fromkeys(_GENERATION_KINDS, _generation),
}
