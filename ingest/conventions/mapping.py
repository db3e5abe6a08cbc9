"""A house's own names: what its users say in `[mapping]` outranks every convention.

    rule "retrieval"    span name kb.lookup*    ─▶  kind RETRIEVER
                        query = acme.search.q   ─▶  RetrievalFact.query
                        chunks = acme.hits      ─▶  RetrievalFact.documents

A rule says which spans it is for, what they did, and where their facts stand. All rules
that fit a span apply: fact by fact, the first that tells it is believed; the first that
knows a kind gives it, and rules of another kind then stand back. What no rule tells stays
as the other conventions told it.

Like every convention it has `recognises` and `convert`; `refine` puts its facts over what
others found. Nothing recorded makes it fail.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from ingest.attributes import Attributes
from ingest.conventions.globs import Glob
from ingest.conventions.mapped_facts import FACTS_OF, apply_facts
from ingest.conventions.places import Place
from ingest.span import RawSpan, Span, SpanKind, Value
from ingest.values import identifier, is_placeholder

NAME: Final = "mapping"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """What some spans of a house did, and where they tell it."""

    name: str
    """As `doctor --explain` names it."""
    kind: SpanKind | None = None
    """None: the rule adds facts to whatever the span is."""
    ignore: bool = False
    """Such spans do no stage's work, whatever others make of them."""
    spans: tuple[Glob, ...] = ()
    """Names of the spans; empty for any."""
    scopes: tuple[Glob, ...] = ()
    services: tuple[Glob, ...] = ()
    where: tuple[tuple[Place, tuple[Glob, ...]], ...] = ()
    """Places and what has to stand there; all of them."""
    facts: Mapping[str, tuple[Place, ...]] = field(default_factory=dict)
    """Places by fact, to be tried in order."""
    items: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """Paths inside each item of a listed fact: `chunk` or `citation`, then the field."""

    def fits(self, raw: RawSpan) -> bool:
        """Tell whether the rule is for *raw*."""
        return (
            _any_matches(self.spans, raw.name)
            and _any_matches(self.scopes, raw.scope_name)
            and _any_matches(self.services, raw.service or "")
            and self._mentioned(raw)
            and all(_holds(raw, place, globs) for place, globs in self.where)
        )

    def _mentioned(self, raw: RawSpan) -> bool:
        """Tell by the undecoded bytes whether the rule can have anything to say."""
        attributes = raw.attributes
        if not isinstance(attributes, Attributes):
            return True
        if not all(place.may_stand_on(raw) for place, _ in self.where):
            return False
        if self.kind is not None or self.ignore:
            return True
        places = [place for one in self.facts.values() for place in one]
        return any(place.may_stand_on(raw) for place in places)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One fact, and what told it."""

    fact: str
    rule: str
    place: str
    value: Value = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseMapping:
    """All rules of a house, in the order in which they are asked."""

    rules: tuple[Rule, ...] = ()

    def recognises(self, raw: RawSpan) -> bool:
        """Tell whether any rule is for *raw*."""
        return any(rule.fits(raw) for rule in self.rules)

    def convert(self, raw: RawSpan) -> Span:
        """Translate one span by the rules alone."""
        return self.refine(Span(raw=raw))

    def refine(self, span: Span) -> Span:
        """Return *span*, as other conventions made it, with what the rules tell over it."""
        return refine(span, self.fitting(span.raw))

    def fitting(self, raw: RawSpan) -> tuple[Rule, ...]:
        """Return the rules that are for *raw*, in order; those of a later kind stand back."""
        fitting = tuple([rule for rule in self.rules if rule.fits(raw)])
        kind = next((rule.kind for rule in fitting if rule.kind is not None), None)
        return tuple(rule for rule in fitting if rule.kind in (None, kind))

    def explain(self, raw: RawSpan, kind: SpanKind) -> tuple[tuple[str, ...], tuple[Told, ...]]:
        """Return the names of the rules that fit *raw*, and what they tell of it.

        Args:
            raw: The span.
            kind: What it came out as.
        """
        rules = self.fitting(raw)
        return tuple(rule.name for rule in rules), tuple(_read(rules, raw, kind))


def refine(span: Span, rules: tuple[Rule, ...]) -> Span:
    """Return *span* with what *rules*, all of which fit it, tell over it."""
    if not rules:
        return span
    if any(rule.ignore for rule in rules):
        known = (NAME, *span.conventions)
        return Span(raw=span.raw, synthetic=True, conventions=known, flags=span.flags)
    kind = next((rule.kind for rule in rules if rule.kind is not None), None)
    told = _read(rules, span.raw, kind or span.kind)
    if kind is None and not told:
        return span
    items = {name: paths for rule in reversed(rules) for name, paths in rule.items.items()}
    values = {one.fact: one.value for one in told}
    made = apply_facts(span, kind or span.kind, values, items)
    return replace(made, conventions=(NAME, *span.conventions))


NO_MAPPING: Final = HouseMapping()


def _read(rules: tuple[Rule, ...], raw: RawSpan, kind: SpanKind) -> list[Told]:
    """Return the first value of each fact that a span of this kind can have."""
    found: dict[str, Told] = {}
    for rule in rules:
        for fact, places in rule.facts.items():
            if fact not in found and fact in FACTS_OF[kind]:
                one = _first(rule.name, fact, places, raw)
                if one is not None:
                    found[fact] = one
    return list(found.values())


def _first(rule: str, fact: str, places: tuple[Place, ...], raw: RawSpan) -> Told | None:
    for place in places:
        value = place.read(raw)
        if value is not None and value != "" and not is_placeholder(value):
            return Told(fact=fact, rule=rule, place=str(place), value=value)
    return None


def _any_matches(globs: tuple[Glob, ...], name: str) -> bool:
    return not globs or any(glob.matches(name) for glob in globs)


def _holds(raw: RawSpan, place: Place, globs: tuple[Glob, ...]) -> bool:
    value = place.read(raw)
    if isinstance(value, bool):
        value = "true" if value else "false"
    told = identifier(value)
    return told is not None and _any_matches(globs, told)
