"""The spans of one turn, with what several stages need to know about them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ingest.span import Span, SpanKind
from stages.agent_names import spelling
from stages.model_calls import ModelCall, model_calls
from stages.tree import Tree, acts


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One turn as it ran."""

    tree: Tree
    """Of the whole trace."""
    spans: tuple[Span, ...]
    """All spans of the turn, in the order of the tree."""
    acting: tuple[Span, ...]
    """Those that a stage can be made of."""
    root: Span
    """The span that stands for the turn: its first agent, else its first acting span."""
    frames: tuple[Span, ...]
    """Recorded steps around everything (a chain, a pipeline), outermost first."""
    agents: tuple[Span, ...]
    """Agent spans outside every tool, outermost first, later ones before earlier ones."""
    calls: tuple[ModelCall, ...]
    delegations: Mapping[str, Span]
    """The agent that a tool span ran, by the tool span's id: routing, not a tool call."""
    delegated: frozenset[str]
    """Ids of those agents' spans and of all acting spans below them."""

    @property
    def outermost(self) -> Span:
        """The span whose times and status are the turn's."""
        return self.frames[0] if self.frames else self.root

    def of_kind(self, *kinds: SpanKind) -> list[Span]:
        """Return the acting spans of these kinds, by start and id."""
        return [span for span in self.acting if span.kind in kinds]

    def agent_of(self, span: Span) -> str | None:
        """Return the agent that *span* is or ran under."""
        return self.tree.agents.get(span.span_id)

    def is_delegated(self, span: Span) -> bool:
        """Tell whether *span* belongs to an agent that a tool ran, or to any tool."""
        in_tool = self.tree.nearest(span, SpanKind.TOOL) is not None
        return in_tool or span.span_id in self.delegated

    def inside(self, span: Span, *kinds: SpanKind) -> bool:
        """Tell whether *span* ran below a span of one of these kinds; delegations do not count."""
        above = self.tree.nearest(span, *kinds)
        while above is not None and above.span_id in self.delegations:
            above = self.tree.nearest(above, *kinds)
        return above is not None


def run_of(tree: Tree, spans: Sequence[Span]) -> Run:
    """Gather one turn; *spans* holds at least one acting span."""
    ordered = tuple(sorted(spans, key=tree.place))
    acting = tuple(filter(acts, ordered))
    delegations = _delegations(tree, acting)
    delegated = _delegated(tree, delegations.values())
    agents = [
        span
        for span in reversed(acting)
        if span.kind is SpanKind.AGENT
        and span.span_id not in delegated
        and tree.nearest(span, SpanKind.TOOL) is None
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
        delegated=delegated,
    )


def _delegations(tree: Tree, acting: Sequence[Span]) -> dict[str, Span]:
    """Return the agent that each delegating tool ran: below it, or beside it in its time."""
    agents = [span for span in acting if span.kind is SpanKind.AGENT]
    found: dict[str, Span] = {}
    named: dict[str, list[Span]] = {}
    for agent in agents:
        tool = tree.nearest(agent, SpanKind.TOOL)
        while tool is not None and tool.span_id not in found:
            found[tool.span_id] = agent
            tool = tree.nearest(tool, SpanKind.TOOL)
        if agent.agent:
            named.setdefault(spelling(agent.agent), []).append(agent)
    meant: dict[str, list[Span]] = {}
    for span in acting if named else ():
        if span.tool is None or span.span_id in found:
            continue
        name = spelling(span.tool.name)
        if name not in meant:
            meant[name] = [agent for key in named if key in name for agent in named[key]]
        ran = next((agent for agent in meant[name] if _ran_beside(tree, span, agent)), None)
        if ran is not None:
            found[span.span_id] = ran
    return found


def _ran_beside(tree: Tree, tool: Span, agent: Span) -> bool:
    """Tell whether the agent ran in the tool's time, and does not itself hold the tool."""
    times = (tool.raw.start_ns, agent.raw.start_ns, agent.raw.end_ns, tool.raw.end_ns)
    told = [time for time in times if time is not None]
    if len(told) < len(times) or told != sorted(told):
        return False
    return all(above is not agent for above in tree.ancestors(tool))


def _delegated(tree: Tree, agents: Iterable[Span]) -> frozenset[str]:
    found: set[str] = set()
    for agent in sorted(agents, key=lambda span: tree.depths[span.span_id]):
        if agent.span_id not in found:
            found.add(agent.span_id)
            found.update(below.span_id for below in tree.below(agent))
    return frozenset(found)


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
