"""Addresses within a page: a hash says what is shown, so that any view can be pasted."""

from urllib.parse import quote, urlencode

_UNTOLD = ""
"""Stands for a segment of which the trace does not tell."""


def view_link(**state: str | None) -> str:
    """Return the address of the breakdown with its list filtered.

    In a page whose script runs, a link keeps the filters that it does not name: None says
    nothing about a filter, an empty text takes it away.
    """
    given = {name: value for name, value in state.items() if value is not None}
    return f"#/?{urlencode(given)}" if given else "#/"


def segment_value(name: str | None) -> str:
    """Return how an address names a segment."""
    return _UNTOLD if name is None else name


def turn_link(conversation_id: str, turn: int) -> str:
    """Return the address of a turn."""
    return f"#/c/{quote(conversation_id, safe='')}/t/{turn}"
