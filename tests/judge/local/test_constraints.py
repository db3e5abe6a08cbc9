import pytest

from judge.local.constraints import conflict, places, places_of_value


@pytest.mark.parametrize(
    ("wanted", "offered", "conflicts"),
    [
        pytest.param("How do I reset the RX-200?", "RX-300: hold the button.", True, id="model"),
        pytest.param("How do I reset the RX-200?", "RX-200 and RX-300: hold.", False, id="both"),
        pytest.param("How do I reset the RX-200?", "Hold the button.", False, id="names none"),
        pytest.param("How do I reset the RX-200?", "Order A-99: shipped.", False, id="other kind"),
        pytest.param("Order 998877?", "order 998878 is late", True, id="order number"),
        pytest.param("What does E4 mean?", "E7: pump", True, id="code"),
        pytest.param("Rules in Germany?", "Rules in the US", True, id="country"),
        pytest.param("Rules in Germany?", "Rules in the EU", False, id="its region"),
        pytest.param("Rules in the EU?", "Rules in France", False, id="a country of the region"),
        pytest.param("Rules in Germany?", "Rules worldwide", False, id="everywhere"),
        pytest.param("tell us the rules", "Rules in the UK", False, id="us is a word"),
        pytest.param("Preise 2023?", "Preise 2022", True, id="year"),
        pytest.param("Preise 2023?", "Preise 2022 bis 2024", False, id="within a range of years"),
        pytest.param("Price of the Premium plan?", "The Basic plan is 5 EUR.", True, id="variant"),
        pytest.param("Kosten im Komfort-Tarif?", "Basis-Tarif: 5 EUR", True, id="German variant"),
        pytest.param("Frist ein Monat vor Ablauf?", "Drei Monate vor Ablauf", False, id="nouns"),
        pytest.param("", "", False, id="empty"),
    ],
)
def test_conflict(wanted: str, offered: str, *, conflicts: bool) -> None:
    assert (conflict(wanted, offered) is not None) is conflicts


def test_a_code_is_a_place_only_as_a_whole_value() -> None:
    assert places_of_value("DE") == {"germany"}
    assert not places("DE")
