r"""Nesting beyond any use, taken out of a text before a parser meets it.

    [[[[[[1]], 2]], 3]   ──three levels──▶   [[["\u0064eeper"  ]], 3]

What stood deeper is replaced by a mark, in a spelling that no exporter writes, and padded,
so that everything else stays at its place. A record with the mark in it is lost; its
neighbours in the same text are not.
"""

import re

DEPTH_MARK = rb'"\u0064eeper"'

MOST_LEVELS = 256
"""Any decoder follows so far; no attribute value may reach it."""

_MOST_TRACKED = 1_000_000
"""Deeper text is made of nothing else, and not worth the time."""

_AS_MEMBER = DEPTH_MARK + b":0"

# A string that never ends is one token to the end: trying again inside it would cost
# the square of its length.
_STRUCTURE = re.compile(rb'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)
_OPENERS, _CLOSERS = {b"[", b"{"}, {b"]", b"}"}


def shallow(data: bytes, most: int = MOST_LEVELS) -> bytes:
    """Return JSON text in which a mark stands for what is deeper than *most* levels.

    What is only a little deeper stays. The text itself is returned when nothing in it is
    so deep, or when what is deep never ends, within reason.
    """
    made: bytearray | None = None
    level = start = 0
    deeper = False
    mark = DEPTH_MARK
    for match in _STRUCTURE.finditer(data):
        token = match[0]
        if token in _OPENERS:
            level += 1
            if level > _MOST_TRACKED:
                break
            if level == most:
                start, deeper = match.end(), False
                mark = DEPTH_MARK if token == b"[" else _AS_MEMBER
            deeper = deeper or level > most
        elif token in _CLOSERS:
            size = match.start() - start
            if level == most and deeper and size >= len(_AS_MEMBER):
                made = made or bytearray(data)
                made[start : match.start()] = mark.ljust(size)
            level -= 1
    return data if made is None else bytes(made)
