import json
from time import perf_counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.span import Capture, Value
from ingest.values import (
    count,
    decode,
    identifier,
    is_placeholder,
    number,
    parse_json_layers,
    parse_python_literal,
    text_of,
)

KOELN = {"city": "Köln"}
ONCE = json.dumps(KOELN)
TWICE = json.dumps(ONCE)
THRICE = json.dumps(TWICE)


@pytest.mark.parametrize(
    ("recorded", "value"),
    [
        pytest.param(KOELN, KOELN, id="a structure"),
        pytest.param(ONCE, KOELN, id="JSON"),
        pytest.param(TWICE, KOELN, id="JSON in a JSON string"),
        pytest.param(THRICE, KOELN, id="and once more"),
        pytest.param(f"  {ONCE}\n", KOELN, id="with space around"),
        pytest.param('{"payload":"{\\"a\\":1}"}', {"payload": '{"a":1}'}, id="a string in an object stays"),
        pytest.param('{"sql": "[1]"}', {"sql": "[1]"}, id="whatever it looks like"),
        pytest.param('["{}"]', ["{}"], id="a string in a list stays"),
        pytest.param('"ok"', "ok", id="a JSON string"),
        pytest.param('"1"', "1", id="a number in a JSON string is a text"),
        pytest.param("7", "7", id="a bare number is a text"),
        pytest.param("true", "true", id="a bare word is a text"),
        pytest.param("", "", id="an empty text"),
        pytest.param("null", None, id="null"),
        pytest.param("None", None, id="None"),
        pytest.param("[]", [], id="an empty list"),
        pytest.param("{'query': 'x', 'n': None}", {"query": "x", "n": None}, id="a Python dict"),
        pytest.param("{'a': (1, 2.5), 'b': {3, 1}}", {"a": [1, 2.5], "b": [1, 3]}, id="tuples and sets become lists"),
        pytest.param("{1: True}", {"1": True}, id="keys become texts"),
        pytest.param("{'x': nan}", "{'x': nan}", id="a name is no constant"),
        pytest.param("[1] Employees accrue 25 days.", "[1] Employees accrue 25 days.", id="a citation is no list"),
        pytest.param('"Hello," she said.', '"Hello," she said.', id="a quotation is no JSON string"),
        pytest.param("{name} is here", "{name} is here", id="a template is no object"),
        pytest.param("[<NodeWithScore(x)>]", "[<NodeWithScore(x)>]", id="a repr that is no literal"),
        pytest.param("[", "[", id="a bracket"),
        pytest.param('{"a": NaN, "b": -Infinity, "c": 1e999}', {"a": None, "b": None, "c": None}, id="not finite"),
        pytest.param('{"a": 123456789012345678901}', {"a": "123456789012345678901"}, id="21 digits stay text"),
        pytest.param('{"a": "x\ty\x00z"}', {"a": "x\ty\x00z"}, id="raw control characters"),
        pytest.param('{"a": "\\ud83e"}', {"a": "\ufffd"}, id="half a surrogate pair"),
        pytest.param('{"a": "\\ud83d\\ude00"}', {"a": "😀"}, id="a whole surrogate pair"),
        pytest.param("{'a': '\\ud83e'}", {"a": "\ufffd"}, id="half a pair in a Python repr"),
    ],
)  # fmt: skip
def test_decode(recorded: Value, value: Value) -> None:
    decoded = decode(recorded)
    assert (decoded.value, decoded.capture) == (value, "captured")


@pytest.mark.parametrize(
    "recorded",
    [
        None,
        "__REDACTED__",
        "<not serializable>",
        "<elided>",
        " [REDACTED] ",
        "***",
        '"__REDACTED__"',
        '{"result": "<not serializable>"}',
        {"result": "<not serializable>"},
        ["__REDACTED__", {"a": ["<elided>"]}],
        "{'a': '<elided>'}",
        "<generator object CodeAgent._run_stream at 0x7f2c1c3b5e00>",
        "<async_generator object f at 0x7f2c>",
        "<openai.Stream object at 0x7f2c>",
        "<function <lambda> at 0x7f2c>",
        "[Scrubbed due to 'password']",
    ],
)
def test_what_a_recorder_wrote_in_place_of_content_is_not_captured(recorded: Value) -> None:
    decoded = decode(recorded)
    assert (decoded.value, decoded.capture) == (None, "not_captured")


