"""The record of what was sent survives what happens to it."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from analysis.exporting.sent import Known, SentRecord
from ingest.errors import StoreError

URL = "http://h/v1/logs"


def test_a_request_from_beginning_to_end(tmp_path: Path) -> None:
    with closing(SentRecord(tmp_path, URL)) as record:
        assert record.known("a") is None
        number = record.begin(["a", "b"])
        assert record.known("a") == Known("open", 0, is_new=True)
        record.close_request(number, "accepted", 1, "quota")
        record.close_request(record.begin(["c"]), "refused", 1, "400")
        record.take_back(record.begin(["d"]), ["d"])
        record.begin(["e"])
    with closing(SentRecord(tmp_path, URL)) as record:
        assert record.known("a") == Known("accepted", 1, is_new=False)
        assert record.known("c") == Known("refused", 1, is_new=False)
        assert record.known("d") is None
        assert record.known("e") == Known("open", 0, is_new=False)
        assert record.rejected() == {"quota": 1, "400": 1}


def test_what_is_sent_again_is_no_longer_rejected(tmp_path: Path) -> None:
    with closing(SentRecord(tmp_path, URL)) as record:
        record.close_request(record.begin(["a", "b", "c"]), "accepted", 2, "quota")
        record.begin(["a"])
        assert record.rejected() == {"quota": 2}
        record.begin(["b"])
        assert record.rejected() == {"quota": 1}  # only c is left in that request
        record.begin(["c"])
        assert record.rejected() == {}


def test_what_is_taken_back_stands_where_it_stood(tmp_path: Path) -> None:
    with closing(SentRecord(tmp_path, URL)) as record:
        record.close_request(record.begin(["a"]), "refused", 1, "400")
        record.begin(["b"])
        record.take_back(record.begin(["a", "b", "c"]), ["a", "b", "c"])
        assert record.known("a") == Known("refused", 1, is_new=True)
        assert record.known("b") == Known("open", 0, is_new=True)
        assert record.known("c") is None
        assert record.rejected() == {"400": 1}
        record.take_back(record.begin(["c"]), ["c"])
        assert record.known("a") == Known("refused", 1, is_new=True)


def test_only_its_owner_can_read_it(tmp_path: Path) -> None:
    with closing(SentRecord(tmp_path, URL)) as record:
        record.begin(["a"])
        assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}


@pytest.mark.parametrize(
    ("content", "told"),
    [
        pytest.param(b"no database, but long enough " * 9, "is damaged. Delete it", id="junk"),
        pytest.param(None, "cannot be used", id="a folder"),
    ],
)
def test_a_damaged_record_stops_the_export(
    tmp_path: Path, content: bytes | None, told: str
) -> None:
    with closing(SentRecord(tmp_path, URL)) as record:
        path = record.path
    path.unlink()
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    with pytest.raises(StoreError, match=told):
        SentRecord(tmp_path, URL)


def test_a_newer_version_has_written_it(tmp_path: Path) -> None:
    with closing(SentRecord(tmp_path, URL)) as record:
        path = record.path
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 2")
    db.close()
    with pytest.raises(StoreError, match="by a newer version"):
        SentRecord(tmp_path, URL)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match="cannot be made"):
        SentRecord(tmp_path / "file", URL)
    with closing(SentRecord(tmp_path / "file", URL, writes=False)) as record:
        assert record.known("a") is None
