"""A table of a run as lines of CSV or JSON, a batch at a time.

CSV is for spreadsheets: no text is taken for a formula, lists and objects are JSON text.
JSON lines hold every value as it is; times are ISO 8601.
"""

import csv
import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

from analysis.labels.sheet_files import shown_cell
from analysis.report.terminal import safe_json
from analysis.run import Run
from analysis.tables.schemas import SCHEMAS, TableName


def table_lines(run: Run, name: TableName, *, as_csv: bool) -> Iterator[str]:
    """Yield a table as text, in pieces that end with a line.

    Raises:
        StoreError: The table cannot be read.
    """
    names = SCHEMAS[name].names
    if as_csv:
        yield _csv([names])
    for batch in run.batches(name):
        rows = batch.to_pylist()
        if as_csv:
            yield _csv([[_cell(row[name]) for name in names] for row in rows])
        else:
            yield "".join(safe_json(_plain(row)) + "\n" for row in rows)


def _csv(rows: list[list[Any]]) -> str:
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    return shown_cell(value.isoformat() if hasattr(value, "isoformat") else value)


def _plain(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: value.isoformat() if hasattr(value, "isoformat") else value
        for name, value in row.items()
    }
