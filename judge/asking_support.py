"""The `support` questions: a paragraph against what it cites, and against the rest.

Three rounds, each asking only what the one before left open:

    pairs      each paragraph with each piece it cites
    together   the cited pieces at once, where several are cited and none alone is enough
    rest       the turn's other evidence at once, where the cited one is not enough

The content of each is described in `judge.asking`.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, TypeAlias

from ingest.span import Value
from judge.answers import AnswerJudgement, Relevance, Support
from judge.asking import cites
from judge.question import Question, Subject, Verdict
from judge.rendering import (
    EVIDENCE_CHARACTERS,
    QUESTION_CHARACTERS,
    citable,
    evidence_values,
    legible,
    paragraph_value,
    shortened,
)
from stages.records import Evidence, Paragraph, Turn

SupportVerdicts: TypeAlias = Mapping[tuple[int, tuple[str, ...]], Verdict[Support]]
"""By paragraph and evidence ids: one for a pair, several (sorted) for those together."""
RelevanceVerdicts: TypeAlias = Mapping[str, Verdict[Relevance]]
"""By chunk id."""

REST_PIECES: Final = 12
REST_CHARACTERS: Final = 40_000

_LEAD_IN_CHARACTERS = 500


def support_questions(turn: Turn) -> Iterator[Question]:
    """Ask about each paragraph with each distinct piece of evidence that it cites.

    A citation counts when it resolves to something with a text; a chunk that was retrieved
    and not shown to the model can be cited all the same.
    """
    sources = citable(turn)
    for paragraph in _paragraphs(turn):
        for evidence_id in _cited(turn, paragraph, sources):
            yield _question(turn, paragraph, [sources[evidence_id]])


def together_questions(turn: Turn, pairs: SupportVerdicts) -> Iterator[Question]:
    """Ask about a paragraph with all it cites at once, where no single piece is enough.

    Args:
        turn: The turn.
        pairs: Verdicts of `support_questions`. One that is unjudged is not enough.
    """
    sources = citable(turn)
    for paragraph in _paragraphs(turn):
        cited = _cited(turn, paragraph, sources)
        alone = any(_full(pairs, paragraph, (one,)) for one in cited)
        if len(cited) > 1 and not alone:
            pieces = [piece for key, piece in sources.items() if key in cited]
            yield _question(turn, paragraph, pieces)


def rest_questions(
    turn: Turn,
    answer: AnswerJudgement | None,
    pairs: SupportVerdicts,
    togethers: SupportVerdicts,
    relevance: RelevanceVerdicts,
    *,
    citing_expected: bool,
) -> Iterator[Question]:
    """Ask about a paragraph whose citations are not enough, with the other evidence.

    Asked for each paragraph that needs a source and is not fully supported by what it
    cites, or cites nothing although the turn cites elsewhere or citing is expected. Other
    evidence is what stood before the model and is not cited there: tool results, and
    chunks that are relevant to the question or not judged. It is put into one question, the
    most relevant first where not all has room.

    Args:
        turn: The turn.
        answer: Tells which paragraphs need a source; None (unjudged): nothing is asked.
        pairs: Verdicts of `support_questions`.
        togethers: Verdicts of `together_questions`.
        relevance: Verdicts of `relevance_questions`.
        citing_expected: As `judge.asking.citing_expected` tells.
    """
    if answer is None:
        return
    needy = {claim.paragraph for claim in answer.paragraphs if claim.needs_source}
    sources = citable(turn)
    expected = citing_expected or cites(turn)
    for paragraph in _paragraphs(turn):
        cited = _cited(turn, paragraph, sources)
        enough = any(_full(pairs, paragraph, (one,)) for one in cited)
        enough = enough or _full(togethers, paragraph, tuple(sorted(cited)))
        if paragraph.paragraph not in needy or enough or not (cited or expected):
            continue
        if pieces := _other_evidence(turn, cited, relevance):
            yield _question(turn, paragraph, pieces, rest=True)


def _other_evidence(
    turn: Turn, cited: Sequence[str], relevance: RelevanceVerdicts
) -> list[Evidence]:
    """Return what has room, in the turn's order."""
    ranked: list[tuple[int, int, Evidence]] = []
    seen = set(cited)
    for place, piece in enumerate(turn.evidence):
        if piece.evidence_id in seen:
            continue
        seen.add(piece.evidence_id)
        verdict = relevance.get(piece.evidence_id)
        decided = None if verdict is None else verdict.decided
        if decided is None:
            # A tool was called for this question; a chunk may not have been judged.
            ranked.append((-2 if piece.kind == "tool_result" else -1, place, piece))
        elif decided.relevant:
            ranked.append((-decided.grade, place, piece))
    room = REST_CHARACTERS
    kept: list[tuple[int, Evidence]] = []
    for _, place, piece in sorted(ranked, key=lambda entry: entry[:2])[:REST_PIECES]:
        if room <= 0:
            break
        room -= min(len(piece.text), EVIDENCE_CHARACTERS)
        kept.append((place, piece))
    return [piece for _, piece in sorted(kept, key=lambda entry: entry[0])]


