"""JSON that a length limit cut off: everything before the cut, and where the cut fell.

Exporters cut attribute values at some number of characters and leave JSON like

    [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Go

Tokens are checked one by one; at the end of the text the open string and containers
are closed again. Text that breaks the grammar before its end is no cut JSON.
"""

import json
import re
from dataclasses import dataclass

from ingest.span import Value

_TOKEN = re.compile(
    r"""\s*+(?:
        (?P<string>"(?:[^"\\]++|\\.)*+)(?P<closed>")?
      | (?P<literal>[\w+.\-]++)
      | (?P<mark>[\[\]{}:,])
    )""",
    re.DOTALL | re.VERBOSE,
)
_LITERAL = re.compile(r"true|false|null|NaN|-?Infinity|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_WHOLE_ESCAPES = re.compile(r'"(?:[^\\]++|\\[^u]|\\u[0-9a-fA-F]{4})*+', re.DOTALL)
_CLOSERS = {"[": "]", "{": "}"}
_MAX_OPEN = 64

# What may stand next; `end` stands for the bracket that closes the container.
_VALUE, _VALUE_OR_END, _KEY, _KEY_OR_END, _COLON, _COMMA_OR_END = range(6)
_TAKES_VALUE = {_VALUE, _VALUE_OR_END}
_TAKES_KEY = {_KEY, _KEY_OR_END}
_TAKES_END = {_VALUE_OR_END, _KEY_OR_END, _COMMA_OR_END}


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefix:
    """What stands before the cut."""

    value: Value
    """A list or an object; numbers and names that touch the cut are dropped."""
    last_cut: bool
    """The last item of the outermost container is incomplete."""


def parse_prefix(text: str, decoder: json.JSONDecoder) -> Prefix | None:
    """Read cut JSON; None where *text* is whole, is no JSON, or yields nothing.

    A string that was cut keeps its beginning. Containers nested more than 64 deep are
    not read.
    """
    scan = _Scan(text)
    if not scan.run():
        return None
    closers = "".join(_CLOSERS[opener] for opener in reversed(scan.open))
    value: Value = _decoded(text[: scan.safe] + scan.tail + closers, decoder)
    if not value:
        return None
    return Prefix(value=value, last_cut=bool(scan.tail) or len(scan.open) > 1)


def read_cut_string(text: str, decoder: json.JSONDecoder) -> str | None:
    """Read a JSON string whose end was cut off; None where *text* is no such string."""
    token = _TOKEN.match(text)
    if token is None or token["string"] is None or token["closed"] is not None:
        return None
    value = _decoded(_whole_escapes(token["string"]) + '"', decoder)
    return value if isinstance(value, str) else None


def _decoded(text: str, decoder: json.JSONDecoder) -> Value:
    """Decode mended text; None where escapes inside its strings are no JSON."""
    try:
        value: Value = decoder.decode(text)
    except ValueError:
        return None
    return value


def _whole_escapes(string: str) -> str:
    """Drop what the cut left of an escape from the end of an opened string."""
    match = _WHOLE_ESCAPES.match(string)
    return match[0] if match else '"'


class _Scan:
    """One pass over the tokens; `text[:safe] + tail` is sound once `open` is closed."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.open: list[str] = []
        self.safe = 0
        self.tail = ""
        self.next = _VALUE

    def run(self) -> bool:
        """Tell whether the text ends before its JSON does, and is sound up to there."""
        at = 0
        while match := _TOKEN.match(self.text, at):
            at = match.end()
            if match["string"] is not None and match["closed"] is None:
                return self._cut_string(match)
            if not self._take(match):
                return False
            if not self.open:
                return False
        return bool(self.open) and not self.text[at:].strip()

    def _take(self, match: re.Match[str]) -> bool:
        if match["mark"] is not None:
            return self._mark(match["mark"], match.end())
        if match["string"] is not None and self.next in _TAKES_KEY:
            self.next = _COLON
            return True
        if self.next not in _TAKES_VALUE:
            return False
        if match["literal"] is not None:
            if match.end() == len(self.text):
                return True  # it may go on behind the cut
            if not _LITERAL.fullmatch(match["literal"]):
                return False
        self.safe, self.next = match.end(), _COMMA_OR_END
        return True

    def _mark(self, mark: str, end: int) -> bool:
        if mark == ":" and self.next == _COLON:
            self.next = _VALUE
        elif mark == "," and self.next == _COMMA_OR_END and self.open:
            self.next = _KEY if self.open[-1] == "{" else _VALUE
        elif mark in _CLOSERS and self.next in _TAKES_VALUE and len(self.open) < _MAX_OPEN:
            self.open.append(mark)
            self.safe, self.next = end, _KEY_OR_END if mark == "{" else _VALUE_OR_END
        elif self.open and mark == _CLOSERS[self.open[-1]] and self.next in _TAKES_END:
            self.open.pop()
            self.safe, self.next = end, _COMMA_OR_END
        else:
            return False
        return True

    def _cut_string(self, match: re.Match[str]) -> bool:
        if not self.open:
            return False
        if self.next in _TAKES_VALUE:
            between = self.text[self.safe : match.start("string")]
            self.tail = between + _whole_escapes(match["string"]) + '"'
            return True
        return self.next in _TAKES_KEY
