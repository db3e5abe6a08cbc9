"""Faults of generation: the evidence was there, and the answer is wrong all the same.

Here: citations, coverage and form; what is claimed is in `plant_claims`.
"""

import re
from dataclasses import replace
from typing import Final

from bench.attribution import plant_claims as claims
from bench.attribution.corpus import Corpus, phrase, phrases
from bench.attribution.edits import (
    abstaining,
    answering,
    edited,
    marker,
    remarked,
    rewritten,
    unmarked,
    with_marker,
    without_paragraphs,
)
from bench.attribution.moves import acts, answered_from_passages
from bench.attribution.plant_claims import well_founded
from bench.attribution.scenes import Scene, citations, cited
from bench.attribution.variants import GENERATION, table
from stages.language import detect

_WORD_RUN: Final = re.compile(r"\S+")
_FEWEST_WORDS: Final = 8


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


FAULTS: Final = table(
    GENERATION,
    {
        "number_changed": ("contradicts_source", claims.number_changed),
        "number_repeated": ("contradicts_source", claims.number_repeated),
        "record_changed": ("contradicts_source", claims.record_changed),
        "success_after_error": ("contradicts_source", claims.success_after_error),
        "absence_after_error": ("absence_misreported", claims.absence_after_error),
        "paragraph_added": ("unsupported_claim", claims.paragraph_added),
        "paragraph_added_cited": ("unsupported_claim", claims.paragraph_added_cited),
        "answered_without_evidence": ("missing_abstention", claims.answered_without_evidence),
        "neighbour_told": ("ignored_evidence", claims.neighbour_told),
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
