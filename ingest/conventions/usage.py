"""Tokens of a call, with cached ones inside the input as `Usage` wants them.

Conventions agree that input tokens include cached ones. Some recorders pass on counts of
an API that does not include them; they show themselves where the part is larger than the
whole, and only there can they be told.
"""

from ingest.conventions.lookup import Attributes, first
from ingest.span import Usage
from ingest.values import count


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
