import json
from typing import Any

import pytest

from ingest.conventions.catalogues import is_schema, read_definitions, read_schema
from ingest.span import ToolDefinition, Value
from tests.ingest.conventions.recordings import made

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"sku": {"type": "string"}}}
STOCK = ToolDefinition(name="stock", description="Look up stock.", parameters=SCHEMA)
TOLD = {"name": "stock", "description": "Look up stock."}


@pytest.mark.parametrize(
    "value",
    [
        pytest.param([{"type": "function", **TOLD, "parameters": SCHEMA}], id="OTel GenAI"),
        pytest.param([{"type": "function", "function": {**TOLD, "parameters": SCHEMA}}], id="OpenAI"),
        pytest.param([{**TOLD, "input_schema": SCHEMA}], id="Anthropic"),
        pytest.param([{"toolSpec": {**TOLD, "inputSchema": {"json": SCHEMA}}}], id="Bedrock"),
        pytest.param([{"function_declarations": [{**TOLD, "parameters": SCHEMA}]}], id="Gemini"),
        pytest.param({"function_tools": [{**TOLD, "parameters_json_schema": SCHEMA}]}, id="Pydantic AI"),
        pytest.param(
            [{"tool": {"json_schema": json.dumps({"function": {**TOLD, "parameters": SCHEMA}})}}],
            id="OpenInference",
        ),
        pytest.param([json.dumps({**TOLD, "parameters": json.dumps(SCHEMA)})], id="JSON in JSON"),
    ],
)  # fmt: skip
def test_one_tool_in_every_shape(value: Any) -> None:
    assert read_definitions(value) == (STOCK,)
    assert read_definitions(json.dumps(value)) == (STOCK,)


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ('["stock", "price"]', ["stock", "price"]),
        ([{"description": "nameless"}, {"name": "stock"}, 7], ["stock"]),
        ([], []),
        ("stock", None),
        (None, None),
    ],
)
def test_names_and_what_is_no_catalogue(value: Value, names: list[str] | None) -> None:
    found = read_definitions(value)
    assert (None if found is None else [tool.name for tool in found]) == names


def test_functions_recorded_one_leaf_per_attribute() -> None:
    span = made(
        {
            "gen_ai.operation.name": "chat",
            "llm.request.functions.0.name": "stock",
            "llm.request.functions.0.description": "Look up stock.",
            "llm.request.functions.0.parameters": json.dumps(SCHEMA),
        }
    )
    assert span.tools_available == (STOCK,)


@pytest.mark.parametrize(
    ("value", "schema"),
    [
        (SCHEMA, True),
        ({"type": "object"}, True),
        ({"sku": {"type": "string"}}, True),
        ({"sku": "A"}, False),
        ({}, False),
        ("object", False),
    ],
)
def test_schemas_are_told_from_arguments(value: Value, *, schema: bool) -> None:
    assert is_schema(read_schema(value)) is schema
