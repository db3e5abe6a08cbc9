"""What each metric says, one sentence each; what a name is computed of stands in its module."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

_NUMBER = re.compile(r"\d+$")
MEANINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "collection_ok_rate": "Searched collections that were right, each once per turn, of those "
        "that the judge decided on.",
        "tool_ok_rate": "Calls of a right tool, of the calls that the judge decided on.",
        "args_ok_rate": "Calls with all arguments right, of the calls of a right tool.",
        "missing_resource_rate": "Turns in which the routing verdict misses a call, of those it "
        "decides; what only a probe found is not in it.",
        "refined_query_used_rate": "Turns that searched the refined query they recorded, of those "
        "that recorded one.",
        "agent_ok_rate": "Turns that the right agent handled, of those the judge decided on.",
        "context_relevance": "Mean grade of the retrieved chunks, 1 where all answer.",
        "max_relevance": "Grade of the best retrieved chunk, 1 where it answers.",
        "cited_relevance": "Mean grade of the cited chunks.",
        "precision_at_k": "Relevant chunks among the first k, of k; a short list counts as k.",
        "ndcg": "How well the chunks are ordered, 1 where the better ones come first; says nothing "
        "of what was not found.",
        "cited_precision": "Chunks that are relevant and cited, of the retrieved ones.",
        "cited_recall": "Chunks that are relevant and cited, of the relevant retrieved ones.",
        "faithfulness": "How far the paragraphs that cite are supported by what they cite.",
        "citation_correctness": "Pairs of a paragraph and a source in which the source says all or "
        "part of it and nothing else, of the judged pairs.",
        "citation_recall": "How far the paragraphs that need a source are supported by what they "
        "cite.",
        "citation_precision": "Citations that carry their paragraph, of those that lead to a "
        "source.",
        "citation_validity": "Citations that lead to a chunk or tool result, of all; needs no "
        "judge.",
        "question_understanding": "Does the answer address what was asked, 1 where it does.",
        "coherence": "Is the answer structured and understandable, 1 where it is.",
        "completeness": "Does the answer cover all that was asked, 1 where it does.",
        "language_compliance": "Is the answer in the language of the question; a turn fails by it "
        "only where the detector is certain of both.",
        "appropriate_abstention": "Does the answer claim to know as much as the evidence tells.",
        "groundedness[evidence]": "Statements that the evidence supports, of all statements of the "
        "answer; asked where it cites nothing, or on request.",
        "answer_relevance": "How alike the questions that the answer would answer are to the one "
        "asked, on first turns; on request.",
        "answer_relevance[follow_up]": "The same on follow-ups.",
        "input_tokens": "Tokens that the turn's model calls read, those from a cache included.",
        "output_tokens": "Tokens that the turn's model calls wrote.",
        "cached_tokens": "Tokens of the input that came from the provider's cache.",
        "duration_ms": "Time from the start to the end of the turn.",
        "routing_ms": "Time in which routing ran, overlaps counted once.",
        "retrieval_ms": "Time in which searches and tools ran, overlaps counted once.",
        "generation_ms": "Time in which the answer was written.",
        "first_output_ms": "Time from the start of the turn to the first token of the answer.",
        "error_rate": "Turns whose own span ended in an error; a tool that failed inside a turn is "
        "the fault tool_unavailable and not in it.",
    }
)
"""By name; `k` stands for any number."""


def of_metric(name: str) -> str:
    """Return what a metric says, whatever its k; empty for one that this version has not."""
    return MEANINGS.get(_NUMBER.sub("k", name), "")
