"""Limits that a run has to keep: `[gates]` of stagefault.toml, checked in CI.

    "failed" = "<= 10 %"                                    a share of the judged turns
    "retrieval.missed_chunk" = { max = 0.02, confidence = "upper" }
    "generation.faithfulness" = ">= 0.9"                    a metric
    "any" = { no_regression_vs = "shipped" }                no failure clearly more often

What could not be measured neither passes nor fails: it is skipped, with the reason.
"""

from analysis.gates.checking import Checked, check_run
from analysis.gates.gate import Gate, gates_of
from analysis.gates.shipped import last_shipped, ship

__all__ = ["Checked", "Gate", "check_run", "gates_of", "last_shipped", "ship"]
