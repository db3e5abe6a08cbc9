"""Citations as the providers return them; shapes taken from their API references."""

import json
from typing import Any

import pytest

from ingest.conventions.messages import read_messages
from ingest.span import NativeCitation
from tests.ingest.conventions.recordings import made


def cited(response: Any) -> tuple[str | None, tuple[NativeCitation, ...]]:
    found = read_messages(response, "assistant")
    assert found is not None
    return found.messages[-1].text, found.citations


def test_anthropic_blocks_are_one_text() -> None:
    text, citations = cited(
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "You have "},
                {
                    "type": "text",
                    "text": "30 days",
                    "citations": [
                        {"type": "page_location", "cited_text": "30 days", "document_index": 1, "document_title": "Shoes"},
                        {"type": "web_search_result_location", "cited_text": "a month", "url": "https://x.org", "title": "X"},
                    ],
                },
                {"type": "text", "text": "."},
            ],
        }
    )  # fmt: skip
    assert text == "You have 30 days."
    assert citations == (
        NativeCitation(
            start=9, end=16, target_id="Shoes", target_index=1, quote="30 days", block_text="30 days"
        ),
        NativeCitation(
            start=9, end=16, target_id="https://x.org", quote="a month", block_text="30 days"
        ),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("place", "target", "index"),
    [
        pytest.param(
            {"type": "char_location", "start_char_index": 0, "end_char_index": 7}
            | {"document_index": 0, "document_title": "Shoes"},
            "Shoes",
            0,
            id="characters",
        ),
        pytest.param(
            {"type": "content_block_location", "start_block_index": 0, "end_block_index": 1}
            | {"document_index": 2, "document_title": None},
            None,
            2,
            id="blocks of a document without a title",
        ),
        pytest.param(
            {"type": "search_result_location", "search_result_index": 1}
            | {"source": "https://x.org", "title": "X", "start_block_index": 0},
            "https://x.org",
            1,
            id="a search result",
        ),
    ],
)
def test_anthropic_places(place: dict[str, Any], target: str | None, index: int) -> None:
    block = {"type": "text", "text": "30 days", "citations": [{"cited_text": "q", **place}]}
    _, citations = cited({"role": "assistant", "content": [block]})
    assert citations == (
        NativeCitation(
            start=0, end=7, target_id=target, target_index=index, quote="q", block_text="30 days"
        ),
    )


def test_citations_inside_genai_parts() -> None:
    parts = [
        {"type": "text", "content": "30 days", "citations": [{"cited_text": "q", "document_index": 0}]}
    ]  # fmt: skip
    span = made(
        {
            "gen_ai.operation.name": "chat",
            "gen_ai.output.messages": json.dumps([{"role": "assistant", "parts": parts}]),
        }
    )
    assert span.citations == (
        NativeCitation(start=0, end=7, target_index=0, quote="q", block_text="30 days"),
    )


@pytest.mark.parametrize(
    ("annotation", "expected"),
    [
        pytest.param(
            {"type": "url_citation", "start_index": 3, "end_index": 7, "url": "https://x.org", "title": "X"},
            NativeCitation(start=3, end=7, target_id="https://x.org", block_text="days"),
            id="Responses: a range",
        ),
        pytest.param(
            {"type": "url_citation", "url_citation": {"start_index": 3, "end_index": 7, "url": "https://x.org"}},
            NativeCitation(start=3, end=7, target_id="https://x.org", block_text="days"),
            id="Chat Completions: details in an object",
        ),
        pytest.param(
            {"type": "file_citation", "file_id": "file-1", "filename": "hr.md", "index": 7},
            NativeCitation(start=7, end=7, target_id="file-1"),
            id="a place",
        ),
        pytest.param(
            {"type": "file_citation", "start_index": 0, "end_index": 2, "file_citation": {"file_id": "file-1"}},
            NativeCitation(start=0, end=2, target_id="file-1", block_text="30"),
            id="Assistants",
        ),
        pytest.param(
            {"type": "url_citation", "start_index": 3, "end_index": 99, "url": "https://x.org"},
            NativeCitation(start=None, end=None, target_id="https://x.org", block_text="30 days"),
            id="a range outside the text",
        ),
    ],
)  # fmt: skip
def test_openai_annotations(annotation: dict[str, Any], expected: NativeCitation) -> None:
    part = {"type": "output_text", "text": "30 days", "annotations": [annotation]}
    text, citations = cited([{"type": "message", "role": "assistant", "content": [part]}])
    assert (text, citations) == ("30 days", (expected,))
    choice = {"message": {"role": "assistant", "content": "30 days", "annotations": [annotation]}}
    assert cited({"choices": [choice]}) == ("30 days", (expected,))


def test_a_path_is_no_citation() -> None:
    part = {"type": "output_text", "text": "x", "annotations": [{"type": "file_path", "index": 0}]}
    assert cited([{"role": "assistant", "content": [part]}]) == ("x", ())


def test_cohere_sources_are_one_citation_each() -> None:
    citation = {
        "start": 0,
        "end": 7,
        "text": "30 days",
        "sources": [{"type": "document", "id": "doc:0"}, {"type": "tool", "id": "search:1"}],
    }
    message = {
        "role": "assistant",
        "content": [{"type": "text", "text": "30 days."}],
        "citations": [citation],
    }
    text, citations = cited({"message": message})  # fmt: skip
    assert text == "30 days."
    assert citations == (
        NativeCitation(start=0, end=7, target_id="doc:0", block_text="30 days"),
        NativeCitation(start=0, end=7, target_id="search:1", block_text="30 days"),
    )


def test_gemini_segments_are_found_by_their_text() -> None:
    # "Größe: " is seven characters and nine bytes; offsets are bytes
    grounding = {
        "groundingChunks": [{"web": {"uri": "https://x.org", "title": "X"}}],
        "groundingSupports": [
            {
                "segment": {"startIndex": 9, "endIndex": 16, "text": "30 days"},
                "groundingChunkIndices": [0, 5],
            }
        ],
    }
    candidate = {
        "content": {"role": "model", "parts": [{"text": "Größe: 30 days"}]},
        "groundingMetadata": grounding,
    }
    assert cited({"candidates": [candidate]}) == (
        "Größe: 30 days",
        (NativeCitation(start=7, end=14, target_id="https://x.org", block_text="30 days"),),
    )


@pytest.mark.parametrize("end", [9, 10], ids=["the end is inside", "the end is behind"])
def test_bedrock_references_of_a_part(end: int) -> None:
    response = {
        "output": {"text": "Now. 30 days."},
        "citations": [
            {
                "generatedResponsePart": {
                    "textResponsePart": {"text": "30 days", "span": {"start": 5, "end": end}}
                },
                "retrievedReferences": [
                    {
                        "content": {"text": "within 30 days"},
                        "location": {"type": "S3", "s3Location": {"uri": "s3://kb/shoes.md"}},
                        "metadata": {},
                    }
                ],
            }
        ],
    }
    span = made({"openinference.span.kind": "CHAIN", "output.value": json.dumps(response)})
    assert span.output_text == "Now. 30 days."
    assert span.citations == (
        NativeCitation(
            start=5,
            end=12,
            target_id="s3://kb/shoes.md",
            quote="within 30 days",
            block_text="30 days",
        ),
    )
