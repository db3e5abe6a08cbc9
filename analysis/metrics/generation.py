"""What kind of answer it is, whatever it cites.

Grades, languages and abstention are read off the `answer` verdict, groundedness off the
`statements`, relevance off invented `questions`. A reply that asks back or refuses by policy
neither abstains rightly nor wrongly.
"""

import re
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import Final

from analysis.attribution.exemption import is_flagged
from analysis.attribution.surface_symptoms import is_translation
from analysis.judged import JudgedTurn
from analysis.metrics.measured import Measured, share, undefined
from analysis.metrics.ranking import BEST
from analysis.metrics.ratio import NOTHING, Ratio
from judge.answers import AnswerJudgement, Statement, Unjudged

_UNTOLD: Final = frozenset(
    {"chunk_text_not_captured", "retrieval_not_captured", "tool_result_not_captured"}
)
"""Gaps that leave evidence unread."""
_CODE: Final = re.compile("[a-z]{2}")
_GUESSES: Final = "local/"
"""How the name of the judge begins whose word on a language is a guess."""


def graded(grade: int) -> Ratio:
    """A grade of 0-3 as a share of the best grade.

    Source:
        M. Robbana, Berger-Levrault Research, on evaluating an agent without ground truth,
        section 4.2 (question understanding, coherence, completeness).
    """
    return Ratio(grade / BEST, 1)


def language_compliance(question: str | None, answer: str | None) -> Ratio:
    """Whether the answer is in the language of the question: 1 of 1 or 0 of 1.

    Args:
        question: ISO 639-1 code; what follows a hyphen (`pt-BR`) does not matter. None when
            nobody is sure. A word that is no such code (`und`, `zxx`, "unknown") names no
            language either.
        answer: Likewise.

    Returns:
        Undefined when one of the two is not known.

    Source:
        As `graded` (language compliance).
    """
    asked, said = _language(question), _language(answer)
    return NOTHING if asked is None or said is None else Ratio(int(asked == said), 1)


def appropriate_abstention(answer: AnswerJudgement, *, whole: bool = True) -> Ratio:
    """Whether a reply claims to know as much as the evidence tells: 1 of 1 or 0 of 1.

    Right are: answered and the evidence suffices; abstained and it does not; partly answered
    and no missing element is in the evidence.

    Args:
        answer: What the judge says of the reply.
        whole: All evidence was recorded. What is not in a part of it may be in the rest, so
            only what the judge did find decides then.

    Returns:
        Undefined for a question that needs no evidence, for clarifying and policy replies,
        and when what decides is undecided. One missing element in the evidence decides
        alone.

    Source:
        As `graded` (appropriate abstention).
    """
    if not answer.needs_evidence:
        return NOTHING
    right: bool | None = None
    sufficient = answer.evidence_sufficient if whole else answer.evidence_sufficient or None
    if answer.reply == "answered":
        right = sufficient
    elif answer.reply == "abstained":
        right = _none({sufficient})
    elif answer.reply == "partly":
        missing = [element for element in answer.elements if element.status != "answered"]
        held = {
            element.in_evidence if whole else element.in_evidence or None for element in missing
        }
        right = _none(held)
    return NOTHING if right is None else Ratio(int(right), 1)


def groundedness(statements: Iterable[Statement]) -> Ratio:
    """Supported statements among all statements; a contradicted one is not supported.

    The judge chooses how many statements an answer has: read the share as the small integer
    it is. Of two statements only 0, ½ and 1 exist.

    Returns:
        Undefined for an answer without statements.

    Source:
        S. Es et al., RAGAS: automated evaluation of retrieval augmented generation, EACL
        2024 (faithfulness).
    """
    labels = [statement.label for statement in statements]
    return Ratio(labels.count("supported"), len(labels))


def answer_relevance(likeness: Iterable[float | None]) -> Ratio:
    """How alike the questions that an answer would answer are to the one that was asked.

    Args:
        likeness: Cosine of each invented question with the real one, None where it has none.
            Below 0 counts as 0. The embedding model decides what a number means: compare it
            only with numbers of the same model (`run.json`, `embeddings`).

    Returns:
        The mean; undefined when no cosine is known.

    Source:
        As `groundedness` (answer relevance).
    """
    known = [min(max(cosine, 0.0), 1.0) for cosine in likeness if cosine is not None]
    return Ratio(sum(known) / len(known), 1) if known else NOTHING


