"""What fuzzing found, and what it begins with: every target takes all of it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.robustness.fuzz import TARGETS, seeds

FOUND: dict[str, list[bytes]] = {
    "lines": [b"", b"[", b'{"resourceSpans":[{}]}', b'{"resourceSpans":' + b"[" * 2_000],
    "protobuf": [b"", b"\x0a", b"\x0a\xff\xff\xff\xff\x07", b"\x0a\x80" * 40],
    "compression": [
        b"",
        b"\x28\xb5\x2f\xfd",
        b"\x28\xb5\x2f\xfd\x00\xa8" + bytes(8),
        b"\x1f\x8b\x08\x00" + bytes(6),
        b"\x50\x2a\x4d\x18\xff\xff\xff\xff",
        b"\x00\x00\x00\x05{",
    ],
    "citations": [b"", b"[" * 500, b"[1-99999999999999999999]", b"\xff[1]\xfe", b"[\xe2\x80\xae1]"],
}
"""Small inputs that were trouble, or are the edge of it."""


@pytest.mark.parametrize(
    ("target", "data"), [(target, data) for target, found in FOUND.items() for data in found]
)
def test_what_was_found(target: str, data: bytes) -> None:
    TARGETS[target](data)
    assert data in FOUND[target]


@pytest.mark.parametrize("target", TARGETS)
def test_what_fuzzing_begins_with(target: str) -> None:
    assert seeds(target)
    for data in seeds(target):
        TARGETS[target](data)


@pytest.mark.parametrize("target", TARGETS)
@settings(max_examples=80)
@given(data=st.data())
def test_seeds_with_bytes_changed(target: str, data: st.DataObject) -> None:
    sound = data.draw(st.sampled_from(seeds(target)))
    at = data.draw(st.integers(0, len(sound)))
    piece = data.draw(st.binary(max_size=12))
    over = data.draw(st.integers(0, 12))
    TARGETS[target](sound[:at] + piece + sound[at + over :])
    assert target in TARGETS
