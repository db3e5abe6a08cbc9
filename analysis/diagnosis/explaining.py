"""One span, and the turn it ended in: what told each fact, and what was ignored.

    SPAN ──search──▶ its trace ─┬─ origins of its facts
                                └─ turn ─▶ for each fact the span, and on it the parts

A fact of the turn is due to the spans without which the turn would tell it otherwise; that
is tried out, one span after another.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from analysis.reading import shelve_drafts
from analysis.shelf import Shelf
from ingest import Limits
from ingest.conventions.leaving_out import causes
from ingest.conventions.mapping import NO_MAPPING, HouseMapping
from ingest.conventions.origins import Origins, origins_of
from ingest.errors import UsageError
from ingest.span import Span
from stages import Turn, TurnDraft, assemble, build_drafts
from stages.tree import by_start

_MOST_SHOWN = 5
_MOST_CANDIDATES = 48
_SAID: Final = ("output_messages", "output_text", "output_value")
_CHOSEN: Final = ("retrieval.collection", "route.chosen")
_REFINED: Final = ("refined_query", "retrieval.query", *_SAID)
_CONTENT: Final = ("input_messages", "input_text")


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFact:
    """One fact of a turn, and where it was read."""

    fact: str
    value: Any
    spans: tuple[str, ...]
    """Ids of the spans that told it, empty where it follows from other facts."""
    alike: bool = False
    """Each of them tells it alone."""
    parts: tuple[str, ...] = ()
    """On the first of them: what told it."""
    convention: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """All about one span."""

    origins: Origins
    turn: Turn | None
    """The turn that it ended in; None where it belongs to none."""
    facts: tuple[TurnFact, ...]
    names: dict[str, str]
    """Names of the spans of the trace, by id."""


def explain(
    sources: Sequence[str], wanted: str, limits: Limits, mapping: HouseMapping = NO_MAPPING
) -> Explanation:
    """Explain the span whose id begins with *wanted*.

    Args:
        sources: Files, folders, globs, or `-`.
        wanted: How the span id begins; `TRACE/SPAN` where both begin so.
        limits: Bounds on what is read.
        mapping: What the house says of its own names.

    Raises:
        UsageError: No span, or more than one, begins like that.
        SourceError: A source cannot be opened.
    """
    trace, _, span = wanted.lower().rpartition("/")
    search = _Search(trace, span)
    with Shelf(TurnDraft) as drafts:
        shelve_drafts(sources, limits, drafts, search.look_at, mapping)
        found, spans = search.result(wanted)
        numbered = build_drafts(found.trace_id, spans)
        place = _place_of(numbered, found)
        turn = None if place is None else _assembled(drafts, numbered[place])
    facts = () if turn is None or place is None else tuple(_turn_facts(turn, spans, place, mapping))
    return Explanation(
        origins=origins_of(found.raw, mapping),
        turn=turn,
        facts=facts,
        names={span.span_id: span.raw.name for span in spans},
    )


class _Search:
    """Keeps the trace of the span that is looked for, and the ids of others like it."""

    def __init__(self, trace: str, span: str) -> None:
        self._trace = trace
        self._span = span
        self._places: list[str] = []
        self._found: tuple[Span, list[Span]] | None = None

    def look_at(self, spans: Sequence[Span]) -> None:
        """Look at the spans of one trace."""
        if not spans or not spans[0].trace_id.lower().startswith(self._trace):
            return
        for span in spans:
            if span.span_id.lower().startswith(self._span):
                self._places.append(f"{span.trace_id}/{span.span_id}")
                if self._found is None or span.span_id.lower() == self._span:
                    self._found = (span, list(spans))

    def result(self, wanted: str) -> tuple[Span, list[Span]]:
        """Return the span and its trace."""
        exact = [place for place in self._places if place.endswith(f"/{self._span}")]
        places = exact if len(exact) == 1 else self._places
        if self._found is None:
            remedy = "Take an id from stagefault show CONVERSATION/TURN --json, or spans.parquet."
            raise UsageError("--explain", f"no span id begins with {wanted!r}", remedy)
        if len(places) > 1:
            shown = ", ".join(sorted(places)[:_MOST_SHOWN])
            problem = f"{len(places)} spans begin with {wanted!r}"
            raise UsageError("--explain", problem, f"Write one of TRACE/SPAN: {shown}")
        return self._found


def _place_of(drafts: Sequence[TurnDraft], span: Span) -> int | None:
    """Return which turn of the trace the span is in."""
    for place, draft in enumerate(drafts):
        if any(row.span_id == span.span_id for row in draft.turn.spans):
            return place
    return None


def _assembled(drafts: Shelf[TurnDraft], draft: TurnDraft) -> Turn:
    """Return the turn of a draft, numbered within its conversation."""
    wanted = [row.span_id for row in draft.turn.spans]
    for conversation_id, parts in drafts.groups():
        if conversation_id == draft.conversation_id:
            for turn in assemble(conversation_id, parts).turns:
                same_trace = turn.trace_ids == draft.turn.trace_ids
                if same_trace and [row.span_id for row in turn.spans] == wanted:
                    return turn
    return draft.turn


def _turn_facts(
    turn: Turn, spans: Sequence[Span], place: int, mapping: HouseMapping
) -> Iterator[TurnFact]:
    found = [*_read_facts(turn, spans, place), *_recorded_facts(turn)]
    known: dict[str, Origins] = {}
    raws = {span.span_id: span.raw for span in spans}
    for fact, source in found:
        first = fact.spans[0] if fact.spans else None
        if first is None or first not in raws:
            yield fact
            continue
        if first not in known:
            known[first] = origins_of(raws[first], mapping)
        told = [origin for origin in known[first].facts if origin.fact in source]
        parts = tuple(dict.fromkeys(part for origin in told for part in origin.parts))
        convention = told[0].rule or told[0].convention if told else None
        yield replace(fact, parts=parts, convention=convention)


_Sourced = tuple[TurnFact, tuple[str, ...]]
"""A fact of the turn, and the facts of a span that it is made of."""


def _read_facts(turn: Turn, spans: Sequence[Span], place: int) -> Iterator[_Sourced]:
    """Yield the facts for which it has to be tried out which spans tell them."""
    own = {row.span_id for row in turn.spans}
    mine = sorted((span for span in spans if span.span_id in own), key=by_start)

    def tried(
        name: str, value: Any, fields: Sequence[str], look: Callable[[Turn], Any]
    ) -> _Sourced:
        telling = [s.span_id for s in mine if any(getattr(s, field) for field in fields)]

        def result(gone: frozenset[str]) -> Any:
            left = [_bare(span, fields) if span.span_id in gone else span for span in spans]
            drafts = build_drafts(turn.trace_ids[0], left)
            return look(drafts[place].turn) if place < len(drafts) else None

        due, alike = causes(telling[:_MOST_CANDIDATES], result)
        return TurnFact(fact=name, value=value, spans=due, alike=alike), tuple(fields)

    yield tried("question", turn.question, _CONTENT, lambda made: made.question)
    conversation = ("conversation_id",)
    yield tried(
        "conversation id", turn.conversation_id, conversation, lambda made: made.conversation_id
    )
    yield tried("agent", turn.agent, ("agent",), lambda made: made.agent)
    yield tried("model", turn.model, ("model",), lambda made: made.model)
    tokens = (turn.input_tokens, turn.output_tokens)
    sourced = tried(
        "tokens in, out", tokens, ("usage",), lambda made: (made.input_tokens, made.output_tokens)
    )
    counted = ("usage.input_tokens", "usage.output_tokens")
    yield sourced[0], counted
    if turn.tenant is not None:
        yield tried("tenant", turn.tenant, ("tenant",), lambda made: made.tenant)


def _bare(span: Span, fields: Sequence[str]) -> Span:
    nothing: dict[str, Any] = dict.fromkeys(fields)
    return replace(span, **nothing)


def _recorded_facts(turn: Turn) -> Iterator[_Sourced]:
    """Yield the facts that name their span themselves."""
    routing = turn.routing
    if routing is not None:
        for choice in routing.collections:
            name = "collection" if choice.recorded else "collection (inferred)"
            yield _of(name, choice.name, choice.span_id), _CHOSEN
        if (query := routing.refined_query) is not None:
            name = "refined query" if query.recorded else "refined query (inferred)"
            yield _of(name, query.name, query.span_id), _REFINED
        for catalogue in routing.catalogues:
            names = tuple(tool.name for tool in catalogue.tools)
            yield (
                _of("catalogue", names, catalogue.span_id),
                ("tools_available", "route.candidates"),
            )
    for search in turn.retrievals:
        yield _of("search", search.query, search.span_id), ("retrieval.query", "tool.arguments")
        chunks = ("retrieval.documents", "tool.result")
        ids = tuple(chunk.chunk_id for chunk in search.chunks)
        yield _of(f"chunks ({search.status})", ids, search.span_id), chunks
    for call in turn.tool_calls:
        yield _of("tool", call.name, call.span_id), ("tool.name",)
        yield _of("tool arguments", call.arguments, call.span_id), ("tool.arguments",)
        yield _of(f"tool result ({call.status})", call.result, call.span_id), ("tool.result",)
    if turn.generation is not None:
        yield _of("answer", turn.generation.answer, turn.generation.span_id), _SAID
        cited = tuple(citation.marker or "native" for citation in turn.generation.citations)
        yield _of("citations", cited, turn.generation.span_id), ("citations", *_SAID)


def _of(name: str, value: Any, span_id: str | None) -> TurnFact:
    return TurnFact(fact=name, value=value, spans=(span_id,) if span_id else ())
