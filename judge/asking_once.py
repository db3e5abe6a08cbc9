"""Asks every question once: first the ledger, then the judge, and stores before use.

    questions ──keys──▶ ledger ──missing, distinct──▶ judge ──▶ ledger ──▶ verdicts

A reply is stored raw before it is read. A stored reply that cannot be read (broken JSON, a
quote that is not there) counts as missing: a better reader would use it without a call,
until then the question is asked again. Technical failures are recorded, never reused.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, TypeAlias

from judge.answers import TECHNICAL, Answer, Unjudged, UnjudgedReason
from judge.keeping import Answered, KeepingJudge
from judge.keys import asked_as, content_key
from judge.ledger import Ledger
from judge.ledger_schema import DECISIONS, Entry
from judge.question import AnyVerdict, Judge, Question, QuestionKind, Reply, Verdict
from judge.replies import read_reply

WINDOW: Final = 2_048
"""Questions that are looked up at once."""
BATCH: Final = 256
"""Questions that a judge is given at once."""

_COMMIT_AFTER_S = 0.25
_Read: TypeAlias = tuple[Reply, Answer | Unjudged]


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
        counts: Added to, when given.
        progress: Told after each window.

    Raises:
        JudgeError: The judge cannot be used. Replies that came before are stored.
        StoreError: The ledger cannot be read or written.
    """
    counts = Counts() if counts is None else counts
    asker = _Asker(judge, ledger)
    keyed = asker.keyed(questions)
    failed: dict[str, _Read] = {}
    while window := list(islice(keyed, WINDOW)):
        known = {**asker.look_up(window), **failed}
        missing = {key: question for key, question in window if key not in known}
        new: dict[str, _Read] = {}
        fresh: dict[str, tuple[Reply, ...]] = {}
        for done in asker.ask(missing):
            new[done.key] = (done.replies[-1], _read(missing[done.key], done.replies[-1]))
            if done.paid:
                fresh[done.key] = done.replies
        for key, question in window:
            paid = fresh.pop(key, None)
            reply, answer = new[key] if key in new else known[key]
            _count(counts, question.kind, paid, answer)
            yield asker.verdict(question, key, reply, answer, from_store=paid is None)
        failed |= {key: read for key, read in new.items() if _failed(read[1])}
        if progress is not None:
            progress(counts)


def count_missing(questions: Iterable[Question], judge: Judge, ledger: Ledger) -> Counts:
    """Return how many questions `ask` would ask and how many it would find, by asking none.

    Tokens and cost stay 0: they are known only afterwards.
    """
    counts = Counts()
    asker = _Asker(judge, ledger)
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


class _Asker:
    """One judge with its ledger; what makes up its keys is found out once."""

    def __init__(self, judge: Judge, ledger: Ledger) -> None:
        self._judge = judge
        self._ledger = ledger
        self._identity = judge.identity
        self._name = str(self._identity)
        self._versions: dict[QuestionKind, str] = {}
        self._keeping = judge if isinstance(judge, KeepingJudge) else None

    def keyed(self, questions: Iterable[Question]) -> Iterator[tuple[str, Question]]:
        for question in questions:
            version = self._version(question.kind)
            asked = self._keeping.prepared(question) if self._keeping else question
            yield content_key(asked, self._identity, version), asked

    def look_up(self, window: Sequence[tuple[str, Question]]) -> dict[str, _Read]:
        """Return, by key, the first stored reply that can be read."""
        by_key = dict(window)
        found: dict[str, _Read] = {}
        for key, replies in self._ledger.get_many(by_key).items():
            for reply in replies:
                answer = _read(by_key[key], reply)
                if not _failed(answer):
                    found[key] = (reply, answer)
                    break
        return found

    def ask(self, missing: Mapping[str, Question]) -> Iterator[Answered]:
        """Yield what came for each question, after it is stored."""
        if self._keeping is not None:
            if missing:
                yield from self._keeping.answer_kept(missing, self._ledger)
            return
        keys = list(missing)
        for start in range(0, len(keys), BATCH):
            batch = keys[start : start + BATCH]
            questions = [missing[key] for key in batch]
            pending: list[tuple[str, Reply]] = []
            done: list[tuple[str, Reply]] = []
            committed = time.monotonic()
            try:
                for key, reply in zip(batch, self._judge.answer(questions), strict=True):
                    pending.append((key, reply))
                    # A slow judge's replies are stored one by one, a fast one's in groups.
                    if time.monotonic() - committed >= _COMMIT_AFTER_S:
                        done += self._store(pending, missing)
                        committed = time.monotonic()
            finally:
                # Also what came before the judge gave up, or before Ctrl-C.
                done += self._store(pending, missing)
            yield from (Answered(key, (reply,)) for key, reply in done)

    def verdict(
        self,
        question: Question,
        key: str,
        reply: Reply,
        answer: Answer | Unjudged,
        *,
        from_store: bool,
    ) -> AnyVerdict:
        return Verdict(
            question=question,
            key=key,
            answer=answer,
            judge=self._name,
            prompt_version=self._version(question.kind),
            model=reply.model,
            input_tokens=reply.input_tokens,
            output_tokens=reply.output_tokens,
            cost_usd=reply.cost_usd,
            from_store=from_store,
        )

    def _store(
        self, pending: list[tuple[str, Reply]], missing: Mapping[str, Question]
    ) -> list[tuple[str, Reply]]:
        """Commit the pending replies as one group and hand them on."""
        self._ledger.put_many(
            Entry(
                key=key,
                kind=asked_as(missing[key].kind),
                judge=self._identity,
                prompt_version=self._version(missing[key].kind),
                reply=reply,
            )
            for key, reply in pending
            if reply.error is None or reply.error in DECISIONS | TECHNICAL
        )
        stored = pending.copy()
        pending.clear()
        return stored

    def _version(self, kind: QuestionKind) -> str:
        asked = asked_as(kind)
        if asked not in self._versions:
            self._versions[asked] = self._judge.prompt_version(asked)
        return self._versions[asked]


def _read(question: Question, reply: Reply) -> Answer | Unjudged:
    if reply.error is not None:
        return Unjudged(reason=reply.error)
    return read_reply(question, reply.text)


def _failed(answer: Answer | Unjudged) -> bool:
    """Tell whether an answer is none that may be used again."""
    return isinstance(answer, Unjudged) and answer.reason not in DECISIONS


def _count(
    counts: Counts,
    kind: QuestionKind,
    paid: tuple[Reply, ...] | None,
    answer: Answer | Unjudged,
) -> None:
    counts.by_kind[kind] += 1
    if isinstance(answer, Unjudged):
        counts.unjudged[answer.reason] += 1
    if paid is None:
        counts.from_store += 1
        return
    counts.asked += 1
    for reply in paid:
        counts.input_tokens += reply.input_tokens
        counts.output_tokens += reply.output_tokens
        counts.cost_usd += reply.cost_usd or 0.0
        counts.unpriced += reply.cost_usd is None
