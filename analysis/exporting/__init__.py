"""A run for other programs: its tables as files, its judgements in the words of others.

    run ─┬─ tables       csv, jsonl, parquet
         └─ judgements   phoenix (annotations), langfuse (scores), otlp (evaluation events)

Everything is written to files or stdout; nothing is sent anywhere. Ids are made from what was
judged, so that loading an export twice changes nothing.
"""

from analysis.exporting.forms import FORMS
from analysis.exporting.judgements import Judgement, judgements_of
from analysis.exporting.tables import table_lines

__all__ = ["FORMS", "Judgement", "judgements_of", "table_lines"]
