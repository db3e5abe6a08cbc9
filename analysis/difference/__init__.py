"""What changed between two runs, turn by turn: `stagefault diff BEFORE AFTER`.

    turns of both ──pairing──▶ pairs ──┬─ outcomes and roots   sign-flip test by conversation
                                       └─ metrics              paired bootstrap
                                             └── Benjamini-Hochberg over the whole table

Turns that are in one run only are counted and compared with nothing.
"""

from analysis.difference.model import Difference, Moved, Row
from analysis.difference.of_runs import difference_of

__all__ = ["Difference", "Moved", "Row", "difference_of"]
