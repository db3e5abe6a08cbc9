"""A run on disk: one Parquet file per table, and `run.json`.

    JudgedTurn, Attribution, Verdict, Measured ──rows──▶ RunWriter ──▶ runs/<run_id>/

Row builders are pure: a record in, a row out, by the column names of `SCHEMAS`.
"""

from analysis.tables.conversation_rows import conversation_rows
from analysis.tables.run_info import RUN_FILE, RunInfo, read_run_info
from analysis.tables.schemas import SCHEMA_VERSION, SCHEMAS, TABLES, TableName
from analysis.tables.turn_rows import Row
from analysis.tables.writer import RunWriter

__all__ = [
    "RUN_FILE",
    "SCHEMAS",
    "SCHEMA_VERSION",
    "TABLES",
    "Row",
    "RunInfo",
    "RunWriter",
    "TableName",
    "conversation_rows",
    "read_run_info",
]
