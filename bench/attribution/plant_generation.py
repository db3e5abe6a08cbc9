"""Faults of generation: the evidence was there, and the answer is wrong all the same."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Final

from bench.attribution.corpus import Corpus, phrase, phrases
from bench.attribution.edits import (
    abstaining,
    answering,
    appended,
    edited,
    marker,
    remarked,
    rewritten,
    unmarked,
    with_marker,
    without_paragraphs,
)
from bench.attribution.plant_retrieval import tool_failing
from bench.attribution.plant_routing import (
    NEIGHBOUR,
    acts,
    answered_from_passages,
    looks_up,
    saying,
)
from bench.attribution.scenes import Scene, Search, citations, cited
from bench.attribution.variants import GENERATION, table
from stages.language import detect
from stages.wording import parsed

_NUMBER: Final = re.compile(r"(?<![\w.,:/-])\d{1,3}(?![\w/:-])(?![.,]\d)")
_WORD_RUN: Final = re.compile(r"\S+")
_FEWEST_WORDS: Final = 8


def well_founded(scene: Scene) -> bool:
    """Tell whether a good turn answers from evidence of any kind."""
    return answered_from_passages(scene) or looks_up(scene)


def _texts(scene: Scene) -> dict[str, str]:
    found = {one.passage_id: one.text for one in scene.retrieved()}
    return found | {call.call_id: call.result for call in scene.calls}


# Claims


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


# Citations


def wrong_cited(scene: Scene, corpus: Corpus) -> Scene | None:
    """Cite another passage than the one that says it."""
    del corpus
    if not answered_from_passages(scene):
        return None
    for number, targets in cited(scene).items():
        pairs = scene.facts.support.get(number, {})
        others = [
            one for one in scene.shown if one not in pairs and one not in scene.facts.answering()
        ]
        full = len(targets) == 1 and pairs.get(targets[0]) == "full"
        if full and others and scene.facts.claims.get(number) == "fact":
            paragraph = scene.paragraphs[number - 1]
            put = marker(scene, others[-1])
            return edited(scene, {number: remarked(scene, paragraph.text, number, put)})
    return None


def invalid_cited(scene: Scene, corpus: Corpus) -> Scene | None:
    """Cite a source that does not exist."""
    del corpus
    if not answered_from_passages(scene):
        return None
    for number, targets in cited(scene).items():
        if targets and scene.facts.claims.get(number) == "fact":
            paragraph = scene.paragraphs[number - 1]
            text = remarked(scene, paragraph.text, number, marker(scene, ""))
            changed = edited(scene, {number: text})
            return changed if changed and _has_invalid(changed) else None
    return None


def _has_invalid(scene: Scene) -> bool:
    return any(one.status in ("out_of_range", "unknown_id") for one in citations(scene))


def uncited(scene: Scene, corpus: Corpus) -> Scene | None:
    """Leave out all citations although the agent cites."""
    del corpus
    if not answered_from_passages(scene) or not any(cited(scene).values()):
        return None
    changes = {one.paragraph: unmarked(scene, one.text, one.paragraph) for one in scene.paragraphs}
    return edited(scene, changes)


# Coverage


def refused(scene: Scene, corpus: Corpus) -> Scene | None:
    """Refuse although what answers is at hand."""
    del corpus
    text = phrase(scene, "abstain")
    if text is None or not well_founded(scene) or acts(scene):
        return None
    return abstaining(scene, text)


def half_dropped(scene: Scene, corpus: Corpus) -> Scene | None:
    """Leave out one of several elements although what answers it is at hand."""
    del corpus
    facts = scene.facts
    if not answered_from_passages(scene) or len(facts.elements) < 2:
        return None
    for lost in reversed(facts.elements):
        others = {n for one in facts.elements if one is not lost for n in one.paragraphs}
        if others.isdisjoint(lost.paragraphs):
            elements = tuple(
                replace(one, status="silently_missing", paragraphs=()) if one is lost else one
                for one in facts.elements
            )
            changed = replace(scene, facts=scene.changed(elements=elements, reply="partly"))
            return without_paragraphs(changed, lost.paragraphs)
    return None


def other_answered(scene: Scene, corpus: Corpus) -> Scene | None:
    """Answer another question."""
    other = corpus.other_answer(scene)
    if other is None or not answered_from_passages(scene):
        return None
    texts = [unmarked(other, one.text, one.paragraph) for one in other.paragraphs]
    elements = tuple(
        replace(one, status="silently_missing", paragraphs=()) for one in scene.facts.elements
    )
    return rewritten(
        scene, texts, claims=other.facts.claims, support={}, elements=elements, understanding=0
    )


# Form


def other_language(scene: Scene, corpus: Corpus) -> Scene | None:
    """Answer in another language than the question."""
    del corpus
    certain = detect(scene.good.question)
    if not answered_from_passages(scene) or certain != scene.language:
        return None
    if scene.good.other_language is not None:
        language, text = scene.good.other_language
        texts = [one.text for one in replace(scene, answer=text).paragraphs]
        changed = len(texts) == len(scene.paragraphs) and edited(
            scene, dict(enumerate(texts, start=1)), answer_language=language
        )
    else:
        language = "en" if scene.language == "de" else "de"
        changed = _quoted(scene, language)
    # Only a detector that is certain may call it a failure.
    return changed if changed and detect(changed.answer) == language else None


def _quoted(scene: Scene, language: str) -> Scene | None:
    """Answer with a quotation behind words of another language."""
    frames = phrases("quote", language)
    source = next(
        (one for one in scene.retrieved() if one.passage_id in scene.facts.answering()), None
    )
    if source is None or len(scene.facts.answering()) > 1:
        return None
    text = frames[0].format(quote=source.text)
    text = with_marker(text, marker(scene, source.passage_id))
    answered = answering(scene, text, {source.passage_id: "full"})
    if answered is None:
        return None
    return replace(answered, facts=answered.changed(answer_language=language))


def scrambled(scene: Scene, corpus: Corpus) -> Scene | None:
    """Put the words of the answer in an order that nobody can follow."""
    del corpus
    if not answered_from_passages(scene):
        return None
    changes: dict[int, str] = {}
    for one in scene.paragraphs:
        plain = unmarked(scene, one.text, one.paragraph)
        words = _WORD_RUN.findall(plain)
        if one.kind != "prose" or len(words) < _FEWEST_WORDS:
            return None
        mixed = " ".join([*words[1::3], *words[::3], *words[2::3]])
        put = "".join(marker(scene, source) for source in cited(scene)[one.paragraph])
        changes[one.paragraph] = with_marker(mixed, put)
    return edited(scene, changes, coherence=0)


# Tools


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
    mine, theirs = parsed(result), parsed(other)
    if isinstance(mine, dict) and isinstance(theirs, dict):
        for name, value in mine.items():
            instead = theirs.get(name)
            words = isinstance(value, str) and isinstance(instead, str)
            if words and value != instead and not name.endswith(("_no", "_id")):
                yield str(value), str(instead)


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


FAULTS: Final = table(
    GENERATION,
    {
        "number_changed": ("contradicts_source", number_changed),
        "number_repeated": ("contradicts_source", number_repeated),
        "record_changed": ("contradicts_source", record_changed),
        "success_after_error": ("contradicts_source", success_after_error),
        "absence_after_error": ("absence_misreported", absence_after_error),
        "paragraph_added": ("unsupported_claim", paragraph_added),
        "paragraph_added_cited": ("unsupported_claim", paragraph_added_cited),
        "answered_without_evidence": ("missing_abstention", answered_without_evidence),
        "neighbour_told": ("ignored_evidence", neighbour_told),
        "wrong_cited": ("wrong_citation", wrong_cited),
        "invalid_cited": ("invalid_citation", invalid_cited),
        "uncited": ("missing_citation", uncited),
        "refused": ("over_abstention", refused),
        "half_dropped": ("incomplete", half_dropped),
        "other_answered": ("off_topic", other_answered),
        "other_language": ("wrong_language", other_language),
        "scrambled": ("incoherent", scrambled),
    },
)
