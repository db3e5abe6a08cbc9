"""Reading and keeping labels."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from analysis.labels import Label, add_labels, read_labels, stored_labels
from analysis.labels.sheet_files import as_typed, sheet_text
from ingest.errors import StoreError

ROOT = Path(__file__).parents[3]
CORRECTION: dict[str, Any] = {
    "span_id": "00f067aa0ba902b7",
    "name": "support",
    "annotator_kind": "HUMAN",
    "result": {"label": "partial", "explanation": "only half of it"},
    "metadata": {
        "run_id": "r-1", "turn_id": "a/1", "subject": "P1 × c-1", "judge_label": "full", "key": "k1",
    },
    "identifier": "stagefault:k1",
}  # fmt: skip
ROW: dict[str, Any] = {
    "question": "relevance", "turn_id": "a/1", "subject": "c-1", "label": "2", "probability": 0.25,
}  # fmt: skip


def lines(*rows: dict[str, Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_a_correction_of_the_page() -> None:
    read = read_labels("x", lines(CORRECTION), "ada")
    assert read.problems == ()
    assert read.labels == (
        Label(
            question="support", turn_id="a/1", subject="P1 × c-1", label="partial", annotator="ada",
            run_id="r-1", key="k1", explanation="only half of it",
        ),
    )  # fmt: skip


def test_a_filled_in_row_and_an_empty_one() -> None:
    read = read_labels("x", lines(ROW, ROW | {"label": ""}, ROW | {"annotator": "bob", "label": 3}))
    assert [(one.label, one.annotator, one.probability) for one in read.labels] == [
        ("2", "", 0.25),
        ("3", "bob", 0.25),
    ]
    assert read.unlabelled == 1


@pytest.mark.parametrize("as_csv", [True, False], ids=["csv", "jsonl"])
def test_a_sheet_comes_back_as_it_was_written(*, as_csv: bool) -> None:
    user = "@SUM(1)\nx,y\u2028z\x85"
    hostile = ROW | {"turn_id": "=cmd|'/c calc'!A1/1", "subject": "'quoted", "user": user}
    text = sheet_text([hostile, ROW], as_csv=as_csv)
    first, second = read_labels("x", text).labels
    assert (first.turn_id, first.subject) == (hostile["turn_id"], "'quoted")
    assert second.item == ("relevance", "a/1", "c-1")


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "\t=1", " =1", "＝1", "\u200b=1"])
def test_no_cell_is_a_formula(text: str) -> None:
    cell = sheet_text([{"a": text}], as_csv=True).splitlines()[1].strip('"')
    assert cell.startswith("'")
    assert as_typed("'" + text) == text


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        pytest.param("{", "is no JSON", id="cut"),
        pytest.param('{"a": 1}\n[1]', "has no known question", id="another object"),
        pytest.param(lines(ROW | {"question": "taste"}), "has no known question", id="question"),
        pytest.param(lines(ROW | {"label": "5"}), "has no label '5': 0, 1, 2, 3", id="label"),
        pytest.param(lines(ROW | {"turn_id": None}), "names no turn", id="no turn"),
        pytest.param(lines(ROW | {"turn_id": 7}), "names no turn", id="turn is a number"),
        pytest.param(lines(ROW | {"probability": 0}), "outside of (0, 1]", id="probability 0"),
        pytest.param(lines(ROW | {"probability": "x"}), "probability", id="probability is text"),
        pytest.param(lines(ROW | {"subject": ["x"]}), "subject", id="subject is a list"),
        pytest.param(lines(CORRECTION | {"metadata": 5}), "names no turn", id="no metadata"),
        pytest.param("a,b\n1,2\n", "nor a table with a column question", id="another table"),
        pytest.param("[" * 10_000, "is neither JSON lines", id="deep"),
        pytest.param('{"question": ["x"]}', "has no known question", id="question is a list"),
        pytest.param('{"question": ' + "[" * 10_000, "is no JSON", id="deep inside"),
        pytest.param("question,label\ntaste,1\n", "has no known question", id="csv"),
    ],
)
def test_what_is_no_label_is_named_with_its_line(text: str, problem: str) -> None:
    read = read_labels("sheet", text)
    assert read.labels == ()
    assert all(found.startswith("sheet:") for found in read.problems)
    assert problem in " ".join(read.problems)


def test_nothing_at_all() -> None:
    read = read_labels("x", "\n  \n")
    assert (read.labels, read.unlabelled, read.problems) == ((), 0, ())


def test_the_last_word_of_each_person_stays(tmp_path: Path) -> None:
    first = Label(question="answer", turn_id="a/1", label="partly", annotator="ada")
    other = Label(question="answer", turn_id="a/1", label="answered", annotator="bob")
    later = Label(question="answer", turn_id="a/1", label="abstained", annotator="ada")
    assert add_labels(tmp_path, [first, other]) == (2, 0)
    assert add_labels(tmp_path, [first]) == (0, 0)
    assert add_labels(tmp_path, [later]) == (0, 1)
    assert stored_labels(tmp_path) == (later, other)


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    (tmp_path / "labels.jsonl").write_text('{"question": "answer"}\n')
    with pytest.raises(StoreError, match=r"labels\.jsonl:1: is no label"):
        stored_labels(tmp_path)


def test_people_who_import_at_once_lose_nothing(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from analysis.labels import Label, add_labels\n"
        "for n in range(10):\n"
        "    one = Label(question='answer', turn_id=f'a/{n}', label='partly', annotator=sys.argv[2])\n"
        "    add_labels(Path(sys.argv[1]), [one])\n"
    )
    people = ("ada", "bob", "eve")
    started = [
        subprocess.Popen([sys.executable, "-c", script, str(tmp_path), name], cwd=ROOT)
        for name in people
    ]
    assert [process.wait(timeout=120) for process in started] == [0, 0, 0]
    assert len(stored_labels(tmp_path)) == 30
