"""What an answer says not to exist, told by the call that was to find it.

    call get_case {case_id: C-20999} → empty
    "Under C-20999 I find no case."      ─▶  absence

There are more ways to say so than any list of phrases holds. A clause that denies something
of the very number that a call looked for, and that came back empty or failed, says it. So
does a sentence that denies anything where every source that was looked up failed:

    search_rules {query: night supplement} → error
    "The rules prescribe no supplement." ─▶  absence
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from judge.local.claims import Claim
from judge.local.evidence import Piece, spoken
from judge.local.identifiers import identifiers
from judge.local.patterns import pattern
from judge.local.polarity import negated
from judge.local.text import clauses


def denies_record(text: str, evidence: Sequence[Piece]) -> bool:
    """Tell whether a text denies that there is what a call of the turn did not find."""
    # "I could not look it up" tells of a call that failed; of one that found nothing, "I see
    # no such case" tells what it found. What only follows ("…, so I can't tell") excuses nothing.
    told = (clause for clause in clauses(text) if not pattern("consequence").search(clause))
    honest = pattern("unknown").search(" ".join(told)) is not None
    sought = {
        name
        for piece in evidence
        if piece.empty or (piece.failed and not honest)
        for name in identifiers(piece.arguments)
    }
    if not sought:
        return False
    return any(
        negated(clause) and not sought.isdisjoint(identifiers(clause)) for clause in clauses(text)
    )


def with_absences(claims: Sequence[Claim], evidence: Sequence[Piece]) -> Iterator[Claim]:
    """Yield the claims, those that deny a record as claims of absence."""
    blind = bool(evidence) and all(
        piece.failed and pattern("looks_up").search(spoken(piece.tool or "")) for piece in evidence
    )
    for claim in claims:
        denies = claim.act in ("fact", "unknown") and denies_record(claim.text, evidence)
        denies = denies or (blind and claim.act == "fact" and _denies(claim.text))
        yield replace(claim, act="absence") if denies else claim


def _denies(text: str) -> bool:
    """Tell whether a sentence denies anything, and not only that a source answers now."""
    return negated(text) and pattern("at_the_moment").search(text) is None
