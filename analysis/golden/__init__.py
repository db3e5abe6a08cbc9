"""Golden sets: questions whose right answer is known, and what a run made of them.

    golden.jsonl ──reading──▶ items ──matched to turns by id, else by question──▶ scores

Deterministic: flags, ids, collections and citations need no judge; faithfulness is read from
the verdicts of the run.
"""

from analysis.golden.item import GoldenSet, Item, read_golden
from analysis.golden.scoring import GoldenScores, score_run
from analysis.golden.suggesting import item_of_turn

__all__ = ["GoldenScores", "GoldenSet", "Item", "item_of_turn", "read_golden", "score_run"]
