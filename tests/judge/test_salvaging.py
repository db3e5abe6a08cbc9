import random
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from ingest.errors import StoreError
from judge import salvaging
from judge.carving import carve
from judge.ledger import Ledger
from judge.ledger_schema import digest, insert
from tests.judge.stores import entry, key, stored_rows

PAGE = 4096
COUNT = 400


def text(number: int) -> str:
    """Return texts of all sizes, every twentieth over several pages."""
    return f"{number}·" + "x" * (number % 50 * 7 if number % 20 else 9_000 + number)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store of 400 replies, closed, all in its main file."""
    path = tmp_path / "verdicts.sqlite"
    with Ledger(path) as ledger:
        for start in range(0, COUNT, 50):
            ledger.put_many(entry(n, text(n), cost_usd=n / 8) for n in range(start, start + 50))
    assert not path.with_name("verdicts.sqlite-wal").exists()
    return path


def surviving(path: Path) -> int:
    """Return how many replies are there; those that are must be as they were."""
    with Ledger(path) as ledger:
        found = ledger.get_many(map(key, range(COUNT)))
        for stored, (reply, *more) in found.items():
            number = int(stored, 16)
            assert (reply.text, reply.cost_usd, more) == (text(number), number / 8, [])
        return len(found)


def overwrite(path: Path, at: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(data)


def places(path: Path, data: bytes) -> list[int]:
    """Return where *data* stands; SQLite leaves copies behind when it splits a page."""
    content = path.read_bytes()
    return [match.start() for match in re.finditer(re.escape(data), content)]


def noise(size: int) -> bytes:
    return random.Random(size).randbytes(size)


def drop_head(path: Path) -> None:
    overwrite(path, 0, noise(100))


def drop_first_page(path: Path) -> None:
    overwrite(path, 0, bytes(PAGE))


def drop_first_pages(path: Path) -> None:
    overwrite(path, 0, noise(3 * PAGE))


def drop_a_leaf(path: Path) -> None:
    for place in places(path, text(201).encode()):
        overwrite(path, place // PAGE * PAGE, noise(PAGE))


def cut_in_half(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2 + 17)


def replace_by_text(path: Path) -> None:
    path.write_text("these are no verdicts\n" * 999)


@pytest.mark.parametrize(
    ("damage", "at_least", "at_most"),
    [
        pytest.param(drop_head, COUNT, COUNT, id="head gone"),
        pytest.param(drop_first_page, COUNT, COUNT, id="schema gone"),
        pytest.param(drop_first_pages, COUNT - 30, COUNT, id="roots gone"),
        pytest.param(drop_a_leaf, COUNT - 60, COUNT - 1, id="a page in the middle gone"),
        pytest.param(cut_in_half, COUNT // 4, COUNT - 1, id="the second half gone"),
        pytest.param(replace_by_text, 0, 0, id="another file in its place"),
    ],
)
def test_what_is_intact_is_saved(
    store: Path, damage: Callable[[Path], None], at_least: int, at_most: int
) -> None:
    damage(store)
    damaged = store.read_bytes()
    with Ledger(store) as ledger:
        (salvage,) = ledger.salvages
        assert at_least <= salvage.rows <= at_most
        assert salvage.moved_to == store.with_name("verdicts.sqlite.damaged-1")
        assert salvage.problem
        assert salvage.moved_to.read_bytes() == damaged
        ledger.put_many([entry(COUNT + 1)])
    assert surviving(store) == salvage.rows
    with Ledger(store) as ledger:
        assert not ledger.salvages
        assert ledger.get_many([key(COUNT + 1)])


def test_a_flipped_bit_in_a_reply_is_noticed_when_it_is_read(store: Path) -> None:
    for place in places(store, text(223).encode()):
        overwrite(store, place + 9, b"y")
    with Ledger(store) as ledger:
        assert not ledger.salvages
        assert key(7) in ledger.get_many([key(7)])
        assert ledger.get_many([key(223)]) == {}
        (salvage,) = ledger.salvages
        assert (salvage.problem, salvage.rows) == ("a stored reply has changed", COUNT - 1)
    assert surviving(store) == COUNT - 1


def test_text_that_is_no_text_any_more_is_noticed_when_it_is_read(store: Path) -> None:
    for place in places(store, text(223).encode()):
        overwrite(store, place, b"\xff\xff")
    with Ledger(store) as ledger:
        assert ledger.get_many([key(223)]) == {}
        assert ledger.salvages[0].rows == COUNT - 1


def test_damage_that_comes_while_the_store_is_open(store: Path) -> None:
    with Ledger(store) as ledger:
        drop_first_pages(store)
        other = Ledger(store.with_name("other.sqlite"))
        other.close()
        ledger.put_many([entry(COUNT + 1)])
        assert ledger.get_many([key(COUNT + 1)])
    assert surviving(store) > 0


def test_each_damaged_store_is_kept(store: Path) -> None:
    for number in (1, 2, 3):
        drop_head(store)
        with Ledger(store) as ledger:
            assert ledger.salvages[0].moved_to.name == f"verdicts.sqlite.damaged-{number}"
            assert ledger.salvages[0].rows == COUNT
    assert len(list(store.parent.glob("*.damaged-*"))) == 3


def test_replies_in_the_log_are_saved_too(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.sqlite"
    ledger = Ledger(path)
    ledger.put_many(entry(n, text(n), cost_usd=n / 8) for n in range(50))
    copies = tmp_path / "copy"
    copies.mkdir()
    for name in ("verdicts.sqlite", "verdicts.sqlite-wal"):
        (copies / name).write_bytes((tmp_path / name).read_bytes())
    ledger.close()
    (copies / "verdicts.sqlite").write_bytes(noise(5 * PAGE))
    saved = {
        row[0] for _, _, row in carve(copies / "verdicts.sqlite", copies / "verdicts.sqlite-wal")
    }
    assert saved == set(map(key, range(50)))


@pytest.mark.parametrize("seed", range(30))
def test_no_damage_stops_a_run_or_changes_a_reply(store: Path, seed: int) -> None:
    random_ = random.Random(seed)
    for _ in range(random_.choice([1, 5, 40])):
        size = random_.choice([1, 16, 600, PAGE])
        at = random_.randrange(store.stat().st_size - size)
        overwrite(store, at, random_.randbytes(size))
    if random_.random() < 0.3:
        with store.open("r+b") as file:
            file.truncate(random_.randrange(store.stat().st_size))
    surviving(store)
    with Ledger(store) as ledger:
        ledger.put_many([entry(COUNT + 1)])
        assert ledger.get_many([key(COUNT + 1)])


class _Killed(BaseException):
    """Stands for the end of the process: nothing of ours may catch it and go on."""


@pytest.mark.parametrize("kill_at", range(4))
def test_a_repair_that_was_killed_is_finished(
    store: Path, monkeypatch: pytest.MonkeyPatch, kill_at: int
) -> None:
    drop_head(store)
    store.with_name("verdicts.sqlite-wal").write_bytes(b"")
    renames = 0
    rename = Path.rename

    def rename_until_killed(self: Path, target: Path) -> Path:
        nonlocal renames
        renames += 1
        if renames > kill_at:
            raise _Killed
        return rename(self, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "rename", rename_until_killed)
        with pytest.raises(_Killed):
            Ledger(store)
    with Ledger(store) as ledger:
        (salvage,) = ledger.salvages
        assert salvage.rows == COUNT
        assert salvage.moved_to.exists()
    assert surviving(store) == COUNT
    assert not list(store.parent.glob("*.salvag*"))


def test_a_second_run_finds_the_store_repaired(store: Path) -> None:
    drop_head(store)
    assert not salvaging.interrupted(store)
    with Ledger(store) as first, Ledger(store) as second:
        assert len(first.salvages) == 1
        assert not second.salvages
        second.put_many([entry(COUNT + 1)])
        assert first.get_many([key(COUNT + 1)])


def test_a_damaged_store_that_another_run_uses_is_not_moved(store: Path) -> None:
    with Ledger(store):
        drop_first_page(store)
        with pytest.raises(StoreError, match="cannot be locked"):
            Ledger(store, wait_s=0.05)
    assert surviving(store) == COUNT


def test_attempts_are_saved_as_well(store: Path) -> None:
    db = sqlite3.connect(store)
    values = ("id-1", key(1), "intent", "run-1", None, "", "2026-01-01T00:00:00+00:00")
    insert(db, "attempts", [(*values, digest(values))])
    db.commit()
    db.close()
    drop_head(store)
    with Ledger(store) as ledger:
        assert ledger.salvages[0].rows == COUNT
    db = sqlite3.connect(store)
    assert db.execute("SELECT custom_id, state FROM attempts").fetchall() == [("id-1", "intent")]
    db.close()
    assert len(stored_rows(store)) == COUNT
