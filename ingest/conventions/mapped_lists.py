"""Lists that a mapping leads to: the chunks of a search, and what an answer cites.

    chunks = [{"doc": "hr-1", "body": "…", "meta": {"sim": 0.7}}]
    chunk  = {id: "doc", text: "body", score: "meta.sim"}         paths inside each item

What the paths do not find is looked for under the names that recorders use. A list whose
items all tell their rank is put in that order.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, TypeAlias, TypeVar

from ingest.conventions.documents import read_document, read_documents
from ingest.conventions.native_citations import part_citations
from ingest.conventions.places import inside
from ingest.span import Document, NativeCitation, Value
from ingest.values import count, decode, identifier, number, text_of

_T = TypeVar("_T")

Paths: TypeAlias = Mapping[str, tuple[str, ...]]
"""Paths inside an item, by field, to be tried in order."""

CHUNK_FACTS: Final = ("chunks", "chunk_ids", "chunk_texts", "chunk_scores")
"""A list of chunks, or one list for each of their fields."""

ITEM_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "chunk": ("id", "text", "score", "rank", "collection", "metadata"),
    "citation": ("target", "position", "quote", "start", "end"),
}
"""What a path can be given for inside each item of `chunks`, and of `citations`."""


def mapped_chunks(told: Mapping[str, Value], paths: Paths) -> tuple[Document, ...] | None:
    """Return the chunks that facts of `CHUNK_FACTS` tell; None where they tell none."""
    if "chunks" in told:
        return listed_chunks(told["chunks"], paths)
    columns = [_list(told.get(name)) for name in ("chunk_ids", "chunk_texts", "chunk_scores")]
    longest = max(map(len, columns))
    if not longest:
        empty = any(decode(told.get(name)).value == [] for name in CHUNK_FACTS if name in told)
        return () if empty else None
    ids, texts, scores = ([*column, *[None] * (longest - len(column))] for column in columns)
    return tuple(
        Document(document_id=identifier(one), text=text_of(text), score=number(score))
        for one, text, score in zip(ids, texts, scores, strict=True)
    )


def listed_chunks(value: Value, paths: Paths) -> tuple[Document, ...] | None:
    """Return the chunks of one list, by *paths* or, without any, by the usual names."""
    listed = decode(value).value
    if not paths or not isinstance(listed, list):
        return read_documents(listed)
    ranked: list[tuple[float | None, Document]] = []
    for item in listed:
        opened = decode(item).value if isinstance(item, str) else item
        found = _document(opened, paths)
        if found is not None:
            ranked.append((number(_at(opened, paths, "rank")), found))
    if ranked and all(rank is not None for rank, _ in ranked):
        ranked.sort(key=lambda pair: pair[0] or 0.0)
    return tuple(document for _, document in ranked) if ranked or not listed else None


def _document(item: Value, paths: Paths) -> Document | None:
    base = read_document(item)
    if not isinstance(item, dict):
        return base
    base = base or Document(document_id=None, text=None)
    metadata = decode(_at(item, paths, "metadata")).value
    found = replace(
        base,
        document_id=identifier(_at(item, paths, "id")) or base.document_id,
        text=_or(text_of(_at(item, paths, "text")), base.text),
        score=_or(number(_at(item, paths, "score")), base.score),
        collection=identifier(_at(item, paths, "collection")) or base.collection,
        metadata=metadata if isinstance(metadata, dict) else base.metadata,
    )
    return None if found.document_id is found.text is None else found


def mapped_citations(value: Value, paths: Paths, answer: str) -> tuple[NativeCitation, ...] | None:
    """Return what *answer* cites, of a list of objects or of names; None for no list."""
    listed = decode(value).value
    if not isinstance(listed, list):
        return None
    if paths:
        return tuple(_citation(item, paths) for item in listed if isinstance(item, dict))
    if all(isinstance(item, dict) for item in listed):
        return tuple(part_citations({"citations": listed}, answer, 0))
    names = (identifier(item) for item in listed)
    return tuple(NativeCitation(start=None, end=None, target_id=name) for name in names if name)


def _citation(item: Value, paths: Paths) -> NativeCitation:
    start, end = count(_at(item, paths, "start")), count(_at(item, paths, "end"))
    whole = start is not None and end is not None and start <= end
    return NativeCitation(
        start=start if whole else None,
        end=end if whole else None,
        target_id=identifier(_at(item, paths, "target")),
        target_index=count(_at(item, paths, "position")),
        quote=text_of(_at(item, paths, "quote")),
    )


def _at(item: Value, paths: Paths, field: str) -> Value:
    found = (inside(item, path) for path in paths.get(field, ()))
    return next((value for value in found if value is not None), None)


def _list(value: Value) -> list[Value]:
    found = decode(value).value
    return found if isinstance(found, list) else []


def _or(found: _T | None, known: _T | None) -> _T | None:
    return known if found is None else found
