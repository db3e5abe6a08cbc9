"""The table of metrics, and what holds for all of them."""

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest

from analysis import metrics
from analysis.judged import JudgedTurn
from analysis.metrics import METRICS, Metric, measure, metrics_at
from analysis.metrics.measured import Measured
from analysis.metrics.metric import kind_of
from analysis.metrics.reasons import REASONS
from judge.answers import InventedQuestions, TurnRouting, Unjudged, UnjudgedReason
from judge.question import QuestionKind
from stages.records import Stage, StageUse
from tests import builders as b
from tests.analysis.attribution.scenes import verdict
from tests.analysis.metrics.turns import cited, judged, said, search

NAMES = {
    "routing": [
        "collection_ok_rate",
        "tool_ok_rate",
        "args_ok_rate",
        "missing_resource_rate",
        "refined_query_used_rate",
        "agent_ok_rate",
    ],
    "retrieval": [
        "context_relevance",
        "max_relevance",
        "cited_relevance",
        "precision_at_5",
        "ndcg",
        "cited_precision",
        "cited_recall",
    ],
    "generation": [
        "faithfulness",
        "citation_correctness",
        "citation_recall",
        "citation_precision",
        "citation_validity",
        "question_understanding",
        "coherence",
        "completeness",
        "language_compliance",
        "appropriate_abstention",
        "groundedness[evidence]",
        "answer_relevance",
        "answer_relevance[follow_up]",
    ],
    "service": [
        "input_tokens",
        "output_tokens",
        "cached_tokens",
        "duration_ms",
        "routing_ms",
        "retrieval_ms",
        "generation_ms",
        "first_output_ms",
        "error_rate",
    ],
}
INVENTED = InventedQuestions(reason="", questions=("a?", "b?", "c?"))
CITED = judged(
    "a3 b2",
    cites=cited("1a"),
    pairs={(1, "a"): "full"},
    judgement=said([True], evidence_sufficient=True),
    statements=["supported"],
    routing=TurnRouting(turn=1, reason="", agent_ok=True),
    citing_expected=True,
    language="en",
    answer_language="en",
)
FULL = replace(CITED, invented=verdict("questions", INVENTED), likeness=(0.5, 1.0, None))
TURNS = {
    "judged": FULL,
    "nothing asked": judged("a3"),
    "no retrieval": judged(),
    "no answer": judged("a3", generation=None),
    "answer not captured": judged("a3", answer=None, not_judged="not_captured"),
    "incomplete": judged("a3 b2", not_judged="incomplete"),
    "not captured": judged(search("", status="not_captured")),
    "failed": judged(search("", status="error")),
    "empty": judged("", judgement=said([True]), citing_expected=True),
    "undecided": judged(
        "a? b-",
        judgement=Unjudged(reason="uncertain"),
        statements=Unjudged(reason="too_long"),
        routing=Unjudged(reason="no_catalogue"),
    ),
    "unclear citations": judged("a3 b1", cites=cited("1?"), judgement=said([False])),
    "asks back": judged("a3", judgement=said([False], reply="clarifying")),
    "refuses by policy": judged("a3", judgement=said([False], reply="policy_refusal")),
    "unrouted": JudgedTurn(turn=b.turn(routing=None)),
}


def test_the_names_are_those_of_the_contract() -> None:
    found: dict[str, list[str]] = {}
    for metric in METRICS:
        found.setdefault(metric.stage, []).append(metric.name)
    assert found == NAMES


def test_the_cutoff_is_part_of_the_name() -> None:
    assert [metric.name for metric, _ in measure(FULL, k=3)] == [
        metric.name.replace("precision_at_5", "precision_at_3") for metric in METRICS
    ]


def test_the_first_place_can_be_the_cutoff() -> None:
    found = {metric.name: measured for metric, measured in measure(FULL, k=1)}
    assert found["precision_at_1"] == Measured(hits=1, total=1, lengths=(2,))


@pytest.mark.parametrize("k", [0, -1])
def test_a_cutoff_below_one_is_refused(k: int) -> None:
    with pytest.raises(ValueError, match=f"at least 1, got {k}"):
        metrics_at(k)


def test_rates_are_told_by_their_name() -> None:
    rates = [metric.name for metric in METRICS if metric.kind == "rate"]
    assert rates == [*NAMES["routing"], "error_rate"]
    assert kind_of("error_rate_ms") == "mean"


def test_units_and_directions() -> None:
    assert {(metric.unit, metric.better) for metric in METRICS} == {
        ("share", "higher"),
        ("share", "lower"),
        ("tokens", None),
        ("ms", "lower"),
    }
    lower = [
        metric.name for metric in METRICS if (metric.unit, metric.better) == ("share", "lower")
    ]
    assert lower == ["missing_resource_rate", "error_rate"]


