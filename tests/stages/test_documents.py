import json

import pytest

from ingest.span import Document, Value
from stages.documents import chunk_id_of, documents_in
from tests.builders import document


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(document("p-1", "x", metadata={"id": "m"}), "p-1", id="its own id first"),
        pytest.param(
            document(None, "x", metadata={"chunk_id": "c", "id": "m"}), "c", id="chunk_id"
        ),
        pytest.param(document(None, "x", metadata={"id": 7}), "7", id="a number is an id too"),
        pytest.param(document(None, "x", metadata={"doc_id": "d"}), "d", id="doc_id"),
        pytest.param(document(None, "x", metadata={"document_id": "d"}), "d", id="document_id"),
        pytest.param(
            document(None, "x", metadata={"x-amz-bedrock-kb-chunk-id": "b"}), "b", id="bedrock"
        ),
        pytest.param(document(None, "x", metadata={"doc_uri": "u"}), "u", id="doc_uri"),
        pytest.param(
            document(None, "x", metadata={"source": "a.md", "page": 3}), "a.md#3", id="source, page"
        ),
        pytest.param(
            document(None, "a\n b", metadata={"source": "a.md"}),
            "sha1:7dbde9350412",
            id="a source alone names no passage",
        ),
        pytest.param(document("", "a b"), "sha1:7dbde9350412", id="an empty id is none"),
    ],
)
def test_identity_of_a_chunk(given: Document, expected: str) -> None:
    assert chunk_id_of(given) == expected


def test_a_passage_without_id_and_text_still_has_an_identity() -> None:
    one, other = (document(None, None, metadata={"n": n}) for n in (1, 2))
    assert chunk_id_of(one) != chunk_id_of(other)


HIT: dict[str, Value] = {"id": "p-1", "text": "Thirty days.", "score": 0.9}


@pytest.mark.parametrize(
    "result",
    [
        pytest.param([HIT], id="a list"),
        pytest.param('[{"id": "p-1", "text": "Thirty days.", "score": 0.9}]', id="as text"),
        pytest.param({"results": [HIT]}, id="results"),
        pytest.param({"documents": [HIT], "count": 1}, id="documents"),
        pytest.param({"matches": [HIT]}, id="matches"),
        pytest.param({"data": {"hits": [HIT]}}, id="two wrappers"),
        pytest.param(
            {
                "content": [
                    {
                        "type": "text",
                        "text": '[{"id": "p-1", "text": "Thirty days.", "score": 0.9}]',
                    }
                ]
            },
            id="a tool server",
        ),
        pytest.param([{"node": {"id_": "p-1", "text": "Thirty days."}, "score": 0.9}], id="a node"),
        pytest.param(
            {"content": [{"type": "text", "text": json.dumps({"content": [HIT]})}]},
            id="content in the text of a tool server's content",
        ),
    ],
)
def test_lists_of_passages_are_found(result: Value) -> None:
    (found,) = documents_in(result) or ()
    assert (found.document_id, found.text, found.score) == ("p-1", "Thirty days.", 0.9)


PAGE: dict[str, Value] = {"title": "Shoes", "url": "https://x.org", "description": "Thirty days."}


@pytest.mark.parametrize(
    "result",
    [
        pytest.param([PAGE], id="a page and its description"),
        pytest.param({"web": {"results": [PAGE]}}, id="Brave"),
        pytest.param({"webPages": {"value": [{**PAGE, "snippet": "Thirty days."}]}}, id="Bing"),
        pytest.param(
            {"organic": [{"link": "https://x.org", "snippet": "Thirty days."}]}, id="Serper"
        ),
        pytest.param(
            {"organic_results": [{"link": "https://x.org", "snippet": "Thirty days."}]},
            id="SerpApi",
        ),
        pytest.param([{"href": "https://x.org", "body": "Thirty days."}], id="DuckDuckGo"),
        pytest.param(
            "## Search Results\n\n[Shoes](https://x.org)\nThirty days.", id="printed by smolagents"
        ),
        pytest.param(
            "## Search Results\n0. [Shoes](https://x.org)\nThirty days.", id="printed with numbers"
        ),
    ],
)
def test_results_of_web_searches_are_passages(result: Value) -> None:
    (found,) = documents_in(result) or ()
    assert found.text == "Thirty days."
    assert "https://x.org" in found.metadata.values()


