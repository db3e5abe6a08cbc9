"""People's labels: what a person says is right, and how far the judge agrees.

    run ──sheet──▶ blind rows ──people──▶ rows with labels ──reading──▶ labels.jsonl in the store
    page ──"I disagree"──▶ correction ─────────────────────────┘            │
                                             verdicts of any run ──agreement┴──▶ κ, corrected rates

Rows of a sheet were drawn with a known probability and say how good the judge is. A
correction was chosen by the person who disagreed: it is kept, and is in no estimate.
"""

from analysis.labels.agreement import Agreement, agreement_of
from analysis.labels.label import CHOICES, Label
from analysis.labels.reading import Imported, read_labels
from analysis.labels.sheet import draw_sheet
from analysis.labels.store import add_labels, stored_labels

__all__ = [
    "CHOICES",
    "Agreement",
    "Imported",
    "Label",
    "add_labels",
    "agreement_of",
    "draw_sheet",
    "read_labels",
    "stored_labels",
]