@pytest.mark.parametrize(
    "recorded",
    [
        {},
        [],
        {"a": "__REDACTED__", "b": "x"},
        "the field is __REDACTED__",
        "<b>bold</b>",
        "<NodeWithScore(node=TextNode(id_=hr-001), score=0.9)>",
        "<function calling is a feature of models>",
        "the word redacted",
    ],
)
def test_content_is_no_placeholder(recorded: Value) -> None:
    assert not is_placeholder(recorded)


@pytest.mark.parametrize(
    ("recorded", "value", "last_cut"),
    [
        pytest.param('[{"a":1},{"b":2},{"c":"hhh', [{"a": 1}, {"b": 2}, {"c": "hhh"}], True, id="in a text"),
        pytest.param('[{"a":1},{"b":2}', [{"a": 1}, {"b": 2}], False, id="after an item"),
        pytest.param('[{"a":1},{"b":2},', [{"a": 1}, {"b": 2}], False, id="after a comma"),
        pytest.param('[{"a":1},{"b":"x"', [{"a": 1}, {"b": "x"}], True, id="before a brace"),
        pytest.param('[{"a":1},{"b":', [{"a": 1}, {}], True, id="before a value"),
        pytest.param('[{"a":1},{"b', [{"a": 1}, {}], True, id="in a key"),
        pytest.param('["x", 12', ["x"], False, id="a number may go on behind the cut"),
        pytest.param('["x", tru', ["x"], False, id="so may a word"),
        pytest.param('["x\\', ["x"], True, id="in an escape"),
        pytest.param('["x\\u00', ["x"], True, id="in a unicode escape"),
        pytest.param('["x\\\\u00', ["x\\u00"], True, id="an escaped backslash is whole"),
        pytest.param('["x...[truncated 80 chars]', ["x"], True, id="before the recorder's mark"),
        pytest.param('"[{\\"a\\": \\"b', [{"a": "b"}], True, id="inside a JSON string"),
        pytest.param('{"a": {"b": [1, 2', {"a": {"b": [1]}}, True, id="deep inside"),
    ],
)  # fmt: skip
def test_cut_json_keeps_what_stands_before_the_cut(
    recorded: str, value: Value, *, last_cut: bool
) -> None:
    decoded = decode(recorded)
    assert decoded.value == value
    assert decoded.capture == "truncated"
    assert decoded.last_cut is last_cut


@pytest.mark.parametrize(
    "recorded",
    ["[note] read this", '{"a" 1', '["a"]]', "[1 2", '{"a": x, "b', '["\\x', "[,", '{"a":1}{"b":2'],
)
def test_what_breaks_the_grammar_is_no_cut_json(recorded: str) -> None:
    decoded = decode(recorded)
    assert (decoded.value, decoded.capture) == (recorded, "captured")


@pytest.mark.parametrize(
    ("text", "capture"),
    [
        ("long text that ends in the middle of a w...[truncated 5120 chars]", "truncated"),
        ("long text … <truncated>", "truncated"),
        ("the list was truncated", "captured"),
        ("see [truncated] above", "captured"),
    ],
)
def test_a_recorders_mark_at_the_end_tells_a_cut_text(text: str, capture: Capture) -> None:
    decoded = decode(text)
    assert (decoded.value, decoded.capture) == (text, capture)


@given(
    value=st.recursive(
        st.none() | st.booleans() | st.integers(-9, 9) | st.text(),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    ).filter(lambda value: isinstance(value, list | dict) and value and not is_placeholder(value)),
    data=st.data(),
)
def test_every_prefix_of_json_is_read_or_left_as_it_is(value: Any, data: st.DataObject) -> None:
    whole = json.dumps(value, ensure_ascii=data.draw(st.booleans()))
    assert decode(whole).value == value
    prefix = whole[: data.draw(st.integers(1, len(whole) - 1))]
    decoded = decode(prefix)
    assert type(decoded.value) in (type(value), str, type(None))


