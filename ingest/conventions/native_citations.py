"""Citations that a model's API returned beside the text.

    Anthropic  a text block with `citations: [{type, cited_text, document_index, …}]`
    OpenAI     a text part with `annotations: [{type: url_citation, start_index, url, …}]`
    Cohere     a message with `citations: [{start, end, text, sources: [{id}]}]`
    Bedrock    a response with `citations: [{generatedResponsePart, retrievedReferences}]`
    Gemini     a candidate with `groundingMetadata: {groundingChunks, groundingSupports}`

Ranges count characters of the whole answer. Bedrock and Gemini are not agreed on the end
(inclusive or not) and on the unit (bytes), so their ranges come from the quoted segment.

Source: the providers' API references; Cohere Chat v2, Bedrock RetrieveAndGenerate.
"""

from collections.abc import Iterator, Mapping

from ingest.conventions.lookup import first_id
from ingest.span import NativeCitation, Value
from ingest.values import identifier, text_of

_TARGETS = ("url", "source", "uri", "file_id", "document_title", "title", "filename", "id")
_TARGET_INDEXES = ("document_index", "search_result_index")


def part_citations(part: Mapping[str, Value], text: str, offset: int) -> Iterator[NativeCitation]:
    """Read the citations of one text part.

    Args:
        part: The part; its `citations` cite the whole of it, its `annotations` a range.
        text: The part's text.
        offset: Where the part begins in the text of the message.
    """
    for item in _objects(part.get("citations")):
        if "start" in item and "sources" in item:
            yield from _cohere(item, text, offset)
        else:
            yield NativeCitation(
                start=offset,
                end=offset + len(text),
                target_id=_target(item),
                target_index=_position(item, *_TARGET_INDEXES),
                quote=text_of(item.get("cited_text")),
                block_text=text,
            )
    for item in _objects(part.get("annotations")):
        if str(item.get("type", "")).endswith("_citation"):
            yield _annotation(item, text, offset)


def response_citations(response: Mapping[str, Value], text: str) -> Iterator[NativeCitation]:
    """Read the citations that stand beside the message of a whole response."""
    for item in _objects(response.get("citations")):
        part = _object(_object(item.get("generatedResponsePart")).get("textResponsePart"))
        span = _object(part.get("span"))
        for reference in _objects(item.get("retrievedReferences")):
            yield _segment(text, part, span.get("start"), _bedrock_target(reference), reference)
    grounding = _object(response.get("groundingMetadata") or response.get("grounding_metadata"))
    chunks = _objects(grounding.get("groundingChunks") or grounding.get("grounding_chunks"))
    supports = grounding.get("groundingSupports") or grounding.get("grounding_supports")
    for support in _objects(supports):
        yield from _gemini(support, chunks, text)


def _annotation(item: Mapping[str, Value], text: str, offset: int) -> NativeCitation:
    # the details stand beside the type or in an object named after it
    inner = _object(item.get(str(item["type"])))
    told = {**item, **inner}
    start, end = _position(told, "start_index"), _position(told, "end_index")
    if start is None:  # a file citation tells where its mark would stand
        start = end = _position(told, "index")
    if start is None or end is None or not start <= end <= len(text):
        return NativeCitation(start=None, end=None, target_id=_target(told), block_text=text)
    return NativeCitation(
        start=offset + start,
        end=offset + end,
        target_id=_target(told),
        quote=text_of(told.get("quote")),
        block_text=text[start:end] or None,
    )


def _cohere(item: Mapping[str, Value], text: str, offset: int) -> Iterator[NativeCitation]:
    start, end = _position(item, "start"), _position(item, "end")
    known = start is not None and end is not None and start <= end <= len(text)
    for source in _objects(item.get("sources")):
        yield NativeCitation(
            start=offset + start if known and start is not None else None,
            end=offset + end if known and end is not None else None,
            target_id=_target({"id": source.get("id"), **_object(source.get("document"))}),
            block_text=text_of(item.get("text")),
        )


def _gemini(
    support: Mapping[str, Value], chunks: list[Mapping[str, Value]], text: str
) -> Iterator[NativeCitation]:
    segment = _object(support.get("segment"))
    indices = support.get("groundingChunkIndices") or support.get("grounding_chunk_indices")
    for index in indices if isinstance(indices, list) else []:
        if not isinstance(index, int) or not 0 <= index < len(chunks):
            continue
        chunk = chunks[index]
        source = _object(chunk.get("web") or chunk.get("retrievedContext"))
        # offsets are bytes of UTF-8: a hint for a segment that occurs twice, no more
        cited = _segment(text, segment, segment.get("startIndex", 0), _target(source), {})
        yield cited


def _segment(
    text: str,
    part: Mapping[str, Value],
    hint: Value,
    target: str | None,
    reference: Mapping[str, Value],
) -> NativeCitation:
    block = text_of(part.get("text"))
    start = _occurrence(text, block, hint) if block else None
    return NativeCitation(
        start=start,
        end=None if start is None or block is None else start + len(block),
        target_id=target,
        quote=text_of(_object(reference.get("content")).get("text")),
        block_text=block,
    )


def _occurrence(text: str, block: str, hint: Value) -> int | None:
    if isinstance(hint, int) and text.startswith(block, max(hint, 0)):
        return max(hint, 0)
    found = text.find(block)
    return None if found < 0 else found


def _bedrock_target(reference: Mapping[str, Value]) -> str | None:
    metadata = _object(reference.get("metadata"))
    chunk = identifier(metadata.get("x-amz-bedrock-kb-chunk-id"))
    if chunk:
        return chunk
    for location in _object(reference.get("location")).values():
        if isinstance(location, dict) and (found := _target(location)):
            return found
    return identifier(metadata.get("x-amz-bedrock-kb-source-uri"))


def _target(item: Mapping[str, Value]) -> str | None:
    return first_id(item, *_TARGETS)


def _position(item: Mapping[str, Value], *keys: str) -> int | None:
    for key in keys:
        value = item.get(key)
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            return value
    return None


def _object(value: Value) -> Mapping[str, Value]:
    return value if isinstance(value, dict) else {}


def _objects(value: Value) -> list[Mapping[str, Value]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
