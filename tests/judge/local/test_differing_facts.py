"""A claim that differs from the cited chunk in one number, unit, date or name.

Each row is a chunk and a claim that says the same with one fact exchanged: the claim is
contradicted, and the same claim with the right fact is supported. A name that differs is
at least not supported: the chunk may be about another thing.
"""

import pytest

from judge.answers import Support
from tests.judge.local.test_support import evidence, judged

ROWS = [
    pytest.param(
        "The tank holds 12 litres and lasts for two days.",
        "The tank holds {} and lasts for two days.",
        ("12 litres", "15 litres"),
        id="en number",
    ),
    pytest.param(
        "Deliveries take 3 days within the country.",
        "Within the country, deliveries take {}.",
        ("3 days", "3 weeks"),
        id="en unit",
    ),
    pytest.param(
        "The annual fee is 49 euros.",
        "The annual fee is {}.",
        ("€49", "$49"),
        id="en currency",
    ),
    pytest.param(
        "The offer ends on 3 May 2025.",
        "The offer ends on {}.",
        ("May 3, 2025", "May 13, 2025"),
        id="en date",
    ),
    pytest.param(
        "Der Tank fasst 12 Liter und reicht zwei Tage.",
        "Der Tank fasst {} und reicht zwei Tage.",
        ("12 Liter", "15 Liter"),
        id="de number",
    ),
    pytest.param(
        "Die Lieferung dauert 3 Tage.",
        "Die Lieferung dauert {}.",
        ("3 Tage", "3 Wochen"),
        id="de unit",
    ),
    pytest.param(
        "Das Angebot endet am 3. Mai 2025.",
        "Das Angebot endet am {}.",
        ("3. Mai 2025", "13. Mai 2025"),
        id="de date",
    ),
    pytest.param(
        "Le réservoir contient 12 litres et suffit pour deux jours.",
        "Le réservoir contient {} et suffit pour deux jours.",
        ("12 litres", "15 litres"),
        id="fr number",
    ),
    pytest.param(
        "L'offre se termine le 3 mai 2025.",
        "L'offre se termine le {}.",
        ("3 mai 2025", "13 mai 2025"),
        id="fr date",
    ),
    pytest.param(
        "El depósito tiene 12 litros y dura dos días.",
        "El depósito tiene {} y dura dos días.",
        ("12 litros", "15 litros"),
        id="es number",
    ),
    pytest.param(
        "La oferta termina el 3 de mayo de 2025.",
        "La oferta termina el {}.",
        ("3 de mayo de 2025", "13 de mayo de 2025"),
        id="es date",
    ),
    pytest.param(
        "Il serbatoio contiene 12 litri e dura due giorni.",
        "Il serbatoio contiene {} e dura due giorni.",
        ("12 litri", "15 litri"),
        id="it number",
    ),
    pytest.param(
        "O depósito tem 12 litros e dura dois dias.",
        "O depósito tem {} e dura dois dias.",
        ("12 litros", "15 litros"),
        id="pt number",
    ),
    pytest.param(
        "De tank bevat 12 liter en gaat twee dagen mee.",
        "De tank bevat {} en gaat twee dagen mee.",
        ("12 liter", "15 liter"),
        id="nl number",
    ),
    pytest.param(
        "タンクの容量は12リットルで、2日間使えます。",
        "タンクの容量は{}で、2日間使えます。",
        ("12リットル", "15リットル"),
        id="ja number",
    ),
    pytest.param(
        "キャンペーンは2025年5月3日に終わります。",
        "キャンペーンは{}に終わります。",
        ("2025年5月3日", "2025年5月13日"),
        id="ja date",
    ),
    pytest.param(
        "水箱容量为12升，可以使用两天。",
        "水箱容量为{}，可以使用两天。",
        ("12升", "15升"),
        id="zh number",
    ),
    pytest.param(
        "يتسع الخزان لـ 12 لترا ويكفي يومين.",
        "يتسع الخزان لـ {} ويكفي يومين.",
        ("12 لترا", "15 لترا"),
        id="ar number",
    ),
]


@pytest.mark.parametrize(("chunk", "claim", "facts"), ROWS)
def test_another_number_unit_or_date_contradicts(
    chunk: str, claim: str, facts: tuple[str, str]
) -> None:
    right, other = facts
    assert label(claim.format(other), chunk) == "contradicted"
    assert label(claim.format(right), chunk) == "full"


@pytest.mark.xfail(reason="a name that differs weighs like any other word", strict=True)
@pytest.mark.parametrize(
    ("chunk", "claim", "names"),
    [
        pytest.param(
            "Complaints are handled by Ms Okafor.",
            "Complaints are handled by {}.",
            ("Ms Okafor", "Ms Lindqvist"),
            id="en person",
        ),
        pytest.param(
            "The workshop is in Bremen, next to the station.",
            "The workshop is in {}, next to the station.",
            ("Bremen", "Leipzig"),
            id="en place",
        ),
        pytest.param(
            "Beschwerden bearbeitet Frau Okafor.",
            "Beschwerden bearbeitet {}.",
            ("Frau Okafor", "Frau Lindqvist"),
            id="de person",
        ),
        pytest.param(
            "Les réclamations sont traitées par Mme Okafor.",
            "Les réclamations sont traitées par {}.",
            ("Mme Okafor", "Mme Lindqvist"),
            id="fr person",
        ),
        pytest.param(
            "ワークショップは京都にあります。",
            "ワークショップは{}にあります。",
            ("京都", "札幌"),
            id="ja place",
        ),
        pytest.param(
            "الورشة في القاهرة بجانب المحطة.",
            "الورشة في {} بجانب المحطة.",
            ("القاهرة", "الرباط"),
            id="ar place",
        ),
    ],
)
def test_another_name_is_not_supported(chunk: str, claim: str, names: tuple[str, str]) -> None:
    right, other = names
    assert label(claim.format(other), chunk) in ("contradicted", "none")
    assert label(claim.format(right), chunk) == "full"


def label(claim: str, chunk: str) -> str:
    answer = judged(claim, evidence(chunk))
    return answer.label if isinstance(answer, Support) else answer.reason
