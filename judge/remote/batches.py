"""Has questions answered in Message Batches, at half the price and in their own time.

    questions ─▶ chunks ─▶ intent ─▶ create ─▶ sent ─▶ wait ─▶ results ─▶ settled
                                        │ no answer                │ missing: fetch again
                                        └▶ look for it in the list ┘ failed: in a new batch

A batch is paid for from the moment it exists. So its intent is stored before it is made,
its id as soon as it is known, and its results are fetched until every item is accounted
for, by this run or by a later one.
"""

import json
import time
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Final

from ingest.errors import JudgeError
from judge.asker import is_failure, read
from judge.keeping import Answered
from judge.question import Question, Reply
from judge.remote.account import most_usd
from judge.remote.attempt import Attempt, State, group_id, item_id
from judge.remote.batch_results import Download
from judge.remote.batch_service import BatchService, BatchSettings, CannotTellError
from judge.remote.client import ApiClient
from judge.remote.desk import Desk
from judge.remote.direct import OVER_BUDGET, settled_attempt
from judge.remote.journal import Settled
from judge.remote.outcomes import Outcome
from judge.remote.requests import likely_usage, most_tokens
from judge.remote.retrying import Policy, Task

_OLD_DAYS: Final = 21
_ITEM_BYTES: Final = 200
"""What an item of a batch has besides its parameters, at the most."""


@dataclass(slots=True, kw_only=True)
class _Sent:
    """A batch on its way."""

    batch: Attempt
    tasks: dict[str, Task]
    """By custom_id; empty of a batch that was taken over."""
    reserved: dict[str, float | None] = field(default_factory=dict)
    ahead: bool = False
    """Nobody waits for its answers."""


