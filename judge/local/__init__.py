"""The local judge: answers every question from words, numbers and rules. No key, no network.

    text       sentences and terms        words, *.toml   what words it knows
    numbers    quantities, identifiers    constraints     model, place, year, variant
    matching   shared words by rarity     polarity        negation, exclusive words
       └──▶ relevance ──▶ library (a run's collections)
       └──▶ holding (a claim against evidence) ──▶ support, statements
       └──▶ claims, elements ──▶ answer
       └──▶ tools, arguments ──▶ routing

Where words do not tell, it says that it is undecided; that is no error. How good it is
against people's labels is measured by `bench/judges.py`, and its tuned numbers stand in
`thresholds.json` with what they were tuned on. It is never tuned on `sample_traces`.
"""

from judge.local.judge import LocalJudge
from judge.local.library import Library, Passage

__all__ = ["Library", "LocalJudge", "Passage"]
