"""Arbitrary structure in the place of OTLP: every record ends in one outcome."""

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.robustness.outcome import outcome_of

LEAVES: st.SearchStrategy[Any] = (
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["0" * 16, "ab" * 8, "cd" * 16, "1767225600000000000", "NaN", "", "x"])
)
ANYTHING: st.SearchStrategy[Any] = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)


def or_anything(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Draw what should stand there most times, and anything else sometimes."""
    return st.integers(0, 9).flatmap(lambda n: ANYTHING if n == 0 else strategy)


def record(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Draw an object with some of these fields."""
    optional = {name: or_anything(strategy) for name, strategy in fields.items()}
    return st.fixed_dictionaries({}, optional=optional)


def listed(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(or_anything(strategy), max_size=3)


IDS = st.sampled_from(["ab" * 8, "cd" * 8, "0" * 16, "q83vq83vq80=", "x"])
TRACES = st.sampled_from(["ab" * 16, "cd" * 16, "0" * 32, "y"])
TIMES = st.integers(0, 2**64).map(str) | st.integers(0, 2**63) | st.just("1767225600000000000")
SCALARS = record(
    stringValue=st.text(max_size=6),
    intValue=st.integers().map(str),
    doubleValue=st.floats(),
    boolValue=st.booleans(),
    bytesValue=st.text(max_size=6),
)
VALUES = SCALARS | record(
    arrayValue=record(values=listed(SCALARS)),
    kvlistValue=record(values=listed(record(key=st.text(max_size=4), value=SCALARS))),
)
KEYS = st.text(max_size=4) | st.sampled_from(
    ["gen_ai.operation.name", "gen_ai.input.messages", "openinference.span.kind", "input.value"]
)
ATTRIBUTES = listed(record(key=KEYS, value=VALUES))
SPANS = record(
    traceId=TRACES,
    spanId=IDS,
    parentSpanId=IDS,
    name=st.text(max_size=6),
    kind=st.integers(0, 5) | st.just("SPAN_KIND_CLIENT"),
    startTimeUnixNano=TIMES,
    endTimeUnixNano=TIMES,
    attributes=ATTRIBUTES,
    events=listed(record(name=st.text(max_size=6), timeUnixNano=TIMES, attributes=ATTRIBUTES)),
    links=listed(record(traceId=TRACES, spanId=IDS, attributes=ATTRIBUTES)),
    status=record(code=st.integers(0, 2), message=st.text(max_size=6)),
    droppedAttributesCount=st.integers(0, 5),
)
LOGS = record(traceId=TRACES, spanId=IDS, timeUnixNano=TIMES, body=VALUES, attributes=ATTRIBUTES)
SCOPES = {"scope": record(name=st.text(max_size=6), version=st.text(max_size=3))}
GROUPS = {"resource": record(attributes=ATTRIBUTES)}
REQUESTS = record(
    resourceSpans=listed(
        record(**GROUPS, scopeSpans=listed(record(**SCOPES, spans=listed(SPANS))))
    ),
    resourceLogs=listed(
        record(**GROUPS, scopeLogs=listed(record(**SCOPES, logRecords=listed(LOGS))))
    ),
)


@settings(max_examples=150)
@given(st.lists(REQUESTS, min_size=1, max_size=3), st.booleans())
def test_any_structure_is_counted(requests: list[Any], as_lines: bool) -> None:  # noqa: FBT001
    separator = "\n" if as_lines else ",\n"
    text = separator.join(map(json.dumps, requests))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "input"
        path.write_text(text if as_lines else f"[{text}]", "utf-8")
        found = outcome_of(path)
    complete = '{"traceId": "' + "ab" * 16
    assert found.read >= 0
    assert found.read or complete not in text or '"spanId": "' not in text
