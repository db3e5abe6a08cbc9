import gzip
import json
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

from analysis.report.html.bodies import Bodies, fill
from analysis.report.html.body import LONGEST_ATTRIBUTE
from analysis.run import Run, load_run
from tests.analysis.report.html.stories import LONG_ID, TURN, story
from tests.analysis.runs import turn_row, write_run

ROOMY = 10_000_000


def filled(run: Run, turn_ids: list[str], budget: int) -> tuple[Bodies, list[str]]:
    shards: list[str] = []
    bodies = Bodies(keep=lambda _, shard: shards.append(shard), budget=budget)
    fill(bodies, run, turn_ids)
    return bodies, shards


def bodies_of(run: Run, turn_ids: list[str]) -> dict[str, dict[str, Any]]:
    found = {}
    for shard in filled(run, turn_ids, ROOMY)[1]:
        for body in json.loads(gzip.decompress(b64decode(shard))):
            found[body["turn"]["turn_id"]] = body
    return found


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return story(tmp_path_factory.mktemp("bodies"))


@pytest.fixture(scope="module")
def body(run: Run) -> dict[str, Any]:
    return bodies_of(run, [TURN])[TURN]


def test_a_body_says_what_each_stage_did(body: dict[str, Any]) -> None:
    assert body["marks"] == {
        "routing": "root",
        "retrieval": "downstream",
        "generation": "contributing",
    }


def test_the_routing_verdict_of_a_conversation_is_cut_to_the_turn(body: dict[str, Any]) -> None:
    routing = next(row for row in body["verdicts"] if row["question"] == "routing")
    assert [one["turn"] for one in routing["detail"]["turns"]] == [2]


def test_numbers_that_a_script_would_round_stay_text(body: dict[str, Any]) -> None:
    order = body["tool_calls"][1]["named_arguments"][0]
    assert order == ["order_id", str(LONG_ID)]
    assert body["spans"][0]["start_ns"] == "1767225600000000001"
    assert ["app.order", str(LONG_ID), 0] in body["spans"][0]["attributes"]


def test_spans_stand_below_their_parents_with_times_from_the_first(body: dict[str, Any]) -> None:
    lines = [
        (one["name"], one["depth"], one["offset_ms"], one["duration_ms"]) for one in body["spans"]
    ]
    assert lines == [
        ("invoke_agent", 0, 0, 900),
        ("search_policies", 1, 100, 200),
        ("chat", 1, 300, 550),
        ("log_metrics", 1, 850, 10),
    ]


def test_a_chunk_that_a_probe_found_has_its_text(body: dict[str, Any]) -> None:
    assert [one["text"][:12] for one in body["found"]] == ["Refunds (EU)"]


def test_nothing_of_another_tenant_is_shown(tmp_path: Path) -> None:
    cause = {"found_chunk_id": "k", "found_collection": "faq", "evidence": []}
    chunk = {
        "turn_id": "b/1",
        "retrieval_id": "r",
        "chunk_id": "k",
        "collection": "faq",
        "text": "secret",
    }
    turns = [
        turn_row("a/1", root="retrieval.missed_chunk", tenant="one", causes=json.dumps([cause])),
        turn_row("b/1", tenant="two"),
    ]
    run = load_run(write_run(tmp_path, turns=turns, chunks=[chunk]))
    assert bodies_of(run, ["a/1"])["a/1"]["found"] == []


def test_evidence_of_an_earlier_turn_is_named_with_its_text(tmp_path: Path) -> None:
    chunk = {
        "turn_id": "a/1",
        "retrieval_id": "r",
        "chunk_id": "k",
        "text": "30 days",
        "collection": "faq",
    }
    cited = {
        "turn_id": "a/2",
        "citation": 1,
        "paragraph": 1,
        "marker": "[1]",
        "start": 0,
        "end": 3,
        "chunk_id": "k",
    }
    turns = [turn_row("a/1"), turn_row("a/2")]
    run = load_run(write_run(tmp_path, turns=turns, chunks=[chunk], citations=[cited]))
    [earlier] = bodies_of(run, ["a/2"])["a/2"]["earlier"]
    assert (earlier["evidence_id"], earlier["from_turn"], earlier["text"]) == ("k", 1, "30 days")


