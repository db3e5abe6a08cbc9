import pytest

from judge.local.identifiers import family, identifiers
from judge.local.numbers import Quantity, matched, quantities


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("within 14 days", [("minute", {20160.0})], id="converted to the base unit"),
        pytest.param("two weeks", [("minute", {20160.0})], id="number word before a unit"),
        pytest.param("innerhalb eines Monats", [("month", {1.0})], id="an article in another case"),
        pytest.param("einen Monat", [("month", {1.0})], id="an article before a unit is one"),
        pytest.param("€1,299.00", [("euro", {1299.0})], id="English thousands"),
        pytest.param("1.299,00 EUR", [("euro", {1299.0})], id="German thousands"),
        pytest.param("2.000 €", [("euro", {2.0, 2000.0})], id="ambiguous: both readings"),
        pytest.param("0.5 litres", [("millilitre", {500.0})], id="decimals"),
        pytest.param("30 business days", [("minute", {43200.0})], id="a word between"),
        pytest.param("21 días", [("minute", {30240.0})], id="a unit with an accent"),
        pytest.param("20 dólares", [("dollar", {20.0})], id="a currency with an accent"),
        pytest.param("12,5 %", [("percent", {12.5})], id="percent sign"),
        pytest.param("到着後30日以内", [("minute", {43200.0})], id="no spaces"),
        pytest.param("خلال 30 يوما", [("minute", {43200.0})], id="Arabic unit"),
        pytest.param("at 2 pm", [("clock", {840.0})], id="time of day"),
        pytest.param("um 14:00 Uhr", [("clock", {840.0})], id="time of day with a colon"),
        pytest.param("a quarter of an hour", [("minute", {15.0})], id="a quarter of a unit"),
        pytest.param("eine Dreiviertelstunde", [("minute", {45.0})], id="three quarters, one word"),
        pytest.param("trois quarts d'heure", [("minute", {45.0})], id="three quarters in French"),
        pytest.param("an hour and a quarter", [("minute", {75.0})], id="a quarter behind its unit"),
        pytest.param("a year and a half", [("month", {18.0})], id="a half behind its unit"),
        pytest.param("une heure et demie", [("minute", {90.0})], id="a half behind it in French"),
        pytest.param(
            "two hours and a half-price ticket", [("minute", {120.0})], id="half of something else"
        ),
        pytest.param("half a gram", [("gram", {0.5})], id="half of any unit"),
        pytest.param("anderthalb Jahre", [("month", {18.0})], id="one and a half in one word"),
        pytest.param("a fortnight", [("minute", {20160.0})], id="a fortnight"),
        pytest.param("at twenty to ten", [("clock", {580.0, 1300.0})], id="minutes to an hour"),
        pytest.param("half past six", [("clock", {390.0, 1110.0})], id="half past"),
        pytest.param("bis halb zehn", [("clock", {570.0, 1290.0})], id="German half is before"),
        pytest.param("zehn Uhr abends", [("clock", {1320.0})], id="an hour with its part of a day"),
        pytest.param("at six in the evening", [("clock", {1080.0})], id="an hour in the evening"),
        pytest.param("until noon", [("clock", {720.0})], id="noon"),
        pytest.param(
            "five to ten days", [("minute", {14400.0}), (None, {5.0})], id="a range is no time"
        ),
        pytest.param(
            "from 2 to 6 p.m.", [("clock", {1080.0}), (None, {2.0})], id="a range of hours"
        ),
        pytest.param("4 a year", [(None, {4.0}), ("month", {12.0})], id="so often in a unit"),
        pytest.param("a smart meter", [], id="a thing that is called like a unit"),
        pytest.param("a full gram", [("gram", {1.0})], id="a word between an article and a unit"),
        pytest.param("um zwei Stunden", [("minute", {120.0})], id="a preposition is no number"),
        pytest.param("10 amps", [("ampere", {10.0})], id="no time before noon"),
        pytest.param("press 3 buttons", [(None, {3.0})], id="bare number"),
        pytest.param("RX-200 and order A-1234", [], id="identifiers are no quantities"),
        pytest.param("order 998877", [(None, {998877.0})], id="a long bare number"),
        pytest.param("no number", [], id="none"),
        pytest.param("", [], id="empty"),
    ],
)
def test_quantities(text: str, expected: list[tuple[str | None, set[float]]]) -> None:
    assert [(one.unit, set(one.values)) for one in quantities(text)] == expected


