"""The collections: Markdown files under `documents/`, one passage per section.

    ## rx200-04 RX-200: belt tension      id and title of the passage

    The belt of axis 5 …                  its text

A section that was added while the traces were recorded says so in a comment.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

DOCUMENTS = Path(__file__).parent / "documents"
_SINCE = re.compile(r"<!-- in the index since (\S+) -->\s*")
_NS_PER_S = 1_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """What a search returns: one section of one document."""

    passage_id: str
    collection: str
    title: str
    text: str
    """Title and body, as the model reads them."""
    since_ns: int = 0
    """Before this time it was not in the index."""


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
    since = _SINCE.search(body)
    since_ns = 0
    if since is not None:
        since_ns = int(datetime.fromisoformat(since[1]).timestamp()) * _NS_PER_S
    return Passage(
        passage_id=passage_id,
        collection=collection,
        title=title,
        text=f"{title}. {_SINCE.sub('', body).strip()}",
        since_ns=since_ns,
    )
