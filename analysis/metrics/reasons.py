"""Why a metric has no value, in words that reports print.

Beside these stand the judge's own words (`judge.answers.UnjudgedReason`).
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

REASONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        # any stage
        "not_asked": "the question was not put to the judge",
        "incomplete": "the span that carries the answer is missing from the trace",
        "not_recorded": "the trace does not tell",
        "stage_not_run": "no span of this stage belongs to the turn",
        # routing
        "no_routing": "the turn was not routed",
        "no_collection_searched": "no collection was searched",
        "no_tool_called": "no tool was called",
        "no_right_tool": "no call was made to a right tool",
        "no_refined_query": "no refined query was recorded",
        "refined_query_inferred": "the refined query is only known from the search itself",
        "query_not_captured": "the trace does not tell what was searched",
        # retrieval
        "no_retrieval": "nothing was searched",
        "retrieval_not_captured": "the trace does not tell what the search returned",
        "retrieval_failed": "the search ended in an error",
        "nothing_retrieved": "the search returned no chunk",
        "nothing_relevant": "no retrieved chunk is relevant",
        "no_gain": "no retrieved chunk is relevant, so no order is better than another",
        "fewer_than_two_chunks": "a list of one chunk has only one order",
        "chunk_text_not_captured": "the trace holds ids of chunks without their text",
        "tool_result_not_captured": "the trace does not tell what a tool returned",
        "too_many_unjudged": "more than one chunk in five is not judged",
        # citations
        "no_generation": "no answer was generated",
        "answer_not_captured": "the trace does not hold the answer",
        "no_citations": "the answer cites nothing",
        "nothing_cited": "no chunk of this turn's search is cited",
        "citations_unclear": "what the answer cites cannot be told from the trace",
        "citing_not_expected": "the agent is not expected to cite",
        "no_source_needed": "no paragraph needs a source",
        "support_undecided": "no judged paragraph or pair of paragraph and source",
        # answer
        "language_uncertain": "neither the detector nor the judge is sure of the language",
        "another_language_asked_for": "the user asked for text in another language",
        "needs_no_evidence": "the question needs no evidence",
        "clarifying": "the reply asks back",
        "policy_refusal": "the reply refuses by policy",
        "sufficiency_undecided": "whether the evidence sufficed was not decided",
        "abstained": "the reply abstains",
        "first_turn": "the turn is no follow-up",
        "follow_up": "the turn is a follow-up; those are counted apart",
        "no_known_word": "the embedding model knows no word of the questions",
        "no_statements": "the answer makes no statement",
    }
)
"""A sentence for each reason word of the metrics."""
