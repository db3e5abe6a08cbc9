"""Builders of records for tests: each fills in what a test is not about.

Every builder takes the words a test cares about by position or keyword and passes any
other field of the record through, so `turn(question="…", language="de")` works for all
of them. Times are seconds after `EPOCH_NS`; ids are short and readable.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from ingest.span import (
    Document,
    HandoffFact,
    Message,
    RawSpan,
    RetrievalFact,
    RouteFact,
    Span,
    SpanKind,
    ToolDefinition,
    ToolFact,
    ToolRequest,
    ToolResponse,
    Value,
)
from stages.records import (
    Catalogue,
    Choice,
    Chunk,
    Citation,
    CitationStatus,
    Conversation,
    Evidence,
    Gap,
    Generation,
    Paragraph,
    Retrieval,
    Routing,
    SpanRow,
    Stage,
    ToolCall,
    Turn,
)

EPOCH_NS = 1_767_225_600_000_000_000
"""2026-01-01T00:00:00Z, the zero of every `at_s`."""


def at(seconds: float) -> int:
    """Return the time *seconds* after the epoch of all tests, in nanoseconds."""
    return EPOCH_NS + round(seconds * 1_000_000_000)


# Spans


def raw_span(
    span_id: str = "a1",
    *,
    parent_id: str | None = None,
    trace_id: str = "t1",
    name: str = "",
    at_s: float | None = 0.0,
    lasts_s: float | None = 1.0,
    **fields: Any,
) -> RawSpan:
    """Build a recorded span; `at_s` or `lasts_s` None leaves the time unrecorded."""
    ends = None if at_s is None or lasts_s is None else at(at_s + lasts_s)
    return RawSpan(
        trace_id=trace_id,
        span_id=span_id,
        parent_id=parent_id,
        name=name,
        start_ns=None if at_s is None else at(at_s),
        end_ns=ends,
        **fields,
    )


def span(
    span_id: str = "a1",
    kind: SpanKind = SpanKind.OTHER,
    *,
    parent_id: str | None = None,
    trace_id: str = "t1",
    name: str = "",
    at_s: float | None = 0.0,
    lasts_s: float | None = 1.0,
    raw: RawSpan | None = None,
    **fields: Any,
) -> Span:
    """Build a span of any kind; *raw* replaces everything about ids and times."""
    recorded = raw or raw_span(
        span_id,
        parent_id=parent_id,
        trace_id=trace_id,
        name=name,
        at_s=at_s,
        lasts_s=lasts_s,
    )
    return Span(raw=recorded, kind=kind, **fields)


def agent_span(
    span_id: str = "a1",
    question: str | None = None,
    answer: str | None = None,
    *,
    agent: str | None = "shop-bot",
    **fields: Any,
) -> Span:
    """Build the span of an agent run that took *question* and gave *answer*."""
    fields.setdefault("lasts_s", 9.0)
    return span(
        span_id,
        SpanKind.AGENT,
        agent=agent,
        input_messages=None if question is None else (user(question),),
        output_messages=None if answer is None else (assistant(answer),),
        **fields,
    )


def llm_span(
    span_id: str = "l1",
    prompt: str | Sequence[Message] | None = None,
    reply: str | Message | None = None,
    **fields: Any,
) -> Span:
    """Build a model call: a text becomes one user or one assistant message."""
    messages = (user(prompt),) if isinstance(prompt, str) else prompt
    answer = assistant(reply) if isinstance(reply, str) else reply
    fields.setdefault("parent_id", "a1")
    return span(
        span_id,
        SpanKind.LLM,
        input_messages=None if messages is None else tuple(messages),
        output_messages=None if answer is None else (answer,),
        **fields,
    )


def tool_span(
    span_id: str = "x1",
    tool_name: str = "stock",
    arguments: Value = None,
    result: Value = None,
    *,
    call_id: str | None = None,
    fact: ToolFact | None = None,
    **fields: Any,
) -> Span:
    """Build a tool execution; *fact* replaces everything about the tool."""
    fields.setdefault("parent_id", "a1")
    told = fact or ToolFact(name=tool_name, call_id=call_id, arguments=arguments, result=result)
    return span(span_id, SpanKind.TOOL, tool=told, **fields)


def retriever_span(
    span_id: str = "r1",
    query: str | None = None,
    documents: Iterable[Document | str] | None = (),
    *,
    collection: str | None = None,
    **fields: Any,
) -> Span:
    """Build a search; texts become documents `p-1`, `p-2`, …; None is not captured."""
    fields.setdefault("parent_id", "a1")
    found = None if documents is None else tuple(map(_document, documents, _counting()))
    fact = RetrievalFact(query=query, collection=collection, documents=found)
    return span(span_id, SpanKind.RETRIEVER, retrieval=fact, **fields)


def router_span(
    span_id: str = "o1",
    *chosen: str,
    candidates: Iterable[str] = (),
    inferred: bool = False,
    **fields: Any,
) -> Span:
    """Build a router that chose these names among *candidates*."""
    fields.setdefault("parent_id", "a1")
    fact = RouteFact(
        chosen=chosen,
        candidates=tuple(map(definition, candidates)),
        inferred=inferred,
    )
    return span(span_id, SpanKind.ROUTER, route=fact, **fields)


def handoff_span(
    span_id: str = "h1",
    target: str | None = "orders",
    source: str | None = None,
    **fields: Any,
) -> Span:
    """Build a handoff to *target*."""
    fields.setdefault("parent_id", "a1")
    fact = HandoffFact(target=target, source=source)
    return span(span_id, SpanKind.TOOL, handoff=fact, **fields)


def document(document_id: str | None = "p-1", text: str | None = "", **fields: Any) -> Document:
    """Build a retrieved passage as a span tells it."""
    return Document(document_id=document_id, text=text, **fields)


def definition(
    name: str, description: str | None = None, parameters: Value = None
) -> ToolDefinition:
    """Build an entry of a catalogue."""
    return ToolDefinition(name=name, description=description, parameters=parameters)


# Messages


def message(
    text: str | None = "Hello",
    role: Literal["system", "user", "assistant", "tool"] = "user",
    **fields: Any,
) -> Message:
    """Build a message of any role."""
    return Message(role=role, text=text, **fields)


def user(text: str) -> Message:
    """Build a user's message."""
    return message(text, "user")


