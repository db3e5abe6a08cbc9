"""One label of one person, and which labels there are."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

CHOICES: Final[Mapping[str, Sequence[str]]] = {
    "relevance": ("0", "1", "2", "3"),
    "probe": ("0", "1", "2", "3"),
    "support": ("contradicted", "none", "partial", "full"),
    "answer": ("answered", "partly", "abstained", "clarifying", "policy_refusal"),
    "routing": ("ok", "not_ok"),
    "outcome": ("passed", "routing", "retrieval", "generation", "undetermined"),
}
"""Labels by question; those of an outcome are `passed` or the stage that failed first."""
ORDERED: Final = frozenset({"relevance", "probe", "support"})
"""Questions whose labels have an order, worst first."""
WHOLE_TURN: Final = "turn"
"""Subject of what is said of a turn as a whole."""


class Label(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a person says is right."""

    question: str
    turn_id: str
    subject: str = WHOLE_TURN
    """As `verdicts.parquet` writes it."""
    label: str
    annotator: str = ""
    run_id: str | None = None
    key: str | None = None
    """Of the reply that was judged; null for an outcome."""
    explanation: str | None = None
    probability: float | None = None
    """With which the row was drawn, in (0, 1]; null for a correction, which was chosen."""

    @property
    def item(self) -> tuple[str, str, str]:
        """What the label is about."""
        return self.question, self.turn_id, self.subject
