"""The tables of a run on disk: DataFrames by name, and rows for the code that prints them.

A missing value is NA in a DataFrame and None in a row. Only what is asked for is read.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import reduce
from operator import and_
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from analysis.tables.cells import storable
from analysis.tables.schemas import SCHEMAS, TableName
from ingest.errors import StoreError

if TYPE_CHECKING:
    import pandas as pd

_WRITE_AGAIN: Final = "Replay to write the run again."
_LONGEST_REASON = 200


class RunTables:
    """The Parquet files in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def turns(self, columns: Sequence[str] | None = None) -> "pd.DataFrame":
        """Return one row per turn."""
        return self._frame("turns", columns)

    def tool_calls(self, columns: Sequence[str] | None = None) -> "pd.DataFrame":
        """Return one row per tool call."""
        return self._frame("tool_calls", columns)

    def retrievals(self, columns: Sequence[str] | None = None) -> "pd.DataFrame":
        """Return one row per search."""
        return self._frame("retrievals", columns)

    def chunks(self, columns: Sequence[str] | None = None) -> "pd.DataFrame":
        """Return one row per retrieved chunk."""
        return self._frame("chunks", columns)

    def paragraphs(self, columns: Sequence[str] | None = None) -> "pd.DataFrame":
        """Return one row per block of an answer."""
        return self._frame("paragraphs", columns)

    def citations(self, columns: Sequence[str] | None = None) -> "pd.DataFrame":
        """Return one row per citation."""
        return self._frame("citations", columns)

    def spans(self, columns: Sequence[str] | None = None) -> "pd.DataFrame":
        """Return one row per span."""
        return self._frame("spans", columns)

    def verdicts(self, columns: Sequence[str] | None = None) -> "pd.DataFrame":
        """Return one row per question asked for a turn or conversation."""
        return self._frame("verdicts", columns)

    def metrics(self, columns: Sequence[str] | None = None) -> "pd.DataFrame":
        """Return one row per turn and metric."""
        return self._frame("metrics", columns)

    def findings(self, columns: Sequence[str] | None = None) -> "pd.DataFrame":
        """Return one row per fault."""
        return self._frame("findings", columns)

    def losses(self, columns: Sequence[str] | None = None) -> "pd.DataFrame":
        """Return one row per input record that was not loaded as it was."""
        return self._frame("losses", columns)

    def table(
        self,
        name: TableName,
        columns: Sequence[str] | None = None,
        where: Mapping[str, Iterable[str]] | None = None,
    ) -> pa.Table:
        """Return a table, or part of it, without reading the rest.

        Args:
            name: Which table.
            columns: Columns in the order wanted; None for all.
            where: Accepted values by column; a row must have one of each.

        Raises:
            StoreError: The table is missing or damaged.
        """
        path = self.folder / f"{name}.parquet"
        conditions = [
            pc.field(column).isin(
                pa.array(storable(list(values)), SCHEMAS[name].field(column).type)
            )
            for column, values in (where or {}).items()
        ]
        with _readable(path):
            return pq.read_table(
                path,
                columns=None if columns is None else list(columns),
                filters=reduce(and_, conditions) if conditions else None,
                partitioning=None,  # a folder named a=b is no column
            )

    def batches(
        self, name: TableName, columns: Sequence[str] | None = None
    ) -> Iterator[pa.RecordBatch]:
        """Yield a table in batches, so that it is never whole in memory.

        Raises:
            StoreError: The table is missing or damaged.
        """
        path = self.folder / f"{name}.parquet"
        with _readable(path), pq.ParquetFile(path) as file:
            yield from file.iter_batches(columns=None if columns is None else list(columns))

    def rows(
        self,
        name: TableName,
        columns: Sequence[str] | None = None,
        where: Mapping[str, Iterable[str]] | None = None,
    ) -> list[dict[str, Any]]:
        """Return rows as dictionaries; see `table`."""
        rows: list[dict[str, Any]] = self.table(name, columns, where).to_pylist()
        return rows

    def _frame(self, name: TableName, columns: Sequence[str] | None) -> "pd.DataFrame":
        import pandas as pd

        frame: pd.DataFrame = self.table(name, columns).to_pandas(types_mapper=pd.ArrowDtype)
        return frame


@contextmanager
def _readable(path: Path) -> Iterator[None]:
    if path.is_dir():  # which Arrow would read all files of
        raise StoreError(str(path), "is a folder", _WRITE_AGAIN)
    try:
        yield
    except FileNotFoundError:
        raise StoreError(str(path), "is missing", _WRITE_AGAIN) from None
    except (OSError, pa.ArrowException) as error:
        told = " ".join(str(error).split())[:_LONGEST_REASON]
        raise StoreError(str(path), f"cannot be read ({told})", _WRITE_AGAIN) from error
