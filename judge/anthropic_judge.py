"""The judge behind the Anthropic API: asked directly, or in Message Batches.

    Question ──redact──▶ key ──ledger──▶ missing ──▶ DirectAsker | BatchAsker ──▶ replies

Its key comes from the environment. Its verdicts are those of the model that is named, with
the effort that is set; anything that changes what it is asked changes the keys.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Final

from ingest.errors import UsageError
from judge.keeping import Answered, Likely
from judge.keys import asked_as
from judge.ledger import Ledger
from judge.question import JudgeIdentity, Question, QuestionKind, Reply
from judge.remote.account import Account
from judge.remote.batch_service import BatchSettings
from judge.remote.batches import BatchAsker
from judge.remote.client import ApiClient, is_pinned
from judge.remote.desk import Desk
from judge.remote.direct import DirectAsker
from judge.remote.platforms import PLACE, Platform, refuse_key_in
from judge.remote.pricing import cost_usd, price_table
from judge.remote.requests import Effort, RequestMaker, likely_usage
from judge.remote.retrying import Policy

PROVIDER: Final = "anthropic"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnthropicSettings:
    """How the judge is asked; only model, effort and prompts can change what it says."""

    model: str
    effort: Effort | None = None
    prompts: Mapping[QuestionKind, str] = field(default_factory=dict)
    """Versions of prompts, where not the default one."""
    batch: bool = False
    jobs: int = 8
    """Requests under way at once, at the most."""
    max_cost_usd: float | None = None
    offline: bool = False
    """Nothing may be sent; a question that is not in the store stays unanswered."""
    platform: Platform = "anthropic"
    timeout_s: float = 300.0
    policy: Policy = field(default_factory=Policy)
    batches: BatchSettings = field(default_factory=BatchSettings)


class AnthropicJudge:
    """Answers questions with a model behind the API, and keeps what was paid for itself."""

    def __init__(
        self,
        settings: AnthropicSettings,
        prepare: Callable[[Question], Question] = lambda question: question,
    ) -> None:
        """Set up the judge; opens no connection unless the model's name has to be resolved.

        Args:
            settings: How it is asked.
            prepare: Takes out of a question what may not leave the machine.

        Raises:
            UsageError: A setting that cannot be meant.
            JudgeError: There is no key, or it was refused.
        """
        refuse_key_in("--judge-model", settings.model)
        if settings.batch and settings.platform != "anthropic":
            raise UsageError("--batch", f"{settings.platform} has no batches", "Use --no-batch.")
        self._settings = settings
        self._prepare = prepare
        self._account = Account(max_cost_usd=settings.max_cost_usd)
        self._client: ApiClient | None = None
        self._desk: Desk | None = None
        self._direct: DirectAsker | None = None
        self._batches: BatchAsker | None = None
        with ExitStack() as stack:
            stack.callback(self.close)
            self._maker = RequestMaker(
                model=self._pinned_model(),
                effort=settings.effort,
                prompts=settings.prompts,
                cache_for="1h" if settings.batch else "5m",
            )
            stack.pop_all()

    @property
    def identity(self) -> JudgeIdentity:
        """Provider, model and effort."""
        effort = self._settings.effort
        params: dict[str, str] = {} if effort is None else {"effort": effort}
        if self._settings.platform != "anthropic":
            params["platform"] = self._settings.platform
        return JudgeIdentity(provider=PROVIDER, model=self._maker.model, params=params)

    @property
    def account(self) -> Account:
        """What the run spent so far."""
        return self._account

    @property
    def prices(self) -> str:
        """Name and date of the price table."""
        return price_table()

    def likely(self, question: Question) -> Likely:
        """Return what asking a prepared question would come to, about."""
        usage = likely_usage(self._maker.params(question), question.kind)
        return Likely(
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            direct_usd=cost_usd(usage, self._maker.model),
            batch_usd=cost_usd(usage, self._maker.model, batch=True),
        )

    def shown(self, question: Question) -> str:
        """Return the body of the request that would be sent, as JSON."""
        return json.dumps(self._maker.params(question), ensure_ascii=False, indent=2)

    def prompt_version(self, kind: QuestionKind) -> str:
        """Return `<kind>/<version>/<hash>` of the template, its schema and layout."""
        return self._maker.template(asked_as(kind)).version

    def prepared(self, question: Question) -> Question:
        """Return the question as it leaves the machine; its key is that of what leaves."""
        return self._prepare(question)

    def answer(self, questions: Sequence[Question]) -> Iterator[Reply]:
        """Refuse: without a store, what is paid for could be lost."""
        del questions
        raise ValueError("a judge that costs money is asked with a ledger: answer_kept")

    def answer_kept(self, questions: Mapping[str, Question], ledger: Ledger) -> Iterator[Answered]:
        """Yield all replies to each question, by its key, in the order in which they come.

        Every reply, also one that is of no use, is in the ledger before it is yielded.

        Args:
            questions: Prepared, by key.
            ledger: The same one for the whole life of the judge.

        Raises:
            JudgeError: The judge cannot be used. What came before is stored.
            StoreError: The ledger cannot be read or written.
        """
        if self._settings.offline:
            for key in questions:
                yield Answered(key, (self._not_asked(),), paid=False)
            return
        direct, batches = self._askers(ledger)
        for _ in batches.fetch_adopted():
            pass  # stored; whoever asks finds them
        yield from (batches if self._settings.batch else direct).answer(questions)

    @property
    def asks_ahead(self) -> bool:
        """Questions had better be collected from the whole run before any is answered."""
        return self._settings.batch and not self._settings.offline

    def send_ahead(self, questions: Mapping[str, Question], ledger: Ledger) -> None:
        """Send questions in batches without waiting for what comes of them."""
        _, batches = self._askers(ledger)
        for _ in batches.fetch_adopted():
            pass  # stored; whoever asks finds them
        batches.send_ahead(questions)

    def fetch_ahead(self) -> None:
        """Wait for what was sent ahead, and store it."""
        if self._batches is not None:
            self._batches.fetch_ahead()

    def paid_ahead(self, key: str) -> Reply | None:
        """Return what a question cost that was sent ahead, once, without its text."""
        return None if self._batches is None else self._batches.ahead_replies.pop(key, None)

    def close(self) -> None:
        """Let go of threads, connections and the place among the runs of the store.

        Nothing is waited for: what is still under way is given up, and its connections close
        when it ends.
        """
        with ExitStack() as stack:
            for one in (self._client, self._desk, self._direct):
                if one is not None:
                    stack.callback(one.close)
            self._direct = self._batches = self._desk = self._client = None

    def warnings(self) -> list[str]:
        """Return what a user should be told when the run is over."""
        return self._account.warnings(self._maker.model)

    def _askers(self, ledger: Ledger) -> tuple[DirectAsker, BatchAsker]:
        if self._direct is None or self._batches is None:
            settings = self._settings
            client = self._open_client(self._maker.model)
            desk = Desk(ledger, self._maker, self.identity, self._account)
            self._desk = desk
            desk.take_over_all()
            batches = BatchAsker(desk, client, policy=settings.policy, settings=settings.batches)
            self._batches = batches
            self._direct = DirectAsker(
                desk,
                client,
                jobs=settings.jobs,
                policy=settings.policy,
                fetch_adopted=lambda: list(batches.fetch_adopted()),
            )
        return self._direct, self._batches

    def _open_client(self, model: str) -> ApiClient:
        if self._client is None:
            self._client = ApiClient(
                model, platform=self._settings.platform, timeout_s=self._settings.timeout_s
            )
        return self._client

    def _pinned_model(self) -> str:
        """Return the full name of the model; an alias is resolved, and that is said."""
        model = self._settings.model
        if is_pinned(model):
            return model
        note = f"--judge-model {model} is not pinned to a date: what it means may change"
        if not self._settings.offline:
            client = self._open_client(model)
            full = client.pinned()
            if full is not None and full != model:
                self._account.notes.append(f"{note}; now it is {full}")
                client.model = full
                return full
            if full is not None:
                return full
        self._account.notes.append(note)
        return model

    def _not_asked(self) -> Reply:
        return Reply(text="", model=self._maker.model, error="api_error")


def require_model(model: str | None) -> str:
    """Return the model's name.

    Raises:
        UsageError: None was named.
    """
    if model is None or not model.strip():
        raise UsageError(PLACE, "no model is named", "Add --judge-model NAME, best with its date.")
    return model.strip()
