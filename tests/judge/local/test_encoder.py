import numpy as np
import pytest

from judge.local.encoder import LONGEST, closeness, meaning, together

LEAVE = "How many days of leave do I get per year?"
URLAUB = "Wie viele Urlaubstage stehen mir im Jahr zu?"
RATE = "Wann ist die erste Rate fällig?"


def test_the_same_question_in_another_language_is_closer_than_another_question() -> None:
    asked = meaning(LEAVE)
    assert closeness(asked, meaning(URLAUB)) > 0.6
    assert closeness(asked, meaning(RATE)) < 0.4
    assert closeness(asked, asked) == pytest.approx(1.0)


def test_halfway_is_as_close_to_both() -> None:
    halfway = together(meaning(LEAVE), meaning(RATE))
    near = [closeness(halfway, meaning(one)) for one in (LEAVE, RATE)]
    assert near[0] == pytest.approx(near[1], abs=0.01)
    assert min(near) > closeness(meaning(LEAVE), meaning(RATE))


@pytest.mark.parametrize(
    "text",
    ["", " ", "\n", "\ud800 lone", "\x00\x00", "\u202eabc", "👩\u200d👧", "ﷺ" * 300, "1" * 900],
)
def test_any_text_has_a_direction(text: str) -> None:
    direction = meaning(text)
    assert direction.shape == (512,)
    assert np.abs(direction).max() > 0


def test_of_a_long_text_the_opening_counts() -> None:
    long = "The lamp is red. " * 1_000
    assert (meaning(long) == meaning(long[:LONGEST])).all()


def test_a_meaning_does_not_depend_on_what_was_asked_before() -> None:
    alone = meaning(URLAUB)
    meaning.cache_clear()
    for text in (LEAVE, RATE):
        meaning(text)
    assert (meaning(URLAUB) == alone).all()
