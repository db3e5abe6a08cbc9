import pytest

from judge.local.answer import needs_sources


@pytest.mark.parametrize(
    "said",
    [
        "Thanks, that clears it up completely.",
        "Danke, dann weiß ich Bescheid!",
        "Herzlichen Dank, so kann ich weiterarbeiten.",
        "Merci, ça m'aide beaucoup.",
        "Grazie, ora ho capito tutto.",
        "Thanks a lot, I'll try it right away",
        "Danke, ich überlege es mir noch.",
        "Obrigado, tudo claro agora.",
    ],
)
def test_thanks_that_say_that_all_is_well_ask_for_nothing(said: str) -> None:
    assert not needs_sources(said)


@pytest.mark.parametrize(
    "said",
    [
        "Thanks, I need a refund for my last order.",
        "Thank you, but the machine still beeps.",
        "Danke, dann stornieren Sie bitte meine Buchung.",
        "Merci, j'ai encore une question sur la garantie.",
        "Gracias, quiero devolver los zapatos.",
        "Danke, ich meinte die kleine.",
        "That clears it up completely.",  # without a courtesy no words of the encoder's tell
    ],
)
def test_thanks_that_go_on_with_a_request_ask_for_something(said: str) -> None:
    assert needs_sources(said)
