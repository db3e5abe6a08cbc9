"""Ids, times and enums in every spelling."""

import pytest

from ingest.otlp_fields import (
    SPAN_DIGITS,
    TRACE_DIGITS,
    Enum,
    LowHigh,
    Time,
    UnreadableError,
    kind_name,
    normal_id,
    optional_id,
    span_id,
    status_name,
    time_ns,
    trace_id,
)

TRACE = "5b8efff798038103d269b633813fc60c"
SPAN = "eee19b7ec3c1b174"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(TRACE, TRACE, id="hex"),
        pytest.param(TRACE.upper(), TRACE, id="upper-case hex"),
        pytest.param("W47/95gDgQPSabYzgT/GDA==", TRACE, id="base64"),
        pytest.param("NWI4ZWZmZjc5ODAzODEwM2QyNjliNjMzODEzZmM2MGM=", TRACE, id="base64 of hex"),
        pytest.param("0x" + TRACE, TRACE, id="0x"),
        pytest.param("0xdc2814befffdeb3", "0" * 17 + "dc2814befffdeb3", id="0x, zeros lost"),
        pytest.param(TRACE[1:], "0" + TRACE[1:], id="31 digits"),
        pytest.param("5b8efff7-9803-8103-d269-b633813fc60c", TRACE, id="UUID"),
        pytest.param("live-trace-1", "live-trace-1", id="opaque"),
        pytest.param("1", "1", id="short hex is opaque"),
        pytest.param("g" + TRACE[1:], "g" + TRACE[1:], id="32 digits, one no hex"),
    ],
)
def test_a_trace_id(text: str, expected: str) -> None:
    assert trace_id(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(SPAN, SPAN, id="hex"),
        pytest.param("7uGbfsPBsXQ=", SPAN, id="base64"),
        pytest.param("ZWVlMTliN2VjM2MxYjE3NA==", SPAN, id="base64 of hex, as long as a trace id"),
        pytest.param("0xeee19b7ec3c1b174", SPAN, id="0x"),
        pytest.param("llm-1", "llm-1", id="opaque"),
    ],
)
def test_a_span_id(text: str, expected: str) -> None:
    assert span_id(text) == expected


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param(None, "bad_trace_id", id="absent"),
        pytest.param("", "bad_trace_id", id="empty"),
        pytest.param("two words", "bad_trace_id", id="blank inside"),
        pytest.param("a\x00b", "bad_trace_id", id="control character"),
        pytest.param("é" * 16, "bad_trace_id", id="no ASCII"),
        pytest.param("x" * 129, "bad_trace_id", id="too long"),
        pytest.param("0" * 32, "zero_trace_id", id="zeros"),
        pytest.param("AAAAAAAAAAAAAAAAAAAAAA==", "zero_trace_id", id="zeros in base64"),
    ],
)
def test_no_trace_id(text: str | None, reason: str) -> None:
    with pytest.raises(UnreadableError) as error:
        trace_id(text)
    assert error.value.reason == reason


def test_a_span_id_of_zeros_is_none() -> None:
    with pytest.raises(UnreadableError) as error:
        span_id("0" * 16)
    assert error.value.reason == "zero_span_id"
    assert optional_id("0" * 16, SPAN_DIGITS) is None


@pytest.mark.parametrize("text", ["====", "W47/95gDgQPSabYzgT/GD===", "!!!!!!!!!!!="])
def test_what_only_looks_like_base64_is_opaque(text: str) -> None:
    assert normal_id(text, TRACE_DIGITS) == text


NOW = 1_767_225_600_123_456_789


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param(str(NOW), NOW, id="text"),
        pytest.param(NOW, NOW, id="number beyond 2^53"),
        pytest.param(LowHigh(low=4116040981, high=411464273), NOW, id="halves"),
        pytest.param(LowHigh(low=-178926315, high=411464273), NOW, id="negative low half"),
        pytest.param(1.767225600123456e18, 1_767_225_600_123_456_000, id="double"),
        pytest.param("999", 999, id="soon after the epoch"),
        pytest.param(2**63 - 1, 2**63 - 1, id="the last"),
        pytest.param(None, None, id="absent"),
        pytest.param(0, None, id="zero is nothing"),
        pytest.param("0", None, id="zero as text"),
        pytest.param("", None, id="empty"),
    ],
)
def test_a_time(value: Time, expected: int | None) -> None:
    flags: set[str] = set()
    assert time_ns(value, flags) == expected
    assert flags == set()


@pytest.mark.parametrize(
    "value", ["-5", -5, 2**63, str(2**63), "2026-01-01", "1" * 21, float("nan"), 0.5, "1e18"]
)
def test_no_time_is_unknown_and_flagged(value: Time) -> None:
    flags: set[str] = set()
    assert time_ns(value, flags) is None
    assert flags == {"bad_time"}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "UNSPECIFIED"),
        (0, "UNSPECIFIED"),
        (3, "CLIENT"),
        ("3", "CLIENT"),
        ("SPAN_KIND_SERVER", "SERVER"),
        ("producer", "PRODUCER"),
        (6, "UNSPECIFIED"),
        (-1, "UNSPECIFIED"),
        ("SPAN_KIND_NEW", "UNSPECIFIED"),
    ],
)
def test_a_kind(value: Enum, expected: str) -> None:
    assert kind_name(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [(None, "unset"), (1, "ok"), ("STATUS_CODE_ERROR", "error"), ("Ok", "ok"), (7, "unset")],
)
def test_a_status(value: Enum, expected: str) -> None:
    assert status_name(value) == expected
