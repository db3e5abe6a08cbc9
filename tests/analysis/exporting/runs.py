"""Runs with many judgements, and quick receivers, for the tests of sending."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from analysis.exporting.endpoint import endpoint_of
from analysis.exporting.posting import Patience, Receiver
from analysis.exporting.sending import Bounds, Sending, send
from analysis.exporting.sent import SentRecord
from analysis.run import Run
from tests.analysis.runs import turn_row, write_run
from tests.receiver import ScriptedReceiver

QUICK = Patience(tries=4, first_tries=2, first_wait_s=0.001, longest_wait_s=0.002)


def trace_id(number: int) -> str:
    return f"{number + 1:032x}"


def span_id(number: int) -> str:
    return f"{number + 1:016x}"


def run_of(store: Path, turns: int, *, without_span: int = 0, **tables: Any) -> Run:
    """Write a run of turns with an outcome and a span each; the first ones may lack the span."""
    spans = [
        {
            "trace_id": trace_id(number), "span_id": span_id(number), "name": "s", "kind": "agent",
            "start_ns": 10 + number, "status": "ok", "turn_id": f"c/{number + 1}", "flags": [],
        }
        for number in range(without_span, turns)
    ]  # fmt: skip
    rows = [turn_row(f"c/{number + 1}") for number in range(turns)]
    return Run(write_run(store, turns=rows, spans=spans, **tables))


@contextmanager
def receiving(url: str, waits: list[float] | None = None, **settings: Any) -> Iterator[Receiver]:
    """Open a client that notes its waits instead of taking them."""
    noted = [] if waits is None else waits
    given = {"endpoint": endpoint_of(url, {}), "patience": QUICK, "sleep": noted.append}
    receiver = Receiver(**{**given, **settings})
    try:
        yield receiver
    finally:
        receiver.close()


def sent_to(server: ScriptedReceiver, run: Run, items: int = 4, **settings: Any) -> Sending:
    """Export once, as the command would."""
    with receiving(server.url) as receiver, closing(SentRecord(run.folder, server.url)) as record:
        return send(run, record, receiver, bounds=Bounds(items=items), **settings)


def accounted(done: Sending) -> int:
    """Return the sum of everything that a judgement can have become."""
    counted = (done.rejected, done.rejected_before, done.left_out)
    return done.sent + done.already_sent + done.not_sent + sum(one.total() for one in counted)
