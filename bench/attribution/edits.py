"""Changes to an answer that keep its facts in step: paragraphs, markers, whole replies."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from bench.attribution.facts import Asked
from bench.attribution.scenes import Scene, citations
from judge.answers import ClaimKind, SupportLabel

T = TypeVar("T")

_TAIL = re.compile(r"[.!?。！？؟)\s]*$")


def rewritten(
    scene: Scene,
    texts: Sequence[str],
    *,
    claims: Mapping[int, ClaimKind] | None = None,
    support: Mapping[int, Mapping[str, SupportLabel]] | None = None,
    **facts: object,
) -> Scene | None:
    """Return the scene with another answer, made of these paragraphs.

    None where the paragraphs do not stay apart when they are put together.
    """
    answer = "\n\n".join(texts)
    changed = replace(
        scene,
        answer=answer,
        facts=scene.changed(claims=claims or {}, support=support or {}, **facts),
    )
    return changed if len(changed.paragraphs) == len(texts) else None


def edited(scene: Scene, changes: Mapping[int, str], **facts: object) -> Scene | None:
    """Return the scene with some paragraphs in other words; None where they do not stay apart."""
    texts = [changes.get(one.paragraph, one.text) for one in scene.paragraphs]
    return rewritten(
        scene,
        texts,
        **{"claims": scene.facts.claims, "support": scene.facts.support, **facts},  # type: ignore[arg-type]
    )


def appended(
    scene: Scene, text: str, claim: ClaimKind, support: Mapping[str, SupportLabel] | None = None
) -> Scene | None:
    """Return the scene with one more paragraph at the end."""
    texts = [one.text for one in scene.paragraphs]
    number = len(texts) + 1
    return rewritten(
        scene,
        [*texts, text],
        claims={**scene.facts.claims, number: claim},
        support={**scene.facts.support, number: support or {}},
    )


def without_paragraphs(scene: Scene, gone: Iterable[int]) -> Scene | None:
    """Return the scene without some paragraphs, the others renumbered."""
    dropped = set(gone)
    kept = [one.paragraph for one in scene.paragraphs if one.paragraph not in dropped]
    numbers = {old: new for new, old in enumerate(kept, start=1)}
    facts = scene.facts
    elements = tuple(
        replace(
            one, paragraphs=tuple(numbers[number] for number in one.paragraphs if number in numbers)
        )
        for one in facts.elements
    )
    return rewritten(
        scene,
        [one.text for one in scene.paragraphs if one.paragraph in numbers],
        claims=_renumbered(facts.claims, numbers),
        support=_renumbered(facts.support, numbers),
        elements=elements,
    )


def _renumbered(values: Mapping[int, T], numbers: Mapping[int, int]) -> dict[int, T]:
    return {numbers[number]: value for number, value in values.items() if number in numbers}


def abstaining(scene: Scene, text: str) -> Scene | None:
    """Return the scene with an answer that declares everything missing."""
    elements = tuple(
        Asked(
            text=one.text,
            status="declared_missing",
            paragraphs=(1,),
            answered_by=one.answered_by,
        )
        for one in scene.facts.elements
    )
    return rewritten(scene, [text], elements=elements, reply="abstained")


def answering(
    scene: Scene,
    text: str,
    support: Mapping[str, SupportLabel],
    claim: ClaimKind = "fact",
) -> Scene | None:
    """Return the scene with one paragraph that answers every element, rightly or not."""
    elements = tuple(
        replace(one, status="answered", paragraphs=(1,)) for one in scene.facts.elements
    )
    return rewritten(
        scene,
        [text],
        claims={1: claim},
        support={1: support},
        elements=elements,
        reply="answered",
    )


# Markers


def marker(scene: Scene, source: str) -> str:
    """Return a marker for a piece of evidence in the style of the good answer.

    Empty where the good answer cites nothing.
    """
    if scene.style is None:
        return ""
    if source not in scene.shown:
        number, name = "99", _invented(scene)
    else:
        number, name = str(scene.shown.index(source) + 1), source
    return {"[": f"[{number}]", "【": f"【{number}】"}.get(scene.style, f"[{name}]")


def unmarked(scene: Scene, text: str, paragraph: int) -> str:
    """Return a paragraph without its markers."""
    return remarked(scene, text, paragraph, "")


def remarked(scene: Scene, text: str, paragraph: int, put: str) -> str:
    """Return a paragraph with one marker in the place of all its own."""
    start = next(one.start for one in scene.paragraphs if one.paragraph == paragraph)
    spans = {
        (one.start - start, one.end - start)
        for one in citations(scene)
        if one.paragraph == paragraph and one.marker
    }
    first = min(spans, default=None)
    for begin, end in sorted(spans, reverse=True):
        new = put if (begin, end) == first else ""
        before = text[:begin] if new else text[:begin].rstrip(" ")
        text = before + new + text[end:]
    return text


def with_marker(text: str, put: str) -> str:
    """Return a text with a marker before its closing punctuation."""
    if not put:
        return text
    at = _TAIL.search(text)
    end = at.start() if at else len(text)
    return f"{text[:end]} {put}{text[end:]}"


def _invented(scene: Scene) -> str:
    known = next(iter(scene.shown), "source-1")
    head = known.rpartition("-")[0] or known
    return f"{head}-99"
