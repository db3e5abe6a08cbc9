"""A finished run, opened for reading: `load_run("latest").turns()`.

One method per table returns a DataFrame with Arrow types; a missing value is NA. Nothing
is judged or printed here, and only `to_html` writes.
"""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from analysis.breakdown import DIMENSIONS, EVERYTHING, Breakdown, Dimension, Selection, breakdown_of
from analysis.breakdown.comparison import compared, not_alike, not_same_turns
from analysis.breakdown.facts import TURN_COLUMNS
from analysis.breakdown.faults import FINDING_COLUMNS
from analysis.breakdown.metric_rows import METRIC_COLUMNS
from analysis.run_folders import DEFAULT_STORE, RUN_ID, RUNS_FOLDER, RunFolders, run_folders
from analysis.run_tables import RunTables
from analysis.suggesting import did_you_mean
from analysis.tables.run_info import RUN_FILE, RunInfo, read_run_info
from analysis.window import Window
from ingest.errors import UsageError

if TYPE_CHECKING:
    from analysis.report.html import PageOptions
    from analysis.report.turn_view import TurnView

LATEST: Final = "latest"
_SHOWN_IDS = 5


class Run(RunTables):
    """One run on disk: what it is, what came of its turns, and its tables."""

    def __init__(self, folder: Path, info: RunInfo | None = None) -> None:
        """Open the run in a folder.

        Args:
            folder: Holds the tables of the run.
            info: Its `run.json` where that was read already.

        Raises:
            StoreError: There is no readable run.
        """
        super().__init__(folder)
        self.info: RunInfo = read_run_info(folder) if info is None else info

    @property
    def run_id(self) -> str:
        """Name of the run in its store."""
        return self.info["run_id"]

    @property
    def words(self) -> tuple[str, ...]:
        """Options that name this run on a command line, each followed by its value."""
        runs = self.folder.parent
        if runs.name != RUNS_FOLDER or self.folder.name != self.run_id:
            return ("--run", str(self.folder))
        if runs.parent == Path(DEFAULT_STORE):
            return ("--run", self.run_id)
        return ("--run", self.run_id, "--store", str(runs.parent))

    def breakdown(
        self,
        by: Dimension | Iterable[Dimension] = (),
        *,
        selected: Selection = EVERYTHING,
        vs: "Run | None" = None,
        across_judges: bool = False,
    ) -> Breakdown:
        """Return the aggregate that every report of this run prints.

        Args:
            by: Dimensions to cut the turns by: agent, collection, tool, model, language,
                service, day.
            selected: Which turns count.
            vs: An earlier run to compare with, under the same filters but whole: a window is one
                of this run. What changed is looked for in every dimension, whether it is asked
                for or not.
            across_judges: Compare although judge, prompts, embeddings or profile differ; the
                result names what does.

        Raises:
            UsageError: The two runs were not measured alike.
        """
        cuts: tuple[Dimension, ...] = (by,) if isinstance(by, str) else tuple(by)
        if vs is None:
            return self._counted(cuts, selected)
        if vs.run_id == self.run_id:
            raise UsageError(
                f"run {vs.run_id}", "cannot be compared with itself", "Name an earlier run."
            )
        differences = not_alike(self.info, vs.info)
        if differences and not across_judges:
            raise UsageError(
                f"run {vs.run_id}",
                f"was not measured like run {self.run_id}: {', '.join(differences)} differ",
                "Replay both alike, or compare with --across-judges.",
            )
        whole = (*cuts, *DIMENSIONS)  # what changed is looked for everywhere, asked for or not
        found = compared(
            self._counted(whole, selected),
            vs._counted(whole, selected.within(Window()), metrics=False),  # noqa: SLF001 - same class
            vs.run_id,
            differences,
            not_same_turns(self.info, vs.info),
        )
        asked = tuple(one for one in found.segmentations if one.by in cuts)
        return replace(found, segmentations=asked)

    def _counted(
        self, by: Iterable[Dimension], selected: Selection, *, metrics: bool = True
    ) -> Breakdown:
        return breakdown_of(
            self.table("turns", TURN_COLUMNS),
            self.table("findings", FINDING_COLUMNS),
            self.batches("metrics", METRIC_COLUMNS) if metrics else (),
            by=by,
            selected=selected,
        )

    def turn(self, turn_id: str) -> "TurnView":
        """Return everything about one turn.

        Args:
            turn_id: As the tables write it: `<conversation>/<turn>`.

        Raises:
            UsageError: There is no such turn.
        """
        from analysis.report.turn_view import load_turn

        found = self.rows("turns", where={"turn_id": [turn_id]})
        if not found:
            raise UsageError(turn_id, f"is no turn of run {self.run_id}", "See run.turns().")
        where = {"conversation_id": [found[0]["conversation_id"]]}
        return load_turn(self, found[0], len(self.rows("turns", ("turn_id",), where)))

    def to_html(self, path: str | Path, options: "PageOptions | None" = None) -> Path:
        """Write the report as a page; return what a browser is to open.

        Args:
            path: The page; a large one gets a folder of its name beside it.
            options: How to lay it out, and what to show.

        Raises:
            StoreError: It cannot be written.
        """
        from analysis.report.html import PageOptions, write_html
        from analysis.report.model import report_of

        return write_html(self, report_of(self), Path(path), options or PageOptions()).page

    def __repr__(self) -> str:
        return f"<Run {self.run_id} in {self.folder}>"

    def _repr_html_(self) -> str:
        from analysis.report.notebook import run_html

        return run_html(self.info, self.breakdown())

    def _repr_markdown_(self) -> str:
        from analysis.report.markdown import render_markdown
        from analysis.report.model import Report

        return render_markdown(Report(info=self.info, breakdown=self.breakdown()))


