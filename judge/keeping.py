"""Judges whose replies cost money and are stored by the judge itself, as they come."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from judge.ledger import Ledger
from judge.question import Judge, Question, Reply


@dataclass(frozen=True, slots=True)
class Answered:
    """A question that a judge is done with."""

    key: str
    replies: tuple[Reply, ...]
    """All that came, in order; the last one is the answer, or why there is none."""
    paid: bool = True
    """False: somebody else paid for it, or nobody did."""


@runtime_checkable
class KeepingJudge(Judge, Protocol):
    """A judge that stores each reply before it hands it on, also those of no use."""

    def prepared(self, question: Question) -> Question:
        """Return the question as the judge is asked it, of which the key is made."""
        ...

    def answer_kept(self, questions: Mapping[str, Question], ledger: Ledger) -> Iterator[Answered]:
        """Yield what came for each key, in any order, once it is in the ledger."""
        ...

    def warnings(self) -> list[str]:
        """Return what a user should be told when the run is over."""
        ...

    def close(self) -> None:
        """Let go of what the judge holds; what is under way is left to the next run."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Likely:
    """What asking one question would come to, about, if nothing were cached."""

    input_tokens: int
    output_tokens: int
    direct_usd: float | None
    """None: the price of the model is not known."""
    batch_usd: float | None


@runtime_checkable
class PricedJudge(KeepingJudge, Protocol):
    """A judge that can say beforehand what it sends and what that costs."""

    @property
    def prices(self) -> str:
        """Name and date of the price table."""
        ...

    def likely(self, question: Question) -> Likely:
        """Return what asking a prepared question would come to."""
        ...

    def shown(self, question: Question) -> str:
        """Return all that would be sent for a prepared question."""
        ...


@runtime_checkable
class AskingAhead(KeepingJudge, Protocol):
    """A judge that is slow to answer and cheap when it is asked much at once."""

    @property
    def asks_ahead(self) -> bool:
        """It wants to be."""
        ...

    def send_ahead(self, questions: Mapping[str, Question], ledger: Ledger) -> None:
        """Send questions without waiting."""
        ...

    def fetch_ahead(self) -> None:
        """Wait for what was sent, and store it."""
        ...

    def paid_ahead(self, key: str) -> Reply | None:
        """Return what a question cost that was sent ahead, once, without its text."""
        ...
