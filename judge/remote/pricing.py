"""What replies cost: tokens times the prices of a maintained table, or unknown.

The table is the package `genai-prices`, which ships it: nothing is looked up on the
network. A model that is not in it has no price, and its cost is None, never 0.
"""

import re
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import Final, Self

PROVIDER: Final = "anthropic"

_CHECKED = re.compile(r"\b(?:as of|checked|checked on) (20\d\d-[01]\d-[0-3]\d)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens of one reply, or of many."""

    input_tokens: int = 0
    """All of them, cached or not."""
    cache_read_tokens: int = 0
    """Of the input tokens: read from the prompt cache."""
    cache_write_tokens: int = 0
    """Of the input tokens: written to the prompt cache, for any time."""
    cache_write_1h_tokens: int = 0
    """Of those written: for one hour."""
    output_tokens: int = 0

    def __add__(self, other: Self) -> "Usage":
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            cache_read_tokens=self.cache_read_tokens + other.cache_read_tokens,
            cache_write_tokens=self.cache_write_tokens + other.cache_write_tokens,
            cache_write_1h_tokens=self.cache_write_1h_tokens + other.cache_write_1h_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
        )

    @property
    def uncached(self) -> "Usage":
        """The same tokens as if nothing had been cached."""
        return Usage(input_tokens=self.input_tokens, output_tokens=self.output_tokens)


def cost_usd(usage: Usage, model: str, *, batch: bool = False) -> float | None:
    """Return what tokens cost in US dollars, None where the model's price is not known.

    Args:
        usage: Prices may depend on the size of a prompt: pass one reply at a time.
        model: As the service named it.
        batch: At the prices of Message Batches. A model without such a price in the table
            is priced as if asked directly: never too low.
    """
    from genai_prices import Usage as Units
    from genai_prices import calc_price

    short = usage.cache_write_tokens - usage.cache_write_1h_tokens
    units = Units(
        input_tokens=usage.input_tokens,
        cache_read_tokens=usage.cache_read_tokens or None,
        cache_write_tokens=usage.cache_write_tokens or None,
        cache_write_5m_tokens=short or None,
        cache_write_1h_tokens=usage.cache_write_1h_tokens or None,
        output_tokens=usage.output_tokens,
    )
    try:
        price = calc_price(
            units,
            model_ref=model,
            provider_id=PROVIDER,
            price_context={"processing": "batch"} if batch else None,
        )
    except (LookupError, ValueError):
        return None
    return float(price.total_price)


def saved_usd(usage: Usage, model: str, *, batch: bool = False) -> float | None:
    """Return what prompt caching saved; below 0 where writing cost more than reading saved."""
    actual = cost_usd(usage, model, batch=batch)
    otherwise = cost_usd(usage.uncached, model, batch=batch)
    return None if actual is None or otherwise is None else otherwise - actual


@cache
def price_table() -> str:
    """Return name, version and date of the table, as reports print it.

    The date is the last one on which the table says that this provider's prices were
    checked; it may have been brought up to date since.
    """
    from genai_prices.data import providers

    dates: list[str] = []
    for provider in (one for one in providers if one.id == PROVIDER):
        comments = [provider.price_comments, *(one.price_comments for one in provider.models)]
        for comment in comments:
            dates += _CHECKED.findall(comment or "")
    name = f"genai-prices {version('genai-prices')}"
    return f"{name}, checked {max(dates)}" if dates else f"{name}, of unknown date"
