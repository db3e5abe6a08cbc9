"""Every judgement of a run arrives, is told as rejected, or waits for the next export."""

import random
from contextlib import closing
from pathlib import Path

import pytest

from analysis.exporting.sending import Bounds, send
from analysis.exporting.sent import SentRecord
from ingest.errors import DeliveryError, StoreError, UsageError
from tests.analysis.exporting.runs import accounted, receiving, run_of, sent_to
from tests.receiver import (
    ACCEPT,
    ScriptedReceiver,
    Step,
    json_partial,
    partial,
    reset_after,
    reset_before,
    status,
    too_large_above,
)


def test_six_requests_that_go_wrong_in_six_ways(tmp_path: Path) -> None:
    run = run_of(tmp_path, 24)
    script = [
        partial(3, "quota"),
        partial(0, "cut"),
        status(429, retry_after="1"),
        ACCEPT,
        status(503),
        ACCEPT,
        reset_after(),
        ACCEPT,
        too_large_above(1),
    ]
    with ScriptedReceiver(script) as server:
        done = sent_to(server, run)
        assert (done.items, done.sent, done.rejected) == (24, 21, {"partial success: quota": 3})
        assert (done.warnings, done.error, done.sent_again) == ({"cut": 1}, None, 4)
        assert done.requests == 12
        assert len(server.kept) == 21
        assert [number for number in server.kept.values() if number > 1] == [2] * 4
        assert server.posts[6].ids == server.posts[7].ids  # reset, and again
        assert [len(post.ids) for post in server.posts] == [4] * 9 + [2, 1, 1, 2, 1, 1]
        assert accounted(done) == 24

        posts = len(server.posts)
        again = sent_to(server, run)
        assert len(server.posts) == posts
        assert (again.sent, again.already_sent, again.rejected) == (0, 21, {})
        assert again.rejected_before == {"partial success: quota": 3}
        assert accounted(again) == 24


def test_what_was_rejected_is_sent_again_when_asked_for(tmp_path: Path) -> None:
    run = run_of(tmp_path, 12)
    with ScriptedReceiver([partial(1, "quota"), status(400, "no"), ACCEPT]) as server:
        first = sent_to(server, run)
        assert first.rejected == {"partial success: quota": 1, "400 Bad Request: no": 4}
        assert (first.sent, len(server.kept)) == (7, 7)
        second = sent_to(server, run, rejected_too=True)
        assert (second.sent, second.already_sent, second.sent_again) == (8, 4, 4)
        assert (second.rejected, second.rejected_before) == ({}, {})
        assert len(server.kept) == 12
        third = sent_to(server, run)
        assert (third.already_sent, third.rejected_before, third.requests) == (12, {}, 0)


def test_what_was_rejected_stays_so_where_it_did_not_arrive_again(tmp_path: Path) -> None:
    run = run_of(tmp_path, 4)
    with ScriptedReceiver([status(400, "no"), status(401)]) as server:
        sent_to(server, run)
        assert sent_to(server, run, rejected_too=True).not_sent == 4
        done = sent_to(server, run)
        assert (done.rejected_before, done.requests) == ({"400 Bad Request: no": 4}, 0)
        assert sent_to(server, run, rejected_too=True).sent == len(server.kept) == 4


@pytest.mark.parametrize(
    ("step", "error", "in_doubt"),
    [
        pytest.param(status(401, "bad token"), UsageError, 0, id="401"),
        pytest.param(status(403), UsageError, 0, id="403"),
        pytest.param(status(301, location="http://127.0.0.1:9/"), UsageError, 0, id="301"),
        pytest.param(Step(headers={"content-type": "text/html"}, body=b"<html>", keeps=0),
                     UsageError, 0, id="a login page"),
        pytest.param(status(429, retry_after="3600"), DeliveryError, 0, id="in an hour"),
        pytest.param(status(504), DeliveryError, 4, id="gateway"),
        pytest.param(reset_after(), DeliveryError, 4, id="reset"),
    ],
)  # fmt: skip
def test_what_ends_an_export_leaves_the_rest_for_the_next(
    tmp_path: Path, step: Step, error: type[Exception], in_doubt: int
) -> None:
    run = run_of(tmp_path, 12)
    with ScriptedReceiver([ACCEPT, *[step] * 4]) as server:
        done = sent_to(server, run)
        assert isinstance(done.error, error)
        assert (done.sent, done.not_sent, done.rejected) == (4, 8, {})
        assert len(server.posts) <= 5
        server.then()
        again = sent_to(server, run)
        assert (again.sent, again.already_sent, again.error) == (8, 4, None)
        assert again.sent_again == in_doubt
        assert len(server.kept) == accounted(again) == 12


def test_an_export_that_is_killed_goes_on(tmp_path: Path) -> None:
    run = run_of(tmp_path, 12)

    def killed(_: float) -> None:
        raise KeyboardInterrupt

    with ScriptedReceiver([ACCEPT, reset_after()]) as server:
        with (
            receiving(server.url, sleep=killed) as receiver,
            closing(SentRecord(run.folder, server.url)) as record,
            pytest.raises(KeyboardInterrupt),
        ):
            send(run, record, receiver, bounds=Bounds(items=4))
        done = sent_to(server, run)
        assert (done.sent, done.already_sent, done.sent_again) == (8, 4, 4)
        assert server.posts[1].ids == server.posts[2].ids
        assert len(server.kept) == 12


