"""Which tool a record is looked up with."""

from typing import Any

import pytest

from judge.local.records import can_be_called, families, takers


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


@pytest.mark.parametrize(
    ("required", "known", "able"),
    [
        pytest.param(["claim_no"], ["What can I do against it?"], False, id="no number was said"),
        pytest.param(["claim_no"], ["What can I do?", "C-50177 was refused."], True, id="one was"),
        pytest.param(["month"], ["What is on?"], True, id="it requires no number"),
        pytest.param(None, ["What is on?"], True, id="nothing is required"),
    ],
)
def test_whether_a_tool_can_be_called(
    required: list[str] | None, known: list[str], *, able: bool
) -> None:
    schema = {} if required is None else {"required": required}
    assert can_be_called({"name": "t", "parameters": schema}, known) is able


def test_a_tool_without_a_schema_can_be_called() -> None:
    assert can_be_called(BARE, [])
