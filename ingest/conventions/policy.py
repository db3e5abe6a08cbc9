"""Refusals that a recorder tells: filters of a provider, verdicts of a guardrail."""

from collections.abc import Mapping

from ingest.span import Value

_REFUSALS = frozenset(
    {"content_filter", "content_filtered", "guardrail_intervened", "refusal", "safety"}
)
_TRIPPED = ("tripwire_triggered", "triggered", "flagged", "blocked", "violated", "refused")


def flag_of_finish(reason: str | None) -> str | None:
    """Return a finish reason that is a refusal; None for every other one."""
    return reason if reason is not None and reason.lower() in _REFUSALS else None


def flag_of_guardrail(name: str, verdict: Value) -> str | None:
    """Return the name of a guardrail that stepped in; None where it let things pass."""
    if not isinstance(verdict, Mapping):
        return None
    return name if any(verdict.get(key) is True for key in _TRIPPED) else None
