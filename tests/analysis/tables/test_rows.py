"""What the columns of a run say about one turn, worked out by hand."""

import json
from typing import Any

import pytest

from analysis.attribution import attribute
from analysis.judged import JudgedTurn
from analysis.metrics.measured import Measured
from analysis.metrics.metric import Metric
from analysis.tables.conversation_rows import conversation_rows
from analysis.tables.schemas import SCHEMAS, TableName
from analysis.tables.stage_rows import (
    chunk_rows,
    citation_rows,
    paragraph_rows,
    retrieval_rows,
    span_rows,
    tool_call_rows,
)
from analysis.tables.turn_rows import Row, turn_row
from analysis.tables.verdict_rows import finding_rows, loss_rows, metric_rows, verdict_row
from ingest.losses import Loss
from judge.answers import Criterion, RoutingJudgement, Unjudged
from stages.records import StageUse
from tests import builders as b
from tests.analysis.attribution.scenes import (
    element,
    hit,
    routed,
    scene,
    search,
    support,
    verdict,
    wrong_arguments,
)
from tests.analysis.attribution.turns import fabricated

GOOD = b.chunk("m-1", "RX-200: change the filter every 500 hours.", metadata={"title": "Filters"})
LOW = b.chunk("m-2", "RX-300: oil.", 2, first_rank=1, score=1, in_context=False)


def failing(**changes: Any) -> JudgedTurn:
    """Build a turn whose evidence is in a collection that was never searched."""
    given: dict[str, Any] = {
        "elements": [element(in_evidence=False)],
        "searches": [search(GOOD, LOW, collection="manuals-rx300")],
        "citations": (b.citation("m-1"),),
        "grades": {"m-1": 1, "m-2": None},
        "off_target": ("m-1",),
        "pairs": {(1, "m-1"): "none"},
        "routing": routed(collections={"manuals-rx300": False}),
        "probes": [hit(collection="manuals-rx200")],
    }
    return scene(**(given | changes))


def row_of(judged: JudgedTurn) -> Row:
    (attribution,) = attribute((judged,))
    return turn_row(judged, attribution)


def test_a_failing_turn() -> None:
    row = row_of(failing(refined="filter RX-300", language="en"))
    assert row["turn_id"] == "c-1/1"
    assert row["outcome"] == "failed"
    assert (row["root_stage"], row["root_kind"]) == ("routing", "wrong_collection")
    assert row["collections"] == ["manuals-rx300"]
    assert row["found_collections"] == ["manuals-rx200"]
    assert row["refined_query"] == "filter RX-300"
    assert row["missing"] == []
    assert row["answer"] == "The filter is changed every 500 hours. [1]"
    assert row["sentence"].startswith("Routing searched manuals-rx300;")


def test_its_causes_name_the_chunk_that_should_have_been_there() -> None:
    (cause,) = json.loads(row_of(failing())["causes"])
    assert cause["element"] == 0
    assert cause["element_text"] == "How often is the filter of the RX-200 changed?"
    assert (cause["stage"], cause["kind"]) == ("routing", "wrong_collection")
    assert cause["paragraphs"] == [1]
    assert (cause["found_chunk_id"], cause["found_collection"]) == ("m-9", "manuals-rx200")
    assert cause["found_quote"] == "RX-200: change the filter every 500 hours."
    assert cause["found_grade"] == 3
    assert {"stage": "generation", "kind": "missing_abstention", "role": "contributing"} in cause[
        "beside"
    ]


def test_an_undetermined_turn_says_what_is_missing() -> None:
    row = row_of(failing(probes=None, routing=routed(collections={"manuals-rx300": True})))
    (cause,) = json.loads(row["causes"])
    assert row["root_stage"] == "undetermined"
    assert row["root_kind"] is None
    assert row["missing"] == ["corpus_not_probed"]
    assert cause["missing"] == "corpus_not_probed"
    assert cause["possible"] == ["retrieval", "generation"]
    assert cause["stage"] is None
    assert cause["found_chunk_id"] is None


def test_a_cause_says_what_cleared_the_stage_upstream() -> None:
    (cause,) = json.loads(row_of(fabricated())["causes"])
    assert cause["counter_evidence"].startswith("Would have been retrieval, but manuals-rx200")
    (cause,) = json.loads(row_of(failing())["causes"])
    assert cause["counter_evidence"] is None


