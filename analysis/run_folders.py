"""The runs that stand in a store, and those that cannot be read.

store/runs/<run_id>/run.json    written last: a folder without it is no run
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from analysis.tables.run_info import RUN_FILE, RunInfo, read_run_info
from ingest.errors import StoreError

DEFAULT_STORE: Final = ".stagefault"
RUNS_FOLDER: Final = "runs"
RUN_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_REMEDY = "Delete the folder and replay; stored verdicts are kept."


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFolder:
    """A finished run on disk."""

    path: Path
    info: RunInfo

    @property
    def is_empty(self) -> bool:
        """Nothing of its input was a turn that was asked for."""
        return self.info.get("turns") == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFolders:
    """What stands in the `runs/` of a store."""

    finished: tuple[RunFolder, ...] = ()
    """Newest first; of runs that began in the same second the one that ended last."""
    damaged: tuple[StoreError, ...] = ()
    """Why each of the others cannot be read, in the order of their names."""

    @property
    def latest(self) -> RunFolder | None:
        """The newest run with a turn in it; the newest of all where none has one."""
        newest = next(iter(self.finished), None)
        return next((run for run in self.finished if not run.is_empty), newest)

    @property
    def newer_but_empty(self) -> Iterator[RunFolder]:
        """Runs without any turn that are newer than the latest."""
        latest = self.latest
        for run in self.finished:
            if run is latest:
                return
            yield run


def run_folders(store: Path) -> RunFolders:
    """Return the runs of a store; one that is not there has none.

    Raises:
        StoreError: The folder of the runs cannot be read.
    """
    folder = store / RUNS_FOLDER
    try:
        paths = sorted(
            path for path in folder.iterdir() if RUN_ID.fullmatch(path.name) and path.is_dir()
        )
    except (FileNotFoundError, NotADirectoryError):
        return RunFolders()
    except OSError as error:
        raise StoreError(
            str(folder),
            f"cannot be read ({error.strerror})",
            "Check its permissions, or name another store with --store.",
        ) from None
    finished: list[RunFolder] = []
    damaged: list[StoreError] = []
    for path in paths:
        try:
            finished.append(_read(path))
        except StoreError as error:
            damaged.append(error)
    finished.sort(key=_age, reverse=True)
    return RunFolders(finished=tuple(finished), damaged=tuple(damaged))


def _read(path: Path) -> RunFolder:
    if not (path / RUN_FILE).exists():
        raise StoreError(str(path), f"holds no {RUN_FILE}", _REMEDY)
    return RunFolder(path=path, info=read_run_info(path))


def _age(run: RunFolder) -> tuple[datetime, int, str]:
    """Return when a run began, in its whole seconds, then when its file was finished."""
    try:
        created = datetime.fromisoformat(run.info.get("created", ""))
    except ValueError:
        created = datetime.min.replace(tzinfo=UTC)
    if created.tzinfo is None:
        created = created.replace(tzinfo=UTC)
    return created, (run.path / RUN_FILE).stat().st_mtime_ns, run.info["run_id"]
