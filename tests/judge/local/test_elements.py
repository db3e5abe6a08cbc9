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
            "Please answer in German. And on Sundays?",
            ["When does the pool open?"],
            ("And on Sundays? (When does the pool open?)",),
            id="how to answer is no part of what is asked",
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
            "Wie hoch ist die Gebühr, und zahlt ihr auch bei einer Scheidung?",
            [],
            (
                "Wie hoch ist die Gebühr?",
                "zahlt ihr auch bei einer Scheidung? (Wie hoch ist die Gebühr?)",
            ),
            id="a verb before its subject asks anew",
        ),
        pytest.param(
            "Quel est le prix et livrez-vous en Suisse ?",
            [],
            ("Quel est le prix?", "livrez-vous en Suisse ?"),
            id="so in French",
        ),
        pytest.param(
            "Hi, my camera was stolen. What do you pay?",
            [],
            ("Hi, my camera was stolen. What do you pay?",),
            id="what stands behind a greeting belongs to the question",
        ),
        pytest.param(
            "Right. What is the fee?", [], ("What is the fee?",), id="one word tells nothing"
        ),
        pytest.param(
            "How far ahead can I book the hall, and for how long?",
            [],
            (
                "How far ahead can I book the hall?",
                "for how long? (How far ahead can I book the hall?)",
            ),
            id="a preposition before the second question word",
        ),
        pytest.param(
            "When and where is the choir?",
            [],
            ("When is the choir?", "where is the choir?"),
            id="two question words at once",
        ),
        pytest.param(
            "How much is the hall, when does it close?",
            [],
            ("How much is the hall?", "when does it close? (How much is the hall?)"),
            id="two questions with a comma",
        ),
        pytest.param(
            "If the choir sings, how much is the hall?",
            [],
            ("If the choir sings, how much is the hall?",),
            id="a condition is no question",
        ),
        pytest.param(
            "What is the fee and do you have any?",
            [],
            ("What is the fee?", "do you have any? (What is the fee?)"),
            id="a clause without any term",
        ),
        pytest.param(
            "The one in the town.",
            ["What is the fee for the hall, and who has its key?"],
            (
                "The one in the town. (What is the fee for the hall?)",
                "The one in the town. (who has its key?)",
            ),
            id="what only tells is asked all that was asked before",
        ),
        pytest.param(
            "And the small hall?",
            ["What is the fee for the hall, and who has its key?"],
            ("And the small hall? (What is the fee for the hall, and who has its key?)",),
            id="a follow-up question may be about one of them",
        ),
        pytest.param(
            "Huh? Again, slowly please.",
            ["Where is the oven, and who may use it?"],
            ("Where is the oven?", "who may use it? (Where is the oven?)"),
            id="what was not understood is asked again, part by part",
        ),
        pytest.param(
            "Try again. And is there a second one?",
            ["Where is the oven?"],
            ("Where is the oven?", "And is there a second one? (Where is the oven?)"),
            id="what is asked beside the wish to try again is another element",
        ),
        pytest.param(
            "Can you tell me something about bread?",
            ["Where is the oven?"],
            ("Can you tell me something about bread?",),
            id="a request is no wish to say it again",
        ),
        pytest.param(
            "Können Sie mir sagen, wann der Backofen zurück muss?",
            [],
            ("Können Sie mir sagen, wann der Backofen zurück muss?",),
            id="a clause with its verb at the end is part of the one before",
        ),
        pytest.param(
            "Könnte ich einen Backofen leihen, und wenn ja für wie viel?",
            [],
            (
                "Könnte ich einen Backofen leihen?",
                "wenn ja für wie viel? (Könnte ich einen Backofen leihen?)",
            ),
            id="and if so",
        ),
        pytest.param(
            "Would the old oven do or do I need the gas one?",
            [],
            ("Would the old oven do or do I need the gas one?",),
            id="the other answer is no other question",
        ),
        pytest.param(
            "Is the bakery open, or when does it open?",
            [],
            ("Is the bakery open?", "when does it open? (Is the bakery open?)"),
            id="a question word asks anew behind or",
        ),
        pytest.param(
            "What does a loaf cost in the shop, and at the market?",
            [],
            (
                "What does a loaf cost in the shop?",
                "at the market? (What does a loaf cost in the shop?)",
            ),
            id="the same of something else",
        ),
        pytest.param(
            "Was kostet die Hefe, und von wem?",
            [],
            ("Was kostet die Hefe?", "von wem? (Was kostet die Hefe?)"),
            id="a bare question word goes on from the part before",
        ),
        pytest.param(
            "Wie lange dauert das Backen, und bekommen die Gäste ihr Brot mit?",
            [],
            (
                "Wie lange dauert das Backen?",
                "bekommen die Gäste ihr Brot mit? (Wie lange dauert das Backen?)",
            ),
            id="a verb before its noun asks anew",
        ),
        pytest.param(
            "Hm, und wie viele Brote passen hinein?",
            [],
            ("Hm, und wie viele Brote passen hinein?",),
            id="an interjection asks nothing",
        ),
        pytest.param(
            "The street lamp behind our new bakery flickers at night.",
            ["Who bakes rye, and who pays?"],
            (
                "The street lamp behind our new bakery flickers at night. (Who bakes rye, and who pays?)",
            ),
            id="who tells much asks something new",
        ),
        pytest.param(
            "返品は何日以内にできますか？", [], ("返品は何日以内にできますか？",), id="Japanese"
        ),
    ],
)
def test_elements(question: str, earlier: list[str], expected: tuple[str, ...]) -> None:
    assert elements_of(question, earlier) == expected
