"""The vocabulary of attribution: symptoms, fault kinds, findings, and their order.

A *symptom* is what let the user down. A *fault* is what a stage did wrong. Attribution
gives each symptom one cause; a fault that causes no symptom is latent, never a failure.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from analysis.judged import ProbeHit
from stages.records import Stage

SymptomKind: TypeAlias = Literal["false", "misfounded", "unfounded", "missing", "citation", "form"]
Outcome: TypeAlias = Literal["passed", "failed", "not_judged"]
RootStage: TypeAlias = Literal["routing", "retrieval", "generation", "undetermined"]
Role: TypeAlias = Literal["root", "contributing", "downstream", "latent"]

STAGES: tuple[Stage, ...] = ("routing", "retrieval", "generation")
"""From upstream to downstream: the root of a turn is the earliest."""

ELEMENT_SYMPTOMS: tuple[SymptomKind, ...] = ("false", "misfounded", "unfounded", "missing")
"""Strongest first; an element of the question carries at most one of them."""

KINDS: dict[Stage, tuple[str, ...]] = {
    "routing": (
        "wrong_arguments",
        "wrong_tool",
        "wrong_agent",
        "wrong_collection",
        "missing_resource",
        "refined_query_drifted",
        "refined_query_ignored",
    ),
    "retrieval": (
        "tool_unavailable",
        "ranked_too_low",
        "nothing_retrieved",
        "partial_evidence",
        "missed_chunk",
        "tool_empty",
        "irrelevant_chunks",
    ),
    "generation": (
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
    ),
}
"""Every fault kind; within a stage the order is the precedence for the turn's root kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One thing that one stage did wrong, whether or not it did harm."""

    stage: Stage
    kind: str
    explanation: str
    """One sentence in plain words."""
    evidence: tuple[str, ...] = ()
    """What shows it: `verdict <key>`, `chunk <id>`, `call <id>`, `span <id>`, `P<n>`, `E<n>`."""

    @property
    def precedence(self) -> tuple[int, int]:
        """Sort key: upstream first, then the order of kinds within the stage."""
        return STAGES.index(self.stage), KINDS[self.stage].index(self.kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Symptom:
    """One way in which the turn let the user down."""

    kind: SymptomKind
    element: int | None = None
    """Index of the question's element, from 0; None for a claim that answers none."""
    asked: str = ""
    """The element in words."""
    paragraphs: tuple[int, ...] = ()
    detail: str = ""
    """The generation fault that the symptom is, or would be, on its own."""
    wrong_calls: tuple[str, ...] = ()
    """misfounded: call ids of the wrong results that the claim rests on."""
    off_target: tuple[str, ...] = ()
    """misfounded: chunk ids about another object that the claim rests on."""
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """Which stage caused one symptom, or why that cannot be told."""

    symptom: Symptom
    fault: Fault | None
    """None: undetermined."""
    possible: tuple[Stage, ...] = ()
    """Stages that could have caused it, when undetermined."""
    missing: str | None = None
    """What would decide: `corpus_not_probed`, `verdict_missing:probe`, …"""
    inherited_from: str | None = None
    """Turn whose failing claim this one repeats."""
    found: ProbeHit | None = None
    """The chunk that should have stood before the model."""
    beside: tuple[tuple[Fault, Role], ...] = ()
    """Further faults on the same symptom and the part they play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One fault of one turn and the part it played."""

    turn_id: str
    fault: Fault
    role: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribution:
    """What became of one turn, and which stage is to be looked at first."""

    turn_id: str
    outcome: Outcome
    outcome_reason: str | None = None
    """not_judged: what is missing. passed: what could not be looked at. undetermined: possible
    stages and what would decide between them."""
    root_stage: RootStage | None = None
    """None unless failed."""
    root_kind: str | None = None
    """None unless a stage is the root."""
    inherited_from: str | None = None
    sentence: str = ""
    """One sentence in plain words; empty for a turn that passed."""
    findings: tuple[Finding, ...] = ()
    causes: tuple[Cause, ...] = ()
    """One per symptom, in the order in which symptoms are listed."""
