"""Which tool a record is looked up with."""

from typing import Any

import pytest

from judge.local.records import families, takers


def tool(name: str, parameter: str, description: str | None = None, **rule: Any) -> dict[str, Any]:
    said = {"type": "string", **({"description": description} if description else {}), **rule}
    return {
        "name": name,
        "description": "",
        "parameters": {"type": "object", "properties": {parameter: said}},
    }


CLAIM = tool("get_claim", "claim_no", "Claim number, C- and five digits")
BIKE = tool("get_bike", "frame_no", "Frame number such as KL5-12345")
ORDER = tool("get_order", "order_id")
EVENTS = tool("list_events", "month", "Month, YYYY-MM")
NESTED = {
    "name": "get_parcel",
    "description": "",
    "parameters": {"properties": {"by": {"properties": {"code": {"examples": ["PX-7781"]}}}}},
}
BARE = {"name": "ping", "description": "", "parameters": None}


@pytest.mark.parametrize(
    ("record", "tools", "taken", "expected"),
    [
        pytest.param(
            "C-50177", [ORDER, CLAIM], {}, ("get_claim",), id="the letters it begins with"
        ),
        pytest.param("KL7-20931", [CLAIM, BIKE], {}, ("get_bike",), id="an example"),
        pytest.param("PX-1234", [CLAIM, NESTED], {}, ("get_parcel",), id="an example, nested"),
        pytest.param(
            "Z-5512", [CLAIM, ORDER], {}, ("get_order",), id="the one that takes any number"
        ),
        pytest.param(
            "Z-5512",
            [CLAIM, ORDER, EVENTS],
            {"get_claim": {"z9"}},
            ("get_claim",),
            id="sent before",
        ),
        pytest.param("Z-5512", [CLAIM, BIKE, EVENTS], {}, (), id="none takes it"),
        pytest.param("Z-5512", [BARE], {}, (), id="a tool without parameters"),
        pytest.param("Z-5512", [], {}, (), id="no tool"),
        pytest.param("the order", [ORDER], {}, (), id="no identifier"),
    ],
)
def test_takers(
    record: str,
    tools: list[dict[str, Any]],
    taken: dict[str, set[str]],
    expected: tuple[str, ...],
) -> None:
    assert takers(record, tools, taken) == expected


def test_families_of_arguments() -> None:
    assert families({"id": "C-50177", "more": ["KL7-20931", 3]}) == {"c9", "kl9"}
    assert families(None) == frozenset()
