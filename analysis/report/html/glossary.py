"""The words of reports, one sentence each: `docs/glossary.md` and the page say the same ones.

Fault kinds and reasons have theirs in `meanings`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from analysis.attribution.kinds import KINDS as KINDS_OF
from analysis.metrics.meanings import MEANINGS as METRICS
from analysis.metrics.reasons import REASONS
from analysis.report.html.meanings import (
    KINDS,
    OUTCOME_REASONS,
    STAGES,
    as_sentence,
    open_questions,
)

OUTCOMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "failed": "The turn let the user down: it has a symptom.",
        "passed": "No symptom, and every verdict that could have shown one is there.",
        "not judged": "No symptom was seen, but a verdict that could have shown one is missing; "
        "the reason stands beside it. Neither passed nor failed, in no rate.",
    }
)
SYMPTOMS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "false": "The evidence says otherwise; or the answer claims that there is none, or that "
        "something was done, although the source had failed.",
        "misfounded": "Its only support is about something else, or is the result of a call that "
        "was wrong or wrongly empty.",
        "unfounded": "It needs a source, and nothing in the evidence supports it. Not supported is "
        "not the same as wrong.",
        "missing": "Something that was asked was not answered. Saying so is no symptom where "
        "nothing could have answered it.",
        "citation": "A citation leads to no source or to one that does not say it, or is missing "
        "where citing is expected.",
        "form": "The answer is off topic, cannot be followed, or is in the wrong language.",
    }
)
PARTS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "root": "The earliest stage that caused a symptom of the turn: look there first.",
        "contributing": "A fault of its own beside the root: an honest answer would not show it, "
        "or it caused another symptom.",
        "downstream": "A fault dragged along by one further up: an honest answer would show it "
        "as well.",
        "latent": "A fault that caused no symptom: reported, never counted as a failure.",
        "inherited": "The failing claim repeats one of an earlier turn and takes its stage and "
        "kind.",
        "undetermined": "The turn failed, but a verdict that would tell the stage is missing. "
        "There is no default stage.",
    }
)
SUPPORT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "full": "The evidence says all of it.",
        "partial": "The evidence says part of it: counted, not failed.",
        "none": "The evidence does not say it.",
        "contradicted": "The evidence says otherwise; this outweighs any support.",
    }
)
LOOKED_AT: Final[Mapping[str, str]] = MappingProxyType(
    {
        "turn": "One message of the user and all that the agent did to answer it.",
        "element": "One thing that the question asks for; E1, E2, … in reports.",
        "paragraph": "One block of the answer; P1, P2, … in reports.",
        "statement": "One claim of an answer that cites nothing, held against the evidence.",
        "evidence": "What stood before the model: chunks in the prompt and results of tools.",
        "grade": "How relevant a chunk is to the question: 0 unrelated, 1 related but no use, 2 "
        "answers in part, 3 answers. Relevant is 2 or more.",
        "off target": "A chunk about another object than the question.",
        "probe": "A search among the chunks of the run for what would have answered.",
        "judge": "Who answers the questions about each turn: a model, or rules and small models.",
    }
)
GLOSSARY: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "Outcomes of a turn": OUTCOMES,
        "Symptoms: what let the user down": SYMPTOMS,
        "Parts that stages play": PARTS,
        "Stages": MappingProxyType(
            {name: text for name, text in STAGES.items() if name != "undetermined"}
        ),
        "Support of what the answer says": SUPPORT,
        "What is looked at": LOOKED_AT,
    }
)
"""By heading, in the order in which they are read; no word stands under two headings."""


def words() -> Mapping[str, str]:
    """Return every word with its sentence."""
    return {word: text for group in GLOSSARY.values() for word, text in group.items()}


def more_words() -> Mapping[str, Mapping[str, str]]:
    """Return kinds, metrics and reasons with their sentences, by heading."""
    kinds = {
        f"Kinds of {stage} faults": {one: KINDS[one] for one in KINDS_OF[stage]}
        for stage in KINDS_OF
    }
    reasons = {**OUTCOME_REASONS, **open_questions()}
    without = {word: as_sentence(text) for word, text in REASONS.items()}
    return {
        **kinds,
        "Metrics": METRICS,
        "Reasons beside an outcome": reasons,
        "Why a metric has no value": without,
    }
