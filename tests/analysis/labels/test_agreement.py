"""Drawing sheets, and what labels say of the judge, against values worked out by hand."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis.labels import Label, agreement_of, draw_sheet, read_labels
from analysis.labels.agreement import kappa
from analysis.labels.sheet_files import sheet_text
from analysis.report.agreement import agreement_json, render_agreement
from analysis.run import Run
from analysis.tables.run_info import RunInfo
from ingest.errors import UsageError
from tests.analysis.runs import turn_row, write_run


def verdict(turn_id: str, subject: str, grade: int, **cells: Any) -> dict[str, Any]:
    return {
        "key": f"{turn_id} {subject}", "conversation_id": turn_id.partition("/")[0],
        "turn_id": turn_id, "question": "relevance", "subject": subject, "status": "judged",
        "label": "relevant" if grade > 1 else "not_relevant", "grade": grade, "chunk_id": subject,
        "judge": "local/local-1", "prompt_version": "v1", **cells,
    }  # fmt: skip


def a_run(tmp_path: Path, **given: Any) -> Run:
    turns = [turn_row(f"c{number}/1", root="retrieval.missed_chunk" if number < 2 else "")
             for number in range(10)]  # fmt: skip
    chunk = {"turn_id": "c0/1", "retrieval_id": "r", "chunk_id": "k", "rank": 1, "text": "30 days."}
    tables: dict[str, Any] = {
        "turns": turns,
        "chunks": [chunk],
        "verdicts": [verdict(f"c{number}/1", "k", 3 if number < 2 else 0) for number in range(10)],
    }
    info: RunInfo = {"turns": 10, "outcomes": {"passed": 8, "failed": 2, "not_judged": 0}}
    return Run(write_run(tmp_path, info=info, **{**tables, **given}))


def test_a_sheet_draws_rare_labels_as_often_and_says_so(tmp_path: Path) -> None:
    rows = draw_sheet(a_run(tmp_path), "relevance", 6)
    assert sorted(row["probability"] for row in rows) == [0.5, 0.5, 0.5, 0.5, 1, 1]
    assert sum(1 / row["probability"] for row in rows) == pytest.approx(10)
    assert rows == draw_sheet(Run(tmp_path / "runs" / "r-1"), "relevance", 6)
    told = {value for row in rows for value in row.values() if isinstance(value, str)}
    assert not told & {"relevant", "not_relevant", "3"}
    first = next(row for row in rows if row["turn_id"] == "c0/1")
    assert (first["user"], first["chunk"]) == ("How long may I return shoes?", "30 days.")


def test_a_sheet_says_which_labels_there_are_and_import_takes_them(tmp_path: Path) -> None:
    rows = draw_sheet(a_run(tmp_path), "relevance", 6)
    assert {row["allowed"] for row in rows} == {"0 | 1 | 2 | 3"}
    filled = [row | {"label": row["allowed"].split(" | ")[2]} for row in rows]
    for as_csv in (True, False):
        read = read_labels("sheet", sheet_text(filled, as_csv=as_csv))
        assert (read.problems, [one.label for one in read.labels]) == ((), ["2"] * 6)


def test_another_seed_draws_others(tmp_path: Path) -> None:
    run = a_run(tmp_path)
    drawn = [{row["turn_id"] for row in draw_sheet(run, "outcome", 4, seed)} for seed in (0, 1, 2)]
    assert len({frozenset(one) for one in drawn}) > 1


def test_earlier_messages_stand_beside_a_follow_up(tmp_path: Path) -> None:
    turns = [turn_row(f"a/{number}", question=f"q{number}") for number in range(1, 6)]
    rows = draw_sheet(a_run(tmp_path, turns=turns), "outcome", 5)
    last = next(row for row in rows if row["turn_id"] == "a/5")
    assert (last["earlier"], last["user"]) == ("q2\nq3\nq4", "q5")


def test_a_run_without_the_question(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no judged support"):
        draw_sheet(a_run(tmp_path), "support", 5)


@pytest.mark.parametrize(
    ("table", "ordered", "expected"),
    [
        pytest.param([[5, 0], [0, 5]], False, 1.0, id="all alike"),
        # observed 0.7, by chance 0.5
        pytest.param([[20, 5], [10, 15]], False, 0.4, id="Cohen 1960"),
        pytest.param([[5, 5], [5, 5]], False, 0.0, id="chance"),
        pytest.param([[0, 5], [5, 0]], False, -1.0, id="all apart"),
        pytest.param([[10, 0], [0, 0]], False, None, id="one label only"),
        pytest.param([[0, 0], [0, 0]], True, None, id="nothing"),
        # 1 of 4 is one step apart: 1/4 against (1·1·1 + 2·... )/4, by hand 1 - 4·1/(4+4+... )
        pytest.param([[1, 0, 0], [0, 1, 0], [0, 0, 1]], True, 1.0, id="ordered, all alike"),
        # cost 4·2 = 8 against Σ (i-j)²/3 over the 3x3 table = (4·1 + 2·4)/3 = 4
        pytest.param([[0, 0, 1], [0, 1, 0], [1, 0, 0]], True, -1.0, id="ordered, turned round"),
    ],
)
def test_kappa(table: list[list[int]], *, ordered: bool, expected: float | None) -> None:
    found = kappa(np.array(table, np.float64), ordered=ordered)
    assert found == (None if expected is None else pytest.approx(expected))


def label(turn_id: str, text: str, **given: Any) -> Label:
    return Label(**{
        "question": "outcome", "turn_id": turn_id, "label": text, "probability": 1.0, **given,
    })  # fmt: skip


def test_labels_correct_the_failed_rate(tmp_path: Path) -> None:
    # of ten turns the judge fails two; people fail one more of the eight that passed,
    # seen in four drawn with probability one half: 2 / 10 + (1 · 2) / 10
    labels = [label("c0/1", "retrieval"), label("c1/1", "retrieval")]
    labels += [label(f"c{number}/1", "passed", probability=0.5) for number in (2, 3, 4)]
    labels += [label("c5/1", "generation", probability=0.5)]
    (found,) = agreement_of(a_run(tmp_path), labels)
    assert found.judged_rate == pytest.approx(0.2)
    assert found.corrected_rate == pytest.approx(0.4)
    assert found.corrected_interval is not None
    assert found.corrected_interval.low < 0.4 < found.corrected_interval.high <= 1
    assert found.exact == pytest.approx(0.8)
    assert found.confusion["generation"] == {"passed": 1}
    text = render_agreement([found], 3)
    assert "6 labels of 6 items by 1 person." in text
    assert "20.0 %, corrected by these labels 40.0 %" in " ".join(text.split())
    assert "3 corrections not counted" in text
    assert agreement_json([found], 3)["corrections"] == 3


def test_corrections_are_in_no_number(tmp_path: Path) -> None:
    assert agreement_of(a_run(tmp_path), [label("c0/1", "passed", probability=None)]) == ()


def test_people_are_held_against_each_other_and_share_an_item(tmp_path: Path) -> None:
    labels = [
        label("c0/1", "3", question="relevance", subject="k", annotator="ada"),
        label("c0/1", "0", question="relevance", subject="k", annotator="bob"),
        label("c2/1", "0", question="relevance", subject="k", annotator="ada"),
        label("c2/1", "0", question="relevance", subject="k", annotator="bob"),
        label("c9/1", "0", question="relevance", subject="elsewhere", annotator="ada"),
    ]
    (found,) = agreement_of(a_run(tmp_path), labels)
    assert (found.labels, found.items, found.annotators, found.undecided) == (4, 2, 2, 1)
    assert found.exact == pytest.approx(0.75)
    assert found.people == pytest.approx(-1 / 3)  # 2·9 against 2·9·3/4 of 4 ordered pairs
    assert found.judge == "local/local-1, v1"
