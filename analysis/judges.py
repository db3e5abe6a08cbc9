"""Which judge a run uses, and what it is told about the run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, TypeAlias

from ingest.errors import UsageError
from judge.egress import Redactor
from judge.local import Library, LocalJudge, Passage, Reach, Table
from judge.question import Judge, QuestionKind
from judge.recorded import RecordedJudge
from judge.remote.platforms import Platform
from judge.rendering import title_of
from stages.records import Turn

JudgeName: TypeAlias = Literal["local", "recorded", "anthropic"]
JUDGES: Final[tuple[JudgeName, ...]] = ("local", "recorded", "anthropic")

AGREEMENT: Final[dict[JudgeName, str]] = {
    "local": "public labelled sets: AUROC 0.894 relevance, 0.821 and 0.951 support, 98.0 % of "
    "tools right; this traffic: not measured",
    "recorded": "known answers, written down beforehand: not a judge's opinion",
    "anthropic": "not measured on this traffic; label a sample to know",
}
"""What reports say about how far to trust each judge, when nothing better was measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeChoice:
    """The judge that the command line names."""

    name: JudgeName = "local"
    answers: Path | None = None
    """recorded: the file of answers."""
    model: str | None = None
    """anthropic: the model's full name."""
    platform: Platform = "anthropic"
    """anthropic: whose service runs the model."""
    prompts: Mapping[QuestionKind, str] = field(default_factory=dict)
    """anthropic: versions of prompts, where not the default one."""
    batch: bool = False
    """anthropic: in Message Batches, at half the price and in their own time."""
    jobs: int = 8
    """anthropic: requests under way at once, at the most."""
    max_cost_usd: float | None = None
    offline: bool = False
    """anthropic: nothing is sent; what is not in the store stays unanswered."""
    personal: tuple[str, ...] = ()
    """anthropic: classes of personal data that may not leave, beside secrets."""
    secrets_leave: bool = False
    """anthropic: keys and passwords in traces are sent as they are."""


class Acquaintance:
    """Takes from the turns of a run what the chosen judge wants to know before it judges.

    Only the local judge wants to know anything.
    """

    def __init__(self, choice: JudgeChoice) -> None:
        self._choice = choice
        self._passages: set[Passage] = set()
        self._reach: set[Reach] = set()
        self._tables: set[Table] = set()

    def add(self, turn: Turn) -> None:
        """Take in what a turn retrieved and looked up, and what its agents could have searched."""
        if self._choice.name != "local":
            return
        for catalogue in () if turn.routing is None else turn.routing.catalogues:
            agent = turn.agent if catalogue.agent is None else catalogue.agent
            for tool in catalogue.tools:
                self._tables.add(Table(tool=tool.name, description=tool.description))
            if agent is not None:
                self._reach.update(
                    Reach(agent=agent, collection=name, service=turn.service, tenant=turn.tenant)
                    for name in catalogue.collections
                )
        for search in turn.retrievals:
            for chunk in search.chunks:
                if chunk.text is not None and chunk.text.strip():
                    self._passages.add(
                        Passage(
                            collection=chunk.collection or search.collection,
                            title=title_of(chunk.metadata),
                            text=chunk.text,
                            service=turn.service,
                            tenant=turn.tenant,
                        )
                    )
        for call in turn.tool_calls:
            if not call.is_retrieval:
                self._tables.add(Table.of_call(call.name, call.arguments, call.result))

    def judge(self) -> Judge:
        """Return the judge that was chosen.

        Raises:
            UsageError: A judge without what it needs.
            JudgeError: The file of answers cannot be read, or there is no key.
        """
        choice = self._choice
        if choice.name == "local":
            return LocalJudge(Library(self._passages, self._reach, self._tables))
        if choice.name == "anthropic":
            return _anthropic(choice)
        if choice.answers is None:
            raise UsageError(
                "--judge recorded", "no answers are named", "Add --answers FILE (JSON lines)."
            )
        return RecordedJudge(choice.answers)


def _anthropic(choice: JudgeChoice) -> Judge:
    from judge.anthropic_judge import AnthropicJudge, AnthropicSettings, require_model

    settings = AnthropicSettings(
        model=require_model(choice.model),
        platform=choice.platform,
        prompts=choice.prompts,
        batch=choice.batch,
        jobs=choice.jobs,
        max_cost_usd=choice.max_cost_usd,
        offline=choice.offline,
    )
    redactor = Redactor(choice.personal, secrets=not choice.secrets_leave)
    return AnthropicJudge(settings, redactor.prepared)
