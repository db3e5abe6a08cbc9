"""Attributes: every value form, decoded late, never failing."""

import json
from typing import Any

import pytest
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, ArrayValue, KeyValue, KeyValueList

from ingest import Attributes, Value
from ingest.attributes import Form


def pairs(**values: Any) -> bytes:
    return json.dumps([{"key": k, "value": v} for k, v in values.items()]).encode()


@pytest.mark.parametrize(
    ("node", "expected", "flags"),
    [
        pytest.param({"stringValue": "x"}, "x", (), id="string"),
        pytest.param({"stringValue": ""}, "", (), id="empty string"),
        pytest.param({"boolValue": False}, False, (), id="false"),
        pytest.param({"boolValue": "true"}, True, (), id="bool as text"),
        pytest.param({"boolValue": ["NaN"]}, None, ("bad_attribute",), id="bool as list"),
        pytest.param({"boolValue": {"a": 1}}, None, ("bad_attribute",), id="bool as object"),
        pytest.param({"intValue": "7"}, 7, (), id="int as text"),
        pytest.param({"intValue": 7}, 7, (), id="int"),
        pytest.param({"intValue": 7.0}, 7, (), id="whole float"),
        pytest.param({"intValue": str(-(2**63))}, -(2**63), (), id="smallest int"),
        pytest.param({"intValue": "7.5"}, None, ("bad_number",), id="no int"),
        pytest.param({"intValue": "１"}, None, ("bad_number",), id="int in other digits"),
        pytest.param({"intValue": 10**19 * 2}, None, ("oversize_number",), id="beyond 64 bits"),
        pytest.param({"intValue": "9" * 5000}, None, ("bad_number",), id="5,000 digits"),
        pytest.param({"doubleValue": 1}, 1.0, (), id="whole double"),
        pytest.param({"doubleValue": "0.5"}, 0.5, (), id="double as text"),
        pytest.param({"doubleValue": "NaN"}, None, ("non_finite_number",), id="NaN"),
        pytest.param({"doubleValue": "-Infinity"}, None, ("non_finite_number",), id="infinity"),
        pytest.param({"doubleValue": "1..2"}, None, ("bad_number",), id="no double"),
        pytest.param({"bytesValue": "AAE="}, "AAE=", (), id="bytes stay base64"),
        pytest.param({}, None, (), id="empty value"),
        pytest.param(None, None, (), id="no value"),
        pytest.param({"stringValue": None}, None, (), id="null in it"),
        pytest.param({"newValue": 1}, None, ("unknown_value",), id="unknown kind"),
        pytest.param({"string_value": "x"}, "x", (), id="snake case"),
        pytest.param("bare", "bare", (), id="no type around it"),
        pytest.param({"arrayValue": {"values": [{"intValue": 1}, {}]}}, [1, None], (), id="array"),
        pytest.param({"arrayValue": {}}, [], (), id="empty array"),
        pytest.param({"array_value": {"values": [{"int_value": "1"}]}}, [1], (), id="snake array"),
        pytest.param(
            {"kvlistValue": {"values": [{"key": "a", "value": {"arrayValue": {"values": []}}}]}},
            {"a": []},
            (),
            id="map",
        ),
        pytest.param({"arrayValue": {"values": 3}}, None, ("bad_attribute",), id="no list"),
    ],
)
def test_a_json_value(node: Any, expected: Value, flags: tuple[str, ...]) -> None:
    attributes = Attributes(pairs(a=node))
    assert dict(attributes) == {"a": expected}
    assert type(attributes["a"]) is type(expected)
    assert attributes.flags == flags
    assert json.loads(attributes.raw_json()) == {"a": expected}


@pytest.mark.parametrize(
    ("raw", "expected", "flags"),
    [
        pytest.param(b"", {}, (), id="nothing"),
        pytest.param(b"null", {}, (), id="null"),
        pytest.param(b"[]", {}, (), id="empty"),
        pytest.param(b'{"a": 1, "b": ["x"]}', {"a": 1, "b": ["x"]}, (), id="a plain object"),
        pytest.param(b"[1]", {}, ("bad_attribute",), id="no pair"),
        pytest.param(b'[{"value": {}}]', {}, ("bad_attribute",), id="no key"),
        pytest.param(b'"text"', {}, ("bad_attribute",), id="no list"),
        pytest.param(b"[{", {}, ("bad_attribute",), id="no JSON"),
        pytest.param(
            b'[{"key":"a","value":{"intValue":1}},{"key":"a","value":{"intValue":2}}]',
            {"a": 2},
            ("duplicate_key",),
            id="the last of equal keys wins",
        ),
        pytest.param(
            b'[{"key":"a","value":{"doubleValue":1e999}}]',
            {"a": None},
            ("non_finite_number",),
            id="a number beyond doubles",
        ),
        pytest.param(
            b'[{"key":"a","value":{"stringValue":"\\u0000b"}}]', {"a": "\0b"}, (), id="NUL is kept"
        ),
    ],
)
def test_an_attribute_list(raw: bytes, expected: dict[str, Value], flags: tuple[str, ...]) -> None:
    attributes = Attributes(raw)
    assert dict(attributes) == expected
    assert attributes.flags == flags
    assert json.loads(attributes.raw_json()) == expected


