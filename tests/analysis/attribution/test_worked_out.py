"""Numbers that an answer works out from what it cites."""

from decimal import Decimal

import pytest

from analysis.attribution import attribute
from analysis.attribution.worked_out import numbers
from analysis.judged import JudgedTurn
from judge.answers import SupportLabel
from tests import builders as b
from tests.analysis.attribution import scenes as s
from tests.analysis.attribution import turns as t

PRICES = s.search(
    b.chunk("m-1", "The filter of the RX-200 costs 30 euros."),
    b.chunk("m-2", "Oil: 45 euros, and 17 euros for a small can."),
)


def summing(
    said: str,
    *,
    first: str = "The filter of the RX-200 costs 30 €. [1]",
    second: str = "Oil is 45 €. [2]",
    support: SupportLabel = "full",
    cited: bool = True,
) -> JudgedTurn:
    """Build an answer whose third paragraph cites nothing, where this agent cites."""
    citations = (*t.CITED, b.citation("m-2", "[2]", number=2, paragraph=2))
    return t.good(
        answer=f"{first}\n\n{second}\n\n{said}",
        elements=[s.element("answered", 1, 2, 3)],
        claims=[s.claim(1), s.claim(2), s.claim(3)],
        searches=[PRICES],
        citations=citations if cited else citations[:1],
        grades={"m-1": 3, "m-2": 3},
        pairs={(1, "m-1"): "full", (2, "m-2"): support} if cited else {(1, "m-1"): "full"},
        rest={2: ("full", ("m-1",)), 3: ("full", ("m-1", "m-2"))},
        citing_expected=True,
    )


def _up_to(last: int) -> str:
    return " ".join(map(str, range(1, last + 1))) + " [1]"


OWES = "generation.missing_citation"

SUMS = [
    pytest.param(summing("So oil is 15 € more."), "passed", id="a difference"),
    pytest.param(summing("Together that is 75 €."), "passed", id="a sum"),
    pytest.param(summing("That makes 1,350."), "passed", id="a product"),
    pytest.param(summing("Instead of 30 € you pay 75 €."), "passed", id="beside a given number"),
    pytest.param(summing("The RX-200 saves 15 €."), "passed", id="beside a given name"),
    pytest.param(summing("The RX-300 saves 15 €."), OWES, id="beside another name"),
    pytest.param(summing("So oil is 16 € more."), OWES, id="no result"),
    pytest.param(summing("So oil is 15 € more, and 75 € in all."), "passed", id="two results"),
    pytest.param(summing("15 €, 75 € and 1,350."), "passed", id="all results"),
    pytest.param(summing("So oil is 15 € more, in 3 shops."), OWES, id="beside another number"),
    pytest.param(summing("Oil is 45 €."), OWES, id="a given number only"),
    pytest.param(summing("Oil is dearer."), OWES, id="no number"),
    pytest.param(
        summing("A small can is 17 €.", first="Filters cost 28 €. [1]"), OWES, id="a source says it"
    ),
    pytest.param(
        summing("So oil is 15 € more.", support="partial"), "passed", id="from partial support"
    ),
    pytest.param(summing("So oil is 15 € more.", cited=False), OWES, id="from what is not cited"),
    pytest.param(summing("That is 197.", first=_up_to(100)), "passed", id="from a hundred"),
    pytest.param(summing("That is 197.", first=_up_to(101)), OWES, id="from more than a hundred"),
    pytest.param(
        summing("So 3 more.", first="1,5 [1]", second="4.50 [2]"), "passed", id="decimals"
    ),
]


@pytest.mark.parametrize(("judged", "expected"), SUMS)
def test_what_is_worked_out_owes_no_citation(judged: JudgedTurn, expected: str) -> None:
    assert t.root(attribute([judged])[0]) == expected


def test_numbers_from_a_paragraph_whose_citation_gives_none_are_not_given() -> None:
    roots = {t.root(attribute([summing("So oil is 15 € more.", support="none")])[0])}
    assert roots == {"generation.wrong_citation"}
    judged = summing("So oil is 15 € more.", support="none")
    missing = [
        one.fault for one in attribute([judged])[0].findings if one.fault.kind == "missing_citation"
    ]
    assert [fault.evidence for fault in missing] == [("P3",)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1,500 and 1.500", ["1500"]),
        ("1.234.567,89", ["1234567.89"]),
        ("4.5, 4,50 and 4", ["4.5", "4"]),
        ("15€, $7; (8) 9.", ["15", "7", "8", "9"]),
        ("RX-200, 5-10, 10:30, 1/2, 1.5.2026, 7kg, 4.1234", []),
        ("1234567890 ٣", []),
        ("none", []),
    ],
)
def test_numbers_in_digits(text: str, found: list[str]) -> None:
    assert numbers(text) == {Decimal(one) for one in found}
