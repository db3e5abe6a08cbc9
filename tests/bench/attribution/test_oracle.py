"""With known answers the rules find what was planted, and nothing where nothing was."""

import re
from pathlib import Path

import pytest

from bench.attribution.clapnq import corpus_of_rows
from bench.attribution.corpus import Corpus
from bench.attribution.judging import Result, judged
from bench.attribution.planting import CONTROL, FAULTS, read_corpora, run_of, variants_of
from bench.attribution.scoring import score, table
from tests.bench.attribution.files import library, write

CLAPNQ = Path(__file__).parents[3].parent / "shared" / "bench" / "relevance" / "clapnq_dev.jsonl"
A_FEW = 6
"""Variants of one fault; `python -m bench.attribution --limit 0` tries them all."""


@pytest.fixture(scope="module")
def results(corpora: tuple[Corpus, ...]) -> tuple[Result, ...]:
    return judged(run_of(corpora, variants_of(corpora, A_FEW)), "oracle").results


def test_the_rules_find_what_was_planted(results: tuple[Result, ...]) -> None:
    scored = score(results)
    assert scored.root_stage is not None
    assert scored.root_kind is not None
    assert scored.root_stage >= 0.99, table("oracle", scored, results)
    assert scored.root_kind >= 0.97, table("oracle", scored, results)


def test_removing_the_planted_faults_removes_every_failure(results: tuple[Result, ...]) -> None:
    untouched = [one for one in results if one.planted.name == CONTROL]
    assert len(untouched) > 140
    assert [one.planted.turn.turn_id for one in untouched if one.found != "passed"] == []


def test_a_latent_fault_fails_no_good_turn(results: tuple[Result, ...]) -> None:
    scored = score(results)
    assert scored.harmless >= 5 * A_FEW
    assert scored.harmless_alarms == 0


def test_every_fault_was_planted_and_most_kinds_are_covered(results: tuple[Result, ...]) -> None:
    planted = {one.planted.name for one in results}
    assert planted == {fault.name for fault in FAULTS} | {CONTROL}
    kinds = {fault.kind for fault in FAULTS if fault.kind}
    assert len(kinds) >= 20
    assert {one.planted.stage for one in results} == {None, "routing", "retrieval", "generation"}


def test_a_repeated_failure_is_inherited(results: tuple[Result, ...]) -> None:
    again = [one for one in results if one.planted.name == "number_repeated"]
    inherited = [one.attribution.inherited_from for one in again]
    assert inherited[::2] == [None] * A_FEW
    assert inherited[1::2] == [one.planted.turn.turn_id for one in again[::2]]


@pytest.mark.parametrize(
    ("pair", "second"),
    [
        pytest.param(
            "collection+invented", "missing_abstention", id="invented under a routing root"
        ),
        pytest.param("dropped+addition", "missing_abstention", id="invented beside a refusal"),
        pytest.param("argument+addition", "missing_abstention", id="added to a wrong record"),
        pytest.param("collection+disorder", "incoherent", id="two faults of their own"),
    ],
)
def test_the_second_of_a_pair_contributes(
    results: tuple[Result, ...], pair: str, second: str
) -> None:
    of_pair = [one for one in results if one.planted.name == pair]
    assert len(of_pair) == A_FEW
    roles = [
        {finding.fault.kind: finding.role for finding in one.attribution.findings}
        for one in of_pair
    ]
    assert [role.get(second) for role in roles] == ["contributing"] * A_FEW


@pytest.mark.skipif(not CLAPNQ.is_file(), reason="clapnq_dev.jsonl is not beside the repository")
def test_the_rules_find_what_was_planted_in_a_second_source() -> None:
    corpora = (corpus_of_rows(CLAPNQ),)
    results = judged(run_of(corpora, variants_of(corpora, A_FEW // 2)), "oracle").results
    scored = score(results)
    assert scored.root_stage is not None
    assert scored.root_kind is not None
    assert scored.root_stage >= 0.99, table("oracle", scored, results)
    assert scored.root_kind >= 0.97, table("oracle", scored, results)
    assert (scored.good, scored.false_alarms, scored.harmless_alarms) == (300, 0, 0)


def test_turns_without_notes_of_their_author_do_as_well(tmp_path: Path) -> None:
    corpora = read_corpora([write(tmp_path / "library.jsonl", library())])
    results = judged(run_of(corpora, variants_of(corpora)), "oracle").results
    scored = score(results)
    assert scored.faulty >= 20
    assert scored.root_kind == 1, table("oracle", scored, results)
    assert scored.false_alarms == 0


def test_passages_longer_than_a_judge_reads_and_answers_that_cite_nothing_do_as_well(
    tmp_path: Path,
) -> None:
    lines = library()
    for one in lines:
        one["answer"] = re.sub(r" \[[^\]]+\]", "", one["answer"])
        one["passages"] = [
            passage
            if passage["collection"].startswith("tool:")
            else {**passage, "text": passage["text"] + " And so on." * 2_000}
            for passage in one["passages"]
        ]
    corpora = read_corpora([write(tmp_path / "long.jsonl", lines)])
    results = judged(run_of(corpora, variants_of(corpora)), "oracle").results
    scored = score(results)
    assert scored.faulty >= 20
    assert scored.root_kind == 1, table("oracle", scored, results)
    assert scored.false_alarms == 0
