"""The spans of one turn, with what several stages need to know about them."""

from collections.abc import Sequence
from dataclasses import dataclass

from ingest.span import Span, SpanKind
from stages.model_calls import ModelCall, agent_of, model_calls
from stages.tree import Tree, acts, by_start


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One turn as it ran."""

    tree: Tree
    """Of the whole trace."""
    spans: tuple[Span, ...]
    """All spans of the turn, by start and id."""
    acting: tuple[Span, ...]
    """Those that a stage can be made of."""
    root: Span
    """The span that stands for the turn: its first agent, else its first acting span."""
    frames: tuple[Span, ...]
    """Recorded steps around everything (a chain, a pipeline), outermost first."""
    agents: tuple[Span, ...]
    """Agent spans outside every tool, outermost first, later ones before earlier ones."""
    calls: tuple[ModelCall, ...]
    delegations: frozenset[str]
    """Ids of tool spans that ran another agent: routing, not tool calls."""

    @property
    def outermost(self) -> Span:
        """The span whose times and status are the turn's."""
        return self.frames[0] if self.frames else self.root

    def of_kind(self, *kinds: SpanKind) -> list[Span]:
        """Return the acting spans of these kinds, by start and id."""
        return [span for span in self.acting if span.kind in kinds]

    def agent_of(self, span: Span) -> str | None:
        """Return the agent that *span* is or ran under."""
        return agent_of(self.tree, span)

    def inside(self, span: Span, *kinds: SpanKind) -> bool:
        """Tell whether *span* ran below a span of one of these kinds; delegations do not count."""
        return any(
            above.kind in kinds and above.span_id not in self.delegations
            for above in self.tree.ancestors(span)
        )


def run_of(tree: Tree, spans: Sequence[Span]) -> Run:
    """Gather one turn; *spans* holds at least one acting span."""
    ordered = tuple(sorted(spans, key=by_start))
    acting = tuple(filter(acts, ordered))
    delegations = frozenset(
        span.span_id
        for span in acting
        if span.kind is SpanKind.TOOL
        and any(inner.kind is SpanKind.AGENT for inner in tree.below(span))
    )
    agents = [
        span
        for span in reversed(acting)
        if span.kind is SpanKind.AGENT and tree.nearest(span, SpanKind.TOOL) is None
    ]
    agents.sort(key=lambda span: tree.depths[span.span_id])
    tops = [span for span in agents if tree.depths[span.span_id] == 0]
    return Run(
        tree=tree,
        spans=ordered,
        acting=acting,
        root=tops[-1] if tops else acting[0],
        frames=tuple(_frames(tree, acting)),
        agents=tuple(agents),
        calls=model_calls(tree, acting),
        delegations=delegations,
    )


def _frames(tree: Tree, acting: Sequence[Span]) -> list[Span]:
    """Return the steps with content around all agents and models of the turn, and of no other."""
    if len(acting) < len(tree.acting):
        return []
    tops = [span for span in acting if tree.depths[span.span_id] == 0]
    spoken = [span for span in tops if span.kind in (SpanKind.AGENT, SpanKind.LLM)] or tops
    around = [tree.enclosing(span) for span in spoken]
    shared = set.intersection(*({span.span_id for span in spans} for spans in around))
    return [span for span in around[0] if span.span_id in shared and _has_content(span)]


def _has_content(span: Span) -> bool:
    texts = (span.input_text, span.output_text, span.input_messages, span.output_messages)
    return not span.synthetic and any(texts)
