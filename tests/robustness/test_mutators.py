"""Accidents to every format: no exception, no hang, no silent loss, neighbours live."""

from pathlib import Path

import pytest

from tests.ingest.outcome import read_bytes
from tests.robustness.corpus import documents
from tests.robustness.mutators import MUTATORS
from tests.robustness.suite import SEPARATED, Case, named, one_bad_record, run

NAMES = [document.name for document in documents()]
LEAST_MUTATORS = 40
OF_RECORDS = 24
"""The last of the mutators; those before damage bytes, and all around them."""


def test_there_are_enough_accidents() -> None:
    assert len(MUTATORS) >= LEAST_MUTATORS
    assert list(MUTATORS).index("other_type") == len(MUTATORS) - OF_RECORDS


@pytest.mark.parametrize("name", NAMES)
def test_a_document_without_damage_is_read_whole(name: str, tmp_path: Path) -> None:
    document = named(name)
    found = read_bytes(tmp_path, document.data)
    assert found.losses == []
    assert len(found.spans) + len(found.logs) >= len(document.records)


@pytest.mark.parametrize("name", NAMES)
def test_accidents(name: str, tmp_path: Path) -> None:
    # Parquet is read by a process of its own, which takes half a second to start.
    step = 11 if "parquet" in name else 3
    some = list(MUTATORS)[NAMES.index(name) % step :: step]
    made = [Case(document=name, mutator=mutator, seed=0) for mutator in some]
    found = {str(case): run(case, tmp_path) for case in made}
    assert {case: trouble for case, trouble in found.items() if trouble} == {}


@pytest.mark.parametrize("form", SEPARATED)
def test_one_bad_record_costs_no_other(form: str, tmp_path: Path) -> None:
    found = {name: one_bad_record(form, name, 0, 40, tmp_path) for name in MUTATORS}
    assert {name: trouble for name, trouble in found.items() if trouble} == {}