def test_pages_that_a_search_printed() -> None:
    text = (
        "## Search Results\n\n[Shoes](https://x.org/a_(b))\nThirty\n[days](https://x.org/d).\n\n"
        "[Hats](https://x.org/h)\n\n[Boots](https://x.org/c)\nNone."
    )
    found = documents_in(text) or ()
    assert [(page.metadata["url"], page.text) for page in found] == [
        ("https://x.org/a_(b)", "Thirty\n[days](https://x.org/d)."),
        ("https://x.org/c", "None."),
    ]


def test_a_knowledge_base_hit_keeps_its_metadata() -> None:
    hit: Value = {
        "content": {"text": "Thirty days."},
        "score": 0.4,
        "metadata": {"x-amz-bedrock-kb-chunk-id": "b-1", "collection": "policies"},
    }
    (found,) = documents_in({"retrievalResults": [hit]}) or ()
    assert (found.text, found.collection, chunk_id_of(found)) == ("Thirty days.", "policies", "b-1")


@pytest.mark.parametrize(
    "result",
    [
        pytest.param("7 left", id="a text"),
        pytest.param({"order": 7, "status": "sent"}, id="a record"),
        pytest.param([{"id": 1, "status": "sent"}], id="records without text"),
        pytest.param([{"text": "x"}], id="texts without any id"),
        pytest.param([HIT, "and more"], id="a mixed list"),
        pytest.param(["a", "b"], id="bare texts"),
        pytest.param({"content": [{"type": "text", "text": "7 left"}]}, id="a tool server's text"),
        pytest.param([{"id": 1, "description": "A hat."}], id="a thing that is described"),
        pytest.param([{"url": "/a", "description": "A hat."}], id="a thing without an address"),
        pytest.param("[Shoes](https://x.org)\nThirty days.", id="a text with a link"),
        pytest.param("## Search Results\n\nnone", id="a heading without pages"),
        pytest.param([], id="nothing"),
        pytest.param(None, id="null"),
        pytest.param("[" * 100_000, id="no JSON, however deep"),
    ],
)
def test_other_results_are_no_passages(result: Value) -> None:
    assert documents_in(result) is None


def test_a_known_search_may_return_bare_texts() -> None:
    found = documents_in(["one", "two"], searched=True) or ()
    assert [d.text for d in found] == ["one", "two"]


@pytest.mark.parametrize("score", [10**400, True, "0.9", None])
def test_a_score_that_is_no_number_is_none(score: Value) -> None:
    (found,) = documents_in([{**HIT, "score": score}]) or ()
    assert found.score is None


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        pytest.param(
            [
                {"type": "text", "text": "Two results."},
                {
                    "type": "search_result",
                    "source": "https://x.org/a",
                    "title": "A",
                    "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}],
                    "citations": {"enabled": True},
                },
            ],
            [("one\n\ntwo", {"title": "A", "source": "https://x.org/a"})],
            id="search results beside prose",
        ),
        pytest.param(
            [
                {
                    "type": "document",
                    "title": "Policy",
                    "source": {"type": "text", "media_type": "text/plain", "data": "25 days."},
                }
            ],
            [("25 days.", {"title": "Policy"})],
            id="a document of plain text",
        ),
        pytest.param(
            [
                {
                    "type": "document",
                    "source": {"type": "content", "content": [{"type": "text", "text": "25."}]},
                }
            ],
            [("25.", {})],
            id="a document of blocks",
        ),
        pytest.param(
            [{"type": "resource", "resource": {"uri": "kb://7", "text": "25 days."}}],
            [("25 days.", {"source": "kb://7"})],
            id="a resource of a tool server",
        ),
        pytest.param(
            [{"type": "document", "source": {"type": "base64", "data": ""}}],
            None,
            id="a document without text is none",
        ),
    ],
)
def test_blocks_that_a_model_may_cite_are_passages(
    result: Value, expected: list[tuple[str, dict[str, Value]]] | None
) -> None:
    found = documents_in(result)
    told = None if found is None else [(d.text, d.metadata) for d in found]
    assert told == expected


def test_a_web_result_without_its_text_is_known_by_its_place() -> None:
    block: Value = {
        "type": "web_search_result",
        "url": "http://a.b",
        "title": "A",
        "encrypted_content": "x",
    }
    (found,) = documents_in([block]) or ()
    assert (found.text, found.metadata) == (None, {"title": "A", "url": "http://a.b"})
    assert documents_in([{"type": "web_search_result", "title": "A"}]) is None
