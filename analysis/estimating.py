"""What a run would ask, what that would cost, and what would leave the machine.

Found out by asking nothing. Questions of the first round are known; those of the later
rounds depend on verdicts, and are known only as far as these are stored already.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from judge.asker import Asker
from judge.asking_once import NotAnsweredYet
from judge.keeping import PricedJudge
from judge.ledger import Ledger
from judge.question import AnyVerdict, Judge, Question, QuestionKind
from judge.rendering import items

_WINDOW: Final = 1_024


@dataclass(slots=True, kw_only=True)
class Estimate:
    """Grows while conversations are looked at."""

    judge: str = ""
    asked: Counter[QuestionKind] = field(default_factory=Counter)
    """Distinct questions that are not in the store."""
    stored: Counter[QuestionKind] = field(default_factory=Counter)
    """Questions that share a stored reply, or one that this run would ask for."""
    later_at_most: int = 0
    """Further questions of later rounds, where verdicts of the first are not there yet."""
    input_tokens: int = 0
    output_tokens: int = 0
    direct_usd: float | None = 0.0
    """None: the price of the model is not known. 0 of a judge that costs nothing."""
    batch_usd: float | None = 0.0
    prices: str = ""
    """Name and date of the price table; empty where the judge costs nothing."""

    @property
    def total(self) -> int:
        """All questions that are known."""
        return self.asked.total() + self.stored.total()


class Estimator:
    """Takes questions in place of a judge. For one run."""

    def __init__(self, judge: Judge, ledger: Ledger, *, probes: int, show: int = 0) -> None:
        """Say who would be asked.

        Args:
            judge: Never asked.
            ledger: Only read.
            probes: Candidates per element that a run would ask about.
            show: Requests to keep for a look at what would be sent.
        """
        self._priced = judge if isinstance(judge, PricedJudge) else None
        self._asker = Asker(judge, ledger)
        self._probes = probes
        self._show = show
        self._seen: set[str] = set()
        self.shown: list[str] = []
        """The first requests that would be sent, whole."""
        self.estimate = Estimate(
            judge=str(judge.identity), prices=self._priced.prices if self._priced else ""
        )

    def ask(self, questions: Iterable[Question]) -> Iterator[AnyVerdict]:
        """Yield a stored verdict for each question, in order, while all are stored.

        Raises:
            NotAnsweredYet: One was not; all were counted.
        """
        keyed = self._asker.keyed(questions)
        lacking = False
        while window := list(islice(keyed, _WINDOW)):
            known = self._asker.look_up(window)
            for key, question in window:
                stored = key in known or key in self._seen
                (self.estimate.stored if stored else self.estimate.asked)[question.kind] += 1
                if not stored:
                    self._seen.add(key)
                    self._add(question)
            lacking = lacking or len(known) < len({key for key, _ in window})
            if lacking:
                self._add_later(question for _, question in window)
                continue
            for key, question in window:
                reply, answer = known[key]
                yield self._asker.verdict(question, key, reply, answer, from_store=True)
        if lacking:
            raise NotAnsweredYet

    def _add(self, question: Question) -> None:
        """Add what asking a question would come to."""
        if self._priced is None:
            return
        if len(self.shown) < self._show:
            self.shown.append(self._priced.shown(question))
        likely, estimate = self._priced.likely(question), self.estimate
        estimate.input_tokens += likely.input_tokens
        estimate.output_tokens += likely.output_tokens
        estimate.direct_usd = _sum(estimate.direct_usd, likely.direct_usd)
        estimate.batch_usd = _sum(estimate.batch_usd, likely.batch_usd)

    def _add_later(self, questions: Iterable[Question]) -> None:
        """Add what the answers of a turn can raise: its rest, and probes of one element."""
        for question in questions:
            if question.kind == "answer":
                paragraphs = len(items(question.content["paragraphs"]))
                self.estimate.later_at_most += 2 * paragraphs + self._probes


def _sum(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one + other
