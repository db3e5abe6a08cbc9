"""What the tools of a run tell of records: by what number, and in which fields.

    get_claim(claim_id="E-905") ─▶ {"hotel_eur": "236.00", …}
        numbers like E-905, field *hotel*

"How much did the hotel come to on my claim E-905?" asks for such a field of such a record.
No passage tells it, however much it says about hotels; one that names the record may.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final

from judge.local.encoder import closeness_of
from judge.local.evidence import spoken
from judge.local.identifiers import family, identifiers, without_identifiers
from judge.local.said import fields_of
from judge.local.text import bag
from judge.local.units import units
from judge.local.vectors import load, words
from judge.rendering import value_text

_SAME: Final = 0.9
"""Cosine from which a word of a question names a field."""
_ABOUT: Final = 0.2
"""Closeness from which a question asks for what a tool is described for."""
_MOST_FIELDS: Final = 500
"""Keys above which those of a tool are values, and not names of fields."""
_SHORTEST: Final = 3
"""Letters of the shortest word that names a field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """What one tool was called with, and what it told."""

    tool: str
    description: str | None = None
    families: frozenset[str] = frozenset()
    """Of the numbers of its records."""
    fields: frozenset[str] = frozenset()
    """Keys of its results, without those that it is called with.

    Empty where there are so many that they are values, such as names of people.
    """

    @classmethod
    def of_call(cls, tool: str, arguments: Any, result: Any) -> "Table":
        """Read off one call what the tool tells."""
        numbers = map(family, identifiers(value_text(arguments)))
        fields = fields_of(value_text(result), arguments)
        return cls(
            tool=tool,
            families=frozenset(numbers),
            fields=_named(fields),
        )

    def has(self, question: str) -> bool:
        """Tell whether a question, without its numbers, asks for what the tool tells."""
        asked = tuple(word for word in words(question) if len(word) >= _SHORTEST)
        if any(_names(one, asked) for one in self.fields):
            return True
        return bool(self.description) and _about(question, self.description or "") >= _ABOUT


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of a run."""

    by_family: Mapping[str, tuple[Table, ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, tables: Iterable[Table]) -> "Tables":
        """Put together what single calls of each tool show."""
        told: dict[str, list[Table]] = {}
        for one in tables:
            told.setdefault(one.tool, []).append(one)
        found: dict[str, list[Table]] = {}
        for tool in sorted(told):
            whole = Table(
                tool=tool,
                description=max(one.description or "" for one in told[tool]) or None,
                families=frozenset[str]().union(*(one.families for one in told[tool])),
                fields=_named(frozenset[str]().union(*(one.fields for one in told[tool]))),
            )
            for kind in whole.families:
                found.setdefault(kind, []).append(whole)
        return cls({kind: tuple(ones) for kind, ones in found.items()})

    @property
    def identity(self) -> str:
        """All of it as one text; equal runs have equal ones."""
        return repr(
            [
                (kind, one.tool, one.description, sorted(one.fields))
                for kind in sorted(self.by_family)
                for one in self.by_family[kind]
            ]
        )

    def asked(self, question: str, named: Mapping[str, int]) -> str | None:
        """Return the record of which a question asks for a field, None where it asks for none.

        Args:
            question: What is asked now.
            named: How many passages of the run have a term: a number that some have names a
                product, and no record.
        """
        if not self.by_family:
            return None
        bare = without_identifiers(question)
        for known, written in identifiers(question).items():
            if not named.get(known) and any(
                table.has(bare) for table in self.by_family.get(family(known), ())
            ):
                return written
        return None


def _named(keys: Collection[str]) -> frozenset[str]:
    return frozenset(keys) if len(keys) <= _MOST_FIELDS else frozenset()


@lru_cache(maxsize=16_384)
def _names(name: str, asked: tuple[str, ...]) -> bool:
    """Tell whether a question has all words of a field's name but its unit."""
    own = [word for word in words(spoken(name)) if len(word) >= _SHORTEST and word not in units()]
    if not own or not asked:
        return False
    said = bag(" ".join(asked))
    alike = load().soft_matches(own, asked, _SAME)
    return all(
        like > 0 or not bag(word).isdisjoint(said) for word, like in zip(own, alike, strict=True)
    )


@lru_cache(maxsize=16_384)
def _about(question: str, description: str) -> float:
    return closeness_of(question, description)
