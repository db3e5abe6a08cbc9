import pytest

from ingest.span import Value
from stages.wording import parsed, same_words, squeezed, strings_in, value_key, value_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"a": [1, null]}', {"a": [1, None]}),
        (" [1]", [1]),
        ("[NaN]", [None]),
        ('["\\ud83d\\ude00"]', ["😀"]),
        ('["\\ud83d end"]', ["\ufffd end"]),
        ('{"\\udc00": {"a": "\\udc00"}}', {"\ufffd": {"a": "\ufffd"}}),
        ("7", None),
        ('"a"', None),
        ("[1", None),
        ("[" * 100_000, None),
        ("", None),
    ],
)
def test_lists_and_objects_are_parsed(text: str, expected: Value) -> None:
    assert parsed(text) == expected


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Thirty  days.", "thirty\ndays", True),
        ("返品期限は？", "返品期限は", True),
        ("a", "b", False),
        (None, None, False),
        ("", "", True),
    ],
)
def test_words_are_compared_without_case_space_and_closing_marks(
    one: str | None, other: str | None, same: object
) -> None:
    assert same_words(one, other) is same


def test_values_as_texts() -> None:
    value: Value = {"b": "ü", "a": [1, {"c": "x"}]}
    assert value_text("ü") == "ü"
    assert value_text(value) == '{"b": "ü", "a": [1, {"c": "x"}]}'
    assert value_key(value) == value_key({"a": [1, {"c": "x"}], "b": "ü"})
    assert list(strings_in(value)) == ["ü", "x"]
    assert squeezed(" a\u2003b\n") == "a b"
