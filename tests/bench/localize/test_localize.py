"""Findings at spans, held against labels: by hand, and over miniatures of both sets."""

import json
from pathlib import Path
from typing import Any

import pytest

from analysis.attribution import KINDS
from bench.localize.__main__ import GIVEN, categories, main, named
from bench.localize.labels import READERS, Label, read_agentrx, read_trail
from bench.localize.placing import Placed
from bench.localize.scoring import Hits, floor, score
from bench.localize.trajectories import otlp_line, span_of
from ingest.errors import UsageError
from tests.judge.remote_runs import KEY, PRICED
from tests.server import ScriptedServer

FIRST, LATER = "aaaaaaaaaaaaaaa1", "aaaaaaaaaaaaaaa2"
TOOL = "bbbbbbbbbbbbbbb1"
TRACE = "0af7651916cd43dd8448eb211c80319c"


@pytest.mark.parametrize(
    ("said", "true", "location", "category", "joint"),
    [
        pytest.param(
            [("t", "1", "A")], [("t", "1", "A")], (1, 1, 1), (1, 1, 1), (1, 1, 1), id="all right"
        ),
        pytest.param(
            [("t", "1", "A")],
            [("t", "1", "B"), ("t", "2", "A")],
            (1, 1, 2),
            (1, 1, 2),
            (0, 1, 2),
            id="right place and right category, not of one error",
        ),
        pytest.param(
            [("t", "1", "A"), ("t", "1", "A")],
            [("t", "1", "A")],
            (1, 1, 1),
            (1, 1, 1),
            (1, 1, 1),
            id="said twice counts once",
        ),
        pytest.param(
            [("u", "1", "A")],
            [("t", "1", "A")],
            (0, 1, 1),
            (0, 1, 1),
            (0, 1, 1),
            id="of another trace",
        ),
        pytest.param(
            [("t", "1", ""), ("t", "", "A")],
            [("t", "1", "A")],
            (1, 1, 1),
            (1, 1, 1),
            (0, 0, 1),
            id="without a category, without a place",
        ),
        pytest.param([], [("t", "1", "A")], (0, 0, 1), (0, 0, 1), (0, 0, 1), id="nothing said"),
        pytest.param([("t", "1", "A")], [], (0, 1, 0), (0, 1, 0), (0, 1, 0), id="no label"),
    ],
)
def test_hits_are_counted_by_hand(
    said: list[tuple[str, str, str]],
    true: list[tuple[str, str, str]],
    location: tuple[int, int, int],
    category: tuple[int, int, int],
    joint: tuple[int, int, int],
) -> None:
    scored = score([Label(*one) for one in said], [Label(*one) for one in true])
    counts = [
        (one.hits, one.named, one.labelled)
        for one in (scored.location, scored.category, scored.joint)
    ]
    assert counts == [location, category, joint]


@pytest.mark.parametrize(
    ("hits", "named_", "labelled", "expected"),
    [
        pytest.param(2, 4, 5, (0.5, 0.4, 4 / 9), id="harmonic mean"),
        pytest.param(0, 0, 5, (None, 0.0, 0.0), id="nothing named: no precision"),
        pytest.param(0, 4, 0, (0.0, None, 0.0), id="nothing labelled: no recall"),
        pytest.param(0, 0, 0, (None, None, None), id="neither"),
    ],
)
def test_shares_of_hits(
    hits: int, named_: int, labelled: int, expected: tuple[float | None, ...]
) -> None:
    one = Hits(hits=hits, named=named_, labelled=labelled, precision_ci=None, recall_ci=None)
    assert (one.precision, one.recall, one.f1) == expected


def test_every_kind_has_a_meaning_in_both_sets_and_a_reason() -> None:
    meaning = categories()
    assert {stage: tuple(kinds) for stage, kinds in meaning.items()} == KINDS
    for kinds in meaning.values():
        for told in kinds.values():
            assert told.keys() == {*READERS, "reason"}
            assert told["trail"]
            assert told["reason"]


