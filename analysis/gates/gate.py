"""What a gate says, and reading it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final, Literal, TypeAlias

from analysis.attribution.kinds import KINDS
from analysis.breakdown.roots import ROOT_STAGES
from analysis.metrics import METRICS
from ingest.errors import UsageError

Confidence: TypeAlias = Literal["point", "upper", "lower"]
ANY: Final = "any"
"""Name of the gate on regressions."""

_LIMIT: Final = re.compile(r"\s*(<=|>=|<|>)\s*(\d{1,12}(?:\.\d{1,12})?)\s*(%?)\s*")
_SHARES: Final = frozenset(
    [
        *("failed", *ROOT_STAGES),
        *(f"{stage}.{kind}" for stage, kinds in KINDS.items() for kind in kinds),
        *(f"{metric.stage}.{metric.name}" for metric in METRICS if metric.unit == "share"),
    ]
)
"""What is in [0, 1]; the others are tokens and times."""
_PERCENT: Final = 100
_KEYS: Final = ("max", "min", "confidence")
_FORMS: Final = 'Write "<= 0.02", ">= 90 %", or { max = 0.02, confidence = "upper" }.'


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """One limit."""

    name: str
    """`failed`, a root stage or kind, a metric with its stage, or `any`."""
    max: float | None = None
    min: float | None = None
    strict: bool = False
    """The limit itself is refused (`<`, `>`)."""
    confidence: Confidence = "point"
    """Which number has to keep it: the value, or a bound of its 95 % interval."""
    vs: str | None = None
    """Of `any`: the run to compare with, or `shipped`."""
    typed: str | None = field(default=None, compare=False)
    """The limit in its writer's digits; None where it was given as a number."""

    @property
    def limit(self) -> str:
        """The limit as it was typed, or would be."""
        if self.vs is not None:
            return f"no failure clearly more often than in {self.vs}"
        if self.typed is not None:
            return self.typed
        equal = "" if self.strict else "="
        parts = []
        if self.max is not None:
            parts.append(f"<{equal} {_digits(self.max)}")
        if self.min is not None:
            parts.append(f">{equal} {_digits(self.min)}")
        bound = "" if self.confidence == "point" else f" ({self.confidence} bound)"
        return " and ".join(parts) + bound

    def keeps(self, value: float) -> bool:
        """Tell whether a number keeps the limit."""
        if self.strict:
            return (self.max is None or value < self.max) and (self.min is None or value > self.min)
        return (self.max is None or value <= self.max) and (self.min is None or value >= self.min)


def gates_of(table: Mapping[str, Any], place: str = "[gates]") -> tuple[Gate, ...]:
    """Return the gates of a configuration.

    Args:
        table: Limits by name.
        place: Where they stand, for messages.

    Raises:
        UsageError: One of them cannot be meant.
    """
    gates = tuple(_gate(name, value, f"{place} {name}") for name, value in table.items())
    for gate in gates:
        _check_limits(gate, f"{place} {gate.name}")
    return gates


def typed_gates(texts: Iterable[str]) -> dict[str, str]:
    """Return gates of the command line, each typed as `NAME<=0.02`.

    Raises:
        UsageError: One has no limit.
    """
    found: dict[str, str] = {}
    for text in texts:
        name = re.split(r"[<>]", text, maxsplit=1)[0].strip()
        limit = text.strip().removeprefix(name).strip()
        if not name or not limit or limit.startswith(("=<", "=>", "==")) or name.endswith("="):
            raise UsageError("--gate", f"{text!r} is no gate", "Write 'failed<=0.1'.")
        if name in found:
            raise UsageError("--gate", f"{name} has two limits", "Give each gate once.")
        found[name] = limit
    return found


def _gate(name: str, value: Any, place: str) -> Gate:
    if name == ANY:
        return _regression(value, place)
    if isinstance(value, str):
        return _typed(name, value, place)
    if not isinstance(value, dict) or not value.keys() & {"max", "min"}:
        raise UsageError(place, "names no limit", _FORMS)
    unknown = sorted(value.keys() - set(_KEYS))
    if unknown:
        raise UsageError(place, f"{unknown[0]!r} is unknown", f"Known: {', '.join(_KEYS)}.")
    bounds = {key: value[key] for key in ("max", "min") if key in value}
    for key, bound in bounds.items():
        if isinstance(bound, bool) or not isinstance(bound, int | float):
            raise UsageError(place, f"{key} is no number", _FORMS)
    confidence = value.get("confidence", "point")
    match confidence:
        case "point" | "upper" | "lower":
            return Gate(name=name, confidence=confidence, **bounds)
        case _:
            raise UsageError(
                place, f"confidence {confidence!r} is unknown", "Known: point, upper, lower."
            )


def _check_limits(gate: Gate, place: str) -> None:
    """Refuse a limit that a share can never pass: who writes 10 means 10 %."""
    if gate.name.removesuffix(".rate") not in _SHARES:
        return
    for limit in (gate.max, gate.min):
        if limit is not None and limit > 1:
            share = f"{_digits(limit)} % or {_digits(limit / _PERCENT)}"
            meant = share if limit <= _PERCENT else "10 % or 0.1"
            problem = f"limits a share by {_digits(limit)}, and no share is above 1"
            raise UsageError(place, problem, f"Write {meant}.")


def _typed(name: str, text: str, place: str) -> Gate:
    found = _LIMIT.fullmatch(text)
    if found is None:
        raise UsageError(place, f"{text!r} is no limit", _FORMS)
    sign, number, percent = found.groups()
    limit = float(number) / (100 if percent else 1)
    strict = len(sign) == 1
    typed = f"{sign} {number}{' %' if percent else ''}"
    if sign.startswith("<"):
        return Gate(name=name, max=limit, strict=strict, typed=typed)
    return Gate(name=name, min=limit, strict=strict, typed=typed)


def _digits(number: float) -> str:
    """Return a number in the digits that tell it from every other, without an exponent."""
    text = f"{Decimal(repr(number)):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _regression(value: Any, place: str) -> Gate:
    vs = value.get("no_regression_vs") if isinstance(value, dict) and len(value) == 1 else None
    if not isinstance(vs, str) or not vs:
        raise UsageError(
            place, "names no run to compare with", 'Write { no_regression_vs = "shipped" }.'
        )
    return Gate(name=ANY, vs=vs)
