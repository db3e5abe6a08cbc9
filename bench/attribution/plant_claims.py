"""Faults of generation in what is claimed: against the evidence, beside it, or without any."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Final

from bench.attribution.corpus import Corpus, phrase
from bench.attribution.edits import (
    answering,
    appended,
    edited,
    marker,
    unmarked,
    with_marker,
)
from bench.attribution.moves import NEIGHBOUR, acts, answered_from_passages, looks_up, saying
from bench.attribution.plant_retrieval import tool_failing
from bench.attribution.scenes import Scene, Search, citations
from ingest.span import Value
from stages.wording import parsed

_NUMBER: Final = re.compile(r"(?<![\w.,:/-])\d{1,3}(?![\w/:-])(?![.,]\d)")


def well_founded(scene: Scene) -> bool:
    """Tell whether a good turn answers from evidence of any kind."""
    return answered_from_passages(scene) or looks_up(scene)


def _texts(scene: Scene) -> dict[str, str]:
    found = {one.passage_id: one.text for one in scene.retrieved()}
    return found | {call.call_id: call.result for call in scene.calls}


def number_changed(scene: Scene, corpus: Corpus) -> Scene | None:
    """Change a number that the evidence holds."""
    del corpus
    if not well_founded(scene) or acts(scene):
        return None
    texts = _texts(scene)
    hidden = [(one.start, one.end) for one in citations(scene)]
    for paragraph in scene.paragraphs:
        pairs = scene.facts.support.get(paragraph.paragraph, {})
        for match in _NUMBER.finditer(paragraph.text):
            at = paragraph.start + match.start()
            if any(begin <= at < end for begin, end in hidden):
                continue
            holding = [key for key in pairs if key in texts and _holds(texts[key], match[0])]
            other = _other_number(match[0], [*texts.values(), scene.good.question, scene.answer])
            if not holding or match[0] in _numbers(scene.good.question):
                continue
            text = paragraph.text[: match.start()] + other + paragraph.text[match.end() :]
            wrong = {
                key: "contradicted" if key in holding else "none" for key in pairs if key in texts
            }
            support = {**scene.facts.support, paragraph.paragraph: wrong}
            return edited(scene, {paragraph.paragraph: text}, support=support)
    return None


def _holds(text: str, number: str) -> bool:
    return number in _numbers(text)


def _numbers(text: str) -> set[str]:
    return set(re.findall(r"\d+", text))


def _other_number(number: str, texts: list[str]) -> str:
    known = {one for text in texts for one in _numbers(text)}
    candidates = (str(one) for one in count(int(number) + 3, step=2))
    return next(one for one in candidates if one not in known)


def paragraph_added(scene: Scene, corpus: Corpus) -> Scene | None:
    """Add a paragraph that nothing supports."""
    del corpus
    text = phrase(scene, "unsupported")
    if text is None or not well_founded(scene) or acts(scene):
        return None
    return appended(scene, text, "fact")


def paragraph_added_cited(scene: Scene, corpus: Corpus) -> Scene | None:
    """Add a paragraph that nothing supports, and cite a source for it."""
    del corpus
    text = phrase(scene, "unsupported")
    if text is None or not answered_from_passages(scene) or scene.style is None:
        return None
    return appended(scene, with_marker(text, marker(scene, scene.shown[0])), "fact")


def answered_without_evidence(scene: Scene, corpus: Corpus) -> Scene | None:
    """Answer a question that has no answer."""
    facts = scene.facts
    if facts.reply != "abstained" or scene.calls or not scene.searches:
        return None
    text = scene.good.fabricated
    if text is None:
        other = corpus.other_answer(scene)
        if other is None:
            return None
        first = other.paragraphs[0]
        text = unmarked(other, first.text, first.paragraph)
    if any(grade.grade > 1 for grade in facts.grades.values()):
        return None
    return answering(scene, text, {})


def neighbour_told(scene: Scene, corpus: Corpus) -> Scene | None:
    """Have what answers at hand, and tell what a neighbour says about another object."""
    other = corpus.sibling(scene, same_language=True)
    if other is None or not answered_from_passages(scene):
        return None
    if any(one.collection != scene.good.collection for one in scene.retrieved()):
        return None
    asked = " ".join(one.text for one in scene.facts.elements)
    good = " ".join(
        one.text for one in scene.retrieved() if one.passage_id in scene.facts.answering()
    )
    near = corpus.near(f"{asked} {good}", other, most=2)
    search = Search(collection=other, query=scene.searches[0].query, passages=near)
    facts = scene.facts.graded({one.passage_id: NEIGHBOUR for one in near})
    facts = replace(facts, wrong_collections={other: scene.good.collection})
    moved = replace(scene, searches=(*scene.searches, search), numbered=(), facts=facts)
    text = with_marker(saying(near[0]), marker(moved, near[0].passage_id))
    return answering(moved, text, {near[0].passage_id: "full"})


def absence_after_error(scene: Scene, corpus: Corpus) -> Scene | None:
    """Say that there is nothing although the tool failed."""
    del corpus
    text, failed = phrase(scene, "no_record"), tool_failing(scene)
    if text is None or failed is None or acts(scene):
        return None
    return answering(failed, text, {}, "absence")


def success_after_error(scene: Scene, corpus: Corpus) -> Scene | None:
    """Report as done what failed."""
    del corpus
    failed = tool_failing(scene)
    if failed is None or not acts(scene):
        return None
    return replace(failed, facts=failed.changed(support={}))


def record_changed(scene: Scene, corpus: Corpus) -> Scene | None:
    """Tell another value than the one that the tool returned."""
    if not looks_up(scene) or acts(scene):
        return None
    other = corpus.other_call(scene.calls[0])
    if other is None:
        return None
    for number, pairs in scene.facts.support.items():
        paragraph = scene.paragraphs[number - 1]
        for right, wrong in _values(scene.calls[0].result, other.result):
            if right in paragraph.text:
                text = paragraph.text.replace(right, wrong)
                against = dict.fromkeys(pairs, "contradicted")
                support = {**scene.facts.support, number: against}
                return edited(scene, {number: text}, support=support)
    return None


def _values(result: str, other: str) -> Iterator[tuple[str, str]]:
    """Yield the values of words that differ between two results, field by field."""
    mine, theirs = _one_record(parsed(result)), _one_record(parsed(other))
    if isinstance(mine, dict) and isinstance(theirs, dict):
        for name, value in mine.items():
            instead = theirs.get(name)
            words = isinstance(value, str) and isinstance(instead, str)
            if words and value != instead and not name.endswith(("_no", "_id")):
                yield str(value), str(instead)


def _one_record(result: Value) -> Value:
    """Return the record of a list of one; anything else as it is."""
    return result[0] if isinstance(result, list) and len(result) == 1 else result


def number_repeated(scene: Scene, corpus: Corpus) -> Scene | None:
    """Change a number, and say it again when asked."""
    broken = number_changed(scene, corpus)
    return None if broken is None or broken.calls else said_again(broken)


def said_again(scene: Scene) -> Scene | None:
    """Return a further turn in which the user doubts and the first claim is repeated."""
    question = phrase(scene, "again")
    facts = scene.facts
    claimed = [number for number, claim in facts.claims.items() if claim == "fact"]
    wrong = [n for n in claimed if "contradicted" in facts.support.get(n, {}).values()]
    claimed = wrong or claimed
    if question is None or not claimed:
        return None
    paragraph = scene.paragraphs[claimed[0] - 1]
    answer = unmarked(scene, paragraph.text, paragraph.paragraph)
    good = replace(
        scene.good,
        turn=scene.good.turn + 1,
        history=(
            *scene.good.history,
            ("user", scene.good.question),
            ("assistant", scene.answer),
        ),
        question=question,
        passages=(),
        answer=answer,
    )
    again = replace(
        scene, good=good, searches=(), refined=None, numbered=(), answer=answer, follows=scene
    )
    return answering(replace(again, facts=again.changed(wrong_collections={})), answer, {})
