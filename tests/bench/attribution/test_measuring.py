"""How results are counted, what is printed, and the whole command."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench.attribution.__main__ import main
from bench.attribution.corpus import Corpus
from bench.attribution.judging import judge_for, judged
from bench.attribution.planting import PlantedRun, read_corpora, run_of, variants_of
from bench.attribution.questions import OPEN, agreement, compared, measures
from bench.attribution.scoring import score, table
from judge.answers import Relevance, Support, Unjudged
from judge.question import Question, Subject, Verdict
from tests.bench.attribution.files import library, write


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return write(tmp_path / "library.jsonl", library())


@pytest.fixture
def run(small: Path) -> PlantedRun:
    corpora: tuple[Corpus, ...] = read_corpora([small])
    return run_of(corpora, variants_of(corpora, 1))


def verdict(kind: Any, answer: Any, **subject: Any) -> Verdict[Any]:
    question = Question(
        kind=kind, conversation_id="c", turn_id="c/1", subject=Subject(**subject), content={}
    )
    return Verdict(
        question=question, key="k", answer=answer, judge="j/1", prompt_version="1", model="1"
    )


def relevance(grade: int) -> Relevance:
    return Relevance(reason="", target=True, intent=True, usable=True, grade=grade)


@pytest.mark.parametrize(
    ("known", "said", "expected"),
    [
        pytest.param(
            verdict("relevance", relevance(3), chunk_id="a"),
            relevance(2),
            [("relevance grade", "3", "2"), ("relevance relevant", "yes", "yes")],
            id="another grade, relevant all the same",
        ),
        pytest.param(
            verdict("probe", relevance(3), chunk_id="a", element=0),
            relevance(0),
            [("probe relevant", "yes", "no")],
            id="a probe has no grade of its own",
        ),
        pytest.param(
            verdict("support", Support(reason="", label="full"), paragraph=1, evidence_ids=("a",)),
            Unjudged(reason="uncertain"),
            [("support", "full", OPEN)],
            id="undecided",
        ),
        pytest.param(
            verdict(
                "support",
                Support(reason="", label="none"),
                paragraph=1,
                evidence_ids=("a", "b"),
                rest=True,
            ),
            Support(reason="", label="partial"),
            [("support rest", "none", "partial")],
            id="support by the rest",
        ),
    ],
)
def test_parts_of_a_question_are_compared(
    known: Verdict[Any], said: Any, expected: list[tuple[str, str, str]]
) -> None:
    assert list(compared(known, said)) == expected


def test_a_judge_agrees_with_itself(run: PlantedRun, tmp_path: Path) -> None:
    known = judged(run, "oracle").verdicts
    found = agreement(known, judge_for(run, "oracle", tmp_path))
    assert {"reply", "claim", "support", "relevance grade", "args ok"} <= measures(found).keys()
    assert not found.disagreements
    assert all(row["agree"] == row["balanced"] == 1 for row in measures(found).values())


def test_shares_are_counted_by_hand(run: PlantedRun) -> None:
    results = judged(run, "oracle").results
    scored = score(results)
    assert scored.good == len(library())
    assert scored.faulty + scored.harmless + scored.good == len(results)
    assert sum(sum(row.values()) for row in scored.confusion.values()) == len(results)
    assert "stage left undetermined" in table("oracle", scored, results)


def test_nothing_planted_is_undefined_and_not_zero(small: Path) -> None:
    corpora = read_corpora([small])
    scored = score(judged(run_of(corpora, ()), "oracle").results)
    assert scored.root_stage is None
    assert scored.false_alarms == 0


def test_the_command_prints_shares_of_both_judges(
    small: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--turns", str(small), "--limit", "2", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed.keys() == {"oracle", "local"}
    for row in printed.values():
        for name in ("root_stage", "root_kind", "false_alarms", "undetermined"):
            assert 0 <= row[name] <= 1
        assert set(row["confusion"]) == {"good", "routing", "retrieval", "generation"}
    assert printed["oracle"]["root_stage"] == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        pytest.param(["--judge", "oracle"], "judge: oracle", id="a table"),
        pytest.param(["--questions"], "measure", id="question by question"),
        pytest.param(["--errors"], "", id="wrong turns"),
        pytest.param(["--questions", "--errors", "2"], "", id="wrong parts of questions"),
    ],
)
def test_the_command_prints_text(
    small: Path, capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    assert main(["--turns", str(small), "--limit", "1", *options]) == 0
    assert said in capsys.readouterr().out


def test_rows_of_question_and_chunk_make_good_turns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    topics = ("harbour", "windmill", "glacier", "orchard")
    rows = [
        {
            "id": str(number),
            "question": f"how old is the {topic} of town {number}",
            "chunk": f"The {topic} of town {number} was built {100 + number} years ago in stone .",
            "relevant": number % 2,
            "answer": f"It was built {100 + number} years ago.",
        }
        for number in range(16)
        for topic in (topics[number % 4],)
    ]
    path = write(tmp_path / "rows.jsonl", rows)
    assert main(["--clapnq", str(path), "--judge", "oracle", "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)["oracle"]
    assert printed["good"] == 8
    assert printed["false_alarms"] == 0
    assert printed["root_stage"] >= 0.95


def test_rows_of_another_form_end_with_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "rows.jsonl", [{"id": "1"}])
    assert main(["--clapnq", str(path)]) == 2
    assert "rows.jsonl: no rows of question and chunk (" in capsys.readouterr().err
