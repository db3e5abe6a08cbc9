"""Data inside a page: JSON that no browser can read as markup or as code.

plain    JSON text with every `<`, `>` and `&` as an escape
packed   JSON, gzipped, in base64; the page unpacks it when it needs it
"""

import base64
import gzip
import json
import math
from typing import Any, Final

from markupsafe import Markup

_LEVEL: Final = 6
"""Of compression: 9 takes twice the time for one percent."""
_IN_MARKUP: Final = str.maketrans(
    {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
)
_SURROGATES: Final = {code: f"\\u{code:04x}" for code in range(0xD800, 0xE000)}


def plain(value: object) -> Markup:
    """Return a value as JSON that may stand in a `<script type="application/json">`."""
    # Every character that could end the element is an escape now, so marking it safe is.
    return Markup(compact(value).translate(_IN_MARKUP))  # noqa: S704


def packed(value: object) -> str:
    """Return a value as gzipped JSON in base64: the same bytes for the same value."""
    return zipped(compact(value))


def zipped(text: str) -> str:
    """Return a text, gzipped, in base64: the same bytes for the same text."""
    return base64.b64encode(gzip.compress(text.encode(), _LEVEL, mtime=0)).decode("ascii")


def compact(value: object) -> str:
    """Return a value as one line of JSON without blanks.

    What JSON cannot hold is written as text: half a character as its escape, and numbers
    that are none (a retriever may score with infinity) as their name.
    """
    try:
        text = _json(value)
    except ValueError:
        text = _json(_finite(value))
    return text.translate(_SURROGATES)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value
