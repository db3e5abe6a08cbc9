"""A claim that differs from the cited chunk in one number, unit, date or name.

Each row is a chunk and a claim that says the same with one fact exchanged: the claim is
contradicted, and the same claim with the right fact is supported. A name that differs is
at least not supported: the chunk may be about another thing.
"""

from typing import Any

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


@pytest.mark.parametrize(
    ("chunk", "claim"),
    [
        pytest.param(
            "The film was directed by George Lucas in 1977.",
            "The film was directed by Steven Spielberg in 1977.",
            id="two words",
        ),
        pytest.param(
            "Okafor handles all complaints.", "Lindqvist handles all complaints.", id="who"
        ),
    ],
)
def test_what_another_did_is_not_supported(chunk: str, claim: str) -> None:
    assert label(claim, chunk) in ("contradicted", "none")


@pytest.mark.parametrize(
    ("chunk", "claim"),
    [
        pytest.param(
            "The workshop starts at noon in Bremen.",
            "The workshop begins at noon in Bremen.",
            id="another word for the same",
        ),
        pytest.param(
            "The workshop is in Bremen. The office is in Leipzig.",
            "The office is in Leipzig.",
            id="another name in the sentence before",
        ),
        pytest.param(
            "Der Schlüssel liegt im Schrank am Eingang.",
            "Der Schlüssel liegt im Kasten am Eingang.",
            id="German nouns are no names",
        ),
    ],
)
def test_other_words_are_no_other_names(chunk: str, claim: str) -> None:
    assert label(claim, chunk) in ("full", "partial")


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        pytest.param("Claim C-482 is approved.", "contradicted", id="another state"),
        pytest.param("Ihr Antrag C-482 wurde genehmigt.", "contradicted", id="in German"),
        pytest.param("Claim C-482 is waiting for documents.", "full", id="the state"),
        pytest.param("Claim C-482 is not approved yet.", "not contradicted", id="denied"),
        pytest.param(
            "Once approved, claim C-482 is paid.", "not contradicted", id="under a condition"
        ),
    ],
)
def test_a_record_in_another_state_contradicts(claim: str, expected: str) -> None:
    record = '{"claim_no": "C-482", "status": "waiting for documents"}'
    answer = judged(claim, tool_result(record))
    assert isinstance(answer, Support)
    told = answer.label if answer.label == "contradicted" else "not contradicted"
    assert expected in (answer.label, told)


@pytest.mark.parametrize(
    ("claim", "contradicted"),
    [
        pytest.param("P-77, your Single trip worldwide policy, runs until May 3.", True, id="en"),
        pytest.param("Ihre Polizze P-77 (Single trip) gilt bis zum 3. Mai.", True, id="de"),
        pytest.param("P-77, your Annual Europe policy, runs until May 3.", False, id="the same"),
        pytest.param("P-77 runs until May 3.", False, id="not named"),
    ],
)
def test_a_record_of_another_name_contradicts(claim: str, *, contradicted: bool) -> None:
    record = '{"policy_no": "P-77", "plan": "Annual Europe", "valid_to": "2027-05-03"}'
    answer = judged(claim, tool_result(record))
    assert isinstance(answer, Support)
    assert (answer.label == "contradicted") is contradicted


def tool_result(record: str) -> dict[str, Any]:
    return evidence(record, kind="tool_result", tool="get_record", status="ok")


def label(claim: str, chunk: str) -> str:
    answer = judged(claim, evidence(chunk))
    return answer.label if isinstance(answer, Support) else answer.reason