def _question(
    turn: Turn, paragraph: Paragraph, pieces: Sequence[Evidence], *, rest: bool = False
) -> Question:
    evidence, _ = evidence_values(turn, pieces)
    shown = [
        {**value, "cited_as": _markers(turn, paragraph, piece)}
        for value, piece in zip(evidence, pieces, strict=False)  # the last may find no room
    ]
    return Question(
        kind="support",
        conversation_id=turn.conversation_id,
        turn_id=turn.turn_id,
        subject=Subject(
            paragraph=paragraph.paragraph,
            evidence_ids=tuple(sorted(piece.evidence_id for piece in pieces)),
            rest=rest,
        ),
        content={
            "question": shortened(turn.question or "", QUESTION_CHARACTERS),
            "lead_in": _lead_in(turn, paragraph),
            "paragraph": {**paragraph_value(turn, paragraph)},
            "evidence": list[Value](shown),
        },
    )


def _markers(turn: Turn, paragraph: Paragraph, piece: Evidence) -> list[Value]:
    """Return the markers of a paragraph that point to a piece, in reading order."""
    citations = () if turn.generation is None else turn.generation.citations
    markers = dict.fromkeys(
        legible(citation.marker)
        for citation in citations
        if citation.paragraph == paragraph.paragraph
        and citation.resolved
        and citation.target == piece.evidence_id
        and citation.marker
    )
    return [*markers]


def _lead_in(turn: Turn, paragraph: Paragraph) -> str | None:
    """Return the end of the block before a list, table or code block."""
    if paragraph.kind == "prose" or paragraph.paragraph == 1:
        return None
    before = [
        other.text for other in _paragraphs(turn) if other.paragraph == paragraph.paragraph - 1
    ]
    return shortened(before[0][-_LEAD_IN_CHARACTERS:], _LEAD_IN_CHARACTERS) if before else None


def _paragraphs(turn: Turn) -> tuple[Paragraph, ...]:
    return () if turn.generation is None else turn.generation.paragraphs


def _cited(turn: Turn, paragraph: Paragraph, sources: Mapping[str, Evidence]) -> list[str]:
    """Return the distinct ids that a paragraph cites, in reading order."""
    citations = () if turn.generation is None else turn.generation.citations
    targets = (
        citation.target
        for citation in citations
        if citation.paragraph == paragraph.paragraph and citation.resolved
    )
    return [one for one in dict.fromkeys(targets) if one is not None and one in sources]


def _full(verdicts: SupportVerdicts, paragraph: Paragraph, ids: tuple[str, ...]) -> bool:
    verdict = verdicts.get((paragraph.paragraph, ids))
    decided = None if verdict is None else verdict.decided
    return decided is not None and decided.label == "full"
