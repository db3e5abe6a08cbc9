"""The span tree of one trace, contracted over spans that say nothing about the agent.

    request ─ agent ─ http ─ llm          agent ─┬─ llm
                    └ task ─ retriever  ─▶       └─ retriever

Every span has a place: one whose parent is missing, is itself, or is its own descendant
becomes a top beside the others (`ingest.oddities` names what is odd about it). Spans are in
order of start; those that start together in order of depth, so that a parent stands before
its children, then of id. The order of the input never matters.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ingest.span import Span, SpanKind
from stages.agent_names import with_one_name


@dataclass(frozen=True, slots=True, kw_only=True)
class Tree:
    """One trace as a forest. *Acting* spans are those that a stage can be made of."""

    spans: tuple[Span, ...]
    """All spans, by start, depth and id."""
    places: Mapping[str, int]
    """Position of each span in that order, by span id."""
    tops: tuple[Span, ...]
    """Spans that hang from nothing, in the same order."""
    acting: tuple[Span, ...]
    """Acting spans, in the same order."""
    top_ids: Mapping[str, str]
    """The top above each span, by span id; a top is its own."""
    depths: Mapping[str, int]
    """Number of acting ancestors, by span id."""
    parents: Mapping[str, Span]
    """Nearest acting ancestor, by span id; absent where there is none."""
    children: Mapping[str, tuple[Span, ...]]
    """Acting spans directly below an acting span, by its id."""
    recorded_parents: Mapping[str, Span]
    """The parent as recorded, acting or not, by span id; absent for tops."""
    agents: Mapping[str, str]
    """Name of the agent that each span is or ran under, by span id; absent where none is named."""
    nearest_by_kind: Mapping[str, Mapping[SpanKind, Span]]
    """Nearest acting ancestor of each kind, by span id."""

    def place(self, span: Span) -> int:
        """Return where *span* stands among all; for sorting."""
        return self.places[span.span_id]

    def enclosing(self, span: Span) -> list[Span]:
        """Return all spans around *span*, acting or not, outermost first."""
        found: list[Span] = []
        above = self.recorded_parents.get(span.span_id)
        while above is not None:
            found.append(above)
            above = self.recorded_parents.get(above.span_id)
        return found[::-1]

    def ancestors(self, span: Span) -> Iterator[Span]:
        """Yield the acting ancestors of *span*, nearest first."""
        above = self.parents.get(span.span_id)
        while above is not None:
            yield above
            above = self.parents.get(above.span_id)

    def nearest(self, span: Span, *kinds: SpanKind) -> Span | None:
        """Return the nearest acting ancestor of one of these kinds, or None."""
        known = self.nearest_by_kind[span.span_id]
        found = [known[kind] for kind in kinds if kind in known]
        return max(found, key=lambda above: self.depths[above.span_id], default=None)

    def below(self, span: Span) -> Iterator[Span]:
        """Yield the acting descendants of *span*, parents before children."""
        waiting = list(reversed(self.children.get(span.span_id, ())))
        while waiting:
            child = waiting.pop()
            yield child
            waiting.extend(reversed(self.children.get(child.span_id, ())))


def acts(span: Span) -> bool:
    """Tell whether a stage can be made of *span*."""
    if span.synthetic:
        return False
    return span.kind is not SpanKind.OTHER or bool(span.handoff or span.route)


def by_start(span: Span) -> tuple[bool, int, str]:
    """Order spans by start, then id; those without a start come last."""
    start = span.raw.start_ns
    return (start is None, start or 0, span.span_id)


def grow(spans: Sequence[Span]) -> Tree:
    """Build the tree of one trace; a repeated span id keeps its first span by start."""
    by_id: dict[str, Span] = {}
    for span in with_one_name(sorted(spans, key=by_start)):
        by_id.setdefault(span.span_id, span)
    parent_ids = {span_id: _parent_id(span, by_id) for span_id, span in by_id.items()}
    _cut_cycles(parent_ids)
    depths = _recorded_depths(parent_ids)
    ordered = sorted(by_id, key=lambda span_id: (*by_start(by_id[span_id])[:2], depths[span_id]))
    return _contract(
        {span_id: by_id[span_id] for span_id in ordered},
        {span_id: parent_ids[span_id] for span_id in ordered},
    )


def _parent_id(span: Span, by_id: Mapping[str, Span]) -> str | None:
    parent_id = span.raw.parent_id
    if not parent_id or parent_id == span.span_id or parent_id not in by_id:
        return None
    return parent_id


def _cut_cycles(parent_ids: dict[str, str | None]) -> None:
    """Make the earliest span of each cycle a top. Relies on the mapping being in order."""
    place = {span_id: index for index, span_id in enumerate(parent_ids)}
    safe: set[str] = set()
    for span_id in parent_ids:
        path: dict[str, None] = {}
        here: str | None = span_id
        while here is not None and here not in safe and here not in path:
            path[here] = None
            here = parent_ids[here]
        if here is not None and here in path:
            ids = list(path)
            first = min(ids[ids.index(here) :], key=place.__getitem__)
            parent_ids[first] = None
        safe.update(path)


def _recorded_depths(parent_ids: Mapping[str, str | None]) -> dict[str, int]:
    """Return the number of spans above each; parents lead to a top."""
    depths: dict[str, int] = {}
    for span_id in parent_ids:
        path: list[str] = []
        here: str | None = span_id
        while here is not None and here not in depths:
            path.append(here)
            here = parent_ids[here]
        depth = -1 if here is None else depths[here]
        for above, waiting in enumerate(reversed(path), start=1):
            depths[waiting] = depth + above
    return depths


def _contract(by_id: Mapping[str, Span], parent_ids: Mapping[str, str | None]) -> Tree:
    inside: dict[str, list[str]] = {}
    tops: list[Span] = []
    for span_id, parent_id in parent_ids.items():
        if parent_id is None:
            tops.append(by_id[span_id])
        else:
            inside.setdefault(parent_id, []).append(span_id)
    top_ids: dict[str, str] = {}
    depths: dict[str, int] = {}
    parents: dict[str, Span] = {}
    children: dict[str, list[Span]] = {}
    agents: dict[str, str] = {}
    nearest: dict[str, dict[SpanKind, Span]] = {}
    todo: list[tuple[str, str, Span | None]] = [(top.span_id, top.span_id, None) for top in tops]
    while todo:
        span_id, top_id, above = todo.pop()
        span = by_id[span_id]
        top_ids[span_id] = top_id
        agent = span.agent
        if above is None:
            depths[span_id], nearest[span_id] = 0, {}
        else:
            depths[span_id] = depths[above.span_id] + 1
            nearest[span_id] = {**nearest[above.span_id], above.kind: above}
            parents[span_id] = above
            agent = agent or agents.get(above.span_id)
            if acts(span):
                children.setdefault(above.span_id, []).append(span)
        if agent:
            agents[span_id] = agent
        below = span if acts(span) else above
        todo.extend((child, top_id, below) for child in inside.get(span_id, ()))
    places = {span_id: place for place, span_id in enumerate(by_id)}

    def place(span: Span) -> int:
        return places[span.span_id]

    return Tree(
        spans=tuple(by_id.values()),
        places=places,
        tops=tuple(tops),
        acting=tuple(filter(acts, by_id.values())),
        top_ids=top_ids,
        depths=depths,
        parents=parents,
        children={key: tuple(sorted(found, key=place)) for key, found in children.items()},
        recorded_parents={
            span_id: by_id[parent_id]
            for span_id, parent_id in parent_ids.items()
            if parent_id is not None
        },
        agents=agents,
        nearest_by_kind=nearest,
    )
