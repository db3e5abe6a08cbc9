"""What is planted: known to the run beforehand, the same each time, and never the culprit."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import bench.attribution
from bench.attribution.corpus import Corpus
from bench.attribution.judging import judge_for, judged
from bench.attribution.planting import (
    CONTROL,
    Planted,
    PlantedRun,
    read_corpora,
    run_of,
    variants_of,
)
from tests.bench.attribution.files import TURNS, library, write

PACKAGE = Path(bench.attribution.__path__[0])
JUDGES = {"__main__", "errors", "judging", "questions", "scoring"}
"""Modules that stand behind the planting and see the result."""


@pytest.fixture(scope="module")
def run(corpora: tuple[Corpus, ...]) -> PlantedRun:
    return run_of(corpora, variants_of(corpora, 3))


def broken(run: PlantedRun) -> list[Planted]:
    return [one for one in run.planted if one.name != CONTROL]


@pytest.mark.parametrize("path", sorted(PACKAGE.glob("*.py")), ids=lambda path: path.stem)
def test_what_plants_knows_nothing_of_the_rules(path: Path) -> None:
    imported = {
        name
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else [alias.name for alias in node.names]
        )
    }
    behind = {f"bench.attribution.{name}" for name in JUDGES}
    if path.stem not in JUDGES:
        assert not any(name.split(".")[0] == "analysis" for name in imported)
        assert imported.isdisjoint(behind)


def test_neighbours_are_the_same_in_every_process() -> None:
    # Sums of rounded numbers depend on their order, and the order of a set on the hash seed.
    code = (
        "from bench.attribution.planting import *; from bench.attribution.__main__ import TURNS\n"
        "for corpus in read_corpora(sorted(TURNS.glob('*.jsonl'))):\n"
        "    for scene in corpus.scenes:\n"
        "        for name in corpus.passages:\n"
        "            asked = ' '.join(one.text for one in scene.facts.elements)\n"
        "            print([one.passage_id for one in corpus.near(asked, name, most=9)])\n"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=PACKAGE.parents[1],
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(found) == 1
    assert b"uk-cool" in found.pop()


def test_known_answers_name_no_stage_and_no_kind(run: PlantedRun) -> None:
    words = {"stage", "kind", "root", "role", "fault", "outcome"}
    keys = {
        key
        for one in run.planted
        for part in (one.known, one.known["answer"], one.known["routing"])
        for key in part
    }
    assert keys.isdisjoint(words)
    assert {"answer", "relevance", "support", "routing"} <= keys


def test_every_passage_was_seen_before_a_fault_hides_it(run: PlantedRun) -> None:
    good = [one.turn for one in run.planted if one.name == CONTROL]
    chunks = [chunk for turn in good for search in turn.retrievals for chunk in search.chunks]
    texts = {chunk.text for chunk in chunks}
    ids = {chunk.chunk_id for chunk in chunks}
    last = max(turn.start_ns or 0 for turn in good)
    answering = {
        key
        for one in broken(run)
        for element in one.known["answer"]["elements"]
        for key in element["answered_by"]
    }
    calls = {call.call_id for turn in good for call in turn.tool_calls}
    assert answering <= ids | calls
    for one in broken(run):
        assert (one.turn.start_ns or 0) > last
        found = [chunk.text for search in one.turn.retrievals for chunk in search.chunks]
        assert texts.issuperset(found)


def test_equal_questions_have_equal_known_answers(run: PlantedRun, tmp_path: Path) -> None:
    oracle = judge_for(run, "oracle", tmp_path)
    questions = [verdict.question for verdict in judged(run, "oracle").verdicts]
    answers: dict[str, str] = {}
    for question, reply in zip(questions, oracle.answer(questions), strict=True):
        content = json.dumps([question.kind, question.content], sort_keys=True)
        assert answers.setdefault(content, reply.text) == reply.text, question


def test_a_broken_turn_follows_the_good_turns_before_it(run: PlantedRun) -> None:
    by_name = {one.conversation_id: one for one in run.conversations}
    for one in broken(run):
        turns = by_name[one.turn.conversation_id].turns
        assert [turn.turn for turn in turns] == sorted({turn.turn for turn in turns})
        starts = [turn.start_ns or 0 for turn in turns]
        assert starts == sorted(starts)
        assert turns[-1].turn >= one.turn.turn


def test_two_files_may_use_the_same_names(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write(tmp_path / f"{name}.jsonl", library())
    corpora = read_corpora([tmp_path / "a.jsonl", tmp_path / "b.jsonl"])
    run = run_of(corpora, variants_of(corpora, 2))
    ids = [one.turn.turn_id for one in run.planted]
    assert len(set(ids)) == len(ids)
    assert {"a:c-1/1", "b:c-1/1"} <= set(ids)


def test_planting_twice_gives_the_same_run(corpora: tuple[Corpus, ...], run: PlantedRun) -> None:
    assert run_of(corpora, variants_of(corpora, 3)) == run


def test_every_marker_of_a_good_answer_resolves(run: PlantedRun) -> None:
    for one in run.planted:
        if one.name == CONTROL and one.turn.generation is not None:
            assert all(citation.resolved for citation in one.turn.generation.citations)


def test_the_notes_on_good_turns_agree_with_their_citations(run: PlantedRun) -> None:
    for one in run.planted:
        if one.name != CONTROL or one.turn.generation is None:
            continue
        for citation in one.turn.generation.citations:
            pairs = one.known["support"][str(citation.paragraph)]
            assert pairs[citation.target] in ("full", "partial")


def test_a_limit_leaves_every_fault_and_file_in(corpora: tuple[Corpus, ...]) -> None:
    few = variants_of(corpora, 3)
    counts = {
        name: sum(one.fault.name == name for one in few) for name in {o.fault.name for o in few}
    }
    assert max(counts.values()) == 3
    assert {one.scene.desk.service for one in few} == {path.stem for path in TURNS.glob("*.jsonl")}
