"""The failure breakdown: one aggregate of a run, from which every report prints.

turns, findings, metrics ──breakdown_of──▶ Breakdown ──compared──▶ with its changes
"""

from analysis.breakdown.aggregate import breakdown_of
from analysis.breakdown.comparison import compared, not_alike
from analysis.breakdown.headline import headline
from analysis.breakdown.model import Breakdown, Change, Dimension, Rate, Segment, Segmentation
from analysis.breakdown.segments import DIMENSIONS
from analysis.breakdown.selection import EVERYTHING, FILTERS, Selection, selection_of

__all__ = [
    "DIMENSIONS",
    "EVERYTHING",
    "FILTERS",
    "Breakdown",
    "Change",
    "Dimension",
    "Rate",
    "Segment",
    "Segmentation",
    "Selection",
    "breakdown_of",
    "compared",
    "headline",
    "not_alike",
    "selection_of",
]