class BatchAsker:
    """Makes batches, waits for them, and fetches what they brought."""

    def __init__(
        self, desk: Desk, client: ApiClient, *, policy: Policy, settings: BatchSettings
    ) -> None:
        self._desk = desk
        self._model = client.model
        self._policy = policy
        self._settings = settings
        self._service = BatchService(client, policy, settings, desk.account.notes)
        self._made = 0
        self._ahead: list[_Sent] = []
        self.ahead_replies: dict[str, Reply] = {}
        """What was paid for ahead, by key, until somebody asks; without texts."""

    def answer(self, questions: Mapping[str, Question]) -> Iterator[Answered]:
        """Yield each question's key with all replies to it, the last one being the answer.

        Raises:
            JudgeError: No request can succeed. What was sent is fetched by the next run.
        """
        tasks = deque(Task(key=key, question=question) for key, question in questions.items())
        while tasks:
            yield from self.fetch_adopted()
            sent: list[_Sent] = []
            waiting: list[Task] = []
            known = len(tasks)
            while tasks:
                answered, batch, busy = self._send(tasks)
                yield from answered
                waiting += busy
                if batch is None:
                    break
                sent.append(batch)
            for batch in sent:
                yield from self._fetch(batch, tasks)
            if not sent and waiting:
                time.sleep(self._settings.first_look_s)
            elif not sent and len(tasks) == known:
                self._desk.account.stopped = True
                yield from (Answered(one.key, (*one.replies, OVER_BUDGET)) for one in tasks)
                return
            tasks.extend(waiting)

    def fetch_adopted(self) -> Iterator[Answered]:
        """Fetch what batches brought that other runs had made and left."""
        while self._desk.adopted:
            batch = self._desk.adopted.pop()
            yield from self._fetch(_Sent(batch=batch, tasks={}), deque())
            self._desk.journal.tidy(batch.maker)

    def send_ahead(self, questions: Mapping[str, Question]) -> None:
        """Send questions without waiting; `fetch_ahead` stores what came of them.

        Those for which there is no money, or which another run is having answered, are left.
        """
        tasks = deque(Task(key=key, question=question) for key, question in questions.items())
        while tasks:
            _, batch, _ = self._send(tasks)
            if batch is None:
                return
            # The questions are not kept: whoever wants an answer asks again.
            batch.tasks.clear()
            batch.ahead = True
            self._ahead.append(batch)

    def fetch_ahead(self) -> None:
        """Wait for all that was sent ahead, and store it."""
        while self._ahead:
            for _ in self._fetch(self._ahead.pop(0), deque()):
                pass  # tasks were not kept

    def _send(self, tasks: deque[Task]) -> tuple[list[Answered], _Sent | None, list[Task]]:
        """Make a batch of the next tasks.

        Returns:
            What turned out to be answered; the batch, None where there was nothing to send;
            tasks that have to wait for another run.
        """
        group = group_id(self._desk.run, "batch", self._made)
        wanted: dict[str, tuple[Task, Attempt, dict[str, Any], float | None]] = {}
        size = 0
        while tasks and len(wanted) < self._settings.items:
            task = tasks[0]
            params = self._desk.maker.params(task.question, more_room=task.more_room)
            size += len(json.dumps(params)) + _ITEM_BYTES
            most = most_usd(most_tokens(params), self._model, batch=True)
            if (wanted and size > self._settings.bytes) or not self._desk.account.reserve(most):
                break
            tasks.popleft()
            item = Attempt(
                custom_id=item_id(group, len(wanted), task.key),
                key=task.key,
                run=self._desk.run,
                detail=self._desk.stored_with(task.question),
            )
            wanted[task.key] = (task, item, params, most)
        if not wanted:
            return [], None, []
        self._made += 1
        batch = Attempt(
            custom_id=group,
            run=self._desk.run,
            detail=json.dumps({"made": datetime.now(UTC).isoformat()}),
        )
        granted = self._desk.exchange(
            (),
            {key: item for key, (_, item, _, _) in wanted.items()},
            lambda key, reply: not is_failure(read(wanted[key][0].question, reply)),
            (batch,),
        )
        answered = [Answered(key, (reply,), paid=False) for key, reply in granted.known.items()]
        answered += [Answered(key, (self._desk.unanswered(),), paid=False) for key in granted.own]
        sent = _Sent(batch=batch, tasks={})
        requests = []
        for key in granted.free:
            task, item, params, most = wanted[key]
            self._desk.account.again += bool(task.replies)
            usage = likely_usage(params, task.question.kind)
            self._desk.account.expect(usage, self._model, batch=True)
            sent.tasks[item.custom_id] = task
            sent.reserved[item.custom_id] = most
            requests.append({"custom_id": item.custom_id, "params": params})
        waiting = []
        for key in wanted.keys() - {task.key for task in sent.tasks.values()}:
            task, _, _, most = wanted[key]
            self._desk.account.release(most)
            if key not in granted.known and key not in granted.own:
                waiting.append(task)
        if not requests:
            self._desk.journal.add([batch.now("void")])
            return answered, None, waiting
        sent.batch = self._create(batch, requests)
        return answered, sent, waiting

    def _create(self, batch: Attempt, requests: list[dict[str, Any]]) -> Attempt:
        """Make the batch exist, once, and store its id."""
        try:
            batch_id = self._service.create(batch, requests)
        except CannotTellError:
            return batch  # open: the next run looks for it again
        except JudgeError:
            self._desk.journal.add([batch.now("void")])
            raise
        made = batch.now("sent" if batch_id else "void", batch_id=batch_id)
        self._desk.journal.add([made])
        return made

    def _fetch(self, sent: _Sent, again: deque[Task]) -> Iterator[Answered]:
        """Wait for a batch, store its results, and yield the questions that are done with.

        Args:
            sent: The batch.
            again: Takes the tasks that have to be sent once more.
        """
        items = {item.custom_id: item for item in self._desk.journal.items(sent.batch)}
        left = {name: item for name, item in items.items() if item.state == "intent"}
        download = Download(ours=frozenset(items), wanted=set(left))
        if sent.batch.state == "intent":
            self._look_for(sent, len(items))
        if sent.batch.state == "sent" and sent.batch.batch_id is not None:
            for group in self._service.results(sent.batch.batch_id, download):
                yield from self._store(group, left, sent, again)
            if not left:
                self._desk.journal.add([sent.batch.now("settled")])
        self._note(sent, download, len(left))
        for custom_id in left:
            task = sent.tasks.get(custom_id)
            self._desk.account.release(sent.reserved.get(custom_id))
            if task is not None:
                yield Answered(task.key, (*task.replies, self._desk.unanswered()))

    def _look_for(self, sent: _Sent, items: int) -> None:
        """Find out what became of a batch whose creation got no answer."""
        try:
            found = self._service.find(sent.batch, items)
        except CannotTellError:
            return
        state: State = "void" if found is None else "sent"
        sent.batch = sent.batch.now(state, batch_id=found)
        self._desk.journal.add([sent.batch])

    def _store(
        self,
        group: list[tuple[str, Outcome]],
        items: dict[str, Attempt],
        sent: _Sent,
        again: deque[Task],
    ) -> Iterator[Answered]:
        settled = []
        for custom_id, outcome in group:
            attempt = settled_attempt(items[custom_id], outcome)
            self._desk.account.release(sent.reserved.get(custom_id))
            self._desk.account.add(outcome, attempt)
            entry = self._desk.stored_entry(items[custom_id], outcome.reply)
            settled.append(Settled(attempt=attempt, entry=entry))
        self._desk.exchange(settled, {}, lambda _, __: False)
        for custom_id, outcome in group:
            key = items.pop(custom_id).key
            if sent.ahead and outcome.reply.input_tokens:
                self.ahead_replies[key] = replace(outcome.reply, text="")
            task = sent.tasks.get(custom_id)
            if task is None:
                continue
            if task.wait_s(outcome, self._policy) is None:
                yield Answered(task.key, tuple(task.replies))
            else:
                again.append(task)

    def _note(self, sent: _Sent, download: Download, missing: int) -> None:
        """Tell what was odd about a batch."""
        notes, name = self._desk.account.notes, sent.batch.batch_id or sent.batch.custom_id
        if download.unknown:
            notes.append(f"batch {name} has results that are not its own: {len(download.unknown)}")
        if missing:
            notes.append(
                f"batch {name}: {missing} results did not come; run again to fetch them, they "
                "are not paid for again"
            )
        made = datetime.fromisoformat(json.loads(sent.batch.detail)["made"])
        days = (datetime.now(UTC) - made).days
        if missing and days >= _OLD_DAYS:
            notes.append(f"batch {name} is {days} days old; its results are kept for 29")
