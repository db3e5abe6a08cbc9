"""Accidents of exporters and tests: to records and the values in them."""

import copy
import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from tests.robustness.corpus import DEEP, Document
from tests.robustness.damage import Damaged, Mutator

Slot = tuple[Any, Any]
"""A list or an object, and where in it."""

Change = Callable[[Any, Random], Any]
"""Returns what shall stand instead of a value."""

_ID = (
    "traceid",
    "spanid",
    "parentspanid",
    "id",
    "parentid",
    "parentrunid",
    "trace",
    "context.spanid",
)
_OTHERS: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    1.5,
    "",
    "x",
    [],
    {},
    [None],
    {"": None},
    [[]],
    {"a": {}},
)
_NUMBERS = (2**64, -(2**63), 2**53 + 1, 10**400, 1e308, -0.0, 10**25)
_TIMES: tuple[Any, ...] = (
    *(0, -1, 1, 2**63, 2**64 - 1, 10**30, 1e18, 1.5, "0", "-5", "1e18", ""),
    *(
        "2026-01-01",
        "2026-13-45T99:99:99Z",
        "9999-12-31T23:59:59.999999999Z",
        "now",
        True,
        None,
        [1],
    ),
    {"low": 1, "high": 2},
)
_IDS: tuple[Any, ...] = (
    *("", "0" * 16, "0" * 32, "abc", "f" * 15, "f" * 33, "zz" * 8, "0x1", "é" * 8, "a/../b", " "),
    *("00000000-0000-0000-0000-000000000000", "AAAAAAAAAAA=", "a" * 300, "\ud800", "\0", 0, 7, -7),
    *(2**64, 1.5, True, None, ["a"], {"a": 1}),
)
_TEXTS = (
    "\ud800", "half \udc00 pair", "\0 nul", "\u202e bidi \u200b zero", "👩‍👩‍👧‍👦", "\ufeff", "\u2028 \x85",
    "é" * 70_000, "[" * 9_000, "{" * 9_000, "\\" * 9_000, "\\ud800", "</answer>", "1" * 5_000, "[1" * 3_000,
    "```" * 3_000, "|" * 9_000, "[^1]:" * 2_000, "【4:0†" * 2_000, "\x1b[2J", "%s{0}${x}",
)  # fmt: skip


class Twin(str):
    """A key that may stand in an object twice."""

    __slots__ = ()
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


def _slots(node: Any) -> Iterator[Slot]:
    opened = [node]
    while opened:
        inner = opened.pop()
        keys = inner if isinstance(inner, dict) else range(len(inner))
        for key in keys:
            yield inner, key
            if isinstance(inner[key], (dict, list)):
                opened.append(inner[key])


def _damaged(document: Document, at: int, *records: Any) -> Damaged:
    made = [*document.records[:at], *records, *document.records[at + 1 :]]
    touched = frozenset({at}) if document.isolates else None
    return Damaged(data=document.write(made), touched=touched)


def _pick(document: Document, chance: Random) -> tuple[int, Any]:
    at = chance.randrange(len(document.records))
    return at, copy.deepcopy(document.records[at])


def _changing(name: str, change: Change, wanted: Callable[[Any, Any], bool]) -> Mutator:
    """Return the mutator that changes one value of one record, among those *wanted*."""

    def mutate(document: Document, chance: Random) -> Damaged:
        at, record = _pick(document, chance)
        slots = [slot for slot in _slots(record) if wanted(slot[1], slot[0][slot[1]])]
        if slots:
            inner, key = chance.choice(slots)
            inner[key] = change(inner[key], chance)
        return _damaged(document, at, record)

    mutate.__name__ = name
    return mutate


def _any(_key: Any, _value: Any) -> bool:
    return True


def _is_text(_key: Any, value: Any) -> bool:
    return isinstance(value, str)


def _is_time(key: Any, _value: Any) -> bool:
    return isinstance(key, str) and ("time" in key.lower() or key in {"duration", "Duration"})


def _is_id(key: Any, _value: Any) -> bool:
    return isinstance(key, str) and key.lower().replace("_", "") in _ID


def _is_parent(key: Any, _value: Any) -> bool:
    return isinstance(key, str) and "parent" in key.lower()


def _is_number(_key: Any, value: Any) -> bool:
    return isinstance(value, (int, float)) or (isinstance(value, str) and value.isdigit())


def _one_of(values: tuple[Any, ...]) -> Change:
    return lambda _value, chance: copy.deepcopy(chance.choice(values))


def _cut_text(value: Any, chance: Random) -> Any:
    return value[: chance.randrange(len(value) + 1)]


def _double(value: Any, chance: Random) -> Any:
    for _ in range(chance.randrange(1, 4)):
        value = json.dumps(value)
    return value


def _listed(value: Any, chance: Random) -> Any:
    return chance.choice([[value], [value, value], {"value": value}, [[value]], {"0": value}])


def drop_key(document: Document, chance: Random) -> Damaged:
    at, record = _pick(document, chance)
    inner, key = chance.choice(list(_slots(record)))
    del inner[key]
    return _damaged(document, at, record)


