import gzip
import json
from base64 import b64decode
from math import inf, nan
from typing import Any

import pytest

from analysis.report.html.islands import compact, packed, plain


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("</script><script>alert(1)</script>", id="end of the element"),
        pytest.param("<!--<script>", id="the state in which an end tag does not count"),
        pytest.param("]]>&lt;&amp;", id="entities"),
        pytest.param("a\u2028b\u2029c", id="line ends of old scripts"),
        pytest.param("\u202eabc", id="bidi override"),
    ],
)
def test_no_text_ends_the_element(text: str) -> None:
    island = plain({text: [text]})
    assert not set(island) & set("<>&\u2028\u2029")
    assert json.loads(island) == {text: [text]}


def test_half_a_character_is_an_escape() -> None:
    island = plain(["\ud83d"])
    assert island == '["\\ud83d"]'
    assert island.encode()


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param({"score": inf}, {"score": "inf"}, id="infinite"),
        pytest.param([(nan, 1.5)], [["nan", 1.5]], id="no number"),
        pytest.param({"order": 12345678901234567890}, {"order": 12345678901234567890}, id="large"),
    ],
)
def test_numbers_that_json_does_not_have_are_words(value: Any, expected: Any) -> None:
    assert json.loads(compact(value)) == expected


def test_a_packed_value_comes_back_and_is_the_same_each_time() -> None:
    value = {"texts": ["</script>", "é", None]}
    assert json.loads(gzip.decompress(b64decode(packed(value)))) == value
    assert packed(value) == packed(value)
