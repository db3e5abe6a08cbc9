"""What the week holds: enough of everything, and truth and answers for all of it."""

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from sample_traces.agent.answers import answer_line
from sample_traces.agent.corpus import Corpus, read_corpus
from sample_traces.agent.generate import Week, record_week
from sample_traces.agent.records import TurnRecord
from sample_traces.agent.truth import faults

FOLDER = Path(__file__).parents[2] / "sample_traces"
KINDS = {
    "routing": {
        "wrong_arguments",
        "wrong_tool",
        "wrong_agent",
        "wrong_collection",
        "missing_resource",
        "refined_query_drifted",
        "refined_query_ignored",
    },
    "retrieval": {
        "tool_unavailable",
        "ranked_too_low",
        "nothing_retrieved",
        "partial_evidence",
        "missed_chunk",
        "tool_empty",
        "irrelevant_chunks",
    },
    "generation": {
        "absence_misreported",
        "contradicts_source",
        "off_topic",
        "missing_abstention",
        "unsupported_claim",
        "over_abstention",
        "incomplete",
        "ignored_evidence",
        "invalid_citation",
        "wrong_citation",
        "missing_citation",
        "incoherent",
        "wrong_language",
    },
}
FOUND_BY_PROBE = {
    "wrong_agent",
    "wrong_collection",
    "missing_resource",
    "refined_query_drifted",
    "refined_query_ignored",
    "nothing_retrieved",
    "partial_evidence",
    "missed_chunk",
}


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return read_corpus()


@pytest.fixture(scope="module")
def week(corpus: Corpus) -> Week:
    return record_week(corpus)


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (FOLDER / name).read_text("utf-8").splitlines()]


def is_good(record: TurnRecord) -> bool:
    return record.script.fault is None and record.script.undetermined is None


def test_there_is_enough_of_it(week: Week) -> None:
    assert len(week.conversations) >= 20
    assert len(week.records) >= 70
    assert sum(map(is_good, week.records)) >= 35
    assert {record.language for record in week.records} == {"en", "de"}
    assert {record.service for record in week.records} == {"service-desk", "people-desk"}


