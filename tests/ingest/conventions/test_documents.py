from typing import Any

import pytest

from ingest.conventions.documents import complete, read_documents
from ingest.span import Document


@pytest.mark.parametrize(
    ("value", "document"),
    [
        pytest.param(
            [{"document": {"id": "a", "content": "Text.", "score": 0.5, "metadata": '{"page": 3}'}}],
            Document(document_id="a", text="Text.", score=0.5, metadata={"page": 3}),
            id="OpenInference",
        ),
        pytest.param(
            {"documents": [{"id": "a", "page_content": "Text.", "metadata": {"page": 3}, "type": "Document"}]},
            Document(document_id="a", text="Text.", metadata={"page": 3}),
            id="LangChain",
        ),
        pytest.param(
            [{"lc": 1, "id": ["x", "Document"], "kwargs": {"page_content": "Text.", "metadata": {"chunk_id": "a"}}}],
            Document(document_id="a", text="Text.", metadata={"chunk_id": "a"}),
            id="LangChain constructor",
        ),
        pytest.param(
            {"nodes": [{"node": {"id_": "a", "text": "Text.", "metadata": {}}, "score": 0.9}]},
            Document(document_id="a", text="Text.", score=0.9),
            id="LlamaIndex",
        ),
        pytest.param(
            {"retrievalResults": [{"content": {"text": "Text.", "type": "TEXT"}, "score": 0.4,
                                   "metadata": {"x-amz-bedrock-kb-chunk-id": "a"}}]},
            Document(document_id="a", text="Text.", score=0.4, metadata={"x-amz-bedrock-kb-chunk-id": "a"}),
            id="Bedrock",
        ),
        pytest.param(
            {"results": [{"file_id": "a", "filename": "hats.pdf", "text": "Text.", "score": 0.7,
                          "attributes": {"page": 3}}]},
            Document(document_id="a", text="Text.", score=0.7, metadata={"filename": "hats.pdf", "page": 3}),
            id="OpenAI file search",
        ),
        pytest.param(
            [{"document": {"id": "a", "content": "Text.", "url": "https://x.org", "name": "Hats",
                           "metadata": '{"name": "own"}'}}],
            Document(document_id="a", text="Text.", metadata={"url": "https://x.org", "name": "own"}),
            id="OpenInference: a place beside the metadata",
        ),
        pytest.param(
            {"ids": [["a"]], "documents": [["Text."]], "distances": [[0.1]], "metadatas": [[{"page": 3}]]},
            Document(document_id="a", text="Text.", score=0.1, metadata={"page": 3}),
            id="Chroma's columns",
        ),
        pytest.param({"ids": ["a"], "documents": None}, Document(document_id="a", text=None), id="a column"),
        pytest.param(
            '["<NodeWithScore(node=TextNode(id_=a), score=0.9)>"]',
            Document(document_id="a", text=None, score=0.9),
            id="printed by LlamaIndex",
        ),
        pytest.param(
            ["Document(id=a, content: 'It\\'s, meta: 5.', meta: {'collection': 'hr'}, score: 1.5)"],
            Document(document_id="a", text="It's, meta: 5.", score=1.5, metadata={"collection": "hr"}, collection="hr"),
            id="printed by Haystack",
        ),
        pytest.param(
            ["page_content=\"It's 25.\" metadata={'chunk_id': 'a', 'source': 'hr/a.md'}"],
            Document(document_id="a", text="It's 25.", metadata={"chunk_id": "a", "source": "hr/a.md"}),
            id="printed by LangChain",
        ),
        pytest.param(["page_content='cut of"], Document(document_id=None, text=None), id="printed and cut"),
        pytest.param(["Text."], Document(document_id=None, text="Text."), id="a passage"),
        pytest.param([{"url": "u", "title": "T"}, 7], Document(document_id=None, text=None, metadata={"url": "u", "title": "T"}), id="a hit without text"),
    ],
)  # fmt: skip
def test_one_document_in_every_shape(value: Any, document: Document) -> None:
    assert read_documents(value) == (document,)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ([], ()),
        ({"documents": []}, ()),
        ({"ids": [[]], "documents": [[]]}, ()),
        ("[]", ()),
        ("a text", None),
        ([7, None], None),
        (["__REDACTED__"], None),
        ({"answer": "Text."}, None),
        (None, None),
    ],
)
def test_nothing_found_is_not_the_same_as_no_list(value: Any, found: tuple[()] | None) -> None:
    assert read_documents(value) == found


A, B = Document(document_id="a", text=None), Document(document_id="b", text=None)
TEXT = Document(document_id=None, text="Text.", score=0.0, metadata={"page": 3})


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        pytest.param(
            (A,), (TEXT,),
            (Document(document_id="a", text="Text.", score=0.0, metadata={"page": 3}),),
            id="filled by position",
        ),
        pytest.param((A,), (B,), (A,), id="another document"),
        pytest.param((A,), (A, B), (A,), id="another list"),
        pytest.param(None, (A,), (A,), id="only the second"),
        pytest.param((A,), None, (A,), id="only the first"),
        pytest.param((), (A,), (), id="nothing found is told"),
        pytest.param(None, None, None, id="none"),
    ],
)  # fmt: skip
def test_one_list_recorded_twice(
    first: tuple[Document, ...] | None,
    second: tuple[Document, ...] | None,
    expected: tuple[Document, ...] | None,
) -> None:
    assert complete(first, second) == expected
