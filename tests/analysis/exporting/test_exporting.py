"""A run in the words of other programs."""

import csv
import io
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from analysis.exporting import FORMS, Judgement, judgements_of, table_lines
from analysis.exporting.judgements import count_of
from analysis.run import Run
from tests.analysis.runs import turn_row, write_run

SECRET = "=cmd|'/c calc'!A1\n\x1b[2J\u202e"


def span(turn_id: str, span_id: str, start: int | None, stage: str | None = None) -> dict[str, Any]:
    return {
        "trace_id": f"t-{turn_id}", "span_id": span_id, "name": "s", "kind": "agent",
        "start_ns": start, "status": "ok", "turn_id": turn_id, "flags": [], "stage": stage,
    }  # fmt: skip


def verdict(turn_id: str | None, question: str, **cells: Any) -> dict[str, Any]:
    return {
        "key": f"k-{turn_id}-{question}", "conversation_id": "a", "turn_id": turn_id,
        "question": question, "subject": "c-1", "status": "judged", "judge": "local/local-1",
        "reason": "so", **cells,
    }  # fmt: skip


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(
        write_run(
            tmp_path,
            turns=[
                turn_row("a/1", question=SECRET),
                turn_row("a/2", root="retrieval.missed_chunk"),
                turn_row("a/3", "not_judged", outcome_reason="not_captured"),
                turn_row("b/1"),
            ],
            spans=[
                span("a/1", "late", 20, "retrieval"),
                span("a/1", "first", 10),
                span("a/2", "root", 30),
                span("a/3", "gone", None),
            ],
            verdicts=[
                verdict("a/1", "relevance", label="relevant", grade=3),
                verdict("a/2", "support", status="unjudged", unjudged_reason="uncertain"),
                verdict("a/2", "answer", label="partly"),
                verdict(None, "routing"),
            ],
        )
    )


def lines(run: Run, form: str, left_out: Counter[str] | None = None) -> list[dict[str, Any]]:
    left_out = Counter() if left_out is None else left_out
    return [json.loads(line) for part in FORMS[form](run, judgements_of(run), left_out)
            for line in part.splitlines()]  # fmt: skip


def by_name(run: Run) -> dict[tuple[str, str], Judgement]:
    return {(one.name, one.turn_id): one for one in judgements_of(run)}


def test_judgements_stand_at_their_spans(run: Run) -> None:
    found = by_name(run)
    spans = {key: one.place.span_id if one.place else None for key, one in found.items()}
    assert spans == {
        ("outcome", "a/1"): "first",
        ("outcome", "a/2"): "root",
        ("outcome", "a/3"): "gone",
        ("outcome", "b/1"): None,
        ("relevance", "a/1"): "late",
        ("support", "a/2"): "root",
        ("answer", "a/2"): "root",
    }
    assert (found["outcome", "a/2"].label, found["outcome", "a/2"].score) == (
        "retrieval.missed_chunk",
        0.0,
    )
    assert (found["outcome", "a/3"].label, found["outcome", "a/3"].error) == (None, "not_captured")
    assert found["relevance", "a/1"].score == 3.0


def test_annotations(run: Run) -> None:
    found = lines(run, "phoenix")
    assert [(one["span_id"], one["name"]) for one in found] == [
        ("first", "outcome"),
        ("root", "outcome"),
        ("late", "relevance"),
        ("root", "answer"),
    ]
    assert found[2] == {
        "span_id": "late", "name": "relevance", "annotator_kind": "CODE",
        "result": {"label": "relevant", "score": 3.0, "explanation": "so"},
        "metadata": {"run_id": "r-1", "turn_id": "a/1", "subject": "c-1"},
        "identifier": "stagefault:k-a/1-relevance",
    }  # fmt: skip


def test_scores_have_ids_that_stay(run: Run) -> None:
    first, again = lines(run, "langfuse"), lines(run, "langfuse")
    assert first == again
    assert len({one["id"] for one in first}) == len(first) == 4
    assert (first[1]["traceId"], first[1]["value"], first[1]["dataType"]) == (
        "t-a/2",
        "retrieval.missed_chunk",
        "CATEGORICAL",
    )


def test_events_tell_what_is_undecided(run: Run) -> None:
    (batch,) = lines(run, "otlp")
    records = batch["resourceLogs"][0]["scopeLogs"][0]["logRecords"]
    attributes = [
        {pair["key"]: next(iter(pair["value"].values())) for pair in record["attributes"]}
        for record in records
    ]
    assert {record["eventName"] for record in records} == {"gen_ai.evaluation.result"}
    assert [one.get("error.type") for one in attributes] == [
        None, None, "not_captured", None, "uncertain", None,
    ]  # fmt: skip
    assert attributes[0]["gen_ai.evaluation.score.label"] == "pass"
    assert "gen_ai.evaluation.score.value" not in attributes[2]


@pytest.mark.parametrize(
    ("form", "left_out"),
    [
        pytest.param("phoenix", {"no_span": 1, "undecided": 2}, id="phoenix"),
        pytest.param("langfuse", {"no_span": 1, "undecided": 2}, id="langfuse"),
        pytest.param("otlp", {"no_span": 1}, id="otlp"),
    ],
)
def test_what_a_form_leaves_out_is_counted(run: Run, form: str, left_out: dict[str, int]) -> None:
    counted: Counter[str] = Counter()
    written = lines(run, form, counted)
    if form == "otlp":
        (batch,) = written
        written = batch["resourceLogs"][0]["scopeLogs"][0]["logRecords"]
    assert counted == left_out
    assert len(written) + counted.total() == count_of(run) == 7


def test_a_score_without_a_value_is_counted(tmp_path: Path) -> None:
    folder = write_run(
        tmp_path,
        turns=[turn_row("a/1")],
        spans=[span("a/1", "s", 1)],
        verdicts=[verdict("a/1", "statements")],
    )
    counted: Counter[str] = Counter()
    assert [one["name"] for one in lines(Run(folder), "langfuse", counted)] == [
        "stagefault.outcome"
    ]
    assert counted == {"no_value": 1}


def test_a_table_as_csv_is_no_program(run: Run) -> None:
    text = "".join(table_lines(run, "turns", as_csv=True))
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [row["turn_id"] for row in rows] == ["a/1", "a/2", "a/3", "b/1"]
    assert rows[0]["question"] == "'" + SECRET
    assert json.loads(rows[0]["collections"]) == ["faq"]


def test_a_table_as_json_lines_is_whole_and_safe_to_print(run: Run) -> None:
    text = "".join(table_lines(run, "turns", as_csv=False))
    assert not {"\x1b", "\u202e"} & set(text)
    assert json.loads(text.splitlines()[0])["question"] == SECRET
