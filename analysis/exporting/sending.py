"""The judgements of a run, sent to a receiver of OTLP: each once, and each accounted for.

    judgements ──bounded requests──▶ Receiver
         │                              │
         └──────── SentRecord ◀─────────┘   who has what already, before and after

    items = sent + already_sent + rejected + rejected_before + left_out + not_sent

Delivery is at least once: what a receiver took without saying so is sent again, under the
ids that it had.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from analysis.exporting.answers import Answer
from analysis.exporting.forms import NO_SPAN, with_span
from analysis.exporting.judgements import count_of, judgements_of
from analysis.exporting.otlp_records import Event, as_record, event_of, request_body
from analysis.exporting.posting import Outcome, Receiver
from analysis.exporting.sent import SentRecord, State
from analysis.run import Run
from ingest.errors import StagefaultError

if TYPE_CHECKING:
    from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord

REPEATED: Final = "repeated"
_OTHER: Final = "other reasons"
_MOST_REASONS: Final = 20
_ENVELOPE_BYTES: Final = 16
"""Of a record in a request beside its own: tag, length, and when it was observed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """How large a request may be; one record of any size is always one."""

    items: int = 512
    size_bytes: int = 1 << 20
    """Before compression."""


@dataclass(slots=True, kw_only=True)
class Sending:
    """What an export came to, in judgements."""

    items: int = 0
    """All that the run has."""
    sent: int = 0
    """Accepted now."""
    sent_again: int = 0
    """Of those sent, how many the receiver may have had before."""
    already_sent: int = 0
    """Accepted by an earlier export."""
    rejected: Counter[str] = field(default_factory=Counter)
    """By the receiver, now; by reason."""
    rejected_before: Counter[str] = field(default_factory=Counter)
    """By the receiver, in an earlier export, and not sent since."""
    left_out: Counter[str] = field(default_factory=Counter)
    """`no_span`: about nothing in the traces; `repeated`: the same as another one."""
    not_sent: int = 0
    """Because the export ended with `error`, or was a rehearsal."""
    requests: int = 0
    """Answered or not; a request that was sent again counts once."""
    warnings: Counter[str] = field(default_factory=Counter)
    """What the receiver said although it took everything, and how often."""
    error: StagefaultError | None = None


_Part = list[tuple[str, "LogRecord", bool]]
"""Id, record, and whether the receiver may have it."""


def send(
    run: Run,
    record: SentRecord,
    receiver: Receiver | None,
    *,
    bounds: Bounds | None = None,
    rejected_too: bool = False,
    notify: Callable[[str, int, int | None], None] = lambda *_: None,
) -> Sending:
    """Send what was not sent.

    Args:
        run: Whose judgements.
        record: Of this run and this receiver.
        receiver: None rehearses: nothing is sent, all that would be is `not_sent`.
        bounds: Of a request.
        rejected_too: Send also what was rejected by an earlier export; where the receiver did
            not say which items these were, all of that request.
        notify: Called with a step, of how many judgements it is known what became of them, and
            how many there are. One that is still to be sent does not count.

    Raises:
        StoreError: A table or the record cannot be read or written.
    """
    sender = _Sender(run, record, receiver, bounds or Bounds(), notify)
    return sender.all(rejected_too=rejected_too)


