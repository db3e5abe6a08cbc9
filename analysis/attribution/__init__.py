"""Which stage broke a turn, and why: rules over stored verdicts.

    JudgedTurn ──symptoms──▶ Symptom ──causes──▶ Cause ──verdict──▶ Attribution
                             what let            which stage        outcome, root,
                             the user down       caused it          findings, one sentence

Deterministic and free of opinion: no model is asked who is to blame, a rule fires only on
verdicts that exist, and where a deciding verdict is missing the stage is `undetermined`,
never a default. The rules in reading order, each with an example: docs/attribution.md.
"""

from analysis.attribution.conversation import attribute
from analysis.attribution.kinds import (
    KINDS,
    STAGES,
    Attribution,
    Cause,
    Fault,
    Finding,
    Outcome,
    Role,
    RootStage,
    Symptom,
)

__all__ = [
    "KINDS",
    "STAGES",
    "Attribution",
    "Cause",
    "Fault",
    "Finding",
    "Outcome",
    "Role",
    "RootStage",
    "Symptom",
    "attribute",
]
