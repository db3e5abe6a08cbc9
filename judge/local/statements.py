"""The statements of an answer without citations, each held against all evidence together.

One asserting sentence, list item or table row is one statement.
"""

from collections.abc import Mapping
from typing import Any

from judge.answers import StatementLabel
from judge.local.absences import with_absences
from judge.local.claims import claims
from judge.local.evidence import pieces
from judge.local.holding import Held, hold
from judge.local.matching import Rarity
from judge.local.thresholds import Thresholds


def judge_statements(
    content: Mapping[str, Any], rarity: Rarity, limits: Thresholds
) -> Mapping[str, Any]:
    """Answer a `statements` question."""
    evidence = pieces(content["evidence"])
    statements = []
    for claim in with_absences(claims(content["paragraphs"]), evidence):
        if not claim.asserts:
            continue
        held = hold(claim.text, evidence, content["question"], rarity, limits)
        label = _label(held)
        statements.append(
            {
                "text": claim.text,
                "paragraph": claim.paragraph,
                "label": label,
                "quote": None if label == "unsupported" else held.quote,
            }
        )
    supported = sum(one["label"] == "supported" for one in statements)
    return {
        "reason": f"{supported} of {len(statements)} statements stand in the evidence",
        "statements": statements,
    }


def _label(held: Held) -> StatementLabel:
    if held.label == "contradicted":
        return "contradicted"
    # A statement is one claim: mostly there counts as there, unless something exact is missing.
    mostly = held.label == "partial" and held.exact
    return "supported" if held.label == "full" or mostly else "unsupported"
