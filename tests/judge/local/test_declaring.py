"""Sentences that declare something unknown, told from those that deny something of the world."""

import pytest

from judge.local.claims import act_of


@pytest.mark.parametrize(
    "text",
    [
        "How the tent is washed isn't in the leaflet I was given.",
        "I've got nothing here on swimming lessons.",
        "The ticket machine's records aren't loading for me right now.",
        "Wie schwer das Zelt ist, verrät mir der Katalog leider nicht.",
        "An die Kursliste komme ich gerade nicht heran.",
        "La brochure ne dit rien sur les cours de natation.",
        "No tengo ningún dato sobre el peso de la tienda.",
        "キャンプ場の料金については資料に見当たりませんでした。",
    ],
)
def test_what_an_answer_does_not_know_is_declared_in_any_words(text: str) -> None:
    assert act_of(text) == "unknown"


@pytest.mark.parametrize(
    "text",
    [
        "The tent may not be washed in a machine.",
        "You can't swim there before June.",
        "The leaflet tells you not to fold the tent while it is wet.",
        "Kinder dürfen nicht allein ins Becken.",
        "Das Zelt ist noch nicht trocken.",
        "Les cours de natation n'ont pas lieu le lundi.",
        "La tienda no pesa más de dos kilos.",
        "テントは洗濯機で洗えません。",
    ],
)
def test_what_is_not_so_is_a_fact(text: str) -> None:
    assert act_of(text) == "fact"
