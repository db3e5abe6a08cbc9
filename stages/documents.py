"""Documents: which passages a tool's result holds, and by which id each is known.

[{"id": "hr-001", "text": "…", "score": 0.9}, …]          a list of passages
{"results": […]}, {"retrievalResults": […]}, …            a list in a wrapper
{"content": [{"type": "text", "text": "[{…}]"}]}          a tool server's answer
"""

import hashlib
import re
from collections.abc import Mapping, Sequence

from ingest.span import Document, Value
from stages.wording import parsed, squeezed

_TEXT_KEYS = ("text", "content", "page_content", "snippet", "passage", "chunk", "body", "document")
_ID_KEYS = ("id", "chunk_id", "_id", "doc_id", "document_id", "id_", "uuid")
_PLACE_KEYS = (
    "url",
    "uri",
    "source",
    "link",
    "href",
    "source_url",
    "path",
    "file",
    "file_name",
    "filename",
    "file_id",
    "title",
    "location",
)
_ADDRESS_KEYS = ("url", "uri", "link", "href", "source_url")
_SCORE_KEYS = ("score", "similarity", "relevance_score", "_score", "relevance", "distance")
_WRAPPERS = (
    "results",
    "documents",
    "matches",
    "retrievalResults",
    "hits",
    "chunks",
    "passages",
    "docs",
    "nodes",
    "source_nodes",
    "items",
    "organic",
    "organic_results",
    "search_results",
    "web",
    "webPages",
    "value",
    "content",
    "result",
    "output",
    "data",
)
_METADATA_IDS = (
    "chunk_id",
    "id",
    "doc_id",
    "document_id",
    "x-amz-bedrock-kb-chunk-id",
    "doc_uri",
)
_WEB_RESULT = "web_search_result"
_SOURCE_TYPES = ("search_result", "document", "resource", _WEB_RESULT)
_PRINTED = re.compile(r"\s{0,9}##? Search Results\s{0,9}\n")
_PRINTED_PAGE = re.compile(
    r"(?:\A|\n)\s{0,9}\n(?:\d{1,3}\. )?\[([^\]\n]{0,500})\]\((https?://\S{1,2000})\)"
)
"""Pages as the web searches of smolagents print them, each behind an empty line."""
_DEEPEST = 6
_HASH_LENGTH = 12
_HUGE = 1e300
"""Beyond it an integer has no float; not-a-number compares as beyond it too."""


def chunk_id_of(document: Document) -> str:
    """Return the identity of a passage: its own id, an id of its metadata, else a text hash.

    A passage with neither id nor text is known by a hash of its metadata.
    """
    if document.document_id:
        return document.document_id
    for key in _METADATA_IDS:
        if (told := _name(document.metadata.get(key))) is not None:
            return told
    source, page = (_name(document.metadata.get(key)) for key in ("source", "page"))
    if source is not None and page is not None:
        return f"{source}#{page}"
    text = document.text
    if text is None:
        text = repr(sorted((key, repr(value)) for key, value in document.metadata.items()))
    digest = hashlib.sha1(squeezed(text).encode("utf-8", "replace"), usedforsecurity=False)
    return f"sha1:{digest.hexdigest()[:_HASH_LENGTH]}"


def documents_in(result: Value, *, searched: bool = False) -> tuple[Document, ...] | None:
    """Return the passages that a tool's result is made of, None when it is something else.

    Args:
        result: The result, parsed or as JSON text.
        searched: The tool is known to be a search, so that a list of bare texts, or of
            objects with a text and no id, counts too.
    """
    return _find(result, _DEEPEST, searched=searched)


def _find(value: Value, depth: int, *, searched: bool) -> tuple[Document, ...] | None:
    if depth == 0:
        return None
    if isinstance(value, str):
        inner = parsed(value)
        if inner is None:
            return _printed_pages(value)
        return _find(inner, depth - 1, searched=searched)
    if isinstance(value, dict):
        for key in _WRAPPERS:
            if isinstance(wrapped := value.get(key), list | dict | str):
                found = _find(wrapped, depth - 1, searched=searched)
                if found:
                    return found
        return None
    if isinstance(value, list) and value:
        return _from_list(value, depth, searched=searched)
    return None


def _printed_pages(text: str) -> tuple[Document, ...] | None:
    head = _PRINTED.match(text)
    if head is None:
        return None
    listed = "\n\n" + text[head.end() :].lstrip()
    pages = list(_PRINTED_PAGE.finditer(listed))
    ends = [page.start() for page in pages[1:]] + [len(listed)]
    made = [
        Document(document_id=None, text=said, metadata={"title": page[1], "url": page[2]})
        for page, end in zip(pages, ends, strict=False)
        if (said := listed[page.end() : end].strip())
    ]
    return tuple(made) or None


