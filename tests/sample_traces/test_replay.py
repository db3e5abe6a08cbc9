"""End to end: with the right answers to every question, the rules find what was planted."""

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from analysis import Plan, Run, replay
from analysis.judges import JudgeChoice

FOLDER = Path(__file__).parents[2] / "sample_traces"
ANSWERS = FOLDER / "answers.jsonl"
TRUTH = [json.loads(line) for line in (FOLDER / "truth.jsonl").read_text("utf-8").splitlines()]


def turn_id(line: dict[str, Any]) -> str:
    return f"{line['conversation_id']}/{line['turn']}"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    plan = Plan(sources=(), judge=JudgeChoice(name="recorded", answers=ANSWERS))
    return replay([FOLDER], store=tmp_path_factory.mktemp("store"), plan=plan).run


@pytest.fixture(scope="module")
def turns(run: Run) -> dict[str, dict[str, Any]]:
    return {row["turn_id"]: row for row in run.rows("turns")}


@pytest.fixture(scope="module")
def findings(run: Run) -> dict[str, list[dict[str, Any]]]:
    found: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in run.rows("findings"):
        found[row["turn_id"]].append(row)
    return found


def test_everything_is_read(run: Run) -> None:
    assert run.rows("losses") == []
    assert run.info["records"]["read"] == run.info["records"]["loaded"] > 0
    assert run.info["turns"] == len(TRUTH)


def test_every_question_is_answered(run: Run) -> None:
    unjudged = [row for row in run.rows("verdicts") if row["status"] != "judged"]
    assert unjudged == []


@pytest.mark.parametrize("line", TRUTH, ids=turn_id)
def test_the_root_is_what_was_planted(
    turns: dict[str, dict[str, Any]], line: dict[str, Any]
) -> None:
    row = turns[turn_id(line)]
    assert (row["root_stage"], row["root_kind"]) == (line["stage"], line["kind"]), row["sentence"]
    assert row["outcome"] == ("passed" if line["stage"] is None else "failed")
    origin = line["inherited_from"]
    expected = None if origin is None else f"{line['conversation_id']}/{origin}"
    assert row["inherited_from"] == expected
    assert (line["undetermined"] or "") in (row["outcome_reason"] or "")


@pytest.mark.parametrize("line", TRUTH, ids=turn_id)
def test_the_other_faults_play_their_parts(
    findings: dict[str, list[dict[str, Any]]], line: dict[str, Any]
) -> None:
    found = {
        (row["stage"], row["kind"], row["role"])
        for row in findings[turn_id(line)]
        if row["role"] != "root"
    }
    planted = {(fault["stage"], fault["kind"], fault["role"]) for fault in line["role_of_others"]}
    assert found == planted


def test_every_failed_turn_gets_a_sentence(turns: dict[str, dict[str, Any]]) -> None:
    for line in TRUTH:
        assert bool(turns[turn_id(line)]["sentence"]) == (line["stage"] is not None)


def test_what_was_recorded_arrives(turns: dict[str, dict[str, Any]]) -> None:
    rewritten = turns["sd-09/2"]
    assert rewritten["agent"] == "parts_agent"
    assert rewritten["language"] == "en"
    assert rewritten["cached_tokens"] > 0
    assert rewritten["first_output_ms"] > 0
    assert list(turns["sd-21/1"]["agents"]) == ["orchestrator", "manuals_agent", "parts_agent"]
