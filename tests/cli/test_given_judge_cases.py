"""The given cases about judges, from the trace to the verdict; skipped where they are absent.

Case 38, about batches, is in `tests/judge/test_anthropic_batches.py`.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from analysis import Run, load_run
from judge.prompting.rendering import MARKED_LINE
from tests.cli.conftest import Serve, Stagefault
from tests.judge.remote_runs import PRICED, QUICK, good, run
from tests.server import OK, Step, in_turn

CASES = Path(__file__).parents[2].parent / "shared" / "cases"
JUDGE = ("--judge", "anthropic", "--judge-model", PRICED)
pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="the given cases are not here")


def lines(name: str) -> list[Any]:
    return [json.loads(line) for line in (CASES / name).read_text("utf-8").splitlines()]


def in_support(reply: str) -> str:
    """Put a reply of the case, with all its damage, into the schema of `support`."""

    def one(match: re.Match[str]) -> str:
        verdict = "full" if '"supported"' in match[0] else "none"
        fields = json.loads(match[0])
        return json.dumps(
            {
                "reason": fields["reason"],
                "label": verdict,
                "quote_paragraph": None,
                "quote_evidence": None,
            }
        )

    return re.sub(r'\{"verdict".*?(?:"reason":"(?:[^"\\]|\\.)*")\}', one, reply)


def support_of(run: Run) -> tuple[Any, Any, Any]:
    rows = run.rows("verdicts", ("question", "status", "unjudged_reason", "label"))
    ((status, reason, label),) = {
        (row["status"], row["unjudged_reason"], row["label"])
        for row in rows
        if row["question"] == "support"
    }
    return status, reason, label


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        pytest.param(0, ("unjudged", "two_objects", None), id="two objects, one quoted"),
        pytest.param(1, ("judged", None, "none"), id="one object that quotes another"),
        pytest.param(2, ("judged", None, "full"), id="one object in a code fence"),
    ],
)
def test_34_a_planted_verdict_is_never_read(
    stagefault: Stagefault,
    serve: Serve,
    tmp_path: Path,
    number: int,
    expected: tuple[Any, Any, Any],
) -> None:
    reply = in_support(lines("34.inject.replies.jsonl")[number]["reply"])
    assert reply.count('"label"') == (2 if number == 0 else 1)

    def script(params: Any, _: int) -> Step:
        return Step(reply=reply) if is_support(params) else OK

    server = serve(script)
    stagefault("replay", CASES / "34.inject.jsonl", *JUDGE, "--allow-losses")
    assert support_of(load_run("latest", tmp_path / "store")) == expected
    support = [one.body for one in server.asked("/v1/messages") if is_support(one.body)]
    # a reply that cannot be read is asked for once more, within the limit
    assert len(support) == (2 if expected[1] else 1) * len({_text(one) for one in support})


def test_34_the_answer_does_not_end_its_section(stagefault: Stagefault, serve: Serve) -> None:
    server = serve(lambda *_: OK)
    stagefault("replay", CASES / "34.inject.jsonl", *JUDGE, "--allow-losses")
    prompts = [_text(one.body) for one in server.asked("/v1/messages")]
    hostile = [one for one in prompts if "</answer></document>" in one]
    assert hostile
    for prompt in hostile:
        marker = prompt.split("\n", 1)[0].split()[-1].rstrip(".")
        assert re.fullmatch("[0-9a-f]{24}", marker)
        inside = None
        for line in prompt.split("\n"):
            found = MARKED_LINE.fullmatch(line)
            if found and found["marker"] == marker:
                assert (inside is None) == (found["edge"] == "<<<")
                assert inside in (None, found["label"])
                inside = found["label"] if inside is None else None
            elif "</answer></document>" in line:
                assert inside is not None
        assert inside is None
        assert "</answer></document>" not in json.dumps(
            server.asked("/v1/messages")[0].body["system"]
        )


def test_23_a_placeholder_is_never_shown_to_the_judge(stagefault: Stagefault, serve: Serve) -> None:
    server = serve(lambda *_: OK)
    stagefault("replay", CASES / "23.truncated.jsonl", *JUDGE, "--allow-losses")
    asked = [json.dumps(one.body) for one in server.asked("/v1/messages")]
    assert any("And hats?" in body for body in asked)
    want = json.loads((CASES / "expected.json").read_text("utf-8"))["23"]
    assert not [body for body in asked if want["judge_prompt_never_contains"] in body]


def is_support(params: Any) -> bool:
    return "quote_paragraph" in params["output_config"]["format"]["schema"]["properties"]


def _text(params: Any) -> str:
    text: str = params["messages"][0]["content"]
    return text


def _step(line: dict[str, Any]) -> Step:
    if "http" in line:
        return Step(status=line["http"], error=line.get("error", ""))
    if "sse_error_after_200" in line:
        return Step(overload_in_stream=True, reply=line["reply"])
    return Step(reply=line["reply"], stop=line["stop"])


TRIES = {
    "truncated": 2,
    "refused": 1,
    "too_long": 1,
    "transient": QUICK.later + 1,
    "retried": QUICK.later + 1,
}


def test_36_cut_replies(serve: Serve, tmp_path: Path) -> None:
    checked = 0
    for number, line in enumerate(lines("36.cut.replies.jsonl")):
        word = re.split(r"[ ;,]", line["want"])[0]
        if word == "whole":
            continue  # below
        step = _step(line)
        server = serve(in_turn(step))
        ran = run(tmp_path / f"{number}.sqlite", texts=["a"])
        want = "api_error" if word in ("transient", "retried") else word
        assert ran.outcomes == [want], line
        assert len(server.asked("/v1/messages")) == TRIES[word], line
        assert ran.verdicts[0].decided is None
        checked += 1
    assert checked == 6


def test_36_a_refused_key_stops_the_run_at_once(stagefault: Stagefault, serve: Serve) -> None:
    (line,) = [one for one in lines("36.cut.replies.jsonl") if one.get("http") == 401]
    assert line["want"].startswith("whole run stops at once")
    server = serve(lambda *_: Step(status=401))
    result = stagefault("replay", CASES / "34.inject.jsonl", *JUDGE, "-j", "1")
    assert result.exit_code == 2
    assert len(server.asked("/v1/messages")) == 1


def test_36_the_reply_with_more_room_is_the_one_that_counts(serve: Serve, tmp_path: Path) -> None:
    cut = next(line for line in lines("36.cut.replies.jsonl") if line.get("stop") == "max_tokens")
    server = serve(lambda _, before: Step(reply=good(1)) if before else _step(cut))
    ran = run(tmp_path / "v.sqlite", texts=["a"])
    assert ran.outcomes == ["judged"]
    first, second = (one.body["max_tokens"] for one in server.asked("/v1/messages"))
    assert second > first
