"""A sheet as a file: JSON lines, or CSV that no spreadsheet takes for formulas."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

_FORMULA: Final = tuple("=+-@\t\r＝＋－＠")
_ESCAPE: Final = "'"


def sheet_text(rows: Sequence[Mapping[str, Any]], *, as_csv: bool) -> str:
    """Return the rows as the text of a file."""
    if not as_csv:
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: shown_cell(value) for name, value in row.items()})
    return out.getvalue()


def shown_cell(value: Any) -> Any:
    """Return a value that a spreadsheet shows as it is: text is never a formula."""
    if isinstance(value, str) and value.lstrip(" \n\u200b\ufeff\u00a0").startswith(_FORMULA):
        return _ESCAPE + value
    return value


def as_typed(cell: Any) -> Any:
    """Return what `sheet_text` was given for a cell."""
    if isinstance(cell, str) and cell.startswith(_ESCAPE) and shown_cell(cell[1:]) == cell:
        return cell[1:]
    return cell
