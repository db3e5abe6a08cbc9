"""Several runs on one store at once: each question is paid for once, by whichever comes first."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.judge.kill_loop import Zygote
from tests.judge.remote_runs import KEY, billed_tokens, kept_tokens, run, states
from tests.server import OK, BatchScript, ScriptedServer, Step

QUESTIONS = 20


@pytest.fixture(scope="module")
def zygote() -> Iterator[Zygote]:
    made = Zygote()
    yield made
    made.close()


def together(
    zygote: Zygote, store: Path, server: ScriptedServer, runs: int, **job: Any
) -> list[list[str]]:
    texts = [f"text {number}" for number in range(QUESTIONS)]
    full = {"store": str(store), "texts": texts, "batch": False, "jobs": 3, "url": server.url}
    return zygote.run({**full, **job}, runs=runs)


@pytest.mark.parametrize("repeat", range(3))
@pytest.mark.parametrize(
    ("runs", "batch"),
    [
        pytest.param(2, False, id="two directly"),
        pytest.param(4, False, id="four directly"),
        pytest.param(2, True, id="two in batches"),
        pytest.param(3, True, id="three in batches"),
    ],
)
def test_each_question_is_paid_for_once(
    zygote: Zygote, tmp_path: Path, runs: int, repeat: int, *, batch: bool
) -> None:
    store = tmp_path / "v.sqlite"
    with ScriptedServer(
        lambda *_: Step(delay_s=0.01), batches=BatchScript(polls=2), caches=False
    ) as server:
        said = together(zygote, store, server, runs, batch=batch)
        assert server.bill.repeats == {}
        assert len(server.bill.charges) == QUESTIONS
        assert kept_tokens(store) == billed_tokens(server)
    assert [words for words in said if words[0] == "failed"] == []
    judged = [words for words in said if words[0] == "judged"]
    assert [int(words[1]) for words in judged] == [QUESTIONS] * runs
    assert sum(int(words[2]) for words in judged) == QUESTIONS
    assert [words for words in said if words[0] == "ended"] == [["ended", "0"]] * runs
    assert set(states(store)) <= {"settled", "void"}
    assert not list(store.parent.glob("*.run-*"))


def test_a_run_that_only_reads_does_not_wait(
    tmp_path: Path, zygote: Zygote, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "v.sqlite"
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    with ScriptedServer(lambda *_: OK) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        run(store, texts=["text 1"])
        seen: list[int] = []

        def watch(_: Any) -> None:
            # in the middle of another run
            seen.append(run(store, texts=["text 1"]).counts.from_store)

        run(store, texts=["text 2", "text 3"], watch=watch)
    assert seen == [1, 1]