def test_the_other_half_is_not_sent_after_the_end(tmp_path: Path) -> None:
    run = run_of(tmp_path, 5)
    with ScriptedReceiver([status(413), status(401)]) as server:
        done = sent_to(server, run)
        assert (done.not_sent, len(server.posts), accounted(done)) == (5, 2, 5)
        assert sent_to(server, run).sent == 5


def test_what_was_refused_in_the_end_was_not_sent_twice(tmp_path: Path) -> None:
    run = run_of(tmp_path, 4)
    with ScriptedReceiver([reset_before(), status(400)]) as server:
        done = sent_to(server, run)
        assert (done.sent, done.sent_again, done.rejected) == (0, 0, {"400 Bad Request": 4})


def test_one_record_that_is_too_large_is_rejected_alone(tmp_path: Path) -> None:
    run = run_of(tmp_path, 4)
    with ScriptedReceiver([too_large_above(0)]) as server:
        done = sent_to(server, run)
        assert done.rejected == {"413 Request Entity Too Large": 4}
        assert done.error is None
        assert [len(post.ids) for post in server.posts] == [4, 2, 1, 1, 2, 1, 1]
        assert sent_to(server, run).requests == 0


def test_requests_stay_smaller_after_one_was_too_large(tmp_path: Path) -> None:
    run = run_of(tmp_path, 24)
    with ScriptedReceiver([too_large_above(5)]) as server:
        done = sent_to(server, run, items=8)
        assert [len(post.ids) for post in server.posts] == [8, 4, 4, 4, 4, 4, 4]
        assert (done.sent, len(server.kept)) == (24, 24)


def test_a_request_is_bounded_in_bytes_too(tmp_path: Path) -> None:
    run = run_of(tmp_path, 40)
    with (
        ScriptedReceiver() as server,
        receiving(server.url) as receiver,
        closing(SentRecord(run.folder, server.url)) as record,
    ):
        done = send(run, record, receiver, bounds=Bounds(size_bytes=4_000))
        assert done.sent == len(server.kept) == 40
        assert max(post.body_bytes for post in server.posts) <= 4_000 + 200
        assert len(server.posts) > 4
        assert all(post.packed_bytes < post.body_bytes / 2 for post in server.posts)


def test_a_record_over_the_bound_is_a_request_of_its_own(tmp_path: Path) -> None:
    run = run_of(tmp_path, 3)
    with (
        ScriptedReceiver() as server,
        receiving(server.url) as receiver,
        closing(SentRecord(run.folder, server.url)) as record,
    ):
        done = send(run, record, receiver, bounds=Bounds(size_bytes=1))
        assert (done.sent, [len(post.ids) for post in server.posts]) == (3, [1, 1, 1])


@pytest.mark.parametrize(
    ("step", "rejected", "warned"),
    [
        pytest.param(
            partial(9, "all", keeps=0), {"partial success: all": 4}, 0, id="more than all"
        ),
        pytest.param(partial(-9, ""), {}, 0, id="less than none"),
        pytest.param(partial(2, ""), {"partial success": 2}, 0, id="without a word"),
        pytest.param(json_partial("2", "q", 2), {"partial success: q": 2}, 0, id="JSON, as text"),
        pytest.param(json_partial(2, "q", 2), {"partial success: q": 2}, 0, id="JSON, as number"),
        pytest.param(json_partial("two", "q", 4), {}, 1, id="JSON, as a word"),
        pytest.param(Step(body=b"ok", headers={"content-type": "text/plain"}), {}, 1, id="ok"),
        pytest.param(Step(status=202), {}, 0, id="202"),
        pytest.param(status(400), {"400 Bad Request": 4}, 0, id="400 without a word"),
        pytest.param(status(404), {"404 Not Found": 4}, 0, id="404"),
        pytest.param(status(500), {"500 Internal Server Error": 4}, 0, id="500"),
    ],
)
def test_answers(tmp_path: Path, step: Step, rejected: dict[str, int], warned: int) -> None:
    run = run_of(tmp_path, 4)
    with ScriptedReceiver([step]) as server:
        done = sent_to(server, run)
        assert (done.rejected, len(done.warnings)) == (rejected, warned)
        assert done.sent == len(server.kept) == 4 - sum(rejected.values())
        assert (len(server.posts), done.error) == (1, None)


def test_a_receiver_of_many_reasons_fills_no_memory(tmp_path: Path) -> None:
    run = run_of(tmp_path, 30)
    with ScriptedReceiver([status(400, f"no {n}") for n in range(30)]) as server:
        done = sent_to(server, run, items=1)
        assert (len(done.rejected), done.rejected["other reasons"]) == (21, 10)
        assert accounted(done) == 30


