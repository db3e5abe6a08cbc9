"""What identifies a record: an order, a customer, an article.

A value identifies by its name: `order_id`, `orderId`, `sku`, `email`. The same identifier
comes in many spellings; here it has one: `999` and `"999"`, `order_id` and `orderId` and
an item of `order_ids` are the same.
"""

import re

from ingest.span import Value

_IDENTIFYING = frozenset(
    [
        "id",
        "ids",
        "uuid",
        "guid",
        "number",
        "no",
        "nr",
        "num",
        "code",
        "sku",
        "key",
        "ref",
        "reference",
        "email",
        "mail",
        "phone",
        "username",
        "isbn",
        "ean",
        "serial",
        "account",
        "vin",
        "slug",
        "plate",
        "ticket",
    ]
)
_BARE = frozenset(
    ["id", "ids", "uuid", "guid", "number", "no", "nr", "num", "code", "key", "ref", "reference"]
)
"""Names that say nothing without the thing that they number."""
_NAME_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+")
_DIGIT_TEXT = re.compile(r"(?=.*\d)\S{3,100}", re.DOTALL)
_MOST_PAIRS = 64
_LONGEST_VALUE = 100


def asked_for(arguments: Value) -> Value:
    """Return what identifies the record that a call asks for, in one spelling."""
    if not isinstance(arguments, dict):
        return arguments
    identifying: dict[str, Value] = {}
    for name, value in arguments.items():
        text = _scalar(value)
        named = text is not None and bool(_identified_by(name))
        if named or (isinstance(value, str) and _DIGIT_TEXT.fullmatch(value.strip())):
            identifying["_".join(_parts(name))] = text
    return {**identifying} or arguments


def identifiers(value: Value) -> list[tuple[str, str]]:
    """Return the distinct identifiers in a structured value with their keys."""
    pairs: dict[tuple[str, str], None] = {}
    waiting: list[Value] = [value]
    while waiting and len(pairs) < _MOST_PAIRS:
        item = waiting.pop()
        if isinstance(item, list):
            waiting.extend(item)
        elif isinstance(item, dict):
            waiting.extend(item.values())
            for name, held in item.items():
                key = _identified_by(name)
                values = held if isinstance(held, list) else [held]
                texts = [text for text in map(_scalar, values) if text]
                if key and key not in _BARE:
                    pairs.update(dict.fromkeys((key, text) for text in texts))
    return list(pairs)


def is_about(tool: str, key: str) -> bool:
    """Tell whether a tool deals with what a key identifies: `get_order` and `order_id`.

    A key of one word (`sku`, `email`) identifies by itself.
    """
    things = {part.removesuffix("s") for part in key.split("_")[:-1]}
    return not things or bool(things & {part.removesuffix("s") for part in _parts(tool)})


def _identified_by(name: str) -> str | None:
    """Return the key in one spelling when its name says that it identifies a record."""
    parts = _parts(name)
    if not parts or parts[-1] not in _IDENTIFYING:
        return None
    last = parts[-1].removesuffix("s") if parts[-1] == "ids" else parts[-1]
    return "_".join([*parts[:-1], last])


def _parts(name: str) -> list[str]:
    return [part.casefold() for part in _NAME_PART.findall(name)]


def _scalar(value: Value) -> str | None:
    """Return an identifier in one spelling: `999` and `"999"` are the same."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    text = str(value).strip().casefold()
    return text if 0 < len(text) <= _LONGEST_VALUE else None
