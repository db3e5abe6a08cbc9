"""How two texts of a trace are compared: by their words, never by their white space.

Producers re-wrap, indent and JSON-encode the same text on its way from one span to the
next; whoever asks whether two of them are the same asks here.
"""

import json
from collections.abc import Iterator

from ingest.span import Value


def squeezed(text: str) -> str:
    """Return *text* with every run of white space as one space, none at the ends."""
    return " ".join(text.split())


def same_words(one: str | None, other: str | None) -> bool:
    """Tell whether both are known and equal but for case, space and closing punctuation."""
    if one is None or other is None:
        return False
    return _plain(one) == _plain(other)


def value_text(value: Value) -> str:
    """Return a decoded value as the text a model reads: a string as it is, else JSON."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def value_key(value: Value) -> str:
    """Return a text that is equal for equal values, whatever the order of their keys."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def strings_in(value: Value) -> Iterator[str]:
    """Yield every string inside a decoded value, in reading order; keys are not read."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, list):
            waiting.extend(reversed(item))
        elif isinstance(item, dict):
            waiting.extend(reversed(item.values()))


def parsed(text: str) -> Value:
    """Return the list or object that *text* is in JSON, None when it is none."""
    if text.lstrip()[:1] not in ("[", "{"):
        return None
    try:
        value: Value = json.loads(text, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, list | dict) else None


def _plain(text: str) -> str:
    return squeezed(text).casefold().rstrip(".!?。！？؟ ")
