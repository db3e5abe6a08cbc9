"""Spans: what the agent recorded, first in its own words, then in ours.

    bytes ──reader──▶ RawSpan ──convention──▶ Span

A reader turns bytes into `RawSpan`, which keeps the attribute names of whoever wrote
the trace. The conventions turn a `RawSpan` into a `Span`. Nothing after this package
knows a vendor's attribute name.

Ids are lowercase hex where they are hex at all, opaque otherwise. Times are integer
nanoseconds since the Unix epoch exactly as recorded, None where none was recorded.
Every text here was written by strangers: it is data, never markup, path or code.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    Value: TypeAlias = "str | bool | int | float | list[Value] | dict[str, Value] | None"
    """A decoded attribute value. A non-finite number has already become None."""
else:
    # The decoder that reads spilled turns back does not follow a recursive alias.
    Value = Any

TRACE_ONLY = "trace_only"
"""Flag of a record that stands for a whole trace: it tells what went in and came out."""

Status: TypeAlias = Literal["unset", "ok", "error"]

Capture: TypeAlias = Literal["captured", "not_captured", "truncated"]
"""Whether a text was recorded whole, not at all, or cut by a length limit."""


class SpanKind(StrEnum):
    """What a span did, in the product's words."""

    AGENT = "agent"
    ROUTER = "router"
    RETRIEVER = "retriever"
    RERANKER = "reranker"
    LLM = "llm"
    TOOL = "tool"
    EMBEDDING = "embedding"
    GUARDRAIL = "guardrail"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRef:
    """Where a record stood in the input."""

    path: str
    """As given on the command line or found below it; `-` for standard input."""
    offset: int
    """Byte offset of the record in the decompressed stream."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawEvent:
    """A span event, or a log record joined to its span by id."""

    name: str
    time_ns: int | None = None
    attributes: Mapping[str, Value] = field(default_factory=dict)
    body: Value = None
    """Body of a log record; None for a span event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawLink:
    """A causal reference to a span of another trace."""

    trace_id: str
    span_id: str
    attributes: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RawSpan:
    """One recorded span under the attribute names of its producer."""

    trace_id: str
    span_id: str
    parent_id: str | None = None
    name: str = ""
    otel_kind: str = "UNSPECIFIED"
    """`INTERNAL`, `SERVER`, `CLIENT`, `PRODUCER`, `CONSUMER` or `UNSPECIFIED`."""
    start_ns: int | None = None
    end_ns: int | None = None
    status: Status = "unset"
    status_message: str = ""
    attributes: Mapping[str, Value] = field(default_factory=dict)
    """Decoded on first access where the reader could defer it (see `ingest.attributes`)."""
    events: tuple[RawEvent, ...] = ()
    links: tuple[RawLink, ...] = ()
    resource: Mapping[str, Value] = field(default_factory=dict)
    scope_name: str = ""
    scope_version: str = ""
    dropped_attributes: int = 0
    flags: tuple[str, ...] = ()
    """Oddities the reader met, in words: `surrogate_replaced`, `non_finite_number`, …"""
    source: SourceRef | None = None

    @property
    def service(self) -> str | None:
        """`service.name` of the resource, None when the resource does not tell."""
        name = self.resource.get("service.name")
        return name if isinstance(name, str) and name else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolRequest:
    """A model's wish to call a tool, as it stands in an assistant message."""

    call_id: str | None
    name: str
    arguments: Value
    """Parsed; the raw text where it would not parse; None when not captured."""
    hosted: bool = False
    """The model's provider ran the tool within the same call (a web search, a code
    interpreter): the message that holds it may be the answer all the same."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResponse:
    """A tool's result, as it stands in the messages of a later model call."""

    call_id: str | None
    name: str | None
    result: Value
    is_error: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of a model call, whatever generation of encoding it came in."""

    role: Literal["system", "user", "assistant", "tool"]
    text: str | None = None
    """All text parts joined by a blank line; None when the message holds no text part."""
    tool_requests: tuple[ToolRequest, ...] = ()
    tool_responses: tuple[ToolResponse, ...] = ()
    name: str | None = None
    finish_reason: str | None = None
    truncated: bool = False
    """The text was cut by a length limit after the last character given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDefinition:
    """A tool, or another agent to hand over to, that a model could choose."""

    name: str
    description: str | None = None
    parameters: Value = None
    """JSON schema of the arguments, None when not recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """One passage in a retriever's or reranker's list, in recorded order."""

    document_id: str | None
    text: str | None
    """None when the trace recorded the id but not the content."""
    score: float | None = None
    """On the recorder's own scale, direction unknown."""
    metadata: Mapping[str, Value] = field(default_factory=dict)
    collection: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFact:
    """What a tool span tells about one execution."""

    name: str
    call_id: str | None = None
    arguments: Value = None
    arguments_capture: Capture = "captured"
    result: Value = None
    result_capture: Capture = "captured"
    is_error: bool = False
    """The span, or the result itself (`isError`, `Error: …`), says that the call failed."""
    error: str | None = None
    """The error in words. Control-flow exceptions of a framework are no errors."""
    definition: ToolDefinition | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoffFact:
    """Control passed from one agent to another."""

    target: str | None
    """None when the recorder did not know it: infer from the next agent entered."""
    source: str | None = None
    returns: bool | None = None
    """True for a delegation that returns to its caller, None when not recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalFact:
    """What a retriever span tells: a search and what came back."""

    query: str | None
    collection: str | None
    collection_inferred: bool = False
    """The collection was read from document metadata or a span name, not a key for it."""
    documents: tuple[Document, ...] | None = None
    """None: the trace does not tell what came back. Empty: nothing was found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RerankFact:
    """A reordering of documents; the output order is final."""

    query: str | None
    documents_in: tuple[Document, ...] | None
    documents_out: tuple[Document, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteFact:
    """A recorded routing decision: a router node, selector, classifier or graph edge."""

    chosen: tuple[str, ...]
    """Names as recorded: of an agent, collection, tool or graph node; stages tells which."""
    candidates: tuple[ToolDefinition, ...] = ()
    """What could have been chosen, in recorded order; empty when not recorded."""
    inferred: bool = False
    """Read from a model's text or a node's name instead of a key that is made for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NativeCitation:
    """A citation that the model's API returned beside the text."""

    start: int | None
    """First character of the cited range in the answer, None when only the block is known."""
    end: int | None
    target_id: str | None = None
    """Id, url or title of the source."""
    target_index: int | None = None
    """0-based position among the documents of the request."""
    quote: str | None = None
    """`cited_text`: what the source is said to say."""
    block_text: str | None = None
    """Text of the block that carries the citation, when its range is not recorded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of one model call; None where not recorded."""

    input_tokens: int | None = None
    """All input tokens, cached ones included."""
    output_tokens: int | None = None
    cached_tokens: int | None = None
    """Read from the provider's cache; a part of `input_tokens`."""
    cache_write_tokens: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One step of the agent, whatever convention recorded it.

    A field that the span does not tell is None or empty; a span that does nothing a
    stage is made of has kind OTHER and no facts, and its attributes were never decoded.
    """

    raw: RawSpan = field(repr=False)
    """Kept as evidence: reports quote it, no code after this package branches on it."""
    kind: SpanKind = SpanKind.OTHER
    conventions: tuple[str, ...] = ()
    """Names of the conventions that recognised it, the decisive one first."""
    conversation_id: str | None = None
    conversation_weak: bool = False
    """The id comes from a place that other spans outrank (an inner agent's own id)."""
    agent: str | None = None
    """The agent this span belongs to or, for kind AGENT, is."""
    tenant: str | None = None
    model: str | None = None
    usage: Usage | None = None
    first_output_ms: float | None = None
    """Milliseconds from the span's start to the first output token."""
    input_messages: tuple[Message, ...] | None = None
    """None: not recorded. Empty: recorded as empty."""
    output_messages: tuple[Message, ...] | None = None
    instructions: str | None = None
    """The system prompt where it is recorded beside the messages."""
    input_text: str | None = None
    """What went in, as plain text, where the span records it outside messages."""
    output_text: str | None = None
    """What came out, as plain text, where the span records it outside messages."""
    output_value: Value = None
    """What came out, parsed, where it is structured."""
    content: Capture = "captured"
    """`not_captured`: a span of this kind carries content and this one has none."""
    tools_available: tuple[ToolDefinition, ...] | None = None
    """The catalogue recorded on this span; None when it does not tell."""
    tool: ToolFact | None = None
    handoff: HandoffFact | None = None
    retrieval: RetrievalFact | None = None
    rerank: RerankFact | None = None
    route: RouteFact | None = None
    refined_query: str | None = None
    """A reformulation of the question that the span records as such."""
    citations: tuple[NativeCitation, ...] = ()
    finish_reason: str | None = None
    answer_source: Literal["generated", "rephrased", "template", "unknown"] = "unknown"
    policy_flag: str | None = None
    """Refusal flag or guardrail verdict, as recorded."""
    node: str | None = None
    """Name of the graph node the span runs in, where the framework records one."""
    synthetic: bool = False
    """A duplicate of other spans by design (merged tools, inner retrieve): no facts counted."""
    error: str | None = None
    """Error text of the span; framework control flow is not one."""
    golden_id: str | None = None
    """Item of a golden set that the run replayed, where the application tagged it."""
    turn: str | None = None
    """Number or id of the turn within its conversation, where a house maps one."""
    versions: Mapping[str, str] = field(default_factory=dict)
    """Versions of corpus, index, prompts, … that the process told, by name."""
    flags: tuple[str, ...] = ()
    """Oddities in words, reader's and convention's together."""

    @property
    def trace_id(self) -> str:
        """Trace the span belongs to."""
        return self.raw.trace_id

    @property
    def span_id(self) -> str:
        """Id of the span, unique within its trace."""
        return self.raw.span_id

    @property
    def duration_ms(self) -> float | None:
        """End minus start in milliseconds; None when either is missing or end < start."""
        start, end = self.raw.start_ns, self.raw.end_ns
        if start is None or end is None or end < start:
            return None
        return (end - start) / 1e6
