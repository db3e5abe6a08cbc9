"""Known answers are told as they stand, and nothing is told that does not."""

import json
from pathlib import Path
from typing import Any

import pytest

from ingest.errors import JudgeError
from judge.question import Question, QuestionKind, Subject
from judge.recorded import RecordedJudge

RECORD: dict[str, Any] = {
    "conversation_id": "c",
    "turn": 2,
    "answer": {
        "needs_evidence": True,
        "elements": [{"text": "How long?", "status": "answered", "answered_by": ["m-1"]}],
    },
    "relevance": {"m-1": {"grade": 3, "target": True, "intent": True, "usable": True}},
    "support": {
        "1": {"m-1": "partial", "m-2": "partial", "m-1+m-2": "full", "x": "contradicted"},
    },
    "statements": [{"text": "30 days", "paragraph": 1, "label": "supported"}],
    "routing": {"agent_ok": True},
}


@pytest.fixture
def judge(tmp_path: Path) -> RecordedJudge:
    path = tmp_path / "answers.jsonl"
    path.write_text(json.dumps(RECORD) + "\n", "utf-8")
    return RecordedJudge(path)


def told(judge: RecordedJudge, kind: QuestionKind, turn: int = 2, **subject: Any) -> Any:
    """Return what the judge says, None when it does not know."""
    question = Question(
        kind=kind,
        conversation_id="c",
        turn_id=None if kind == "routing" else f"c/{turn}",
        subject=Subject(**subject),
        content={},
    )
    (reply,) = judge.answer([question])
    return None if reply.error else json.loads(reply.text)


@pytest.mark.parametrize(
    ("subject", "grade"),
    [
        pytest.param({"chunk_id": "m-1"}, 3, id="listed"),
        pytest.param({"chunk_id": "m-9"}, 0, id="not listed"),
    ],
)
def test_relevance(judge: RecordedJudge, subject: dict[str, Any], grade: int) -> None:
    assert told(judge, "relevance", **subject)["grade"] == grade


@pytest.mark.parametrize(("chunk_id", "grade"), [("m-1", 3), ("m-2", 0)])
def test_a_probe_hits_what_answers_the_element(
    judge: RecordedJudge, chunk_id: str, grade: int
) -> None:
    assert told(judge, "probe", element=0, chunk_id=chunk_id)["grade"] == grade


@pytest.mark.parametrize(
    ("ids", "rest", "label"),
    [
        pytest.param(("m-1",), False, "partial", id="a pair"),
        pytest.param(("m-9",), False, "none", id="a pair that is not listed"),
        pytest.param(("m-1", "m-2"), False, "full", id="together, listed"),
        pytest.param(("m-2", "m-9"), False, "partial", id="together, the best of them"),
        pytest.param(("m-2", "x"), True, "contradicted", id="one contradicts"),
        pytest.param((), True, "none", id="nothing"),
    ],
)
def test_support(judge: RecordedJudge, ids: tuple[str, ...], rest: bool, label: str) -> None:  # noqa: FBT001
    assert told(judge, "support", paragraph=1, evidence_ids=ids, rest=rest)["label"] == label


def test_the_answer_is_told_without_its_notes(judge: RecordedJudge) -> None:
    assert told(judge, "answer")["elements"] == [{"text": "How long?", "status": "answered"}]


def test_routing_is_told_turn_by_turn(judge: RecordedJudge) -> None:
    first, second = told(judge, "routing", turns=(1, 2))["turns"]
    assert (first["turn"], first["unjudged"]) == (1, "uncertain")
    assert (second["turn"], second["agent_ok"]) == (2, True)


@pytest.mark.parametrize("kind", ["relevance", "answer", "statements", "support"])
def test_a_turn_that_is_not_in_the_file_is_left_open(
    judge: RecordedJudge, kind: QuestionKind
) -> None:
    assert told(judge, kind, turn=7, paragraph=1, chunk_id="m-1") is None


@pytest.mark.parametrize("content", ["{", "[]", '{"turn": 1}', "\xff"])
def test_a_file_of_something_else_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_bytes(content.encode("latin-1"))
    with pytest.raises(JudgeError, match=r"answers\.jsonl"):
        RecordedJudge(path)


def test_judges_with_other_answers_are_other_judges(tmp_path: Path, judge: RecordedJudge) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text("", "utf-8")
    with pytest.raises(JudgeError):
        RecordedJudge(other)
    other.write_text(json.dumps(RECORD | {"turn": 3}), "utf-8")
    assert RecordedJudge(other).identity != judge.identity
