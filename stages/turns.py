"""Drafts of turns: what each stage did, read from the spans of one trace.

    spans ──tree──▶ forest ──splitting──▶ runs ──┬─ question, answer
                                                 ├─ tool calls, retrievals, context
                                                 └─ routing, tokens, time

Pure, and independent of the order in which the spans come.
"""

from collections.abc import Iterator, Sequence

from ingest.span import Span, SpanKind
from stages.catalogues import catalogues_of, reachable_collections
from stages.context import Prompt, prompt_of, with_context
from stages.drafts import TurnDraft
from stages.evidence import evidence_of
from stages.executions import executions
from stages.generation import Written, written
from stages.language import detect
from stages.model_calls import ModelCall
from stages.names import known_names
from stages.questions import history_of, question_of
from stages.records import Gap, Retrieval, Turn
from stages.retrievals import retrievals_of
from stages.routing import routing_gaps, routing_of
from stages.run import Run, run_of
from stages.span_rows import span_rows
from stages.splitting import turns_in
from stages.told_turns import told_turn
from stages.tools import call_ids, tool_calls, tool_gaps
from stages.tree import Tree, acts, grow
from stages.usage import stages_of, totals, use_by_stage
from stages.wording import squeezed

_AGENTIC = (SpanKind.AGENT, SpanKind.LLM, SpanKind.TOOL, SpanKind.RETRIEVER)
_TELLING = 20
"""Shorter texts of one model call stand in the prompt of another by chance."""


def build_drafts(trace_id: str, spans: Sequence[Span]) -> list[TurnDraft]:
    """Return the turns of one trace in time order; none when its spans belong to no agent."""
    tree = grow(spans)
    drafts: list[TurnDraft] = []
    for part in turns_in(tree):
        if any(span.kind in _AGENTIC for span in part if acts(span)):
            run = run_of(tree, part)
            drafts.append(_draft(run, _conversation_id(trace_id, tree, part, run)))
    return drafts


def conversation_id_of(trace_id: str, spans: Sequence[Span]) -> str:
    """Return the conversation that a trace belongs to; a trace without an id is its own.

    The root's id wins, then the spans' own in order of start, an inner agent's private id
    last. Turns of one trace may still differ: `TurnDraft.conversation_id` decides.
    """
    tree = grow(spans)
    if not tree.acting:
        return _first_id(tree.spans) or trace_id
    return _conversation_id(trace_id, tree, tree.spans, run_of(tree, tree.spans))


def _conversation_id(trace_id: str, tree: Tree, part: Sequence[Span], run: Run) -> str:
    top_id = tree.top_ids[run.root.span_id]
    tops = [top for top in tree.tops if top.span_id == top_id]
    ordered = [*tops, run.root, *sorted(part, key=tree.place)]
    return _first_id(ordered) or _first_id(tree.spans) or trace_id


def _first_id(spans: Sequence[Span]) -> str | None:
    for weak in (False, True):
        for span in spans:
            if span.conversation_id and span.conversation_weak is weak:
                return span.conversation_id
    return None


def _draft(run: Run, conversation_id: str) -> TurnDraft:
    question = question_of(run)
    answered = written(run)
    answer = answered.generation.answer if answered.generation else None
    calls_made = executions(run, answer)
    found = retrievals_of(run, calls_made, call_ids(calls_made))
    prompt = prompt_of(_readers(run, answered.call))
    retrievals = with_context(found.retrievals, prompt)
    known = known_names(run, _collections(run, retrievals))
    catalogues = catalogues_of(run, known)
    calls = tool_calls(run, calls_made, catalogues, found.searches)
    routing = routing_of(run, known, question, retrievals, calls, catalogues, answered.call)
    stages = stages_of(run, answered.call)
    tokens = totals(run)
    gaps = (
        *_question_gaps(run, question),
        *routing_gaps(routing, retrievals),
        *tool_gaps(calls_made),
        *found.gaps,
        *_prompt_gaps(retrievals, answered, prompt),
        *answered.gaps,
    )
    root = run.outermost
    turn = Turn(
        conversation_id=conversation_id,
        turn=0,
        trace_ids=(root.trace_id,),
        start_ns=_start_ns(run),
        end_ns=_end_ns(run),
        question=question,
        language=detect(question) if question else None,
        answer_language=detect(answer) if answer else None,
        agent=routing.agents[-1].name if routing.agents else None,
        model=_model(run, answered.call),
        service=next((s.raw.service for s in (root, *run.spans) if s.raw.service), None),
        tenant=next((s.tenant for s in (root, *run.spans) if s.tenant), None),
        routing=routing,
        retrievals=retrievals,
        tool_calls=calls,
        generation=answered.generation,
        evidence=evidence_of(retrievals, calls, found.first_seen_ns, turn=0),
        gaps=tuple(dict.fromkeys(gaps)),
        complete=answered.complete,
        flags=tuple(sorted({word for span in run.spans for word in span.flags})),
        input_tokens=tokens.input_tokens,
        output_tokens=tokens.output_tokens,
        cached_tokens=tokens.cached_tokens,
        use=use_by_stage(run, stages),
        error=root.error is not None or run.root.error is not None,
        golden_id=next((s.golden_id for s in (root, *run.spans) if s.golden_id), None),
        versions={k: v for s in reversed((root, *run.spans)) for k, v in s.versions.items()},
        spans=tuple(span_rows(run, stages)),
    )
    return TurnDraft(
        turn=turn,
        history=history_of(run, question),
        prompt=prompt,
        native=answered.native,
        listed=answered.listed,
        links=tuple(dict.fromkeys(link.trace_id for s in run.spans for link in s.raw.links)),
        told_turn=told_turn(run.spans),
    )


