"""Objects that ask for more than a record may: stopped soon, with a reason."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from tests.ingest.formats.test_flat_spans import span
from tests.ingest.formats.test_langsmith import run
from tests.ingest.outcome import read_bytes

DEEP = 100_000


def with_attributes(raw: str) -> bytes:
    return json.dumps(span(attributes="@")).replace('"@"', raw).encode()


def nested_runs(depth: int) -> dict[str, Any]:
    made = run(id="f")
    for number in range(depth):
        made = run(id=f"f{number}", child_runs=[made])
    return made


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        pytest.param(with_attributes('{"a":' * 70 + "1" + "}" * 70), "too_deep", id="deep"),
        pytest.param(
            with_attributes('{"a":' * DEEP + "1" + "}" * DEEP), "too_deep", id="very deep"
        ),
        pytest.param(with_attributes("[" * DEEP + "]" * DEEP), "too_deep", id="deep lists"),
        pytest.param(
            with_attributes("{" + ",".join(f'"k{n}":1' for n in range(10**6)) + "}"),
            "too_many_attributes",
            id="a million attributes",
        ),
        pytest.param(
            with_attributes(json.dumps('{"a":' * DEEP + "1" + "}" * DEEP)),
            "bad_attribute",
            id="depth in a text",
        ),
        pytest.param(b'{"trace_id": "' + b"\\" * (10**6 + 1) + b'"}', "invalid_json", id="escapes"),
        pytest.param(
            b'{"trace_id": ' + b"1" * 10**6 + b', "span_id": 1}', "unknown_record", id="digits"
        ),
    ],
)
@pytest.mark.parametrize("separator", [b"\n", b",\n"], ids=["lines", "a list"])
def test_one_of_them_costs_itself(
    bad: bytes, reason: str, separator: bytes, tmp_path: Path
) -> None:
    good = json.dumps(span()).encode()
    text = separator.join([good, bad, good])
    start = time.process_time()
    found = read_bytes(tmp_path, text if separator == b"\n" else b"[" + text + b"]")
    assert time.process_time() - start < 8
    assert (len(found.spans) - (reason == "bad_attribute"), found.reasons) == (2, [reason])


def test_runs_inside_of_runs_are_read_one_by_one(tmp_path: Path) -> None:
    start = time.process_time()
    found = read_bytes(tmp_path, json.dumps(nested_runs(200)).encode())
    assert time.process_time() - start < 8
    assert (len(found.spans), found.losses) == (201, [])


def test_ids_of_any_length_are_bounded(tmp_path: Path) -> None:
    records = [span(span_id="s" * 200), span(trace_id=10**60), span(span_id=2**64)]
    found = read_bytes(tmp_path, json.dumps(records).encode())
    assert found.reasons == ["bad_span_id"]
    assert [(made.trace_id[:8], made.span_id[:8]) for made in found.spans] == [
        ("10000000", "771ce4dc"),
        ("97847cb3", "10000000"),
    ]
