"""Rows of labelled files: their shapes, what people said of them, and who judges them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, Protocol, TypeAlias

from bench.agreement import Row
from ingest.errors import UsageError

Kind: TypeAlias = Literal["relevance", "support", "routing"]

_SUPPORT_GRADES: Final = {
    "supported": 2,
    "partially_supported": 1,
    "not_supported": 0,
    "Fully attributable": 2,
}
"""Anything else is 0: not fully attributable, generic."""
_NEEDED: Final[Mapping[Kind, tuple[frozenset[str], ...]]] = {
    "relevance": (frozenset({"question", "chunk", "relevant"}),),
    "support": (
        frozenset({"claim", "evidence", "label"}),
        frozenset({"chunk", "answer", "label"}),
    ),
    "routing": (frozenset({"messages", "tools", "gold"}),),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Routed:
    """What a judge says of one request and the tools at hand."""

    score: float | None
    """How sure it is that a tool applies; None: undecided."""
    tool: str | None
    """The tool that fits best."""
    applies: bool
    """Any tool applies, as the judge would decide."""


class Judging(Protocol):
    """Judges all rows of a file."""

    def relevance(self, rows: Sequence[Mapping[str, Any]]) -> list[Row]:
        """Judge question and chunk."""
        ...

    def support(self, rows: Sequence[Mapping[str, Any]]) -> list[Row]:
        """Judge claim and evidence."""
        ...

    def routing(self, rows: Sequence[Mapping[str, Any]]) -> list[Routed]:
        """Judge request and tools."""
        ...


def read_labelled(path: Path, kind: Kind) -> list[Mapping[str, Any]]:
    """Read the rows of a JSONL file.

    Raises:
        UsageError: It cannot be read, or a row is not of the kind's shape.
    """
    rows: list[Mapping[str, Any]] = []
    try:
        lines = path.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(str(path), f"cannot be read ({error})") from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError:
            row = None
        if not isinstance(row, dict) or not any(need <= row.keys() for need in _NEEDED[kind]):
            shapes = " or ".join(", ".join(sorted(need)) for need in _NEEDED[kind])
            raise UsageError(f"{path}:{number}", f"no row of {kind}", f"It has {shapes}.")
        rows.append(row)
    return rows


def people(row: Mapping[str, Any]) -> int:
    """Return people's grade of support: 2 full, 1 partial, 0 none."""
    return _SUPPORT_GRADES.get(row["label"], 0)


def is_positive(row: Mapping[str, Any]) -> bool:
    """Tell whether people said that the evidence supports all of it."""
    return people(row) == max(_SUPPORT_GRADES.values())


def is_binary(rows: Sequence[Mapping[str, Any]]) -> bool:
    """Tell whether people were offered no middle: then the judge's is no full support."""
    return all(people(row) != 1 for row in rows)


def title(row: Mapping[str, Any]) -> str | None:
    """Return the title of a chunk, where the row tells one."""
    told = row.get("title")
    return told if isinstance(told, str) and told.strip() else None


def request(row: Mapping[str, Any]) -> str:
    """Return what the user asked for."""
    return "\n".join(one["content"] for one in row["messages"][0] if one["role"] == "user")


def gold(row: Mapping[str, Any]) -> frozenset[str]:
    """Return the names of the tools that people chose; none where no tool applies."""
    return frozenset(name for call in row["gold"] for name in call)
