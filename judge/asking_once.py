"""Asks every question once: first the ledger, then the judge, and stores before use.

    questions ──keys──▶ ledger ──missing, distinct──▶ judge ──▶ ledger ──▶ verdicts

A reply is stored raw before it is read. A stored reply that cannot be read (broken JSON, a
quote that is not there) counts as missing: a better reader would use it without a call,
until then the question is asked again. Technical failures are recorded, never reused.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Final, TypeAlias

from judge.answers import TECHNICAL, Answer, Unjudged, UnjudgedReason
from judge.asker import Asker, Read, is_failure, read
from judge.keeping import AskingAhead
from judge.ledger import Ledger
from judge.question import AnyVerdict, Judge, Question, QuestionKind, Reply

WINDOW: Final = 2_048
"""Questions that are looked up at once."""


@dataclass(slots=True, kw_only=True)
class Counts:
    """What asking came to. Grows while verdicts are taken."""

    asked: int = 0
    """Questions that the judge was given, failures included."""
    from_store: int = 0
    """Questions that share a reply with an earlier one, of this run or another."""
    by_kind: Counter[QuestionKind] = field(default_factory=Counter)
    """All questions."""
    unjudged: Counter[UnjudgedReason] = field(default_factory=Counter)
    """Questions whose verdict is unjudged, by reason."""
    input_tokens: int = 0
    """Of the questions that were asked; a stored reply costs nothing again."""
    output_tokens: int = 0
    cost_usd: float = 0.0
    """Of the replies whose price is known."""
    unpriced: int = 0
    """Replies whose price is not known."""
    failed: dict[str, Read] = field(default_factory=dict, repr=False)
    """Questions of this run that failed technically, by key, without texts. They are asked
    again by another run, not by the next turn that raises them."""

    @property
    def total(self) -> int:
        """All questions."""
        return self.asked + self.from_store

    @property
    def technical(self) -> int:
        """Questions that failed technically."""
        return sum(count for reason, count in self.unjudged.items() if reason in TECHNICAL)


Progress: TypeAlias = Callable[[Counts], None]
"""Told the counts after every window of questions."""


def ask(
    questions: Iterable[Question],
    judge: Judge,
    ledger: Ledger,
    *,
    counts: Counts | None = None,
    progress: Progress | None = None,
) -> Iterator[AnyVerdict]:
    """Yield a verdict for each question, in order, asking the judge what is missing.

    Args:
        questions: Taken in windows of 2,048.
        judge: Asked each distinct question at most once.
        ledger: Holds the replies; each is committed before its verdict is yielded.
        counts: Of the run; added to. What failed before by these counts is not asked again.
        progress: Told after each window.

    Raises:
        JudgeError: The judge cannot be used. Replies that came before are stored.
        StoreError: The ledger cannot be read or written.
    """
    counts = Counts() if counts is None else counts
    asker = Asker(judge, ledger)
    keyed = asker.keyed(questions)
    while window := list(islice(keyed, WINDOW)):
        known = {**counts.failed, **asker.look_up(window)}
        missing = {key: question for key, question in window if key not in known}
        new: dict[str, Read] = {}
        fresh: dict[str, tuple[Reply, ...]] = {}
        for done in asker.ask(missing):
            new[done.key] = (done.replies[-1], read(missing[done.key], done.replies[-1]))
            if done.paid:
                fresh[done.key] = done.replies
        for key, question in window:
            paid = (*asker.paid_ahead(key), *fresh.pop(key, ()))
            reply, answer = new[key] if key in new else known[key]
            _count(counts, question.kind, paid, answer)
            yield asker.verdict(question, key, reply, answer, from_store=not paid)
        counts.failed |= {
            key: (replace(reply, text=""), answer)
            for key, (reply, answer) in new.items()
            if is_failure(answer)
        }
        if progress is not None:
            progress(counts)


def count_missing(questions: Iterable[Question], judge: Judge, ledger: Ledger) -> Counts:
    """Return how many questions `ask` would ask and how many it would find, by asking none.

    Tokens and cost stay 0: they are known only afterwards.
    """
    counts = Counts()
    asker = Asker(judge, ledger)
    keyed = asker.keyed(questions)
    seen: set[str] = set()
    while window := list(islice(keyed, WINDOW)):
        seen |= asker.look_up(window).keys()
        for key, question in window:
            counts.by_kind[question.kind] += 1
            counts.from_store += key in seen
            counts.asked += key not in seen
            seen.add(key)
    return counts


class NotAnsweredYet(Exception):  # noqa: N818 - a state, not a fault
    """A question was sent, or left for later; what follows from its answer has to wait."""


class Ahead:
    """Has questions sent before anybody waits for an answer, for as large batches as can be."""

    def __init__(self, judge: AskingAhead, ledger: Ledger) -> None:
        self._judge = judge
        self._ledger = ledger
        self._asker = Asker(judge, ledger)
        self._sent: set[str] = set()
        self._new = 0

    def ask(self, questions: Iterable[Question]) -> Iterator[AnyVerdict]:
        """Yield a stored verdict for each question, in order.

        Raises:
            NotAnsweredYet: There is none for some; those that never were are sent now.
        """
        keyed = self._asker.keyed(questions)
        lacking = False
        while window := list(islice(keyed, WINDOW)):
            known = self._asker.look_up(window)
            missing = {key: question for key, question in window if key not in known}
            lacking = lacking or bool(missing)
            new = {key: one for key, one in missing.items() if key not in self._sent}
            if new:
                self._judge.send_ahead(new, self._ledger)
                self._sent |= new.keys()
                self._new += len(new)
            if not lacking:
                for key, question in window:
                    reply, answer = known[key]
                    yield self._asker.verdict(question, key, reply, answer, from_store=True)
        if lacking:
            raise NotAnsweredYet

    def fetch(self) -> bool:
        """Wait for all that was sent; tell whether anything was since the last time."""
        self._judge.fetch_ahead()
        new, self._new = self._new, 0
        return new > 0


def _count(
    counts: Counts,
    kind: QuestionKind,
    paid: tuple[Reply, ...],
    answer: Answer | Unjudged,
) -> None:
    counts.by_kind[kind] += 1
    if isinstance(answer, Unjudged):
        counts.unjudged[answer.reason] += 1
    if not paid:
        counts.from_store += 1
        return
    counts.asked += 1
    for reply in paid:
        counts.input_tokens += reply.input_tokens
        counts.output_tokens += reply.output_tokens
        counts.cost_usd += reply.cost_usd or 0.0
        counts.unpriced += reply.cost_usd is None
