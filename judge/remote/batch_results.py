"""Results of a batch, line by line, in any order, perhaps cut, perhaps not all ours.

lines ──custom_id──▶ outcome of an item     succeeded  read as a message
                                            errored    by the error's type
                                            expired, canceled  not charged: sent again
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from judge.remote.outcomes import Outcome, failed, of_item_error, of_message

_TYPES: Final = frozenset({"succeeded", "errored", "canceled", "expired"})


@dataclass(slots=True, kw_only=True)
class Download:
    """What came with one download, or several."""

    ours: frozenset[str]
    """Items of the batch, by custom_id."""
    wanted: set[str]
    """Those whose results are not stored yet; the others were by an earlier run."""
    types: dict[str, str] = field(default_factory=dict)
    """How each item of ours ended, by custom_id."""
    unknown: set[str] = field(default_factory=set)
    """Ids that are not of this batch."""
    unreadable: int = 0
    """Lines that are no result: cut, or not JSON."""

    @property
    def complete(self) -> bool:
        """The result of every item has come."""
        return len(self.types) == len(self.ours)

    def outcomes(self, lines: Iterable[bytes], model: str) -> Iterator[tuple[str, Outcome]]:
        """Yield custom_id and outcome of each item that is wanted and did not come before.

        Args:
            lines: As downloaded.
            model: The model that was asked for.
        """
        for line in lines:
            if not line.strip():
                continue
            custom_id, result = _result(line)
            if custom_id is None or result is None:
                self.unreadable += 1
            elif custom_id not in self.ours:
                self.unknown.add(custom_id[:64])
            elif custom_id not in self.types:
                self.types[custom_id] = result["type"]
                if custom_id in self.wanted:
                    yield custom_id, _outcome(result, model)

    def disagrees_with(self, counts: Mapping[str, int]) -> bool:
        """Tell whether the service counted other results than it sent."""
        came = Counter(self.types.values())
        return any(came[name] != counts.get(name, 0) for name in _TYPES)


def first_id(lines: Iterable[bytes]) -> str | None:
    """Return the custom_id of the first result that can be read."""
    for line in lines:
        custom_id, _ = _result(line)
        if custom_id is not None:
            return custom_id
    return None


def _result(line: bytes) -> tuple[str | None, Mapping[str, Any] | None]:
    try:
        item = json.loads(line)
    except (ValueError, RecursionError):
        return None, None
    if not isinstance(item, Mapping):
        return None, None
    custom_id, result = item.get("custom_id"), item.get("result")
    if not isinstance(custom_id, str):
        return None, None
    known = isinstance(result, Mapping) and result.get("type") in _TYPES
    return custom_id, result if known else None


def _outcome(result: Mapping[str, Any], model: str) -> Outcome:
    match result["type"]:
        case "succeeded":
            return of_message(result.get("message"), model=model, batch=True)
        case "errored":
            outer = result.get("error")
            error = outer.get("error") if isinstance(outer, Mapping) else None
            error = error if isinstance(error, Mapping) else {}
            kind, message = str(error.get("type", "")), str(error.get("message", ""))
            return of_item_error(kind, message, model=model)
        case ended:
            return failed(model, str(ended), again="later")
