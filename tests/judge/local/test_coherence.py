"""The form of an answer: scraps of clauses, and good sentences that look a little like them."""

import time

import pytest

from judge.local.coherence import coherence


def graded(*texts: str) -> int:
    return coherence([{"kind": "prose", "text": text} for text in texts])


SCRAPS = [
    pytest.param(
        "The helmets, because in spring, the tents as well, which of three, and then always [1].",
        id="English",
    ),
    pytest.param(
        "Am Montag die Zelte, nämlich zwei, wobei im Frühling, und der Helm auch [1].", id="German"
    ),
    pytest.param(
        "Les tentes lundi, sachant que deux, et au printemps, dont le casque toujours.", id="French"
    ),
]
GOOD = [
    pytest.param("The tent is 40 €, the stove 9 €, the lamp 4 €, which makes 53 €.", id="a sum"),
    pytest.param("In May, June, July and August, if it is dry, the meadow is open.", id="a list"),
    pytest.param("Drei Zelte, vier Lampen, ein Kocher, also alles, was wir brauchen.", id="also"),
    pytest.param("Bring a tent, also a lamp, and a stove, or two of them.", id="English also"),
    pytest.param("Because of rain, and so on.", id="short"),
]


@pytest.mark.parametrize("text", SCRAPS)
def test_clauses_that_break_off_at_once_are_scraps(text: str) -> None:
    assert graded("The tent is dry.", text) == 1


@pytest.mark.parametrize("text", GOOD)
def test_one_short_part_is_good_style(text: str) -> None:
    assert graded(text) == 3


def test_brackets_that_nobody_closes_take_no_longer_than_text() -> None:
    start = time.perf_counter()
    assert graded("[" * 200_000) == 3
    assert time.perf_counter() - start < 5  # 0.1 s; 15 s where each is looked for to the end
