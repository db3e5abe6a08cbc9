import pytest

from analysis.attribution.queries import carries, was_searched


@pytest.mark.parametrize(
    ("refined", "queries", "searched"),
    [
        pytest.param("filter RX-200", ["Filter  rx-200"], True, id="case and space"),
        pytest.param("RX-200 filter interval", ["filter interval of the RX 200"], True, id="order"),
        pytest.param(
            "leave Germany and Austria",
            ["leave Germany", "leave Austria"],
            True,
            id="one search per collection",
        ),
        pytest.param("filter of the RX-200", ["filter RX-200"], True, id="short words"),
        pytest.param("filter RX-200", ["filter"], False, id="the model is missing"),
        pytest.param("filter RX-200", ["filter RX-300"], False, id="another model"),
        pytest.param("filter EU", ["filter"], False, id="a short name"),
        pytest.param("filter in 30 days", ["filter in days"], False, id="a number"),
        pytest.param("返品 期限 靴", ["靴の返品期限"], False, id="other words in Japanese"),
        pytest.param("返品の期限", ["返品の期限"], True, id="Japanese"),
        pytest.param("返品期限 靴", ["品期限 靴"], False, id="the beginning in Japanese"),
        pytest.param("Reise für Kinder", ["Reise Kinder"], True, id="a short word in German"),
        pytest.param("leave from home", ["leave home"], False, id="a word of four letters"),
        pytest.param("code e4", ["code"], False, id="a small code"),
        pytest.param("rules §4", ["rules 4"], True, id="a code of two parts"),
        pytest.param("RX-200 filter", ["filter 200"], False, id="half of a code"),
        pytest.param("", ["anything"], True, id="nothing is asked for"),
    ],
)
def test_what_was_searched(refined: str, queries: list[str], *, searched: bool) -> None:
    assert was_searched(refined, queries) is searched


@pytest.mark.parametrize(
    ("text", "constraint", "carried"),
    [
        pytest.param("The RX-200 needs oil.", "RX-200", True, id="as it stands"),
        pytest.param("The RX200 needs oil.", "RX-200", True, id="spelled otherwise"),
        pytest.param("The RX-300 needs oil.", "RX-200", False, id="another model"),
        pytest.param("Belege der Kreditkarte", "Kreditkartenbelege", True, id="a compound"),
        pytest.param("Kreditkartenabrechnung", "Kreditkarte", True, id="in a compound"),
        pytest.param("Für die Karte gilt:", "Kreditkarte", False, id="its end only"),
        pytest.param("refurbished machines", "refurbishing of pumps", False, id="another form"),
        pytest.param("contracts of employees", "employee", True, id="the plural"),
        pytest.param("the same for all", "for the night shift", False, id="little words"),
        pytest.param("people over 75 years", "aged 75", True, id="the number"),
        pytest.param("people over 75 years", "aged 82", False, id="another number"),
        pytest.param("old contracts", "contracts abroad", True, id="one of its words"),
        pytest.param("all about cats", "cat all", False, id="short words"),
        pytest.param("Pumpenraum", "Pumpe links", True, id="five letters begin a compound"),
        pytest.param("Pumpe", "Pumpenraum unten", True, id="a compound that begins so"),
        pytest.param("Handtuch", "Hand links", False, id="four letters begin many words"),
        pytest.param("Hand", "Handtuch unten", False, id="four letters stand alone"),
        pytest.param("靴は30日以内", "靴", True, id="Japanese"),
    ],
)
def test_which_text_carries_a_constraint(text: str, constraint: str, *, carried: bool) -> None:
    assert carries(text, constraint) is carried
