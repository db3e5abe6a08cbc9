import pytest

from judge.local.models import Models

MODELS = Models(
    [
        "Aeris 40: opening the door.",
        "Aeris 60: opening the door. The case may stay open below 14 degrees.",
        "Oil the RX-200 once a year.",
        "Oil the RX-300 twice a year.",
    ]
)


@pytest.mark.parametrize(
    ("question", "earlier", "told"),
    [
        pytest.param("And a 60?", ["Can I open an Aeris 40?"], "And a Aeris 60?", id="sibling"),
        pytest.param("Und die 60er?", ["Die Aeris 40?"], "Und die Aeris 60?", id="German"),
        pytest.param(
            "The 60 in the tower shows A3.",
            ["An Aeris 40?"],
            "The Aeris 60 in the tower shows A3.",
            id="before a function word",
        ),
        pytest.param(
            "It's the 40, not the 60!",
            ["The Aeris 40 is flashing."],
            "It's the Aeris 40, not the Aeris 60!",
            id="both",
        ),
        pytest.param(
            "Which is bigger, the Aeris 40 or the 60?",
            [],
            "Which is bigger, the Aeris 40 or the Aeris 60?",
            id="in one question",
        ),
        pytest.param("And on the 300?", ["Oil the RX-200?"], "And on the RX-300?", id="code"),
        pytest.param("And a 60?", ["How warm is it?"], "And a 60?", id="no such model before"),
        pytest.param("And a 70?", ["An Aeris 40?"], "And a 70?", id="a model nobody knows"),
        pytest.param("For the 60 guests?", ["An Aeris 40?"], "For the 60 guests?", id="a noun"),
        pytest.param("From 40 to 60?", ["An Aeris 40?"], "From 40 to 60?", id="a range"),
        pytest.param("At the 60 %?", ["An Aeris 40?"], "At the 60 %?", id="a unit"),
        pytest.param("The Aeris 60?", ["An Aeris 40?"], "The Aeris 60?", id="in full already"),
        pytest.param("And the other?", ["An Aeris 40?"], "And the other?", id="no number"),
    ],
)
def test_a_model_called_by_its_number(question: str, earlier: list[str], told: str) -> None:
    assert MODELS.in_full(question, earlier) == told


def test_a_message_is_read_with_those_before_it() -> None:
    asked = ["An Aeris 40?", "And the 60?", "And at night?"]
    assert MODELS.all_in_full(asked) == ["An Aeris 40?", "And the Aeris 60?", "And at night?"]
    assert MODELS.all_in_full([]) == []


def test_a_number_of_two_names_is_none() -> None:
    both = Models(["Aeris 60: doors", "Boreas 60: doors"])
    asked = ["An Aeris 40 or a Boreas 40?", "And the 60?"]
    assert both.all_in_full(asked) == asked
