"""Conventions: whose attribute names mean what.

    RawSpan ──recognises──▶ every convention that knows it ──convert──▶ Span
                                                    facts merged, the first one decides

Each convention is a module with two functions, `recognises` and `convert`; nothing outside
this package knows a vendor's attribute name. A span that no convention recognises keeps its
place in the tree, has kind OTHER and no facts, and its attributes are never decoded.

Formats that are not OTLP arrive as attributes, too. Their readers keep the names that the
producer would have written on a span, and wrap nothing into text that was none:

    Jaeger, Tempo, Zipkin   tags as they are; `otel.scope.name` is the scope, logs are events
    console, Monocle        attributes and events as they are (`data.input`, `data.output`)
    Phoenix                 attributes under their dotted names, flat or nested
    Logfire, Pydantic AI    attributes as they are; rows of pending spans, too
    CloudWatch, ADOT        attributes as they are; a log record is an event with a body
    MLflow                  attributes as they are, the JSON text of each decoded once; the
                            root and the resource bear the trace's metadata and tags, too
                            (`mlflow.trace.session`, …)
    Langfuse                `langfuse.observation.` + type (lower case), input, output, level,
                            status_message, model.name, usage_details, completion_start_time;
                            `session.id` on each; `langfuse.trace.` + name, input, output on
                            the root. Of `metadata`, attributes are spread as they are,
                            resourceAttributes and scope are the span's own, and other keys
                            become `langfuse.observation.metadata.<key>`
    LangSmith               `langsmith.` + span.kind, inputs, outputs, error, dotted_order,
                            prompt_tokens, completion_tokens, invocation_params, span.tags;
                            `langsmith.metadata.<key>` of extra.metadata;
                            a run's error is the status and its message
    OpenAI Agents           `openai_agents.span_data` whole; `openai_agents.` + group_id,
                            workflow_name of the trace on each span; an error is the status
    TruLens                 `ai.observability.` names of record attributes
    DeepEval                `confident.span.` + type, name, input, output, retrieval_context, …
                            as its OTLP exporter names them; `confident.trace.thread_id`
    Datadog                 `meta`, `metrics`, `tags`, `session_id`, `ml_app` as they are, and
                            `kind`; no convention reads them, docs/mapping/datadog.toml does

A house's own names are no module: `to_span` is given a `HouseMapping` (see
`ingest.conventions.mapping`), whose rules stand above all conventions.

Deterministic, reads no files, fails on no input.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import reduce
from typing import Protocol

from ingest.attributes import Attributes
from ingest.conventions import (
    agent_framework,
    claude_agent_sdk,
    deepeval,
    gen_ai,
    google_adk,
    haystack_pipelines,
    langfuse,
    langsmith,
    logfire,
    mcp,
    mlflow,
    monocle,
    openai_agents_sdk,
    openinference,
    openllmetry,
    trulens,
    vector_db,
    vercel_ai,
)
from ingest.conventions.capture import content_of, is_cut
from ingest.conventions.identity import (
    GOLDEN_KEY,
    conversation_of,
    conversation_of_resource,
    golden_item_of,
    tenant_of,
    versions_of,
)
from ingest.conventions.mapping import NO_MAPPING, HouseMapping, refine
from ingest.conventions.merging import merge
from ingest.span import TRACE_ONLY, RawEvent, RawSpan, Span, SpanKind

_IDENTITY_MARKERS = (b"session.id", GOLDEN_KEY.encode())
_EVENT_PREFIXES = ("gen_ai.", "db.")


class _Module(Protocol):
    """What every module of a convention offers."""

    @property
    def NAME(self) -> str: ...  # noqa: N802 - constants of the module

    @property
    def MARKERS(self) -> tuple[bytes, ...]: ...  # noqa: N802

    def recognises(self, raw: RawSpan) -> bool: ...

    def convert(self, raw: RawSpan) -> Span: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Convention:
    """One way to record what an agent did."""

    name: str
    markers: tuple[bytes, ...]
    """Pieces of attribute names; a span that mentions none is not recognised by its keys."""
    recognises: Callable[[RawSpan], bool]
    convert: Callable[[RawSpan], Span]


def _convention(module: _Module) -> Convention:
    return Convention(
        name=module.NAME,
        markers=module.MARKERS,
        recognises=module.recognises,
        convert=module.convert,
    )


CONVENTIONS = (
    _convention(openinference),
    _convention(openllmetry),
    _convention(monocle),
    _convention(vercel_ai),
    _convention(langsmith),
    _convention(openai_agents_sdk),
    _convention(haystack_pipelines),
    _convention(trulens),
    _convention(google_adk),
    _convention(gen_ai),
    _convention(vector_db),
    _convention(mcp),
    _convention(logfire),
    _convention(agent_framework),
    _convention(mlflow),
    _convention(langfuse),
    _convention(deepeval),
)
"""The decisive one first: a kind made for a span outranks one read off its operation, and
whoever recorded a span knows more of it than the product that only keeps it."""

_LATEST_OUTPUT_MS = 1e12
"""Thirty years: no model takes longer, and a sum with such a number may overflow."""

_CORRECTIONS = ((claude_agent_sdk.recognises, claude_agent_sdk.refine),)
"""Libraries whose spans say under every convention what is not so."""

_SPAN_NAMES = google_adk.SPAN_NAMES
_SCOPES = (*openinference.SCOPES, *google_adk.SCOPES)
_MARKERS = tuple(marker for convention in CONVENTIONS for marker in convention.markers)


def to_span(raw: RawSpan, mapping: HouseMapping = NO_MAPPING) -> Span:
    """Translate a recorded span into the product's vocabulary.

    Args:
        raw: The span.
        mapping: What the house says of its own names; it outranks every convention.
    """
    rules = mapping.fitting(raw) if mapping.rules else ()
    if not _mentions(raw, *_MARKERS, *_IDENTITY_MARKERS):
        # No convention can know it, and the house at most by its own names.
        span = refine(Span(raw=raw, flags=raw.flags), rules)
        return span if span.kind is SpanKind.OTHER else _completed(span)
    told = told_by_conventions(raw)
    span = reduce(merge, told) if told else Span(raw=raw)
    for recognises, correct in _CORRECTIONS:
        span = correct(span) if recognises(raw) else span
    return _completed(refine(span, rules))


def to_spans(raws: Iterable[RawSpan], mapping: HouseMapping = NO_MAPPING) -> list[Span]:
    """Translate the spans of one trace.

    A record that stands for a whole trace gives way to the spans that recorded it: it keeps
    the conversation that it alone may tell, and does no stage's work.
    """
    spans = [to_span(raw, mapping) for raw in raws]
    if len(spans) == 1:
        return spans
    return [_giving_way(span) if TRACE_ONLY in span.raw.flags else span for span in spans]


def _giving_way(span: Span) -> Span:
    return Span(
        raw=span.raw,
        conventions=span.conventions,
        conversation_id=span.conversation_id,
        tenant=span.tenant,
        golden_id=span.golden_id,
        versions=span.versions,
        synthetic=True,
        flags=span.flags,
    )


def told_by_conventions(raw: RawSpan) -> list[Span]:
    """Return what each convention that recognises a span makes of it, the decisive first."""
    return [
        replace(convention.convert(raw), conventions=(convention.name,))
        for convention in CONVENTIONS
        if convention.recognises(raw)
    ]


def _completed(span: Span) -> Span:
    """Add what does not depend on the convention."""
    raw = span.raw
    conversation = span.conversation_id or conversation_of(raw.attributes)
    of_process = None if conversation else conversation_of_resource(raw.resource)
    flags = [*raw.flags, *span.flags]
    if isinstance(raw.attributes, Attributes):
        flags.extend(raw.attributes.flags)
    if is_cut(span):
        flags.append("truncated")
    first_output_ms = span.first_output_ms
    if first_output_ms is not None and not 0 <= first_output_ms <= _LATEST_OUTPUT_MS:
        flags.append("bad_time")
        first_output_ms = None
    return replace(
        span,
        first_output_ms=first_output_ms,
        conversation_id=conversation or of_process,
        conversation_weak=span.conversation_weak or of_process is not None,
        tenant=span.tenant or tenant_of(raw.attributes, raw.resource),
        golden_id=span.golden_id or golden_item_of(raw.attributes),
        versions=versions_of(raw.resource),
        content=content_of(span),
        flags=tuple(dict.fromkeys(flags)),
    )


def _mentions(raw: RawSpan, *markers: bytes) -> bool:
    """Tell whether any marker stands in the attributes, the events, the scope or the name.

    Attributes that are still bytes are searched as bytes.
    """
    if raw.scope_name.startswith(_SCOPES) or raw.name.startswith(_SPAN_NAMES):
        return True
    if any(map(_may_hold_content, raw.events)):
        return True
    if isinstance(raw.attributes, Attributes):
        return raw.attributes.mentions(*markers)
    names = [marker.decode() for marker in markers]
    return any(name in key for key in raw.attributes for name in names)


def _may_hold_content(event: RawEvent) -> bool:
    """Tell log records and events of conventions from exceptions and the like."""
    return event.body is not None or event.name.startswith(_EVENT_PREFIXES)