class _Sender:
    """One export."""

    def __init__(
        self,
        run: Run,
        record: SentRecord,
        receiver: Receiver | None,
        bounds: Bounds,
        notify: Callable[[str, int, int | None], None],
    ) -> None:
        self._run, self._record, self._receiver = run, record, receiver
        self._notify, self._total = notify, count_of(run)
        self._most, self._most_bytes = bounds.items, bounds.size_bytes
        self._done = Sending()
        self._part: _Part = []
        self._size = 0
        self._ids: set[str] = set()
        self._known = 0
        """Accepted or rejected by an earlier export."""

    def all(self, *, rejected_too: bool) -> Sending:
        """Send all that is to be sent; return what it came to."""
        done = self._done
        if not rejected_too:
            for reason, number in self._record.rejected().items():
                _count(done.rejected_before, reason, number)
        seen = 0
        for one in with_span(judgements_of(self._run), done.left_out):
            event = event_of(one)
            before = self._record.known(event.item_id)
            seen += 1
            if event.item_id in self._ids or (before is not None and before.is_new):
                done.left_out[REPEATED] += 1
            elif before is None:
                self._add(event, had=False)
            elif before.state == "open" or (rejected_too and before.rejected):
                self._add(event, had=before.state != "refused")
            else:
                self._known += 1
            self._tell()
        self._flush()
        self._tell()
        done.already_sent = self._known - done.rejected_before.total()
        done.items = seen + done.left_out[NO_SPAN]
        return done

    def _tell(self) -> None:
        done = self._done
        settled = done.sent + done.rejected.total() + self._known + done.left_out.total()
        self._notify("sending", settled, self._total)

    def _add(self, event: Event, *, had: bool) -> None:
        """Take an event into the request that is being filled; send it first where it is full."""
        written = as_record(event)
        size = written.ByteSize() + _ENVELOPE_BYTES
        if self._part and (len(self._part) >= self._most or self._size + size > self._most_bytes):
            self._flush()
        self._part.append((event.item_id, written, had))
        self._ids.add(event.item_id)
        self._size += size

    def _flush(self) -> None:
        part, self._part, self._size = self._part, [], 0
        self._ids.clear()
        waiting = [part] if part else []
        while waiting:
            part = waiting.pop()
            if self._receiver is None or self._done.error is not None:
                self._done.not_sent += len(part)
                self._done.requests += self._receiver is None
                continue
            waiting += reversed(self._halves(part, self._deliver(part, self._receiver)))
            self._tell()

    def _deliver(self, part: _Part, receiver: Receiver) -> Outcome:
        """Send one request, and write down before and after what became of it."""
        done, record = self._done, self._record
        item_ids = [item_id for item_id, _, _ in part]
        number = record.begin(item_ids)
        done.requests += 1
        outcome = receiver.post(request_body(self._run, [written for _, written, _ in part]))
        if outcome.answer is not None and (outcome.kind != "too_large" or len(part) == 1):
            rejected, reason = self._rejected(len(part), outcome.answer, receiver)
            state: State = "accepted" if outcome.kind == "accepted" else "refused"
            record.close_request(number, state, rejected, reason)
            done.sent += len(part) - rejected
            if state == "accepted":
                done.sent_again += sum(had or outcome.in_doubt for _, _, had in part)
        elif not outcome.in_doubt:
            record.take_back(number, item_ids)
        if outcome.error is not None:
            done.error = outcome.error
            done.not_sent += len(part)
        return outcome

    def _rejected(self, size: int, answer: Answer, receiver: Receiver) -> tuple[int, str]:
        """Count what an answer rejects or warns of; return how many it rejects, and why."""
        done = self._done
        told = receiver.endpoint.without_secrets(answer.message)
        reason = f"{answer.status}: {told}" if told else answer.status
        if answer.kind != "accepted":
            _count(done.rejected, reason, size)
            return size, reason
        if not answer.readable:
            _count(done.warnings, "answers in a way that OTLP does not know; taken as accepted", 1)
        rejected = min(answer.rejected, size)
        if rejected:
            reason = f"partial success: {told}" if told else "partial success"
            _count(done.rejected, reason, rejected)
            return rejected, reason
        if told:
            _count(done.warnings, told, 1)
        return 0, ""

    def _halves(self, part: _Part, outcome: Outcome) -> list[_Part]:
        """Return both halves of a request that was too large, and keep later ones smaller."""
        if outcome.kind != "too_large" or len(part) == 1:
            return []
        middle = (len(part) + 1) // 2
        self._most = min(self._most, middle)
        marked = [(item_id, written, had or outcome.in_doubt) for item_id, written, had in part]
        return [marked[:middle], marked[middle:]]


def _count(reasons: Counter[str], reason: str, number: int) -> None:
    """Count by reason, however many a receiver thinks of."""
    is_known = reason in reasons or len(reasons) < _MOST_REASONS
    reasons[reason if is_known else _OTHER] += number
