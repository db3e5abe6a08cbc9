"""The collections: Markdown files under `documents/`, one passage per section.

## rx200-04 RX-200: belt tension      id and title of the passage

The belt of axis 5 …                  its text
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

DOCUMENTS = Path(__file__).parent / "documents"


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """What a search returns: one section of one document."""

    passage_id: str
    collection: str
    title: str
    text: str
    """Title and body, as the model reads them."""


Corpus = Mapping[str, tuple[Passage, ...]]
"""Passages by collection, in the order of the document."""


def read_corpus(folder: Path = DOCUMENTS) -> Corpus:
    """Read every document of *folder*; the file's name is the collection's."""
    return {path.stem: _passages(path) for path in sorted(folder.glob("*.md"))}


def _passages(path: Path) -> tuple[Passage, ...]:
    sections = path.read_text("utf-8").split("\n## ")[1:]
    return tuple(_passage(section, path.stem) for section in sections)


def _passage(section: str, collection: str) -> Passage:
    heading, _, body = section.partition("\n")
    passage_id, _, title = heading.partition(" ")
    return Passage(
        passage_id=passage_id,
        collection=collection,
        title=title,
        text=f"{title}. {body.strip()}",
    )
