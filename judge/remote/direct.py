"""Asks questions one by one, several at a time, and stores each reply as it comes.

    tasks ──claim──▶ in flight ──settle──▶ read ──▶ answered
      ▲                                     │
      └────────────── once more ────────────┘

A place in flight is free again only once its reply is stored: whatever kills the process,
no more requests can be unaccounted for than were allowed at once.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Final

from judge.asker import is_failure, read
from judge.keeping import Answered
from judge.question import Question, Reply
from judge.remote.account import Account, most_usd
from judge.remote.attempt import Attempt, State, group_id, item_id
from judge.remote.client import ApiClient, fatal_error
from judge.remote.desk import Desk
from judge.remote.journal import Settled
from judge.remote.outcomes import Outcome
from judge.remote.pacing import Pace
from judge.remote.requests import likely_usage, most_tokens
from judge.remote.retrying import Policy, Task
from judge.remote.undisturbed import undisturbed
from judge.remote.workers import Workers

_POLL_S: Final = 0.25
"""Between looks for what another run is having answered."""
_GIVE_UP_AFTER: Final = 50
_GRACE_S: Final = 60.0
"""An interrupted run waits so long for replies that are paid for already."""
OVER_BUDGET: Final = Reply(text="", model="", error="over_budget")


@dataclass(slots=True)
class _Sent:
    task: Task
    attempt: Attempt
    most_usd: float | None


class DirectAsker:
    """Sends messages with bounded, adaptive concurrency."""

    def __init__(
        self,
        desk: Desk,
        client: ApiClient,
        *,
        jobs: int,
        policy: Policy,
        fetch_adopted: Callable[[], object],
    ) -> None:
        """Set up the asker.

        Args:
            desk: Of this run.
            client: Sends the messages.
            jobs: Messages under way at once, at the most.
            policy: When to ask again.
            fetch_adopted: Stores what batches brought that were taken over.
        """
        self._fetch_adopted = fetch_adopted
        self._desk = desk
        self._client = client
        self._policy = policy
        self._pace = Pace(jobs)
        self._workers: Workers[_Sent] = Workers(client.send, jobs)
        self._groups = 0
        self._came: list[tuple[_Sent, Outcome]] = []
        self._fatal: str | None = None
        self._failures_in_row = 0

    def answer(self, questions: Mapping[str, Question]) -> Iterator[Answered]:
        """Yield each question's key with all replies to it, the last one being the answer.

        In the order in which they come. Every reply is stored before it is yielded.

        Raises:
            JudgeError: No request can succeed. What was under way is stored.
        """
        tasks = [Task(key=key, question=question) for key, question in questions.items()]
        tasks.reverse()
        try:
            while tasks or self._came or self._workers.in_flight:
                with undisturbed():
                    answered = self._settle(tasks)
                yield from answered
                if self._fatal is not None and not self._workers.in_flight:
                    raise fatal_error(self._fatal)
                with undisturbed():
                    self._came += self._workers.finished(self._patience(tasks))
        finally:
            self._drain()

    def close(self) -> None:
        """Let the threads end."""
        self._workers.close()

    def _settle(self, tasks: list[Task]) -> list[Answered]:
        """Store what came, send what is next, and return what is answered for good."""
        came = self._came
        settled = [self._settled(sent, outcome) for sent, outcome in came]
        wanted, refused = self._wanted(tasks)
        answered = [Answered(task.key, (*task.replies, OVER_BUDGET)) for task in refused]
        attempts = {sent.task.key: sent.attempt for sent in wanted}
        by_key = {sent.task.key: sent for sent in wanted}
        granted = self._desk.exchange(
            settled,
            attempts,
            lambda key, reply: not is_failure(read(by_key[key].task.question, reply)),
        )
        self._came = []
        if granted.orphaned:
            self._fetch_adopted()
        for key in granted.free:
            sent = by_key.pop(key)
            params = self._desk.maker.params(sent.task.question, more_room=sent.task.more_room)
            self._desk.account.again += bool(sent.task.replies)
            usage = likely_usage(params, sent.task.question.kind)
            self._desk.account.expect(usage, self._client.model, batch=False)
            self._workers.start(sent, params)
        for key, sent in by_key.items():
            self._desk.account.release(sent.most_usd)
            if key in granted.known:
                answered.append(Answered(key, (granted.known[key],), paid=False))
            elif key in granted.own:
                answered.append(Answered(key, (self._desk.unanswered(),), paid=False))
            else:
                sent.task.due = time.monotonic() + _POLL_S
                tasks.append(sent.task)
        for sent, outcome in came:
            wait_s = sent.task.wait_s(outcome, self._policy)
            if wait_s is None:
                self._judge_service(outcome)
                answered.append(Answered(sent.task.key, tuple(sent.task.replies)))
            else:
                sent.task.due = time.monotonic() + wait_s
                tasks.append(sent.task)
        return answered

    def _wanted(self, tasks: list[Task]) -> tuple[list[_Sent], list[Task]]:
        """Take the tasks that are due and have a place in flight, and those without money."""
        free = 0 if self._fatal else self._pace.allowed(self._workers.in_flight)
        now = time.monotonic()
        wanted: list[_Sent] = []
        refused: list[Task] = []
        group = group_id(self._desk.run, "sync", self._groups)
        for place in range(len(tasks) - 1, -1, -1):
            if len(wanted) == free:
                break
            if tasks[place].due > now:
                continue
            task = tasks.pop(place)
            params = self._desk.maker.params(task.question, more_room=task.more_room)
            most = most_usd(most_tokens(params), self._client.model, batch=False)
            if self._desk.account.reserve(most):
                custom_id = item_id(group, len(wanted), task.key)
                attempt = Attempt(custom_id=custom_id, key=task.key, run=self._desk.run)
                wanted.append(_Sent(task, attempt, most))
            elif self._workers.in_flight or wanted:
                tasks.append(task)  # what is set aside for others may come free
                break
            else:
                self._desk.account.stopped = True
                refused.append(task)
        self._groups += bool(wanted)
        return wanted, refused

    def _settled(self, sent: _Sent, outcome: Outcome) -> Settled:
        """Enter an outcome in the account and return how it is stored."""
        account: Account = self._desk.account
        account.release(sent.most_usd)
        attempt = settled_attempt(sent.attempt, outcome)
        account.add(outcome, attempt)
        if outcome.overloaded:
            self._pace.overloaded(outcome.wait_s)
        elif outcome.reply.error is None:
            self._pace.went_well()
        self._fatal = self._fatal or outcome.fatal
        entry = self._desk.entry(sent.task.key, sent.task.question, outcome.reply)
        return Settled(attempt=attempt, entry=entry)

    def _judge_service(self, outcome: Outcome) -> None:
        """Give up on a service that has failed question after question."""
        self._failures_in_row = self._failures_in_row + 1 if outcome.again == "later" else 0
        if self._failures_in_row >= _GIVE_UP_AFTER:
            self._fatal = (
                f"the service failed {_GIVE_UP_AFTER} questions in a row ({outcome.detail}). "
                "What was answered is stored; run the command again later"
            )

    def _patience(self, tasks: list[Task]) -> float:
        """Return how long to wait for replies before anything else can be done."""
        if self._fatal is not None or not tasks:
            return _POLL_S
        now = time.monotonic()
        due = max(min(task.due for task in tasks), self._pace.paused_until) - now
        if self._workers.in_flight and self._pace.allowed(self._workers.in_flight) == 0:
            due = max(due, _POLL_S)
        if not self._workers.in_flight and due > 0:
            time.sleep(min(due, _POLL_S))
            return 0.0
        return max(0.0, min(due, _POLL_S))

    def _drain(self) -> None:
        """Store what is under way, also when the run is being stopped."""
        end = time.monotonic() + _GRACE_S
        while (self._came or self._workers.in_flight) and time.monotonic() < end:
            with undisturbed():
                self._came += self._workers.finished(0.0 if self._came else _POLL_S)
                settled = [self._settled(sent, outcome) for sent, outcome in self._came]
                self._came = []
                self._desk.exchange(settled, {}, lambda _, __: False)


def settled_attempt(attempt: Attempt, outcome: Outcome) -> Attempt:
    """Return the row that closes an attempt, with its usage in parts."""
    detail = {name: number for name, number in asdict(outcome.usage).items() if number}
    if outcome.detail:
        detail["note"] = outcome.detail
    state: State = "maybe_paid" if outcome.maybe_paid else "settled"
    return attempt.now(state, detail=json.dumps(detail, ensure_ascii=False))
