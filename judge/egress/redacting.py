"""Replaces what may not leave by pseudonyms, the same one everywhere in a turn.

    Mail jo@example.org or JO@example.org.   ─▶   Mail <EMAIL_1> or <EMAIL_1>.

So a judge can still see that answer and source name the same address. Numbers run per
turn, in the order in which its questions show the values; a conversation's own question
has numbers of its own.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final

from ingest.errors import UsageError
from ingest.span import Value
from judge.egress.personal import PERSONAL, PersonalClass
from judge.egress.secrets import SECRETS, random_blobs
from judge.question import Question

_TURNS: Final = 20_000
"""Turns whose pseudonyms are remembered: far more than are judged at a time."""

Numbers = dict[tuple[str, str], int]
Find = Callable[[str], Iterator[tuple[int, int, str]]]
"""Yields start, end and label of what is to be replaced."""


class Redactor:
    """Takes out of questions what may not leave the machine. For one run."""

    def __init__(self, personal: Iterable[str] = (), *, secrets: bool = True) -> None:
        """Say what is to be replaced.

        Args:
            personal: Classes of personal data, names of `PERSONAL`.
            secrets: Keys, tokens and passwords.
        """
        self._finders: list[Find] = [_find_secrets] if secrets else []
        classes = [PERSONAL[name] for name in PERSONAL if name in set(personal)]
        self._finders += [_finder(one) for one in classes]
        self._turns: OrderedDict[tuple[str, str | None], Numbers] = OrderedDict()
        self.replaced: Counter[str] = Counter()
        """How many places were replaced, by label."""

    def prepared(self, question: Question) -> Question:
        """Return the question as it may leave."""
        if not self._finders:
            return question
        place = (question.conversation_id, question.turn_id)
        numbers = self._turns.get(place, {})
        content = {key: self._value(one, numbers) for key, one in question.content.items()}
        if numbers:
            self._turns[place] = numbers
            self._turns.move_to_end(place)
            if len(self._turns) > _TURNS:
                self._turns.popitem(last=False)
        return question if content == question.content else replace(question, content=content)

    def _value(self, value: Value, numbers: Numbers) -> Value:
        match value:
            case str():
                return self.text(value, numbers)
            case list():
                return [self._value(one, numbers) for one in value]
            case dict():
                return {
                    self.text(key, numbers): self._value(one, numbers) for key, one in value.items()
                }
            case _:
                return value

    def text(self, text: str, numbers: Numbers) -> str:
        """Return a text with pseudonyms.

        Args:
            text: Any text of a turn.
            numbers: Pseudonyms given so far in this turn; grows.
        """
        for find in self._finders:
            parts: list[str] = []
            end = 0
            for start, stop, label in find(text):
                if start < end:
                    continue
                key = (label, text[start:stop].casefold())
                if key not in numbers:
                    numbers[key] = 1 + sum(known == label for known, _ in numbers)
                parts += [text[end:start], f"<{label}_{numbers[key]}>"]
                self.replaced[label] += 1
                end = stop
            if parts:
                text = "".join([*parts, text[end:]])
        return text


def personal_classes(names: Iterable[str]) -> tuple[str, ...]:
    """Return classes of personal data; `all` stands for every one.

    Raises:
        UsageError: There is no such class.
    """
    wanted = [name.strip() for one in names for name in one.split(",") if name.strip()]
    for name in wanted:
        if name != "all" and name not in PERSONAL:
            known = ", ".join(PERSONAL)
            raise UsageError("--redact", f"there is no class {name!r}", f"There are: {known}, all.")
    return tuple(PERSONAL) if "all" in wanted else tuple(dict.fromkeys(wanted))


def _find_secrets(text: str) -> Iterator[tuple[int, int, str]]:
    lower = text.casefold() if not text.isascii() else text.lower()
    found: list[tuple[int, int, str]] = []
    for pattern in SECRETS:
        if not any(hint in lower for hint in pattern.hints):
            continue
        for match in pattern.form.finditer(text):
            start, end = match.span(1 if match.re.groups else 0)
            if not text.startswith("<", start) and start < end:
                found.append((start, end, pattern.label))
    found += [(start, end, "RANDOM_KEY") for start, end in random_blobs(text)]
    # The longest from each place on: a token within a password is a password.
    yield from sorted(found, key=lambda one: (one[0], -one[1]))


def _finder(one: PersonalClass) -> Find:
    def find(text: str) -> Iterator[tuple[int, int, str]]:
        for match in one.form.finditer(text):
            if one.is_one(match[0]):
                yield *match.span(), one.label

    return find
