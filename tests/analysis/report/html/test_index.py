from pathlib import Path

import pytest

from analysis.breakdown import EVERYTHING, selection_of
from analysis.report.html import index as index_module
from analysis.report.html.index import coded, index_json, index_of
from analysis.run import load_run
from tests.analysis.runs import finding, metric, turn_row, write_run

TURNS = [
    turn_row("a/1", root="routing.wrong_agent", day=1, tools=["x", "y"]),
    turn_row("a/2", day=2),
    turn_row("b/1", root="undetermined.corpus_not_probed", day=3),
    turn_row(
        "b/2", root="generation.incomplete", day=None, question="q " * 300, inherited_from="b/1"
    ),
]
FINDINGS = [
    finding("a/1", "routing.wrong_agent"),
    finding("a/1", "retrieval.irrelevant_chunks", "downstream"),
    finding("a/1", "generation.incomplete", "contributing"),
    finding("a/2", "retrieval.ranked_too_low", "latent"),
    finding("b/2", "generation.incomplete"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    routed = [metric("a/2", "agent_ok_rate", 1, 1)]
    return write_run(
        tmp_path_factory.mktemp("index"), turns=TURNS, findings=FINDINGS, metrics=routed
    )


def test_the_newest_turn_stands_first_and_those_without_a_time_last(folder: Path) -> None:
    index = index_of(load_run(folder), EVERYTHING)
    assert index.column("turn_id") == ["b/1", "a/2", "a/1", "b/2"]


def test_three_letters_say_what_the_stages_did(folder: Path) -> None:
    index = index_of(load_run(folder), EVERYTHING)
    assert dict(zip(index.column("turn_id"), index.marks, strict=True)) == {
        "b/1": "uuu",
        "a/2": "fLf",
        "a/1": "RDC",
        "b/2": "nfR",  # of its routing nothing was judged
    }


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        pytest.param({"stage": "generation"}, ["b/2"], id="stage"),
        pytest.param({"kind": "routing.wrong_agent"}, ["a/1"], id="kind"),
        pytest.param({"tool": "y"}, ["a/1"], id="tool"),
        pytest.param({"tool": "z"}, [], id="nothing"),
    ],
)
def test_a_selection_chooses_the_turns(
    folder: Path, filters: dict[str, str], expected: list[str]
) -> None:
    index = index_of(load_run(folder), selection_of(**filters))
    assert index.column("turn_id") == expected


def test_columns_hold_what_the_list_shows(folder: Path) -> None:
    columns = index_json(index_of(load_run(folder), EVERYTHING))
    assert columns["conversation"] == {"values": ["b", "a"], "codes": [0, 1, 1, 0]}
    assert columns["turn"] == [1, 2, 1, 2]
    assert columns["time"][-1] is None
    assert columns["inherited"] == [0, 0, 0, 1]
    assert columns["root"]["values"][columns["root"]["codes"][1]] is None
    assert len(columns["question"][3]) == 160
    tools = columns["by"]["tool"]
    carried = [
        [tools["names"][number] for number in tools["sets"][code]] for code in tools["codes"]
    ]
    assert carried == [[None], [None], ["x", "y"], [None]]


def test_above_the_limit_failing_turns_stay_and_the_others_are_sampled(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_module, "MOST_TURNS", 3)
    index = index_of(load_run(folder), EVERYTHING)
    assert index.column("turn_id") == ["b/1", "a/1", "b/2"]
    assert index.admitted == 4


def test_values_are_numbered_in_order_of_appearance() -> None:
    assert coded(["b", None, "b", "a"]) == {"values": ["b", None, "a"], "codes": [0, 1, 0, 2]}
