"""What a person may ask of a page: its layout, and what it must not show."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

Layout: TypeAlias = Literal["auto", "file", "dir"]
"""One file, a page with a folder of parts beside it, or whichever fits."""

FILE_BUDGET: Final = 5_000_000
"""Bytes of a page in one file. While they last, it holds the bodies of all turns."""
FILE_TURNS: Final = 50_000
"""Turns that a page in one file lists, unless that layout is asked for."""
FOLDER_BUDGET: Final = 256_000_000
"""Bytes of all bodies in a folder of parts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOptions:
    """How a page is laid out, and what of the traces it shows."""

    layout: Layout = "auto"
    bodies: bool = True
    """Whether single turns can be opened; without, the page has numbers and ids only."""
    redact: bool = False
    """Whether every recorded text is replaced by its length. Names and ids stay."""
    budget: int = FILE_BUDGET
    """Bytes of a page in one file, up to which it holds bodies of turns."""

    @property
    def texts(self) -> bool:
        """Whether any text of a trace may be shown."""
        return self.bodies and not self.redact
