"""Tokens of a call, with cached ones inside the input as `Usage` wants them.

    {"prompt_tokens": 50, "completion_tokens": 12}                             OpenAI
    {"input_tokens": 50, "input_token_details": {"cache_read": 20}}            LangChain
    {"prompt_token_count": 50, "candidates_token_count": 12}                   Gemini

Conventions agree that input tokens include cached ones. Some recorders pass on counts of
an API that does not include them; they show themselves where the part is larger than the
whole, and only there can they be told.
"""

from collections.abc import Iterator, Mapping

from ingest.conventions.langchain_values import unwrap
from ingest.conventions.lookup import Attributes, first
from ingest.span import Usage, Value
from ingest.values import count

_INPUTS = ("input_tokens", "prompt_tokens", "prompt_token_count", "promptTokenCount", "inputTokens")
_OUTPUTS = (
    "output_tokens",
    "completion_tokens",
    "candidates_token_count",
    "candidatesTokenCount",
    "outputTokens",
)
_CACHED = (
    "cache_read_input_tokens",
    "cached_input_tokens",
    "cached_content_token_count",
    "input_token_details.cache_read",
    "input_tokens_details.cached_tokens",
    "prompt_tokens_details.cached_tokens",
)
_WRITTEN = (
    "cache_creation_input_tokens",
    "cache_write_input_tokens",
    "input_token_details.cache_creation",
)
_HOLDERS = ("usage_metadata", "usageMetadata", "usage", "token_usage", "llm_output")
_LISTS = ("generations", "messages", "choices")
_DEEPEST = 5


def read_usage(
    attributes: Attributes,
    *,
    inputs: tuple[str, ...],
    outputs: tuple[str, ...],
    cached: tuple[str, ...] = (),
    written: tuple[str, ...] = (),
) -> Usage | None:
    """Read a call's tokens from the names a convention has for them, newest first.

    Returns:
        None when no count is recorded.
    """
    tokens_in, tokens_out = count(first(attributes, inputs)), count(first(attributes, outputs))
    read, wrote = count(first(attributes, cached)), count(first(attributes, written))
    if tokens_in is None and tokens_out is None and read is None and wrote is None:
        return None
    apart = (read or 0) + (wrote or 0)
    if tokens_in is not None and apart > tokens_in:
        tokens_in += apart
    return Usage(
        input_tokens=tokens_in,
        output_tokens=tokens_out,
        cached_tokens=read,
        cache_write_tokens=wrote,
    )


def usage_of(counts: Value) -> Usage | None:
    """Read the tokens that a model's API counted, under the names of any of them."""
    if not isinstance(counts, dict):
        return None
    return read_usage(counts, inputs=_INPUTS, outputs=_OUTPUTS, cached=_CACHED, written=_WRITTEN)


def usage_in(response: Value) -> Usage | None:
    """Find the tokens that a model's response tells, beside its message or inside it."""
    return next((u for counts in _counts(response, _DEEPEST) if (u := usage_of(counts))), None)


def _counts(value: Value, depth: int) -> Iterator[Value]:
    if depth == 0:
        return
    if isinstance(value, list):
        for item in value[:1]:
            yield from _counts(item, depth - 1)
    elif isinstance(value, dict):
        told: Mapping[str, Value] = unwrap(value)
        for key in _HOLDERS:
            if isinstance(inner := told.get(key), dict):
                yield inner
                yield from _counts(inner, depth - 1)
        for key in (*_LISTS, "message"):
            yield from _counts(told.get(key), depth - 1)


def apart(
    attributes: Attributes,
    *,
    inputs: tuple[str, ...],
    outputs: tuple[str, ...],
    cached: tuple[str, ...],
    written: tuple[str, ...] = (),
    reasoned: tuple[str, ...] = (),
) -> Usage | None:
    """Read tokens from names under which each token is counted once, cached ones apart.

    Returns:
        The sums that `Usage` wants; None when no count is recorded.
    """
    tokens_in, tokens_out = count(first(attributes, inputs)), count(first(attributes, outputs))
    read, wrote = count(first(attributes, cached)), count(first(attributes, written))
    thought = count(first(attributes, reasoned))
    if tokens_in is None and tokens_out is None and read is None and wrote is None:
        return None
    return Usage(
        input_tokens=None if tokens_in is None else tokens_in + (read or 0) + (wrote or 0),
        output_tokens=None if tokens_out is None else tokens_out + (thought or 0),
        cached_tokens=read,
        cache_write_tokens=wrote,
    )
