"""The tools: what the models may call, and the database behind them.

Every look-up returns a list, empty when there is nothing under that number. A search
tool has collections; the assistant runs it itself (see `assistant`).
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RECORDS = Path(__file__).parent / "data" / "orders.toml"
_FIRST_TICKET = 5581


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Where a tool looks something up."""

    name: str
    keys: tuple[str, ...]
    """The arguments that together are the number of a record, joined by spaces."""


class ToolFailureError(Exception):
    """A tool did not do its work."""

    def __init__(self, error: str) -> None:
        """Take the error of the system that failed, as `<type>: <message>`."""
        super().__init__(error)
        self.kind, _, self.message = error.partition(": ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A function that a model can call."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    """JSON schema of the arguments."""
    collections: tuple[str, ...] = ()
    """What it can search; empty for a tool that is no search."""
    table: Table | None = None
    """Set for a tool that looks something up."""
    opens: tuple[str, str] | None = None
    """Set for a tool that opens a ticket: the name of its number, and what it begins with."""

    def definition(self) -> dict[str, Any]:
        """Return the tool as it is told to a model."""
        return {
            "type": "function",
            "name": self.name,
            "description": self.description,
            "parameters": dict(self.parameters),
        }


class Database:
    """Orders, customers, stock, bookings and leave accounts; tickets are added."""

    def __init__(self, path: Path = RECORDS) -> None:
        """Read the records."""
        tables: dict[str, dict[str, dict[str, Any]]] = tomllib.loads(path.read_text("utf-8"))
        self._tables = tables
        self._tickets = 0

    def call(self, tool: Tool, arguments: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Run a tool that is no search.

        Returns:
            The records found, or the ticket opened.

        Raises:
            KeyError: An argument is missing, or there is no such table.
            ValueError: The tool neither looks anything up nor opens a ticket.
        """
        if tool.opens is not None:
            return [self._open_ticket(*tool.opens, arguments)]
        if tool.table is None:
            raise ValueError(f"{tool.name} does nothing")
        numbers = {key: arguments[key] for key in tool.table.keys}
        record = self._tables[tool.table.name].get(" ".join(map(str, numbers.values())))
        return [] if record is None else [numbers | _as_json(record)]

    def _open_ticket(self, name: str, prefix: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        ticket = f"{prefix}{_FIRST_TICKET + self._tickets}"
        self._tickets += 1
        return {name: ticket, "status": "open", **arguments}


def search_tool(name: str, description: str, collections: Sequence[str]) -> Tool:
    """Return a tool that searches one of several collections."""
    parameters = schema(
        query={"type": "string", "description": "What to look for, in a few words."},
        collection={"type": "string", "enum": list(collections)},
    )
    return Tool(
        name=name,
        description=description,
        parameters=parameters,
        collections=tuple(collections),
    )


def look_up_tool(name: str, description: str, table: str, argument: str, pattern: str) -> Tool:
    """Return a tool that looks one number up."""
    parameters = schema(**{argument: {"type": "string", "pattern": pattern}})
    return Tool(
        name=name,
        description=description,
        parameters=parameters,
        table=Table(name=table, keys=(argument,)),
    )


def ticket_tool(name: str, description: str, about: str) -> Tool:
    """Return a tool that opens a ticket about something that has a number."""
    parameters = schema(
        **{about: {"type": "string"}},
        subject={"type": "string"},
        priority={"type": "string", "enum": ["low", "normal", "high"]},
    )
    return Tool(
        name=name, description=description, parameters=parameters, opens=("ticket_id", "T-")
    )


def schema(**properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON schema of arguments, all of them required."""
    return {"type": "object", "properties": dict(properties), "required": list(properties)}


def _as_json(record: Mapping[str, Any]) -> dict[str, Any]:
    plain = (str, int, list)
    return {key: value if isinstance(value, plain) else str(value) for key, value in record.items()}
