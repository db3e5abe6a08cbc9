"""Which turns of the input belong to a run: filters on turns, samples of conversations."""

import math
import re
from collections.abc import Collection
from dataclasses import dataclass
from hashlib import blake2b

from analysis.breakdown.selection import Selection
from ingest.errors import UsageError
from stages.records import Turn

_SHARE = re.compile(r"(\d{1,3}(?:\.\d{1,6})?)%")


def is_selected(turn: Turn, selected: Selection) -> bool:
    """Tell whether a turn passes the filters, before anything is known about its outcome."""
    return not selected or all(
        selected[name].admits(of_turn) for name, of_turn in filtered_values(turn).items()
    )


def filtered_values(turn: Turn) -> dict[str, Collection[str | None]]:
    """Return what a turn carries of each field that can be filtered."""
    routing = turn.routing
    collections = {search.collection for search in turn.retrievals}
    if routing is not None:
        collections |= {choice.name for choice in routing.collections}
    return {
        "agent": [choice.name for choice in routing.agents] if routing else [turn.agent],
        "collection": collections,
        "tool": {call.name for call in turn.tool_calls},
        "model": [turn.model],
        "language": [turn.language],
        "service": [turn.service],
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How many conversations to look at; whole ones, because turns hang together."""

    limit: int | None = None
    """At most so many conversations, the first in the run's fixed order."""
    count: int | None = None
    """So many conversations, drawn at random."""
    share: float | None = None
    """This share of the conversations, in (0, 1], drawn at random."""
    seed: int = 0

    @property
    def typed(self) -> str | None:
        """The sample as it would be typed: `500`, `5%`; None without one."""
        if self.share is not None:
            return f"{100 * self.share:.10g}%"
        return None if self.count is None else str(self.count)

    def drawn(self, conversation_ids: Collection[str]) -> frozenset[str] | None:
        """Return the conversations that are drawn, None for all.

        The draw depends on the ids and the seed only: the same conversations are drawn
        whatever else is in the input stays.
        """
        if self.count is None and self.share is None:
            return None
        wanted = self.count
        if wanted is None:
            wanted = math.ceil((self.share or 0) * len(conversation_ids))
        ranked = sorted(conversation_ids, key=self._ticket)
        return frozenset(ranked[:wanted])

    def _ticket(self, conversation_id: str) -> tuple[bytes, str]:
        text = f"{self.seed}\0{conversation_id}".encode("utf-8", "surrogatepass")
        return blake2b(text, digest_size=16).digest(), conversation_id


def sampling(text: str | None, *, limit: int | None, seed: int) -> Sampling:
    """Return the sample that `--sample` means.

    Args:
        text: A number of conversations, or a share such as `5%`; None draws nothing.
        limit: The value of `--limit`.
        seed: The value of `--seed`.

    Raises:
        UsageError: *text* is neither.
    """
    if text is None:
        return Sampling(limit=limit, seed=seed)
    if (share := _SHARE.fullmatch(text)) and 0 < float(share[1]) <= 100:  # noqa: PLR2004
        return Sampling(limit=limit, share=float(share[1]) / 100, seed=seed)
    if text.isascii() and text.isdigit() and 0 < int(text) < 10**12:
        return Sampling(limit=limit, count=int(text), seed=seed)
    raise UsageError("--sample", f"{text!r} is no sample", "Use a number such as 500, or 5%.")