def test_values_may_nest_64_deep() -> None:
    def nested(levels: int) -> dict[str, Any]:
        return {"arrayValue": {"values": [nested(levels - 1)]}} if levels else {"intValue": 1}

    assert Attributes(pairs(a=nested(64))).flags == ()
    assert Attributes(pairs(a=nested(65))).flags == ("too_deep",)


def test_protobuf_and_json_give_the_same() -> None:
    values = [
        KeyValue(key="text", value=AnyValue(string_value="é\0")),
        KeyValue(key="flag", value=AnyValue(bool_value=True)),
        KeyValue(key="big", value=AnyValue(int_value=9007199254740993)),
        KeyValue(key="nan", value=AnyValue(double_value=float("nan"))),
        KeyValue(key="bytes", value=AnyValue(bytes_value=b"\0\1")),
        KeyValue(key="none"),
        KeyValue(
            key="list", value=AnyValue(array_value=ArrayValue(values=[AnyValue(int_value=1)]))
        ),
        KeyValue(
            key="map",
            value=AnyValue(
                kvlist_value=KeyValueList(
                    values=[KeyValue(key="x", value=AnyValue(double_value=0.5))]
                )
            ),
        ),
    ]
    raw = KeyValueList(values=values).SerializeToString()
    attributes = Attributes(raw, Form.PROTOBUF)
    expected: dict[str, Value] = {
        "text": "é\0",
        "flag": True,
        "big": 9007199254740993,
        "nan": None,
        "bytes": "AAE=",
        "none": None,
        "list": [1],
        "map": {"x": 0.5},
    }
    assert attributes == expected
    assert attributes.flags == ("non_finite_number",)
    assert json.loads(attributes.raw_json()) == expected
    assert attributes == Attributes.of(expected)


def test_broken_protobuf_is_empty_and_flagged() -> None:
    attributes = Attributes(b"\xff\xff", Form.PROTOBUF)
    assert (dict(attributes), attributes.flags) == ({}, ("bad_attribute",))


def test_searching_decodes_nothing() -> None:
    attributes = Attributes(pairs(**{"http.route": {"stringValue": "gen_ai"}}))
    assert attributes.mentions(b"openinference", b"gen_ai")
    assert not attributes.mentions(b"traceloop.", b"mlflow.")
    assert not attributes.mentions()
    assert not Attributes(b"[not json, never looked at").mentions(b"gen_ai")


def test_ready_values_become_attributes() -> None:
    attributes = Attributes.of({"a": float("inf"), "b": "\ud83d x", "c": [1, {"d": 2**70}]})
    assert attributes == {"a": None, "b": "\ufffd x", "c": [1, {"d": None}]}
    assert attributes.flags == ("non_finite_number", "oversize_number", "surrogate_replaced")
    assert attributes.mentions(b'"c"')


def test_evidence_is_one_object_of_plain_values() -> None:
    raw = rb'[{"key":"a","value":{"stringValue":"caf\u00e9"}},{"key":"b","value":{"intValue":"7"}}]'
    assert Attributes(raw).raw_json() == '{"a":"café","b":7}'


@pytest.mark.parametrize("digits", ["007", "--7", "7 ", "", "1" * 25])
def test_evidence_is_json_whatever_a_number_holds(digits: str) -> None:
    text = Attributes(pairs(a={"intValue": digits})).raw_json()
    assert set(json.loads(text)) == {"a"}


def test_attributes_equal_what_they_hold() -> None:
    one, other = pairs(a={"intValue": 1}), pairs(a={"intValue": "1"})
    assert Attributes(one) == Attributes(other) == {"a": 1}
    assert Attributes(one) != {"a": 2}
    assert Attributes(one) != 1
    assert "a" in Attributes(one)
    assert repr(Attributes(one)) == "Attributes({'a': 1})"


@pytest.mark.parametrize(
    ("keys", "begins"),
    [
        pytest.param(["gen_ai.prompt.0.role"], True, id="a leaf"),
        pytest.param(["a", "gen_ai.prompt."], True, id="not the first"),
        pytest.param(["gen_ai.prompt"], False, id="shorter"),
        pytest.param(["x.gen_ai.prompt.0"], False, id="inside of a key"),
        pytest.param(["x\0gen_ai.prompt.0"], False, id="behind a NUL of a key"),
        pytest.param([], False, id="no keys"),
    ],
)
def test_keys_that_begin_so(keys: list[str], begins: bool) -> None:  # noqa: FBT001
    assert Attributes.of(dict.fromkeys(keys, 1)).begins("gen_ai.prompt.") is begins


def test_values_that_are_objects_fold_names() -> None:
    assert Attributes.of({"a": 1, "b": {"c": 2}}).is_folded
    assert not Attributes.of({"a": 1, "b": [{"c": 2}]}).is_folded
