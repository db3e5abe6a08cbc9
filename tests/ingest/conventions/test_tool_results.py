import pytest

from ingest.conventions.tool_results import hidden_error, read_result
from ingest.span import Value


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ("Error: ticket backend returned 503", "Error: ticket backend returned 503"),
        ("  error: timeout\n", "error: timeout"),
        ("ValueError: no such order", "ValueError: no such order"),
        ("botocore.exceptions.ClientError: denied", "botocore.exceptions.ClientError: denied"),
        ("ToolException: denied", "ToolException: denied"),
        ("Error executing tool stock: 503", "Error executing tool stock: 503"),
        ("Traceback (most recent call last):\n  File …", "Traceback (most recent call last):\n  File …"),
        ({"isError": True, "content": [{"type": "text", "text": "no such order"}]}, "no such order"),
        ({"is_error": True}, "error"),
        ({"error": "no such order"}, "no such order"),
        ({"error": {"code": 404, "message": "no such order"}}, "no such order"),
        ({"error": True, "message": "no such order", "data": None}, "no such order"),
        ({"status": "error", "message": "timeout"}, "timeout"),
        ({"response_status": "Error", "message": "ERROR: No data"}, "ERROR: No data"),
        ({"status": "FAILED", "reason": None, "message": "timeout"}, "timeout"),
        ({"success": False, "message": "timeout"}, "timeout"),
        ({"ok": False, "results": []}, "error"),
    ],
)  # fmt: skip
def test_a_failure_that_hides_in_a_result(result: Value, words: str) -> None:
    assert hidden_error(result) == words


@pytest.mark.parametrize(
    "result",
    [
        None,
        "",
        "7 left",
        "The error: see page 3",
        "Errors are listed below.",
        "Terror: a history",
        "Exception: hats cannot be returned.",
        "Error handling is described in chapter 3.",
        [{"id": "p-1", "text": "Error: means that the printer is out of paper."}],
        {"isError": False, "content": [{"type": "text", "text": "7 left"}]},
        {"error": None, "order": 7},
        {"error": "", "message": "shipped"},
        {"error": False},
        {"id": 1, "level": "warn", "error": "disk full"},
        {"order": 7, "status": "error"},
        {"job": "nightly", "status": "failed"},
        {"success": True, "message": "error rate is 0"},
        {},
        {"errors": []},
        7,
        True,
    ],
)
def test_a_result_that_is_one(result: Value) -> None:
    assert hidden_error(result) is None


@pytest.mark.parametrize(
    ("recorded", "result"),
    [
        ([{"type": "text", "text": '{"left": 7}'}], {"left": 7}),
        ([{"text": "7 left"}], "7 left"),
        ([{"text": "a"}, {"text": "b"}], [{"text": "a"}, {"text": "b"}]),
        ({"type": "json", "value": {"left": 7}}, {"left": 7}),
        ([{"id": "p-1", "text": "a"}], [{"id": "p-1", "text": "a"}]),
        ("[]", []),
    ],
)
def test_what_an_api_puts_around_a_result_is_taken_off(recorded: Value, result: Value) -> None:
    assert read_result(recorded).value == result
