"""What a diagnosis holds, and what it collects on the way."""

from dataclasses import dataclass, field

from analysis.attribution.kinds import Symptom


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    """The symptoms of one turn, and what kept others from being seen."""

    symptoms: tuple[Symptom, ...] = ()
    undecided: tuple[str, ...] = ()
    """Missing verdicts that could have shown a symptom: without any, a turn that has no
    symptom is not judged."""
    notes: tuple[str, ...] = ()
    """What could not be looked at without keeping the turn from passing."""
    kept: frozenset[int] = frozenset()
    """Paragraphs whose claims keep the support of an earlier turn, from 1."""


@dataclass(slots=True, kw_only=True)
class Found:
    """What has been seen of a turn so far; see `Diagnosis`."""

    exempt: bool
    """The reply owes no evidence: it can be false, cite wrongly or be malformed only."""
    symptoms: list[Symptom] = field(default_factory=list)
    undecided: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    kept: set[int] = field(default_factory=set)

    def diagnosis(self) -> Diagnosis:
        """Return what was found, each missing verdict and note once."""
        return Diagnosis(
            symptoms=tuple(self.symptoms),
            undecided=tuple(dict.fromkeys(self.undecided)),
            notes=tuple(dict.fromkeys(self.notes)),
            kept=frozenset(self.kept),
        )
