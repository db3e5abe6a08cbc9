"""Which turns a breakdown or a listing looks at.

agent=billing,support   either of them
agent=!billing          any other
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from ingest.errors import UsageError

TURN_FILTERS: Final = ("agent", "collection", "tool", "model", "language", "service", "outcome")
"""They select turns: rates are then shares of the selected ones."""
ROOT_FILTERS: Final = ("stage", "kind")
"""They select which failures count; rates stay shares of all selected, judged turns."""
FILTERS: Final = (*TURN_FILTERS, *ROOT_FILTERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Accepted and refused values of one field; both empty accepts everything."""

    accepted: frozenset[str] = frozenset()
    refused: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        """Tell whether it can refuse anything."""
        return bool(self.accepted or self.refused)

    def admits(self, values: Iterable[str | None]) -> bool:
        """Tell whether a turn that carries these values passes."""
        known = {value for value in values if value is not None}
        if self.refused & known:
            return False
        return not self.accepted or bool(self.accepted & known)

    @property
    def typed(self) -> list[str]:
        """The values as they would be typed, in a fixed order."""
        return [*sorted(self.accepted), *(f"!{value}" for value in sorted(self.refused))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Choices by field; a field without one accepts everything."""

    choices: Mapping[str, Choice] = field(default_factory=dict)

    def __bool__(self) -> bool:
        """Tell whether anything is filtered."""
        return any(self.choices.values())

    def __getitem__(self, name: str) -> Choice:
        return self.choices.get(name, Choice())

    @property
    def on_roots(self) -> str:
        """What root stages and kinds count, as `routing,!routing.wrong_tool`; empty for all."""
        return ",".join(",".join(self[name].typed) for name in ROOT_FILTERS if self[name])

    def admits_root(self, stage: str, kind: str) -> bool:
        """Tell whether a failure with this root counts."""
        return self["stage"].admits((stage,)) and self["kind"].admits((kind, f"{stage}.{kind}"))

    def __str__(self) -> str:
        """Return the filters as they would be typed."""
        return " ".join(
            f"{name}={','.join(choice.typed)}" for name, choice in self.choices.items() if choice
        )


EVERYTHING: Final = Selection()


def selection_of(**filters: str | Iterable[str] | None) -> Selection:
    """Return the selection that these filters describe.

    Args:
        filters: Values by field. A value may be a list of values with commas, and `!` before
            a value excludes it. None and empty filter nothing. A kind may be written with
            its stage (`routing.wrong_collection`).

    Raises:
        UsageError: There is no such field.
    """
    choices: dict[str, Choice] = {}
    for name, given in filters.items():
        if name not in FILTERS:
            raise UsageError(name, "is no filter", f"Filters are {', '.join(FILTERS)}.")
        texts = [given] if isinstance(given, str) else list(given or ())
        values = [value.strip() for text in texts for value in text.split(",")]
        choice = Choice(
            accepted=frozenset(v for v in values if v and not v.startswith("!")),
            refused=frozenset(v[1:] for v in values if v.startswith("!") and v[1:]),
        )
        if choice:
            choices[name] = choice
    return Selection(choices=choices)
