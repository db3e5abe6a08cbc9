"""What an answer covers of its question, held against a handful of passages."""

from collections.abc import Mapping
from typing import Any

import pytest

from judge.local import Library, Passage
from judge.local.answer import judge_answer
from judge.local.expected import states
from judge.local.thresholds import thresholds

WARRANTY = "Warranty. The frame has a warranty of 5 years, the motor of 3 years."
BATTERY = "Batteries. A spare battery costs 449 euros, the charger 59 euros."
STUDIO = "Studio. The studio in the cellar costs 6 euros an hour."
LIBRARY = Library(
    Passage(collection="service", title=None, text=text) for text in (WARRANTY, BATTERY, STUDIO)
)
TWO = "How long is the warranty on the motor, and how much is a spare battery?"


def judged(
    question: str, evidence: list[str], *paragraphs: str, earlier: tuple[str, ...] = ()
) -> Mapping[str, Any]:
    return judge_answer(
        {
            "question": question,
            "earlier": [{"role": "user", "text": text} for text in earlier],
            "question_language": "en",
            "answer_language": "en",
            "paragraphs": [
                {"paragraph": number, "kind": "prose", "text": text, "markers": []}
                for number, text in enumerate(paragraphs, start=1)
            ],
            "evidence": [
                {
                    "label": f"C{number}",
                    "kind": "chunk",
                    "text": text,
                    "title": None,
                    "tool": None,
                    "status": None,
                    "arguments": None,
                }
                for number, text in enumerate(evidence, start=1)
            ],
        },
        LIBRARY,
        thresholds(),
    )


MOTOR, PRICE = "The motor has a warranty of 3 years.", "A spare battery costs 449 euros."
NOTHING = "I found nothing on the rest of your question."

COVERED = [
    pytest.param([WARRANTY, BATTERY], [MOTOR, PRICE], ["answered", "answered"], id="both"),
    pytest.param([WARRANTY, BATTERY], [MOTOR], ["answered", "silently_missing"], id="one left out"),
    pytest.param(
        [WARRANTY],
        [MOTOR],
        ["answered", "silently_missing"],
        id="one left out that only another passage of the run answers",
    ),
    pytest.param(
        [WARRANTY],
        [MOTOR, NOTHING],
        ["answered", "declared_missing"],
        id="one declared missing without a name",
    ),
]


@pytest.mark.parametrize(("evidence", "answer", "statuses"), COVERED)
def test_what_becomes_of_two_elements(
    evidence: list[str], answer: list[str], statuses: list[str]
) -> None:
    told = judged(TWO, evidence, *answer)
    assert [element["status"] for element in told["elements"]] == statuses


PRICE_TOO = "Does the motor have a warranty, and how much is a spare battery?"
HOURS = "The studio is open from 9:00 to 17:00, and its drums are free."


@pytest.mark.parametrize(
    ("question", "answer", "statuses"),
    [
        pytest.param(PRICE_TOO, MOTOR, ["answered", "silently_missing"], id="no price"),
        pytest.param(
            PRICE_TOO,
            f"{MOTOR} A battery is half of that.",
            ["answered", "answered"],
            id="in words",
        ),
        pytest.param(
            PRICE_TOO, f"{MOTOR} No spare ones are sold.", ["answered", "answered"], id="denied"
        ),
        pytest.param(
            "Are there drums in the studio, and when is it open?",
            "Yes, drums are there free of charge.",
            ["answered", "silently_missing"],
            id="no time, which a passage gives",
        ),
        pytest.param(
            "Are there drums in the studio, and when is it open?",
            "Yes, there are drums, and it is open until 17:00.",
            ["answered", "answered"],
            id="both in one sentence",
        ),
        pytest.param(
            "How much is a spare battery?",
            "Batteries are what keeps a bike going.",
            ["silently_missing"],
            id="all that is asked, without any number",
        ),
    ],
)
def test_a_quantity_that_is_asked_for_must_be_given(
    question: str, answer: str, statuses: list[str]
) -> None:
    told = judged(question, [WARRANTY, BATTERY, HOURS], answer)
    assert [element["status"] for element in told["elements"]] == statuses


def test_what_is_declared_by_its_own_word_is_not_answered_by_another_length() -> None:
    question = "How long is the warranty on the motor, and how long is the studio open?"
    told = judged(question, [WARRANTY], MOTOR, "On the studio I have no information.")
    assert [one["status"] for one in told["elements"]] == ["answered", "declared_missing"]


