"""A question: what a judge is asked, once, about one turn or conversation.

    Turn ──judge.asking──▶ Question ──judge.ledger──▶ Verdict

`content` is everything the judge gets to see, as plain JSON values, without ids, paths
or times: two turns that raise the same question share one reply. `subject` says what the
question is about in ids of the run; it finds the verdict again and never enters the key.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, Protocol, TypeAlias, TypeVar

from ingest.span import Value
from judge.answers import Answer, Unjudged, UnjudgedReason

QuestionKind: TypeAlias = Literal[
    "routing", "relevance", "support", "answer", "statements", "probe", "questions", "criterion"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What a question is about, in ids of the run. Fields a kind does not use stay empty."""

    turns: tuple[int, ...] = ()
    """routing: the turns to be judged."""
    chunk_id: str | None = None
    """relevance, probe."""
    element: int | None = None
    """probe: index of the element in the turn's `answer` verdict, from 0."""
    element_text: str | None = None
    paragraph: int | None = None
    """support."""
    evidence_ids: tuple[str, ...] = ()
    """support: the cited evidence, or for `rest` all that was put together."""
    rest: bool = False
    """support: the turn's other relevant evidence together, not the cited one."""
    criterion: str | None = None
    canary: bool = False
    """A question with a known answer, about the texts of another; see `judge.canaries`."""

    def __str__(self) -> str:
        """Return the subject as tables and reports print it: `P1 × c-3`, `E2 × c-9`."""
        return f"canary of {self._plain()}" if self.canary else self._plain()

    def _plain(self) -> str:
        if self.turns:
            return f"turns {self.turns[0]}-{self.turns[-1]}"
        if self.paragraph is not None:
            other = "rest" if self.rest else " + ".join(self.evidence_ids)
            return f"P{self.paragraph} × {other}"
        if self.element is not None:
            return f"E{self.element + 1} × {self.chunk_id}"
        return self.chunk_id or self.criterion or "turn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One thing to ask."""

    kind: QuestionKind
    conversation_id: str
    turn_id: str | None
    """None for a question about a whole conversation."""
    subject: Subject
    content: Mapping[str, Value] = field(repr=False)
    """All that the judge sees; see `judge.asking` for the fields of each kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeIdentity:
    """Who judged. Verdicts of different identities are never mixed silently."""

    provider: str
    """`local`, `anthropic`, `recorded`."""
    model: str
    params: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return `provider/model`."""
        return f"{self.provider}/{self.model}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """A judge's words, unaltered, and what they cost."""

    text: str
    """One JSON object in the schema of the question's answer, or whatever came instead."""
    model: str
    """As the service named it."""
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = 0.0
    """None: the price of the model is not known."""
    error: UnjudgedReason | None = None
    """Set when no reply came, or when the judge declares that it cannot decide."""


class Judge(Protocol):
    """Something that answers questions."""

    @property
    def identity(self) -> JudgeIdentity:
        """Provider, model and parameters; part of every key."""
        ...

    def prompt_version(self, kind: QuestionKind) -> str:
        """Return `<name>/<hash>` of what turns a question of this kind into a reply."""
        ...

    def answer(self, questions: Sequence[Question]) -> Iterator[Reply]:
        """Yield one reply per question, in order."""
        ...


A_co = TypeVar("A_co", bound=Answer, covariant=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict(Generic[A_co]):
    """What the judge said to one question, read from its stored reply."""

    question: Question
    key: str
    """64 hex digits; the reply's address in the ledger."""
    answer: A_co | Unjudged
    judge: str
    """`provider/model` of the judge that was asked."""
    prompt_version: str
    model: str
    """As the service named it."""
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = 0.0
    from_store: bool = False
    flags: tuple[str, ...] = ()
    """Signs that a text of the question addresses its judge, sorted; see `judge.screening`."""
    hidden_characters: int = 0
    """Invisible characters that were taken out of the texts before the judge saw them."""

    @property
    def decided(self) -> A_co | None:
        """The answer, or None when it is unjudged."""
        return None if isinstance(self.answer, Unjudged) else self.answer


AnyVerdict: TypeAlias = Verdict[Answer]
Questions: TypeAlias = Iterable[Question]
