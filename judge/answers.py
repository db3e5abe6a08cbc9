"""What a judge may answer: one record per question, and the two ways of not answering.

Every judge, local, remote or recorded, replies with one JSON object per question. The
field names and types of these records *are* the schema of that object: `judge.replies`
reads a reply strictly into them (exact keys, ranges checked). In the JSON the `reason`
stands first, so that a model reasons before it scores.

A question is answered whole, or it is `Unjudged` with a reason. Inside an answer None
means *undecided*, never *no*.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

SupportLabel: TypeAlias = Literal["full", "partial", "none", "contradicted"]
ReplyKind: TypeAlias = Literal["answered", "partly", "abstained", "clarifying", "policy_refusal"]
ElementStatus: TypeAlias = Literal["answered", "declared_missing", "silently_missing"]
ClaimKind: TypeAlias = Literal["fact", "absence", "success", "none"]
StatementLabel: TypeAlias = Literal["supported", "unsupported", "contradicted"]
UnjudgedReason: TypeAlias = Literal[
    "uncertain",
    "no_catalogue",
    "not_captured",
    "template_answer",
    "refused",
    "truncated",
    "invalid_json",
    "two_objects",
    "out_of_range",
    "quote_not_found",
    "too_long",
    "api_error",
    "over_budget",
]
TECHNICAL: frozenset[str] = frozenset(
    {"refused", "truncated", "invalid_json", "two_objects", "out_of_range", "quote_not_found"}
    | {"too_long", "api_error"}
)
"""Reasons that count as technical failures of the judge (exit code 4); never cached."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unjudged:
    """The judge did not decide. Neither a failure nor a pass, outside every mean."""

    reason: UnjudgedReason
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Relevance:
    """How relevant one chunk is to one information need."""

    reason: str
    target: bool
    """It is about the object that the need is about."""
    intent: bool
    """It serves what the user wants to do."""
    usable: bool
    """It has content that an answer can be made of."""
    grade: int
    """0 unrelated, 1 related but no use, 2 partly answers, 3 answers."""
    quote: str | None = None
    """Verbatim from the chunk; None below grade 2."""

    @property
    def relevant(self) -> bool:
        """Grade 2 or more."""
        return self.grade >= 2  # noqa: PLR2004 - the definition itself


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """How far evidence supports one paragraph of the answer."""

    reason: str
    label: SupportLabel
    quote_paragraph: str | None = None
    quote_evidence: str | None = None
    """Verbatim from the evidence; None for `none`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Element:
    """One thing that the question asks for."""

    text: str
    """Self-contained: readable as a question of its own."""
    status: ElementStatus
    paragraphs: tuple[int, ...] = ()
    """Paragraphs that answer it (or declare it missing), from 1."""
    in_evidence: bool | None = None
    """What stood before the model holds its answer; None when undecided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ParagraphClaim:
    """What one paragraph of the answer asserts."""

    paragraph: int
    needs_source: bool
    """It states something that must come from evidence."""
    claim: ClaimKind
    """`absence`: asserts that something does not exist or was not found. `success`: reports an
    action as done. `fact`: anything else with content. `none`: greeting, question, heading,
    or a declaration that the answer is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerJudgement:
    """What kind of reply the answer is, and what of the question it covers."""

    reason: str
    needs_evidence: bool
    """False for small talk, rewriting, arithmetic. A reported action needs its tool result."""
    reply: ReplyKind
    elements: tuple[Element, ...]
    paragraphs: tuple[ParagraphClaim, ...]
    """One per paragraph of the answer, in order."""
    understanding: int
    """0-3: does the answer address what was asked."""
    coherence: int
    """0-3: structured, logical, understandable."""
    completeness: int
    """0-3: every element covered."""
    question_language: str | None = None
    """ISO 639-1."""
    answer_language: str | None = None
    evidence_sufficient: bool | None = None
    """The evidence suffices for the whole question; None when undecided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One atomic statement of the answer, held against the evidence."""

    text: str
    paragraph: int
    label: StatementLabel
    quote: str | None = None
    """Verbatim from the evidence; None when unsupported."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statements:
    """The answer split into atomic statements. How many is the judge's choice."""

    reason: str
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionJudgement:
    """Was it right to search this collection."""

    collection: str
    ok: bool | None
    reason: str = ""
    fits: str | None = None
    """The collection that should have been searched instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongArgument:
    """One argument whose value is not what the conversation fixes."""

    argument: str
    value: str | None
    """As sent, as text; None when it was omitted."""
    expected: str | None
    """The value it should have; None when only its wrongness is known."""
    known_from: str
    """Where the right value stands: `question`, `turn 2`, `result of <call id>`, `schema`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallJudgement:
    """Was one tool call the right one, and rightly filled."""

    position: int
    """Position of the call in its turn, from 1."""
    tool_ok: bool | None
    args_ok: bool | None
    """None when undecided, or when the tool was wrong."""
    wrong_arguments: tuple[WrongArgument, ...] = ()
    fits: str | None = None
    """The tool of that agent's catalogue that fits, when the tool was wrong."""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MissingResource:
    """A relevant resource of the agent's catalogue that was never called."""

    kind: Literal["collection", "tool"]
    name: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRouting:
    """The routing of one turn, judged only by what stands above it in the transcript."""

    turn: int
    reason: str
    agent_ok: bool | None = None
    fitting_agent: str | None = None
    collections: tuple[CollectionJudgement, ...] = ()
    calls: tuple[CallJudgement, ...] = ()
    missing: tuple[MissingResource, ...] = ()
    missing_decided: bool = True
    """False: whether a resource was missing could not be told; `missing` is then empty."""
    refined_faithful: bool | None = None
    """None: no refined query, or undecided."""
    lost_constraints: tuple[str, ...] = ()
    """Words of the question that the refined query lost (a model number, a date, a country)."""
    unjudged: UnjudgedReason | None = None
    """Why this turn's routing could not be judged at all, e.g. `no_catalogue`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingJudgement:
    """The routing of the turns of one conversation."""

    reason: str
    turns: tuple[TurnRouting, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InventedQuestions:
    """Three questions that the answer would answer; the judge saw only the answer."""

    reason: str
    questions: tuple[str, str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Criterion:
    """How far a conversation or turn meets one written goal."""

    reason: str
    score: float
    """In [0, 1]."""


Answer: TypeAlias = (
    Relevance
    | Support
    | AnswerJudgement
    | Statements
    | RoutingJudgement
    | InventedQuestions
    | Criterion
)
