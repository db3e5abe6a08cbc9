"""The format of a turn file, and what is said where a line is not in it."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench.attribution.__main__ import main
from bench.attribution.turns import read_turns
from ingest.errors import UsageError
from tests.bench.attribution.files import NORTH, NORTH_FEES, TURNS, library, line, write


def test_a_turn_is_read_as_it_is_written(tmp_path: Path) -> None:
    history = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi!"}]
    tool = {
        "id": "t-1",
        "collection": "tool:get_loan",
        "text": "{}",
        "arguments": {"loan_id": "L-1"},
    }
    path = write(tmp_path / "a.jsonl", [line(history=history, passages=[NORTH, tool])])
    (turn,) = read_turns(path).turns
    assert turn.history == (("user", "Hello"), ("assistant", "Hi!"))
    assert [one.tool for one in turn.passages] == [None, "get_loan"]
    assert turn.passages[1].arguments == {"loan_id": "L-1"}
    assert (turn.known, turn.agent, turn.other_language, turn.fabricated) == (None,) * 4


def test_an_id_that_starts_anew_in_every_turn_means_another_passage(tmp_path: Path) -> None:
    again = {**NORTH, "text": "Another text."}
    lines = [line(1, answer="At 18 [n-1]."), line(2, passages=[again], answer="So it is [n-1].")]
    first, second = read_turns(write(tmp_path / "a.jsonl", lines)).turns
    assert (first.passages[0].passage_id, first.answer) == ("n-1", "At 18 [n-1].")
    assert (second.passages[0].passage_id, second.answer) == ("n-1-v2", "So it is [n-1-v2].")


def test_a_text_keeps_its_id_whatever_number_it_has_in_a_turn(tmp_path: Path) -> None:
    first, second = {**NORTH, "id": "1"}, {**NORTH_FEES, "id": "2"}
    swapped = [{**NORTH_FEES, "id": "1"}, {**NORTH, "id": "2"}]
    lines = [
        line(1, passages=[first, second], answer="At 18 [1]."),
        line(2, passages=swapped, answer="At 18 [2]."),
    ]
    turns = read_turns(write(tmp_path / "a.jsonl", lines)).turns
    assert [[one.passage_id for one in turn.passages] for turn in turns] == [["1", "2"], ["2", "1"]]
    assert [turn.answer for turn in turns] == ["At 18 [1].", "At 18 [2]."]


def test_one_text_twice_in_a_turn_stays_two_passages(tmp_path: Path) -> None:
    twice = [{**NORTH, "id": "a"}, {**NORTH, "id": "b"}]
    turns = read_turns(write(tmp_path / "a.jsonl", [line(1), line(2, passages=twice)])).turns
    assert [one.passage_id for one in turns[1].passages] == ["a", "b"]


def test_blank_lines_count_but_hold_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("\n" + json.dumps(line()) + "\n\n{}\n", "utf-8")
    with pytest.raises(UsageError, match=r"a\.jsonl:4: conversation_id is missing"):
        read_turns(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("", ": holds no turn. See", id="empty file"),
        pytest.param("{", ":1: no JSON (", id="broken JSON"),
        pytest.param("[]", ":1: no JSON object.", id="not an object"),
        pytest.param(json.dumps(line(turn="1")), ":1: turn is not a number.", id="turn as text"),
        pytest.param(json.dumps(line(turn=True)), ":1: turn is not a number.", id="turn as flag"),
        pytest.param(json.dumps(line(turn=0)), ":1: turns count from 1.", id="turn 0"),
        pytest.param(
            json.dumps(line(answerable="yes")),
            ":1: answerable is not true or false.",
            id="answerable as text",
        ),
        pytest.param(
            json.dumps(line(answer=" ")), ":1: question or answer is empty.", id="no answer"
        ),
        pytest.param(
            json.dumps(line(history=[{"role": "bot", "content": "x"}])),
            ":1: a message of history has no role user or assistant.",
            id="unknown role",
        ),
        pytest.param(
            json.dumps(line(passages=[{"id": "a", "text": "x"}])),
            ":1: collection is missing.",
            id="passage without a collection",
        ),
        pytest.param(
            json.dumps(line(passages=["x"])), ":1: a passage is no object.", id="passage as text"
        ),
        pytest.param(
            json.dumps(line(passages=[NORTH, NORTH])),
            ":1: passage n-1 is there twice.",
            id="passage twice",
        ),
        pytest.param(
            "\n".join([json.dumps(line())] * 2),
            ":2: turn 1 of c-1 is there twice.",
            id="turn twice",
        ),
        pytest.param(
            json.dumps(line(other_language="de")),
            ":1: other_language is no object.",
            id="other language as text",
        ),
        pytest.param(json.dumps(line(agent=7)), ":1: agent is not a text.", id="agent as number"),
        pytest.param(
            json.dumps(line(known={"reply": "answered"})),
            "turn 1 of c-1: known is not in the format (",
            id="notes of another form",
        ),
    ],
)
def test_a_bad_file_is_named_and_ends_with_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(text, "utf-8")
    assert main(["--turns", str(path), "--judge", "oracle"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: ")
    assert said in printed.err


def test_a_file_that_is_not_there_ends_with_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--turns", str(tmp_path / "none.jsonl")]) == 2
    assert "none.jsonl: cannot be read (" in capsys.readouterr().err


def test_a_desk_that_lacks_an_agent_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "a.jsonl", [line(agent="nobody")])
    (tmp_path / "a.desk.json").write_text('{"service": "s", "agents": []}', "utf-8")
    assert main(["--turns", str(path)]) == 2
    assert "a.desk.json: has no agent nobody. Describe it there." in capsys.readouterr().err


def test_a_desk_of_another_form_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path / "a.jsonl", library())
    (tmp_path / "a.desk.json").write_text("[]", "utf-8")
    assert main(["--turns", str(path)]) == 2
    assert "a.desk.json: no description of a desk (" in capsys.readouterr().err


def test_the_development_turns_hold_what_a_judge_has_to_meet() -> None:
    turns = [turn for path in sorted(TURNS.glob("*.jsonl")) for turn in read_turns(path).turns]
    languages = [turn.language for turn in turns]
    assert len(turns) >= 140
    assert len({turn.conversation_id for turn in turns}) >= 45
    assert min(languages.count(code) for code in ("fr", "es", "nl")) >= 8
    assert min(languages.count(code) for code in ("ja", "ar")) >= 4
    known: list[Any] = [turn.known for turn in turns if turn.known]
    assert len(known) == len(turns)
    assert {one["reply"] for one in known} == {"answered", "partly", "abstained", "clarifying"}
    assert sum(not one["needs_evidence"] for one in known) >= 15
    assert sum(len(one["elements"]) > 1 for one in known) >= 25
    assert sum(any(p.tool for p in turn.passages) for turn in turns) >= 20