def test_an_aside_beside_a_declaration_answers_nothing() -> None:
    told = judged(TWO, [STUDIO], "I have no information on that.", "We give a hat to all of you.")
    assert {one["status"] for one in told["elements"]} == {"declared_missing"}


TENTS = "Tents. A tent is handed back dry. The office confirms a booking within three days."


@pytest.mark.parametrize(
    ("answer", "statuses"),
    [
        pytest.param(
            "Before it goes back to us the tent has to be dry.",
            ["answered", "silently_missing"],
            id="meant for the first",
        ),
        pytest.param(
            "You hear from the office three days after you book, at the latest.",
            ["silently_missing", "answered"],
            id="meant for the second",
        ),
        pytest.param(
            "You should return it dry, and we confirm your booking within three days.",
            ["answered", "answered"],
            id="both at once",
        ),
    ],
)
def test_a_claim_answers_the_element_that_it_is_meant_for(answer: str, statuses: list[str]) -> None:
    question = "How should I return a tent, and how soon do you confirm my booking?"
    told = judged(question, [TENTS], answer)
    assert [element["status"] for element in told["elements"]] == statuses


def test_an_element_is_left_out_whatever_passage_might_answer_it() -> None:
    question = "How long is the warranty on the motor, and may my neighbour ride along?"
    told = judged(question, [WARRANTY], MOTOR)
    assert [element["status"] for element in told["elements"]] == ["answered", "silently_missing"]


@pytest.mark.parametrize(
    ("evidence", "understanding"),
    [
        pytest.param([WARRANTY], 1, id="the passage speaks of the question"),
        pytest.param([STUDIO], 3, id="no passage does"),
    ],
)
def test_an_answer_is_off_topic_only_beside_what_is_on_it(
    evidence: list[str], understanding: int
) -> None:
    answer = "Strawberries taste best with a spoonful of sugar on them."
    told = judged("How many years does the motor's guarantee run?", evidence, answer)
    assert told["understanding"] == understanding


@pytest.mark.parametrize(
    ("answer", "in_evidence"),
    [
        pytest.param("I found nothing about that.", True, id="it names nothing"),
        pytest.param("I could not find whether the studio has drums.", False, id="it names drums"),
    ],
)
def test_what_is_declared_missing_by_name_must_be_in_the_passage(
    answer: str, *, in_evidence: bool
) -> None:
    (element,) = judged("Does the studio in the cellar have drums?", [STUDIO], answer)["elements"]
    assert (element["status"], element["in_evidence"]) == ("declared_missing", in_evidence)


@pytest.mark.parametrize(
    ("answer", "sought"),
    [
        pytest.param("I found nothing about that.", "Is a helmet with it? ({})", id="nothing"),
        pytest.param("I found nothing on helmets.", "Is a helmet with it? (BX-200)", id="named"),
    ],
)
def test_what_an_answer_names_as_missing_is_sought_alone(answer: str, sought: str) -> None:
    before = "How long is the warranty on the motor of the BX-200?"
    (element,) = judged("Is a helmet with it?", [WARRANTY], answer, earlier=(before,))["elements"]
    assert (element["status"], element["text"]) == ("declared_missing", sought.format(before))


def test_an_offer_behind_an_answer_declares_nothing_missing() -> None:
    question = "How much is a spare battery?"
    told = judged(question, [BATTERY], PRICE, "Shall I tell you how to order one?")
    assert told["reply"] == "answered"


def test_a_passage_without_a_price_is_no_evidence_for_one() -> None:
    told = judged("How much is the warranty of the motor?", [WARRANTY], "I do not know.")
    assert [element["in_evidence"] for element in told["elements"]] == [False]


@pytest.mark.parametrize("text", ["It costs 10 cents.", "It is free.", "It costs 3 euros."])
def test_a_passage_with_an_amount_states_money(text: str) -> None:
    assert states(text, "money")


@pytest.mark.parametrize("text", ["Two adults and seven children are covered.", ""])
def test_a_bare_number_states_no_money(text: str) -> None:
    assert not states(text, "money")


@pytest.mark.parametrize("answer", ["One moment, please.", "Let me check that for you."])
def test_an_answer_that_only_puts_off_answers_nothing(answer: str) -> None:
    told = judged("How much is a spare battery?", [BATTERY], answer)
    assert [element["status"] for element in told["elements"]] == ["silently_missing"]


