"""Vector databases: the store's own view of a search that a retriever made.

    chroma.collection.query
      db.collection.name           = "langchain"
      db.query.retrieved_documents = [{"document.id": "4c0c…", "document.score": 0.25, …}]

    qdrant.search, with one event `db.query.result` for each hit
      db.query.result.id = "4c0c…"   db.query.result.distance = 0.25

Such a span knows ids and scores where the retriever around it knows texts; whoever builds
turns joins the two. A write to the store is no search. A distance is kept as the score: the
direction of scores is unknown anyway.

Source: OpenLLMetry and Quotient instrumentations of Chroma, Qdrant, Milvus and others.
"""

from collections.abc import Mapping

from ingest.conventions.documents import read_document, read_documents
from ingest.conventions.failures import error_text
from ingest.conventions.lookup import Attributes, first_id, first_text, get
from ingest.span import Document, RawSpan, RetrievalFact, Span, SpanKind, Value
from ingest.values import decode

NAME = "vector_db"
MARKERS = (b"db.query.retrieved_documents", b"db.system", b"db.collection.name")

_RETRIEVED = "db.query.retrieved_documents"
_HITS = ("db.query.result", "db.search.result")
_SYSTEMS = ("db.system.name", "db.system")
_VECTOR_SYSTEMS = frozenset(
    {"chroma", "lancedb", "marqo", "milvus", "pinecone", "qdrant", "weaviate"}
)
_OPERATIONS = ("db.operation.name", "db.operation")
_SEARCHES = frozenset({"query", "search", "hybrid_search", "query_points"})
_COLLECTIONS = (
    "db.collection.name",
    "qdrant.search.collection_name",
    "db.milvus.search.collection_name",
    "db.vector.collection",
)
_QUERY = "db.query.text"
_PREFIX = "document."


def recognises(raw: RawSpan) -> bool:
    """Tell a search in a vector store from other work of it and from other databases."""
    attributes = raw.attributes
    if get(attributes, _RETRIEVED) is not None or any(event.name in _HITS for event in raw.events):
        return True
    operation = first_id(attributes, *_OPERATIONS)
    return first_id(attributes, *_SYSTEMS) in _VECTOR_SYSTEMS and operation in _SEARCHES


def convert(raw: RawSpan) -> Span:
    """Translate one search."""
    attributes = raw.attributes
    fact = RetrievalFact(
        query=first_text(attributes, _QUERY),
        collection=first_id(attributes, *_COLLECTIONS),
        documents=_documents(raw),
    )
    return Span(raw=raw, kind=SpanKind.RETRIEVER, retrieval=fact, error=error_text(raw))


def _documents(raw: RawSpan) -> tuple[Document, ...] | None:
    recorded = decode(get(raw.attributes, _RETRIEVED)).value
    if isinstance(recorded, list):
        return read_documents([_plain(item) for item in recorded])
    hits = [event.attributes for event in raw.events if event.name in _HITS]
    found = tuple(d for hit in hits if (d := read_document(_hit(hit))) is not None)
    return found or None


def _plain(item: Value) -> Value:
    """Take the prefix off the keys of a document."""
    if not isinstance(item, dict):
        return item
    return {key.removeprefix(_PREFIX): value for key, value in item.items()}


def _hit(attributes: Attributes) -> dict[str, Value]:
    """Return a hit's fields under their last names, such as `id` and `distance`.

    Milvus puts the row that it found into one of them, as the text that Python prints.
    """
    fields: Mapping[str, Value] = {
        key.rpartition(".")[2]: value for key, value in attributes.items()
    }
    row = decode(fields.get("entity")).value
    stored = row if isinstance(row, dict) else {}
    metadata = fields.get("metadata", fields.get("payload"))
    told = {**stored, **{key: value for key, value in fields.items() if key != "entity"}}
    return told if metadata is None else {**told, "metadata": metadata}
