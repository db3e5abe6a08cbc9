"""What the words of a report mean, one sentence each, for people who did not read the rules."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from analysis.metrics.reasons import REASONS
from judge.screening import Flag

KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "wrong_arguments": "The right tool was called with a value that differs from what the "
        "conversation fixes, or without it.",
        "wrong_tool": "Another tool of that agent's catalogue would have fitted.",
        "wrong_agent": "The agent that handled the turn could not serve it; another one could.",
        "wrong_collection": "The evidence is in a collection that was not searched.",
        "missing_resource": "What was called was right, but one more call was needed.",
        "refined_query_drifted": "The reformulated query lost a constraint of the question.",
        "refined_query_ignored": "A reformulated query was recorded and something else searched.",
        "tool_unavailable": "A tool or a search ended in an error or a time-out.",
        "ranked_too_low": "The chunk that answers was retrieved and did not enter the prompt.",
        "nothing_retrieved": "The search returned nothing although the collection has the answer.",
        "partial_evidence": "A chunk that answers was missed; another relevant one was found.",
        "missed_chunk": "The collection has the chunk that answers; the search did not return it.",
        "tool_empty": "The call came back empty although the run shows that the record exists.",
        "irrelevant_chunks": "No chunk was relevant: an observation, never a root.",
        "absence_misreported": "The answer says that there is none, but the source had failed.",
        "contradicts_source": "The answer says something else than what stood before the model, "
        "or reports success although the call had failed.",
        "off_topic": "The answer addresses no element of the question.",
        "missing_abstention": "Nothing relevant stood before the model, and it answered.",
        "unsupported_claim": "A claim that nothing before the model supports.",
        "over_abstention": "The answer was refused although its evidence stood before the model.",
        "incomplete": "Part of the question was left out although its evidence was there.",
        "ignored_evidence": "The answer uses something else than the evidence it had.",
        "invalid_citation": "A citation that leads to no source.",
        "wrong_citation": "The cited source does not say it; another one does.",
        "missing_citation": "A source says it, and the answer does not cite it.",
        "incoherent": "The answer cannot be followed.",
        "wrong_language": "The answer is in another language than the question.",
    }
)

OUTCOME_REASONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "incomplete": "The span that carries the answer is missing from the trace.",
        "not_captured": "The trace holds no text of the question or of the answer.",
        "template_answer": "A canned reply, not the model's words; an option includes it.",
        "routing_not_judged": "Whether the routing was right could not be told.",
        "no_source_known": "Nothing was searched, and the run knows of no source of the agent.",
        "corpus_not_probed": "Nobody looked whether the corpus holds an answer.",
        "not_in_observed_corpus": "No chunk seen in this run answers it. Perhaps the corpus does "
        "not.",
        "evidence_seen_only_later": "The chunk that answers was first seen after the turn; it "
        "decides nothing.",
        "unknown": "The run does not tell.",
    }
)
_MISSING: Final = "verdict_missing:"
_QUESTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "routing": "whether agent, collections and calls were right",
        "relevance": "whether a chunk is relevant",
        "support": "whether a source supports what the answer says",
        "statements": "whether the evidence supports the answer's statements",
        "answer": "what the answer covers",
        "probe": "whether a chunk that was not in the prompt would have answered",
    }
)

STAGES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "routing": "Who handled the turn, and what was searched or called with which values.",
        "retrieval": "What came back from searches and tools, and what of it entered the prompt.",
        "generation": "What the model made of the evidence that stood before it.",
        "undetermined": "The turn failed, but a verdict that would tell the stage is missing.",
    }
)

FLAGS: Final[Mapping[Flag, str]] = MappingProxyType(
    {
        "orders": "A text tells its reader to ignore instructions, or to take up another task.",
        "forged_roles": "A text plays messages of a system or of a model.",
        "planted_verdict": "A text holds a reply as a judge would give it.",
        "forged_marker": "A text imitates the marks that enclose it in the judge's prompt.",
        "to_the_judge": "A text speaks to whoever grades it.",
        "hidden": "Characters that no reader sees were taken out before the judge got the text.",
        "canary": "With the same text, the judge believed a statement that is known to be false.",
    }
)


def of_kind(stage: str, kind: str) -> str:
    """Return what a root kind means; for `undetermined`, what the missing thing is."""
    return of_reason(kind) if stage == "undetermined" else KINDS.get(kind, "")


def of_reason(reason: str) -> str:
    """Return why a turn was not judged, or why its stage is undetermined; empty if unknown."""
    if reason.startswith(_MISSING):
        question = _QUESTIONS.get(reason.removeprefix(_MISSING))
        return f"The judge left open {question}." if question else "A verdict is missing."
    if reason in OUTCOME_REASONS:
        return OUTCOME_REASONS[reason]
    known = REASONS.get(reason)
    return as_sentence(known) if known else ""


def as_sentence(clause: str) -> str:
    """Return a clause with a capital and a stop."""
    return f"{clause[0].upper()}{clause[1:]}."


def open_questions() -> Mapping[str, str]:
    """Return what each reason means that names a question which the judge left open."""
    return {f"{_MISSING}{one}": of_reason(f"{_MISSING}{one}") for one in _QUESTIONS}


def reasons() -> Mapping[str, str]:
    """Return what every reason word means: of outcomes, and of metrics without a value."""
    words = {*OUTCOME_REASONS, *REASONS, *open_questions()}
    return {word: of_reason(word) for word in sorted(words)}
