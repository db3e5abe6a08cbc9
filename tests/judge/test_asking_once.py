import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ingest.errors import JudgeError
from judge.answers import Relevance, Unjudged, UnjudgedReason
from judge.asker import BATCH
from judge.asking import probe_questions, relevance_questions
from judge.asking_once import WINDOW, Counts, ask, count_missing
from judge.ledger import Ledger
from judge.question import JudgeIdentity, Question, QuestionKind, Reply
from tests.builders import chunk, turn
from tests.judge.stores import stored_rows

ROOT = Path(__file__).parents[2]


def good(grade: int = 3) -> str:
    fields = {"reason": "r", "target": True, "intent": True, "usable": True, "grade": grade}
    return json.dumps(fields)


@dataclass
class ScriptedJudge:
    """Answers with what the script says of a chunk's text, and remembers the batches."""

    script: Callable[[str], Reply] = lambda _: Reply(text=good(), model="m", input_tokens=7)
    name: str = "scripted"
    batches: list[list[Question]] = field(default_factory=list)

    @property
    def identity(self) -> JudgeIdentity:
        return JudgeIdentity(provider="test", model=self.name)

    def prompt_version(self, kind: QuestionKind) -> str:
        return f"{kind}/1"

    def answer(self, questions: Sequence[Question]) -> Iterator[Reply]:
        self.batches.append(list(questions))
        for question in questions:
            yield self.script(text_of(question))

    @property
    def asked(self) -> list[str]:
        return [text_of(question) for batch in self.batches for question in batch]


def text_of(question: Question) -> str:
    shown = question.content["chunk"]
    assert isinstance(shown, dict)
    return str(shown["text"])


def about(*texts: str, turn_number: int = 1) -> list[Question]:
    """Ask how relevant chunks with these texts are to one and the same need."""
    asked = turn(number=turn_number, chunks=[chunk(f"c{n}", t, n + 1) for n, t in enumerate(texts)])
    return list(relevance_questions(asked))


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    with Ledger(tmp_path / "verdicts.sqlite") as opened:
        yield opened


def test_a_question_is_asked_once(ledger: Ledger) -> None:
    judge, counts = ScriptedJudge(), Counts()
    questions = [*about("a", "b"), *about("a", turn_number=2)]
    verdicts = list(ask(questions, judge, ledger, counts=counts))
    assert judge.asked == ["a", "b"]
    assert [verdict.question for verdict in verdicts] == questions
    assert [verdict.from_store for verdict in verdicts] == [False, False, True]
    assert verdicts[0].key == verdicts[2].key != verdicts[1].key
    assert (counts.asked, counts.from_store, counts.input_tokens) == (2, 1, 14)


def test_a_second_run_asks_nothing(ledger: Ledger) -> None:
    judge, counts = ScriptedJudge(), Counts()
    first = list(ask(about("a", "b"), judge, ledger))
    second = list(ask(about("a", "b"), judge, ledger, counts=counts))
    assert judge.asked == ["a", "b"]
    assert [one.answer for one in first] == [one.answer for one in second]
    assert [one.input_tokens for one in second] == [7, 7]
    assert counts == Counts(from_store=2, by_kind=counts.by_kind)
    assert counts.by_kind == {"relevance": 2}


def test_another_judge_is_asked_again(ledger: Ledger) -> None:
    judges = [ScriptedJudge(name=name) for name in ("first", "second", "first")]
    verdicts = [verdict for judge in judges for verdict in ask(about("a"), judge, ledger)]
    assert [judge.asked for judge in judges] == [["a"], ["a"], []]
    assert [verdict.judge for verdict in verdicts] == ["test/first", "test/second", "test/first"]


def test_a_verdict_tells_where_it_comes_from(ledger: Ledger) -> None:
    script = ScriptedJudge(
        lambda _: Reply(text=good(2), model="m-7", output_tokens=3, cost_usd=0.5)
    )
    (verdict,) = ask(about("a"), script, ledger)
    assert verdict.decided == Relevance(reason="r", target=True, intent=True, usable=True, grade=2)
    assert (verdict.judge, verdict.model) == ("test/scripted", "m-7")
    assert verdict.prompt_version == "relevance/1"
    assert (verdict.input_tokens, verdict.output_tokens, verdict.cost_usd) == (0, 3, 0.5)


