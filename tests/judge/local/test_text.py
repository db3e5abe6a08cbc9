import pytest

from judge.local.text import bag, clauses, language_by_words, sentences, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("One. Two!", ("One.", "Two!"), id="English"),
        pytest.param("Dr. Smith left. He ran.", ("Dr. Smith left.", "He ran."), id="abbreviation"),
        pytest.param("Am 3. Mai. Dann", ("Am 3. Mai.", "Dann"), id="ordinal"),
        pytest.param(
            "Open to 6 p.m. and later. Or 7 p.m. Come in.",
            ("Open to 6 p.m. and later.", "Or 7 p.m.", "Come in."),
            id="dotted letters",
        ),
        pytest.param("1. Fill it.\n2. Start.", ("1. Fill it.", "2. Start."), id="list"),
        pytest.param(
            "返品できます。返金は5日です。", ("返品できます。", "返金は5日です。"), id="Japanese"
        ),
        pytest.param("كم السعر؟ شكرا", ("كم السعر؟", "شكرا"), id="Arabic"),
        pytest.param("no end", ("no end",), id="no full stop"),
        pytest.param("  \n ", (), id="blank"),
    ],
)
def test_sentences_are_verbatim(text: str, expected: tuple[str, ...]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("refunded", "reimbursement", id="one idea"),
        pytest.param("delivered", "Lieferung", id="one idea in two languages"),
        pytest.param("policies", "policy", id="plural"),
        pytest.param("grinders", "grinder", id="stem"),
        pytest.param("RX-200", "RX 200", id="one identifier in two spellings"),
        pytest.param("المنتج", "منتج", id="Arabic article"),
    ],
)
def test_words_that_meet(one: str, other: str) -> None:
    assert bag(one) & bag(other)


def test_function_words_are_no_terms() -> None:
    assert terms("How long may I return the shoes?") == ("@return", "shoe")


def test_an_identifier_is_one_term() -> None:
    assert terms("the BX-200") == ("bx200",)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        pytest.param("Where is the order?", "en", id="English"),
        pytest.param("Wo ist die Bestellung?", "de", id="German"),
        pytest.param("Où est ma commande ?", "fr", id="French"),
        pytest.param("RX-200", None, id="no function word"),
    ],
)
def test_language_by_function_words(text: str, language: str | None) -> None:
    assert language_by_words(text) == language


def test_clauses_end_at_commas_and_conjunctions() -> None:
    assert clauses("Shoes may be returned, but hats may not.") == (
        "Shoes may be returned,",
        "but hats may not.",
    )