@pytest.mark.parametrize(
    ("text", "date"),
    [
        pytest.param("2024-05-03", (2024, 5, 3), id="ISO"),
        pytest.param("2024-05-03T10:00:00Z", (2024, 5, 3), id="ISO with a time"),
        pytest.param("3 May 2024", (2024, 5, 3), id="day first"),
        pytest.param("May 3rd, 2024", (2024, 5, 3), id="month first"),
        pytest.param("3. Mai", (None, 5, 3), id="German, no year"),
        pytest.param("3 de mayo de 2024", (2024, 5, 3), id="Spanish"),
        pytest.param("5月3日", (None, 5, 3), id="Japanese"),
        pytest.param("03.05.2024", (2024, 5, 3), id="dots"),
        pytest.param("05/25/2024", (2024, 5, 25), id="only month first makes a date"),
        pytest.param("since 2019", (2019, None, None), id="a year"),
    ],
)
def test_dates(text: str, date: tuple[int | None, int | None, int | None]) -> None:
    found, *times = quantities(text)
    assert found.date == date
    assert [time.values for time in times] == ([{600.0}] if "T10:00" in text else [])


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        pytest.param("2 weeks", "14 days", True, id="same span in other units"),
        pytest.param("14 days", "14 hours", False, id="same number, other unit"),
        pytest.param("24.90", "24.90 EUR", True, id="a bare number agrees with any unit"),
        pytest.param("May 3", "2024-05-03", True, id="a date without its year"),
        pytest.param("May 4", "2024-05-03", False, id="another day"),
        pytest.param("2.000 Euro", "€2,000", True, id="thousands in two notations"),
        pytest.param("sechs Monate", "halbjährlich", True, id="a period in one word"),
        pytest.param("3 months", "quarterly", True, id="a quarter is three months"),
        pytest.param("2 months", "quarterly", False, id="another period"),
        pytest.param("at four", "16:00", True, id="an hour without its part of a day"),
        pytest.param("at five", "16:00", False, id="another hour"),
    ],
)
def test_agreement(one: str, other: str, *, expected: bool) -> None:
    (mine,), theirs = quantities(one), quantities(other)
    assert matched(mine, theirs) is expected


def test_how_often_is_no_amount_of_its_own() -> None:
    price, often = quantities("9.50 € a month")
    assert (price.rate, often.rate) == (False, True)
    (alone,) = quantities("after a month")
    assert not alone.rate


def test_only_the_same_kind_of_quantity_is_a_rival() -> None:
    days, hours, euros = (
        Quantity(values=frozenset({1.0}), unit=unit) for unit in ("minute", "minute", "euro")
    )
    assert days.rivals(hours)
    assert not days.rivals(euros)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("the RX-200", {"rx200"}, id="letters and digits"),
        pytest.param("the RX 200 unit", {"rx200"}, id="with a space"),
        pytest.param("EUR 200", set(), id="a currency is no model"),
        pytest.param("error E4", {"e4"}, id="a short code"),
        pytest.param("5G", set(), id="digit first is no code"),
        pytest.param("v2.4.1", {"v241"}, id="a version"),
        pytest.param("order 998877", {"998877"}, id="a long bare number"),
        pytest.param("a 30-day window, 1.8l, 10am", set(), id="measures"),
        pytest.param("on 2024-05-03", set(), id="a date"),
    ],
)
def test_identifiers(text: str, expected: set[str]) -> None:
    assert set(identifiers(text)) == expected


def test_siblings_share_a_family() -> None:
    assert family("rx200") == family("rx300")
    assert family("rx200") != family("bx200")


@pytest.mark.parametrize(
    ("said", "told", "same"),
    [
        pytest.param("473.15", "473.1473", True, id="rounded"),
        pytest.param("473", "473.1473", True, id="rounded to a whole"),
        pytest.param("12.5 %", "12.46 %", True, id="a share, rounded"),
        pytest.param("12.4", "12.46", False, id="rounded wrongly"),
        pytest.param("5", "5.3", False, id="too far for a rounding"),
        pytest.param("1,999", "2,000", False, id="thousands are no decimals"),
        pytest.param("1999", "2000", False, id="two whole numbers"),
    ],
)
def test_a_number_may_be_rounded(said: str, told: str, *, same: bool) -> None:
    (mine,), (theirs,) = quantities(said), quantities(told)
    assert mine.agrees(theirs) is theirs.agrees(mine) is same
