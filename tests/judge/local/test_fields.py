"""Claims that read a table or a record in another row, or in another field, than they name."""

import json
from typing import Any

import pytest

from judge.local.evidence import pieces
from judge.local.fields import misread
from tests.judge.local.test_support import evidence

BIKES = """Bikes for hire.

| model | range | deposit |
|---|---|---|
| Heron 3 | 60 km | 80 € |
| Heron 5 | 95 km | 120 € |

Helmets cost 4 € each."""
ACCOUNT = {
    "account": "KD-4471",
    "net_eur": "84.03",
    "vat_eur": "15.97",
    "delivery_address": "Mill Lane 8, 20457 Hamburg",
    "billing_address": "Quay 31, 28195 Bremen",
    "ordered_on": "2025-03-02",
    "delivered_on": "2025-03-09",
}
LOANS = [
    {"title": "The Lighthouse", "due": "2025-04-11"},
    {"title": "Green Rivers", "due": "2025-05-02"},
]


def said_of(claim: str, source: dict[str, Any], question: str = "Please tell me.") -> bool:
    return misread(claim, question, pieces([source])) is not None


@pytest.mark.parametrize(
    ("claim", "expected"),
    [
        pytest.param("The Heron 5 goes 95 km.", False, id="its own row"),
        pytest.param("The Heron 5 goes 60 km.", True, id="another row"),
        pytest.param("The Heron 3 goes 60 km, the Heron 5 95 km.", False, id="two rows, rightly"),
        pytest.param("The Heron 3 goes 95 km, the Heron 5 60 km.", True, id="two rows, exchanged"),
        pytest.param("It goes 60 km.", False, id="no row is named"),
        pytest.param("A helmet for the Heron 5 costs 4 €.", False, id="beside the table"),
        pytest.param("The Heron 5 goes 70 km.", False, id="in no row: nothing was read there"),
    ],
)
def test_rows_of_a_table(claim: str, *, expected: bool) -> None:
    assert said_of(claim, evidence(BIKES)) is expected


def test_the_question_names_the_row() -> None:
    claim, question = "Its deposit is 80 €.", "What do I pay for the Heron 5?"
    assert said_of(claim, evidence(BIKES), question)
    assert not said_of(claim, evidence(BIKES), "What do I pay for the Heron 3?")


@pytest.mark.parametrize(
    ("claim", "question", "expected"),
    [
        pytest.param("The VAT is €15.97.", "", False, id="its own field"),
        pytest.param("The VAT is €84.03.", "", True, id="another amount"),
        pytest.param("Die Mehrwertsteuer beträgt 84,03 €.", "", True, id="in another language"),
        pytest.param("Net, the VAT left out, it is €84.03.", "", False, id="both are named"),
        pytest.param("Without VAT it is €84.03.", "", False, id="what is left out"),
        pytest.param("€84.03 and 15.97 of VAT.", "", False, id="both are given"),
        pytest.param("To Mill Lane 8, 20457 Hamburg.", "Where do bills go?", True, id="asked for"),
        pytest.param(
            "To Quay 31, 28195 Bremen.", "Where do bills go?", False, id="asked and given"
        ),
        pytest.param("It was delivered on 2 March 2025.", "", True, id="another date"),
        pytest.param("It was delivered on 9 March 2025.", "", False, id="its own date"),
        pytest.param("It was ordered on 2 March 2025.", "Delivered?", False, id="a date as named"),
    ],
)
def test_fields_of_a_record(claim: str, question: str, *, expected: bool) -> None:
    record = evidence(json.dumps([ACCOUNT]), kind="tool_result", tool="get_account", title=None)
    assert said_of(claim, record, question or "Please tell me.") is expected


def test_one_of_several_records() -> None:
    loans = evidence(json.dumps(LOANS), kind="tool_result", tool="get_loans", title=None)
    assert said_of("The Lighthouse is due on 2 May 2025.", loans)
    assert not said_of("The Lighthouse is due on 11 April 2025.", loans)
    assert not said_of("Green Rivers is due on 2 May 2025.", loans)
