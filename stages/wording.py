"""How two texts of a trace are compared: by their words, never by their white space.

Producers re-wrap, indent and JSON-encode the same text on its way from one span to the
next; whoever asks whether two of them are the same asks here.
"""

import json
import re
from collections.abc import Iterator

from ingest.span import Value

_HALF = re.compile("[\ud800-\udfff]")
_HALF_ESCAPE = re.compile(r"\\u[dD][89a-fA-F]")


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
    if not isinstance(value, list | dict):
        return None
    return _mended(value) if _HALF_ESCAPE.search(text) else value


def _mended(value: Value) -> Value:
    """Replace halves of surrogate pairs, which no file and no database can hold."""
    if isinstance(value, str):
        return _HALF.sub("\ufffd", value)
    if isinstance(value, list):
        return [_mended(item) for item in value]
    if isinstance(value, dict):
        return {_HALF.sub("\ufffd", key): _mended(item) for key, item in value.items()}
    return value


def _plain(text: str) -> str:
    return squeezed(text).casefold().rstrip(".!?。！？؟ ")