def test_a_probe_shares_the_reply_of_a_relevance_question(ledger: Ledger) -> None:
    judge, counts = ScriptedJudge(), Counts()
    need = "How long may I return shoes?"
    probes = probe_questions(turn(), 0, need, [chunk("x", "a")])
    questions = [*about("a"), *probes]
    verdicts = list(ask(questions, judge, ledger, counts=counts))
    assert judge.asked == ["a"]
    assert verdicts[1].from_store
    assert counts.by_kind == {"relevance": 1, "probe": 1}


def test_nothing_is_asked_without_a_question(ledger: Ledger) -> None:
    judge = ScriptedJudge()
    assert list(ask([], judge, ledger)) == []
    assert judge.batches == []


def test_questions_come_in_batches_and_verdicts_in_order(ledger: Ledger) -> None:
    judge, seen = ScriptedJudge(), Counts()
    told: list[int] = []
    texts = [f"text {number}" for number in range(WINDOW + 3)]
    verdicts = ask(
        about(*texts), judge, ledger, counts=seen, progress=lambda counts: told.append(counts.total)
    )
    assert [text_of(verdict.question) for verdict in verdicts] == texts
    assert [len(batch) for batch in judge.batches] == [BATCH] * (WINDOW // BATCH) + [3]
    assert told == [WINDOW, WINDOW + 3]


def test_a_repeat_in_a_later_window_is_not_asked_again(ledger: Ledger) -> None:
    texts = [f"text {number}" for number in range(WINDOW)]
    judge = ScriptedJudge(
        lambda text: (
            Reply(text="", model="m", error="api_error")
            if text == "text 0"
            else Reply(text=good(), model="m")
        )
    )
    questions = [*about(*texts), *about("text 0", "text 1", turn_number=2)]
    *_, failed, repeated = ask(questions, judge, ledger)
    assert len(judge.asked) == WINDOW
    assert failed.answer == Unjudged(reason="api_error")
    assert repeated.from_store


def test_what_failed_is_not_asked_again_by_the_next_turns_of_the_run(ledger: Ledger) -> None:
    judge, run = ScriptedJudge(lambda _: Reply(text="no JSON", model="m")), Counts()
    (first,) = ask(about("a"), judge, ledger, counts=run)
    (second,) = ask(about("a"), judge, ledger, counts=run)
    assert (judge.asked, run.asked, run.from_store) == (["a"], 1, 1)
    assert first.answer == second.answer
    assert run.unjudged == {"invalid_json": 2}
    assert second.from_store
    list(ask(about("a"), judge, ledger, counts=Counts()))
    assert judge.asked == ["a", "a"]


def test_what_another_run_had_answered_meanwhile_is_found(ledger: Ledger) -> None:
    run, replies = Counts(), iter(["no JSON", good()])
    judge = ScriptedJudge(lambda _: Reply(text=next(replies), model="m"))
    list(ask(about("a"), judge, ledger, counts=run))
    list(ask(about("a"), judge, ledger, counts=Counts()))
    (verdict,) = ask(about("a"), judge, ledger, counts=run)
    assert verdict.decided is not None
    assert len(judge.asked) == 2


# What is stored, and what is reused


@pytest.mark.parametrize(
    ("reply", "expected", "asked_again"),
    [
        pytest.param(Reply(text=good(), model="m"), None, False, id="answered"),
        pytest.param(
            Reply(text="{}", model="m", error="uncertain"), "uncertain", False, id="cannot decide"
        ),
        pytest.param(
            Reply(text="{}", model="m", error="no_catalogue"),
            "no_catalogue",
            False,
            id="nothing to decide by",
        ),
        pytest.param(
            Reply(text="", model="m", error="api_error"), "api_error", True, id="no reply"
        ),
        pytest.param(
            Reply(text=good(), model="m", error="truncated"),
            "truncated",
            True,
            id="a cut reply is not read, however whole it looks",
        ),
        pytest.param(Reply(text="hm", model="m"), "invalid_json", True, id="no JSON"),
        pytest.param(Reply(text=good(9), model="m"), "out_of_range", True, id="out of range"),
        pytest.param(
            Reply(text="", model="m", error="over_budget"), "over_budget", True, id="over budget"
        ),
    ],
)
def test_failures_are_asked_again_in_the_next_run_only(
    ledger: Ledger, reply: Reply, expected: UnjudgedReason | None, *, asked_again: bool
) -> None:
    judge, counts = ScriptedJudge(lambda _: reply), Counts()
    first, repeated = ask([*about("a"), *about("a", turn_number=2)], judge, ledger, counts=counts)
    assert first.answer == repeated.answer
    assert (first.answer.reason if isinstance(first.answer, Unjudged) else None) == expected
    assert judge.asked == ["a"]
    assert counts.unjudged == ({} if expected is None else {expected: 2})
    list(ask(about("a"), judge, ledger))
    assert len(judge.asked) == (2 if asked_again else 1)


def test_a_later_good_reply_takes_the_place_of_a_broken_one(tmp_path: Path, ledger: Ledger) -> None:
    replies = iter(["hm", good(1), good(2)])
    judge = ScriptedJudge(lambda _: Reply(text=next(replies), model="m"))
    grades = []
    for _ in range(3):
        (verdict,) = ask(about("a"), judge, ledger)
        grades.append(verdict.decided.grade if isinstance(verdict.decided, Relevance) else None)
    assert grades == [None, 1, 1]
    rows = stored_rows(tmp_path / "verdicts.sqlite", "text, error")
    assert rows == [("hm", None), (good(1), None)]


def test_costs_are_those_of_new_replies(ledger: Ledger) -> None:
    prices = {"a": 0.25, "b": None, "c": 0.5, "d": None}
    judge = ScriptedJudge(
        lambda text: Reply(text=good(), model="m", cost_usd=prices[text], output_tokens=2)
    )
    list(ask(about("a"), judge, ledger))
    counts = Counts()
    list(ask(about("a", "b", "c", "c", "d"), judge, ledger, counts=counts))
    assert (counts.cost_usd, counts.unpriced, counts.output_tokens) == (0.5, 2, 6)


def test_technical_failures_are_counted_apart(ledger: Ledger) -> None:
    errors: dict[str, UnjudgedReason] = {"a": "uncertain", "b": "api_error", "c": "refused"}
    judge = ScriptedJudge(lambda text: Reply(text="", model="m", error=errors[text]))
    counts = Counts()
    list(ask(about("a", "b", "c"), judge, ledger, counts=counts))
    assert (counts.total, counts.technical) == (3, 2)


def test_replies_before_a_failure_of_the_judge_are_stored(ledger: Ledger) -> None:
    def script(text: str) -> Reply:
        if text == "c":
            raise JudgeError("judge", "the key was refused")
        return Reply(text=good(), model="m")

    with pytest.raises(JudgeError):
        list(ask(about("a", "b", "c", "d"), ScriptedJudge(script), ledger))
    judge = ScriptedJudge()
    list(ask(about("a", "b", "c", "d"), judge, ledger))
    assert judge.asked == ["c", "d"]


def test_a_judge_that_leaves_out_a_reply_is_a_fault_of_ours(ledger: Ledger) -> None:
    class Forgetful(ScriptedJudge):
        def answer(self, questions: Sequence[Question]) -> Iterator[Reply]:
            yield from list(super().answer(questions))[1:]

    with pytest.raises(ValueError, match="zip"):
        list(ask(about("a", "b"), Forgetful(), ledger))


def test_what_would_be_asked_is_counted_without_asking(ledger: Ledger) -> None:
    judge = ScriptedJudge()
    list(ask(about("a"), judge, ledger))
    counts = count_missing(about("a", "b", "b", "c", "d"), judge, ledger)
    assert (counts.asked, counts.from_store, counts.total) == (3, 2, 5)
    assert judge.asked == ["a"]


KILLED = """
import os, sys
from pathlib import Path
from judge.asking_once import ask
from judge.ledger import Ledger
from tests.judge.test_asking_once import ScriptedJudge, about, good
from judge.question import Reply

bill = Path(sys.argv[2])
def script(text):
    with bill.open("a") as file:
        file.write(text + "\\n")
    return Reply(text=good(), model="m")

with Ledger(Path(sys.argv[1])) as ledger:
    for done, verdict in enumerate(ask(about(*map(str, range(3_000))), ScriptedJudge(script), ledger)):
        if done == int(sys.argv[3]):
            os.kill(os.getpid(), 9)
"""


def test_a_run_that_was_killed_goes_on_where_it_stopped(tmp_path: Path) -> None:
    store, bill = tmp_path / "verdicts.sqlite", tmp_path / "bill"
    for at in (10, WINDOW + 10, 10**6):
        arguments = [sys.executable, "-c", KILLED, str(store), str(bill), str(at)]
        subprocess.run(arguments, cwd=ROOT, check=False)
    paid = bill.read_text().split()
    assert len(paid) == len(set(paid)) == 3_000
