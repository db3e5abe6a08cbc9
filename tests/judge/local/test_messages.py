"""What a user's message asks for: evidence, or none."""

import pytest

from judge.local.answer import needs_sources


@pytest.mark.parametrize(
    ("message", "needs"),
    [
        pytest.param("How long is the warranty?", True, id="a question"),
        pytest.param("Thanks a lot!", False, id="thanks"),
        pytest.param("Danke, das hilft!", False, id="thanks in German"),
        pytest.param("schade. trotzdem danke", False, id="thanks all the same"),
        pytest.param("nice one", False, id="praise"),
        pytest.param("what's your name", False, id="who answers"),
        pytest.param("Hi, and who made you?", False, id="who made it"),
        pytest.param("Wie heißen Sie?", False, id="who answers, in German"),
        pytest.param("Bonjour, comment vous appelez-vous ?", False, id="in French"),
        pytest.param("¿Cómo te llamas?", False, id="in Spanish"),
        pytest.param("Come ti chiami?", False, id="in Italian"),
        pytest.param("Qual é o seu nome?", False, id="in Portuguese"),
        pytest.param("Hoe heet je?", False, id="in Dutch"),
        pytest.param("你叫什么名字？", False, id="in Chinese"),
        pytest.param("お名前は何ですか？", False, id="in Japanese"),
        pytest.param("ما اسمك؟", False, id="in Arabic"),
        pytest.param("What is the name on the invoice?", True, id="another name"),
        pytest.param("Wie heißt der Ansprechpartner?", True, id="another name, in German"),
        pytest.param("Please rephrase that in one sentence.", False, id="rewriting"),
        pytest.param("12 + 5", False, id="a sum"),
        pytest.param("what is 3*4?", False, id="a product that is asked for"),
        pytest.param("How much is 100 - 15?", False, id="a difference, set off"),
        pytest.param("12-5=?", False, id="a difference that stands alone"),
        pytest.param("wie viel ist 3 mal 49,90?", False, id="a product in words"),
        pytest.param("Is there still warranty on KL5-29031?", True, id="a number behind letters"),
        pytest.param("Where is order 44-1234?", True, id="two numbers that are one"),
        pytest.param("And invoice 3/2025?", True, id="a number with a slash"),
    ],
)
def test_what_a_message_needs(message: str, *, needs: bool) -> None:
    assert needs_sources(message) is needs