def rename_key(document: Document, chance: Random) -> Damaged:
    at, record = _pick(document, chance)
    objects = [slot for slot in _slots(record) if isinstance(slot[0], dict)]
    inner, key = chance.choice(objects)
    new = chance.choice(
        [key.upper(), key.lower(), key[:-1], key + ".0", "", f" {key}", "__class__"]
    )
    inner[new] = inner.pop(key)
    return _damaged(document, at, record)


def repeat_key(document: Document, chance: Random) -> Damaged:
    at, record = _pick(document, chance)
    objects = [slot for slot in _slots(record) if isinstance(slot[0], dict)]
    inner, key = chance.choice(objects)
    inner[Twin(key)] = chance.choice([inner[key], *_OTHERS])
    return _damaged(document, at, record)


def reorder_keys(document: Document, chance: Random) -> Damaged:
    at, record = _pick(document, chance)
    for inner in [record, *(i[k] for i, k in _slots(record) if isinstance(i[k], dict))]:
        members = list(inner.items())
        chance.shuffle(members)
        inner.clear()
        inner.update(members)
    return _damaged(document, at, record)


def many_members(document: Document, chance: Random) -> Damaged:
    at, record = _pick(document, chance)
    inners = [i[k] for i, k in _slots(record) if isinstance(i[k], (dict, list))] or [record]
    inner = chance.choice(inners)
    number = 12_000 if isinstance(inner, dict) else 1_000
    if isinstance(inner, dict):
        inner.update((f"k{n}", n) for n in range(number))
    else:
        inner += [inner[0] if inner else {"key": "k", "value": {"intValue": "1"}}] * number
    return _damaged(document, at, record)


def no_object(document: Document, chance: Random) -> Damaged:
    """A record that is something else altogether."""
    at = chance.randrange(len(document.records))
    return _damaged(document, at, chance.choice(_OTHERS))


def self_parent(document: Document, chance: Random) -> Damaged:
    at, record = _pick(document, chance)
    _set_parents(record, _ids_in(record))
    return _damaged(document, at, record)


def parent_cycle(document: Document, chance: Random) -> Damaged:
    """Two records, each of them the other's parent."""
    first, second = chance.sample(range(len(document.records)), 2)
    made = [copy.deepcopy(record) for record in document.records]
    _set_parents(made[first], _ids_in(made[second]))
    _set_parents(made[second], _ids_in(made[first]))
    return Damaged(
        data=document.write(made),
        touched=frozenset({first, second}) if document.isolates else None,
    )


def _ids_in(record: Any) -> list[Any]:
    wanted = ("spanid", "id", "context.spanid")
    return [
        inner[key]
        for inner, key in _slots(record)
        if isinstance(key, str) and key.lower().replace("_", "") in wanted
    ]


def _set_parents(record: Any, ids: list[Any]) -> None:
    for inner, key in list(_slots(record)):
        if _is_parent(key, None) and ids:
            inner[key] = ids[0]


def same_id(document: Document, chance: Random) -> Damaged:
    """Another record with the id of a neighbour and content of its own."""
    at = chance.randrange(len(document.records))
    twin = copy.deepcopy(document.records[at])
    slots = [slot for slot in _slots(twin) if not _is_id(slot[1], None)]
    if slots:
        inner, key = chance.choice(slots)
        inner[key] = copy.deepcopy(chance.choice(_OTHERS))
    return _damaged(document, at, document.records[at], twin)


def duplicate(document: Document, chance: Random) -> Damaged:
    """A batch was sent again."""
    at = chance.randrange(len(document.records))
    return _damaged(document, at, *[document.records[at]] * chance.choice([2, 3, 40]))


def drop(document: Document, chance: Random) -> Damaged:
    return _damaged(document, chance.randrange(len(document.records)))


def shuffle(document: Document, chance: Random) -> Damaged:
    made = list(document.records)
    chance.shuffle(made)
    return Damaged(data=document.write(made), touched=frozenset())


RECORD_MUTATORS = (
    _changing("other_type", _one_of(_OTHERS), _any),
    _changing("null", lambda _v, _c: None, _any),
    _changing("not_finite", _one_of((float("nan"), float("inf"), -float("inf"), "NaN")), _any),
    _changing("huge_number", _one_of(_NUMBERS), _is_number),
    _changing("odd_text", _one_of(_TEXTS), _is_text),
    _changing("cut_text", _cut_text, _is_text),
    _changing("double_encoded", _double, _any),
    _changing("listed", _listed, _any),
    _changing("deep", lambda _v, _c: DEEP.strip('"'), _any),
    _changing("empty_text", lambda _v, _c: "", _is_text),
    _changing("odd_id", _one_of(_IDS), _is_id),
    _changing("odd_time", _one_of(_TIMES), _is_time),
    drop_key,
    rename_key,
    repeat_key,
    reorder_keys,
    many_members,
    no_object,
    self_parent,
    parent_cycle,
    same_id,
    duplicate,
    drop,
    shuffle,
)
