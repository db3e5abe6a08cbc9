"""From turns to verdicts: every question is asked once, and every reply is kept.

    Turn ──asking──▶ Question ──keys──▶ key ──ledger──▶ Reply ──replies──▶ Verdict
                                         │ missing       ▲ stored first
                                         └────▶ Judge ───┘

A `Verdict` is read from a stored reply each time, so a better reader costs no call. Two
turns that raise the same question share one reply. What a judge cannot decide, and what
it failed to say properly, is `Unjudged` with a reason: never a zero, never a default.

Uses the network in `judge.remote` only, for a model that the user chose.
"""

from judge.asking import (
    answer_question,
    cites,
    citing_agents,
    citing_expected,
    not_judgeable,
    probe_questions,
    relevance_questions,
    statements_question,
)
from judge.asking_once import Counts, ask, count_missing
from judge.asking_routing import routing_questions
from judge.asking_support import rest_questions, support_questions, together_questions
from judge.keys import reply_key
from judge.ledger import Ledger
from judge.replies import read_reply

__all__ = [
    "Counts",
    "Ledger",
    "answer_question",
    "ask",
    "cites",
    "citing_agents",
    "citing_expected",
    "count_missing",
    "not_judgeable",
    "probe_questions",
    "read_reply",
    "relevance_questions",
    "reply_key",
    "rest_questions",
    "routing_questions",
    "statements_question",
    "support_questions",
    "together_questions",
]
