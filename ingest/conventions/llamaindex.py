"""LlamaIndex under OpenInference.

    Sel._select                 CHAIN      input {"choices": [{"name": "hr", …}], "query": …}
                                           output {"selections": [{"index": 0, "reason": …}]}
    VectorIndexRetriever.retrieve   RETRIEVER, with documents
      VectorIndexRetriever._retrieve    RETRIEVER, without

A selector answers with positions among its choices. Public methods call private twins of the
same name: one act, recorded twice.

Source: openinference-instrumentation-llama-index 4.6; llama-index-core selectors.
"""

from collections.abc import Mapping
from dataclasses import replace

from ingest.conventions.catalogues import read_definitions
from ingest.conventions.openinference_messages import INPUT, OUTPUT, payload
from ingest.span import RawSpan, RouteFact, Span, SpanKind, Value

_SCOPE = "openinference.instrumentation.llama_index"
_DOUBLED = frozenset(
    {SpanKind.RETRIEVER, SpanKind.RERANKER, SpanKind.EMBEDDING, SpanKind.LLM, SpanKind.AGENT}
)


def recognises(raw: RawSpan) -> bool:
    """Tell spans of the LlamaIndex instrumentor."""
    return raw.scope_name.startswith(_SCOPE)


def refine(span: Span) -> Span:
    """Add a selector's decision; mark the inner of two spans for one act as synthetic."""
    _, _, method = span.raw.name.rpartition(".")
    if span.kind in _DOUBLED and method.startswith("_"):
        return replace(span, synthetic=True)
    route = _selection(span) if "select" in method else None
    return span if route is None else replace(span, kind=SpanKind.ROUTER, route=route)


def _selection(span: Span) -> RouteFact | None:
    attributes = span.raw.attributes
    selected = payload(attributes, OUTPUT).value
    asked = payload(attributes, INPUT).value
    selections = selected.get("selections") if isinstance(selected, dict) else None
    if not isinstance(selections, list):
        return None
    choices = read_definitions(asked.get("choices")) if isinstance(asked, dict) else None
    names = [choice.name for choice in choices or ()]
    picked = [_index(selection) for selection in selections if isinstance(selection, dict)]
    chosen = tuple(names[i] for i in picked if i is not None and 0 <= i < len(names))
    return RouteFact(chosen=chosen, candidates=choices or ())


def _index(selection: Mapping[str, Value]) -> int | None:
    index = selection.get("index")
    return index if isinstance(index, int) and not isinstance(index, bool) else None
