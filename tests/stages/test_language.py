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
        pytest.param("Quanto tempo ho per restituire le scarpe?", "it", id="Italian"),
        pytest.param("Quanto tempo tenho para devolver os sapatos?", "pt", id="Portuguese"),
        pytest.param("Hoe lang kan ik de schoenen terugsturen?", "nl", id="Dutch"),
        pytest.param("Ile mam czasu na zwrot butów?", "pl", id="Polish"),
        pytest.param("Ayakkabıları kaç gün içinde iade edebilirim?", "tr", id="Turkish"),
        pytest.param("鞋子在多少天内可以退货？", "zh", id="Chinese"),
        pytest.param("신발은 며칠 이내에 반품할 수 있나요?", "ko", id="Korean"),
        pytest.param("Πόσες μέρες έχω για να επιστρέψω τα παπούτσια;", "el", id="Greek"),
        pytest.param("मैं जूते कितने दिनों में लौटा सकता हूँ?", "hi", id="Hindi"),
        pytest.param("Yes, it is.", None, id="a short reply that may be many things"),
        pytest.param("ᛗᚨᚾᚾᚨᛉ ᛞᚱᛖᚢᛗ", None, id="a script that was never learned"),
        pytest.param("ᓄᓇᕗᑦ ᐃᓄᒃᑎᑐᑦ", None, id="another, alike in its bytes to a learned one"),
        pytest.param("「コーヒー」はいつ届きますか。々", "ja", id="marks that are named after two"),
        pytest.param("OK", None, id="one word of all languages"),
        pytest.param("Ja, das geht.", "de", id="short, of three German words"),
        pytest.param("返品できます。", "ja", id="short, in a script of its own"),
        pytest.param(
            "Das Gerät läuft mit der Firmware `connect retry limit exceeded` nicht.",
            "de",
            id="an error message in code",
        ),
        pytest.param(
            "Die Funktion Smart Home Assistant Pro finden Sie im Menü Device Settings.",
            "de",
            id="English names in a German sentence",
        ),
        pytest.param(
            "Le manuel dit « You must press the reset button twice » à la page suivante.",
            "fr",
            id="an English quotation in a French sentence",
        ),
        pytest.param(
            "Siga estos pasos para reiniciar la impresora:\n\n```\nsudo systemctl restart cups\n"
            "```\n\nDespués vuelva a intentarlo desde el ordenador.",
            "es",
            id="a block of code between Spanish sentences",
        ),
        pytest.param(
            "Vous pouvez rendre les chaussures dans les trente jours. You can return the shoes "
            "within thirty days of delivery.",
            None,
            id="half French, half English",
        ),
        pytest.param(
            "Sie können die Schuhe innerhalb von dreißig Tagen zurückgeben. 靴は到着後三十日以内に"
            "返品できますので、どうぞご安心ください。ご不明な点があればお問い合わせください。",
            None,
            id="German, then Japanese",
        ),
        pytest.param(
            "Die Schuhe können innerhalb von dreißig Tagen zurückgegeben werden. Thank you!",
            "de",
            id="a word of thanks in another language",
        ),
        pytest.param("SAP ERP CRM API", None, id="names in capitals"),
        pytest.param("jo@example.org, www.example.org/de/hilfe", None, id="addresses only"),
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
