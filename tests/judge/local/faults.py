"""Good turns of the development corpus, and the same turns with one fault planted."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from judge.local.library import Library
from judge.local.shelves import Passage
from stages.records import Citation, Paragraph, Turn
from tests.builders import chunk, citation, generation, message, paragraph, retrieval, turn

FOLDER = Path(__file__).with_name("development")


def corpus() -> Mapping[str, Mapping[str, str]]:
    """Return title and text of every chunk, by id."""
    data = json.loads((FOLDER / "relevance.json").read_text("utf-8"))
    chunks: Mapping[str, Mapping[str, str]] = data["chunks"]
    return chunks


def collection_of(chunk_id: str) -> str:
    """Return the collection that holds a chunk."""
    return "travel-insurance" if chunk_id.startswith("ti-") else "coffee-machines"


def library() -> Library:
    """Return the whole corpus as what a run retrieved."""
    return Library(
        Passage(collection=collection_of(chunk_id), title=one["title"], text=one["text"])
        for chunk_id, one in corpus().items()
    )


def good_turns() -> Iterator[Mapping[str, Any]]:
    """Yield the good turns as written down."""
    yield from json.loads((FOLDER / "turns.json").read_text("utf-8"))


def built(record: Mapping[str, Any], **changes: Any) -> Turn:
    """Build a turn from its record, with some of its fields replaced."""
    record = {**record, **changes}
    texts = corpus()
    blocks: list[Paragraph] = []
    citations: list[Citation] = []
    start = 0
    for number, (text, cited) in enumerate(record["answer"], start=1):
        marked = text
        for chunk_id in cited:
            marker = f"[{record['chunks'].index(chunk_id) + 1}]"
            citations.append(
                citation(
                    chunk_id,
                    marker,
                    number=len(citations) + 1,
                    paragraph=number,
                    start=start + len(marked) + 1,
                )
            )
            marked = f"{marked} {marker}"
        blocks.append(paragraph(marked, number, start=start))
        start += len(marked) + 2
    found = [
        chunk(
            chunk_id,
            texts[chunk_id]["text"],
            rank,
            metadata={"title": texts[chunk_id]["title"]},
            collection=collection_of(chunk_id),
        )
        for rank, chunk_id in enumerate(record["chunks"], start=1)
    ]
    collection = collection_of(record["chunks"][0]) if record["chunks"] else None
    return turn(
        record["question"],
        generation(
            "\n\n".join(block.text for block in blocks), citations, paragraphs=tuple(blocks)
        ),
        retrievals=(retrieval(found, record["question"], collection=collection),),
        history=tuple(message(text) for text in record.get("earlier", ())),
    )
