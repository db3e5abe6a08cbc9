import pytest

from judge.local.elements import elements_of


@pytest.mark.parametrize(
    ("question", "earlier", "expected"),
    [
        pytest.param("What does it cost?", [], ("What does it cost?",), id="one"),
        pytest.param(
            "How do I descale the BX-200 and how long is the warranty?",
            [],
            (
                "How do I descale the BX-200?",
                "how long is the warranty? (BX-200)",
            ),
            id="two in one sentence; the model holds for the second",
        ),
        pytest.param(
            "What is the price? When does it ship?",
            [],
            ("What is the price?", "When does it ship? (What is the price?)"),
            id="two sentences, the second leans on the first",
        ),
        pytest.param(
            "Wie lange habe ich Garantie und was kostet ein Wassertank?",
            [],
            (
                "Wie lange habe ich Garantie?",
                "was kostet ein Wassertank?",
            ),
            id="German",
        ),
        pytest.param(
            "My suitcase was stolen. What do I have to do?",
            [],
            ("My suitcase was stolen. What do I have to do?",),
            id="what was said before the question belongs to it",
        ),
        pytest.param(
            "And on the BX-300?",
            ["How do I descale the BX-200?"],
            ("And on the BX-300? (How do I descale the BX-200?)",),
            id="a follow-up has the message before behind it",
        ),
        pytest.param(
            "And for a family?",
            ["What does the policy cost?"],
            ("And for a family? (What does the policy cost?)",),
            id="a follow-up leans on the message before",
        ),
        pytest.param(
            "Do you sell milk and coffee?",
            [],
            ("Do you sell milk and coffee?",),
            id="a list of nouns is one element",
        ),
        pytest.param("Cancel my order.", [], ("Cancel my order.",), id="a request"),
        pytest.param(
            "返品は何日以内にできますか？", [], ("返品は何日以内にできますか？",), id="Japanese"
        ),
    ],
)
def test_elements(question: str, earlier: list[str], expected: tuple[str, ...]) -> None:
    assert elements_of(question, earlier) == expected
