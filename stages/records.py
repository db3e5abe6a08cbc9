"""What each stage of the agent did for one user message.

    Conversation ─▶ Turn ─┬─ Routing      which agents, collections and tools were chosen
                          ├─ ToolCall     what was called, with what, and what came back
                          ├─ Retrieval    which chunks came back, in what order
                          ├─ Generation   what was answered, citing what
                          ├─ Evidence     what stood before the model when it wrote
                          └─ Gap          what the trace does not tell

A `Turn` is complete in itself: judging and analysis read turns and never go back to the
spans. A stage that did not run is None (or an empty tuple); a stage that ran but was
recorded badly is present, with a `Gap` beside it. The two are never confused.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ingest.span import Message, ToolDefinition, Value

Stage: TypeAlias = Literal["routing", "retrieval", "generation"]
ToolStatus: TypeAlias = Literal["ok", "error", "empty", "unknown"]
RetrievalStatus: TypeAlias = Literal["ok", "empty", "error", "not_captured"]
AnswerSource: TypeAlias = Literal["generated", "rephrased", "template", "unknown"]
ParagraphKind: TypeAlias = Literal["prose", "list", "table", "code"]
CitationStatus: TypeAlias = Literal[
    "resolved",
    "resolved_earlier_turn",
    "out_of_range",
    "unknown_id",
    "quote_not_in_chunk",
    "ambiguous",
    "target_not_captured",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """One thing the trace does not tell."""

    stage: Stage | Literal["turn"]
    reason: str
    """One word or `word:detail`: `answer_not_captured`, `chunk_text_not_captured`,
    `routing_not_recorded`, `prompt_not_captured`, `tool_result_not_captured`, …"""
    span_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """What one agent could choose from when it ran."""

    agent: str | None
    tools: tuple[ToolDefinition, ...] = ()
    collections: tuple[str, ...] = ()
    """Collections the agent can reach: enum values of a search tool's argument, collections
    named in a tool's or router candidate's definition. Sorted."""
    agents: tuple[ToolDefinition, ...] = ()
    """Agents it could hand over to (handoff tools, router candidates)."""
    span_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One routing decision and where it was read."""

    name: str
    span_id: str | None
    recorded: bool
    """True when a key made for it told; False when it was inferred from what ran."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Routing:
    """Which agents handled the turn and what they chose."""

    agents: tuple[Choice, ...] = ()
    """In the order in which they took over; the last one answered."""
    candidates: tuple[ToolDefinition, ...] = ()
    """What the router could have chosen; empty when not recorded."""
    collections: tuple[Choice, ...] = ()
    """Distinct collections searched or routed to, in first-use order."""
    tools: tuple[Choice, ...] = ()
    """Distinct tools called, in first-use order; handoffs are not among them."""
    refined_query: Choice | None = None
    """A reformulation of the question. `recorded` False: inferred from the search itself."""
    catalogues: tuple[Catalogue, ...] = ()
    """One per agent that recorded one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One execution of a tool. A handoff to another agent is routing, not a tool call."""

    position: int
    """From 1, in order of start within the turn."""
    call_id: str
    """As recorded, else `call-<position>`."""
    name: str
    agent: str | None = None
    arguments: Value = None
    """Parsed; the raw text where it would not parse; None with a Gap when not captured."""
    result: Value = None
    status: ToolStatus = "unknown"
    """`empty`: it worked and found nothing. `unknown`: the result was not captured."""
    error: str | None = None
    catalogue: tuple[ToolDefinition, ...] | None = None
    """What the calling agent could choose from; None when not recorded."""
    prior: tuple[str, ...] = ()
    """Call ids of the turn whose results were known when this call was made."""
    is_retrieval: bool = False
    """Its result is also a `Retrieval` of the turn."""
    truncated: bool = False
    span_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk:
    """One retrieved passage, in the place where it ended up."""

    chunk_id: str
    """Explicit id, else an id of the metadata, else `sha1:<12 hex>` of the text."""
    rank: int
    """From 1, after reranking."""
    first_rank: int
    """From 1, as the first-stage retriever returned it; equals `rank` without a reranker."""
    score: float | None
    """On the retriever's own scale, direction unknown."""
    text: str | None
    """None when the trace recorded the id but not the content."""
    collection: str | None = None
    metadata: Mapping[str, Value] = field(default_factory=dict)
    in_context: bool | None = None
    """Its text was, or was not, in the prompt of the last generation call. None when that
    prompt (or the text) was not captured; it then counts as seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retrieval:
    """One search. Retrieval through a tool is retrieval too."""

    retrieval_id: str
    """Span id, or the call id of the tool."""
    position: int
    """From 1, in order of start within the turn."""
    query: str | None
    """What was actually searched."""
    status: RetrievalStatus
    collection: str | None = None
    collection_inferred: bool = False
    chunks: tuple[Chunk, ...] = ()
    """In final order."""
    agent: str | None = None
    call_id: str | None = None
    """Set when a tool did the search."""
    error: str | None = None
    span_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One thing that stood before the model when it wrote the answer."""

    evidence_id: str
    """Chunk id, or call id of a tool result."""
    kind: Literal["chunk", "tool_result"]
    text: str
    """What the model read: the chunk, the result as text, an error text, or `(no result)`."""
    from_turn: int
    """Turn of the conversation that fetched it; smaller than the turn's own for history."""
    collection: str | None = None
    tool: str | None = None
    tool_status: ToolStatus | None = None
    first_seen_ns: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """One block of the answer."""

    paragraph: int
    """From 1."""
    kind: ParagraphKind
    start: int
    """First character in the answer."""
    end: int
    """One past the last character."""
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """One reference of the answer to one source; `[1, 3]` is two."""

    citation: int
    """From 1, in reading order."""
    marker: str
    """As written; empty for a native citation without a marker."""
    start: int
    end: int
    paragraph: int | None
    """None when it stands outside every paragraph."""
    target: str | None
    """Evidence id, None when it does not resolve."""
    status: CitationStatus
    source: Literal["marker", "native"] = "marker"

    @property
    def resolved(self) -> bool:
        """The only two states that count as cited."""
        return self.status in ("resolved", "resolved_earlier_turn")


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """What was answered."""

    answer: str | None
    """Exactly as given; None with a Gap when not captured."""
    paragraphs: tuple[Paragraph, ...] = ()
    citations: tuple[Citation, ...] = ()
    finish_reason: str | None = None
    structured: Value = None
    """The parsed answer where it was a JSON object."""
    source: AnswerSource = "unknown"
    flag: str | None = None
    """Refusal flag, when recorded."""
    first_output_ms: float | None = None
    """From the start of the turn to the first token of the last generation call."""
    span_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StageUse:
    """Tokens and time of one stage of a turn; None where not recorded."""

    duration_ms: float | None = None
    """Wall-clock time covered by the stage's spans, overlaps counted once."""
    input_tokens: int | None = None
    output_tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SpanRow:
    """One span of the turn, reduced to what waterfalls and tables show."""

    trace_id: str
    span_id: str
    parent_id: str | None
    name: str
    kind: str
    stage: Stage | None
    """Stage that the span was counted to, None for none."""
    start_ns: int | None
    end_ns: int | None
    status: str
    service: str | None
    convention: str | None
    flags: tuple[str, ...] = ()
    attributes: str = "{}"
    """The raw attributes as JSON text; evidence only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One user message and everything the agent did to answer it."""

    conversation_id: str
    turn: int
    """From 1, in time order."""
    trace_ids: tuple[str, ...]
    start_ns: int | None
    """Start of the turn's root span, as recorded."""
    end_ns: int | None
    question: str | None
    """This turn's user message, not the history; None with a Gap when not captured."""
    history: tuple[Message, ...] = ()
    """User and assistant messages of the earlier turns, oldest first."""
    language: str | None = None
    """ISO 639-1 code of the question, None when the detector is not certain."""
    answer_language: str | None = None
    agent: str | None = None
    """The agent that answered: the last of `routing.agents`."""
    model: str | None = None
    service: str | None = None
    tenant: str | None = None
    """None is one tenant of its own."""
    routing: Routing | None = None
    retrievals: tuple[Retrieval, ...] = ()
    tool_calls: tuple[ToolCall, ...] = ()
    generation: Generation | None = None
    evidence: tuple[Evidence, ...] = ()
    """This turn's first, then earlier turns' while the messages still carry them."""
    gaps: tuple[Gap, ...] = ()
    complete: bool = True
    """A span that carries, or should carry, the answer is there."""
    flags: tuple[str, ...] = ()
    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None
    use: Mapping[Stage, StageUse] = field(default_factory=dict)
    error: bool = False
    """The root span ended in an error."""
    golden_id: str | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    spans: tuple[SpanRow, ...] = ()

    @property
    def turn_id(self) -> str:
        """`<conversation_id>/<turn>`."""
        return f"{self.conversation_id}/{self.turn}"

    @property
    def duration_ms(self) -> float | None:
        """End minus start in milliseconds; None when either is missing or end < start."""
        if self.start_ns is None or self.end_ns is None or self.end_ns < self.start_ns:
            return None
        return (self.end_ns - self.start_ns) / 1e6

    def gap(self, reason: str) -> Gap | None:
        """Return the first gap with this reason, or None."""
        return next((gap for gap in self.gaps if gap.reason == reason), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """The turns of one conversation, in time order, numbered from 1."""

    conversation_id: str
    turns: tuple[Turn, ...]
