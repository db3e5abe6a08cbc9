"""What a run spent, what it may have spent, and how much more it may."""

from collections import Counter
from dataclasses import dataclass, field

from judge.remote.attempt import Attempt
from judge.remote.outcomes import Outcome
from judge.remote.pricing import Usage, cost_usd, saved_usd

_SHOWN = 20


@dataclass(slots=True, kw_only=True)
class Account:
    """Grows while replies come in. For use by one thread."""

    max_cost_usd: float | None = None
    """Nothing is sent that could make the sum larger; None: no limit."""
    usage: Usage = field(default_factory=Usage)
    cost_usd: float = 0.0
    """Of the replies whose price is known."""
    expected_usd: float = 0.0
    """Estimate of the same requests, made before they were sent."""
    saved_usd: float = 0.0
    """By prompt caching."""
    unpriced: int = 0
    """Replies whose price is not known."""
    replies: int = 0
    """Replies with usage: what was paid for."""
    again: int = 0
    """Requests that were sent for a question that had been asked before in this run."""
    models: Counter[str] = field(default_factory=Counter)
    """Replies by the model that the service named."""
    maybe_paid: list[Attempt] = field(default_factory=list)
    """Attempts that may have been charged for without a reply."""
    notes: list[str] = field(default_factory=list)
    """What a user should know: unknown items, old batches, a change of the model."""
    stopped: bool = False
    """Questions were left unasked for the limit's sake."""
    reserved_usd: float = 0.0

    def reserve(self, most_usd: float | None) -> bool:
        """Set money aside for a request, if the limit allows it.

        Args:
            most_usd: What the request costs at the most; None is refused under a limit.
        """
        if self.max_cost_usd is None:
            return True
        spent = self.cost_usd + self.reserved_usd
        if most_usd is None or spent + most_usd > self.max_cost_usd:
            return False
        self.reserved_usd += most_usd
        return True

    def expect(self, usage: Usage, model: str, *, batch: bool) -> None:
        """Enter the estimate of a request that is about to be sent."""
        self.expected_usd += cost_usd(usage, model, batch=batch) or 0.0

    def release(self, most_usd: float | None) -> None:
        """Give back what was set aside, once the request has ended."""
        if self.max_cost_usd is not None and most_usd is not None:
            self.reserved_usd = max(0.0, self.reserved_usd - most_usd)

    def add(self, outcome: Outcome, attempt: Attempt) -> None:
        """Enter what came of a request."""
        if outcome.maybe_paid:
            self.maybe_paid.append(attempt)
        if outcome.usage == Usage() and outcome.reply.error is not None:
            return
        self.replies += 1
        self.usage += outcome.usage
        self.models[outcome.reply.model] += 1
        if outcome.reply.cost_usd is None:
            self.unpriced += 1
            return
        self.cost_usd += outcome.reply.cost_usd
        saved = saved_usd(outcome.usage, outcome.reply.model, batch=attempt.in_batch)
        self.saved_usd += saved or 0.0

    def warnings(self, model: str) -> list[str]:
        """Return what a user should be told when the run is over.

        Args:
            model: The model that was asked for.
        """
        found = list(self.notes)
        others = sorted(name for name in self.models if name != model)
        if others:
            found.append(f"the service answered as {', '.join(others)}, asked was {model}")
        if len(self.models) > 1:
            counted = ", ".join(f"{name} ({n:,})" for name, n in sorted(self.models.items()))
            found.append(
                f"the model changed while the run went on; replies by model: {counted}. Their "
                "verdicts are told apart by the column model of verdicts.parquet"
            )
        if self.maybe_paid:
            shown = ", ".join(one.custom_id for one in self.maybe_paid[:_SHOWN])
            more = len(self.maybe_paid) - _SHOWN
            rest = f" and {more} more" if more > 0 else ""
            found.append(
                f"{len(self.maybe_paid)} requests may have been paid for without a reply "
                f"(maybe_paid in the store): {shown}{rest}"
            )
        return found


def most_usd(tokens: tuple[int, int], model: str, *, batch: bool) -> float | None:
    """Return what a request of so many input and output tokens costs at the most."""
    # Writing all of it to the cache for an hour is the dearest that can happen.
    usage = Usage(
        input_tokens=tokens[0],
        cache_write_tokens=tokens[0],
        cache_write_1h_tokens=tokens[0],
        output_tokens=tokens[1],
    )
    return cost_usd(usage, model, batch=batch)
