"""The judges' bench: any file of the shapes, any judge, undecided rows counted.

What it measures with is held against references in `tests/judge/local/test_bench_judges.py`.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from bench.agreement import Row, measure, sample_of
from bench.judges import main
from tests.judge.remote_runs import KEY, PRICED
from tests.server import ScriptedServer, Step
from tests.server.answers import made_up, text_of

RETURNS = "Shoes may be returned within 30 days."
SHIPPING = "Shipping costs five euros."
Serve = Callable[[Callable[[str], dict[str, Any] | None]], ScriptedServer]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Serve]:
    """Give a server whose replies are what a script says of the prompt; None: it refuses."""
    servers: list[ScriptedServer] = []

    def start(said: Callable[[str], dict[str, Any] | None]) -> ScriptedServer:
        def script(params: Mapping[str, Any], _: int) -> Step:
            fields = said(text_of(params))
            if fields is None:
                return Step(stop="refusal")
            return Step(reply=json.dumps({**json.loads(made_up(params)), **fields}))

        servers.append(ScriptedServer(script))
        monkeypatch.setenv("ANTHROPIC_BASE_URL", servers[-1].url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        return servers[-1]

    yield start
    for server in servers:
        server.close()


def rows(path: Path, *lines: Mapping[str, Any]) -> str:
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), "utf-8")
    return str(path)


def printed(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def ask_model(*options: str) -> int:
    return main([*options, "--judge", "anthropic", "--judge-model", PRICED, "--json"])


def chunk(text: str, relevant: int) -> dict[str, Any]:
    return {"question": "How long may I return shoes?", "chunk": text, "relevant": relevant}


def test_a_model_grades_chunks(
    serve: Serve, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def said(prompt: str) -> dict[str, Any] | None:
        if "Hats" in prompt:
            return None
        right = RETURNS in prompt
        return {"target": True, "intent": right, "usable": right, "grade": 3 if right else 0}

    server = serve(said)
    path = rows(
        tmp_path / "unseen.jsonl", chunk(RETURNS, 1), chunk(SHIPPING, 0), chunk("Hats never.", 0)
    )
    assert ask_model("--relevance", path, "--store", str(tmp_path / "kept")) == 0
    found = printed(capsys)["unseen"]
    assert (found["n"], found["undecided"]) == (3, 1)
    assert (found["auroc"], found["qwk"]) == (1, 1)
    assert len(found["auroc_ci"]) == 2
    asked = len(server.asked("/v1/messages"))
    assert asked == 3
    # what was paid is not paid again; a refusal is no verdict
    assert ask_model("--relevance", path, "--store", str(tmp_path / "kept")) == 0
    assert printed(capsys)["unseen"] == found
    assert len(server.asked("/v1/messages")) == asked + 1


def test_a_model_holds_claims_against_evidence(
    serve: Serve, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def said(prompt: str) -> dict[str, Any]:
        label = "partial" if "and hats" in prompt else "full" if "Answered" in prompt else "none"
        quote = None if label == "none" else RETURNS
        return {"label": label, "quote_paragraph": None, "quote_evidence": quote}

    serve(said)
    path = rows(
        tmp_path / "claims.jsonl",
        {"claim": f"Answered. {RETURNS}", "evidence": [RETURNS], "label": "supported"},
        {"claim": "Shoes and hats.", "evidence": [RETURNS], "label": "partially_supported"},
        {"claim": "Gloves.", "evidence": [RETURNS], "label": "not_supported"},
    )
    assert ask_model("--support", path) == 0
    found = printed(capsys)["claims"]
    assert (found["n"], found["auroc"], found["qwk"], found["undecided"]) == (3, 1, 1, 0)


def request(number: int, text: str, gold: list[dict[str, Any]]) -> dict[str, Any]:
    tools = [
        {"name": name, "description": f"Looks up {name}.", "parameters": {"type": "object"}}
        for name in ("weather", "trains")
    ]
    message = {"role": "user", "content": text}
    return {"id": f"r{number}", "messages": [[message]], "tools": tools, "gold": gold}


def test_a_model_names_the_tool_that_is_missing(
    serve: Serve, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def said(prompt: str) -> dict[str, Any]:
        tool = "trains" if "When does" in prompt else None
        missing = [{"reason": "r", "kind": "tool", "name": tool}] if tool else []
        return {"turns": [{**_turn(prompt), "missing": missing}]}

    def _turn(prompt: str) -> dict[str, Any]:
        return {
            "turn": 1,
            "reason": "r",
            "agent_ok": True,
            "fitting_agent": None,
            "collections": [],
            "calls": [],
            "missing_decided": "Sing" not in prompt,
            "refined_faithful": None,
            "lost_constraints": [],
        }

    serve(said)
    right = rows(tmp_path / "right.jsonl", request(1, "When does the train go?", [{"trains": {}}]))
    none = rows(
        tmp_path / "none.jsonl", request(2, "Tell me a joke.", []), request(3, "Sing to me.", [])
    )
    assert ask_model("--routing", none, right) == 0
    found = printed(capsys)
    assert found["right"]["accuracy"] == 1
    assert (found["none"]["n"], found["none"]["undecided"]) == (3, 1)
    assert (found["none"]["auroc"], found["none"]["qwk"]) == (1, 1)


def test_each_generator_is_measured_by_itself(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def answer(text: str, label: str, generator: str) -> dict[str, Any]:
        question = "How long may I return shoes?"
        return {
            "chunk": RETURNS,
            "question": question,
            "answer": text,
            "label": label,
            "generator": generator,
        }

    path = rows(
        tmp_path / "answers.jsonl",
        answer(RETURNS, "Fully attributable", "one"),
        answer("Hats are free on Sundays.", "Not fully attributable", "one"),
        answer(RETURNS, "Fully attributable", "other"),
    )
    assert main(["--support", path, "--json"]) == 0
    found = printed(capsys)["answers"]
    assert (found["n"], found["auroc"]) == (3, 1)
    assert {name: one["n"] for name, one in found["generators"].items()} == {"one": 2, "other": 1}
    # one class only: undefined, and no number that JSON has no word for
    assert found["generators"]["other"]["auroc"] is None
    assert found["generators"]["other"]["auroc_ci"] == [None, None]
    assert main(["--support", path]) == 0
    assert "| answers: other | 1 | n/a | n/a | n/a |" in capsys.readouterr().out


@pytest.mark.parametrize("kind", ["relevance", "support", "routing"])
def test_a_row_of_another_shape_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str
) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_text('\n{"id": 1}\n', "utf-8")
    assert main([f"--{kind}", str(path)]) == 2
    assert f"rows.jsonl:2: no row of {kind}. It has " in capsys.readouterr().err


def test_a_model_must_be_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = rows(tmp_path / "r.jsonl", chunk(RETURNS, 1))
    assert main(["--relevance", path, "--judge", "anthropic"]) == 2
    assert capsys.readouterr().err.startswith("error: --judge anthropic: no model")


def test_a_file_without_rows_measures_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--relevance", rows(tmp_path / "empty.jsonl"), "--json"]) == 0
    found = printed(capsys)["empty"]
    assert (found["n"], found["auroc"], found["bacc"]) == (0, None, None)


def test_undecided_rows_are_in_no_value() -> None:
    decided = [
        Row(positive=True, score=3.0, labels=(1, 1)),
        Row(positive=False, score=0.0, labels=(0, 0)),
    ]
    open_ = Row(positive=True, score=None, labels=(1, None))
    found, without = measure(sample_of([*decided, open_])), measure(sample_of(decided))
    assert (found["n"], found["undecided"]) == (3, 1)
    assert (without["n"], without["undecided"]) == (2, 0)
    for name in ("auroc", "bacc", "qwk"):
        assert found[name] == without[name]
