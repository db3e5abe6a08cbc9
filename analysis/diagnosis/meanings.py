"""What `doctor` calls the records and spans that are not as they should be, a sentence each.

`docs/records.md` and `stagefault explain` say the same ones.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

DUPLICATES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "duplicate_span": "A span with the same id says the same or more and is kept.",
        "conflicting_span": "Another finished span with the same id says something else (name, "
        "parent, times, status or an attribute); the one that tells more is kept and bears this "
        "as an oddity.",
        "duplicate_log": "An equal log record is kept.",
        "listed_twice": "The same document lists the span in another place, and that one is kept.",
    }
)
REJECTED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "not_a_trace_file": "The file is in no format that holds spans.",
        "unreadable_file": "The file cannot be opened.",
        "read_error": "The disk failed while the file was read.",
        "truncated_stream": "The file, or a record in it, ends before its end.",
        "corrupt_stream": "The compressed bytes are damaged; what came before is read.",
        "corrupt_frame": "The compressed bytes of one frame are damaged.",
        "broken_frame": "The length before a frame cannot be right.",
        "trailing_garbage": "Behind the end of the compressed bytes stands something else.",
        "ratio_limit": "It inflates to more than the limits allow for its size.",
        "size_limit": "It inflates to more than the limits allow.",
        "window_limit": "It asks for more memory to inflate than the limits allow.",
        "oversize_record": "The record is larger than the limits allow.",
        "too_deep": "It is nested beyond the limits.",
        "too_many_attributes": "The span has more attributes than the limits allow.",
        "too_many_rejected": "The file is given up after so many rejected records.",
        "invalid_json": "The record is no JSON.",
        "invalid_utf8": "The record is no text.",
        "invalid_protobuf": "The record is no protobuf of this kind.",
        "unknown_record": "The record is readable and holds neither spans nor log records.",
        "unknown_field": "A list of objects under a name that no format has; it may hold records.",
        "bad_structure": "Something of another type stands where spans should.",
        "bad_span": "A field of the span has a type that cannot be read.",
        "bad_log": "A field of the log record has a type that cannot be read.",
        "bad_trace_id": "The trace id is no hexadecimal number of 32 digits.",
        "bad_span_id": "The span id is no hexadecimal number of 16 digits.",
        "zero_trace_id": "The trace id is all zeros, which stands for none.",
        "zero_span_id": "The span id is all zeros, which stands for none.",
        "invalid_csv": "The row is no CSV.",
        "corrupt_parquet": "The Parquet file is damaged where it tells where its rows are.",
        "corrupt_row_group": "A group of rows of the Parquet file is damaged.",
        "memory_limit": "A group of rows takes more memory than the limits allow.",
        "bad_header": "The table has a column without a name, or two of one name.",
        "wrong_column_count": "The row has more or fewer cells than the table has columns.",
        "reader_crash": "The reader of Parquet ended in a crash, in a process of its own.",
        "reader_timeout": "The reader of Parquet took too long.",
    }
)
REPAIRED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "surrogate_replaced": "Half a surrogate pair became U+FFFD.",
        "invalid_utf8_replaced": "Bytes that are no UTF-8 became U+FFFD.",
        "bad_time": "A time that is none became unknown.",
        "bad_attribute": "Attributes of no known shape became unknown.",
    }
)
ODDITIES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "missing_parent": "The parent is not in the trace; the span is one of its tops.",
        "second_root": "A span without a parent, beside another top that began before it.",
        "self_parent": "The span names itself as its parent.",
        "cycle": "Following the parents comes back to the span.",
        "end_before_start": "The span ends before it starts, as recorded.",
        "duplicate_key": "An attribute stands there twice; the last one is taken.",
        "unknown_value": "A value of an attribute is of no known type; it became unknown.",
        "bad_number": "A value that should be a number is none; it became unknown.",
        "oversize_number": "A whole number has more than 64 bits; it became unknown.",
        "non_finite_number": "A number is infinite or not a number; it became unknown.",
        "bad_scope": "The scope of instrumentation cannot be read; the span has none.",
        "bad_resource": "The resource cannot be read; the span has none.",
        "dropped_events": "The recorder itself left out events of the span.",
        "dropped_links": "The recorder itself left out links of the span.",
        "truncated": "A length limit cut a text of the span.",
        "content_by_reference": "The content was uploaded elsewhere; the span holds its address.",
        "trace_only": "Only the trace was exported, without its observations; it became a span.",
    }
)
RECORDS: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "Duplicate records": DUPLICATES,
        "Repaired records": REPAIRED,
        "Rejected records": REJECTED,
        "Oddities of spans": ODDITIES,
    }
)
MEANINGS: Final[Mapping[str, str]] = MappingProxyType(
    {word: text for words in RECORDS.values() for word, text in words.items()}
)
