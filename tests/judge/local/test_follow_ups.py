"""How a question goes on from what was asked before."""

import pytest

from judge.local.follow_ups import FollowUp, follow_up, gone_on_from


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        pytest.param("Where is my order 1043 now?", "complete", id="a question of its own"),
        pytest.param("Was kostet die Inspektion im Sommer?", "complete", id="German"),
        pytest.param("And how do I get a tablet on the wifi?", "complete", id="opened by and"),
        pytest.param("Is there a discount on spare parts?", "complete", id="there is"),
        pytest.param(
            "I own a BX-200 espresso machine, is it insured?",
            "complete",
            id="the pronoun stands for something of its own message",
        ),
        pytest.param("Is it possible to borrow games?", "complete", id="an empty pronoun"),
        pytest.param("Does it work with snow chains?", "leaning", id="a pronoun"),
        pytest.param("Wie viele passen da rein?", "leaning", id="a German pronoun"),
        pytest.param("Gilt das auch für Fähren?", "leaning", id="das that is no article"),
        pytest.param("Gilt das Angebot auch für Fähren?", "complete", id="das that is an article"),
        pytest.param("Est-ce que ça marche en Belgique ?", "leaning", id="French"),
        pytest.param("What deadline is that?", "leaning", id="one word of its own"),
        pytest.param("Two of us are no members", "leaning", id="a statement"),
        pytest.param("My other one has the number KL7-118", "leaning", id="another number"),
        pytest.param("And for a family?", "elliptic", id="and for"),
        pytest.param("und motor + rahmen?", "elliptic", id="und"),
        pytest.param("et le cadre ?", "elliptic", id="et"),
        pytest.param("¿y el motor?", "elliptic", id="y"),
        pytest.param("What about hearing aids in the hall?", "elliptic", id="what about"),
        pytest.param("and what if the whole suitcase is gone?", "elliptic", id="what if"),
        pytest.param("wie lange?", "elliptic", id="a bare question word"),
        pytest.param("how many days a year", "elliptic", id="nothing but the kind of quantity"),
        pytest.param("saturday then?", "elliptic", id="one word"),
        pytest.param("No, I mean the smaller grey one", "elliptic", id="put right"),
        pytest.param("Nein, ich meine das graue Modell", "elliptic", id="put right in German"),
        pytest.param("Same question for my old bike", "elliptic", id="the same again"),
        pytest.param("It's the tall one, not the small one!", "elliptic", id="not the other"),
        pytest.param("Ich meinte den Keller, nicht das Dach.", "elliptic", id="German, not that"),
        pytest.param("In English, please. And on Sundays?", "elliptic", id="behind how to answer"),
        pytest.param("Auf Deutsch bitte. Und sonntags?", "elliptic", id="the same in German"),
        pytest.param("In English, please.", "elliptic", id="nothing but how to answer"),
        pytest.param(
            "Let me rephrase: which oil does the mower take?", "complete", id="put differently"
        ),
        pytest.param("What with the dog?", "elliptic", id="a question word of something else"),
        pytest.param("und von wem?", "elliptic", id="a preposition and a question word"),
        pytest.param("Wie sieht das im Keller aus?", "elliptic", id="how is that there"),
        pytest.param(
            "That was not my question. How many months before?", "elliptic", id="not answered"
        ),
        pytest.param("土曜日はどうですか", "elliptic", id="Japanese"),
        pytest.param("ماذا عن يوم السبت؟", "elliptic", id="Arabic"),
        pytest.param("", "elliptic", id="nothing"),
    ],
)
def test_how_a_question_goes_on(question: str, kind: FollowUp) -> None:
    assert follow_up(question) == kind


@pytest.mark.parametrize(
    ("question", "earlier", "kept"),
    [
        pytest.param("And for a family?", [], (), id="nothing was asked before"),
        pytest.param(
            "Where is my order 1043 now?", ["What does the card cost?"], (), id="another subject"
        ),
        pytest.param(
            "And for a family?",
            ["Where is my order 1043 now?", "What does the student card cost?"],
            ("What does the student card cost?",),
            id="the last subject alone",
        ),
        pytest.param(
            "And for a family?",
            ["What does the student card cost?", "thanks", "And for a child?"],
            ("What does the student card cost?", "And for a child?"),
            id="an ellipsis behind an ellipsis, thanks left out",
        ),
        pytest.param(
            "And d?", ["And a?", "And b?", "And c?"], ("And b?", "And c?"), id="no more than two"
        ),
    ],
)
def test_what_a_question_goes_on_from(
    question: str, earlier: list[str], kept: tuple[str, ...]
) -> None:
    assert gone_on_from(question, earlier, 2) == kept
