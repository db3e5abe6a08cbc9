"""What a run as a whole tells about its agents and records.

    Turn ──add──▶ RunKnowledge ─┬─ agents, reachable   which collections an agent can reach
                                └─ records_known       a record that a call did not find

Everything is told apart by service and tenant, and asked for one of each: what was seen
for one tenant is unknown for every other. The order in which turns are added has no
effect. Memory: about 300 bytes a record, at most 300,000 records (of a larger run, a
sample), and the names of agents, tools and collections.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final, Literal, TypeAlias

from ingest.span import Value
from judge.identifiers import asked_for, identifiers, is_about
from judge.sampling import BoundedSample, address_of
from stages.records import ToolCall, Turn

Place: TypeAlias = tuple[str | None, str | None]
"""Service and tenant; None is a service or tenant of its own."""

RECORDS: Final = 300_000
"""Default number of records that are remembered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentFacts:
    """What is known of one agent from all turns of its service and tenant."""

    agent: str | None
    catalogue: frozenset[str] = frozenset()
    """Collections that its catalogues name."""
    searched: frozenset[str | None] = frozenset()
    """Collections that it searched; None: one whose name is not known."""
    tools: frozenset[str] = frozenset()
    """Tools of its catalogues, and tools that it called."""

    @property
    def has_sources(self) -> bool:
        """It has a collection or a tool, or searched or called one."""
        return bool(self.catalogue or self.searched or self.tools)

    @property
    def reachable(self) -> frozenset[str | None]:
        """Its catalogue's collections, else those it searched.

        A collection whose name is not known is in no catalogue: one that it searched stays.
        """
        return frozenset(self.catalogue) | (self.searched & {None}) or self.searched


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownRecord:
    """Where the run shows that a record exists."""

    turn_id: str
    source: str
    """Call id or chunk id within that turn."""
    kind: Literal["call", "chunk"]
    tool: str | None
    """Tool whose result shows it; None for a chunk."""
    first_seen_ns: int | None
    """Start of that turn, the earliest that shows it."""

    def __str__(self) -> str:
        """Return it as a clause: `get_order returned it in c-7/2`."""
        if self.kind == "chunk":
            return f"chunk {self.source} holds it in {self.turn_id}"
        return f"{self.tool} returned it in {self.turn_id}"