def test_a_finding_speaks_in_the_words_of_a_set() -> None:
    findings = [
        Placed("t", "1", "routing", "wrong_tool"),
        Placed("t", None, "retrieval", "missed_chunk"),
    ]
    assert list(named(findings, "agentrx")) == [
        Label("t", "1", "Intent Plan Misalignment"),
        Label("t", "", ""),
    ]


# TRAIL: a trace in which the first model call made a claim up and the second repeated it


def _span(span_id: str, kind: str, second: int, **attributes: Any) -> dict[str, Any]:
    return {
        "trace_id": TRACE,
        "span_id": span_id,
        "parent_span_id": None,
        "span_name": kind,
        "timestamp": f"2025-03-19T16:40:{second:02d}.000000Z",
        "duration": "PT1S",
        "span_attributes": {"openinference.span.kind": kind, **attributes},
        "child_spans": [],
    }


def _model(span_id: str, second: int, answer: str) -> dict[str, Any]:
    return _span(
        span_id,
        "LLM",
        second,
        **{
            "llm.input_messages.0.message.role": "user",
            "llm.input_messages.0.message.content": "How tall is the tower of Aldby?",
            "llm.output_messages.0.message.role": "assistant",
            "llm.output_messages.0.message.content": answer,
        },
    )


@pytest.fixture
def trail(tmp_path: Path) -> Path:
    folder = tmp_path / "trail_gaia"
    claim = "The tower of Aldby is 412 metres tall and was opened by Queen Ingrid in 1931."
    tool = _span(
        TOOL,
        "TOOL",
        2,
        **{
            "tool.name": "lookup",
            "input.value": '{"place": "Aldby"}',
            "output.value": "Aldby: a village with a mill.",
        },
    )
    root = _span(
        "cccccccccccccccc",
        "AGENT",
        0,
        **{"input.value": "How tall is the tower of Aldby?", "output.value": claim},
    )
    root["child_spans"] = [
        _model(FIRST, 1, f"Thought: I know this. {claim}"),
        tool,
        _model(LATER, 3, claim),
    ]
    root["duration"] = "PT9S"
    trace = {"trace_id": TRACE, "spans": [root]}
    labels = {
        "trace_id": TRACE,
        "errors": [
            {"category": "Language-only", "location": FIRST},
            {"category": "Goal Deviation", "location": LATER},
        ],
    }
    for name, told in (("traces", trace), ("labels", labels)):
        (folder / name).mkdir(parents=True)
        (folder / name / f"{TRACE}.json").write_text(json.dumps(told), "utf-8")
    return tmp_path


def test_labels_and_model_calls_are_read(trail: Path) -> None:
    given = read_trail(trail / "trail_gaia", trail)
    assert given.labels == {
        Label(TRACE, FIRST, "Language-only"),
        Label(TRACE, LATER, "Goal Deviation"),
    }
    assert given.calls == {TRACE: (FIRST, LATER)}


def test_the_floor_names_the_commonest_categories_everywhere(trail: Path) -> None:
    scored = floor(read_trail(trail / "trail_gaia", trail))
    assert (scored.joint.hits, scored.joint.named, scored.joint.labelled) == (2, 4, 2)
    assert (scored.location.precision, scored.category.recall) == (1, 1)


