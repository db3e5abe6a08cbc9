"""The border to the terminal: no character of a trace may drive it.

Control characters move the cursor, set links, write to the clipboard; bidi controls show
other words than there are. Everything printed goes through `safe`, error texts and
progress included; JSON, which must stay lossless, through `safe_json`.
"""

import json
import re
from collections.abc import Mapping
from typing import Final

_BIDI: Final = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
_SURROGATES: Final = "\ud800-\udfff"
_UNSAFE: Final = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f{_BIDI}{_SURROGATES}]")
_UNSAFE_IN_JSON: Final = re.compile(rf"[\x7f-\x9f{_BIDI}{_SURROGATES}]")


def safe(text: str) -> str:
    r"""Return *text* with every control and bidi character replaced by U+FFFD.

    `\t` and `\n` stay, `\r\n` becomes `\n`; the result is never longer than the text.
    """
    return _UNSAFE.sub("\ufffd", text.replace("\r\n", "\n"))


def safe_line(text: str) -> str:
    """Return *text* safe and on one line: every run of white space is one blank."""
    return " ".join(safe(text).split())


def safe_json(value: object) -> str:
    """Return *value* as one line of JSON that is lossless and safe to print.

    What `safe` would replace is written as an escape; all other characters stay readable.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    return _UNSAFE_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def wants_color(*, is_tty: bool, environ: Mapping[str, str]) -> bool:
    """Tell whether a stream gets colours.

    `NO_COLOR` (any value but the empty one) wins over `FORCE_COLOR`; otherwise only a
    terminal that is not `dumb` gets them.
    """
    if environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR"):
        return True
    return is_tty and environ.get("TERM") != "dumb"