class RunKnowledge:
    """Facts of a run by service and tenant."""

    def __init__(self, records: int = RECORDS) -> None:
        """Know nothing yet.

        Args:
            records: The most records to remember; beyond it, a sample is kept.
        """
        self._agents: dict[Place, dict[str | None, AgentFacts]] = {}
        self._sample = BoundedSample(records)
        self._records: dict[int, KnownRecord] = {}

    @property
    def complete(self) -> bool:
        """Every record that was seen is remembered."""
        return self._sample.complete

    def add(self, turn: Turn) -> None:
        """Learn what a turn tells."""
        for facts in _facts(turn):
            agents = self._agents.setdefault((turn.service, turn.tenant), {})
            agents[facts.agent] = _merged(agents.get(facts.agent), facts)
        for call in turn.tool_calls:
            if call.status == "ok":
                self._learn_call(turn, call)
        for retrieval in turn.retrievals:
            for chunk in retrieval.chunks:
                record = _record(turn, chunk.chunk_id, "chunk", None)
                for pair in identifiers(dict(chunk.metadata)):
                    self._remember(record, turn, "pair", *pair)

    def agents(self, service: str | None, tenant: str | None) -> Mapping[str | None, AgentFacts]:
        """Return what is known of the agents of one service and tenant, by name."""
        found = self._agents.get((service, tenant), {})
        return dict(sorted(found.items(), key=lambda item: item[0] or ""))

    def reachable(self, turn: Turn) -> frozenset[str | None]:
        """Return the collections that the agents of a turn can reach.

        They are the agent that answered and those that searched. What a turn's own
        catalogues name goes before what the run tells of an agent.
        """
        own: dict[str | None, AgentFacts] = {}
        for facts in _offered(turn):
            own[facts.agent] = _merged(own.get(facts.agent), facts)
        known = self._agents.get((turn.service, turn.tenant), {})
        reached: set[str | None] = set()
        for agent in {turn.agent, *(search.agent or turn.agent for search in turn.retrievals)}:
            facts = known.get(agent, AgentFacts(agent=agent))
            if agent in own and own[agent].catalogue:
                facts = replace(facts, catalogue=own[agent].catalogue)
            reached |= facts.reachable
        return frozenset(reached)

    def has_sources(self, turn: Turn) -> bool:
        """Tell whether any source may have stood behind a turn's answer.

        It searched, called something, cites or carries evidence of an earlier turn; or the
        run tells of a collection or tool of an agent that handled it or could have.
        """
        if turn.retrievals or turn.tool_calls or turn.evidence:
            return True
        if turn.generation is not None and turn.generation.citations:
            return True
        names = {turn.agent, *(facts.agent for facts in _offered(turn))}
        if turn.routing is not None:
            offered = chain.from_iterable(one.agents for one in turn.routing.catalogues)
            names.update(agent.name for agent in turn.routing.agents)
            names.update(agent.name for agent in chain(turn.routing.candidates, offered))
        known = self._agents.get((turn.service, turn.tenant), {})
        return any(known[name].has_sources for name in names if name in known)

    def agents_reaching(
        self, collection: str | None, *, service: str | None, tenant: str | None
    ) -> tuple[str, ...]:
        """Return the names of the agents that can reach a collection, sorted."""
        return tuple(
            agent
            for agent, facts in self.agents(service, tenant).items()
            if agent is not None and collection in facts.reachable
        )

    def records_known(
        self, tool: str, arguments: Value, *, service: str | None, tenant: str | None
    ) -> KnownRecord | None:
        """Return where the run shows the record that a call asked for and did not get.

        It does when the same tool, asked for the same record, returned something; or when
        another result (or a chunk's metadata) holds the same identifier under the same
        key, and the tool is about what that key identifies (`get_order`, `order_id`).

        Args:
            tool: The tool that returned nothing.
            arguments: What it was called with. What identifies the record in them are
                values whose names say so (`order_id`, `email`) and texts with a digit;
                without any of these, all arguments do.
            service: Only what this service saw.
            tenant: Only what was seen for this tenant.

        Returns:
            The earliest sighting. None: the run does not show it, which proves nothing.
        """
        found = [self._records.get(_address((service, tenant), "call", tool, asked_for(arguments)))]
        pairs = identifiers(arguments)
        if len(pairs) == 1 and is_about(tool, pairs[0][0]):
            found.append(self._records.get(_address((service, tenant), "pair", *pairs[0])))
        return min((record for record in found if record), key=_sighting, default=None)

    def _learn_call(self, turn: Turn, call: ToolCall) -> None:
        record = _record(turn, call.call_id, "call", call.name)
        self._remember(record, turn, "call", call.name, asked_for(call.arguments))
        for pair in identifiers(call.result):
            self._remember(record, turn, "pair", *pair)

    def _remember(self, record: KnownRecord, turn: Turn, *what: Value) -> None:
        address = _address((turn.service, turn.tenant), *what)
        known = self._records.get(address)
        if known is not None:
            self._records[address] = min(known, record, key=_sighting)
        elif self._sample.admits(address):
            self._records[address] = record
            for gone in self._sample.add(address, 1):
                del self._records[gone]


def _merged(known: AgentFacts | None, more: AgentFacts) -> AgentFacts:
    if known is None:
        return more
    return AgentFacts(
        agent=known.agent,
        catalogue=known.catalogue | more.catalogue,
        searched=known.searched | more.searched,
        tools=known.tools | more.tools,
    )


def _offered(turn: Turn) -> Iterator[AgentFacts]:
    """Yield what each catalogue of a turn offers its agent."""
    catalogues = () if turn.routing is None else turn.routing.catalogues
    for catalogue in catalogues:
        yield AgentFacts(
            agent=turn.agent if catalogue.agent is None else catalogue.agent,
            catalogue=frozenset(catalogue.collections),
            tools=frozenset(tool.name for tool in catalogue.tools),
        )


def _facts(turn: Turn) -> Iterator[AgentFacts]:
    """Yield what a turn tells of each agent; an agent may come several times."""
    yield from _offered(turn)
    for search in turn.retrievals:
        found = {chunk.collection or search.collection for chunk in search.chunks}
        yield AgentFacts(
            agent=search.agent or turn.agent,
            searched=frozenset(found or {search.collection}),
        )
    for call in turn.tool_calls:
        yield AgentFacts(agent=call.agent or turn.agent, tools=frozenset({call.name}))


def _record(
    turn: Turn, source: str, kind: Literal["call", "chunk"], tool: str | None
) -> KnownRecord:
    return KnownRecord(
        turn_id=turn.turn_id, source=source, kind=kind, tool=tool, first_seen_ns=turn.start_ns
    )


def _sighting(record: KnownRecord) -> tuple[bool, int, str, str]:
    time = record.first_seen_ns
    return (time is None, time or 0, record.turn_id, record.source)


def _address(place: Place, *what: Value) -> int:
    return address_of(*place, *what)
