"""Tokens and time of a turn: counted once, and to the stage that spent them.

    routing      routers, handoffs, and model calls that choose what to fetch
    retrieval    retrievers, rerankers, embeddings, tools, and model calls inside them
    generation   the call that wrote the answer, and model calls after the last fetch

Agents repeat the sums of their children, so only model calls count; an agent's own sum is
taken where no model call tells.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ingest.span import Span, SpanKind, Usage
from stages.handoffs import hands_over
from stages.model_calls import ModelCall
from stages.records import Stage, StageUse
from stages.run import Run

_FETCHING = (SpanKind.RETRIEVER, SpanKind.RERANKER, SpanKind.EMBEDDING, SpanKind.TOOL)
_STAGES: tuple[Stage, ...] = ("routing", "retrieval", "generation")


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Tokens of a turn; None where nothing tells."""

    input_tokens: int | None
    output_tokens: int | None
    cached_tokens: int | None


def stages_of(run: Run, writer: ModelCall | None) -> dict[str, Stage]:
    """Return the stage that each span is counted to, by span id; containers have none."""
    stages: dict[str, Stage] = {}
    for span in run.acting:
        if span.span_id in run.delegations:
            continue  # It contains another agent's whole run.
        if span.kind is SpanKind.ROUTER or hands_over(span) or span.route:
            stages[span.span_id] = "routing"
        elif span.kind in _FETCHING:
            stages[span.span_id] = "retrieval"
    fetches = [s for s in run.acting if stages.get(s.span_id) == "retrieval"]
    last_fetch = max(fetches, key=run.tree.place, default=None)
    for call in run.calls:
        stage = _stage_of_call(run, call, writer, last_fetch)
        for span in call.recordings:
            stages[span.span_id] = stage
    return stages


def totals(run: Run) -> Totals:
    """Return the tokens of a turn."""
    usages = [call.usage for call in run.calls if call.usage is not None]
    if not usages:
        usages = list(_agents_own(run))
    return Totals(
        input_tokens=_sum(usage.input_tokens for usage in usages),
        output_tokens=_sum(usage.output_tokens for usage in usages),
        cached_tokens=_sum(usage.cached_tokens for usage in usages),
    )


def use_by_stage(run: Run, stages: Mapping[str, Stage]) -> dict[Stage, StageUse]:
    """Return time and tokens of each stage that ran."""
    found: dict[Stage, StageUse] = {}
    for stage in _STAGES:
        spans = [span for span in run.acting if stages.get(span.span_id) == stage]
        if spans:
            calls = [call for call in run.calls if stages.get(call.span.span_id) == stage]
            usages = [call.usage for call in calls if call.usage is not None]
            found[stage] = StageUse(
                duration_ms=covered_ms(spans),
                input_tokens=_sum(usage.input_tokens for usage in usages),
                output_tokens=_sum(usage.output_tokens for usage in usages),
            )
    return found


def covered_ms(spans: Sequence[Span]) -> float | None:
    """Return the wall-clock time that spans cover, overlaps once; None when none has times."""
    times = sorted(
        (span.raw.start_ns, span.raw.end_ns)
        for span in spans
        if span.raw.start_ns is not None
        and span.raw.end_ns is not None
        and span.raw.end_ns >= span.raw.start_ns
    )
    if not times:
        return None
    total, reached = 0, times[0][0]
    for start, end in times:
        total += max(0, end - max(start, reached))
        reached = max(reached, end)
    return total / 1e6


def _stage_of_call(
    run: Run, call: ModelCall, writer: ModelCall | None, last_fetch: Span | None
) -> Stage:
    if writer is not None and call.span is writer.span:
        return "generation"
    if call.span.route is not None or run.inside(call.span, SpanKind.ROUTER):
        return "routing"
    if run.inside(call.span, *_FETCHING):
        return "retrieval"
    if call.asks_for_tools:
        return "routing"
    place = run.tree.place
    if last_fetch is not None:
        return "routing" if place(call.span) < place(last_fetch) else "generation"
    before_writer = writer is not None and place(call.span) < place(writer.span)
    return "routing" if before_writer else "generation"


def _agents_own(run: Run) -> Iterable[Usage]:
    """Yield the sums of the topmost agents that have one, none of them twice."""
    summed: set[str] = set()
    agents = run.of_kind(SpanKind.AGENT)
    for span in sorted(agents, key=lambda span: run.tree.depths[span.span_id]):
        above = run.tree.nearest(span, SpanKind.AGENT)
        inside = above is not None and above.span_id in summed
        if span.usage is not None and not inside:
            yield span.usage
        if span.usage is not None or inside:
            summed.add(span.span_id)


def _sum(counts: Iterable[int | None]) -> int | None:
    told = [count for count in counts if count is not None]
    return sum(told) if told else None
