"""Names that routers choose: of an agent, a collection, a tool, or a node of the graph.

A routing decision is recorded as a bare name. What the rest of the turn shows (which
agents ran, which collections were searched, which tools exist) tells what it names.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from stages.agent_names import spelling
from stages.handoffs import is_handoff_name, target_of
from stages.run import Run

NameKind: TypeAlias = Literal["agent", "collection", "tool", "node"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """The names of a turn, by what they are of."""

    agents: frozenset[str]
    collections: frozenset[str]
    tools: frozenset[str]
    nodes: frozenset[str]
    delegates: Mapping[str, str]
    """The agent that each delegating tool ran, by the tool's name."""
    spellings: Mapping[str, str]
    """Names that agents' own spans give them, by spelling without case and separators."""

    def kind_of(self, name: str) -> NameKind | None:
        """Tell what *name* is of, None when nothing in the turn bears it."""
        if name in self.agents or spelling(name) in self.spellings:
            return "agent"
        if name in self.collections:
            return "collection"
        if name in self.tools:
            return "tool"
        if name.casefold().endswith("agent"):
            return "agent"
        return "node" if name in self.nodes else None

    def agent_named(self, name: str) -> str:
        """Return an agent's name as its own spans spell it (`HR Agent` for `hr_agent`)."""
        return self.spellings.get(spelling(name), name)

    def kinds_of(self, names: Iterable[str]) -> dict[str, NameKind | None]:
        """Tell what each of a router's candidates is of.

        A router chooses among things of one kind: where the known candidates are all of
        one kind, the unknown ones are too.
        """
        kinds = {name: self.kind_of(name) for name in names}
        told = {kind for kind in kinds.values() if kind is not None}
        if len(told) == 1:
            return dict.fromkeys(kinds, told.pop())
        return kinds


def known_names(run: Run, collections: Iterable[str]) -> Known:
    """Gather the names of a turn; *collections* are those that it searched or could search."""
    agents: set[str] = set()
    tools: set[str] = set()
    for span in run.acting:
        if span.agent:
            agents.add(span.agent)
        if span.handoff is not None:
            agents.update(filter(None, (span.handoff.source, span.handoff.target)))
        offered = [tool.name for tool in span.tools_available or ()]
        for name in (*offered, *([span.tool.name] if span.tool else ())):
            if not is_handoff_name(name):
                tools.add(name)
            elif target := target_of(name):
                agents.add(target)
    return Known(
        agents=frozenset(agents),
        collections=frozenset(collections),
        tools=frozenset(tools),
        nodes=frozenset(span.node for span in run.spans if span.node),
        delegates=_delegates(run),
        spellings={spelling(span.agent): span.agent for span in run.acting if span.agent},
    )


def _delegates(run: Run) -> dict[str, str]:
    found: dict[str, str] = {}
    for span in run.acting:
        ran = run.delegations.get(span.span_id)
        if ran is not None and ran.agent and span.tool is not None:
            found.setdefault(span.tool.name, ran.agent)
    return found
