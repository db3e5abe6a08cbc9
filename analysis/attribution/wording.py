"""Words of the trace inside our own sentences: on one line, bounded, never empty."""

from collections.abc import Iterable

NAME_LENGTH = 60
"""Longest name of a tool, collection, agent or chunk in a sentence, in characters."""
QUOTE_LENGTH = 90
"""Longest quoted text in a sentence, in characters."""
UNNAMED = "an unnamed collection"

_LISTED = 3


def short(text: str, limit: int = NAME_LENGTH) -> str:
    """Return a text on one line, cut to *limit* characters; `(empty)` for a blank one."""
    line = " ".join(text.split())
    if not line:
        return "(empty)"
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def quoted(text: str) -> str:
    """Return a text on one line, bounded and in quotation marks."""
    return f"“{short(text, QUOTE_LENGTH)}”"


def listed(names: Iterable[str | None], otherwise: str) -> str:
    """Return distinct names with commas, the first three and how many more.

    Args:
        names: None is left out.
        otherwise: What to say when there is no name.
    """
    distinct = list(dict.fromkeys(short(name) for name in names if name))
    more = f" and {len(distinct) - _LISTED} more" if len(distinct) > _LISTED else ""
    return ", ".join(distinct[:_LISTED]) + more if distinct else otherwise


def place(collection: str | None) -> str:
    """Return the name of a collection, or that it has none."""
    return short(collection) if collection else UNNAMED
