"""A judgement as a log record, in both encodings."""

import dataclasses
from pathlib import Path

import pytest
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord

from analysis.exporting import Judgement
from analysis.exporting.judgements import Place
from analysis.exporting.otlp_records import as_json, as_record, event_of, item_id_of
from tests.analysis.exporting.runs import run_of, sent_to
from tests.receiver import ScriptedReceiver, attributes

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
PLACE = Place(trace_id=TRACE, span_id=SPAN, start_ns=5)
JUDGEMENT = Judgement(
    name="relevance", turn_id="c/1", conversation_id="c", subject="chunk-1", key="k-1",
    label="relevant", score=3.0, explanation="so", error=None, judge="local/l", place=PLACE,
)  # fmt: skip


def at(trace_id: str, span_id: str, start_ns: int | None = 5) -> Judgement:
    place = Place(trace_id=trace_id, span_id=span_id, start_ns=start_ns)
    return dataclasses.replace(JUDGEMENT, place=place)


def test_both_encodings_say_the_same() -> None:
    event = event_of(JUDGEMENT)
    record = LogRecord.FromString(as_record(event).SerializeToString())
    written = as_json(event)
    pairs = {pair["key"]: next(iter(pair["value"].values())) for pair in written["attributes"]}
    assert attributes(record) == pairs == {
        "gen_ai.evaluation.name": "stagefault.relevance",
        "gen_ai.evaluation.score.value": 3.0,
        "gen_ai.evaluation.score.label": "relevant",
        "gen_ai.evaluation.explanation": "so",
        "gen_ai.conversation.id": "c",
        "stagefault.turn_id": "c/1",
        "stagefault.subject": "chunk-1",
        "stagefault.verdict_key": "k-1",
        "stagefault.item_id": event.item_id,
        "log.record.uid": event.item_id,
    }  # fmt: skip
    assert record.event_name == written["eventName"] == "gen_ai.evaluation.result"
    assert (record.trace_id.hex(), record.span_id.hex()) == (TRACE, SPAN)
    assert (written["traceId"], written["spanId"]) == (TRACE, SPAN)
    assert (record.time_unix_nano, written["timeUnixNano"]) == (5, "5")


@pytest.mark.parametrize(
    ("trace_id", "span_id"),
    [
        pytest.param("run-7", "step-1", id="words"),
        pytest.param(TRACE, "step-1", id="one of them"),
        pytest.param(TRACE[:-1], SPAN, id="too short"),
        pytest.param("0" * 32, SPAN, id="zeros"),
        pytest.param(TRACE, "0" * 16, id="zeros of a span"),
        pytest.param(TRACE.replace("0", "\u0660"), SPAN, id="digits of another script"),
    ],
)
def test_ids_that_are_not_hex_are_attributes(trace_id: str, span_id: str) -> None:
    event = event_of(at(trace_id, span_id))
    record = as_record(event)
    assert (record.trace_id, record.span_id) == (b"", b"")
    told = attributes(record)
    assert (told["stagefault.trace_id"], told["stagefault.span_id"]) == (trace_id, span_id)
    assert (as_json(event)["traceId"], as_json(event)["spanId"]) == ("", "")


def test_ids_in_capitals_are_ids() -> None:
    assert as_record(event_of(at(TRACE.upper(), SPAN.upper()))).trace_id.hex() == TRACE


@pytest.mark.parametrize(
    ("start_ns", "time_ns"),
    [(None, 0), (-7, 0), (0, 0), (2**63 - 1, 2**63 - 1), (2**64, 2**63 - 1)],
)
def test_times_that_are_none(start_ns: int | None, time_ns: int) -> None:
    assert as_record(event_of(at(TRACE, SPAN, start_ns))).time_unix_nano == time_ns


def test_text_that_is_no_text_is_sent_all_the_same() -> None:
    event = event_of(dataclasses.replace(JUDGEMENT, subject="a\ud800b", explanation="x" * 5_000))
    told = attributes(LogRecord.FromString(as_record(event).SerializeToString()))
    assert told["stagefault.subject"] == "a?b"
    assert told["gen_ai.evaluation.explanation"] == "x" * 3_999 + "…"


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"key": "k-2"}, id="another verdict"),
        pytest.param({"subject": "chunk-2"}, id="another subject"),
        pytest.param({"turn_id": "c/2"}, id="another turn"),
        pytest.param({"name": "probe"}, id="another question"),
    ],
)
def test_what_is_another_judgement_has_another_id(other: dict[str, str]) -> None:
    changed = dataclasses.replace(JUDGEMENT, **other)  # type: ignore[arg-type]  # all of them are texts
    assert item_id_of(changed) != item_id_of(JUDGEMENT)


def test_an_outcome_that_changed_has_another_id() -> None:
    outcome = dataclasses.replace(JUDGEMENT, name="outcome", key=None, label="passed", score=1.0)
    ids = {
        item_id_of(one)
        for one in (
            outcome,
            dataclasses.replace(outcome, label="routing.wrong_tool", score=0.0),
            dataclasses.replace(outcome, label=None, score=None, error="uncertain"),
            dataclasses.replace(outcome, explanation="because"),
        )
    }
    assert len(ids) == 4


def test_an_id_stays_whatever_is_around_it() -> None:
    moved = dataclasses.replace(JUDGEMENT, place=None, judge="other", conversation_id="d")
    assert item_id_of(moved) == item_id_of(JUDGEMENT)
    assert item_id_of(JUDGEMENT) == "stagefault-b9c05efcf4b3b26214ae44df058be278"


def test_the_page_about_exports_names_every_attribute() -> None:
    text = (Path(__file__).parents[3] / "docs" / "export.md").read_text("utf-8")
    undecided = dataclasses.replace(at("run-7", "step-1"), error="uncertain")
    for event in (event_of(JUDGEMENT), event_of(undecided)):
        for name in event.attributes:
            assert f"`{name}`" in text, name


def test_a_request_tells_the_run_and_when_it_was_made(tmp_path: Path) -> None:
    with ScriptedReceiver() as server:
        sent_to(server, run_of(tmp_path, 1))
    (post,) = server.posts
    assert post.resource == {"service.name": "stagefault", "stagefault.run_id": "r-1"}
    (record,) = post.records
    assert record.observed_time_unix_nano == 1_768_003_200_000_000_000  # 2026-01-10T00:00:00Z
    assert record.time_unix_nano == 10


def test_a_judgement_without_a_span_is_our_mistake() -> None:
    with pytest.raises(ValueError, match="c/1"):
        event_of(dataclasses.replace(JUDGEMENT, place=None))
