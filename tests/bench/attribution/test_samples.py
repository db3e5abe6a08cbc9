"""The good turns of the sample traces: which are taken, and what is made of each.

With known answers the rules must find what was planted in them. Of the local judge nothing
but a floor is asserted: nothing may be tuned on these turns.
"""

import json
from pathlib import Path

import pytest

from bench.attribution.__main__ import main
from bench.attribution.judging import Result, judged
from bench.attribution.planting import FAULTS, run_of, variants_of
from bench.attribution.samples import (
    CARRIED,
    LATENT,
    SAMPLES,
    TWO_AGENTS,
    SampleTurns,
    read_samples,
    traced_turns,
)
from bench.attribution.scenes import Scene, cited
from bench.attribution.scoring import score, table
from ingest.errors import UsageError

A_FEW = 4
"""Variants of one fault; `python -m bench.attribution --samples --limit 0` tries them all."""


@pytest.fixture(scope="module")
def read() -> SampleTurns:
    return read_samples()


@pytest.fixture(scope="module")
def scenes(read: SampleTurns) -> dict[str, Scene]:
    return {
        f"{scene.good.conversation_id}/{scene.good.turn}": scene
        for corpus in read.corpora
        for scene in corpus.scenes
    }


@pytest.fixture(scope="module")
def oracle(read: SampleTurns) -> tuple[Result, ...]:
    return judged(run_of(read.corpora, variants_of(read.corpora, A_FEW)), "oracle").results


def test_good_turns_are_kept_or_counted(read: SampleTurns) -> None:
    assert {corpus.desk.service: len(corpus.scenes) for corpus in read.corpora} == {
        "service-desk": 46,
        "people-desk": 35,
    }
    assert dict(read.left_out) == {
        ("sd-04", 4): CARRIED,
        ("sd-18", 1): LATENT,
        ("sd-21", 1): TWO_AGENTS,
        ("pd-06", 2): LATENT,
    }
    assert read.kept + len(read.left_out) == 85
    assert read.counts() == (
        "85 good turns: 81 kept (service-desk 46, people-desk 35), 4 (a latent fault 2, "
        "evidence of an earlier turn 1, two agents fetched 1) left out"
    )


def test_a_turn_is_what_its_trace_and_its_answers_say(scenes: dict[str, Scene]) -> None:
    scene = scenes["pd-04/3"]
    good = scene.good
    assert good.history == (
        ("user", "What may a hotel in Berlin cost?"),
        ("assistant", "In Berlin the limit is 130 EUR per night with breakfast [trv-03]."),
        ("user", "Which hotel did I get with booking B-7731?"),
        (
            "assistant",
            "With booking B-7731 you stay at the Hotel Spreeblick, for 124 EUR per night.",
        ),
    )
    assert good.question == (
        "What meal allowance do I get for a full day there, and what would it be in Austria?"
    )
    assert (good.agent, good.collection, good.language) == ("travel_agent", "travel-rules", "en")
    assert [(one.passage_id, one.collection, one.text) for one in good.passages] == [
        (
            "trv-04",
            "travel-rules",
            (
                "Meal allowance in Germany. For trips in Germany the meal allowance is 28 EUR for a "
                "full day and 14 EUR for the day of arrival or departure."
            ),
        ),
        (
            "trv-05",
            "travel-rules",
            (
                "Meal allowance in Austria. For trips in Austria the meal allowance is 30 EUR for a "
                "full day and 15 EUR for the day of arrival or departure."
            ),
        ),
    ]
    # [trv-04] and [trv-05] in the trace.
    assert good.answer == (
        "- Germany: 28 EUR for a full day [1]\n- Austria: 30 EUR for a full day [2]"
    )
    assert good.answerable
    facts = scene.facts
    assert [(one.text, one.status, one.paragraphs, one.answered_by) for one in facts.elements] == [
        ("What is the meal allowance for a full day in Germany?", "answered", (1,), ("trv-04",)),
        ("What is the meal allowance for a full day in Austria?", "answered", (1,), ("trv-05",)),
    ]
    assert facts.support == {1: {"trv-04": "partial", "trv-05": "partial", "trv-04+trv-05": "full"}}
    assert facts.claims == {1: "fact"}
    assert {key: (one.grade, one.target) for key, one in facts.grades.items()} == {
        "trv-04": (3, True),
        "trv-05": (3, True),
    }


