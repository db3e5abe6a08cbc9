"""LangChain as Azure AI's tracer records it: the standard's names, with a few of its own.

    invoke_agent router              metadata.langgraph.goto = "hr_policies"
    execute_tool VectorStore         gen_ai.tool.type = "retriever"
                                     gen_ai.retriever.query   = "vacation days"
                                     gen_ai.retriever.results = [{"content": "…", "metadata": {…}}]
    execute_tool transfer_to_hr      metadata.langgraph.goto = "hr_agent"

Every node of a graph is an agent here. Where one went on by a command of its own, its target
is recorded: a decision of a node, a handoff of a tool.

Source: langchain-azure-ai 1.2, inference tracing.
"""

from dataclasses import replace

from ingest.conventions.gen_ai_steps import read_retrieval
from ingest.conventions.lookup import get
from ingest.conventions.routes import chosen_of
from ingest.span import HandoffFact, RawSpan, RouteFact, Span, SpanKind

_GOTO = "metadata.langgraph.goto"
_TYPE = "gen_ai.tool.type"
_RETRIEVER = "retriever"


def recognises(raw: RawSpan) -> bool:
    """Tell spans that went on by a command, and retrievers."""
    attributes = raw.attributes
    return get(attributes, _TYPE) == _RETRIEVER or get(attributes, _GOTO) is not None


def refine(span: Span) -> Span:
    """Take retrievers for what they are; add where a step went on to."""
    attributes = span.raw.attributes
    if get(attributes, _TYPE) == _RETRIEVER:
        found = read_retrieval(span.raw)
        return replace(span, kind=SpanKind.RETRIEVER, tool=None, retrieval=found)
    chosen = chosen_of(get(attributes, _GOTO))
    if not chosen or span.route is not None:
        return span
    if span.kind is not SpanKind.TOOL:
        return replace(span, route=RouteFact(chosen=chosen))
    handoff = HandoffFact(target=chosen[0], source=span.agent)
    return replace(span, handoff=span.handoff or handoff)
