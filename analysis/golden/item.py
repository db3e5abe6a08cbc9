"""One golden item, and reading a file of them."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import msgspec

_TYPE: Final = "type:"
_CUTOFF: Final = re.compile(r"\d{4}(-\d{2}(-\d{2})?)?")


class Item(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A question with what is known of its right answer."""

    id: str
    question: str
    program: str | None = None
    cutoff: str | None = None
    """Last day, month or year that the answer may know of."""
    expected_ids: tuple[str, ...] = ()
    """Chunks that a good answer uses; empty for refusals."""
    expected_corpus: tuple[str, ...] = ()
    expected_flag: str | None = None
    authored_answer: str | None = None
    reference: str | None = None
    ground_truth: str | None = None
    must_attribute: bool = False
    tags: tuple[str, ...] = ()

    @property
    def type(self) -> str:
        """Type of the question, from the tag `type:…`; `untyped` without."""
        found = (tag.removeprefix(_TYPE) for tag in self.tags if tag.startswith(_TYPE))
        return next(found, "untyped")


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenSet:
    """The items of a file."""

    items: tuple[Item, ...]
    problems: tuple[str, ...]
    """`file:line: what is wrong`; such lines are no items, or not the only ones."""

    def types(self) -> Mapping[str, int]:
        """Return how many items there are of each type, most frequent first."""
        return dict(Counter(item.type for item in self.items).most_common())


def read_golden(name: str, text: str) -> GoldenSet:
    """Return the items of a file of JSON lines, and what is wrong with the others."""
    items: dict[str, Item] = {}
    questions: dict[tuple[str, str | None], str] = {}
    problems: list[str] = []
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            item = msgspec.json.decode(line, type=Item)
        except (msgspec.DecodeError, RecursionError) as error:
            problems.append(f"{name}:{number}: is no item ({error})")
            continue
        problems += [f"{name}:{number}: {problem}" for problem in _problems(item)]
        if item.id in items:
            problems.append(f"{name}:{number}: repeats the id {item.id!r}")
            continue
        asked = (item.question, item.program)
        if asked in questions:
            problems.append(f"{name}:{number}: asks the question of {questions[asked]!r} again")
        questions.setdefault(asked, item.id)
        items[item.id] = item
    return GoldenSet(items=tuple(items.values()), problems=tuple(problems))


def _problems(item: Item) -> Iterator[str]:
    if not item.id.strip():
        yield "has an empty id"
    if not item.question.strip():
        yield "has an empty question"
    if item.cutoff is not None and not _CUTOFF.fullmatch(item.cutoff):
        yield f"has a cutoff that is no day, month or year ({item.cutoff!r})"
    if item.expected_flag is not None and item.expected_ids:
        yield "expects a refusal and chunks that a good answer uses"
