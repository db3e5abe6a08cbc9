"""What an answer of a receiver means."""

import pytest

from analysis.exporting.answers import answer_of
from tests.receiver import partial, status

NOW_S = 1_767_225_600.0
"""2026-01-01T00:00:00Z."""
JSON = {"content-type": "application/json; charset=utf-8"}


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (200, "accepted"), (202, "accepted"), (299, "accepted"), (300, "elsewhere"),
        (301, "elsewhere"), (399, "elsewhere"), (400, "refused"), (401, "unwelcome"),
        (403, "unwelcome"), (404, "refused"), (407, "unwelcome"), (408, "refused"),
        (413, "too_large"), (415, "refused"), (429, "later"), (500, "refused"), (501, "refused"),
        (502, "later"), (503, "later"), (504, "later"), (505, "refused"), (599, "refused"),
    ],
)  # fmt: skip
def test_every_status_has_a_meaning(number: int, kind: str) -> None:
    answer = answer_of(number, {}, b"", NOW_S)
    assert (answer.kind, answer.rejected, answer.message, answer.readable) == (kind, 0, "", True)
    assert answer.may_be_kept is (number in {502, 504})


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        pytest.param(None, None, id="none"),
        pytest.param("0", 0.0, id="zero"),
        pytest.param(" 7 ", 7.0, id="seconds"),
        pytest.param("9" * 5_000, 999_999_999_999.0, id="ages"),
        pytest.param("Thu, 01 Jan 2026 00:00:09 GMT", 9.0, id="date"),
        pytest.param("Thu, 01 Jan 2026 00:00:09 -0000", 9.0, id="date without a zone"),
        pytest.param("Thu, 01 Jan 2026 01:00:09 +0100", 9.0, id="date elsewhere"),
        pytest.param(f"Thu, 01 Jan {'9' * 30} 00:00:09 GMT", None, id="no number of a year"),
        pytest.param("\u0663", None, id="digits of another script"),
        pytest.param("Wed, 31 Dec 2025 23:59:59 GMT", 0.0, id="past"),
        pytest.param("-1", None, id="negative"),
        pytest.param("1.5", None, id="fraction"),
        pytest.param("nan", None, id="nan"),
        pytest.param("soon", None, id="word"),
        pytest.param("Thu, 01 Jan 99999 00:00:09 GMT", None, id="no year"),
        pytest.param("", None, id="empty"),
    ],
)
def test_when_to_come_again(value: str | None, seconds: float | None) -> None:
    headers = {} if value is None else {"retry-after": value}
    assert answer_of(503, headers, b"", NOW_S).retry_after_s == seconds


@pytest.mark.parametrize(
    ("body", "rejected", "message", "readable"),
    [
        pytest.param(b"", 0, "", True, id="nothing"),
        pytest.param(b" ", 0, "", True, id="blank"),
        pytest.param(b"{}", 0, "", True, id="empty"),
        pytest.param(b'{"partialSuccess": {"errorMessage": "cut"}}', 0, "cut", True, id="warning"),
        pytest.param(b'{"partialSuccess": {"rejectedLogRecords": "x"}}', 0, "", False, id="word"),
        pytest.param(b'{"partialSuccess": {"rejected_spans": 1}}', 1, "", True, id="snake spans"),
        pytest.param(b'{"partialSuccess": null}', 0, "", True, id="null"),
        pytest.param(b'{"partialSuccess": {"rejectedLogRecords": "2"}}', 2, "", True, id="text"),
        pytest.param(b'{"partial_success": {"rejected_log_records": 2, "error_message": "q"}}',
                     2, "q", True, id="snake case"),
        pytest.param(b'{"partialSuccess": {"rejectedSpans": 1}}', 1, "", True, id="spans"),
        pytest.param(b'{"partialSuccess": {"errorMessage": 7}}', 0, "", True, id="number as text"),
        pytest.param(b'{"partialSuccess": [3]}', 0, "", False, id="list"),
        pytest.param(b'{"partialSuccess": {"rejectedLogRecords": null}}', 0, "", False, id="none"),
        pytest.param(b'{"partialSuccess": {"rejectedLogRecords": 1e999}}', 0, "", False, id="inf"),
        pytest.param(b'{"partialSuccess": {"rejectedLogRecords": -2}}', 0, "", True, id="negative"),
        pytest.param(b"[]", 0, "", False, id="another value"),
        pytest.param(b'{"partialSuccess": {', 0, "", False, id="cut"),
        pytest.param(b"[" * 60_000, 0, "", False, id="deep"),
        pytest.param(b"\xff\xfe", 0, "", False, id="no text"),
    ],
)  # fmt: skip
def test_an_acceptance_in_json(body: bytes, rejected: int, message: str, *, readable: bool) -> None:
    answer = answer_of(200, JSON, body, NOW_S)
    assert (answer.kind, answer.rejected) == ("accepted", rejected)
    assert (answer.message, answer.readable) == (message, readable)


