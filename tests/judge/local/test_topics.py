import numpy as np
import pytest

from judge.local.matching import Rarity
from judge.local.needs import need_of
from judge.local.topics import Topics, met

REFUND = "You get your money back within ten days after we have received the parcel."
HOURS = "The branch is open from nine to five, on Saturdays until noon."
PARKING = "Guests may leave their car in the garage below the hotel."
RUN = Rarity.of([REFUND, HOURS, PARKING])


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        pytest.param("When will I be reimbursed?", REFUND, id="reimbursed, money"),
        pytest.param("Where can I park my vehicle?", PARKING, id="park, garage"),
        pytest.param("Wo kann ich mein Fahrzeug abstellen?", PARKING, id="German"),
        pytest.param("What are the opening times of your office?", HOURS, id="open, branch"),
    ],
)
def test_the_closest_passage_answers_in_other_words(question: str, answer: str) -> None:
    need = need_of(question, (), RUN).topic
    ranked = sorted(
        (REFUND, HOURS, PARKING), key=lambda text: RUN.topics.closeness(need, text), reverse=True
    )
    assert ranked[0] == answer


@pytest.mark.parametrize(
    ("question", "text", "expected"),
    [
        pytest.param("parcel", REFUND, 1.0, id="stands there"),
        pytest.param("parcels", REFUND, 1.0, id="in another form"),
        pytest.param("zebra", REFUND, 0.0, id="nothing like it"),
        pytest.param("?", REFUND, 0.0, id="no words"),
        pytest.param("parcel", "", 0.0, id="an empty text"),
        pytest.param("BX-300", REFUND, 0.0, id="identifiers are no words"),
    ],
)
def test_what_is_met(question: str, text: str, expected: float) -> None:
    assert met(need_of(question, (), RUN).topic, text) == expected


def test_another_word_for_it_counts_in_part() -> None:
    found = met(need_of("motel", (), RUN).topic, PARKING)
    assert 0.45 <= found < 1


@pytest.mark.parametrize("text", ["", "4711", "!"])
def test_a_text_without_words_is_close_to_nothing(text: str) -> None:
    assert RUN.topics.closeness(need_of("money", (), RUN).topic, text) == 0.0


def test_what_every_text_is_about_tells_little() -> None:
    alike = [f"Bicycle insurance, {topic}." for topic in ("theft", "damage", "price", "travel")] * 9
    texts = [f"{text} Page {number}." for number, text in enumerate(alike)]
    run = Rarity.of(texts)
    need = need_of("bicycle insurance", (), run).topic
    bare = Topics(run.topics.weigh)
    assert run.topics.closeness(need, texts[0]) < bare.closeness(need, texts[0])


def test_directions_are_whole_numbers_and_do_not_depend_on_the_order() -> None:
    again = Rarity.of([PARKING, REFUND, HOURS]).topics
    first, second = RUN.topics.direction(HOURS), again.direction(HOURS)
    assert np.array_equal(first, np.rint(first))
    assert np.array_equal(first, second)
