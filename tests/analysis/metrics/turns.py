"""Judged turns in short hand.

A search is written as its chunks in rank order, each an id and what is known of it:
`"a3 b0 c? d-"` are chunk a of grade 3, b of grade 0, c that the judge did not decide and d
whose text the trace does not hold. `"a1+2"` would be a chunk a of grade 1 at rank 2 when
ranks are not the places in the list.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from analysis.judged import JudgedTurn
from judge.answers import (
    AnswerJudgement,
    Element,
    ElementStatus,
    ParagraphClaim,
    Statement,
    StatementLabel,
    Statements,
    SupportLabel,
    TurnRouting,
    Unjudged,
)
from judge.question import Verdict
from stages.records import Citation, CitationStatus, Retrieval
from tests import builders as b
from tests.analysis.attribution.scenes import relevance, support, verdict

Pairs = Mapping[tuple[int, str], SupportLabel | None]
"""By paragraph and cited ids: `a` for a pair, `a+b` for the two together."""


def search(chunks: str, **fields: Any) -> Retrieval:
    """Build a search from short hand."""
    found = []
    for place, word in enumerate(chunks.split(), start=1):
        known, _, rank = word.partition("+")
        text = None if known[1] == "-" else "Some text."
        found.append(b.chunk(known[0], text, int(rank or place)))
    return b.retrieval(found, **fields)


def judged(
    *searches: str | Retrieval,
    grades: str = "",
    answer: str | None = "Some answer.",
    cites: Iterable[Citation] = (),
    pairs: Pairs | None = None,
    judgement: AnswerJudgement | Unjudged | None = None,
    statements: Sequence[StatementLabel] | Unjudged | None = None,
    routing: TurnRouting | Unjudged | None = None,
    citing_expected: bool = False,
    not_judged: str | None = None,
    **fields: Any,
) -> JudgedTurn:
    """Build a judged turn.

    Args:
        searches: In short hand, whose grades become verdicts; or whole searches.
        grades: Short hand for the grades of chunks of whole searches.
        answer: Its text; None: a generation whose answer was not captured.
        cites: Citations of the answer.
        pairs: Support verdicts.
        judgement: The `answer` verdict; None: not asked.
        statements: Labels of the statements; None: not asked.
        routing: The `routing` verdict; None: not asked.
        citing_expected: Whether the answer should cite.
        not_judged: Why nothing was asked.
        fields: Fields of the turn.
    """
    shorthand = " ".join([grades, *(one for one in searches if isinstance(one, str))])
    asked = {word[0]: word[1] for word in shorthand.split() if word[1] != "-"}
    fields.setdefault("generation", b.generation(answer, cites))
    return JudgedTurn(
        turn=b.turn(
            retrievals=tuple(
                search(one, position=place) if isinstance(one, str) else one
                for place, one in enumerate(searches, start=1)
            ),
            **fields,
        ),
        relevance={
            chunk_id: verdict(
                "relevance", relevance(None if grade == "?" else int(grade)), chunk_id=chunk_id
            )
            for chunk_id, grade in asked.items()
        },
        support={
            (number, tuple(ids.split("+"))): verdict(
                "support", support(label), paragraph=number, evidence_ids=tuple(ids.split("+"))
            )
            for (number, ids), label in (pairs or {}).items()
        },
        answer=None if judgement is None else verdict("answer", judgement),
        statements=_statements(statements),
        routing=routing,
        citing_expected=citing_expected,
        not_judged=not_judged,
    )


def cited(*places: str) -> list[Citation]:
    """Build citations from `1a` (paragraph 1, source a); `1!`, `1?`, `1*` are unresolved.

    `!` is out of range, `?` ambiguous, `*` has a target that was not captured, `1~a` quotes
    what is not in a, `1<a` is a source of an earlier turn, and `0a` stands outside every
    paragraph.
    """
    return [_citation(number, place) for number, place in enumerate(places, start=1)]


def said(
    needs_source: Sequence[bool] = (),
    *,
    elements: Sequence[tuple[ElementStatus, bool | None]] = (("answered", True),),
    **fields: Any,
) -> AnswerJudgement:
    """Build an `answer` verdict: which paragraphs need a source, and any other field."""
    defaults: dict[str, Any] = {
        "reason": "",
        "needs_evidence": True,
        "reply": "answered",
        "elements": tuple(
            Element(text="What?", status=status, in_evidence=found) for status, found in elements
        ),
        "paragraphs": tuple(
            ParagraphClaim(paragraph=number, needs_source=needs, claim="fact")
            for number, needs in enumerate(needs_source, start=1)
        ),
        "understanding": 3,
        "coherence": 3,
        "completeness": 3,
    }
    return AnswerJudgement(**(defaults | fields))


_STATUS: dict[str, CitationStatus] = {
    "<": "resolved_earlier_turn",
    "~": "quote_not_in_chunk",
    "!": "out_of_range",
    "?": "ambiguous",
    "*": "target_not_captured",
}


def _citation(number: int, place: str) -> Citation:
    status = _STATUS.get(place[1])
    return b.citation(
        place[-1] if place[-1] not in _STATUS else None,
        number=number,
        paragraph=int(place[0]) or None,
        status=status,
    )


def _statements(
    labels: Sequence[StatementLabel] | Unjudged | None,
) -> Verdict[Statements] | None:
    if labels is None:
        return None
    if isinstance(labels, Unjudged):
        return verdict("statements", labels)
    made = tuple(Statement(text="So it is.", paragraph=1, label=label) for label in labels)
    return verdict("statements", Statements(reason="", statements=made))
