"""What an answer shows on its surface: the last two symptoms.

5 citation     invalid, wrong, or missing where citing is expected
6 form         off topic, incoherent, wrong language
"""

from collections.abc import Iterator, Mapping

from analysis.attribution.claims import Claim
from analysis.attribution.kinds import Symptom
from analysis.attribution.worked_out import is_worked_out
from analysis.judged import JudgedTurn
from judge.answers import AnswerJudgement
from stages.language_names import names_language
from stages.records import CitationStatus, Turn

LOWEST_FORM_GRADE = 2
"""Coherence or understanding below this grade is a form symptom (default profile)."""

_INVALID: frozenset[CitationStatus] = frozenset(
    {"out_of_range", "unknown_id", "quote_not_in_chunk"}
)


def citation_symptoms(judged: JudgedTurn, claims: Mapping[int, Claim]) -> Iterator[Symptom]:
    """Yield one symptom for all invalid citations, then one for each wrong or missing one.

    Args:
        judged: The turn.
        claims: Its claims by paragraph; none where the `answer` question was not decided.
    """
    generation = judged.turn.generation
    citations = generation.citations if generation else ()
    invalid = [citation for citation in citations if citation.status in _INVALID]
    if invalid:
        numbers = dict.fromkeys(item.paragraph for item in invalid if item.paragraph is not None)
        yield Symptom(
            kind="citation",
            paragraphs=tuple(numbers),
            detail="invalid_citation",
            evidence=tuple(dict.fromkeys(item.marker for item in invalid)),
        )
    founded = [number for number, claim in claims.items() if claim.cited in ("full", "partial")]
    marked = {citation.paragraph for citation in citations}
    for number, claim in claims.items():
        supported_by_rest = claim.rest in ("full", "partial")
        if supported_by_rest and claim.cited == "none":
            yield _citation(number, "wrong_citation")
        owes = judged.citing_expected and claim.needs_source and number not in marked
        if supported_by_rest and owes and not is_worked_out(judged, number, founded):
            yield _citation(number, "missing_citation")


def _citation(paragraph: int, detail: str) -> Symptom:
    return Symptom(
        kind="citation", paragraphs=(paragraph,), detail=detail, evidence=(f"P{paragraph}",)
    )


def is_off_topic(answer: AnswerJudgement) -> bool:
    """Tell whether the answer does not address what was asked."""
    return answer.understanding < LOWEST_FORM_GRADE


def form_symptoms(turn: Turn, answer: AnswerJudgement) -> Iterator[Symptom]:
    """Yield what is wrong with the form of the answer."""
    if is_off_topic(answer):
        yield Symptom(kind="form", detail="off_topic")
    if answer.coherence < LOWEST_FORM_GRADE:
        yield Symptom(kind="form", detail="incoherent")
    if _in_wrong_language(turn, answer):
        yield Symptom(
            kind="form",
            detail="wrong_language",
            evidence=(f"question {turn.language}", f"answer {turn.answer_language}"),
        )


def _in_wrong_language(turn: Turn, answer: AnswerJudgement) -> bool:
    """Tell whether question and answer are certainly in two languages, and nobody wanted that."""
    return _in_two_languages(turn) and not is_translation(turn, answer)


def is_translation(turn: Turn, answer: AnswerJudgement) -> bool:
    """Tell whether the answer is in a language that the user may have asked for.

    What needs no evidence may be a translation: there the language of the answer is wrong only
    where neither the question nor a message before it may have named it.
    """
    said = turn.answer_language
    if said is None or answer.needs_evidence or not _in_two_languages(turn):
        return False
    messages = [message.text for message in turn.history if message.role == "user"]
    return any(names_language(text or "", said) is not False for text in [turn.question, *messages])


def _in_two_languages(turn: Turn) -> bool:
    asked, said = turn.language, turn.answer_language
    return asked is not None and said is not None and asked != said
