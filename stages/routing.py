"""Routing of a turn: which agents handled it, and what they chose.

Evidence in order of trust: a recorded handoff, a recorded decision of a router or graph
edge, the agent or node that was then entered, the collection that was then searched, a
model's text. `Choice.recorded` tells the first two from the rest.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ingest.span import Span, SpanKind, ToolDefinition
from stages.handoffs import hands_over, target_of
from stages.model_calls import ModelCall
from stages.names import Known
from stages.records import Catalogue, Choice, Gap, Retrieval, Routing, ToolCall
from stages.run import Run
from stages.wording import same_words


def routing_of(
    run: Run,
    known: Known,
    question: str | None,
    retrievals: Sequence[Retrieval],
    calls: Sequence[ToolCall],
    catalogues: Mapping[str | None, Catalogue],
    writer: ModelCall | None,
) -> Routing:
    """Gather what was chosen in a turn.

    Args:
        run: The turn.
        known: The names of the turn, by what they are of.
        question: The user's message, to tell a reformulation from it.
        retrievals: What was searched, by start.
        calls: What was called, by start.
        catalogues: What each agent could choose from.
        writer: The model call that wrote the answer.
    """
    return Routing(
        agents=tuple(_agents(run, known, writer)),
        candidates=_candidates(run, catalogues.values()),
        collections=tuple(_collections(run, known, retrievals)),
        tools=tuple(_tools(calls)),
        refined_query=_refined_query(run, question, retrievals),
        catalogues=tuple(catalogues.values()),
    )


def routing_gaps(routing: Routing, retrievals: Sequence[Retrieval]) -> Iterator[Gap]:
    """Yield what the trace does not tell about the choices."""
    decided = routing.collections or routing.tools or len(routing.agents) > 1
    if retrievals and not decided:
        yield Gap(stage="routing", reason="routing_not_recorded", span_id=retrievals[0].span_id)


def _agents(run: Run, known: Known, writer: ModelCall | None) -> list[Choice]:
    """Return the agents in the order in which they took over; the last one answered."""
    passed: dict[str, list[str]] = {}
    for span in run.acting:
        if targets := [known.agent_named(target) for target in _targets(span, known)]:
            passed[span.span_id] = targets
    told = {target for targets in passed.values() for target in targets}
    for call in run.calls:
        wished = [known.agent_named(target) for target in _wished_targets(call)]
        if wished and not told.issuperset(wished):
            passed[call.span.span_id] = wished
    entered: list[Choice] = []
    expected: set[str] = set()
    for span in run.acting:
        for target in passed.get(span.span_id, ()):
            expected.add(target)
            entered.append(Choice(name=target, span_id=span.span_id, recorded=True))
        if span.kind is SpanKind.AGENT and span.agent and span.agent not in expected:
            recorded = not entered
            entered.append(Choice(name=span.agent, span_id=span.span_id, recorded=recorded))
        expected.discard(span.agent or "")
    answered = writer.agent if writer is not None else None
    if writer is not None and answered and (not entered or entered[-1].name != answered):
        recorded = not entered
        entered.append(Choice(name=answered, span_id=writer.span.span_id, recorded=recorded))
    named = next((span for span in run.acting if span.agent), None)
    if not entered and named is not None and named.agent:
        entered.append(Choice(name=named.agent, span_id=named.span_id, recorded=True))
    return [
        choice
        for index, choice in enumerate(entered)
        if index == 0 or choice.name != entered[index - 1].name
    ]


def _targets(span: Span, known: Known) -> Iterator[str]:
    """Yield the agents that a span says it passed control to."""
    if span.handoff is not None and span.handoff.target:
        yield span.handoff.target
    elif span.tool is not None and hands_over(span):
        if (target := target_of(span.tool.name, span.tool.arguments)) is not None:
            yield target
    elif span.route is not None:
        yield from (name for name in span.route.chosen if known.kind_of(name) == "agent")


def _wished_targets(call: ModelCall) -> Iterator[str]:
    for message in call.wrote:
        for request in message.tool_requests:
            if (target := target_of(request.name, request.arguments)) is not None:
                yield target


def _candidates(run: Run, catalogues: Iterable[Catalogue]) -> tuple[ToolDefinition, ...]:
    recorded = [c for span in run.acting if span.route for c in span.route.candidates]
    offered = recorded or [agent for catalogue in catalogues for agent in catalogue.agents]
    distinct: dict[str, ToolDefinition] = {}
    for candidate in offered:
        distinct.setdefault(candidate.name, candidate)
    return tuple(distinct.values())


def _collections(run: Run, known: Known, retrievals: Sequence[Retrieval]) -> Iterator[Choice]:
    """Yield the collections routed to, then those searched, each once."""
    seen: set[str] = set()
    for span in run.acting:
        for name in span.route.chosen if span.route else ():
            if name not in seen and _is_collection(name, span, known, retrievals):
                seen.add(name)
                recorded = span.route is not None and not span.route.inferred
                yield Choice(name=name, span_id=span.span_id, recorded=recorded)
    for retrieval in retrievals:
        name = retrieval.collection or ""
        if name and name not in seen:
            seen.add(name)
            yield Choice(
                name=name, span_id=retrieval.span_id, recorded=not retrieval.collection_inferred
            )


def _is_collection(name: str, span: Span, known: Known, retrievals: Sequence[Retrieval]) -> bool:
    candidates = [c.name for c in span.route.candidates] if span.route else []
    kind = known.kinds_of([name, *candidates])[name]
    if kind is not None:
        return kind == "collection"
    # A name that nothing else bears, and a search whose collection was not recorded.
    return any(retrieval.collection is None for retrieval in retrievals)


def _tools(calls: Sequence[ToolCall]) -> Iterator[Choice]:
    seen: set[str] = set()
    for call in calls:
        if call.name not in seen:
            seen.add(call.name)
            yield Choice(name=call.name, span_id=call.span_id, recorded=True)


def _refined_query(
    run: Run, question: str | None, retrievals: Sequence[Retrieval]
) -> Choice | None:
    recorded = [span for span in run.spans if span.refined_query]
    if recorded:
        first_search = next((r.span_id for r in retrievals if r.span_id), None)
        search = next((s for s in run.spans if s.span_id == first_search), None)
        before = [
            s for s in recorded if search is None or run.tree.place(s) <= run.tree.place(search)
        ]
        span = (before or recorded)[-1]
        return Choice(name=span.refined_query or "", span_id=span.span_id, recorded=True)
    for retrieval in retrievals:
        if retrieval.query and question and not same_words(retrieval.query, question):
            return Choice(name=retrieval.query, span_id=retrieval.span_id, recorded=False)
    return None