@pytest.mark.parametrize("turn", TURNS.values(), ids=TURNS.keys())
def test_every_turn_has_every_metric_with_a_value_or_a_known_reason(turn: JudgedTurn) -> None:
    found = measure(turn)
    assert [metric for metric, _ in found] == list(METRICS)
    known = {*REASONS, *get_args(UnjudgedReason), None}
    assert {measured.reason for _, measured in found} <= known
    for metric, measured in found:
        if measured.value is not None and metric.unit == "share":
            assert 0 <= measured.value <= 1


def test_a_judged_turn_has_a_number_for_all_it_can_have() -> None:
    undefined = {metric.name: found.reason for metric, found in measure(FULL) if found.reason}
    assert undefined == {
        "collection_ok_rate": "no_collection_searched",
        "tool_ok_rate": "no_tool_called",
        "args_ok_rate": "no_tool_called",
        "refined_query_used_rate": "no_refined_query",
        "answer_relevance[follow_up]": "first_turn",
        "input_tokens": "not_recorded",
        "output_tokens": "not_recorded",
        "cached_tokens": "not_recorded",
        "routing_ms": "stage_not_run",
        "retrieval_ms": "stage_not_run",
        "generation_ms": "stage_not_run",
        "first_output_ms": "not_recorded",
    }


_WITHOUT: dict[QuestionKind, dict[str, Any]] = {
    "routing": {"routing": None},
    "relevance": {"relevance": {}},
    "support": {"support": {}},
    "answer": {"answer": None},
    "statements": {"statements": None},
    "questions": {"invented": None},
}


@pytest.mark.parametrize("question", _WITHOUT)
def test_a_metric_needs_the_questions_it_says_and_no_other(question: QuestionKind) -> None:
    fields = {name: getattr(FULL, name) for name in FULL.__slots__}
    with_all = _by_name(FULL)
    without = _by_name(JudgedTurn(**(fields | _WITHOUT[question])))
    changed = {name for name in with_all if with_all[name] != without[name]}
    needing = {metric.name for metric in METRICS if question in metric.needs}
    assert changed <= needing
    # the detector was sure of the language, and no collection or tool was judged
    idle = {"language_compliance", "collection_ok_rate", "tool_ok_rate", "args_ok_rate"}
    idle.add("answer_relevance[follow_up]")  # a first turn
    assert needing - changed - idle == set()


def test_only_what_is_asked_on_request_is_computed_on_request() -> None:
    assert {metric.name: metric.needs for metric in METRICS if metric.on_request} == {
        "answer_relevance": ("questions", "answer"),
        "answer_relevance[follow_up]": ("questions", "answer"),
    }


def test_the_time_of_a_stage_is_that_of_its_own_spans() -> None:
    stages: tuple[Stage, ...] = ("routing", "retrieval", "generation")
    use = {stage: StageUse(duration_ms=ms) for ms, stage in enumerate(stages, start=1)}
    found = _by_name(judged("a3", use=use))
    assert [found[f"{stage}_ms"].value for stage in stages] == [1, 2, 3]


def test_every_reason_that_a_metric_gives_has_a_sentence() -> None:
    of_the_judge = set(get_args(UnjudgedReason))
    of_the_turn = {"incomplete"}  # why a turn as a whole was not judged
    given, known = _given_reasons(), REASONS.keys()
    assert given - of_the_judge <= known
    assert known - of_the_turn - _words() == set()


def _given_reasons() -> set[str]:
    """Return the words that metrics pass on as reasons, read off their source."""
    asked = ("share", "quantity", "undefined")
    given: set[str] = set()
    for node in _nodes():
        if isinstance(node, ast.Call) and ast.unparse(node.func) in asked:
            given |= _constants(node.args[-1])
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "otherwise":
            given |= _constants(node.value)
        elif isinstance(node, ast.FunctionDef) and node.name in ("_why", "_open"):
            given |= {word for one in ast.walk(node) for word in _returned(one)}
    return given


def _words() -> set[str]:
    return {word for node in _nodes() for word in _constants(node)}


def _returned(node: ast.AST) -> set[str]:
    return _constants(node.value) if isinstance(node, ast.Return) and node.value else set()


def _constants(node: ast.AST) -> set[str]:
    found = (one.value for one in ast.walk(node) if isinstance(one, ast.Constant))
    return {word for word in found if isinstance(word, str)}


def _nodes() -> Iterator[ast.AST]:
    for path in Path(metrics.__file__).parent.glob("*.py"):
        if path.stem != "reasons":
            yield from ast.walk(ast.parse(path.read_text("utf-8")))


def test_words_for_reasons_are_sentences_without_a_full_stop() -> None:
    assert all(text and not text.endswith(".") for text in REASONS.values())
    assert not set(REASONS) & set(get_args(UnjudgedReason))


def _by_name(turn: JudgedTurn) -> dict[str, Measured]:
    return {metric.name: measured for metric, measured in measure(turn)}


def test_the_table_is_made_of_metrics() -> None:
    assert all(isinstance(metric, Metric) for metric in METRICS)
    assert len({metric.name for metric in METRICS}) == len(METRICS)
