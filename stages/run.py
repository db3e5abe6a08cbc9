"""The spans of one turn, with what several stages need to know about them."""

import re
from collections.abc import Mapping, Sequence
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
    delegations: Mapping[str, Span]
    """The agent that a tool span ran, by the tool span's id: routing, not a tool call."""

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

    def is_delegated(self, span: Span) -> bool:
        """Tell whether *span* belongs to an agent that a tool ran, or to any tool."""
        ran = {agent.span_id for agent in self.delegations.values()}
        around = (span, *self.tree.ancestors(span))
        return any(above.span_id in ran for above in around) or any(
            above.kind is SpanKind.TOOL for above in around[1:]
        )

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
    delegations = _delegations(tree, acting)
    ran = {agent.span_id for agent in delegations.values()}
    agents = [
        span
        for span in reversed(acting)
        if span.kind is SpanKind.AGENT
        and not any(
            around.kind is SpanKind.TOOL or around.span_id in ran
            for around in (span, *tree.ancestors(span))
        )
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


def _delegations(tree: Tree, acting: Sequence[Span]) -> dict[str, Span]:
    """Return the agent that each delegating tool ran: below it, or beside it in its time."""
    agents = [span for span in acting if span.kind is SpanKind.AGENT]
    found: dict[str, Span] = {}
    for tool in acting if agents else ():
        if tool.kind is not SpanKind.TOOL:
            continue
        below = next((s for s in tree.below(tool) if s.kind is SpanKind.AGENT), None)
        ran = below or next((agent for agent in agents if _ran_beside(tree, tool, agent)), None)
        if ran is not None:
            found[tool.span_id] = ran
    return found


def _ran_beside(tree: Tree, tool: Span, agent: Span) -> bool:
    if tool.tool is None or not agent.agent:
        return False
    if any(above is agent for above in tree.ancestors(tool)):
        return False
    if spelling(agent.agent) not in spelling(tool.tool.name):
        return False
    times = (tool.raw.start_ns, agent.raw.start_ns, agent.raw.end_ns, tool.raw.end_ns)
    told = [time for time in times if time is not None]
    return len(told) == len(times) and told == sorted(told)


def spelling(name: str) -> str:
    """Return a name as names of agents are compared: case and separators do not count."""
    return re.sub(r"[\s_-]+", "_", name.strip().casefold())


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