def test_what_has_no_span_is_counted_and_not_sent(tmp_path: Path) -> None:
    run = run_of(tmp_path, 5, without_span=2)
    with ScriptedReceiver() as server:
        steps: list[tuple[str, int, int | None]] = []
        done = sent_to(server, run, notify=lambda *step: steps.append(step))
        assert (done.items, done.sent, done.left_out) == (5, 3, {"no_span": 2})
        assert (steps[0], steps[-1]) == (("sending", 2, 5), ("sending", 5, 5))
        assert len(server.kept) == 3


def test_progress_counts_what_a_receiver_answered(tmp_path: Path) -> None:
    run = run_of(tmp_path, 8)
    script = [partial(1, "quota"), status(400), *[reset_before()] * 4]
    with ScriptedReceiver(script) as server:
        steps: list[int] = []
        done = sent_to(server, run, items=3, notify=lambda _step, number, _of: steps.append(number))
        assert (done.sent, done.rejected.total(), done.not_sent) == (2, 4, 2)
        assert (sorted(set(steps)), steps[-1]) == ([0, 3, 6], 6)
        steps.clear()
        sent_to(server, run, notify=lambda _step, number, _of: steps.append(number))
        assert (steps[0], steps[-1]) == (1, 8)
        assert steps == sorted(steps)


def test_a_verdict_that_stands_twice_in_a_run_is_sent_once(tmp_path: Path) -> None:
    row = {"key": "k", "conversation_id": "c", "turn_id": "c/1", "question": "answer",
           "subject": "answer", "status": "judged", "label": "full", "judge": "local/l"}  # fmt: skip
    run = run_of(tmp_path, 1, verdicts=[row, {**row, "key": "k2"}, row])
    for items in (1, 9):
        with ScriptedReceiver() as server:
            done = sent_to(server, run, items=items)
            assert (done.items, done.sent, done.left_out) == (4, 3, {"repeated": 1})
            assert set(server.kept.values()) == {1}


def test_every_receiver_has_a_record_of_its_own(tmp_path: Path) -> None:
    run = run_of(tmp_path, 4)
    with ScriptedReceiver() as one, ScriptedReceiver() as other:
        assert sent_to(one, run).sent == sent_to(other, run).sent == 4
        assert one.kept == other.kept


def test_a_rehearsal_sends_and_writes_nothing(tmp_path: Path) -> None:
    run = run_of(tmp_path, 6)
    before = sorted(path.name for path in run.folder.iterdir())
    with closing(SentRecord(run.folder, "http://localhost/v1/logs", writes=False)) as record:
        done = send(run, record, None, bounds=Bounds(items=4))
    assert (done.not_sent, done.requests, done.sent) == (6, 2, 0)
    assert sorted(path.name for path in run.folder.iterdir()) == before
    with ScriptedReceiver([ACCEPT, status(401)]) as server:
        sent_to(server, run)
        with closing(SentRecord(run.folder, server.url, writes=False)) as record:
            done = send(run, record, None)
        assert (done.not_sent, done.already_sent) == (2, 4)
        assert len(server.posts) == 2


def test_a_run_without_judgements(tmp_path: Path) -> None:
    with ScriptedReceiver() as server:
        done = sent_to(server, run_of(tmp_path, 0))
        assert (done.items, done.requests, server.posts) == (0, 0, [])


def test_nobody_sends_to_the_same_receiver_meanwhile(tmp_path: Path) -> None:
    run = run_of(tmp_path, 1)
    with (
        closing(SentRecord(run.folder, "http://localhost/v1/logs")),
        pytest.raises(StoreError, match="another export to this receiver runs"),
    ):
        SentRecord(run.folder, "http://localhost/v1/logs")


def test_a_reset_before_anything_was_read_is_no_loss(tmp_path: Path) -> None:
    run = run_of(tmp_path, 8)
    with ScriptedReceiver([ACCEPT, reset_before(), reset_before()]) as server:
        done = sent_to(server, run)
        assert (done.sent, len(server.kept), set(server.kept.values())) == (8, 8, {1})


@pytest.mark.parametrize("seed", range(6))
def test_whatever_a_receiver_does_nothing_is_lost(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    steps = [
        ACCEPT, partial(1, "one"), partial(0, "careful"), status(429, retry_after="0"), status(502),
        status(503), status(504), reset_before(), reset_after(), status(413), status(400, "no"),
        status(401), json_partial("1", "one", -1), Step(body=b"ok"),
    ]  # fmt: skip
    run = run_of(tmp_path, 20)
    with ScriptedReceiver(draw.choices(steps, k=12)) as server:
        exports = 0
        while True:
            done = sent_to(server, run, items=draw.randint(1, 7))
            assert accounted(done) == done.items == 20
            exports += 1
            if done.error is None:
                break
        assert exports < 14
        rejected = done.rejected.total() + done.rejected_before.total()
        # a record that was kept without a word may have been rejected when it came again
        assert 20 - rejected <= len(server.kept) <= 20
        assert done.sent + done.already_sent == 20 - rejected
        server.then()
        last = sent_to(server, run, rejected_too=True)
        assert (last.rejected_before, last.rejected, last.not_sent) == ({}, {}, 0)
        assert len(server.kept) == 20
