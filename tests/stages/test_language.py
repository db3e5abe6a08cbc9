import pytest

from stages.language import detect


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("How long may I return shoes?", "en", id="English"),
        pytest.param("Wo ist meine Bestellung?", "de", id="German"),
        pytest.param("¿Cuánto tiempo tengo para devolver los zapatos?", "es", id="Spanish"),
        pytest.param("Combien de temps ai-je pour rendre les chaussures ?", "fr", id="French"),
        pytest.param("靴の返品は何日以内にできますか？", "ja", id="Japanese"),
        pytest.param("كم يوما لدي لإرجاع الحذاء؟", "ar", id="Arabic"),
        pytest.param("Сколько дней у меня есть на возврат обуви?", "ru", id="Russian"),
        pytest.param("", None, id="nothing"),
        pytest.param("hi", None, id="too short"),
        pytest.param("Danke!", None, id="one word that several languages have"),
        pytest.param("RX-200", None, id="a product code"),
        pytest.param("12345 67,89 %", None, id="numbers"),
        pytest.param("```\nfor item in items: return item\n```", None, id="code"),
        pytest.param("https://example.org/how/long/may/i/return", None, id="an address"),
        pytest.param('"How long may I return the shoes?"', None, id="a quotation"),
        pytest.param(
            'Was bedeutet "How long may I return the shoes?" in Ihrer Mail?', "de", id="quoting"
        ),
        pytest.param(
            "Die Rückgabe dauert dreißig Tage [hr-001]. Siehe `return_window`.", "de", id="marked"
        ),
    ],
)
def test_only_a_certain_language_has_a_code(text: str, expected: str | None) -> None:
    assert detect(text) == expected


def test_a_long_text_is_read_at_its_start() -> None:
    assert detect("How long may I return the shoes that I bought? " * 20_000) == "en"


@pytest.mark.parametrize("text", ["`" * 200_000, '"' * 200_000, "[" * 200_000, "```" * 70_000])
def test_hostile_texts_are_read_in_linear_time(text: str) -> None:
    assert detect(text) is None
