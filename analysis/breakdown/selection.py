"""Which turns a breakdown or a listing looks at.

agent=billing,support   either of them
agent=!billing          any other
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from analysis.window import Window, iso
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
    """Choices by field, and a window; a field without a choice accepts everything."""

    choices: Mapping[str, Choice] = field(default_factory=dict)
    window: Window = field(default_factory=Window)
    """Only turns that start in it."""

    def __bool__(self) -> bool:
        """Tell whether anything is filtered."""
        return bool(self.bounds) or any(self.choices.values())

    def within(self, window: Window) -> "Selection":
        """Return the same choices in another window."""
        return replace(self, window=window)

    @property
    def bounds(self) -> Mapping[str, str]:
        """The bounds of the window, `since` and `until`, as ISO 8601; those that are open lack."""
        given = {"since": self.window.since_ns, "until": self.window.until_ns}
        return {name: iso(bound) for name, bound in given.items() if bound is not None}

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
        filters = (
            f"{name}={','.join(choice.typed)}" for name, choice in self.choices.items() if choice
        )
        return " ".join([*filters, *(f"{name}={bound}" for name, bound in self.bounds.items())])


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
