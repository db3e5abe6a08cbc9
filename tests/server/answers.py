"""Made-up replies: for any question of a judge a valid object in the schema it asks for.

Only what the schema cannot say is read off the data: how many paragraphs there are, and
which turns, calls and collections are to be judged.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

_BLOCK = re.compile(r"^<<< (.+?) ([0-9a-f]{24})\n(.*?)\n>>> \1 \2$", re.MULTILINE | re.DOTALL)
_PLAIN = {"string": "made up", "integer": 1, "number": 0.5, "boolean": True, "null": None}


def made_up(params: Mapping[str, Any]) -> str:
    """Return a reply to the message that these parameters ask for."""
    schema = params.get("output_config", {}).get("format", {}).get("schema")
    if schema is None:
        return "made up"
    blocks = {label: body for label, _, body in _BLOCK.findall(text_of(params))}
    value = _filled(schema)
    properties = schema["properties"]
    if "turns" in properties:
        value["turns"] = _turns(blocks, properties["turns"]["items"])
    elif "elements" in properties:
        value["elements"] = []
        value["paragraphs"] = [
            {"paragraph": number, "needs_source": False, "claim": "none"}
            for number in _paragraphs(blocks)
        ]
    elif "statements" in properties:
        value["statements"] = []
    elif "questions" in properties:
        value["questions"] = ["one?", "two?", "three?"]
    return json.dumps(value)


def text_of(params: Mapping[str, Any]) -> str:
    """Return the text of the user's message."""
    content = params["messages"][-1]["content"]
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def _filled(schema: Mapping[str, Any]) -> Any:
    if "anyOf" in schema:
        return None
    if "enum" in schema:
        return schema["enum"][0]
    if schema["type"] == "array":
        return []
    if schema["type"] == "object":
        return {name: _filled(one) for name, one in schema["properties"].items()}
    return _PLAIN[schema["type"]]


def _paragraphs(blocks: Mapping[str, str]) -> list[int]:
    found = []
    for label, body in blocks.items():
        if label.startswith("paragraph "):
            found.append(json.loads(body.partition("\n")[0])["paragraph"])
    return found


def _turns(blocks: Mapping[str, str], schema: Mapping[str, Any]) -> list[Any]:
    turns = []
    for shown in json.loads(blocks["transcript"]):
        if not shown["judge"]:
            continue
        turn = {**_filled(schema), "turn": shown["turn"], "missing_decided": True}
        turn["collections"] = [
            {"reason": "made up", "collection": name, "ok": True, "fits": None}
            for name in shown["collections"]
        ]
        turn["calls"] = [
            {
                **_filled(schema["properties"]["calls"]["items"]),
                "position": step["position"],
                "tool_ok": True,
                "args_ok": True,
            }
            for step in shown["steps"]
            if step["step"] == "call"
        ]
        turns.append(turn)
    return turns