def _from_list(items: list[Value], depth: int, *, searched: bool) -> tuple[Document, ...] | None:
    cited = [block for item in items if (block := _from_source_block(item)) is not None]
    if cited:
        return tuple(cited)  # what stands beside them is said about them
    if all(isinstance(item, dict) and item.get("type") == "text" for item in items):
        return _from_blocks(items, depth, searched=searched)
    if searched and all(isinstance(item, str) and item.strip() for item in items):
        return tuple(Document(document_id=None, text=str(item)) for item in items)
    made = [_from_object(item) for item in items]
    found = [document for document in made if document is not None]
    if len(found) < len(items):
        return None
    named = [d for d in found if d.document_id or d.metadata or d.score is not None]
    return tuple(found) if searched or len(named) == len(found) else None


def _from_blocks(
    blocks: Sequence[Value], depth: int, *, searched: bool
) -> tuple[Document, ...] | None:
    texts = [block["text"] for block in blocks if isinstance(block, dict) and "text" in block]
    whole = [text for text in texts if isinstance(text, str) and text.strip()]
    inner = [_find(text, depth - 1, searched=searched) for text in whole]
    if any(inner):
        return tuple(document for documents in inner for document in documents or ())
    if searched and whole:
        return tuple(Document(document_id=None, text=text) for text in whole)
    return None


def _from_source_block(block: Value) -> Document | None:
    """Read a block that a model may cite; None for any other block.

    {"type": "search_result", "source": "https://…", "title": "…", "content": [{"text": "…"}]}
    {"type": "document", "title": "…", "source": {"type": "text", "data": "…"}}
    {"type": "resource", "resource": {"uri": "…", "text": "…"}}
    {"type": "web_search_result", "url": "https://…", "title": "…", "encrypted_content": "…"}
    """
    if not isinstance(block, dict) or block.get("type") not in _SOURCE_TYPES:
        return None
    source = block.get("source") or block.get("resource") or {}
    held = source if isinstance(source, dict) else {}
    parts = (block.get("content"), held.get("content"), held.get("data"), held.get("text"))
    text = next(filter(None, map(_whole_text, parts)), None)
    place = source if isinstance(source, str) else held.get("uri") or held.get("url")
    known = {"title": block.get("title"), "source": place, "url": block.get("url")}
    if text is None and not (block["type"] == _WEB_RESULT and known["url"]):
        return None
    return Document(
        document_id=next(filter(None, (_name(block.get(key)) for key in _ID_KEYS)), None),
        text=text,
        metadata={key: value for key, value in known.items() if value},
    )


def _whole_text(value: Value) -> str | None:
    if not isinstance(value, list):
        return _text(value)
    texts = [text for item in value if (text := _text(item)) is not None]
    return "\n\n".join(texts) or None


def _from_object(item: Value) -> Document | None:
    if not isinstance(item, dict):
        return None
    inner = item.get("node") or item.get("document")
    if isinstance(inner, dict):
        item = {**item, **inner}
    metadata = item.get("metadata")
    known = {key: value for key, value in item.items() if key in (*_PLACE_KEYS, "collection")}
    if isinstance(metadata, dict):
        known = {**known, **metadata}
    text = next(filter(None, (_text(item.get(key)) for key in _TEXT_KEYS)), None)
    text = text or _text(known.get("text")) or _described(item)
    if text is None:
        return None
    return Document(
        document_id=next(filter(None, (_name(item.get(key)) for key in _ID_KEYS)), None),
        text=text,
        score=_score(item),
        metadata={key: value for key, value in known.items() if value != text},
        collection=_name(known.get("collection")),
    )


def _described(item: Mapping[str, Value]) -> str | None:
    """Return the description of a page; that of a thing without an address is no passage."""
    places = (item.get(key) for key in _ADDRESS_KEYS)
    has_address = any(isinstance(place, str) and "://" in place for place in places)
    return _text(item.get("description")) if has_address else None


def _text(value: Value) -> str | None:
    if isinstance(value, dict):
        value = value.get("text")
    return value if isinstance(value, str) and value.strip() else None


def _name(value: Value) -> str | None:
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    return str(value).strip() or None


def _score(item: Mapping[str, Value]) -> float | None:
    for key in _SCORE_KEYS:
        value = item.get(key)
        if isinstance(value, bool) or not isinstance(value, int | float):
            continue
        if -_HUGE < value < _HUGE:
            return float(value)
    return None
