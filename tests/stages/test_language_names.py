"""Whether a text names a language."""

import pytest

from stages.language_names import names_language


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param("Now in German, please.", "de", id="English"),
        pytest.param("BITTE INS FRANZÖSISCHE ÜBERSETZEN", "fr", id="inflected, in capitals"),
        pytest.param("Et maintenant en espagnol ?", "es", id="French"),
        pytest.param("Tradúcelo al alemán.", "de", id="with an accent"),
        pytest.param("Traduci in tedesco", "de", id="Italian"),
        pytest.param("Переведи на английский", "en", id="Russian"),
        pytest.param("これを英語にしてください", "en", id="no spaces"),
        pytest.param("독일어로 번역해 줘", "de", id="Korean, with a particle"),
        pytest.param("ترجم إلى الألمانية", "de", id="Arabic, with an article"),
    ],
)
def test_a_language_is_named(text: str, code: str) -> None:
    assert names_language(text, code) is True


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param("Now in German, please.", "fr", id="another one"),
        pytest.param("Translate this.", "de", id="none"),
        pytest.param("The Ungerman way", "de", id="inside of a word"),
        pytest.param("", "de", id="nothing"),
    ],
)
def test_a_language_is_not_named(text: str, code: str) -> None:
    assert names_language(text, code) is False


def test_of_a_language_without_known_names_nothing_is_known() -> None:
    assert names_language("Now in Zulu, please.", "zu") is None
