"""Haystack under OpenInference.

    Pipeline.run            CHAIN
      ConditionalRouter.run     CHAIN    output {"hr": "How many vacation days?"}
      InMemoryBM25Retriever.run RETRIEVER
      PromptBuilder.run         LLM      output "[1] Employees accrue … Q: …"
      FakeGenerator.run         LLM

A router's output is keyed by the branch it took. A prompt builder is no model call.

Source: openinference-instrumentation-haystack 0.1; haystack-ai routers and builders.
"""

from dataclasses import replace

from ingest.conventions.openinference_messages import OUTPUT, payload
from ingest.span import RawSpan, RouteFact, Span, SpanKind, Value

_SCOPE = "openinference.instrumentation.haystack"
_ROUTER = "Router.run"
_BUILDER = "Builder.run"
_BESIDE = ("chat_generator_text",)
"""What a router puts out that is no branch."""


def recognises(raw: RawSpan) -> bool:
    """Tell spans of the Haystack instrumentor."""
    return raw.scope_name.startswith(_SCOPE)


def refine(span: Span) -> Span:
    """Add a router's decision; take builders of prompts and answers for what they are."""
    if span.raw.name.endswith(_BUILDER):
        return replace(span, kind=SpanKind.OTHER)
    if not span.raw.name.endswith(_ROUTER):
        return span
    taken = branches_taken(payload(span.raw.attributes, OUTPUT).value)
    return replace(span, kind=SpanKind.ROUTER, route=RouteFact(chosen=taken)) if taken else span


def branches_taken(output: Value) -> tuple[str, ...]:
    """Return the branches of a router on which something was put out."""
    branches = output if isinstance(output, dict) else {}
    return tuple(
        branch
        for branch, value in branches.items()
        if branch not in _BESIDE and value not in (None, [], {})
    )
