from collections.abc import Callable
from typing import Any

import pytest

from analysis.tables.cells import formula_safe, int64, json_text, storable


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("=1+1", id="equals"),
        pytest.param("+1", id="plus"),
        pytest.param("-1+2", id="minus"),
        pytest.param("−Infinity", id="a real minus sign"),
        pytest.param("@SUM(A1)", id="at"),
        pytest.param("  =1", id="behind blanks"),
        pytest.param("\u200b=1", id="behind a zero-width space"),
        pytest.param("\ufeff\u00a0=1", id="behind a byte order mark"),
        pytest.param("\x00=1", id="behind a NUL"),
        pytest.param("＝1", id="full-width equals"),
        pytest.param("＠x", id="full-width at"),
        pytest.param("﹢1", id="small plus"),
        pytest.param("\tx", id="a tab"),
        pytest.param("\rx", id="a carriage return"),
        pytest.param("\nx", id="a line feed"),
    ],
)
def test_a_text_that_would_run_is_marked(text: str) -> None:
    assert formula_safe(text) == f"'{text}"


@pytest.mark.parametrize("value", ["", "a=1", "1+1", "'=1", "   ", -1, 2.5, None, True, "ＡＢ"])
def test_what_would_not_run_is_left_alone(value: Any) -> None:
    assert formula_safe(value) == value


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        pytest.param(2**63 - 1, 2**63 - 1, id="largest"),
        pytest.param(2**63, None, id="one more"),
        pytest.param(-(2**63), -(2**63), id="smallest"),
        pytest.param(-(2**63) - 1, None, id="one less"),
        pytest.param(None, None, id="missing"),
    ],
)
def test_int64(number: int | None, expected: int | None) -> None:
    assert int64(number) == expected


@pytest.mark.parametrize(
    ("convert", "value", "expected"),
    [
        pytest.param(storable, "a\ud83d", "a\ufffd", id="half a character"),
        pytest.param(storable, {"a": ["\udc00", 1, None]}, {"a": ["\ufffd", 1, None]}, id="within"),
        pytest.param(json_text, {"b": "ü", "a": [1, None]}, '{"b":"ü","a":[1,null]}', id="json"),
    ],
)
def test_texts(convert: Callable[[Any], Any], value: Any, expected: Any) -> None:
    assert convert(value) == expected
