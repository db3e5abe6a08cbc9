"""An attempt to have a question answered, as the store keeps it.

    sf1-<run>-s0001a4-0003-<key>     the fourth question of the 0x1a4th group sent directly
    sf1-<run>-b000002                a batch
    sf1-<run>-b000002-0007-<key>     its eighth item

The latest row of an id tells its state:

    question   intent ─▶ settled | maybe_paid | void
    batch      intent ─▶ sent ─▶ settled | void
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final, Literal, TypeAlias, cast

from judge.ledger_schema import Row, digest

State: TypeAlias = Literal["intent", "sent", "settled", "maybe_paid", "void"]
Via: TypeAlias = Literal["sync", "batch"]
OPEN: Final[frozenset[State]] = frozenset({"intent", "sent"})

PREFIX: Final = "sf1"
_KEY_DIGITS: Final = 24
_LETTERS: Final[dict[Via, str]] = {"sync": "s", "batch": "b"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One row: an attempt in a state."""

    custom_id: str
    key: str = ""
    """Of the question; empty for a batch as a whole."""
    state: State = "intent"
    run: str
    """The run that sees to it: the one that made it, or one that took it over."""
    batch_id: str | None = None
    detail: str = ""
    """JSON; of an item what its reply is stored with, of a settled one its usage."""
    created: str = ""

    @property
    def maker(self) -> str:
        """The run that made it, whoever sees to it now."""
        return self.custom_id.split("-")[1]

    @property
    def group_id(self) -> str:
        """Id of the batch that an item belongs to, or of the group sent directly."""
        return "-".join(self.custom_id.split("-")[:3])

    @property
    def in_batch(self) -> bool:
        """It is a batch or an item of one."""
        return self.custom_id.split("-")[2].startswith("b")

    def now(self, state: State, **fields: str | None) -> "Attempt":
        """Return the attempt in another state."""
        return replace(self, state=state, created="", **fields)  # type: ignore[arg-type]


def group_id(run: str, via: Via, number: int) -> str:
    """Return the id of a batch, or of a group of questions sent directly."""
    return f"{PREFIX}-{run}-{_LETTERS[via]}{number:06x}"


def item_id(group: str, place: int, key: str) -> str:
    """Return an id of at most 64 letters, digits and dashes."""
    return f"{group}-{place:04x}-{key[:_KEY_DIGITS]}"


def attempt_row(attempt: Attempt, now: datetime | None = None) -> Row:
    """Return the row of an attempt."""
    created = attempt.created or (now or datetime.now(UTC)).isoformat(timespec="milliseconds")
    values: Row = (
        attempt.custom_id,
        attempt.key,
        attempt.state,
        attempt.run,
        attempt.batch_id,
        attempt.detail,
        created,
    )
    return (*values, digest(values))


def attempt_of(row: Row) -> Attempt:
    """Return the attempt of an intact row."""
    custom_id, key, state, run, batch_id, detail, created, _ = row
    return Attempt(
        custom_id=cast("str", custom_id),
        key=cast("str", key),
        state=cast("State", state),
        run=cast("str", run),
        batch_id=cast("str | None", batch_id),
        detail=cast("str", detail),
        created=cast("str", created),
    )
