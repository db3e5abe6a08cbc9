import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.sampling import BoundedSample, address_of


def kept(things: list[tuple[int, int]], budget: int) -> set[int]:
    sample = BoundedSample(budget)
    held: set[int] = set()
    for address, size in things:
        if address not in held and sample.admits(address):
            held.add(address)
            held.difference_update(sample.add(address, size))
    return held


@pytest.mark.parametrize(
    ("sizes", "budget", "expected"),
    [
        pytest.param([], 0, set(), id="nothing"),
        pytest.param([1, 1, 1], 3, {0, 1, 2}, id="everything just fits"),
        pytest.param([1, 1, 1], 2, {0, 1}, id="the highest address goes"),
        pytest.param([2, 5, 1], 4, {0}, id="what is above a thing without room goes too"),
        pytest.param([5, 1], 4, set(), id="the first is too big"),
    ],
)
def test_what_is_kept(sizes: list[int], budget: int, expected: set[int]) -> None:
    assert kept(list(enumerate(sizes)), budget) == expected


@given(
    sizes=st.dictionaries(st.integers(0, 30), st.integers(1, 9)),
    budget=st.integers(0, 60),
    seed=st.integers(),
)
def test_order_and_repeats_do_not_matter(sizes: dict[int, int], budget: int, seed: int) -> None:
    things = list(sizes.items())
    shuffled = things * 2
    random.Random(seed).shuffle(shuffled)
    found = kept(things, budget)
    assert kept(shuffled, budget) == found
    assert sum(sizes[address] for address in found) <= budget


def test_a_sample_tells_whether_it_is_complete() -> None:
    sample = BoundedSample(1)
    states = [(sample.add(address, 1), sample.complete, sample.admits(2)) for address in (1, 2)]
    assert states == [([], True, True), ([2], False, False)]


def test_addresses_tell_parts_apart() -> None:
    parts = [("ab", "c"), ("a", "bc"), ("a", None), ("a", "None"), ("a",), (1, "a"), ("a\ud800",)]
    assert len({address_of(*one) for one in parts}) == len(parts)
    assert address_of("a", {"x": 1, "y": 2}) == address_of("a", {"y": 2, "x": 1})
