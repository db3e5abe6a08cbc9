"""Plain inputs and outputs: the question or the answer inside an application's object.

{"task": "What is the population of Tokyo?", "stream": false}      smolagents
{"data": {"router": {"query": "How many vacation days?"}}}         Haystack
{"response": "You get 25 days.", "source_nodes": [...]}            LlamaIndex
{"llm": {"replies": ["You get 25 days."]}}                         Haystack
"""

from collections.abc import Mapping
from dataclasses import replace

from ingest.conventions.parts import read_content
from ingest.span import Value
from ingest.values import Decoded, text_of

_QUESTIONS = (
    "question",
    "query",
    "query_str",
    "search_query",
    "user_query",
    "user_input",
    "user_message",
    "q",
    "input",
    "task",
    "prompt",
    "new_message",
    "message",
    "text",
    "content",
    "args",
)
_ANSWERS = (
    "answer",
    "final_answer",
    "response",
    "output",
    "output_text",
    "result",
    "reply",
    "replies",
    "completion",
    "generation",
    "text",
    "content",
)
_QUERIES = ("query", "query_str", "search_query", "question", "q", "input", "text")
_COLLECTIONS = (
    "collection",
    "collection_name",
    "index",
    "index_name",
    "namespace",
    "knowledge_base",
    "knowledgeBaseId",
    "data_source",
)
_CALL = {"args", "kwargs"}
_MAX_NESTING = 3


def question_of(value: Value) -> str | None:
    """Return the text that an input object asks; None when no key for it is there."""
    return _find(value, _QUESTIONS, _MAX_NESTING)


def answer_of(value: Value) -> str | None:
    """Return the text that an output object answers; None when no key for it is there."""
    return _find(value, _ANSWERS, _MAX_NESTING)


def query_of(value: Value) -> str | None:
    """Return the text that a search was given, alone or with its settings."""
    return _find(value, _QUERIES, _MAX_NESTING)


def collection_of(value: Value) -> str | None:
    """Return the collection that a search names among its settings."""
    if not isinstance(value, dict):
        return None
    names = (text_of(value.get(key)) for key in _COLLECTIONS)
    return next((name for name in names if name and not name.isdigit()), None)


def called_with(arguments: Decoded) -> Decoded:
    """Return the arguments of a Python call by name; positional ones stay under `args`."""
    value = arguments.value
    if not isinstance(value, dict) or not value.keys() >= _CALL:
        return arguments
    named, positional = value["kwargs"], value["args"]
    called = dict(named) if isinstance(named, dict) else {}
    if positional:
        called["args"] = positional
    return replace(arguments, value=called)


def _find(value: Value, keys: tuple[str, ...], nesting: int) -> str | None:
    """Look at this level first, then inside; deeper objects are settings, not content."""
    if not isinstance(value, dict):
        return _text(value)
    for key in keys:
        if (text := _text(value.get(key))) is not None:
            return text
    if nesting:
        for inner in value.values():
            if isinstance(inner, dict) and (text := _find(inner, keys, nesting - 1)) is not None:
                return text
    return None


def _text(value: Value) -> str | None:
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, dict) and _is_message(value):
        return read_content(value.get("parts") or value.get("content")).text
    return text_of(value)


def _is_message(value: Mapping[str, Value]) -> bool:
    return "role" in value and ("parts" in value or "content" in value)
