"""One judge with its ledger: keys, look-ups, and asking what is missing."""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from judge.answers import TECHNICAL, Answer, Unjudged
from judge.keeping import Answered, AskingAhead, KeepingJudge
from judge.keys import asked_as, content_key
from judge.ledger import Ledger
from judge.ledger_schema import DECISIONS, Entry
from judge.question import AnyVerdict, Judge, Question, QuestionKind, Reply, Verdict
from judge.replies import read_reply

BATCH: Final = 256
"""Questions that a judge is given at once."""

_COMMIT_AFTER_S = 0.25
Read: TypeAlias = tuple[Reply, Answer | Unjudged]
"""A stored reply, and what it says."""


class Asker:
    """One judge with its ledger; what makes up its keys is found out once."""

    def __init__(self, judge: Judge, ledger: Ledger) -> None:
        self._judge = judge
        self._ledger = ledger
        self._identity = judge.identity
        self._name = str(self._identity)
        self._versions: dict[QuestionKind, str] = {}
        self._keeping = judge if isinstance(judge, KeepingJudge) else None
        self._ahead = judge if isinstance(judge, AskingAhead) else None

    def keyed(self, questions: Iterable[Question]) -> Iterator[tuple[str, Question]]:
        """Yield each question as the judge is asked it, with its key."""
        for question in questions:
            version = self._version(question.kind)
            asked = self._keeping.prepared(question) if self._keeping else question
            yield content_key(asked, self._identity, version), asked

    def look_up(self, window: Sequence[tuple[str, Question]]) -> dict[str, Read]:
        """Return, by key, the first stored reply that can be read."""
        by_key = dict(window)
        found: dict[str, Read] = {}
        for key, replies in self._ledger.get_many(by_key).items():
            for reply in replies:
                answer = read(by_key[key], reply)
                if not is_failure(answer):
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

    def paid_ahead(self, key: str) -> tuple[Reply, ...]:
        """Return the reply to a question that this run had sent ahead, once."""
        reply = None if self._ahead is None else self._ahead.paid_ahead(key)
        return () if reply is None else (reply,)

    def verdict(
        self,
        question: Question,
        key: str,
        reply: Reply,
        answer: Answer | Unjudged,
        *,
        from_store: bool,
    ) -> AnyVerdict:
        """Return the verdict that a reply comes to."""
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


def read(question: Question, reply: Reply) -> Answer | Unjudged:
    """Return what a reply says."""
    if reply.error is not None:
        return Unjudged(reason=reply.error)
    return read_reply(question, reply.text)


def is_failure(answer: Answer | Unjudged) -> bool:
    """Tell whether an answer is none that may be used again."""
    return isinstance(answer, Unjudged) and answer.reason not in DECISIONS