def test_what_an_earlier_turn_fetched_is_no_passage_and_has_no_number(
    scenes: dict[str, Scene],
) -> None:
    good = scenes["sd-04/3"].good
    assert [one.passage_id for one in good.passages] == ["sp-13", "sp-12", "sp-11", "sp-14"]
    assert good.answer.endswith("the restocking fee is 10 percent of the price [2].")  # 【6】


def test_results_of_tools_are_passages_with_arguments(scenes: dict[str, Scene]) -> None:
    found, empty = scenes["pd-14/3"].good.passages[0], scenes["sd-03/4"].good.passages[0]
    assert (found.collection, found.arguments) == (
        "tool:get_leave_balance",
        {"employee_id": "E-320"},
    )
    assert json.loads(found.text) == [
        {"employee_id": "E-320", "country": "DE", "remaining_days": 6, "year": 2026}
    ]
    assert (empty.tool, empty.arguments, empty.text) == ("get_order", {"order_id": "9990"}, "")


def test_every_marker_means_what_it_meant_in_the_trace(scenes: dict[str, Scene]) -> None:
    turns = traced_turns(SAMPLES)
    compared = 0
    for scene in scenes.values():
        generation = turns[scene.good.conversation_id, scene.good.turn].generation
        assert generation is not None
        meant: dict[int | None, dict[str | None, None]] = {}
        for one in generation.citations:
            meant.setdefault(one.paragraph, {})[one.target] = None
        now = {number: list(ids) for number, ids in cited(scene).items() if ids}
        assert now == {number: list(ids) for number, ids in meant.items()}
        compared += len(now)
    assert compared > 50


def test_the_desks_are_those_of_the_traces(read: SampleTurns) -> None:
    desk = read.corpora[0].desk
    assert [agent.name for agent in desk.agents] == [
        "orchestrator",
        "manuals_agent",
        "parts_agent",
        "orders_agent",
    ]
    assert desk.agent("manuals_agent").collections == ("manual-rx-200", "manual-rx-300")
    assert [tool.name for tool in desk.agent("parts_agent").tools] == ["get_stock"]
    assert "spare parts" in desk.agent("parts_agent").description


def test_the_rules_find_what_was_planted(oracle: tuple[Result, ...]) -> None:
    scored = score(oracle)
    assert scored.faulty > 150
    assert scored.root_stage is not None
    assert scored.root_kind is not None
    assert scored.root_stage >= 0.99, table("oracle", scored, oracle)
    assert scored.root_kind >= 0.97, table("oracle", scored, oracle)
    assert (scored.good, scored.false_alarms, scored.harmless_alarms) == (81, 0, 0)


def test_most_faults_can_be_planted(oracle: tuple[Result, ...]) -> None:
    missing = {fault.name for fault in FAULTS} - {one.planted.name for one in oracle}
    assert missing == {"second_collection", "part+number"}


def test_a_turn_that_the_traces_lack_is_named(tmp_path: Path) -> None:
    row = {"conversation_id": "sd-99", "turn": 1, "stage": None, "undetermined": None}
    for path in SAMPLES.glob("service-desk-weekend*"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    for name in ("truth.jsonl", "answers.jsonl"):
        (tmp_path / name).write_text(json.dumps(row) + "\n", "utf-8")
    with pytest.raises(UsageError, match=r"sd-99/1: .* not in the traces"):
        read_samples(tmp_path)
    (tmp_path / "truth.jsonl").write_text("{}", "utf-8")
    with pytest.raises(UsageError, match=r"truth\.jsonl: no lines about turns"):
        read_samples(tmp_path)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        pytest.param(["--clapnq", "rows.jsonl"], "not allowed with argument", id="two sources"),
        pytest.param(["--errors"], "nothing may be tuned on the samples", id="single turns"),
    ],
)
def test_what_does_not_go_with_the_samples(
    options: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--samples", *options])
    assert ended.value.code == 2
    assert problem in capsys.readouterr().err


def test_the_command_measures_both_judges_on_them(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--samples", "--limit", "2", "--json"]) == 0
    printed = capsys.readouterr()
    assert printed.err.startswith("sample_traces: 85 good turns: 81 kept (")
    scored = json.loads(printed.out)
    assert scored["oracle"]["root_stage"] == 1
    assert scored["local"]["root_stage"] >= 0.4
    assert scored["local"]["false_alarms"] <= 0.3
