import pytest

from ingest.span import ToolResponse, Value
from stages.tool_results import error_text, found_nothing, status_of


@pytest.mark.parametrize(
    ("result", "empty"),
    [
        pytest.param(None, True, id="null"),
        pytest.param("", True, id="empty text"),
        pytest.param("  \n", True, id="blank text"),
        pytest.param([], True, id="empty list"),
        pytest.param({}, True, id="empty object"),
        pytest.param("[]", True, id="empty list as text"),
        pytest.param("null", True, id="null as text"),
        pytest.param({"results": []}, True, id="results without any"),
        pytest.param('{"results": []}', True, id="the same as text"),
        pytest.param({"documents": [], "count": 0, "query": "x"}, True, id="with a count"),
        pytest.param({"found": False, "order": None}, True, id="a flag says so"),
        pytest.param({"result": None}, True, id="a wrapper around nothing"),
        pytest.param(
            {"content": [{"type": "text", "text": "No documents found."}], "isError": False},
            True,
            id="a tool server that says so in words",
        ),
        pytest.param([{"type": "text", "text": "[]"}], True, id="blocks around nothing"),
        pytest.param("No results found.", True, id="in words"),
        pytest.param("There is no matching record", True, id="in more words"),
        pytest.param("not found", True, id="not found"),
        pytest.param("0", False, id="a zero is a result"),
        pytest.param(0, False, id="a number zero is a result"),
        pytest.param(False, False, id="false is a result"),
        pytest.param("no", False, id="no is an answer"),
        pytest.param({"stock": 0}, False, id="none in stock is a result"),
        pytest.param({"order": 7, "items": []}, False, id="an order without items is an order"),
        pytest.param([{"type": "text", "text": "7 left"}], False, id="a text block"),
        pytest.param([0], False, id="a list of one zero"),
        pytest.param("No returns are accepted after 30 days.", False, id="a policy"),
    ],
)
def test_empty_means_worked_and_found_nothing(result: Value, empty: object) -> None:
    assert found_nothing(result) is empty


@pytest.mark.parametrize(
    ("result", "is_error", "captured", "status"),
    [
        pytest.param("7 left", False, True, "ok", id="a result"),
        pytest.param([], False, True, "empty", id="nothing found"),
        pytest.param(None, True, False, "error", id="an error needs no result"),
        pytest.param(None, False, False, "unknown", id="not captured"),
        pytest.param("Error: timeout", False, True, "error", id="an error as text"),
        pytest.param("Errors are rare.", False, True, "ok", id="a text about errors"),
        pytest.param({"isError": True}, False, True, "error", id="a tool server's error"),
    ],
)
def test_status(result: Value, is_error: object, captured: object, status: str) -> None:
    assert status_of(result, is_error=bool(is_error), captured=bool(captured)) == status


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        pytest.param(ToolResponse(call_id="c", name=None, result="7"), None, id="no error"),
        pytest.param(
            ToolResponse(call_id="c", name=None, result="Error: down"), "Error: down", id="text"
        ),
        pytest.param(
            ToolResponse(
                call_id="c",
                name=None,
                result={"isError": True, "content": [{"type": "text", "text": "down"}]},
            ),
            "down",
            id="in blocks",
        ),
        pytest.param(
            ToolResponse(call_id="c", name=None, result=None, is_error=True), "error", id="no words"
        ),
    ],
)
def test_the_error_of_a_result_in_messages(response: ToolResponse, expected: str | None) -> None:
    assert error_text(response) == expected
