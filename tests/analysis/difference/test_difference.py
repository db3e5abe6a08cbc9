"""What changed between two runs, turn by turn."""

from pathlib import Path
from typing import Any

import pytest

from analysis.breakdown import selection_of
from analysis.difference import Difference, Row, difference_of
from analysis.report.difference import difference_json, headline_of, render_difference
from analysis.run import Run
from ingest.errors import UsageError
from tests.analysis.runs import metric, turn_row, write_run

BEFORE = [
    turn_row("a/1"),
    turn_row("a/2", root="routing.wrong_tool"),
    turn_row("b/1", root="retrieval.missed_chunk"),
    turn_row("c/1", root="retrieval.missed_chunk"),
    turn_row("d/1", "not_judged"),
    turn_row("gone/1"),
]
AFTER = [
    turn_row("a/1", root="generation.off_topic"),
    turn_row("a/2"),
    turn_row("b/1", root="routing.wrong_agent"),
    turn_row("c/1", root="retrieval.missed_chunk"),
    turn_row("d/1"),
    turn_row("new/1", root="routing.wrong_tool"),
]


def run(store: Path, run_id: str, turns: list[Any], **given: Any) -> Run:
    return Run(write_run(store, run_id, turns=turns, **given))


def compared(tmp_path: Path, before: list[Any], after: list[Any], **given: Any) -> Difference:
    return difference_of(run(tmp_path, "before", before), run(tmp_path, "after", after), **given)


def row_of(difference: Difference, name: str) -> Row:
    return next(row for row in difference.rows if row.name == name)


def test_turns_pair_and_the_others_are_counted(tmp_path: Path) -> None:
    found = compared(tmp_path, BEFORE, AFTER)
    assert (found.pairs, found.judged, found.conversations) == (5, 4, 3)
    assert (found.only_before, found.only_after, found.moved) == (1, 1, 1)
    assert [(one.turn_id, one.root) for one in found.newly_failing] == [
        ("a/1", "generation.off_topic")
    ]
    assert [(one.turn_id, one.root) for one in found.fixed] == [("a/2", "routing.wrong_tool")]


def test_every_root_has_its_counts(tmp_path: Path) -> None:
    found = compared(tmp_path, BEFORE, AFTER)
    counts = {
        row.name: (row.before * 4, row.after * 4, row.appeared, row.vanished) for row in found.rows
    }
    assert counts == {
        "failed": (3, 3, 1, 1),
        "routing": (1, 1, 1, 1),
        "routing.wrong_tool": (1, 0, 0, 1),
        "routing.wrong_agent": (0, 1, 1, 0),
        "retrieval": (2, 1, 0, 1),
        "retrieval.missed_chunk": (2, 1, 0, 1),
        "generation": (0, 1, 1, 0),
        "generation.off_topic": (0, 1, 1, 0),
    }


@pytest.mark.parametrize(
    ("before", "after", "pairs"),
    [
        pytest.param(turn_row("a/1"), turn_row("a/1"), 1, id="the same turn"),
        pytest.param(turn_row("a/1"), turn_row("a/2"), 0, id="another place"),
        pytest.param(turn_row("a/1"), turn_row("b/1"), 0, id="another conversation"),
        pytest.param(turn_row("a/1"), turn_row("a/1", question="?"), 0, id="another question"),
        pytest.param(
            turn_row("a/1", question=None), turn_row("a/1", question=None), 1, id="not captured"
        ),
        pytest.param(
            turn_row("a/1", golden_id="g-7"), turn_row("z/9", golden_id="g-7", question="Other?"), 1,
            id="the same golden item",
        ),
        pytest.param(
            turn_row("a/1", golden_id="g-7"), turn_row("a/1", golden_id="g-8"), 1,
            id="golden items that are in one run only",
        ),
    ],
)  # fmt: skip
def test_pairing(tmp_path: Path, before: Any, after: Any, pairs: int) -> None:
    assert compared(tmp_path, [before], [after]).pairs == pairs


def test_a_golden_item_that_stands_twice_pairs_by_its_turns(tmp_path: Path) -> None:
    twice = [turn_row("a/1", golden_id="g"), turn_row("b/1", golden_id="g")]
    assert compared(tmp_path, twice, twice).pairs == 2


def fleet(failing: int, of: int) -> list[Any]:
    return [
        turn_row(f"c{number}/1", root="retrieval.missed_chunk" if number < failing else "")
        for number in range(of)
    ]


