"""A run for other programs: its tables as files, its judgements in the words of others.

    run ─┬─ tables       csv, jsonl, parquet
         └─ judgements ─┬─ files    phoenix (annotations), langfuse (scores), otlp (events)
                        └─ sending  otlp over HTTP

Ids are made from what was judged, so that loading an export twice changes nothing. `sending`
is the only part that uses the network, and only where a receiver is named.
"""

from analysis.exporting.forms import FORMS
from analysis.exporting.judgements import Judgement, judgements_of
from analysis.exporting.tables import table_lines

__all__ = ["FORMS", "Judgement", "judgements_of", "table_lines"]