def test_an_acceptance_in_protobuf_or_without_a_type() -> None:
    body = partial(3, "quota").body
    for headers in ({}, {"content-type": "application/x-protobuf"}):
        answer = answer_of(200, headers, body, NOW_S)
        assert (answer.rejected, answer.message, answer.readable) == (3, "quota", True)
        unreadable = answer_of(200, headers, b"\xff" * 9, NOW_S)
        assert (unreadable.kind, unreadable.readable) == ("accepted", False)
    found = answer_of(200, {}, b'{"partialSuccess": {"rejectedLogRecords": 1}}', NOW_S)
    assert found.rejected == 1


@pytest.mark.parametrize(
    ("headers", "body", "reason"),
    [
        pytest.param({"content-type": "application/x-protobuf"}, status(400, "no id").body,
                     "400 Bad Request: no id", id="protobuf"),
        pytest.param({"content-type": "application/x-protobuf"}, b"\xff", "400 Bad Request",
                     id="no protobuf"),
        pytest.param(JSON, b'{"code": 3, "message": "no id"}', "400 Bad Request: no id", id="JSON"),
        pytest.param(JSON, b'{"error": "no id"}', "400 Bad Request: no id", id="JSON, error"),
        pytest.param(JSON, b'{"detail": "no id"}', "400 Bad Request: no id", id="JSON, detail"),
        pytest.param({"content-type": "text/plain"}, b"no \xff id", "400 Bad Request: no \ufffd id",
                     id="text in no encoding"),
        pytest.param(JSON, b'{"error": {"message": "no id"}}', "400 Bad Request: no id",
                     id="JSON, error within"),
        pytest.param(JSON, b"[1]", "400 Bad Request", id="JSON, another value"),
        pytest.param(JSON, b'{"message": ["x"]}', "400 Bad Request", id="JSON, no text"),
        pytest.param({"content-type": "text/plain"}, b"no\x1b id\n",
                     "400 Bad Request: no\ufffd id", id="text"),
        pytest.param({"content-type": "text/html"}, b"<html>", "400 Bad Request", id="page"),
        pytest.param({}, b"no id", "400 Bad Request", id="no type"),
    ],
)  # fmt: skip
def test_why_a_request_was_refused(headers: dict[str, str], body: bytes, reason: str) -> None:
    assert answer_of(400, headers, body, NOW_S).reason == reason


def test_a_message_is_bounded_and_on_one_line() -> None:
    told = answer_of(200, {}, partial(1, "a\n" * 10_000).body, NOW_S).message
    assert len(told) <= 200
    assert "\n" not in told
    assert answer_of(200, {}, partial(1, "x" * 201).body, NOW_S).message == "x" * 199 + "…"
    assert answer_of(200, {}, partial(1, "x" * 200).body, NOW_S).message == "x" * 200


def test_a_page_for_people_is_no_acceptance() -> None:
    assert answer_of(200, {"content-type": "text/HTML"}, b"", NOW_S).kind == "stranger"


def test_a_status_that_nobody_knows_is_told_by_its_number() -> None:
    assert answer_of(599, {}, b"", NOW_S).reason == "599"
