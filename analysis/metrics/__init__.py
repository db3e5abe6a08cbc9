"""Metrics: arithmetic on stored verdicts, one number or one reason per turn.

    JudgedTurn ──measure──▶ (Metric, Measured)* ──summarise──▶ Summary

Each stage has a module: pure functions of the least they need, with their source, and
below them the same read off a turn. `METRICS` is the whole table. Nothing is asked here,
every turn has every metric, and an undefined one is None with a reason, never 0.
"""

from functools import lru_cache, partial
from typing import Final

from analysis.judged import JudgedTurn
from analysis.metrics import citation, generation, retrieval, routing, service
from analysis.metrics.measured import Measured
from analysis.metrics.metric import Metric
from analysis.metrics.ratio import Ratio

__all__ = ["METRICS", "Measured", "Metric", "Ratio", "measure", "metric_named", "metrics_at"]

DEFAULT_K: Final = 5


_routing = partial(Metric, stage="routing", needs=("routing",))
_retrieval = partial(Metric, stage="retrieval", needs=("relevance",))
_citation = partial(Metric, stage="generation", needs=("support",))
_turns = partial(_routing, counts="turn")
_calls = partial(_routing, counts="call")
_chunks = partial(_retrieval, counts="chunk")
_paragraphs = partial(_citation, counts="paragraph")
_answer = partial(Metric, stage="generation", needs=("answer",))
_service = partial(Metric, stage="service")
_tokens = partial(_service, unit="tokens", better=None)
_time = partial(_service, unit="ms", better="lower")


@lru_cache(maxsize=8)
def metrics_at(k: int) -> tuple[Metric, ...]:
    """Return all metrics, with *k* as the cutoff of those that have one.

    Raises:
        ValueError: *k* is below 1.
    """
    if k < 1:
        raise ValueError(f"k must be at least 1, got {k}")
    return (
        _routing(
            name="collection_ok_rate",
            compute=routing.measure_collections,
            counts="collection",
            fault="wrong_collection",
        ),
        _calls(name="tool_ok_rate", compute=routing.measure_tools, fault="wrong_tool"),
        _calls(name="args_ok_rate", compute=routing.measure_arguments, fault="wrong_arguments"),
        _turns(
            name="missing_resource_rate",
            compute=routing.measure_missing,
            fault="missing_resource",
            better="lower",
        ),
        _turns(
            name="refined_query_used_rate",
            compute=routing.measure_refined_query,
            fault="refined_query_ignored",
            needs=(),
        ),
        _turns(name="agent_ok_rate", compute=routing.measure_agent, fault="wrong_agent"),
        _chunks(name="context_relevance", compute=retrieval.measure_context_relevance),
        _retrieval(name="max_relevance", compute=retrieval.measure_max_relevance),
        _chunks(name="cited_relevance", compute=retrieval.measure_cited_relevance),
        _retrieval(
            name=f"precision_at_{k}",
            compute=partial(retrieval.measure_precision, k=k),
            counts="rank",
        ),
        _retrieval(name="ndcg", compute=retrieval.measure_ndcg),
        _chunks(name="cited_precision", compute=retrieval.measure_cited_precision),
        _chunks(name="cited_recall", compute=retrieval.measure_cited_recall),
        _paragraphs(name="faithfulness", compute=citation.measure_faithfulness),
        _citation(name="citation_correctness", compute=citation.measure_correctness, counts="pair"),
        _paragraphs(
            name="citation_recall", compute=citation.measure_recall, needs=("answer", "support")
        ),
        _citation(name="citation_precision", compute=citation.measure_precision, counts="citation"),
        _citation(
            name="citation_validity",
            compute=citation.measure_validity,
            counts="citation",
            needs=(),
        ),
        _answer(name="question_understanding", compute=generation.measure_understanding),
        _answer(name="coherence", compute=generation.measure_coherence),
        _answer(name="completeness", compute=generation.measure_completeness),
        _answer(name="language_compliance", compute=generation.measure_language),
        _answer(name="appropriate_abstention", compute=generation.measure_abstention),
        _answer(
            name="groundedness[evidence]",
            compute=generation.measure_groundedness,
            counts="statement",
            needs=("statements",),
        ),
        _answer(
            name="answer_relevance",
            compute=generation.measure_relevance,
            needs=("questions", "answer"),
            on_request=True,
        ),
        _answer(
            name="answer_relevance[follow_up]",
            compute=partial(generation.measure_relevance, follow_up=True),
            needs=("questions", "answer"),
            on_request=True,
        ),
        _tokens(name="input_tokens", compute=service.measure_input_tokens),
        _tokens(name="output_tokens", compute=service.measure_output_tokens),
        _tokens(name="cached_tokens", compute=service.measure_cached_tokens),
        _time(name="duration_ms", compute=service.measure_duration),
        _time(name="routing_ms", compute=partial(service.measure_stage, stage="routing")),
        _time(name="retrieval_ms", compute=partial(service.measure_stage, stage="retrieval")),
        _time(name="generation_ms", compute=partial(service.measure_stage, stage="generation")),
        _time(name="first_output_ms", compute=service.measure_first_output),
        _service(name="error_rate", compute=service.measure_errors, counts="turn", better="lower"),
    )


METRICS: Final = metrics_at(DEFAULT_K)
"""All metrics at the default cutoff, stage by stage."""


def metric_named(name: str) -> Metric | None:
    """Return the metric of a name, whatever its k; None for one that this version has not."""
    bare = name.rstrip("0123456789")
    return next((one for one in METRICS if one.name.rstrip("0123456789") == bare), None)


def measure(judged: JudgedTurn, k: int = DEFAULT_K) -> list[tuple[Metric, Measured]]:
    """Return every metric of a turn, in the order of the table.

    Args:
        judged: The turn with its verdicts.
        k: Cutoff rank of `precision_at_k`, at least 1; part of the metric's name.
    """
    return [(metric, metric.compute(judged)) for metric in metrics_at(k)]
