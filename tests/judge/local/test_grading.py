import pytest

from judge.local import Library, Passage
from judge.local.grading import judge_relevance
from judge.local.thresholds import thresholds

LIMITS = thresholds().of_probed()
TEXTS = (
    "Skates are sharpened on Tuesdays and Thursdays, while you wait.",
    "Lockers take a two-euro coin, which comes back when the key is returned.",
    "Helmets for children hang beside the till and cost nothing.",
    "The café closes half an hour before the rink does.",
)
LIBRARY = Library(Passage(collection="rink", title=None, text=text) for text in TEXTS)


def grade(need: str, text: str, *, one: bool) -> int:
    content = {"need": need, "earlier": [], "chunk": {"title": None, "text": text}}
    found = judge_relevance(content, LIBRARY, LIMITS, one=one)
    assert found is not None
    return int(found["grade"])


@pytest.mark.parametrize(
    ("need", "text"),
    [
        ("Is there a coin for it? (When are skates sharpened?)", TEXTS[0]),
        ("And do helmets cost anything? (How do the lockers work?)", TEXTS[1]),
    ],
)
def test_what_was_asked_before_an_element_is_no_part_of_what_it_asks(need: str, text: str) -> None:
    assert grade(need, text, one=False) >= 2
    assert grade(need, text, one=True) < 2


def test_an_element_is_met_by_what_answers_it() -> None:
    assert grade("And do helmets cost anything? (How do the lockers work?)", TEXTS[2], one=True) > 1
