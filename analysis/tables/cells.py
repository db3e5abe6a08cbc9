"""How values become cells: of Parquet files, and of tables that a spreadsheet opens.

Parquet and JSON keep every text as it is; only what their encoding cannot hold is
replaced. A spreadsheet runs what looks like a formula, so texts for it are marked.
"""

import json
import unicodedata
from typing import Any, Final

INT64_MAX: Final = 2**63 - 1
_SURROGATES = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
_FORMULA_STARTS = frozenset("=+-@−")
_CELL_BREAKS = frozenset("\t\r\n")
_INVISIBLE = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp", "Mn"})
"""Unicode categories that a spreadsheet, or the eye, skips at the start of a cell."""


def json_text(value: object) -> str:
    """Return a decoded value as JSON text, in recorded key order."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def int64(value: int | None) -> int | None:
    """Return a number that a 64-bit column holds; None for one that it cannot.

    Recorders write unsigned 64-bit times. None of them beyond the year 2262 is a time.
    """
    return value if value is not None and -INT64_MAX - 1 <= value <= INT64_MAX else None


def storable(value: Any) -> Any:
    """Return a row, list or text with every lone surrogate replaced by U+FFFD.

    UTF-8 has no form for half a character. Traces lose theirs when they are read; a judge's
    reply or a command line argument can still bring one.
    """
    if isinstance(value, str):
        return value.translate(_SURROGATES)
    if isinstance(value, dict):
        return {key: storable(item) for key, item in value.items()}
    if isinstance(value, list):
        return [storable(item) for item in value]
    return value


def formula_safe(value: Any) -> Any:
    """Return a value for CSV or XLSX: a text that would run as a formula gets a leading `'`.

    Numbers, truth values and None are returned as they are. Leading blanks, zero-width and
    control characters do not hide a formula, nor do full-width forms of its first sign.
    """
    if not isinstance(value, str):
        return value
    return f"'{value}" if _runs(value) else value


def _runs(text: str) -> bool:
    if text[:1] in _CELL_BREAKS and text:
        return True
    first = next((c for c in text if unicodedata.category(c) not in _INVISIBLE), "")
    return unicodedata.normalize("NFKC", first)[:1] in _FORMULA_STARTS if first else False
