"""Patterns of names with `*` for any characters, matched in time linear in the name.

    kb.*         kb.lookup, kb.lookup.eu          *.lookup    kb.lookup
    kb.*.eu      kb.lookup.eu                     kb.lookup   itself and nothing else

No other character is special, so that names with brackets and dots mean themselves.
"""

from dataclasses import dataclass, field

MOST_CHARACTERS = 500
MOST_STARS = 16


@dataclass(frozen=True, slots=True)
class Glob:
    """One pattern; upper and lower case differ."""

    pattern: str
    _pieces: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Cut the pattern at its stars.

        Raises:
            ValueError: It is empty, longer than `MOST_CHARACTERS`, or has more than
                `MOST_STARS` stars.
        """
        if not self.pattern:
            raise ValueError("is empty")
        if len(self.pattern) > MOST_CHARACTERS:
            raise ValueError(f"has more than {MOST_CHARACTERS} characters")
        pieces = self.pattern.split("*")
        if len(pieces) - 1 > MOST_STARS:
            raise ValueError(f"has more than {MOST_STARS} stars")
        object.__setattr__(self, "_pieces", tuple(pieces))

    def matches(self, name: str) -> bool:
        """Tell whether the whole *name* fits; the leftmost fit of each piece is taken."""
        first, *rest = self._pieces
        if not rest:
            return name == first
        *inner, last = rest
        end = len(name) - len(last)
        if not name.startswith(first) or not name.endswith(last):
            return False
        at = len(first)
        for piece in inner:
            at = name.find(piece, at, end)
            if at < 0:
                return False
            at += len(piece)
        return at <= end
