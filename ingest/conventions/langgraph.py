"""LangChain and LangGraph, as OpenInference and others record them.

    support_agent   AGENT    metadata {"thread_id": "conv-42"}
      router        CHAIN    metadata {"langgraph_node": "router"}   output "hr_policies"
        RunnableCallable     metadata {"langgraph_node": "router"}   output "rewrite"
      rewrite       CHAIN    metadata {"langgraph_node": "rewrite"}  output "vacation days"

A node is a step whose name is its `langgraph_node`; a node's output with one key is recorded
without the key. Below a node, a callable that takes the whole state and puts out one name is
a conditional edge: it decided which node comes next.

Source: openinference-instrumentation-langchain 0.1; langgraph, Pregel and `Command`.
"""

import re
from dataclasses import replace

from ingest.conventions import routes
from ingest.conventions.failures import control_flow
from ingest.conventions.identity import metadata_of
from ingest.conventions.lookup import first_id, get
from ingest.conventions.openinference_messages import INPUT, payload
from ingest.span import HandoffFact, RawSpan, RouteFact, Span, SpanKind, Value

_SCOPE = "openinference.instrumentation.langchain"
_EDGE = "RunnableCallable"
_EDGE_NAME = re.compile(
    r"(?i)(?:.*_)?(?:should|route|decide|select|edge|condition|branch|next)(?:_.*)?"
)
_STEP_NAMES = frozenset({"agent", "call_model", "model"})
_GOTO = re.compile(r"goto=['\"]([\w.\- ]{1,100})['\"]")


def recognises(raw: RawSpan) -> bool:
    """Tell spans of the LangChain instrumentor, or of a LangGraph step without its scope."""
    return raw.scope_name.startswith(_SCOPE) or "langgraph_step" in metadata_of(raw.attributes)


def refine(span: Span) -> Span:
    """Add decisions of nodes and edges, rewritten queries, and handoffs by `Command`."""
    attributes = span.raw.attributes
    named = replace(span, model=span.model or first_id(metadata_of(attributes), "ls_model_name"))
    took, gave = payload(attributes, INPUT).value, get(attributes, "output.value")
    return refine_step(named, span.raw.name, took, gave)


def refine_step(span: Span, name: str, took: Value, gave: Value) -> Span:
    """Do the same for a span of any recorder.

    Args:
        span: A span of a graph's run; its node is known.
        name: What the graph calls the step.
        took: What the step took, decoded.
        gave: What it gave.
    """
    is_node = span.node is not None and name == span.node
    if is_node and span.kind is SpanKind.AGENT and name in _STEP_NAMES:
        # a node called `agent` is the model's turn inside an agent, no agent of its own
        span = replace(span, kind=SpanKind.OTHER, agent=None)
    handoff = _handoff(span, gave)
    if handoff is not None:
        return replace(span, handoff=handoff)
    if _is_edge(span, name, took):
        chosen = routes.chosen_of(gave)
        if chosen:
            return replace(span, kind=SpanKind.ROUTER, route=RouteFact(chosen=chosen))
    return routes.refine(span, is_step=is_node, name=name)


def refine_any(span: Span, name: str, took: Value, gave: Value) -> Span:
    """Do the same for a span of which it is not known whether it ran in a graph."""
    if span.node is not None:
        return refine_step(span, name, took, gave)
    return routes.refine(span, is_step=routes.is_step_name(name), name=name)


def _is_edge(span: Span, name: str, took: Value) -> bool:
    """Tell a conditional edge from other callables that run inside a node."""
    if span.kind is not SpanKind.OTHER or span.node is None or name == span.node:
        return False
    if name != _EDGE and not _EDGE_NAME.fullmatch(name[:200]):
        return False
    return isinstance(took, dict | list)


def _handoff(span: Span, gave: Value) -> HandoffFact | None:
    """Return the target of a `Command(goto=…)` that a tool or a node ended with."""
    words = control_flow(span.raw)
    if words is None and span.kind is SpanKind.TOOL:
        words = gave if isinstance(gave, str) and gave.startswith("Command(") else None
    found = _GOTO.search(words[:10_000]) if words else None
    if found is None:
        return span.handoff
    return HandoffFact(target=found[1], source=span.node)
