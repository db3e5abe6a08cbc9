"""How far evidence supports one paragraph: the worst and the best of its claims.

Every asserting sentence is held against the evidence on its own. One that is contradicted
contradicts the paragraph; all full is full, none at all is none, anything else is partial.
What carries a citation marker can be contradicted only by what the marker points to.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from judge.answers import SupportLabel
from judge.local.claims import Claim, claims_of, meant_by
from judge.local.evidence import Piece, pieces
from judge.local.holding import Held, hold
from judge.local.matching import Rarity
from judge.local.thresholds import Thresholds
from judge.tokens import tokens

_OF_OTHERS: Final = "what differs cites another source"
_CLAIMED: Final = 0.6
"""Part of a text's score that is its weakest claim's; the rest is the share taken over."""


def judge_support(
    content: Mapping[str, Any], rarity: Rarity, limits: Thresholds
) -> Mapping[str, Any]:
    """Answer a `support` question."""
    paragraph = content["paragraph"]
    evidence = pieces(content["evidence"])
    given = "\n".join(filter(None, (content["question"], content["lead_in"])))
    held = held_claims(paragraph, evidence, given, rarity, limits)
    return _reply([claim for claim, _ in held], [one for _, one in held])


def held_claims(
    paragraph: Mapping[str, Any],
    evidence: Sequence[Piece],
    question: str,
    rarity: Rarity,
    limits: Thresholds,
) -> list[tuple[Claim, Held]]:
    """Hold each claim of a paragraph; where nothing asserts, every sentence counts."""
    found = list(claims_of(paragraph, 1))
    asserting = [claim for claim in found if claim.asserts] or found
    held: list[tuple[Claim, Held]] = []
    for claim in asserting:
        one = hold(claim.text, evidence, question, rarity, limits)
        if one.label == "contradicted" and one.piece is not None:
            meant = meant_by(claim, paragraph["markers"], one.piece.cited_as)
            if not meant:
                one = replace(one, label="none", reason=f"{_OF_OTHERS} ({one.reason})")
            elif _letters(meant) != _letters(claim.text):
                one = _of_others(one, hold(meant, evidence, question, rarity, limits))
        held.append((claim, one))
    return held


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def _of_others(whole: Held, meant: Held) -> Held:
    """Return what holds of a claim whose contradicted part may be about another source.

    Args:
        whole: The claim, contradicted.
        meant: The part of it that cites the source.
    """
    if meant.label == "contradicted":
        return meant
    label: SupportLabel = "partial" if meant.label in ("full", "partial") else "none"
    return replace(meant, label=label, reason=f"{_OF_OTHERS} ({whole.reason})")


def label_of(held: Sequence[Held]) -> SupportLabel:
    """Put the labels of single claims together; `none` without any."""
    labels = {one.label for one in held}
    if "contradicted" in labels:
        return "contradicted"
    if labels == {"full"}:
        return "full"
    return "partial" if labels & {"full", "partial"} else "none"


def _reply(found: Sequence[Claim], held: Sequence[Held]) -> Mapping[str, Any]:
    label = label_of(held)
    order = ("contradicted", "none", "partial", "full")
    telling = "contradicted" if label == "contradicted" else "full" if label == "full" else None
    best = max(
        range(len(held)),
        key=lambda i: (
            held[i].label == telling,
            order.index(held[i].label),
            held[i].score,
        ),
        default=None,
    )
    if best is None:
        return {
            "reason": "states nothing",
            "label": label,
            "quote_paragraph": None,
            "quote_evidence": None,
        }
    weakest = min(held, key=lambda one: one.score)
    shown = weakest if label in ("partial", "none") else held[best]
    return {
        "reason": shown.reason,
        "label": label,
        "quote_paragraph": found[best].verbatim,
        "quote_evidence": None if label == "none" else held[best].quote,
    }


def score_support(
    paragraph: str, evidence: Sequence[Piece], question: str, rarity: Rarity, limits: Thresholds
) -> float:
    """Return how surely all of a text stands in the evidence, in [0, 1].

    The weakest claim counts, together with the share of the text's tokens, function words
    included, that stand in the evidence: what was taken over is taken over with its grammar.
    """
    held = held_claims(
        {"kind": "prose", "text": paragraph, "markers": []}, evidence, question, rarity, limits
    )
    weakest = min((one.score for _, one in held), default=0.0)
    said = tokens(paragraph)
    there = {token for piece in evidence for token in tokens(piece.text)}
    taken = sum(token in there for token in said) / max(len(said), 1)
    return _CLAIMED * weakest + (1 - _CLAIMED) * taken
