"""LangChain and LangGraph under OpenInference.

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
from ingest.span import HandoffFact, RawSpan, RouteFact, Span, SpanKind

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
    is_node = span.node is not None and span.raw.name == span.node
    if is_node and span.kind is SpanKind.AGENT and span.raw.name in _STEP_NAMES:
        # a node called `agent` is the model's turn inside an agent, no agent of its own
        span = replace(span, kind=SpanKind.OTHER, agent=None)
    span = replace(
        span, model=span.model or first_id(metadata_of(span.raw.attributes), "ls_model_name")
    )
    handoff = _handoff(span)
    if handoff is not None:
        return replace(span, handoff=handoff)
    if _is_edge(span):
        chosen = routes.chosen_of(get(span.raw.attributes, "output.value"))
        if chosen:
            return replace(span, kind=SpanKind.ROUTER, route=RouteFact(chosen=chosen))
    return routes.refine(span, is_step=is_node)


def _is_edge(span: Span) -> bool:
    """Tell a conditional edge from other callables that run inside a node."""
    name = span.raw.name
    if span.kind is not SpanKind.OTHER or span.node is None or name == span.node:
        return False
    if name != _EDGE and not _EDGE_NAME.fullmatch(name[:200]):
        return False
    return isinstance(payload(span.raw.attributes, INPUT).value, dict | list)


def _handoff(span: Span) -> HandoffFact | None:
    """Return the target of a `Command(goto=…)` that a tool or a node ended with."""
    words = control_flow(span.raw)
    if words is None and span.kind is SpanKind.TOOL:
        output = get(span.raw.attributes, "output.value")
        words = output if isinstance(output, str) and output.startswith("Command(") else None
    found = _GOTO.search(words[:10_000]) if words else None
    if found is None:
        return span.handoff
    return HandoffFact(target=found[1], source=span.node)
