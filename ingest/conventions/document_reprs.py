"""Documents that were recorded only as the text Python prints for them.

    <NodeWithScore(node=TextNode(id_=hr-001), score=0.9)>                       LlamaIndex
    Document(id=hr-001, content: 'Employees …', meta: {'a': 1}, score: 1.9)     Haystack
    page_content='Employees …' metadata={'source': 'hr-001.md'}                 LangChain

They are searched for their marks, not evaluated.
"""

import re

from ingest.span import Document, Value
from ingest.values import decode, number

_NODE_ID = re.compile(r"\bid_=([^\s,)'\"]{1,200})")
_SCORE = re.compile(r"\bscore[=:] ?(-?[\d.]{1,40}(?:e[+-]?\d{1,4})?)", re.IGNORECASE)
_NODE = "<NodeWithScore("
_HAYSTACK = "Document(id="
_HAYSTACK_CONTENT = ", content: "
_HAYSTACK_META = ", meta: "
_LANGCHAIN = "page_content="
_LANGCHAIN_META = " metadata="


def read_repr(text: str) -> Document | None:
    """Read one printed document; None when *text* is no such print."""
    if text.startswith(_NODE):
        found = _NODE_ID.search(text)
        return Document(document_id=found[1] if found else None, text=None, score=_score(text))
    if text.startswith(_HAYSTACK):
        return _haystack(text)
    if text.startswith(_LANGCHAIN):
        content, _, metadata = text.removeprefix(_LANGCHAIN).rpartition(_LANGCHAIN_META)
        return Document(document_id=None, text=_unquoted(content), metadata=_metadata(metadata))
    return None


def _haystack(text: str) -> Document:
    head, _, rest = text.removeprefix(_HAYSTACK).removesuffix(")").partition(_HAYSTACK_CONTENT)
    content, _, meta = rest.rpartition(_HAYSTACK_META)
    meta, _, _ = meta.rpartition("}")
    return Document(
        document_id=head.partition(",")[0] or None,
        text=_unquoted(content),
        score=_score(text[len(text) - 60 :]),
        metadata=_metadata(meta + "}"),
    )


def _unquoted(literal: str) -> str | None:
    """Return the text of a printed string, without its quotes and escapes."""
    if literal[:1] not in ("'", '"'):
        return None
    listed = decode(f"[{literal}]").value
    if isinstance(listed, list) and len(listed) == 1 and isinstance(listed[0], str):
        return listed[0]
    return literal[1:-1]


def _metadata(literal: str) -> dict[str, Value]:
    decoded = decode(literal).value
    return decoded if isinstance(decoded, dict) else {}


def _score(text: str) -> float | None:
    found = _SCORE.search(text)
    return number(found[1]) if found else None