def test_it_is_one_week(week: Week) -> None:
    days = {datetime.fromtimestamp(r.started_ns // 10**9, tz=UTC).date() for r in week.records}
    assert len(days) == 7
    assert (max(days) - min(days)).days == 6


@pytest.mark.parametrize("stage", KINDS)
def test_every_kind_is_planted(week: Week, stage: str) -> None:
    planted = {f.kind for r in week.records for f in faults(r.script) if f.stage == stage}
    assert planted == KINDS[stage]


def test_every_kind_but_one_is_a_root_somewhere(week: Week) -> None:
    roots = {r.script.fault.kind for r in week.records if r.script.fault is not None}
    # passages that help nobody are an observation, never a cause
    assert set().union(*KINDS.values()) - roots == {"irrelevant_chunks"}


def test_every_role_is_planted(week: Week) -> None:
    roles = {fault.role for record in week.records for fault in faults(record.script)}
    assert roles == {"root", "contributing", "downstream", "latent"}


def test_both_undetermined_cases_and_inherited_ones_are_planted(week: Week) -> None:
    reasons = {record.script.undetermined for record in week.records} - {None}
    assert reasons == {"not_in_observed_corpus", "evidence_seen_only_later"}
    assert sum(record.script.inherited_from is not None for record in week.records) >= 2


def test_a_third_of_the_failed_turns_are_near_misses(week: Week) -> None:
    failed = [record for record in week.records if record.script.fault is not None]
    near = [r for r in failed if r.script.fault is not None and r.script.fault.near_miss]
    assert 3 * len(near) >= len(failed)


def test_citations_come_in_several_styles(week: Week) -> None:
    answers = " ".join(record.answer for record in week.records)
    for style in (r"\[\d\]", r"\[\d, \d\]", r"【\d】", r"\[trv-\d\d\]"):
        assert re.search(style, answers), style


@pytest.mark.parametrize("name", ["truth.jsonl", "answers.jsonl"])
def test_each_turn_has_one_line(week: Week, name: str) -> None:
    written = [(line["conversation_id"], line["turn"]) for line in lines(name)]
    assert written == [(record.conversation_id, record.turn) for record in week.records]


def test_the_truth_counts_as_the_scripts_do(week: Week) -> None:
    planted = Counter(r.script.fault.stage for r in week.records if r.script.fault is not None)
    planted["undetermined"] = sum(r.script.undetermined is not None for r in week.records)
    told = Counter(line["stage"] for line in lines("truth.jsonl") if line["stage"] is not None)
    assert told == planted


def test_answers_do_not_tell_who_is_to_blame(week: Week) -> None:
    names = set(KINDS) | set().union(*KINDS.values())
    for line in lines("answers.jsonl"):
        assert names.isdisjoint(values_in(line))


def values_in(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping | list):
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from values_in(inner)
    elif isinstance(value, str):
        yield value


def test_a_good_turn_has_good_answers(week: Week, corpus: Corpus) -> None:
    for record in filter(is_good, week.records):
        line = answer_line(record, corpus)
        where = f"{record.conversation_id}/{record.turn}"
        for claim in line["answer"]["paragraphs"]:
            labels = line["support"].get(str(claim["paragraph"]), {}).values()
            assert ("full" in labels) == claim["needs_source"], where
        for element in line["answer"]["elements"]:
            assert element["in_evidence"] == (element["status"] == "answered"), where
        for call in line["routing"]["calls"]:
            assert call["tool_ok"], where
            assert call["args_ok"], where


def test_what_a_good_turn_cites_is_relevant(week: Week, corpus: Corpus) -> None:
    for record in filter(is_good, week.records):
        relevance = answer_line(record, corpus)["relevance"]
        cited = {cited.passage_id for cited in record.cited} - set(record.carried)
        assert all(relevance[passage_id]["grade"] >= 2 for passage_id in cited)


def test_quotes_stand_in_the_evidence(week: Week, corpus: Corpus) -> None:
    traces = " ".join(str(span.attributes) for spans in week.spans.values() for span in spans)
    quotes = [
        statement["quote"]
        for record in week.records
        for statement in answer_line(record, corpus)["statements"]
        if statement.get("quote")
    ]
    assert len(quotes) > 50
    assert not [quote for quote in quotes if quote not in traces]


def test_evidence_that_a_probe_must_find_was_seen_before(week: Week, corpus: Corpus) -> None:
    checked = 0
    for record in week.records:
        fault = record.script.fault
        if fault is None or fault.kind not in FOUND_BY_PROBE:
            continue
        answering = missing_evidence(record, corpus)
        assert seen_before(week, record) & answering, f"{record.conversation_id}/{record.turn}"
        checked += 1
    assert checked >= 10


def test_evidence_seen_only_later_was_not_seen_before(week: Week, corpus: Corpus) -> None:
    late = [r for r in week.records if r.script.undetermined == "evidence_seen_only_later"]
    for record in late:
        answering = missing_evidence(record, corpus)
        later = {
            passage_id
            for other in week.records
            if other.service == record.service and other.started_ns > record.started_ns
            for passage_id in found(other)
        }
        assert answering & later
        assert not answering & seen_before(week, record)
        assert not answering & found(record)
    assert late


def missing_evidence(record: TurnRecord, corpus: Corpus) -> set[str]:
    elements = answer_line(record, corpus)["answer"]["elements"]
    return {i for element in elements if not element["in_evidence"] for i in element["answered_by"]}


def found(record: TurnRecord) -> set[str]:
    return {passage_id for call in record.calls for passage_id in call.found}


def seen_before(week: Week, record: TurnRecord) -> set[str]:
    return {
        passage_id
        for other in week.records
        if other.service == record.service and other.started_ns < record.started_ns
        for passage_id in found(other)
    }


def test_the_agent_knows_nothing_of_the_product() -> None:
    product = {"ingest", "stages", "judge", "analysis"}
    files = sorted((FOLDER / "agent").rglob("*.py"))
    assert files
    for path in files:
        assert product.isdisjoint(imported(path)), path


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            yield (node.module or "").partition(".")[0]


def test_the_table_of_the_readme_is_true() -> None:
    readme = (FOLDER / "README.md").read_text("utf-8")
    truth = lines("truth.jsonl")
    for line in truth:
        row = next(r for r in readme.splitlines() if r.startswith(f"| `{line['conversation_id']}`"))
        told = re.search(rf"(?:\| |<br>){line['turn']}: ([^|<]*)", row)
        if line["stage"] is None and not line["role_of_others"]:
            assert told is None, line
            continue
        assert told is not None, line
        assert (line["kind"] or line["undetermined"] or "latent") in told[1]
        assert ("near miss" in told[1]) == line["near_miss"]
    conversations = {line["conversation_id"] for line in truth}
    assert f"{len(conversations)} conversations, {len(truth)} turns" in readme
