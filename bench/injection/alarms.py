"""How many payloads the screen flags, and how many texts that attack nobody."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from bench.injection.payloads import Payload
from judge.rendering import hidden_characters, legible
from judge.screening import HIDDEN_AT_LEAST, Flag, screen_text


@dataclass(slots=True)
class Alarms:
    """What the screen says."""

    payloads: int = 0
    flagged: int = 0
    clean: int = 0
    false: list[str] = field(default_factory=list)
    """Clean texts with a flag, cut short."""
    flags: Counter[Flag] = field(default_factory=Counter)
    """Payloads by flag; one may have several."""

    def __str__(self) -> str:
        named = ", ".join(f"{flag} {count}" for flag, count in sorted(self.flags.items()))
        return (
            f"{self.flagged} of {self.payloads} payloads flagged ({named}); "
            f"{len(self.false)} of {self.clean} clean texts"
        )


def look(payloads: Iterable[Payload], clean: Iterable[str]) -> Alarms:
    """Screen hostile and clean texts."""
    found = Alarms()
    for payload in payloads:
        flags = flags_of(payload.text)
        found.payloads += 1
        found.flagged += bool(flags)
        found.flags.update(flags)
    for text in clean:
        found.clean += 1
        if flags_of(text):
            found.false.append(text[:80])
    return found


def flags_of(text: str) -> frozenset[Flag]:
    """Return the flags of a text before the judge's copy is made of it."""
    found = set(screen_text(legible(text)))
    if hidden_characters(text) >= HIDDEN_AT_LEAST:
        found.add("hidden")
    return frozenset(found)
