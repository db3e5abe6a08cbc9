import numpy as np
import pytest

from judge.local.nearest import Nearest, fused
from judge.local.topics import STEPS

EAST, NORTH, NOWHERE = np.array([STEPS, 0.0]), np.array([0.0, STEPS]), np.zeros(2)
BETWEEN = np.rint(np.array([0.3, 0.4]) * STEPS)


def test_closeness_is_the_cosine() -> None:
    near = Nearest.of([EAST * 0.25, NORTH * 0.25, BETWEEN, NOWHERE])
    assert near.closeness(EAST * 0.25) == pytest.approx([1, 0, 0.6, 0], abs=0.01)
    assert near.closeness(NOWHERE).tolist() == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("by_words", "by_topic", "expected"),
    [
        pytest.param([4, 2, 0], [0.5, 0.25, 0.5], [2, 1, 1], id="each as a part of its best"),
        pytest.param([0, 0], [0.5, 0.24], [1, 0], id="no word shared, and not about the same"),
        pytest.param([2, 1], [0, -0.5], [1, 0.5], id="by words alone"),
        pytest.param([0, 0], [0, 0], [0, 0], id="nothing"),
        pytest.param([], [], [], id="no texts"),
    ],
)
def test_fused(by_words: list[float], by_topic: list[float], expected: list[float]) -> None:
    found = fused(np.array(by_words, dtype=float), np.array(by_topic, dtype=float))
    assert found.tolist() == expected