def test_a_claim_is_placed_where_it_was_first_written(
    trail: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--data", str(trail), "--json"]) == 0
    told = capsys.readouterr()
    measured = json.loads(told.out)
    assert "skipped, not there: " in told.err
    assert measured.keys() == {"trail"}
    found = measured["trail"]
    assert (found["traces"], found["turns"], found["findings"]) == (1, 1, 1)
    assert found["location"]["hits"] == 1
    assert found["location"]["recall"] == 0.5
    assert found["floor"]["joint"]["labelled"] == 2


def test_the_scores_are_printed_with_their_counts(
    trail: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--data", str(trail)]) == 0
    printed = capsys.readouterr().out
    assert "trail: 1 traces, 1 turns (0 not judged), 1 findings (0 without a span)" in printed
    assert "1.000 1/1" in printed
    assert "floor, top 3 joint" in printed


def test_a_model_can_judge_the_traces(
    trail: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with ScriptedServer() as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        command = ["--data", str(trail), "--judge", "anthropic", "--judge-model", PRICED, "--json"]
        assert main(command) == 0
        assert server.asked("/v1/messages")
    found = json.loads(capsys.readouterr().out)["trail"]
    assert (found["turns"], found["not_judged"]) == (1, 0)


def test_nothing_there_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--data", str(tmp_path)]) == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("skipped, not there: ") == len(READERS)


@pytest.mark.parametrize("name", sorted(READERS))
def test_a_set_of_another_form_ends_with_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    folder = tmp_path / READERS[name][0]
    (folder / "labels").mkdir(parents=True)
    (folder / "labels" / "a.json").write_text("[]", "utf-8")
    assert main(["--data", str(tmp_path)]) == 2
    assert "error: " in capsys.readouterr().err


# AgentRx: a trajectory in which a tool fails and the assistant reports a success


MESSAGES: list[dict[str, Any]] = [
    {"role": "system", "content": "You look after orders."},
    {"role": "user", "content": "Please cancel order W1."},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": "call_1",
                "type": "function",
                "function": {"name": "cancel_order", "arguments": '{"order_id": "W1"}'},
            }
        ],
    },
    {
        "role": "tool",
        "tool_call_id": "call_1",
        "name": "cancel_order",
        "content": "Error: order cannot be cancelled",
    },
    {"role": "assistant", "content": "Your order W1 has been cancelled."},
    {"role": "user", "content": "###STOP###"},
]


@pytest.fixture
def agentrx(tmp_path: Path) -> Path:
    folder = tmp_path / "agentrx_tau_retail"
    folder.mkdir()
    rows = [{"task_id": 7, "traj": MESSAGES}]
    failure = {"step_number": 5, "failure_category": "Misinterpretation of Tool Output"}
    unplaced = {"step_number": None, "failure_category": "Inconclusive"}
    truth = [{"trajectory_id": 7, "failures": [failure, unplaced]}]
    (folder / "tau_dataset_failed.json").write_text(json.dumps(rows), "utf-8")
    (folder / "tau_ground_truth.json").write_text(json.dumps(truth), "utf-8")
    return tmp_path


def test_a_step_is_a_message_counted_from_1() -> None:
    (scope,) = json.loads(otlp_line("c", MESSAGES))["resourceSpans"][0]["scopeSpans"]
    spans = {span["spanId"]: span["name"] for span in scope["spans"]}
    assert spans == {
        "0000000100000000": "invoke_agent",
        span_of(3): "chat",
        span_of(4): "execute_tool",
        span_of(5): "chat",
    }


def test_trajectories_become_labelled_traces(agentrx: Path) -> None:
    given = read_agentrx(agentrx / "agentrx_tau_retail", agentrx)
    assert given.labels == {
        Label("trajectory-7", span_of(5), "Misinterpretation of Tool Output"),
    }
    assert given.calls == {"trajectory-7": (span_of(3), span_of(5))}


def test_a_success_reported_after_a_failed_call_is_found_in_its_step(
    agentrx: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--data", str(agentrx), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["agentrx"]
    assert (found["turns"], found["not_judged"], found["unplaced"]) == (1, 0, 0)
    assert found["location"]["hits"] == found["location"]["labelled"] == 1


@pytest.mark.skipif(not GIVEN.is_dir(), reason="the labelled sets are not beside the repository")
@pytest.mark.parametrize(
    ("name", "traces", "labels"),
    [pytest.param("trail", 40, 155, id="TRAIL"), pytest.param("agentrx", 29, 39, id="AgentRx")],
)
def test_the_given_sets_are_read_whole(tmp_path: Path, name: str, traces: int, labels: int) -> None:
    folder, read = READERS[name]
    given = read(GIVEN / folder, tmp_path)
    assert (len(given.calls), len(given.labels)) == (traces, labels)
    assert not {one.trace for one in given.labels} - given.calls.keys()


def test_a_set_without_its_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not labelled trajectories"):
        read_agentrx(tmp_path, tmp_path)
