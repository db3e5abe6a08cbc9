"""Which judge a run uses, and what it is told about the run."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from ingest.errors import UsageError
from judge.local import Library, LocalJudge, Passage
from judge.question import Judge
from judge.recorded import RecordedJudge
from judge.rendering import title_of
from stages.records import Turn

JudgeName: TypeAlias = Literal["local", "recorded"]
JUDGES: Final[tuple[JudgeName, ...]] = ("local", "recorded")

AGREEMENT: Final[dict[JudgeName, str]] = {
    "local": "not measured on this traffic; on public labelled sets see the README",
    "recorded": "known answers, written down beforehand: not a judge's opinion",
}
"""What reports say about how far to trust each judge, when nothing better was measured."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeChoice:
    """The judge that the command line names."""

    name: JudgeName = "local"
    answers: Path | None = None
    """recorded: the file of answers."""


class Acquaintance:
    """Takes from the turns of a run what the local judge wants to know before it judges."""

    def __init__(self) -> None:
        self._passages: set[Passage] = set()

    def add(self, turn: Turn) -> None:
        """Take in what a turn retrieved."""
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

    def judge(self, choice: JudgeChoice) -> Judge:
        """Return the judge that was chosen.

        Raises:
            UsageError: A judge without what it needs.
            JudgeError: The file of answers cannot be read.
        """
        if choice.name == "local":
            return LocalJudge(Library(self._passages))
        if choice.answers is None:
            raise UsageError(
                "--judge recorded", "no answers are named", "Add --answers FILE (JSON lines)."
            )
        return RecordedJudge(choice.answers)