def _language(code: str | None) -> str | None:
    bare = (code or "").strip().replace("_", "-").partition("-")[0].casefold()
    return bare if _CODE.fullmatch(bare) else None


def _none(verdicts: AbstractSet[bool | None]) -> bool | None:
    """Tell whether no verdict is yes; None where an open one decides."""
    if True in verdicts:
        return False
    return None if None in verdicts else True


# From a turn


def measure_understanding(judged: JudgedTurn) -> Measured:
    """Measure `question_understanding`."""
    answer = _answer(judged)
    return answer if isinstance(answer, Measured) else _grade(answer.understanding)


def measure_coherence(judged: JudgedTurn) -> Measured:
    """Measure `coherence`."""
    answer = _answer(judged)
    return answer if isinstance(answer, Measured) else _grade(answer.coherence)


def measure_completeness(judged: JudgedTurn) -> Measured:
    """Measure `completeness`."""
    answer = _answer(judged)
    return answer if isinstance(answer, Measured) else _grade(answer.completeness)


def measure_language(judged: JudgedTurn) -> Measured:
    """Measure `language_compliance`: the detector's word, the judge's where it is unsure.

    The local judge guesses a language by its commonest words, to choose its word lists; what
    the detector cannot tell it cannot tell either. An answer in another language that the user
    named and that needs no evidence, a translation, is no case for the metric.
    """
    turn = judged.turn
    if turn.generation is None:
        return undefined("no_generation")
    if turn.generation.answer is None:
        return undefined("answer_not_captured")
    verdict = judged.answer.decided if judged.answer else None
    question, answer = turn.language, turn.answer_language
    if verdict is not None and judged.answer and not judged.answer.judge.startswith(_GUESSES):
        question = question or verdict.question_language
        answer = answer or verdict.answer_language
    if verdict is not None and is_translation(turn, verdict):
        return undefined("another_language_asked_for")
    return share(language_compliance(question, answer), "language_uncertain")


def measure_abstention(judged: JudgedTurn) -> Measured:
    """Measure `appropriate_abstention`; a recorded refusal flag makes a policy reply."""
    answer = _answer(judged)
    if isinstance(answer, Measured):
        return answer
    if not answer.needs_evidence:
        return undefined("needs_no_evidence")
    if answer.reply in ("clarifying", "policy_refusal"):
        return undefined(answer.reply)
    if is_flagged(judged.turn):
        return undefined("policy_refusal")
    untold = {gap.reason for gap in judged.turn.gaps} & _UNTOLD
    reason = min(untold, default="sufficiency_undecided")
    return share(appropriate_abstention(answer, whole=not untold), reason)


def measure_groundedness(judged: JudgedTurn) -> Measured:
    """Measure `groundedness[evidence]`; asked of turns without citations, or on request."""
    if judged.statements is None:
        return undefined(judged.not_judged or "not_asked")
    statements = judged.statements.answer
    if isinstance(statements, Unjudged):
        return undefined(statements.reason)
    return share(groundedness(statements.statements), "no_statements")


def measure_relevance(judged: JudgedTurn, *, follow_up: bool = False) -> Measured:
    """Measure `answer_relevance`, of first turns or of follow-ups; asked on request.

    A follow-up leaves out what the turns before it said, so its number is lower for reasons
    that are not the answer's.
    """
    if judged.invented is None:
        return undefined("not_asked")
    if (judged.turn.turn > 1) is not follow_up:
        return undefined("first_turn" if follow_up else "follow_up")
    answer = _answer(judged)
    if isinstance(answer, Measured):
        return answer
    invented = judged.invented.answer
    if isinstance(invented, Unjudged):
        return undefined(invented.reason)
    if answer.reply in ("clarifying", "policy_refusal", "abstained"):
        return undefined(answer.reply)
    if is_flagged(judged.turn):
        return undefined("policy_refusal")
    return share(answer_relevance(judged.likeness), "no_known_word")


def _answer(judged: JudgedTurn) -> AnswerJudgement | Measured:
    """Return the `answer` verdict, or why there is none."""
    if judged.answer is None:
        return undefined(judged.not_judged or "not_asked")
    answer = judged.answer.answer
    return undefined(answer.reason) if isinstance(answer, Unjudged) else answer


def _grade(grade: int) -> Measured:
    return share(graded(grade), "not_asked")
