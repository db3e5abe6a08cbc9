"""Numbers of a claim against those of a record: each field against what the claim says of it."""

import json

import pytest

from judge.answers import Support
from tests.judge.local.test_support import evidence, judged

PART = {"part": "TK-2040", "in_stock": 37, "price_eur": "19.90", "delivery_days": 2}
VISIT = {"visit": "V-118", "date": "2025-10-21", "time": "09:40", "room": "Kiel 0.08"}


@pytest.mark.parametrize(
    ("record", "claim", "contradicted"),
    [
        pytest.param(PART, "The price of TK-2040 is 19.90 €.", False, id="as recorded"),
        pytest.param(PART, "The price of TK-2040 is 24.90 €.", True, id="another price"),
        pytest.param(PART, "Part TK-2040 has a voltage of 12.", False, id="of no field"),
        pytest.param(
            PART, "Delivery of TK-2040 takes 5 days.", True, id="a unit in the field's name"
        ),
        pytest.param(VISIT, "V-118 is on 21 October at twenty to ten.", False, id="told in words"),
        pytest.param(VISIT, "V-118 is on 22 October at 9:40.", True, id="another date"),
        pytest.param(VISIT, "V-118 is on 21 October at half past nine.", True, id="another time"),
    ],
)
def test_numbers_of_a_record(record: dict[str, object], claim: str, *, contradicted: bool) -> None:
    source = evidence(json.dumps([record]), kind="tool_result", tool="get_record", status="ok")
    answer = judged(claim, source)
    assert isinstance(answer, Support)
    assert (answer.label == "contradicted") is contradicted