def test_what_did_not_run_is_null() -> None:
    judged = JudgedTurn(
        turn=b.turn(None, None, routing=None, start_ns=None, gaps=(b.gap(), b.gap())),
        not_judged="not_captured",
    )
    row = row_of(judged)
    assert row["outcome"] == "not_judged"
    assert row["outcome_reason"] == "not_captured"
    assert row["gaps"] == ["answer_not_captured"]
    assert row["elements"] is None
    assert {"answer", "routing_ms", "first_output_ms", "answer_source"}.isdisjoint(row)
    for name in ("agents", "started_at", "duration_ms", "question", "sentence", "reply"):
        assert row[name] is None, name
    assert list(paragraph_rows(judged)) == []
    assert list(citation_rows(judged.turn)) == []


def test_time_and_tokens_by_stage() -> None:
    judged = scene(
        start_ns=2**63,
        input_tokens=2**64,
        output_tokens=7,
        use={"retrieval": StageUse(duration_ms=12.5, input_tokens=None, output_tokens=3)},
    )
    row = row_of(judged)
    assert row["started_at"] is None, "no 64-bit column holds it"
    assert row["input_tokens"] is None
    assert row["output_tokens"] == 7
    assert row["retrieval_ms"] == 12.5
    assert row["retrieval_output_tokens"] == 3
    assert row["retrieval_input_tokens"] is None
    assert "generation_ms" not in row


def test_chunks_carry_their_grade_or_why_they_have_none() -> None:
    first, second = chunk_rows(failing())
    assert (first["grade"], first["relevant"], first["on_target"]) == (1, False, False)
    assert first["cited"] is True
    assert first["title"] == "Filters"
    assert first["collection"] == "manuals-rx300"
    assert json.loads(first["metadata"]) == {"title": "Filters"}
    assert second["unjudged_reason"] == "uncertain"
    assert "grade" not in second
    assert second["cited"] is False
    assert (second["rank"], second["first_rank"], second["in_context"]) == (2, 1, False)
    assert isinstance(second["score"], float)


def test_without_an_answer_nothing_tells_what_is_cited() -> None:
    judged = JudgedTurn(turn=b.turn(answer=None, chunks=["text"]))
    (row,) = chunk_rows(judged)
    assert row["cited"] is None


def test_searches() -> None:
    turn = b.turn(
        retrievals=(
            b.retrieval(["a", "b"], collection="faq"),
            b.retrieval((), position=2, status="not_captured"),
            b.retrieval((), position=3, call_id="c1", error="time-out", status="error"),
        ),
        routing=b.routing(refined_query="shoes"),
    )
    rows = list(retrieval_rows(turn))
    assert [row["n_chunks"] for row in rows] == [2, None, 0]
    assert [row["status"] for row in rows] == ["ok", "not_captured", "error"]
    assert rows[0]["refined_query"] == "shoes"
    assert (rows[2]["call_id"], rows[2]["error"]) == ("c1", "time-out")


def test_tool_calls() -> None:
    turn = b.turn(
        tool_calls=(
            b.tool_call("get", {"b": 1, "a": "ü"}, None, catalogue=(b.definition("get"),)),
            b.tool_call("put", None, "done", position=2),
        )
    )
    first, second = tool_call_rows(turn)
    assert first["arguments"] == '{"b":1,"a":"ü"}'
    assert first["result"] is None
    assert first["catalogue"] == ["get"]
    assert second["arguments"] is None
    assert second["result"] == '"done"'
    assert second["catalogue"] is None


def test_paragraphs_carry_their_support() -> None:
    judged = failing(
        answer="It is 500 hours. [1]\n\nAnything else?",
        claims=None,
    )
    first, second = paragraph_rows(judged)
    assert (first["needs_source"], first["claim"], first["support"]) == (True, "fact", "none")
    assert (second["needs_source"], second["claim"], second["support"]) == (None, None, None)
    assert judged.turn.generation is not None
    assert judged.turn.generation.answer is not None
    cut = judged.turn.generation.answer[second["start"] : second["end"]]
    assert cut == second["text"] == "Anything else?"


