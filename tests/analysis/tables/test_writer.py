import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from analysis.attribution import attribute
from analysis.tables import writer
from analysis.tables.run_info import RunInfo, read_run_info
from analysis.tables.schemas import SCHEMAS, TABLES
from analysis.tables.turn_rows import Row
from analysis.tables.writer import RunWriter
from ingest.errors import StoreError
from ingest.losses import Loss
from tests import builders as b
from tests.analysis.attribution.scenes import hit, scene, search

INFO = RunInfo(schema_version=1, run_id="r-1", created="2026-01-01T00:00:00Z")


def loss(number: int) -> Loss:
    return Loss(outcome="rejected", reason="bad", file="a.jsonl", offset=number)


def write(folder: Path) -> Path:
    judged = scene(searches=[search(b.chunk("m-1"))], probes=[hit()])
    with RunWriter(folder) as run:
        run.add_conversation((judged,), attribute((judged,)), [hit().verdict], {})
        run.add_losses(loss(number) for number in range(3))
        return run.close(INFO)


def test_a_run_comes_back_as_it_was_written(tmp_path: Path) -> None:
    folder = write(tmp_path / "runs" / "r-1")
    assert read_run_info(folder) == INFO
    assert {path.name for path in folder.iterdir()} == {
        "run.json",
        *(f"{name}.parquet" for name in TABLES),
    }
    for name in TABLES:
        table = pq.read_table(folder / f"{name}.parquet")
        assert table.schema.equals(SCHEMAS[name], check_metadata=True), name
    turns = pq.read_table(folder / "turns.parquet").to_pylist()
    assert [row["turn_id"] for row in turns] == ["c-1/1"]
    assert str(turns[0]["started_at"]) == "2026-01-01 00:01:00+00:00"
    assert pq.read_table(folder / "losses.parquet").column("offset").to_pylist() == [0, 1, 2]
    assert pq.read_table(folder / "spans.parquet").num_rows == 0


def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    first, second = write(tmp_path / "a"), write(tmp_path / "b")
    for path in sorted(first.iterdir()):
        assert path.read_bytes() == (second / path.name).read_bytes(), path.name


def test_rows_are_written_in_groups(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "GROUP_ROWS", 2)
    folder = write(tmp_path / "r-1")
    assert pq.ParquetFile(folder / "losses.parquet").num_row_groups == 2


def test_long_texts_fill_a_group_before_many_rows_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "GROUP_CHARACTERS", 10)
    folder = write(tmp_path / "r-1")
    assert pq.ParquetFile(folder / "losses.parquet").num_row_groups == 3


def test_half_a_character_does_not_stop_a_run(tmp_path: Path) -> None:
    row: Row = {"outcome": "rejected", "reason": "a\ud83d", "file": "ok"}
    with RunWriter(tmp_path / "r-1") as run:
        run.add({"losses": [row]})
        folder = run.close(INFO)
    (read,) = pq.read_table(folder / "losses.parquet").to_pylist()
    assert (read["reason"], read["file"]) == ("a\ufffd", "ok")


def test_a_run_that_is_not_closed_leaves_nothing(tmp_path: Path) -> None:
    with RunWriter(tmp_path / "r-1") as run:
        run.add_losses([loss(1)])
    assert list(tmp_path.iterdir()) == []


def test_while_it_is_written_no_reader_sees_it(tmp_path: Path) -> None:
    with RunWriter(tmp_path / "r-1"):
        (part,) = tmp_path.iterdir()
        assert part.name.startswith(".")
        assert not (part / "run.json").exists()


def test_an_existing_folder_is_never_touched(tmp_path: Path) -> None:
    folder = write(tmp_path / "r-1")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(StoreError, match=r"r-1: exists already\. Choose another run id\."):
        RunWriter(folder)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("name", ["fsync", "rename"])
@pytest.mark.parametrize("nth", [1, 2, 8, 12, 13, 14])
def test_a_failing_disk_leaves_all_or_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, nth: int
) -> None:
    calls = iter(range(1, 1_000))
    real = getattr(os, name)

    def failing(*args: Any, **kwargs: Any) -> Any:
        if next(calls) == nth:
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(*args, **kwargs)

    monkeypatch.setattr(os, name, failing)
    target = tmp_path / "r-1"
    if name == "rename" and nth > 1:
        assert write(target) == target
        return
    with pytest.raises(StoreError, match=r"cannot be written \(No space left on device\)"):
        write(target)
    left = list(tmp_path.iterdir())
    assert left == [] or (left == [target] and read_run_info(target) == INFO)


def test_a_full_disk_in_the_middle_of_a_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "GROUP_ROWS", 1)

    def rows() -> Iterator[Row]:
        yield {"outcome": "rejected"}
        raise OSError(errno.ENOSPC, "No space left on device")

    run = RunWriter(tmp_path / "r-1")
    with pytest.raises(StoreError, match="Free space"):
        run.add({"losses": rows()})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param("{", "is damaged", id="cut"),
        pytest.param("[" * 100_000, "is damaged", id="too deep"),
        pytest.param("[]", "is no run", id="no object"),
        pytest.param('{"schema_version": 1}', "is no run", id="no id"),
        pytest.param(
            '{"schema_version": 99, "run_id": "r"}', "schema version 99", id="of a later version"
        ),
    ],
)
def test_a_run_json_that_cannot_be_used(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "run.json").write_text(content)
    with pytest.raises(StoreError, match=message):
        read_run_info(tmp_path)


def test_a_missing_run_json(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be read"):
        read_run_info(tmp_path)
