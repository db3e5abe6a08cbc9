"""The outcome ledger: every record in exactly one outcome."""

import pytest

from ingest import Loss, RecordCounts, count_losses, settle_losses
from ingest.losses import Outcome


def loss(outcome: Outcome, offset: int = 0, span_id: str | None = None, file: str = "f") -> Loss:
    return Loss(outcome=outcome, reason="word", file=file, offset=offset, span_id=span_id)


@pytest.mark.parametrize(
    ("outcomes", "kept", "expected"),
    [
        pytest.param([], 0, RecordCounts(), id="nothing"),
        pytest.param([], 3, RecordCounts(loaded=3), id="all loaded"),
        pytest.param(["rejected"], 0, RecordCounts(rejected=1), id="none loaded"),
        pytest.param(
            ["repaired", "duplicate", "rejected", "repaired"],
            5,
            RecordCounts(loaded=3, repaired=2, duplicate=1, rejected=1),
            id="some of each",
        ),
    ],
)
def test_counts(outcomes: list[Outcome], kept: int, expected: RecordCounts) -> None:
    counts = count_losses([loss(outcome) for outcome in outcomes], kept)
    assert counts == expected
    assert counts.read == kept + sum(outcome != "repaired" for outcome in outcomes)


def test_counts_of_files_add_up() -> None:
    one = RecordCounts(loaded=1, repaired=2, duplicate=3, rejected=4)
    other = RecordCounts(loaded=10, rejected=20)
    assert (one + other).read == one.read + other.read
    assert one + other == RecordCounts(loaded=11, repaired=2, duplicate=3, rejected=24)


def test_a_repaired_duplicate_is_a_duplicate() -> None:
    read = [loss("repaired", 5, "a"), loss("repaired", 5, "b"), loss("rejected", 5, "a")]
    settled = settle_losses(read, [loss("duplicate", 5, "a")])
    assert [(x.outcome, x.span_id) for x in settled] == [
        ("duplicate", "a"),
        ("rejected", "a"),
        ("repaired", "b"),
    ]


def test_of_two_equal_repaired_spans_one_stays_repaired() -> None:
    read = [loss("repaired", 5, "a"), loss("repaired", 5, "a")]
    settled = settle_losses(read, [loss("duplicate", 5, "a")])
    assert sorted(x.outcome for x in settled) == ["duplicate", "repaired"]


def test_losses_are_in_order_of_place() -> None:
    read = [loss("rejected", 9), loss("rejected", 1), loss("rejected", 5, file="e")]
    assert [(x.file, x.offset) for x in settle_losses(read, [])] == [("e", 5), ("f", 1), ("f", 9)]


@pytest.mark.parametrize(
    ("file", "reason", "place"),
    [
        ("a.jsonl", "bad_json", "a.jsonl, byte 7"),
        ("a.jsonl.GZ", "bad_json", "a.jsonl.GZ, byte 7 after inflating"),
        ("a.pb.zst", "bad_json", "a.pb.zst, byte 7 after inflating"),
        ("a.gz", "unreadable_file", "a.gz"),
    ],
)
def test_a_place_says_which_bytes_it_counts(file: str, reason: str, place: str) -> None:
    lost = Loss(outcome="rejected", reason=reason, file=file, offset=7)
    assert lost.place == place