@pytest.mark.parametrize(
    "hostile",
    [
        pytest.param("[" * 1_000_000, id="open brackets"),
        pytest.param('{"a":' * 100_000, id="open objects"),
        pytest.param("{'a':" * 100_000, id="open dicts"),
        pytest.param("(" * 1_000_000, id="open parentheses"),
        pytest.param('"' + "\\" * 1_000_000, id="backslashes"),
        pytest.param("['" + "\\'" * 300_000, id="escaped quotes"),
        pytest.param("[" + "-" * 400_000 + "1]", id="signs"),
        pytest.param("[" + "1+" * 200_000 + "1]", id="a sum"),
        pytest.param("[a" + ".a" * 200_000 + "]", id="attributes of attributes"),
        pytest.param("[a" + "()" * 200_000 + "]", id="calls of calls"),
        pytest.param("[a" + "[0]" * 200_000 + "]", id="items of items"),
        pytest.param("[" + "not " * 200_000 + "1]", id="negations"),
        pytest.param("[" + "1if 1else " * 100_000 + "1]", id="conditions"),
        pytest.param("[lambda:" * 50_000, id="functions"),
        pytest.param("<" * 1_000_000, id="angle brackets"),
        pytest.param("9" * 1_000_000, id="digits"),
        pytest.param("[" + "9" * 500_000 + "]", id="a long number"),
        pytest.param("x" + "." * 1_000_000 + "[truncated", id="a mark that does not end"),
    ],
)
def test_hostile_text_is_left_alone_at_once(hostile: str) -> None:
    start = perf_counter()
    decoded = decode(hostile)
    assert perf_counter() - start < 2
    assert isinstance(decoded.value, str | list)


def test_64_levels_are_read_and_65_are_not() -> None:
    deepest = "[" * 64 + "]" * 64
    assert decode(deepest).value != deepest
    too_deep = "[" + deepest + "]"
    assert decode(too_deep).value == too_deep
    with pytest.raises(ValueError, match="deeper than 64"):
        parse_json_layers(too_deep)


def test_brackets_in_texts_are_no_levels() -> None:
    assert decode('["' + "[" * 100 + '"]').value == ["[" * 100]
    assert decode("['" + "[" * 100 + "']").value == ["[" * 100]


def test_json_layers_want_json() -> None:
    with pytest.raises(ValueError, match="Expecting value"):
        parse_json_layers("Hello")


@pytest.mark.parametrize(
    "text",
    ["__import__('os')", "[open('x')]", "{'a': b'x'}", "'text'", "[1, 2", "1", "", "{'a': x.y}"],
)
def test_only_literals_of_containers_are_python(text: str) -> None:
    assert parse_python_literal(text) is None


@pytest.mark.parametrize(
    ("value", "found"),
    [(0.5, 0.5), (3, 3.0), ("0.25", 0.25), (" 7 ", 7.0), ("NaN", None), ("inf", None), (float("nan"), None),
     (True, None), (None, None), ("", None), ("x", None), ([1], None), (10**400, None)],
)  # fmt: skip
def test_number(value: Value, found: float | None) -> None:
    assert number(value) == found


@pytest.mark.parametrize(
    ("value", "found"),
    [(0, 0), (15, 15), ("15", 15), (15.0, 15), (-1, None), ("x", None), (True, None), (None, None)],
)
def test_count(value: Value, found: int | None) -> None:
    assert count(value) == found


@pytest.mark.parametrize(
    ("value", "text", "name"),
    [
        pytest.param("conv-42", "conv-42", "conv-42", id="a text"),
        pytest.param("", "", None, id="an empty text is a text and no id"),
        pytest.param(42, None, "42", id="a number is an id and no text"),
        pytest.param("__REDACTED__", None, None, id="masked"),
        pytest.param(True, None, None, id="a flag"),
        pytest.param(["a"], None, None, id="a list"),
    ],
)
def test_texts_and_identifiers(value: Value, text: str | None, name: str | None) -> None:
    assert (text_of(value), identifier(value)) == (text, name)
