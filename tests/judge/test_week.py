"""A short week, in the same steps as `python -m tests.judge.week --turns 1000 10000`."""

import pytest

from tests.judge.week import problems


@pytest.mark.slow
def test_a_week_asks_each_question_once_and_only_what_failed_again() -> None:
    told: list[str] = []
    assert list(problems(24, told.append)) == []
    assert "with another parser 0;" in told[1]
