"""Binary spans that damage turns into something else: lost aloud, never passed over."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.ingest.exports import SPANS, request
from tests.ingest.outcome import read_bytes


def _no_field(data: bytes) -> bytes:
    return data.replace(b"\x0a\x10" + bytes(15), b"\x76\x10" + bytes(15))


def _no_length(data: bytes) -> bytes:
    return data.replace(b"\x0a\x10" + bytes(15), b"\x0a\x7f" + bytes(15))


@pytest.mark.parametrize("damage", [_no_field, _no_length])
def test_spans_damaged_before_their_times_are_lost_aloud(
    damage: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    data = request(1).SerializeToString()
    assert damage(data) != data
    found = read_bytes(tmp_path, damage(data))
    assert found.spans == []
    assert found.reading.counts.rejected == SPANS


def test_a_length_beyond_its_scope_is_lost_aloud(tmp_path: Path) -> None:
    data = request(1).SerializeToString()
    first = data.index(b"\x0a\x10" + bytes(15))  # behind the two bytes of its length
    found = read_bytes(tmp_path, data[: first - 1] + b"\x7f" + data[first:])
    assert found.spans == []
    assert found.reasons == ["invalid_protobuf"]


def test_a_resource_that_swallows_its_records_is_lost_aloud(tmp_path: Path) -> None:
    records = request(1).resource_spans[0].SerializeToString()[30:]
    group = b"\x0a\xff\x7f" + records
    second = b"\x0a" + bytes([len(group) & 0x7F | 0x80, len(group) >> 7]) + group
    found = read_bytes(tmp_path, request(2).SerializeToString() + second)
    assert len(found.spans) == SPANS
    assert found.reasons == ["invalid_protobuf"]


RECORD = b"\x12\x91\x01\x0a\x10" + bytes(15)
"""Field 2 of a scope: the last span of a request, to its trace id."""


@pytest.mark.parametrize("field", [1, 3, 4], ids=["a scope", "an address", "unknown"])
def test_a_span_under_the_number_of_another_field(field: int, tmp_path: Path) -> None:
    data = request(1).SerializeToString()
    assert data.count(RECORD) == 1
    damaged = data.replace(RECORD, bytes([field << 3 | 2]) + RECORD[1:])
    found = read_bytes(tmp_path, damaged)
    assert (len(found.spans), found.reading.counts.rejected) == (SPANS - 1, 1)


def test_groups_under_the_number_of_another_field(tmp_path: Path) -> None:
    group = request(1).resource_spans[0]
    scope = group.scope_spans[0].SerializeToString()
    outer = b"\x0a\x02\x0a\x00" + b"%c" + bytes([len(scope) & 0x7F | 0x80, len(scope) >> 7]) + scope
    for field in (1, 3):
        data = outer.replace(b"%c", bytes([field << 3 | 2]))
        size = bytes([len(data) & 0x7F | 0x80, len(data) >> 7])
        found = read_bytes(tmp_path, request(2).SerializeToString() + b"\x0a" + size + data)
        assert (len(found.spans), found.reading.counts.rejected) == (SPANS, 1)


def test_an_address_is_none_of_these(tmp_path: Path) -> None:
    told = request(1)
    told.resource_spans[0].schema_url = "https://opentelemetry.io/schemas/1.37.0"
    told.resource_spans[0].scope_spans[0].schema_url = "https://opentelemetry.io/schemas/1.37.0"
    found = read_bytes(tmp_path, told.SerializeToString())
    assert (len(found.spans), found.losses) == (SPANS, [])
