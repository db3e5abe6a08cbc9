from typing import Any

import pytest

from ingest.span import Document, RawEvent, RetrievalFact, SpanKind
from tests.ingest.conventions.recordings import made


def hit(**fields: Any) -> RawEvent:
    return RawEvent(
        name="db.query.result",
        attributes={f"db.query.result.{name}": value for name, value in fields.items()},
    )


def test_documents_in_one_attribute() -> None:
    span = made(
        {
            "db.system.name": "chroma",
            "db.operation": "query",
            "db.collection.name": "langchain",
            "db.query.retrieved_documents": '[{"document.id": "4c0c", "document.score": 0.25},'
            ' {"document.id": "381c", "document.score": 0.3, "document.content": "Text.",'
            ' "document.metadata": "{\\"source\\": \\"a.md\\"}"}]',
        }
    )
    assert (span.kind, span.conventions) == (SpanKind.RETRIEVER, ("vector_db",))
    assert span.retrieval == RetrievalFact(
        query=None,
        collection="langchain",
        documents=(
            Document(document_id="4c0c", text=None, score=0.25),
            Document(document_id="381c", text="Text.", score=0.3, metadata={"source": "a.md"}),
        ),
    )


def test_one_event_for_each_hit() -> None:
    span = made(
        {"db.system": "chroma"},
        events=(
            hit(id="a", distance=0.1, document="Text.", metadata='{"chunk_id": "x"}'),
            hit(id="b", distance="NaN"),
        ),
    )
    assert span.retrieval is not None
    assert span.retrieval.documents == (
        Document(document_id="a", text="Text.", score=0.1, metadata={"chunk_id": "x"}),
        Document(document_id="b", text=None),
    )


def test_a_search_that_does_not_tell_its_hits() -> None:
    span = made(
        {"db.system": "qdrant", "db.operation": "search", "qdrant.search.collection_name": "hr"}
    )
    assert span.retrieval == RetrievalFact(query=None, collection="hr", documents=None)


@pytest.mark.parametrize(
    "attributes",
    [
        pytest.param({"db.system": "postgresql", "db.operation": "query", "db.collection.name": "t"}, id="a table"),
        pytest.param({"db.system": "chroma", "db.operation": "add", "db.collection.name": "c"}, id="a write"),
        pytest.param({"db.system": "redis", "db.query.text": "GET x"}, id="a cache"),
    ],
)  # fmt: skip
def test_other_databases_and_writes_are_no_search(attributes: dict[str, Any]) -> None:
    span = made(attributes)
    assert (span.kind, span.conventions, span.retrieval) == (SpanKind.OTHER, (), None)


def test_a_hit_whose_row_was_printed() -> None:
    found: dict[str, Any] = {
        "db.search.result.id": "7",
        "db.search.result.distance": 0.4,
        "db.search.result.entity": "{'text': 'Shoes: 30 days.', 'metadata': {'source': 'r.md'}}",
    }
    span = made(
        {"db.system": "milvus", "db.milvus.search.collection_name": "returns"},
        events=(RawEvent(name="db.query.result", attributes=found),),
    )
    assert span.retrieval == RetrievalFact(
        query=None,
        collection="returns",
        documents=(
            Document(document_id="7", text="Shoes: 30 days.", score=0.4, metadata={"source": "r.md"}),
        ),
    )  # fmt: skip
