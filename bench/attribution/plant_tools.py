"""Faults of routing around tools: the wrong one, wrongly filled, or none."""

import re
from collections.abc import Mapping
from dataclasses import replace

from bench.attribution.corpus import Corpus, phrase, told
from bench.attribution.edits import abstaining, answering
from bench.attribution.facts import Called, WrongValue
from bench.attribution.moves import acts, looks_up
from bench.attribution.scenes import Call, Scene
from ingest.span import Value


def tool_swapped(scene: Scene, corpus: Corpus) -> Scene | None:
    """Call another tool of the agent and answer from its result."""
    if not looks_up(scene) or acts(scene):
        return None
    right = scene.calls[0]
    other = corpus.other_tool(scene, right.tool)
    if other is None:
        return None
    called = Called(tool_ok=False, fits=right.tool)
    return _called(scene, other, called)


def argument_swapped(scene: Scene, corpus: Corpus) -> Scene | None:
    """Look up another record and answer from that."""
    if not looks_up(scene) or acts(scene):
        return None
    right = scene.calls[0]
    other = corpus.other_call(right)
    if other is None:
        return None
    wrong = _differing(scene, right.arguments, other.arguments)
    return _called(scene, other, Called(wrong=wrong)) if wrong else None


def argument_corrupted(scene: Scene, corpus: Corpus) -> Scene | None:
    """Mistype an identifier, find nothing and say that there is nothing."""
    if not looks_up(scene) or acts(scene):
        return None
    right, text = scene.calls[0], phrase(scene, "no_record")
    name = next((key for key, value in right.arguments.items() if _mistyped(value)), None)
    if name is None or text is None:
        return None
    arguments = {**right.arguments, name: _mistyped(right.arguments[name])}
    if any(dict(one.arguments) == arguments for one in corpus.calls[right.tool].values()):
        return None
    call = Call(call_id=f"{right.call_id}x", tool=right.tool, arguments=arguments)
    called = Called(wrong=_differing(scene, right.arguments, arguments))
    changed = replace(scene, calls=(call,), numbered=(), facts=scene.changed(calls={1: called}))
    return answering(changed, text, {call.call_id: "full"}, "absence")


def action_altered(scene: Scene, corpus: Corpus) -> Scene | None:
    """Do what was asked with another value, and report faithfully what was done."""
    del corpus
    if not looks_up(scene) or not acts(scene):
        return None
    right = scene.calls[0]
    for name, value in right.arguments.items():
        sent = _mistyped(value)
        if sent is None or not isinstance(value, str):
            continue
        arguments = {**right.arguments, name: sent}
        result = right.result.replace(value, str(sent))
        call = Call(
            call_id=f"{right.call_id}x", tool=right.tool, arguments=arguments, result=result
        )
        text = told(scene, result)
        if result == right.result or text is None:
            continue
        called = Called(wrong=_differing(scene, right.arguments, arguments))
        changed = replace(scene, calls=(call,), numbered=(), facts=scene.changed(calls={1: called}))
        return answering(changed, text, {call.call_id: "full"}, "success")
    return None


def _called(scene: Scene, other: Call, called: Called) -> Scene | None:
    text = told(scene, other.result)
    if text is None:
        return None
    changed = replace(scene, calls=(other,), numbered=(), facts=scene.changed(calls={1: called}))
    return answering(changed, text, {other.call_id: "full"})


def _differing(
    scene: Scene, right: Mapping[str, Value], sent: Mapping[str, Value]
) -> tuple[WrongValue, ...]:
    return tuple(
        WrongValue(
            argument=name,
            value=None if name not in sent else str(sent[name]),
            expected=str(value),
            known_from=_known_from(scene, str(value)),
        )
        for name, value in right.items()
        if sent.get(name) != value
    )


def _known_from(scene: Scene, value: str) -> str:
    if value.casefold() in scene.good.question.casefold():
        return "question"
    asked = [text for role, text in scene.good.history if role == "user"]
    for turn, text in enumerate(asked, start=1):
        if value.casefold() in text.casefold():
            return f"turn {turn}"
    return "question"


def _mistyped(value: Value) -> Value:
    """Return an identifier with its last two different digits in the wrong order."""
    if not isinstance(value, str):
        return None
    found = [*re.finditer(r"(\d)(?!\1)(\d)", value)]
    if not found:
        return None
    begin, end = found[-1].span()
    return value[:begin] + value[begin:end][::-1] + value[end:]


def call_dropped(scene: Scene, corpus: Corpus) -> Scene | None:
    """Do not call the tool, and say that nothing is known."""
    del corpus
    text = phrase(scene, "abstain")
    if not looks_up(scene) or text is None:
        return None
    return abstaining(_uncalled(scene), text)


def call_invented(scene: Scene, corpus: Corpus) -> Scene | None:
    """Do not call the tool, and answer as if it had been called."""
    del corpus
    if not looks_up(scene):
        return None
    changed = _uncalled(scene)
    return replace(changed, facts=replace(changed.facts, support={}))


def _uncalled(scene: Scene) -> Scene:
    missing = (("tool", scene.calls[0].tool),)
    return replace(scene, calls=(), numbered=(), facts=scene.changed(missing=missing))
