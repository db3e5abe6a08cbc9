"""What a stream that MLflow recorded gave, chunk by chunk.

    event mlflow.chunk.item.0   mlflow.chunk.value = "Hello"
    event mlflow.chunk.item.1   mlflow.chunk.value = {"choices": [{"delta": {"content": " Ann"}}]}
    event mlflow.chunk.item.2   mlflow.chunk.value = {"type": "response.output_text.delta", …}

When the stream has ended, `mlflow.spanOutputs` holds all of it, and only the first chunk
tells more: when it came. A stream that broke off, or whose reader stopped, left no outputs.

Source: MLflow 3.17, tracing constants and the tests of its streaming.
"""

import re
from collections.abc import Iterator

from ingest.conventions.lookup import get
from ingest.span import RawEvent, RawSpan, Value
from ingest.values import NOT_CAPTURED, Decoded, decode

_CHUNK = re.compile(r"mlflow\.chunk\.item\.(\d{1,9})")
_VALUE = "mlflow.chunk.value"


def streamed(raw: RawSpan) -> Decoded:
    """Return the text of the chunks, `truncated` where one is missing."""
    chunks = dict(sorted(_chunks(raw)))
    if not chunks:
        return NOT_CAPTURED
    texts = [_text(decode(event.attributes.get(_VALUE)).value) for event in chunks.values()]
    said = "".join(text for text in texts if text is not None)
    if not said:
        return NOT_CAPTURED
    whole = [*chunks] == [*range(len(chunks))]
    return Decoded(value=said, capture="captured" if whole else "truncated")


def first_chunk_ms(raw: RawSpan) -> float | None:
    """Return when the first chunk came, in milliseconds from the span's start."""
    first = dict(_chunks(raw)).get(0)
    if first is None or first.time_ns is None or raw.start_ns is None:
        return None
    return max(first.time_ns - raw.start_ns, 0) / 1e6


def _chunks(raw: RawSpan) -> Iterator[tuple[int, RawEvent]]:
    for event in raw.events:
        if named := _CHUNK.fullmatch(event.name):
            yield int(named[1]), event


def _text(chunk: Value) -> str | None:
    """Return the piece of the answer in a chunk, as three kinds of streams have it."""
    if not isinstance(chunk, dict):
        return chunk if isinstance(chunk, str) else None
    choices = chunk.get("choices")
    if isinstance(choices, list) and choices and isinstance(choices[0], dict):
        piece = get(choices[0], "delta.content")
    else:
        piece = chunk.get("delta", chunk.get("content"))
    return piece if isinstance(piece, str) else None
