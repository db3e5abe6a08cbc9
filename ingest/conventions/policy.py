"""Refusals that a recorder tells: filters of a provider, verdicts of a guardrail."""

from ingest.conventions.lookup import first_id
from ingest.span import Value

_REFUSALS = frozenset(
    {"content_filter", "content_filtered", "guardrail_intervened", "refusal", "safety"}
)
_FILTERS = ("content_filter", "responsibleaipolicyviolation")
_REACH = 2_000
"""Characters of an error in which its kind is looked for."""
_FLAGS = ("flag", "policy_flag", "refusal_flag")
_TRIPPED = ("tripwire_triggered", "triggered", "flagged", "blocked", "violated", "refused")


def flag_of_finish(reason: str | None) -> str | None:
    """Return a finish reason that is a refusal; None for every other one."""
    word = (reason or "").lower().rpartition(".")[2]  # FinishReason.CONTENT_FILTER
    return reason if word in _REFUSALS else None


def flag_of_error(error: str | None) -> str | None:
    """Return the filter that an error names; a provider may refuse by failing."""
    words = (error or "")[:_REACH].lower()
    return next((flag for flag in _FILTERS if flag in words), None)


def flag_of_guardrail(name: str, verdict: Value) -> str | None:
    """Return the flag that a guardrail raised, or its name where it stepped in without one.

    None where it let things pass.
    """
    if not isinstance(verdict, dict):
        return None
    stepped_in = any(verdict.get(key) is True for key in _TRIPPED)
    return first_id(verdict, *_FLAGS) or (name if stepped_in else None)