def assistant(text: str | None, *requests: ToolRequest) -> Message:
    """Build an assistant's message with text, tool requests or both."""
    return message(text, "assistant", tool_requests=requests)


def system(text: str) -> Message:
    """Build a system message."""
    return message(text, "system")


def request(
    name: str = "stock", arguments: Value = None, call_id: str | None = "c1"
) -> ToolRequest:
    """Build a model's wish to call a tool."""
    return ToolRequest(call_id=call_id, name=name, arguments=arguments)


def tool_reply(
    result: Value,
    call_id: str | None = "c1",
    *,
    name: str | None = None,
    is_error: bool = False,
) -> Message:
    """Build the message that carries a tool's result back to the model."""
    response = ToolResponse(call_id=call_id, name=name, result=result, is_error=is_error)
    return message(None, "tool", tool_responses=(response,))


# Stage records


def gap(
    reason: str = "answer_not_captured",
    stage: Stage | Literal["turn"] = "generation",
    span_id: str | None = None,
) -> Gap:
    """Build a gap."""
    return Gap(stage=stage, reason=reason, span_id=span_id)


def choice(name: str = "shop-bot", *, span_id: str | None = "a1", recorded: bool = True) -> Choice:
    """Build a routing decision."""
    return Choice(name=name, span_id=span_id, recorded=recorded)


