import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ingest.errors import StoreError
from judge.answers import UnjudgedReason
from judge.ledger import Ledger
from judge.ledger_schema import MIGRATIONS
from judge.question import Reply
from tests.judge.stores import IDENTITY, entry, key, stored_rows

ROOT = Path(__file__).parents[2]
WRITER = """
import sys
from pathlib import Path
from judge.ledger import Ledger
from tests.judge.stores import entry

first, groups, size = map(int, sys.argv[2:])
with Ledger(Path(sys.argv[1])) as ledger:
    print("ready", flush=True)
    for group in range(groups):
        numbers = range(first + group * size, first + (group + 1) * size)
        ledger.put_many(entry(number, "x" * (number % 700)) for number in numbers)
        print(numbers[-1], flush=True)
"""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "kept" / "verdicts.sqlite"


@pytest.fixture
def ledger(store: Path) -> Iterator[Ledger]:
    with Ledger(store) as opened:
        yield opened


def writer(store: Path, first: int, groups: int, size: int) -> subprocess.Popen[str]:
    """Start another process that writes; it prints the last number of each stored group."""
    numbers = (str(number) for number in (first, groups, size))
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(store), *numbers],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )


# What comes back


def test_a_reply_comes_back_as_it_was(store: Path) -> None:
    reply = Reply(
        text='{"reason": "größer als 7\\u0000", "grade": 3}\x00🙂',
        model="m-1",
        input_tokens=10,
        output_tokens=4,
        cost_usd=0.000125,
    )
    with Ledger(store) as ledger:
        ledger.put_many([entry(1, reply.text, input_tokens=10, output_tokens=4, cost_usd=0.000125)])
    with Ledger(store) as ledger:
        (found,) = ledger.get_many([key(1)])[key(1)]
    assert (found.text, found.model) == (reply.text, "lexical-1")
    assert (found.input_tokens, found.output_tokens, found.cost_usd) == (10, 4, 0.000125)
    assert found.error is None


@pytest.mark.parametrize(("cost", "expected"), [(None, None), (0.0, 0.0), (1.0, 1.0), (0.1, 0.1)])
def test_an_unknown_price_stays_unknown(
    ledger: Ledger, cost: float | None, expected: float | None
) -> None:
    ledger.put_many([entry(1, cost_usd=cost)])
    assert ledger.get_many([key(1)])[key(1)][0].cost_usd == expected


def test_only_what_is_asked_for_comes_back(ledger: Ledger) -> None:
    ledger.put_many(entry(number) for number in range(1_500))
    wanted = [key(number) for number in range(1_000, 3_000)]
    assert sorted(ledger.get_many(wanted)) == wanted[:500]
    assert ledger.get_many([]) == {}


def test_nothing_is_written_over(ledger: Ledger) -> None:
    ledger.put_many([entry(1, "first"), entry(1, "second")])
    ledger.put_many([entry(1, "third")])
    assert [reply.text for reply in ledger.get_many([key(1)])[key(1)]] == [
        "first",
        "second",
        "third",
    ]


@pytest.mark.parametrize(
    ("error", "comes_back"),
    [
        pytest.param(None, True, id="an answer"),
        pytest.param("uncertain", True, id="the judge cannot decide"),
        pytest.param("no_catalogue", True, id="the judge has nothing to decide by"),
        pytest.param("api_error", False, id="no reply came"),
        pytest.param("truncated", False, id="the reply was cut"),
        pytest.param("refused", False, id="the judge refused"),
        pytest.param("too_long", False, id="the prompt was too long"),
    ],
)
def test_technical_failures_are_recorded_and_never_reused(
    store: Path, ledger: Ledger, error: UnjudgedReason | None, *, comes_back: bool
) -> None:
    ledger.put_many([entry(1, "text", error=error, input_tokens=9)])
    assert bool(ledger.get_many([key(1)])) is comes_back
    assert stored_rows(store, "error, text, input_tokens") == [(error, "text", 9)]


def test_who_was_asked_stands_beside_the_reply(store: Path, ledger: Ledger) -> None:
    ledger.put_many([entry(1)])
    ((kind, judge, version, created),) = stored_rows(store, "kind, judge, prompt_version, created")
    assert (kind, version) == ("relevance", "relevance/1")
    assert judge == f'["{IDENTITY.provider}", "{IDENTITY.model}", {{"idf": "7"}}]'
    assert created.endswith("+00:00")


def test_half_an_emoji_does_not_stop_a_run(ledger: Ledger) -> None:
    ledger.put_many([entry(1, "a\ud83db")])
    assert ledger.get_many([key(1)])[key(1)][0].text == "a\ufffdb"


def test_a_group_is_stored_whole_or_not_at_all(store: Path, ledger: Ledger) -> None:
    impossible = replace(entry(2), judge=replace(IDENTITY, model="half an emoji \ud83d"))
    with pytest.raises(UnicodeEncodeError):
        ledger.put_many([entry(1), impossible])
    assert stored_rows(store) == []
    ledger.put_many([])
    ledger.put_many([entry(2)])
    assert len(stored_rows(store)) == 1


# The file


