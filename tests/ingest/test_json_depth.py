import json
from pathlib import Path

import pytest

from ingest.json_depth import DEPTH_MARK, shallow
from tests.ingest.exports import line
from tests.ingest.formats.test_flat_spans import span
from tests.ingest.outcome import read_bytes

MARK = DEPTH_MARK.decode()
DEEP = "[" * 5_000 + "]" * 5_000


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("[[1], 2]", "[[1], 2]", id="nothing is deep"),
        pytest.param("[[[[1]]]]", "[[[[1]]]]", id="a little deeper stays"),
        pytest.param(f"[[[{'[' * 20}]]", f"[[[{'[' * 20}]]", id="what never ends stays"),
        pytest.param(
            f"[[[{'[' * 20}{']' * 20}]], 3]", f"[[[{MARK.ljust(40)}]], 3]", id="in a list"
        ),
        pytest.param(
            f'[{{"a":{{"b":{"[" * 20}{"]" * 20}}}}}]',
            f'[{{"a":{{{f"{MARK}:0".ljust(44)}}}}}]',
            id="in an object",
        ),
        pytest.param(f'[[["{"[" * 40}"]]]', f'[[["{"[" * 40}"]]]', id="in a text it is none"),
        pytest.param("", "", id="empty"),
    ],
)
def test_what_is_deep_is_marked_in_its_place(text: str, expected: str) -> None:
    assert shallow(text.encode(), most=3).decode() == expected


def test_a_deep_span_costs_no_neighbour_in_its_request(tmp_path: Path) -> None:
    request = json.loads(line(1))
    first, second, third = request["resourceSpans"][0]["scopeSpans"][0]["spans"]
    second["attributes"] = "@"
    text = json.dumps(request).replace('"@"', DEEP)
    found = read_bytes(tmp_path, text.encode())
    assert [s.span_id for s in found.spans] == [first["spanId"], third["spanId"]]
    assert [(loss.reason, loss.span_id) for loss in found.losses] == [
        ("too_deep", second["spanId"])
    ]


def test_a_deep_resource_costs_its_spans(tmp_path: Path) -> None:
    request = json.loads(line(1))
    request["resourceSpans"][0]["resource"] = "@"
    found = read_bytes(tmp_path, json.dumps(request).replace('"@"', DEEP).encode())
    assert (found.spans, found.reasons) == ([], ["too_deep"] * 3)


def test_a_deep_span_of_a_document_costs_no_neighbour(tmp_path: Path) -> None:
    spans = [span(), span(attributes="@"), span(name="third")]
    text = json.dumps({"spans": spans}).replace('"@"', DEEP)
    found = read_bytes(tmp_path, text.encode())
    assert ([s.name for s in found.spans][-1], found.reasons) == ("third", ["too_deep"])


def test_depth_beside_the_spans_is_told(tmp_path: Path) -> None:
    text = json.dumps({"spans": [span()], "about": "@"}).replace('"@"', DEEP)
    found = read_bytes(tmp_path, text.encode())
    assert (len(found.spans), found.reasons) == (1, ["too_deep"])