def catalogue(
    agent: str | None = "shop-bot",
    tools: Iterable[str | ToolDefinition] = (),
    collections: Iterable[str] = (),
    agents: Iterable[str | ToolDefinition] = (),
    **fields: Any,
) -> Catalogue:
    """Build what one agent could choose from; names become bare definitions."""
    return Catalogue(
        agent=agent,
        tools=tuple(map(_definition, tools)),
        collections=tuple(collections),
        agents=tuple(map(_definition, agents)),
        **fields,
    )


def routing(
    agents: Iterable[str] = ("shop-bot",),
    collections: Iterable[str] = (),
    tools: Iterable[str] = (),
    *,
    refined_query: str | Choice | None = None,
    **fields: Any,
) -> Routing:
    """Build the routing of a turn; every name is a recorded choice."""
    refined = choice(refined_query) if isinstance(refined_query, str) else refined_query
    return Routing(
        agents=tuple(map(choice, agents)),
        collections=tuple(map(choice, collections)),
        tools=tuple(map(choice, tools)),
        refined_query=refined,
        **fields,
    )


def tool_call(
    name: str = "stock",
    arguments: Value = None,
    result: Value = "7 left",
    *,
    position: int = 1,
    call_id: str | None = None,
    status: Literal["ok", "error", "empty", "unknown"] = "ok",
    **fields: Any,
) -> ToolCall:
    """Build a tool call that worked, unless the test says otherwise."""
    return ToolCall(
        position=position,
        call_id=call_id or f"call-{position}",
        name=name,
        arguments=arguments,
        result=result,
        status=status,
        **fields,
    )


def chunk(
    chunk_id: str = "p-1",
    text: str | None = "Shoes: return window is 30 days.",
    rank: int = 1,
    *,
    in_context: bool | None = True,
    **fields: Any,
) -> Chunk:
    """Build a retrieved passage; the first rank is the rank unless given."""
    fields.setdefault("first_rank", rank)
    fields.setdefault("score", None)
    return Chunk(chunk_id=chunk_id, text=text, rank=rank, in_context=in_context, **fields)


def retrieval(
    chunks: Iterable[Chunk | str] = (),
    query: str | None = "return window shoes",
    *,
    position: int = 1,
    **fields: Any,
) -> Retrieval:
    """Build a search; texts become chunks `p-1`, `p-2`, … in that order."""
    found = tuple(map(_chunk, chunks, _counting()))
    fields.setdefault("retrieval_id", f"r{position}")
    fields.setdefault("status", "ok" if found else "empty")
    return Retrieval(position=position, query=query, chunks=found, **fields)


def evidence(
    evidence_id: str = "p-1",
    text: str = "Shoes: return window is 30 days.",
    kind: Literal["chunk", "tool_result"] = "chunk",
    *,
    from_turn: int = 1,
    **fields: Any,
) -> Evidence:
    """Build one thing that the model read."""
    return Evidence(evidence_id=evidence_id, kind=kind, text=text, from_turn=from_turn, **fields)


def paragraph(
    text: str = "Shoes may be returned within 30 days.",
    number: int = 1,
    *,
    kind: Literal["prose", "list", "table", "code"] = "prose",
    start: int = 0,
) -> Paragraph:
    """Build a block of an answer."""
    return Paragraph(paragraph=number, kind=kind, start=start, end=start + len(text), text=text)


def citation(
    target: str | None = "p-1",
    marker: str = "[1]",
    *,
    number: int = 1,
    paragraph: int | None = 1,
    start: int = 0,
    status: CitationStatus | None = None,
    **fields: Any,
) -> Citation:
    """Build a citation; without a target it is out of range."""
    return Citation(
        citation=number,
        marker=marker,
        start=start,
        end=start + len(marker),
        paragraph=paragraph,
        target=target,
        status=status or ("resolved" if target else "out_of_range"),
        **fields,
    )


def generation(
    answer: str | None = "Shoes may be returned within 30 days.",
    citations: Iterable[Citation] = (),
    **fields: Any,
) -> Generation:
    """Build an answer; its blocks are cut at blank lines unless given."""
    fields.setdefault("paragraphs", _blocks(answer or ""))
    fields.setdefault("source", "generated")
    return Generation(answer=answer, citations=tuple(citations), **fields)


