"""Golden sets: reading them, and what a run made of them, worked out by hand."""

import json
from pathlib import Path
from typing import Any

import pytest

from analysis.golden import GoldenScores, Item, item_of_turn, read_golden, score_run
from analysis.intervals import bootstrap_mean
from analysis.report.golden import render_scores, scores_json
from analysis.run import Run
from ingest.errors import UsageError
from tests.analysis.runs import metric, turn_row, write_run


def item(item_id: str = "g-1", question: str = "Q?", **fields: Any) -> dict[str, Any]:
    return {"id": item_id, "question": question, **fields}


def golden(*items: dict[str, Any]) -> str:
    return "".join(json.dumps(one) + "\n" for one in items)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param("{", "g:1: is no item", id="no JSON"),
        pytest.param(golden(item(), item(question="other")), "g:2: repeats the id", id="same id"),
        pytest.param(golden(item(), item("g-2")), "g:2: asks the question of 'g-1' again", id="same question"),
        pytest.param(golden(item(expected_id=["x"])), "unknown field `expected_id`", id="unknown field"),
        pytest.param(golden(item(" ")), "has an empty id", id="empty id"),
        pytest.param(golden(item(question=" ")), "has an empty question", id="empty question"),
        pytest.param(golden(item(cutoff="soon")), "no day, month or year ('soon')", id="cutoff"),
        pytest.param(golden(item(expected_flag="x", expected_ids=["c"])), "expects a refusal and", id="both"),
        pytest.param("[" * 50_000, "is no item", id="deep"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_line(text: str, problem: str) -> None:
    assert any(problem in one for one in read_golden("g", text).problems)


def test_a_good_set() -> None:
    text = "\ufeff" + golden(
        item(tags=["type:deep", "x"]), item("g-2", program="p"), item("g-3", "R\u2028?")
    )
    found = read_golden("g", text)
    assert found.problems == ()
    assert found.types() == {"untyped": 2, "deep": 1}


CHUNKS = [
    {"turn_id": "a/1", "retrieval_id": "r", "chunk_id": name, "rank": rank, "metadata": metadata}
    for rank, (name, metadata) in enumerate(
        [("c-1", None), ("MM-1847-10-01-a", None), ("c-3", '{"date": "1848-02-01"}'), ("c-4", "{")], 1
    )
]  # fmt: skip


def citation(turn_id: str, chunk_id: str | None, status: str = "resolved") -> dict[str, Any]:
    return {"turn_id": turn_id, "citation": 1, "chunk_id": chunk_id, "status": status}


def scored(tmp_path: Path, items: list[dict[str, Any]], **tables: Any) -> GoldenScores:
    given: dict[str, Any] = {"turns": [turn_row("a/1", golden_id="g-1")], "chunks": CHUNKS}
    run = Run(write_run(tmp_path, **(given | tables)))
    return score_run(run, [Item(**one) for one in items])


@pytest.mark.parametrize(
    ("fields", "name", "score"),
    [
        pytest.param({}, "flag_accuracy", 1.0, id="no flag expected, none given"),
        pytest.param({"expected_flag": "politics"}, "flag_accuracy", 0.0, id="flag not given"),
        pytest.param({"expected_ids": ("c-1", "x")}, "id_recall", 0.5, id="one of two"),
        pytest.param({"expected_ids": ("c-1", "x")}, "id_precision", 0.25, id="one of four"),
        pytest.param({}, "id_recall", None, id="nothing expected: no recall"),
        pytest.param({}, "id_precision", None, id="nothing expected: no precision"),
        pytest.param({"expected_corpus": ("faq",)}, "corpus_ok_rate", 1.0, id="searched"),
        pytest.param({"expected_corpus": ("faq", "b")}, "corpus_ok_rate", 0.0, id="one of two searched"),
        pytest.param({}, "corpus_ok_rate", None, id="any corpus"),
        pytest.param({"authored_answer": " 30\n days. "}, "authored_match", 1.0, id="authored"),
        pytest.param({"authored_answer": "31 days."}, "authored_match", 0.0, id="not authored"),
        pytest.param({}, "authored_match", None, id="free answer"),
        pytest.param({}, "golden.citation_validity", None, id="nothing cited"),
        pytest.param({}, "faithfulness", None, id="not measured"),
    ],
)  # fmt: skip
def test_scores(tmp_path: Path, fields: dict[str, Any], name: str, score: float | None) -> None:
    (one,) = scored(tmp_path, [item(**fields)]).scored
    assert one.scores[name].value == score
    assert (one.scores[name].reason is None) == (score is not None)


def search(collection: str | None = "faq", status: str = "ok") -> dict[str, Any]:
    return {
        "turn_id": "a/1",
        "retrieval_id": "r",
        "position": 1,
        "collection": collection,
        "status": status,
    }


UNNAMED = [*CHUNKS[:1], CHUNKS[1] | {"chunk_id": "sha1:0123456789ab"}]


@pytest.mark.parametrize(
    ("fields", "turn", "tables", "name", "score", "reason"),
    [
        pytest.param({"expected_ids": ("c-1", "x")}, {"gaps": ["retrieval_not_captured"]}, {},
                     "id_recall", None, "retrieval_not_captured", id="the other may be in what was not captured"),
        pytest.param({"expected_ids": ("c-1",)}, {"gaps": ["retrieval_not_captured"]}, {},
                     "id_recall", 1.0, None, id="all are found in what was captured"),
        pytest.param({"expected_ids": ("c-1",)}, {"gaps": ["retrieval_not_captured"]}, {},
                     "id_precision", None, "retrieval_not_captured", id="how many more came is unknown"),
        pytest.param({"expected_ids": ("c-1", "x")}, {}, {"chunks": UNNAMED},
                     "id_recall", None, "chunk_id_not_recorded", id="a chunk without an id may be it"),
        pytest.param({"expected_ids": ("c-1",)}, {}, {"chunks": UNNAMED},
                     "id_recall", 1.0, None, id="whatever the one without an id is"),
        pytest.param({"expected_ids": ("x",)}, {}, {"chunks": []},
                     "id_recall", 0.0, None, id="nothing was retrieved"),
        pytest.param({"expected_ids": ("x",)}, {}, {"chunks": []},
                     "id_precision", None, "nothing_retrieved", id="no precision of nothing"),
        pytest.param({"expected_corpus": ("b",)}, {}, {"retrievals": [search(), search(None)]},
                     "corpus_ok_rate", None, "collection_not_recorded", id="the search without a name may be it"),
        pytest.param({"expected_corpus": ("faq",)}, {}, {"retrievals": [search(), search(None)]},
                     "corpus_ok_rate", 1.0, None, id="searched, and something else"),
        pytest.param({}, {}, {"citations": [citation("a/1", "c-1"), citation("a/1", None, "target_not_captured")]},
                     "golden.citation_validity", None, "citations_unclear", id="one cannot be resolved"),
        pytest.param({}, {}, {"citations": [citation("a/1", None, "ambiguous"), citation("a/1", None, "out_of_range")]},
                     "golden.citation_validity", 0.0, None, id="one is wrong for certain"),
        pytest.param({}, {"gaps": ["answer_not_captured"], "answer": None}, {},
                     "golden.citation_validity", None, "answer_not_captured", id="no answer to cite in"),
        pytest.param({"authored_answer": "30 days."}, {"gaps": ["answer_not_captured"], "answer": None}, {},
                     "authored_match", None, "answer_not_captured", id="the answer is unknown"),
        pytest.param({"authored_answer": "30 days."}, {"answer": None}, {},
                     "authored_match", 0.0, None, id="there was no answer"),
        pytest.param({}, {}, {"metrics": [metric("a/1", "faithfulness", reason="not_judged")]},
                     "faithfulness", None, "not_judged", id="the metric's own reason"),
    ],
)  # fmt: skip
def test_what_the_trace_does_not_tell_is_no_score(
    tmp_path: Path,
    fields: dict[str, Any],
    turn: dict[str, Any],
    tables: dict[str, Any],
    name: str,
    score: float | None,
    reason: str | None,
) -> None:
    turns = [turn_row("a/1", **({"golden_id": "g-1"} | turn))]
    found = scored(tmp_path, [item(**fields)], turns=turns, **tables)
    assert found.scored[0].scores[name] == (score, reason)
    assert found.overall[name].unscored == ({} if reason is None else {reason: 1})
    told = scores_json(found)["items"][0]
    assert (told["scores"][name], told["unscored"].get(name)) == (score, reason)
    hole = reason is not None and reason != "nothing_retrieved"
    assert (f"{name} unknown: {reason} 1" in render_scores(found)) == hole


@pytest.mark.parametrize(
    ("cutoff", "cited", "valid"),
    [
        pytest.param(None, ["c-3"], 1.0, id="no cutoff"),
        pytest.param("1847-12-31", ["MM-1847-10-01-a"], 1.0, id="before, by its id"),
        pytest.param("1847-09", ["MM-1847-10-01-a"], 0.0, id="after the month"),
        pytest.param("1847", ["MM-1847-10-01-a"], 1.0, id="within the year"),
        pytest.param("1847-12-31", ["c-3"], 0.0, id="after, by its metadata"),
        pytest.param("1847-12-31", ["c-1", "c-4"], 1.0, id="not dated"),
        pytest.param("1847-12-31", ["MM-1847-10-01-a", "c-3"], 0.0, id="one of two"),
    ],
)
def test_citations_hold_to_the_cutoff(
    tmp_path: Path, cutoff: str | None, cited: list[str], valid: float
) -> None:
    rows = [citation("a/1", name) for name in cited]
    (one,) = scored(tmp_path, [item(cutoff=cutoff)], citations=rows).scored
    assert one.scores["golden.citation_validity"].value == valid


def test_a_citation_that_leads_nowhere_is_not_valid(tmp_path: Path) -> None:
    rows = [citation("a/1", None, "out_of_range")]
    (one,) = scored(tmp_path, [item()], citations=rows).scored
    assert one.scores["golden.citation_validity"].value == 0.0


def test_turns_are_found_by_id_then_by_question_and_the_last_counts(tmp_path: Path) -> None:
    turns = [
        turn_row("a/1", golden_id="g-1", question="said otherwise", day=2),
        turn_row("b/1", question="Q?", day=3),
        turn_row("c/1", question="R?", day=1),
        turn_row("d/1", question="R?", day=2),
        turn_row("e/1", question="R?", golden_id="another set's"),
    ]
    items = [item(), item("g-2", "R?"), item("g-3", "S?")]
    found = scored(tmp_path, items, turns=turns)
    assert {one.item.id: one.turn_id for one in found.scored} == {"g-1": "a/1", "g-2": "d/1"}
    assert [one.id for one in found.missing] == ["g-3"]


def test_a_question_of_two_items_belongs_to_neither_unless_its_turn_names_one(
    tmp_path: Path,
) -> None:
    turns = [
        turn_row("a/1", question="Q?", day=1),
        turn_row("b/1", question="Q?", golden_id="g-2", day=2),
        turn_row("c/1", question="R?", day=3),
    ]
    items = [
        item(),
        item("g-2", program="p"),
        item("g-3", "R?"),
        item("g-4", "R?"),
        item("g-5", "S?"),
    ]
    found = scored(tmp_path, items, turns=turns)
    assert {one.item.id: one.turn_id for one in found.scored} == {"g-2": "b/1"}
    assert [one.id for one in found.ambiguous] == ["g-1", "g-3", "g-4"]
    assert [one.id for one in found.missing] == ["g-5"]
    text = render_scores(found)
    assert "1 of 5 items have a turn." in text
    assert "Not told apart: g-1, g-3, g-4. They share a question" in text


def test_means_by_type_program_and_flag(tmp_path: Path) -> None:
    turns = [
        turn_row("a/1", golden_id="g-1", answer_flag="politics", first_output_ms=100.0),
        turn_row("b/1", golden_id="g-2", first_output_ms=300.0),
        turn_row("c/1", golden_id="g-3"),
    ]
    items = [
        item(expected_flag="politics", tags=["type:policy"], program="x"),
        item("g-2", "R?", expected_flag="advice", tags=["type:policy"]),
        item("g-3", "S?"),
    ]
    metrics = [metric("c/1", "faithfulness", 1, 2, stage="generation")]
    found = scored(tmp_path, items, turns=turns, metrics=metrics)
    assert found.overall["flag_accuracy"].value == pytest.approx(2 / 3)
    assert (found.flagged.value, found.flagged.items) == (0.5, 2)
    assert {name: mean.value for name, mean in found.by_flag.items()} == {
        "advice": 0.0, "none": 1.0, "politics": 1.0,
    }  # fmt: skip
    assert found.by_type["policy"]["flag_accuracy"].value == 0.5
    assert found.by_program["x"]["flag_accuracy"].items == 1
    assert (found.overall["faithfulness"].value, found.overall["faithfulness"].items) == (0.5, 1)
    assert found.median_first_output_ms == 200.0
    text = render_scores(found)
    assert "3 of 3 items have a turn." in text
    assert "g-2, turn b/1: flag_accuracy" in text
    assert scores_json(found)["items"][0]["item"]["id"] == "g-1"


def test_two_items_that_are_right_promise_little(tmp_path: Path) -> None:
    turns = [turn_row("a/1", golden_id="g-1"), turn_row("b/1", golden_id="g-2")]
    found = scored(tmp_path, [item(), item(id="g-2")], turns=turns).overall["flag_accuracy"]
    assert (found.value, found.items) == (1, 2)
    assert found.interval == bootstrap_mean([1, 1], [1, 1], share=True)
    assert found.interval is not None
    assert found.interval.low == pytest.approx(0.342, abs=5e-4)


def test_no_turn_at_all(tmp_path: Path) -> None:
    found = scored(tmp_path, [item("z", "Z?")])
    assert found.scored == ()
    assert "0 of 1 item has a turn.\nWithout a turn: z." in render_scores(found)


def test_a_turn_becomes_an_item(tmp_path: Path) -> None:
    verdicts = [
        {"key": "k1", "turn_id": "a/1", "question": "relevance", "status": "judged",
         "subject": "c-1", "chunk_id": "c-1", "label": "relevant"},
        {"key": "k2", "turn_id": "a/1", "question": "relevance", "status": "judged",
         "subject": "c-2", "chunk_id": "c-2", "label": "not_relevant"},
        {"key": "k3", "turn_id": "a/1", "question": "probe", "status": "judged",
         "subject": "E1 × c-9", "chunk_id": "c-9", "label": "relevant"},
    ]  # fmt: skip
    turns = [turn_row("a/1", found_collections=["eu"]), turn_row("a/2", question=None)]
    run = Run(write_run(tmp_path, turns=turns, verdicts=verdicts))
    made = item_of_turn(run, "a/1", "g-9", ("type:deep",))
    assert (made.expected_ids, made.expected_corpus, made.type) == (("c-1", "c-9"), ("eu",), "deep")
    for turn_id, problem in (("a/2", "no captured question"), ("a/7", "is no turn of run")):
        with pytest.raises(UsageError, match=problem):
            item_of_turn(run, turn_id, "g")
