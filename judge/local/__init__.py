"""The local judge: answers every question from words, numbers and rules. No key, no network.

    text, words        sentences and terms         numbers, identifiers   exact values
    matching           shared words by rarity      constraints            model, place, year
    patterns, expected what a sentence does, what a question asks for
       └──▶ relevance ─▶ library (what the run holds) ─▶ grading      relevance, probe
       └──▶ evidence ─▶ locating, contradiction ─▶ holding ─▶ support, statements
       └──▶ claims, elements ─▶ coverage ─▶ answer                    answer
       └──▶ tools, arguments, routed_*, refined_queries ─▶ routing    routing

Where words do not tell, it says that it is undecided; that is no error. How good it is
against people's labels is measured by `bench/judges.py`, and its tuned numbers stand in
`thresholds.json` with what they were tuned on. It is never tuned on `sample_traces`.
"""

from judge.local.judge import LocalJudge
from judge.local.library import Library
from judge.local.shelves import Passage, Reach
from judge.local.tables import Table

__all__ = ["Library", "LocalJudge", "Passage", "Reach", "Table"]
