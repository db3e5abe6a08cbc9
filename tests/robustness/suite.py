"""Every accident to every document, and one bad record among many good ones."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from ingest import read_spans
from tests.robustness.corpus import Document, array, binary, documents, framed, lines
from tests.robustness.mutators import MUTATORS
from tests.robustness.outcome import HangError, check, within


@dataclass(frozen=True, kw_only=True)
class Case:
    """One accident to one document; the seed decides where."""

    document: str
    mutator: str
    seed: int

    def __str__(self) -> str:
        return f"{self.document} / {self.mutator} / {self.seed}"


def cases(seeds: Iterable[int]) -> Iterator[Case]:
    """Yield every document under every mutator, once per seed."""
    for seed in seeds:
        for document in documents():
            for mutator in MUTATORS:
                yield Case(document=document.name, mutator=mutator, seed=seed)


def run(case: Case, folder: Path) -> str | None:
    """Return what went wrong, None when everything held."""
    document = named(case.document)
    damaged = MUTATORS[case.mutator](document, Random(str(case)))
    return trouble(lambda: check(document, damaged, folder))


def trouble(act: Any) -> str | None:
    """Return how *act* failed, in a line; None when it did not."""
    try:
        act()
    except (AssertionError, HangError) as error:
        return f"{error}"
    except Exception as error:  # noqa: BLE001  # an uncaught exception is what is looked for
        return f"{type(error).__name__}: {error}"
    return None


def named(name: str) -> Document:
    """Return a document by its name."""
    return next(document for document in documents() if document.name == name)


# One bad record among many


def good(number: int) -> dict[str, Any]:
    """Return a request of one small span."""
    span = {
        "traceId": f"{number + 1:032x}",
        "spanId": f"{number + 1:016x}",
        "name": "chat",
        "startTimeUnixNano": str(1_767_225_600_000_000_000 + number),
        "endTimeUnixNano": str(1_767_225_600_000_000_009 + number),
        "attributes": [{"key": "question", "value": {"stringValue": f"days off {number}?"}}],
    }
    resource = {"attributes": [{"key": "service.name", "value": {"stringValue": "shop"}}]}
    scope = {"scope": {"name": "test"}, "spans": [span]}
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [scope]}]}


def _frame_of(records: Sequence[Any]) -> bytes:
    return framed([binary(record) for record in records])


SEPARATED = {
    "lines": (lines, b"\n", b"", b""),
    "array": (lambda records: array(records)[1:-1], b",\n", b"[", b"]"),
    "framed protobuf": (_frame_of, b"", b"", b""),
}
"""How a record is written, what stands between two, and what around all of them."""


def one_bad_record(form: str, mutator: str, seed: int, number: int, folder: Path) -> str | None:
    """Damage the record in the middle of *number*; return what else that cost."""
    write, between, head, tail = SEPARATED[form]
    middle = number // 2
    alone = Document(name=form, records=(good(middle), good(number)), write=write)
    alone = replace(alone, records=alone.records[:1]) if mutator != "parent_cycle" else alone
    bad = MUTATORS[mutator](alone, Random(f"{mutator} {seed}")).data
    before = [_written(form, n) for n in range(middle)]
    behind = [_written(form, n) for n in range(middle + 1, number)]
    path = folder / "many"
    path.write_bytes(head + between.join([*before, bad.strip(b"\n"), *behind]) + between + tail)
    its_id = f"{middle + 1:016x}"
    told = its_id.encode() in bad or bytes.fromhex(its_id) in bad
    return trouble(lambda: _check_many(path, middle, number, must_be_told=told))


@cache
def _written(form: str, number: int) -> bytes:
    return SEPARATED[form][0]([good(number)]).strip(b"\n")


def _check_many(path: Path, middle: int, number: int, *, must_be_told: bool) -> None:
    reading = read_spans([path])
    with within(10):
        found = {span.span_id for batch in reading for span in batch.spans}
    wanted = {f"{n + 1:016x}" for n in range(number) if n != middle}
    lost = sorted(wanted - found)
    assert not lost, f"{len(lost)} others lost, the first is {lost[0]}"
    told = len(found) == number or reading.counts.read > len(wanted)
    assert told or not must_be_told, "the bad record vanished without a word"
