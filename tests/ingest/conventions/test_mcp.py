import json
from typing import Any

import pytest

from ingest.span import SpanKind, ToolFact
from tests.ingest.conventions.recordings import made

PARAMS = {"name": "stock", "arguments": {"sku": "A"}}
CONTENT = [{"type": "text", "text": "7 left", "annotations": None}]


@pytest.mark.parametrize(
    "attributes",
    [
        pytest.param(
            {
                "rpc.method": "tools/call",
                "rpc.jsonrpc.version": "2.0",
                "request": {"method": "tools/call", "params": PARAMS},
                "response": {"content": CONTENT, "isError": False, "structuredContent": {"n": 7}},
            },
            id="client",
        ),
        pytest.param(
            {
                "logfire.span_type": "span",
                "request": json.dumps({"method": "tools/call", "params": PARAMS, "id": 2}),
                "response": json.dumps({"content": CONTENT, "isError": False}),
            },
            id="server, which does not name the method apart",
        ),
        pytest.param(
            {
                "mcp.method.name": "tools/call",
                "gen_ai.tool.name": "stock",
                "mcp.request.argument": json.dumps({"sku": "A"}),
                "mcp.response.value": json.dumps({"content": CONTENT}),
            },
            id="under the names of the standard",
        ),
    ],
)
def test_a_call(attributes: dict[str, Any]) -> None:
    span = made(attributes, name="MCP request: tools/call stock")
    assert (span.kind, "mcp" in span.conventions) == (SpanKind.TOOL, True)
    assert span.tool == ToolFact(name="stock", arguments={"sku": "A"}, result="7 left")


def test_a_call_without_content_is_named_by_its_span() -> None:
    span = made({"rpc.method": "tools/call", "rpc.jsonrpc.version": "2.0"}, name="tools/call stock")
    assert (span.tool and span.tool.name, span.content) == ("stock", "not_captured")


def test_a_failed_call() -> None:
    response = {"content": [{"type": "text", "text": "no such sku"}], "isError": True}
    span = made(
        {
            "rpc.method": "tools/call",
            "rpc.jsonrpc.version": "2.0",
            "request": {"params": PARAMS},
            "response": response,
        }
    )
    assert span.tool is not None
    assert (span.tool.is_error, span.tool.error) == (True, "no such sku")


@pytest.mark.parametrize("method", ["tools/list", "initialize", "ping"])
def test_other_traffic_is_no_call(method: str) -> None:
    span = made({"rpc.jsonrpc.version": "2.0", "rpc.method": method, "request": {"method": method}})
    assert (span.kind, span.conventions) == (SpanKind.OTHER, ())
