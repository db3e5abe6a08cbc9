"""The judge's desk: what both ways of asking share, bound to one store for one run."""

import json
from collections.abc import Callable, Mapping, Sequence

from judge.keys import asked_as
from judge.ledger import Ledger
from judge.ledger_schema import Entry
from judge.question import JudgeIdentity, Question, Reply
from judge.remote.account import Account
from judge.remote.attempt import Attempt
from judge.remote.journal import Granted, Journal, Settled
from judge.remote.presence import Presence
from judge.remote.requests import RequestMaker


class Desk:
    """Knows the store, the account and how requests are made."""

    def __init__(
        self, ledger: Ledger, maker: RequestMaker, identity: JudgeIdentity, account: Account
    ) -> None:
        self.presence = ledger.transact(lambda _: Presence(ledger.path))
        self.journal = Journal(ledger, self.presence)
        self.maker = maker
        self.account = account
        self.identity = identity
        self.adopted: list[Attempt] = []
        """Open batches that were taken over and not looked after yet."""

    @property
    def run(self) -> str:
        """Tells this run apart."""
        return self.presence.nonce

    def entry(self, key: str, question: Question, reply: Reply) -> Entry:
        """Return a reply on its way into the store."""
        return Entry(
            key=key,
            kind=asked_as(question.kind),
            judge=self.identity,
            prompt_version=self.maker.template(question.kind).version,
            reply=reply,
        )

    def stored_with(self, question: Question) -> str:
        """Return as JSON what is needed to store a reply when the question is not at hand."""
        version = self.maker.template(question.kind).version
        identity = [self.identity.provider, self.identity.model, dict(self.identity.params)]
        stored = {"kind": asked_as(question.kind), "version": version, "judge": identity}
        return json.dumps(stored)

    def stored_entry(self, item: Attempt, reply: Reply) -> Entry:
        """Return the reply to an item of a batch on its way into the store."""
        stored = json.loads(item.detail)
        provider, model, params = stored["judge"]
        return Entry(
            key=item.key,
            kind=stored["kind"],
            judge=JudgeIdentity(provider=provider, model=model, params=params),
            prompt_version=stored["version"],
            reply=reply,
        )

    def unanswered(self) -> Reply:
        """Return what stands for a reply whose batch has not brought it yet."""
        return Reply(text="", model=self.identity.model, error="api_error")

    def exchange(
        self,
        settled: Sequence[Settled],
        wanted: Mapping[str, Attempt],
        usable: Callable[[str, Reply], bool],
        others: Sequence[Attempt] = (),
    ) -> Granted:
        """Settle and claim; see `Journal.exchange`. What a lost run left is taken over first."""
        if not (settled or wanted or others):
            return Granted()
        granted = self.journal.exchange(settled, wanted, usable, others)
        for maker in granted.orphaned:
            self.take_over(maker)
        return granted

    def take_over_all(self) -> None:
        """Take over what all runs have left that are gone."""
        for run in self.presence.left_behind():
            self.take_over(run)

    def take_over(self, run: str) -> None:
        """Take over what a run that is gone has left: its batches are ours now."""
        batches, lost = self.journal.take_over(run)
        self.adopted += batches
        self.account.maybe_paid += lost
        if not batches:
            self.journal.tidy(run)

    def close(self) -> None:
        """Leave; what is open stays for the next run to take over."""
        finished = False
        try:
            finished = not self.journal.open_of_run(self.run)
        finally:
            self.presence.leave(finished=finished)