@pytest.mark.parametrize(
    "doubt", ["Are you sure?", "Really?", "Sind Sie sicher?", "Vous en êtes sûr ?", "本当ですか？"]
)
def test_a_doubt_asks_again_what_was_asked(doubt: str) -> None:
    found = judged(doubt, [], "Yes, it is.", MOTOR, earlier=("How long is the motor's warranty?",))
    (element,) = found["elements"]
    assert (element["text"], element["status"]) == (
        "How long is the motor's warranty?",
        "answered",
    )
    assert found["understanding"] >= 2


def test_a_doubt_about_something_else_is_a_question_of_its_own() -> None:
    asked = "Are you sure that the studio is in the cellar?"
    found = judged(asked, [STUDIO], "Yes.", earlier=("How long is the warranty?",))
    assert [one["text"] for one in found["elements"]] == [asked]


def test_a_short_sentence_behind_a_declaration_is_part_of_it() -> None:
    told = "The documents do not say which hospital you work with. The studio can."
    found = judged("Which hospital do you work with?", [STUDIO], told)
    assert found["paragraphs"] == [{"paragraph": 1, "needs_source": False, "claim": "none"}]


def test_what_is_only_said_around_a_declaration_answers_nothing() -> None:
    told = "The brochure says nothing about drums. Musicians know more about such things."
    found = judged("Are there drums in the studio?", [STUDIO], told)
    assert found["reply"] == "abstained"
    assert [one["status"] for one in found["elements"]] == ["declared_missing"]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        pytest.param("Until when may I keep it?", "The motor has 3 years.", id="from the evidence"),
        pytest.param("Is coffee forbidden?", "Espresso past noon is.", id="the same otherwise"),
    ],
)
def test_an_answer_that_shares_no_word_may_be_on_topic(question: str, answer: str) -> None:
    assert judged(question, [WARRANTY], answer)["understanding"] >= 2


def test_an_answer_that_shares_nothing_at_all_is_off_topic() -> None:
    found = judged(
        "Until when may I keep the frame?", [WARRANTY], "Museums show paintings to visitors."
    )
    assert found["understanding"] < 2


def test_why_an_answer_asks_back_answers_nothing() -> None:
    told = judged(
        "How long is the studio open?", [], "Which studio do you mean? The two of them differ."
    )
    assert told["reply"] == "clarifying"
    told = judged("Can I move it?", [], "I can't do that from here. Which studio do you mean?")
    assert told["reply"] == "clarifying"


@pytest.mark.parametrize(
    ("answer", "claim"),
    [
        pytest.param(["For long rides two would be better."], "fact", id="from nothing"),
        pytest.param(
            [PRICE, "For long rides two would be better."], "none", id="from what it said"
        ),
        pytest.param([PRICE, "Two of them would be heavy."], "fact", id="says more"),
    ],
)
def test_what_weighs_up_needs_no_source_of_its_own(answer: list[str], claim: str) -> None:
    found = judged("How much are two spare batteries?", [BATTERY], *answer)
    assert found["paragraphs"][-1]["claim"] == claim


def test_yes_before_a_list_answers_what_asks_for_no_more() -> None:
    question = "Could I borrow one, and how much is a spare battery?"
    told = judged(question, [BATTERY], "Yes, please see the list:", PRICE)
    assert [one["status"] for one in told["elements"]] == ["answered", "answered"]


def test_a_price_in_a_question_for_yes_or_no_is_not_asked_for() -> None:
    told = judged("Is the price of a spare battery low?", [BATTERY], "It hardly hurts anyone.")
    assert [one["status"] for one in told["elements"]] == ["answered"]


def test_what_rests_in_part_on_a_passage_about_it_is_in_the_evidence() -> None:
    told = judged("What do I get for it?", [WARRANTY], f"{MOTOR} Clowns love it.")
    assert [one["in_evidence"] for one in told["elements"]] == [True]


def test_an_exact_answer_is_not_taken_back_by_what_it_could_not_find_beside() -> None:
    told = "For the motor I found a warranty of 3 years."
    found = judged("What warranty is there?", [WARRANTY], told, "I found no warranty on lamps.")
    (element,) = found["elements"]
    assert (element["status"], element["paragraphs"]) == ("answered", [1])


def test_a_claim_without_words_of_its_own_gives_two_quantities() -> None:
    drying = "Drying the oven. Once a year it is dried at 70 °C for five hours."
    asked = "Drying the oven: how hot, and for how long?"
    told = judged(asked, [drying], "At 70 °C for five hours.")
    assert [one["status"] for one in told["elements"]] == ["answered", "answered"]
