"""From verdicts to what people look at: metrics, findings, reports. Arithmetic and print.

    Turn + Verdict ──judged──▶ JudgedTurn ─┬─ metrics      numbers with their counts
                                           └─ attribution  which stage, with evidence
                                                  └──tables──▶ run on disk ──▶ reports

    from analysis import load_run, replay

    run = replay(["sample_traces"]).run     # or load_run("latest")
    run.turns()                             # a DataFrame; so are .findings(), .metrics(), …

Holds the pipeline and the command line: the only package that may print and write. The
numbers of every report come from one aggregate of the run's tables.
"""

from analysis.pipeline import Plan
from analysis.replay import Replayed, replay
from analysis.run import Run, load_run

__all__ = ["Plan", "Replayed", "Run", "load_run", "replay"]
