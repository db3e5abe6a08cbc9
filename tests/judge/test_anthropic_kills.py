"""Killed at any point, a run loses no verdict and pays for none twice.

A short form of `python -m tests.judge.kill_loop --kills 1000`.
"""

import pytest

from tests.judge.kill_loop import JOBS, loop, named_points


@pytest.mark.parametrize("batch", [True, False], ids=["in batches", "directly"])
def test_kills_at_every_named_point_and_at_random(*, batch: bool) -> None:
    points = named_points(range(1, 3))
    tally = loop(len(points) + 9, batch=batch, points=points)
    assert tally.problems == []
    assert tally.kills >= 25
    assert tally.double <= (0 if batch else min(tally.maybe_paid, JOBS * tally.kills))