def span_row(span_id: str = "a1", kind: str = "agent", **fields: Any) -> SpanRow:
    """Build one line of a waterfall."""
    defaults: dict[str, Any] = {
        "trace_id": "t1",
        "parent_id": None,
        "name": "",
        "stage": None,
        "start_ns": at(0),
        "end_ns": at(1),
        "status": "unset",
        "service": None,
        "convention": None,
    }
    return SpanRow(span_id=span_id, kind=kind, **(defaults | fields))


def turn(
    question: str | None = "How long may I return shoes?",
    answer: str | Generation | None = "Shoes may be returned within 30 days.",
    *,
    number: int = 1,
    conversation_id: str = "conv-1",
    chunks: Iterable[Chunk | str] | None = None,
    **fields: Any,
) -> Turn:
    """Build a turn.

    Args:
        question: The user message.
        answer: Its text, or a whole generation; None means no generation stage.
        number: Place in the conversation; also the minute at which the turn starts.
        conversation_id: Conversation it belongs to.
        chunks: What one search found; None means that no search ran. Chunks and tool
            results become evidence unless `evidence` is given.
        fields: Any other field of `Turn`.
    """
    if chunks is not None and "retrievals" not in fields:
        fields["retrievals"] = (retrieval(chunks),)
    if "evidence" not in fields:
        fields["evidence"] = _evidence(
            fields.get("retrievals", ()), fields.get("tool_calls", ()), number
        )
    made = generation(answer) if isinstance(answer, str) else answer
    defaults: dict[str, Any] = {
        "trace_ids": (f"t{number}",),
        "start_ns": at(60 * number),
        "end_ns": at(60 * number + 5),
        "agent": "shop-bot",
        "routing": routing(),
        "generation": made,
    }
    return Turn(
        conversation_id=conversation_id,
        turn=number,
        question=question,
        **(defaults | fields),
    )


def conversation(*turns: Turn, conversation_id: str | None = None) -> Conversation:
    """Build a conversation of these turns, whose numbers are left as they are."""
    named = turns[0].conversation_id if turns else "conv-1"
    return Conversation(conversation_id=conversation_id or named, turns=turns)


def _evidence(
    retrievals: Iterable[Retrieval], calls: Iterable[ToolCall], number: int
) -> tuple[Evidence, ...]:
    seen: dict[str, Evidence] = {}
    for search in retrievals:
        for found in search.chunks:
            if found.in_context is not False and found.text is not None:
                seen.setdefault(
                    found.chunk_id,
                    evidence(
                        found.chunk_id,
                        found.text,
                        from_turn=number,
                        collection=search.collection,
                    ),
                )
    for call in calls:
        if call.status != "unknown" and not call.is_retrieval:
            text = call.error or str(call.result or "(no result)")
            seen.setdefault(
                call.call_id,
                evidence(
                    call.call_id,
                    text,
                    "tool_result",
                    from_turn=number,
                    tool=call.name,
                    tool_status=call.status,
                ),
            )
    return tuple(seen.values())


def _blocks(answer: str) -> tuple[Paragraph, ...]:
    found = re.finditer(r"\S(?:.|\n(?!\n))*", answer)
    return tuple(
        paragraph(match[0].rstrip(), number, start=match.start())
        for number, match in enumerate(found, start=1)
    )


def _counting() -> Iterable[int]:
    return range(1, 10_000)


def _document(given: Document | str, number: int) -> Document:
    return document(f"p-{number}", given) if isinstance(given, str) else given


def _chunk(given: Chunk | str, number: int) -> Chunk:
    return chunk(f"p-{number}", given, number) if isinstance(given, str) else given


def _definition(given: str | ToolDefinition) -> ToolDefinition:
    return definition(given) if isinstance(given, str) else given
