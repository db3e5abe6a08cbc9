"""One attribute value of binary OTLP as a Python value; see `ingest.any_value` for JSON.

Apart from the JSON form so that readers of JSON never load protobuf.
"""

import base64
from collections.abc import Iterable
from typing import cast

from google.protobuf.message import DecodeError
from opentelemetry.proto.common.v1.common_pb2 import AnyValue, KeyValue, KeyValueList

from ingest.any_value import MAX_DEPTH, double
from ingest.span import Value


def value_of_message(message: AnyValue, flags: set[str], depth: int = 0) -> Value:
    """Return the value of an AnyValue in its protobuf form."""
    kind = message.WhichOneof("value")
    match kind:
        case None:
            return None
        case "string_value" | "bool_value" | "int_value":
            return cast("Value", getattr(message, kind))
        case "double_value":
            return double(message.double_value, flags)
        case "bytes_value":
            return base64.b64encode(message.bytes_value).decode("ascii")
        case "array_value" | "kvlist_value" if depth < MAX_DEPTH:
            if kind == "kvlist_value":
                return pairs_of_messages(message.kvlist_value.values, flags, depth + 1)
            items = message.array_value.values
            return [value_of_message(item, flags, depth + 1) for item in items]
        case "array_value" | "kvlist_value":
            flags.add("too_deep")
        case _:
            flags.add("unknown_value")
    return None


def pairs_of_messages(
    messages: Iterable[KeyValue], flags: set[str], depth: int = 0
) -> dict[str, Value]:
    """Return protobuf KeyValues as a dict; the last of equal keys wins."""
    found: dict[str, Value] = {}
    for message in messages:
        if message.key in found:
            flags.add("duplicate_key")
        found[message.key] = value_of_message(message.value, flags, depth)
    return found


def pairs_of_bytes(raw: bytes, flags: set[str]) -> dict[str, Value]:
    """Return an encoded KeyValueList as a dict; empty, `bad_attribute`, if it is none."""
    try:
        return pairs_of_messages(KeyValueList.FromString(raw).values, flags)
    except DecodeError:
        flags.add("bad_attribute")
        return {}