def test_citations_and_spans() -> None:
    turn = b.turn(
        answer=b.generation("x [9]", [b.citation(None, "[9]", start=2)]),
        spans=(b.span_row("s1", start_ns=-1, end_ns=2**63, stage="routing", flags=("cycle",)),),
    )
    (cited,) = citation_rows(turn)
    assert (cited["marker"], cited["start"], cited["end"]) == ("[9]", 2, 5)
    assert (cited["chunk_id"], cited["status"]) == (None, "out_of_range")
    (span,) = span_rows(turn)
    assert (span["start_ns"], span["end_ns"]) == (-1, None)
    assert (span["conversation_id"], span["turn_id"]) == ("conv-1", "conv-1/1")
    assert (span["flags"], span["stage"]) == (["cycle"], "routing")


@pytest.mark.parametrize(
    ("answer", "cells"),
    [
        pytest.param(
            hit(3).verdict.answer, {"label": "relevant", "grade": 3, "quotes": []}, id="relevance"
        ),
        pytest.param(hit(1).verdict.answer, {"label": "not_relevant", "grade": 1}, id="grade 1"),
        pytest.param(support("full"), {"label": "full", "quotes": []}, id="support"),
        pytest.param(
            Unjudged(reason="quote_not_found", detail="no such words"),
            {
                "status": "unjudged",
                "unjudged_reason": "quote_not_found",
                "reason": "no such words",
            },
            id="unjudged",
        ),
        pytest.param(Criterion(reason="so", score=1), {"score": 1.0, "reason": "so"}, id="score"),
        pytest.param(
            RoutingJudgement(reason="", turns=(routed(calls=[wrong_arguments()]),)),
            {"status": "judged"},
            id="routing",
        ),
    ],
)
def test_verdicts(answer: Any, cells: Row) -> None:
    row = verdict_row(verdict("relevance", answer, chunk_id="m-9"))
    assert {name: row.get(name) for name in cells} == cells
    assert (row.get("detail") is None) == (row["status"] == "unjudged")
    assert row["chunk_id"] == row["subject"] == "m-9"


def test_a_verdict_about_a_paragraph_names_its_evidence() -> None:
    row = verdict_row(
        verdict("support", support("none"), paragraph=2, evidence_ids=("a", "b"), rest=True)
    )
    assert (row["paragraph"], row["evidence_ids"], row["rest"]) == (2, ["a", "b"], True)
    assert row["subject"] == "P2 × rest"


def test_metrics_have_a_value_or_a_reason() -> None:
    metric = Metric(name="tool_ok_rate", stage="routing", compute=lambda _: Measured(reason="x"))
    rows = list(
        metric_rows(
            "c-1/1",
            [(metric, Measured(hits=1, total=2)), (metric, Measured(reason="no_tool_called"))],
        )
    )
    assert [(row["value"], row["hits"], row["total"], row["reason"]) for row in rows] == [
        (0.5, 1.0, 2, None),
        (None, 0.0, 0, "no_tool_called"),
    ]


def test_findings_and_losses() -> None:
    (attribution,) = attribute((failing(),))
    rows = list(finding_rows(attribution))
    assert rows[0]["role"] == "root"
    assert rows[0]["kind"] == "wrong_collection"
    (loss,) = loss_rows([Loss(outcome="rejected", reason="bad", file="a", offset=2**70)])
    assert loss == {
        "outcome": "rejected",
        "reason": "bad",
        "file": "a",
        "offset": None,
        "detail": None,
    }


def test_rows_hold_no_column_that_the_schema_lacks() -> None:
    judged = failing(
        use={"routing": StageUse(), "retrieval": StageUse(), "generation": StageUse()},
        calls=[b.tool_call()],
        spans=(b.span_row(),),
    )
    metric = Metric(name="m", stage="routing", compute=lambda _: Measured(reason="x"))
    rows = conversation_rows(
        (judged,),
        attribute((judged,)),
        [
            hit().verdict,
            verdict("support", support("full"), paragraph=1),
            verdict("support", Unjudged(reason="uncertain")),
            verdict("criterion", Criterion(reason="", score=0.5)),
        ],
        {judged.turn.turn_id: [(metric, Measured(hits=1, total=1))]},
    )
    used: dict[TableName, set[str]] = {
        table: {name for row in found for name in row} for table, found in rows.items()
    }
    used["losses"] = set(
        next(iter(loss_rows([Loss(outcome="rejected", reason="", file="", offset=0)])))
    )
    for table, schema in SCHEMAS.items():
        assert used[table] == set(schema.names), table
