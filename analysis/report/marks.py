"""What each stage had to do with the outcome of a turn: one word for a stage.

A stage without a fault is `fine` only where something about it was judged.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal, TypeAlias

from analysis.run import Run
from stages.records import Stage

Mark: TypeAlias = Literal[
    "root", "contributing", "downstream", "latent", "fine", "not_judged", "not_run"
]
Marks: TypeAlias = dict[str, dict[Stage, Mark]]
"""By turn id and stage."""

STAGES: Final[tuple[Stage, ...]] = ("routing", "retrieval", "generation")
ROLES: Final[tuple[Mark, ...]] = ("root", "contributing", "downstream", "latent")
"""The strongest first."""
_ROUTING_RATES: Final = (
    "agent_ok_rate",
    "collection_ok_rate",
    "tool_ok_rate",
    "args_ok_rate",
    "missing_resource_rate",
)
"""A judge's word on routing; the trace alone decides none of them."""


def marks_of(run: Run, turn_ids: Sequence[str]) -> Marks:
    """Return the strongest role that each stage has in each turn.

    Without a fault it is `not_judged` where the turn was not, and routing also where the judge
    decided nothing about it; else `fine`.
    """
    where = {"turn_id": turn_ids}
    judged = {
        row["turn_id"]
        for row in run.rows("turns", ["turn_id", "outcome"], where)
        if row["outcome"] != "not_judged"
    }
    routed = routing_judged(
        run.rows("metrics", ["turn_id", "metric", "value"], {**where, "metric": _ROUTING_RATES})
    )
    marks: Marks = {
        turn_id: {
            "routing": "fine" if turn_id in judged & routed else "not_judged",
            "retrieval": "fine" if turn_id in judged else "not_judged",
            "generation": "fine" if turn_id in judged else "not_judged",
        }
        for turn_id in turn_ids
    }
    for row in run.rows("findings", ["turn_id", "stage", "role"], where):
        own = marks[row["turn_id"]]
        own[row["stage"]] = stronger(own[row["stage"]], row["role"])
    return marks


def routing_judged(metrics: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the turns of which the judge decided anything about their routing.

    Args:
        metrics: Rows with `turn_id`, `metric` and `value`.
    """
    return {
        row["turn_id"]
        for row in metrics
        if row["metric"] in _ROUTING_RATES and row["value"] is not None
    }


def stronger(known: Mark, role: Mark) -> Mark:
    """Return the one of a mark and a role that says more."""
    return role if known not in ROLES or ROLES.index(role) < ROLES.index(known) else known