def test_a_clear_change_is_told_with_its_interval(tmp_path: Path) -> None:
    found = compared(tmp_path, fleet(10, 100), fleet(20, 100))
    failed = row_of(found, "failed")
    assert failed.p == pytest.approx(2 / 2**10)  # McNemar: 10 against 0
    assert failed.change == pytest.approx(0.1)
    assert failed.low is not None
    assert failed.high is not None
    assert 0.03 < failed.low < 0.1 < failed.high < 0.18
    assert [row.name for row in found.changed] == ["failed", "retrieval", "retrieval.missed_chunk"]
    assert headline_of(found) == (
        "10 of 100 shared turns failed before, 20 after: 10 newly, 0 no longer; "
        f"+10.00 points (+{failed.low * 100:.2f} to +{failed.high * 100:.2f}), a clear change."
    )


def test_metrics_are_compared_over_pairs_with_both_values(tmp_path: Path) -> None:
    turns = [turn_row("a/1"), turn_row("b/1"), turn_row("c/1")]
    name = "tool_ok_rate"
    before = [metric("a/1", name, 1, 2), metric("b/1", name, 1, 1), metric("c/1", name)]
    after = [metric("a/1", name, 2, 2), metric("b/1", name, 1, 1), metric("c/1", name, 1, 1)]
    found = difference_of(
        run(tmp_path, "before", turns, metrics=before), run(tmp_path, "after", turns, metrics=after)
    )
    row = row_of(found, "routing.tool_ok_rate")
    assert (row.pairs, row.before, row.after, row.appeared, row.vanished) == (2, 0.75, 1.0, 1, 0)


def test_filters_choose_turns_of_both_runs(tmp_path: Path) -> None:
    before = [turn_row("a/1"), turn_row("b/1", agent="support")]
    found = compared(tmp_path, before, before, selected=selection_of(agent="support"))
    assert (found.pairs, found.only_before, found.only_after) == (1, 0, 0)


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        pytest.param([], [], "The runs have no turn in common.", id="empty"),
        pytest.param(fleet(0, 1), [turn_row("x/1")], "The runs have no turn in common.", id="none"),
        pytest.param(
            [turn_row("a/1", "not_judged")], [turn_row("a/1")],
            "No turn was judged in both runs.", id="not judged",
        ),
        pytest.param(
            [turn_row("a/1")], [turn_row("a/1")],
            "0 of 1 shared turn failed before, 0 after: 0 newly, 0 no longer, no clear change.",
            id="one conversation has no interval",
        ),
    ],
)  # fmt: skip
def test_where_little_can_be_said(
    tmp_path: Path, before: list[Any], after: list[Any], sentence: str
) -> None:
    found = compared(tmp_path, before, after)
    assert headline_of(found) == sentence
    assert found.detectable is None
    runs = (Run(tmp_path / "runs" / "before"), Run(tmp_path / "runs" / "after"))
    assert sentence.split(maxsplit=1)[0] in render_difference(found, *runs, limit=5, color=False)
    assert difference_json(found)["pairs"] == found.pairs


def test_a_run_is_not_compared_with_itself(tmp_path: Path) -> None:
    one = run(tmp_path, "before", BEFORE)
    with pytest.raises(UsageError, match="cannot be compared with itself"):
        difference_of(one, one)


def test_a_judge_that_leans_on_other_traces_is_named(tmp_path: Path) -> None:
    judge = {"provider": "local", "model": "local-1", "prompts": {"answer": "answer/1"}}
    runs = [
        run(tmp_path, name, turns, info={"judge": judge | {"params": {"run": name}}})
        for name, turns in (("before", BEFORE), ("after", AFTER))
    ]
    found = difference_of(*runs)
    assert len(found.notes) == 1
    text = " ".join(render_difference(found, *runs, limit=3, color=False).split())
    assert found.notes[0] in text


def test_runs_measured_otherwise_are_compared_on_request_only(tmp_path: Path) -> None:
    one = run(tmp_path, "before", BEFORE)
    other = run(tmp_path, "after", AFTER, info={"profile": {"name": "strict", "tuned": False}})
    with pytest.raises(UsageError, match="profile differ"):
        difference_of(one, other)
    found = difference_of(one, other, across_judges=True)
    assert found.differences == ("profile",)
    assert "Not measured alike (profile differ)" in render_difference(
        found, one, other, limit=5, color=False
    )


def test_the_text_names_turns_and_how_to_open_them(tmp_path: Path) -> None:
    runs = run(tmp_path, "before", BEFORE), run(tmp_path, "after", AFTER)
    text = render_difference(difference_of(*runs), *runs, limit=1, color=False)
    assert "Paired   5 turns in both runs, 1 only before, 1 only after; 1 not judged" in text
    assert "1 turn fails in both runs, by another root." in text
    assert "Newly failing: 1 turn\n  generation.off_topic" in text
    assert "stagefault show a/1" in text
    assert "--run after" in text
