"""What a page shows of single turns: their bodies, packed, as far as there is room.

Failing turns come first, then the turns around them, then the others. Bodies stand in
shards of a few turns each, so that opening a turn unpacks little; a shard leaves memory,
for the page or for a file of its own, as soon as it is full.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from analysis.report.html.body import turn_body
from analysis.report.html.islands import compact, zipped
from analysis.report.turn_view import TurnView, parsed
from analysis.run import Run
from analysis.tables.schemas import TableName
from analysis.tables.turn_rows import Row

SHARD: Final = 300_000
"""Characters of JSON in one shard of a page, unless a single turn has more."""
FOLDER_SHARD: Final = 2_000_000
"""The same for a shard in a file of its own: 100 to 500 KB, and not too many files."""
_FIRST_BATCH = 100
_LARGEST_BATCH = 5_000
_BATCH_SIZE = 16_000_000
"""Characters of bodies that are in memory at a time, about; every batch reads the tables."""
_TABLES: Final[tuple[TableName, ...]] = (
    "tool_calls",
    "retrievals",
    "chunks",
    "paragraphs",
    "citations",
    "findings",
    "metrics",
)


Body = dict[str, Any]


@dataclass(slots=True)
class Bodies:
    """Where the bodies went that fit."""

    keep: Callable[[int, str], object]
    """Takes the number and the packed text of every shard, in order."""
    budget: int
    """Most bytes that all shards may have."""
    places: dict[str, int] = field(default_factory=dict)
    """Number of the shard by turn id."""
    shards: int = 0
    size: int = 0
    """Bytes of all shards."""
    full: bool = False
    """There was no room for the next one."""

    def add(self, bodies: Sequence[tuple[str, str]]) -> None:
        """Add a shard if it fits; halve it until a part of it does.

        Args:
            bodies: Turn ids, each with its body as JSON.
        """
        if not bodies or self.full:
            return
        shard = zipped(f"[{','.join(text for _, text in bodies)}]")
        if self.size + len(shard) <= self.budget:
            for turn_id, _ in bodies:
                self.places[turn_id] = self.shards
            self.keep(self.shards, shard)
            self.shards += 1
            self.size += len(shard)
        elif len(bodies) == 1:
            self.full = True
        else:
            middle = len(bodies) // 2
            self.add(bodies[:middle])
            self.add(bodies[middle:])


def fill(
    bodies: Bodies,
    run: Run,
    turn_ids: Iterable[str],
    *,
    shard: int = SHARD,
    shown: Callable[[Body], Body] | None = None,
) -> None:
    """Add the bodies of turns until there is no room for more.

    Args:
        bodies: Where they go.
        run: The run.
        turn_ids: The turns, most wanted first.
        shard: Characters of JSON in one shard.
        shown: What of a body may be shown; None: all of it.
    """
    homes = _Homes(run)
    waiting: list[tuple[str, str]] = []
    size = total = 0
    wanted, most = iter(turn_ids), _FIRST_BATCH
    while batch := list(islice(wanted, most)):
        for body in _batch(run, batch, homes):
            text = compact(shown(body) if shown else body)
            waiting.append((body["turn"]["turn_id"], text))
            size += len(text)
            if size >= shard:
                bodies.add(waiting)
                total += size
                waiting, size = [], 0
            if bodies.full:
                return
        average = (total + size) / (len(bodies.places) + len(waiting))
        most = int(min(max(_BATCH_SIZE / average, _FIRST_BATCH), _LARGEST_BATCH))
    bodies.add(waiting)


class _Homes:
    """Which conversation, service and tenant every turn of the run belongs to."""

    def __init__(self, run: Run) -> None:
        names = ("turn_id", "conversation_id", "turn", "service", "tenant")
        table = run.table("turns", names)
        ids, conversations, numbers, services, tenants = (
            table.column(name).to_pylist() for name in names
        )
        owners = zip(services, tenants, strict=True)
        self._of = dict(zip(ids, zip(conversations, numbers, owners, strict=True), strict=True))
        self._turns: dict[str, list[str]] = {}
        for turn_id, conversation_id in zip(ids, conversations, strict=True):
            self._turns.setdefault(conversation_id, []).append(turn_id)

    def conversation(self, turn_id: str) -> str:
        name: str = self._of[turn_id][0]
        return name

    def number(self, turn_id: str) -> int:
        number: int = self._of[turn_id][1]
        return number

    def turns(self, conversation_id: str) -> list[str]:
        """Return the turns of a conversation."""
        return self._turns[conversation_id]

    def share(self, one: str, other: str) -> bool:
        """Tell whether two turns belong to the same service and tenant."""
        return one in self._of and other in self._of and self._of[one][2] == self._of[other][2]


def _batch(run: Run, turn_ids: Sequence[str], homes: _Homes) -> Iterator[Body]:
    conversations = list(dict.fromkeys(map(homes.conversation, turn_ids)))
    around = [one for name in conversations for one in homes.turns(name)]
    turns = {row["turn_id"]: row for row in run.rows("turns", where={"turn_id": turn_ids})}
    tables = {
        name: _by_turn(
            run.rows(
                name, where={"turn_id": around if name in ("chunks", "tool_calls") else turn_ids}
            )
        )
        for name in _TABLES
    }
    spans = _by_turn(run.rows("spans", where={"turn_id": turn_ids}))
    verdicts: dict[str, list[Row]] = {}
    for row in run.rows("verdicts", where={"conversation_id": conversations}):
        verdicts.setdefault(row["turn_id"] or f"\0{row['conversation_id']}", []).append(row)
    found = _found_chunks(run, turns.values(), homes)
    for turn_id in turn_ids:
        turn = turns[turn_id]
        conversation_id = turn["conversation_id"]
        own = [*verdicts.get(f"\0{conversation_id}", ()), *verdicts.get(turn_id, ())]
        view = TurnView(
            run_id=run.run_id,
            turn=turn,
            turns=len(homes.turns(conversation_id)),
            causes=parsed(run, turn["causes"]) or [],
            elements=parsed(run, turn["elements"]) or [],
            routing=None,
            rows={name: tables[name].get(turn_id, []) for name in _TABLES},
            verdicts=own,
            spans=(),  # the body has its own, with their attributes
            page=None,
        )
        earlier = [
            (
                homes.number(other),
                tables["chunks"].get(other, []),
                tables["tool_calls"].get(other, []),
            )
            for other in homes.turns(conversation_id)
            if homes.number(other) < turn["turn"]
        ]
        yield turn_body(view, spans.get(turn_id, []), earlier, found.get(turn_id, []))


def _by_turn(rows: Iterable[Row]) -> dict[str, list[Row]]:
    grouped: dict[str, list[Row]] = {}
    for row in rows:
        grouped.setdefault(row["turn_id"], []).append(row)
    return grouped


def _found_chunks(run: Run, turns: Iterable[Row], homes: _Homes) -> dict[str, list[Row]]:
    """Return the chunks that probes found, as other turns of the same tenant retrieved them.

    Who retrieved them is looked up first: a chunk of many turns is then read once.
    """
    wanted: dict[str, dict[tuple[str, str | None], None]] = {}
    for turn in turns:
        for cause in parsed(run, turn["causes"]) or []:
            if cause.get("found_chunk_id"):
                key = (cause["found_chunk_id"], cause.get("found_collection"))
                wanted.setdefault(turn["turn_id"], {})[key] = None
    ids = {chunk_id for keys in wanted.values() for chunk_id, _ in keys}
    if not ids:
        return {}
    holders: dict[tuple[str, str | None], list[str]] = {}
    for row in run.rows("chunks", ("chunk_id", "collection", "turn_id"), {"chunk_id": ids}):
        holders.setdefault((row["chunk_id"], row["collection"]), []).append(row["turn_id"])
    sources = {
        turn_id: [
            (*key, holder)
            for key in keys
            for holder in islice(
                (one for one in holders.get(key, ()) if homes.share(one, turn_id)), 1
            )
        ]
        for turn_id, keys in wanted.items()
    }
    read = {holder for found in sources.values() for _, _, holder in found}
    columns = ("turn_id", "chunk_id", "collection", "title", "text")
    texts = {
        (row["chunk_id"], row["collection"], row["turn_id"]): row
        for row in run.rows("chunks", columns, {"chunk_id": ids, "turn_id": read})
    }
    return {turn_id: [texts[source] for source in found] for turn_id, found in sources.items()}