@pytest.mark.parametrize(
    ("quote", "texts"),
    [
        pytest.param("30  days", ["30 days"], id="of the earlier turn"),
        pytest.param("14 days", [], id="of this turn"),
        pytest.param("7 days", [], id="of neither"),
        pytest.param(None, [], id="none"),
    ],
)
def test_what_a_statement_quotes_of_an_earlier_turn_is_there(
    tmp_path: Path, quote: str | None, texts: list[str]
) -> None:
    statement = {"text": "60 days", "paragraph": 1, "label": "contradicted", "quote": quote}
    asked = {
        "key": "k",
        "conversation_id": "a",
        "turn_id": "a/2",
        "question": "statements",
        "status": "judged",
        "detail": json.dumps({"reason": "", "statements": [statement]}),
    }
    folder = write_run(
        tmp_path,
        turns=[turn_row("a/1"), turn_row("a/2")],
        chunks=[
            {"turn_id": "a/1", "retrieval_id": "r", "chunk_id": "k-1", "text": "30 days"},
            {"turn_id": "a/2", "retrieval_id": "r", "chunk_id": "k-2", "text": "14 days"},
        ],
        verdicts=[asked],
    )
    body = bodies_of(load_run(folder), ["a/2"])["a/2"]
    assert [one["text"] for one in body["earlier"]] == texts


@pytest.mark.parametrize(
    ("status", "text"),
    [
        pytest.param("ok", "sent", id="its result"),
        pytest.param("error", "503", id="of a failed call its error"),
    ],
)
def test_the_result_of_an_earlier_call_is_what_the_model_read(
    tmp_path: Path, status: str, text: str
) -> None:
    call = {"turn_id": "a/1", "position": 1, "call_id": "c", "name": "send", "status": status}
    folder = write_run(
        tmp_path,
        turns=[turn_row("a/1"), turn_row("a/2")],
        tool_calls=[call | {"result": "sent", "error": "503"}],
        citations=[{"turn_id": "a/2", "citation": 1, "chunk_id": "c", "status": "resolved"}],
    )
    [earlier] = bodies_of(load_run(folder), ["a/2"])["a/2"]["earlier"]
    assert (earlier["title"], earlier["text"]) == ("send", text)


def test_a_long_attribute_is_cut_and_says_so(tmp_path: Path) -> None:
    attributes = json.dumps({"prompt": "x" * (LONGEST_ATTRIBUTE + 5)})
    span = {
        "turn_id": "a/1",
        "span_id": "s",
        "name": "chat",
        "kind": "llm",
        "status": "ok",
        "attributes": attributes,
    }
    run = load_run(write_run(tmp_path, turns=[turn_row("a/1")], spans=[span]))
    [shown] = bodies_of(run, ["a/1"])["a/1"]["spans"]
    [(name, text, cut)] = shown["attributes"]
    assert (name, len(text), cut) == ("prompt", LONGEST_ATTRIBUTE, 5)


def test_the_budget_holds_and_the_most_wanted_come_first(run: Run) -> None:
    ids = [TURN, "ar-1/1", "team-1/1", "other-1/1"]
    whole, _ = filled(run, ids, ROOMY)
    assert set(whole.places) == set(ids)
    part, _ = filled(run, ids, whole.size - 1)
    assert part.size < whole.size
    assert list(part.places) == ids[: len(part.places)]
    assert 0 < len(part.places) < len(ids)


def test_without_room_there_is_no_body(run: Run) -> None:
    none, shards = filled(run, [TURN], 10)
    assert (shards, none.places, none.full) == ([], {}, True)