def _readers(run: Run, writer: ModelCall | None) -> list[ModelCall]:
    """Return the call that wrote the answer and those whose words it rests on, writer first.

    An agent that answers from another agent's reply, or from a summary, has not read the
    sources itself; whoever wrote the reply has.
    """
    if writer is None:
        return []
    place = run.tree.place
    readers = [writer]
    relayed = _relayed(run)
    prompt = prompt_of(readers)
    for call in reversed(run.calls):
        if call.span is writer.span or place(call.span) > place(writer.span):
            continue
        words = squeezed(call.text or "")
        quoted = prompt is not None and len(words) >= _TELLING and prompt.holds(words)
        if quoted or call.span.span_id in relayed:
            readers.append(call)
            prompt = prompt_of(readers)
    return readers


def _relayed(run: Run) -> set[str]:
    """Return the last model call of each agent that a tool ran."""
    found: set[str] = set()
    for agent in run.delegations.values():
        below = {span.span_id for span in run.tree.below(agent)}
        inside = [call for call in run.calls if call.span.span_id in below]
        if inside:
            found.add(inside[-1].span.span_id)
    return found


def _collections(run: Run, retrievals: Sequence[Retrieval]) -> Iterator[str]:
    for retrieval in retrievals:
        if retrieval.collection:
            yield retrieval.collection
        yield from (chunk.collection for chunk in retrieval.chunks if chunk.collection)
    for span in run.acting:
        for tool in span.tools_available or ():
            for values in reachable_collections(tool).values():
                yield from values


def _question_gaps(run: Run, question: str | None) -> Iterator[Gap]:
    if question is None:
        yield Gap(stage="turn", reason="question_not_captured", span_id=run.root.span_id)


def _prompt_gaps(
    retrievals: Sequence[Retrieval], answered: Written, prompt: Prompt | None
) -> Iterator[Gap]:
    if answered.generation is None or not any(r.chunks for r in retrievals):
        return
    span_id = answered.call.span.span_id if answered.call else answered.generation.span_id
    if prompt is None:
        yield Gap(stage="generation", reason="prompt_not_captured", span_id=span_id)
    elif not prompt.whole:
        yield Gap(stage="generation", reason="prompt_truncated", span_id=span_id)
    elif all(c.in_context is None for r in retrievals for c in r.chunks):
        yield Gap(stage="generation", reason="context_not_captured", span_id=span_id)


def _model(run: Run, writer: ModelCall | None) -> str | None:
    if writer is not None and writer.model:
        return writer.model
    named = (call.model for call in run.calls if call.model)
    return next(named, None) or next((span.model for span in run.agents if span.model), None)


def _start_ns(run: Run) -> int | None:
    if run.outermost.raw.start_ns is not None:
        return run.outermost.raw.start_ns
    return min((s.raw.start_ns for s in run.acting if s.raw.start_ns is not None), default=None)


def _end_ns(run: Run) -> int | None:
    """Return when the outermost steps ended; without any, when the last span did."""
    tops = [span for span in run.agents if run.tree.depths[span.span_id] == 0]
    spans = run.frames[:1] or tops or run.acting
    return max((s.raw.end_ns for s in spans if s.raw.end_ns is not None), default=None)
