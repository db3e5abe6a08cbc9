"""The accidents, all of them."""

from tests.robustness.byte_mutators import BYTE_MUTATORS
from tests.robustness.damage import Mutator
from tests.robustness.record_mutators import RECORD_MUTATORS

MUTATORS: dict[str, Mutator] = {
    mutate.__name__: mutate for mutate in (*BYTE_MUTATORS, *RECORD_MUTATORS)
}
