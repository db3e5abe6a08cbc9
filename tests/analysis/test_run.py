import json
import os
import pickle
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from analysis.run import Run, list_runs, load_run
from analysis.tables.schemas import SCHEMAS, TABLES
from ingest.errors import StoreError, UsageError
from tests.analysis.runs import turn_row, write_run


def made_at(created: str) -> Any:
    return {"created": created}


def test_every_table_is_a_frame_with_arrow_types(tmp_path: Path) -> None:
    run = Run(write_run(tmp_path, turns=[turn_row("a/1", language=None)]))
    for name in TABLES:
        frame = getattr(run, name)()
        assert isinstance(frame, pd.DataFrame)
        assert list(frame.columns) == SCHEMAS[name].names
        assert all(isinstance(dtype, pd.ArrowDtype) for dtype in frame.dtypes)
    turns = run.turns()
    assert turns.loc[0, "turn_id"] == "a/1"
    assert turns.loc[0, "language"] is pd.NA
    assert turns["duration_ms"].isna().all()
    assert str(turns.loc[0, "started_at"]) == "2026-01-01 00:00:00+00:00"


def test_only_the_columns_asked_for_are_read(tmp_path: Path) -> None:
    run = Run(write_run(tmp_path, turns=[turn_row("a/1")]))
    assert list(run.turns(["outcome", "turn_id"]).columns) == ["outcome", "turn_id"]


def test_rows_of_one_turn(tmp_path: Path) -> None:
    run = Run(write_run(tmp_path, turns=[turn_row("a/1"), turn_row("b/1")]))
    assert run.rows("turns", ["turn_id"], {"turn_id": ["b/1"]}) == [{"turn_id": "b/1"}]
    assert run.rows("turns", ["turn_id"], {"turn_id": []}) == []


def test_a_folder_named_like_a_partition_adds_no_column(tmp_path: Path) -> None:
    run = Run(write_run(tmp_path / "day=1", turns=[turn_row("a/1")]))
    assert list(run.turns().columns) == SCHEMAS["turns"].names


@pytest.mark.parametrize("as_path", [True, False], ids=["path", "text"])
def test_a_run_by_its_folder(tmp_path: Path, as_path: bool) -> None:  # noqa: FBT001
    folder = write_run(tmp_path)
    assert load_run(folder if as_path else str(folder), "elsewhere").run_id == "r-1"


def test_a_run_by_its_id(tmp_path: Path) -> None:
    write_run(tmp_path, "r-1")
    write_run(tmp_path, "r-2")
    assert load_run("r-1", tmp_path).run_id == "r-1"


def test_the_latest_run_is_the_newest_complete_one(tmp_path: Path) -> None:
    write_run(tmp_path, "r-9", info=made_at("2026-01-01T00:00:00Z"))
    write_run(tmp_path, "r-1", info=made_at("2026-01-02T00:00:00Z"))
    write_run(tmp_path, "r-2", info=made_at("2026-01-02T00:00:00+00:00"))
    write_run(tmp_path, "r-3", info=made_at("not a time"))
    (tmp_path / "runs" / "r-8").mkdir()
    (tmp_path / "runs" / ".r-7.part").mkdir()
    (tmp_path / "runs" / ".r-7.part" / "run.json").write_text("{}")
    assert load_run(store=tmp_path).run_id == "r-2"
    assert [run.run_id for run in list_runs(tmp_path)] == ["r-2", "r-1", "r-9", "r-3"]


def test_of_one_second_the_run_that_ended_last_is_the_latest(tmp_path: Path) -> None:
    for run_id, ended in [("r-1", 300), ("r-2", 200), ("r-0", 100)]:
        file = write_run(tmp_path, run_id, info=made_at("2026-01-02T00:00:00Z")) / "run.json"
        os.utime(file, ns=(ended, ended))
    assert [run.run_id for run in list_runs(tmp_path)] == ["r-1", "r-2", "r-0"]


def test_a_damaged_run_is_no_run_of_the_list(tmp_path: Path) -> None:
    write_run(tmp_path, "r-1")
    broken = write_run(tmp_path, "r-2") / "run.json"
    broken.write_text("{")
    assert [run.run_id for run in list_runs(tmp_path)] == ["r-1"]
    with pytest.raises(StoreError, match="is damaged"):
        load_run("r-2", tmp_path)


@pytest.mark.parametrize("name", ["", "..", "../r-1", "runs/../r-1", "r-1\x00", "~", "nul\n", "r*"])
def test_no_name_leads_out_of_the_store(tmp_path: Path, name: str) -> None:
    write_run(tmp_path, "r-1")
    with pytest.raises(UsageError):
        load_run(name, tmp_path)


@pytest.mark.parametrize(
    ("ids", "wanted", "message"),
    [
        pytest.param([], "latest", "holds no run. Run stagefault replay first", id="none at all"),
        pytest.param([], "r-1", "It holds no run", id="none of this id"),
        pytest.param(["week-47"], "week-48", "Did you mean week-47?", id="a near one"),
        pytest.param(["a", "b"], "x", "Known runs: b, a", id="nothing near"),
        pytest.param(list("abcdefg"), "x", "Known runs: g, f, e, d, c and 2 more", id="many"),
    ],
)
def test_an_unknown_run(tmp_path: Path, ids: list[str], wanted: str, message: str) -> None:
    for name in ids:
        write_run(tmp_path, name)
    with pytest.raises(UsageError) as caught:
        load_run(wanted, tmp_path)
    assert message in str(caught.value)


def test_a_folder_that_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="is no run"):
        load_run(tmp_path)


def test_a_missing_table(tmp_path: Path) -> None:
    folder = write_run(tmp_path)
    (folder / "turns.parquet").unlink()
    with pytest.raises(StoreError, match=r"turns\.parquet: is missing"):
        Run(folder).turns()


class _Marker:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (self.path,))


def test_a_table_that_is_a_program_is_not_run(tmp_path: Path) -> None:
    folder = write_run(tmp_path)
    marker = tmp_path / "marker"
    (folder / "turns.parquet").write_bytes(pickle.dumps(_Marker(marker)))
    with pytest.raises(StoreError, match=r"turns\.parquet: cannot be read"):
        Run(folder).turns()
    assert not marker.exists()


def test_its_info_is_the_content_of_run_json(tmp_path: Path) -> None:
    folder = write_run(tmp_path)
    assert json.loads((folder / "run.json").read_text()) == Run(folder).info
    assert repr(Run(folder)) == f"<Run r-1 in {folder}>"
