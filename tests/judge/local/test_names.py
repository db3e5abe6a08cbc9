import pytest

from judge.local.names import names
from judge.local.text import term


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Refunds go to Martha Klein.", {"martha", "klein"}, id="inside a sentence"),
        pytest.param("Martha pays. Peter does not.", set(), id="first words tell nothing"),
        pytest.param("They ask “Peter” and (Martha).", {"peter", "martha"}, id="after marks"),
        pytest.param("Das ist die Karte der Kundin.", set(), id="German nouns"),
        pytest.param("カードは使えます。", set(), id="no capitals"),
        pytest.param("He lives in BX-300 and in 2024.", set(), id="identifiers are compared apart"),
        pytest.param("Она живёт в Москве.", {"москве"}, id="Cyrillic"),
        pytest.param("", set(), id="empty"),
    ],
)
def test_names(text: str, expected: set[str]) -> None:
    assert names(text) == {term(word) for word in expected}
