"""Catalogues: the tools that a model could choose from.

    {"type": "function", "name": "stock", "parameters": {…}}           OTel GenAI
    {"type": "function", "function": {"name": "stock", …}}             OpenAI
    {"name": "stock", "input_schema": {…}}                             Anthropic
    {"toolSpec": {"name": "stock", "inputSchema": {"json": {…}}}}      Bedrock
    {"type": "haystack.tools.tool.Tool", "data": {"name": "stock", …}} Haystack
    {"tool": {"json_schema": "…"}}                                     OpenInference

The last one holds the JSON text of one of the others.
"""

from collections.abc import Iterator, Mapping

from ingest.span import ToolDefinition, Value
from ingest.values import decode, identifier, text_of

_LISTS = ("tools", "functions", "function_tools", "function_declarations", "choices")
_WRAPPERS = ("function", "toolSpec", "tool", "json_schema", "metadata", "data")
_SCHEMAS = (
    "parameters",
    "input_schema",
    "inputSchema",
    "parameters_json_schema",
    "parametersJsonSchema",
    "args_schema",
    "schema",
)
_MAX_WRAPPERS = 4


def read_definitions(value: Value) -> tuple[ToolDefinition, ...] | None:
    """Read a list of tool definitions; None when *value* is no list.

    Bare names are definitions without a schema. Items without a name are passed over.
    """
    decoded = decode(value).value
    if isinstance(decoded, dict):
        decoded = next((v for key in _LISTS if isinstance(v := decoded.get(key), list)), None)
    if not isinstance(decoded, list):
        return None
    return tuple(found for item in decoded for found in _definitions(item))


def read_schema(value: Value) -> Value:
    """Return a JSON schema, also out of Bedrock's wrapper or a bare list of properties."""
    schema = decode(value).value
    if not isinstance(schema, dict):
        return schema
    inner = schema.get("json")
    if isinstance(inner, dict):
        return inner
    bare = bool(schema) and all(isinstance(p, dict) and "type" in p for p in schema.values())
    return {"type": "object", "properties": schema} if bare else schema


def is_schema(value: Value) -> bool:
    """Tell a JSON schema of arguments from the arguments of a call."""
    if not isinstance(value, dict):
        return False
    return isinstance(value.get("properties"), dict) or value.get("type") == "object"


def _definitions(item: Value) -> Iterator[ToolDefinition]:
    if isinstance(item, dict) and isinstance(item.get("function_declarations"), list):
        yield from read_definitions(item["function_declarations"]) or ()
        return
    decoded = decode(item).value
    if isinstance(decoded, str):
        yield ToolDefinition(name=decoded)
    elif isinstance(decoded, dict) and (found := _definition(decoded, _MAX_WRAPPERS)):
        yield found


def _definition(told: Mapping[str, Value], wrappers: int) -> ToolDefinition | None:
    if name := identifier(told.get("name")):
        schema = next((told[key] for key in _SCHEMAS if told.get(key) is not None), None)
        return ToolDefinition(
            name=name,
            description=text_of(told.get("description")),
            parameters=read_schema(schema),
        )
    for key in _WRAPPERS if wrappers else ():
        inner = decode(told.get(key)).value
        if isinstance(inner, dict):
            return _definition(inner, wrappers - 1)
    return None
