"""Documents of a retriever, in the shape of any recorder.

    {"id": "hr-001", "score": 0.75}                                      OTel GenAI
    {"document": {"id": "hr-001", "content": "…", "metadata": "{…}"}}    OpenInference
    {"id": "hr-001", "metadata": {…}, "page_content": "…"}               LangChain
    {"node": {"id_": "hr-001", "text": "…"}, "score": 0.9}               LlamaIndex
    {"content": {"text": "…"}, "score": 0.4, "metadata": {…}}            Bedrock

The recorded order is kept; a score says nothing about the order, since its direction is
unknown. A document's id is the explicit one, else one of its metadata.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ingest.conventions.document_reprs import read_repr
from ingest.conventions.langchain_values import unwrap
from ingest.conventions.lookup import first_id
from ingest.span import Document, Value
from ingest.values import decode, number, text_of

_LISTS = (
    "documents",
    "docs",
    "retrievalResults",
    "retrieved_references",
    "results",
    "matches",
    "nodes",
    "hits",
    "context",
)
_WRAPPERS = ("document", "node")
_IDS = ("id", "document_id", "id_", "node_id", "_id", "chunk_id", "doc_id", "file_id")
_TEXTS = ("content", "text", "page_content", "document", "body", "chunk", "snippet", "passage")
_SCORES = ("score", "relevance_score", "similarity", "similarity_score", "distance", "_score")
_METADATA = ("metadata", "meta", "payload", "attributes")
_PLACES = (
    "url",
    "uri",
    "link",
    "href",
    "source_url",
    "source",
    "title",
    "name",
    "file_name",
    "filename",
)
"""What an answer may call a document by, where it stands beside the metadata."""
_VECTORS = ("embedding", "sparse_embedding", "vector", "blob")
_METADATA_IDS = (
    "chunk_id",
    "id",
    "doc_id",
    "document_id",
    "x-amz-bedrock-kb-chunk-id",
    "doc_uri",
)
_SOURCES = ("source", "doc_uri", "file_path")
_METADATA_SCORES = ("score", "relevance_score", "similarity_score", "_score")
_COLLECTIONS = (
    "collection",
    "collection_name",
    "index",
    "index_name",
    "namespace",
    "knowledge_base",
)


def read_documents(value: Value) -> tuple[Document, ...] | None:
    """Read a list of documents; None when *value* holds none.

    An empty list, bare or inside a result object, is empty: nothing was found. What is in
    a list but no document is passed over.
    """
    decoded = decode(value).value
    items = _listed(decoded)
    if items is None:
        return None
    documents = tuple(d for item in items if (d := read_document(item)) is not None)
    return documents if documents or not items else None


def read_document(item: Value) -> Document | None:
    """Read one document from an object, a printed object or a bare passage."""
    if isinstance(item, str):
        return _printed(item)
    if not isinstance(item, dict):
        return None
    told: Mapping[str, Value] = unwrap(item)
    for key in _WRAPPERS:
        inner = told.get(key)
        if isinstance(inner, dict):
            told = {**told, **unwrap(inner)}
    metadata = _metadata(told)
    document_id = first_id(told, *_IDS) or first_id(metadata, *_METADATA_IDS)
    text = next((t for key in _TEXTS if (t := _text(told.get(key))) is not None), None)
    score = _first_number(told, _SCORES)
    if score is None:
        score = _first_number(metadata, _METADATA_SCORES)
    return Document(
        document_id=document_id,
        text=text,
        score=score,
        metadata=metadata,
        collection=_collection(told, _COLLECTIONS[:2]) or _collection(metadata, _COLLECTIONS),
    )


def _printed(item: str) -> Document | None:
    passage = text_of(item)
    if not passage:
        return None
    printed = read_repr(passage)
    if printed is None:
        return Document(document_id=None, text=passage)
    return replace(
        printed,
        document_id=printed.document_id or first_id(printed.metadata, *_METADATA_IDS),
        collection=_collection(printed.metadata, _COLLECTIONS),
    )


def common_collection(documents: Sequence[Document]) -> str | None:
    """Return the collection that all documents name; else the folder they all lie in."""
    for names in (
        {document.collection for document in documents},
        {_folder(first_id(document.metadata, *_SOURCES)) for document in documents},
    ):
        if len(names) == 1 and None not in names:
            return names.pop()
    return None


def complete(
    documents: tuple[Document, ...] | None, others: tuple[Document, ...] | None
) -> tuple[Document, ...] | None:
    """Fill what one list does not tell from another recording of the same list.

    Lists of different length are recordings of different things: the first one stands.
    """
    if documents is None:
        return others
    if others is None or len(documents) != len(others):
        return documents
    return tuple(map(_filled, documents, others))


def _filled(document: Document, other: Document) -> Document:
    if document.document_id and other.document_id and document.document_id != other.document_id:
        return document
    return Document(
        document_id=document.document_id or other.document_id,
        text=document.text if document.text is not None else other.text,
        score=document.score if document.score is not None else other.score,
        metadata={**other.metadata, **document.metadata},
        collection=document.collection or other.collection,
    )


def _listed(value: Value) -> Sequence[Value] | None:
    if isinstance(value, list):
        return value
    if not isinstance(value, dict):
        return None
    if isinstance(value.get("ids"), list):
        return _columns(value)
    return next((v for key in _LISTS if isinstance(v := value.get(key), list)), None)


def _columns(value: Mapping[str, Value]) -> Sequence[Value]:
    """Turn the columns of a Chroma result into rows; it may hold one list per query."""
    names = {"ids": "id", "documents": "content", "distances": "distance", "metadatas": "metadata"}
    columns: dict[str, list[Value]] = {}
    for name, key in names.items():
        column = value.get(name)
        if isinstance(column, list) and column and isinstance(column[0], list):
            column = column[0]
        if isinstance(column, list):
            columns[key] = column
    return [
        {key: column[position] for key, column in columns.items() if position < len(column)}
        for position in range(len(columns["id"]))
    ]


def _metadata(told: Mapping[str, Value]) -> dict[str, Value]:
    """Return the metadata, and places told beside it; all else of a flat document."""
    for key in _METADATA:
        if key in told:
            found = decode(told[key]).value
            beside = {name: told[name] for name in _PLACES if text_of(told.get(name))}
            return {**beside, **found} if isinstance(found, dict) else beside
    known = {*_IDS, *_TEXTS, *_SCORES, *_WRAPPERS, *_VECTORS, "type"}
    return {key: value for key, value in told.items() if key not in known}


def _text(value: Value) -> str | None:
    if isinstance(value, dict):
        value = value.get("text")
    return text_of(value)


def _folder(source: str | None) -> str | None:
    """Return the name of the folder that a file lies in; addresses have none."""
    if source is None or "://" in source:
        return None
    folders = source.replace("\\", "/").split("/")[:-1]
    name = folders[-1].strip() if folders else ""
    return name if name.strip(".") else None


def _collection(told: Mapping[str, Value], keys: Iterable[str]) -> str | None:
    """Return a collection's name; a number under such a key is a position."""
    names = (text_of(told.get(key)) for key in keys)
    return next((name for name in names if name and not name.isdigit()), None)


def _first_number(told: Mapping[str, Value], keys: Iterable[str]) -> float | None:
    return next((found for key in keys if (found := number(told.get(key))) is not None), None)
