"""Words in order, and the same words in none."""

from itertools import product

import pytest

from judge.local.word_order import WordOrder, breaks

THINGS = ("battery", "motor", "frame", "saddle", "chain", "lamp")
PLACES = ("garage", "cellar", "workshop", "street")
PASSAGES = [
    f"The {thing} of the bike is checked in the {place} after 500 hours of use. "
    f"It must not be left in the {place} over the winter, and a dealer may replace the {thing}."
    for thing, place in product(THINGS, PLACES)
]
ORDER = WordOrder(PASSAGES)
SENTENCE = (
    "The motor of the bike must not be left in the cellar after the winter, and it is checked."
)


def scrambled(text: str) -> str:
    words = text.split()
    return " ".join([*words[1::3], *words[::3], *words[2::3]])


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        pytest.param(SENTENCE, False, id="a sentence"),
        pytest.param(scrambled(SENTENCE), True, id="its words in another order"),
        pytest.param(
            "A dealer may replace the lamp of the bike in the street, and the frame is checked.",
            False,
            id="another sentence",
        ),
        pytest.param(scrambled("The lamp is checked."), False, id="too few words"),
        pytest.param(
            "der des in Motor Fahrrads nach muss Keller dem und geprüft werden Winter nicht ist er",
            False,
            id="a language of which the run has nothing",
        ),
        pytest.param(
            "Policy P-881 (Family Europe) 12 March 2027 until Lot 7, Box 3 and of the Kolibri 5.",
            False,
            id="a record of names and numbers",
        ),
        pytest.param(
            "in the cellar. the motor and The winter left after is", True, id="stops go astray"
        ),
        pytest.param(
            "not: on are the motor. Unfortunately left winter in the after cellar",
            True,
            id="from the middle of one sentence to that of another",
        ),
        pytest.param(
            "the motor is left in the cellar. it must be checked after the winter.",
            False,
            id="no capitals at all",
        ),
        pytest.param(
            "The Motor of the Bike is checked in The Workshop of the dealer after the winter.",
            False,
            id="a title with capitals",
        ),
        pytest.param(
            "Just pop round before lunch and ask whoever sits at our desk by then.",
            False,
            id="a sentence that goes on as no passage does",
        ),
        pytest.param(
            "By 5 p.m. the usual shop in May or on Monday, e.g. from whom you like, or them.",
            False,
            id="stops and capitals inside a sentence that belong there",
        ),
        pytest.param(
            "it is left in the cellar. Ask a dealer", False, id="a careless beginning and end"
        ),
        pytest.param("", False, id="nothing"),
    ],
)
def test_whether_the_order_is_lost(text: str, *, lost: bool) -> None:
    assert ORDER.is_lost(text) is lost


@pytest.mark.parametrize("passages", [[], PASSAGES[:5]], ids=["no passage", "too few"])
def test_a_small_run_tells_nothing(passages: list[str]) -> None:
    assert not WordOrder(passages).is_lost(scrambled(SENTENCE))


def test_a_text_is_told_the_same_each_time_and_whatever_the_order_of_passages() -> None:
    again = WordOrder(reversed(PASSAGES))
    texts = [scrambled(text) for text in PASSAGES]
    assert [ORDER.is_lost(text) for text in texts] == [again.is_lost(text) for text in texts]


def test_german_nouns_make_no_record() -> None:
    things = ("Motor", "Rahmen", "Sattel", "Akku", "Lenker", "Gepäckträger")
    order = WordOrder(
        f"Der {thing} des Fahrrads wird nach 500 Stunden im Keller geprüft. Er darf über den "
        f"Winter nicht in der Garage stehen, und ein Händler kann den {thing} ersetzen."
        for thing in (*things, *(f"{one}{two}" for one in things for two in ("halter", "schutz")))
    )
    told = "Der Rahmen des Fahrrads darf nicht im Keller stehen und wird nach dem Winter geprüft."
    assert not order.is_lost(told)
    assert order.is_lost(scrambled(told))


@pytest.mark.parametrize(
    "text",
    [
        "Pro Tag sind es zwischen dem 3. und dem 8. Mai jedes Mal einige, und zwar wie sonst auch.",
        "Guten Tag, dazu wollen Sie bitte noch einen Tag vorher gegen Abend vom Betrag abziehen.",
    ],
)
def test_german_ordinals_and_nouns_break_no_sentence(text: str) -> None:
    order = WordOrder(
        f"Das {thing} ist in der Stadt und wird im Mai gebaut." * 9 for thing in THINGS
    )
    assert breaks(text, "de") == 0
    assert not order.is_lost(text)


def test_forms_and_records_teach_no_order() -> None:
    forms = [
        f'{{"Policy Number": "{number}", "Named Insured": "Jane Doe", "Expiration Date": "", '
        f'"Insurance Company": "", "Driver License": "", "Address": "", "Date of Birth": "", '
        f'"Employer Name": "", "Mortgage Company": "", "Vehicle Make": "", "Zip Code": ""}}'
        for number in range(100)
    ]
    assert not WordOrder(forms).is_lost(SENTENCE)
    assert not WordOrder(forms).is_lost(scrambled(SENTENCE))
