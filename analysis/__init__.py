"""From verdicts to what people look at: metrics, findings, reports. Arithmetic and print.

    Turn + Verdict ──judged──▶ JudgedTurn ─┬─ metrics      numbers with their counts
                                           └─ attribution  which stage, with evidence
                                                  └──tables──▶ run on disk ──▶ reports

    from analysis import load_run, replay

    run = replay(["sample_traces"]).run     # or load_run("latest")
    run.turns()                             # a DataFrame; so are .findings(), .metrics(), …

Holds the pipeline and the command line: the only package that may print and write. The
numbers of every report come from one aggregate of the run's tables.

What it offers is imported when it is first named: the command line starts without it.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analysis.plan import Plan
    from analysis.replaying import Replayed, replay
    from analysis.run import Run, load_run

__all__ = ["Plan", "Replayed", "Run", "load_run", "replay"]


def __getattr__(name: str) -> object:
    match name:
        case "Plan":
            from analysis.plan import Plan

            return Plan
        case "Replayed" | "replay":
            from analysis import replaying

            return getattr(replaying, name)
        case "Run" | "load_run":
            from analysis import run

            return getattr(run, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