def load_run(run: str | Path = LATEST, store: str | Path = DEFAULT_STORE) -> Run:
    """Open a finished run.

    Args:
        run: Id of a run in the store, `latest` (the newest that holds a turn, else the
            newest), or the path of a run's folder (anything with a path separator, or
            beginning with a dot).
        store: Folder that holds `runs/`.

    Raises:
        UsageError: There is no such run.
        StoreError: It cannot be read.
    """
    name = str(run)
    if isinstance(run, Path) or name.startswith(".") or "/" in name or "\\" in name:
        return _at(Path(run))
    if name == LATEST:
        return latest_run(run_folders(Path(store)), Path(store))
    folder = Path(store) / RUNS_FOLDER / name
    if RUN_ID.fullmatch(name) and (folder / RUN_FILE).exists():
        return Run(folder)
    raise UsageError("--run", f"there is no run {name!r} in {store}", _known(store, name))


def list_runs(store: str | Path = DEFAULT_STORE) -> tuple[Run, ...]:
    """Return the complete, readable runs of a store, newest first.

    Of runs that began in the same second the one that ended last stands first.

    Raises:
        StoreError: The folder of the runs cannot be read.
    """
    return tuple(Run(found.path, found.info) for found in run_folders(Path(store)).finished)


def latest_run(found: RunFolders, store: Path) -> Run:
    """Return the run that `latest` means.

    Raises:
        UsageError: There is no run.
        StoreError: None of the runs can be read.
    """
    if found.latest is not None:
        return Run(found.latest.path, found.latest.info)
    if found.damaged:
        raise found.damaged[-1]
    raise UsageError(str(store), "holds no run", "Run stagefault replay first, or name --store.")


def _at(folder: Path) -> Run:
    if not (folder / RUN_FILE).exists():
        raise UsageError(str(folder), "is no run", f"A run is a folder with {RUN_FILE} in it.")
    return Run(folder)


def _known(store: str | Path, name: str) -> str:
    ids = [run.run_id for run in list_runs(store)]
    if not ids:
        return "It holds no run: run stagefault replay first, or name --store."
    if near := did_you_mean(name, ids):
        return near
    more = "" if len(ids) <= _SHOWN_IDS else f" and {len(ids) - _SHOWN_IDS} more"
    return f"Known runs: {', '.join(ids[:_SHOWN_IDS])}{more}."
