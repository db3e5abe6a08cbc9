"""What was probably meant by a name that nothing has."""

import difflib
from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str], most: int = 3) -> str | None:
    """Return the nearest known names as a question, None where none is near.

    Upper and lower case do not count, and a name that is known twice is named once.
    """
    spelt: dict[str, str] = {}
    for one in known:
        spelt.setdefault(one.casefold(), one)
    near = difflib.get_close_matches(name.casefold(), spelt, n=most)
    return f"Did you mean {' or '.join(spelt[one] for one in near)}?" if near else None