def test_the_store_is_durable_and_private(store: Path, ledger: Ledger) -> None:
    ledger.put_many([entry(1)])
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in store.parent.iterdir()}
    assert modes.keys() >= {store.name, f"{store.name}-wal"}
    assert set(modes.values()) == {0o600}
    db = sqlite3.connect(store)
    assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert db.execute("PRAGMA user_version").fetchone() == (len(MIGRATIONS),)
    db.close()


def test_a_store_of_a_newer_version_is_left_alone(store: Path) -> None:
    with Ledger(store) as ledger:
        ledger.put_many([entry(1)])
    db = sqlite3.connect(store)
    db.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    db.close()
    before = store.read_bytes()
    with pytest.raises(StoreError, match="newer version of stagefault"):
        Ledger(store)
    assert store.read_bytes() == before


@pytest.mark.parametrize("version", range(len(MIGRATIONS)))
def test_a_store_of_an_older_version_is_brought_up(store: Path, version: int) -> None:
    store.parent.mkdir()
    db = sqlite3.connect(store)
    for statement in (statement for migration in MIGRATIONS[:version] for statement in migration):
        db.execute(statement)
    db.execute(f"PRAGMA user_version = {version}")
    db.close()
    with Ledger(store) as ledger:
        ledger.put_many([entry(1)])
        assert ledger.get_many([key(1)])
        assert ledger.salvages == ()


def test_a_folder_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "verdicts.sqlite").mkdir()
    with pytest.raises(StoreError, match=r"verdicts\.sqlite: cannot be used"):
        Ledger(tmp_path / "verdicts.sqlite")


def test_a_file_in_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "store").touch()
    with pytest.raises(StoreError, match="cannot be made"):
        Ledger(tmp_path / "store" / "verdicts.sqlite")


def test_a_closed_ledger_is_not_used(ledger: Ledger) -> None:
    ledger.close()
    with pytest.raises(ValueError, match="closed"):
        ledger.get_many([key(1)])


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit on file sizes")
def test_a_full_disk_is_an_error_and_loses_nothing(store: Path) -> None:
    script = f"""
import resource, signal, sys
from pathlib import Path
from ingest.errors import StoreError
from judge.ledger import Ledger
from tests.judge.stores import entry
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with Ledger(Path({str(store)!r})) as ledger:
    ledger.put_many([entry(1)])
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    try:
        ledger.put_many(entry(number, "x" * 1_000) for number in range(2, 500))
    except StoreError as error:
        print(error)
    else:
        sys.exit(1)
    resource.setrlimit(resource.RLIMIT_FSIZE, (-1, -1))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "cannot be used" in done.stdout, done.stderr
    with Ledger(store) as ledger:
        assert ledger.salvages == ()
        assert list(ledger.get_many(map(key, range(500)))) == [key(1)]


# Crashes and company


@pytest.mark.parametrize("groups_before", [0, 1, 3, 7, 20])
def test_a_kill_loses_no_group_that_was_stored(store: Path, groups_before: int) -> None:
    process = writer(store, first=0, groups=10_000, size=16)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    last = -1
    for _ in range(groups_before):
        last = int(process.stdout.readline())
    process.send_signal(signal.SIGKILL)
    rest = process.stdout.read().split()
    process.wait()
    process.stdout.close()
    last = int(rest[-1]) if rest else last
    with Ledger(store) as ledger:
        found = ledger.get_many(key(number) for number in range(last + 1_000))
        assert ledger.salvages == ()
        assert found.keys() >= {key(number) for number in range(last + 1)}
        assert len(found) % 16 == 0
        assert all(
            replies[0].text == "x" * (int(stored, 16) % 700) for stored, replies in found.items()
        )


def test_several_processes_write_at_once(store: Path) -> None:
    processes = [writer(store, first=1_000 * n, groups=20, size=10) for n in range(3)]
    with Ledger(store) as ledger:
        for number in range(20):
            ledger.put_many([entry(9_000 + number)])
        for process in processes:
            process.communicate()
            assert process.returncode == 0
        wanted = [n + m for n in (0, 1_000, 2_000) for m in range(200)] + list(range(9_000, 9_020))
        assert set(ledger.get_many(map(key, range(10_000)))) == set(map(key, wanted))


def test_a_damaged_lock_says_that_waiting_does_not_help(store: Path) -> None:
    store.parent.mkdir(exist_ok=True)
    store.with_name("verdicts.sqlite.lock").write_bytes(b"no database " * 100)
    with pytest.raises(StoreError, match=r"not a database.*delete it"):
        Ledger(store, wait_s=0.05)


def test_opening_waits_for_a_repair_elsewhere(store: Path) -> None:
    Ledger(store).close()
    other = sqlite3.connect(
        store.with_name("verdicts.sqlite.lock"), isolation_level=None, check_same_thread=False
    )
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreError, match="cannot be locked"):
        Ledger(store, wait_s=0.05)
    release = threading.Timer(0.3, other.execute, ("COMMIT",))
    release.start()
    Ledger(store, wait_s=30).close()
    release.join()
    other.close()


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_a_ledger_leaves_no_open_files(store: Path) -> None:
    def open_files() -> int:
        return len(list(Path("/proc/self/fd").iterdir()))

    before = open_files()
    Ledger(store).close()
    assert open_files() == before
