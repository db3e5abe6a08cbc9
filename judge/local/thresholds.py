"""The numbers that the local judge was tuned to, read from `thresholds.json`.

They say what they were tuned on, by fingerprint, and enter the judge's identity. Nothing
else in the package holds a tuned number.
"""

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import msgspec


@dataclass(frozen=True, slots=True, kw_only=True)
class Logistic:
    """A logistic model: the chance of yes, from features in a fixed order."""

    intercept: float
    weights: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """Cut-offs of all questions; scores and shares are in [0, 1]."""

    tuned_on: dict[str, str]
    """Data set → SHA-256 of its bytes (the first 16 hex digits)."""
    relevance: Logistic
    """Of one chunk alone; the features of `relevance.features`."""
    standing: Logistic
    """Of one chunk beside the others of the run: its log-odds, and how far they lie above the
    best of the others."""
    related: float
    """Grade 1 from here."""
    relevant: float
    """Grade 2 from here, for any passage of the run."""
    retrieved_relevant: float
    """The same for one that was retrieved for the question: there every fourth is relevant, among
    all passages of a run one in fifty."""
    probed_relevant: float
    """The same for the best few of a run, where nothing that was retrieved would do."""
    answers: float
    """Grade 3 from here."""
    elsewhere: float
    """Score of another passage from which a chunk that is not relevant is about something else."""
    relevance_margin: float
    """Undecided this close to `relevant`."""
    supported: float
    """Share of a sentence that must stand in the evidence."""
    said_alike: float
    """That share and the closeness in meaning, from which a sentence is said in other words."""
    partly_supported: float
    """Both together, from which a part of it is."""
    same_statement: float
    """Share from which two sentences say the same, so that a negation contradicts."""
    same_subject: float
    """Share from which they are about the same, so that another number contradicts."""
    addressed: float
    """Share of an element that a paragraph must take up to address it."""
    off_topic: float
    """Share of the question's words below which an answer may be about something else."""
    tool_fits: float
    """Share of the request that a tool's definition must hold to apply at all."""
    tool_margin: float
    """By how much another tool must fit better for a call to be wrong."""
    collection_margin: float
    """By how much the best chunk elsewhere must score better."""

    def of_retrieved(self) -> "Thresholds":
        """Return the cut-offs for passages that were retrieved for the question."""
        return replace(self, relevant=self.retrieved_relevant)

    def of_probed(self) -> "Thresholds":
        """Return the cut-offs for passages that a probe picked."""
        return replace(self, relevant=self.probed_relevant)


@cache
def thresholds() -> Thresholds:
    """Return the numbers that are shipped."""
    raw = Path(__file__).with_name("thresholds.json").read_bytes()
    return msgspec.json.decode(raw, type=Thresholds)
