"""Console exporter and Monocle: as printed by the SDK, and as recorded."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import ConsoleSpanExporter, SimpleSpanProcessor
from opentelemetry.trace import Link, SpanKind, Status, StatusCode, set_span_in_context

from ingest import Limits
from ingest.otlp_fields import SPAN_DIGITS, TRACE_DIGITS
from tests.ingest.formats.recorded import duplicates, given, one, read_whole, values
from tests.ingest.outcome import read_bytes, read_paths

START = 1_767_225_600_123_456_000


def printed(turns: int = 1) -> str:
    """Return what the console exporter prints for turns of two spans each."""
    out = io.StringIO()
    provider = TracerProvider(resource=Resource({"service.name": "shop"}), shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(ConsoleSpanExporter(out=out)))
    tracer = provider.get_tracer("shop.agent", "1.0")
    for number in range(turns):
        agent = tracer.start_span("agent", kind=SpanKind.SERVER, start_time=START)
        agent.set_attribute("session.id", f"c{number}")
        context = set_span_in_context(agent)
        link = Link(agent.get_span_context(), {"why": "follows"})
        search = tracer.start_span(
            "search", context=context, links=[link], start_time=START + 1_000
        )
        search.set_attributes({"query": "days off?", "top_k": 3, "scores": [0.5, 1.0], "ok": True})
        search.add_event("hit", {"id": "p-1"}, timestamp=START + 2_000)
        search.set_status(Status(StatusCode.ERROR, "late"))
        search.end(START + 3_000)
        agent.end(START + 4_000)
    return out.getvalue()


def test_a_span_is_read_whole(tmp_path: Path) -> None:
    found = read_bytes(tmp_path, printed().encode())
    assert found.losses == []
    search, agent = found.spans
    assert search.trace_id == agent.trace_id
    assert (len(search.trace_id), len(search.span_id)) == (TRACE_DIGITS, SPAN_DIGITS)
    assert (search.parent_id, agent.parent_id) == (agent.span_id, None)
    assert (search.name, search.otel_kind, agent.otel_kind) == ("search", "INTERNAL", "SERVER")
    assert (search.start_ns, search.end_ns) == (START + 1_000, START + 3_000)
    assert (search.status, search.status_message, agent.status) == ("error", "late", "unset")
    assert search.attributes == {
        "query": "days off?",
        "top_k": 3,
        "scores": [0.5, 1.0],
        "ok": True,
    }
    [event] = search.events
    assert (event.name, event.time_ns, event.attributes) == ("hit", START + 2_000, {"id": "p-1"})
    [link] = search.links
    assert (link.trace_id, link.span_id) == (agent.trace_id, agent.span_id)
    assert link.attributes == {"why": "follows"}
    assert agent.service == "shop"
    assert [source.format for source in found.reading.sources] == ["console"]


def as_list(text: str) -> str:
    return json.dumps(list(_values(text)))


def as_lines(text: str) -> str:
    return "".join(json.dumps(value) + "\n" for value in _values(text))


def as_pretty_list(text: str) -> str:
    return json.dumps(list(_values(text)), indent=4)


def _values(text: str) -> list[Any]:
    decoder = json.JSONDecoder()
    found, at = [], 0
    while at < len(text.rstrip()):
        value, at = decoder.raw_decode(text, at)
        found.append(value)
        at += 1
    return found


@pytest.mark.parametrize("arrange", [str, as_list, as_lines, as_pretty_list])
def test_every_arrangement_gives_the_same_spans(
    arrange: Callable[[str], str], tmp_path: Path
) -> None:
    text = printed(3)
    plain = read_bytes(tmp_path, text.encode())
    data = arrange(text).encode()
    found = read_bytes(tmp_path, data)
    assert found.losses == []
    assert [span.span_id for span in found.spans] == [span.span_id for span in plain.spans]
    assert [span.attributes for span in found.spans] == [span.attributes for span in plain.spans]
    for span in found.spans:
        assert span.source is not None
        record = json.JSONDecoder().raw_decode(data.decode(), span.source.offset)[0]
        assert record["context"]["span_id"] == "0x" + span.span_id


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        pytest.param(lambda text: text.replace('"hit"', '"hit'), "invalid_json", id="a quote"),
        pytest.param(lambda text: text.replace('"name"', '"eman"'), None, id="no name"),
        pytest.param(
            lambda text: text.replace('"trace_id": "0x', '"trace_id": "', 1).replace(
                '"span_id": "0x', '"span_id": "\\u00e9', 1
            ),
            "bad_span_id",
            id="an id that is none",
        ),
        pytest.param(
            lambda text: text.replace('"attributes": {', '"attributes": {"x": 1, "y": 2, ', 1),
            "too_many_attributes",
            id="too many attributes",
        ),
        pytest.param(
            lambda text: text.replace(
                '"query": ', '"deep": ' + "[" * 70 + "]" * 70 + ', "query": '
            ),
            "too_deep",
            id="too deep",
        ),
        pytest.param(lambda text: text.replace("3,", "NaN,", 1), None, id="no number"),
    ],
)
@pytest.mark.parametrize("arrange", [str, as_list, as_lines])
def test_one_damaged_span_costs_itself(
    damage: Callable[[str], str],
    reason: str | None,
    arrange: Callable[[str], str],
    tmp_path: Path,
) -> None:
    first, damaged, last = printed(1), printed(1), printed(1)
    record = json.dumps(_values(damaged)[0])
    texts = [first, damage(record), last]
    if arrange is as_list:
        parts = (
            [json.dumps(v) for v in _values(first)],
            [texts[1]],
            [json.dumps(v) for v in _values(last)],
        )
        data = "[" + ",".join([*parts[0], *parts[1], *parts[2]]) + "]"
    else:
        data = arrange(first) + damage(record) + "\n" + arrange(last)
    found = read_bytes(tmp_path, data.encode(), Limits(attributes=5))
    assert found.reasons == ([] if reason is None else [reason])
    assert len(found.spans) == 4 + (reason is None)
    for loss in found.losses:
        assert data[loss.offset :].startswith(damage(record)[:10])


def test_a_number_that_is_none_is_unknown(tmp_path: Path) -> None:
    data = printed().replace('"top_k": 3', '"top_k": NaN').replace("0.5", "-Infinity")
    search = read_bytes(tmp_path, data.encode()).spans[0]
    assert (search.attributes["top_k"], search.attributes["scores"]) == (None, [None, 1.0])
    assert search.flags == ("non_finite_number",)


def test_broken_text_is_repaired_and_told(tmp_path: Path) -> None:
    data = printed().encode().replace(b"days off?", b"days \xff\\ud800?")
    found = read_bytes(tmp_path, data)
    assert found.spans[0].attributes["query"] == "days \ufffd\ufffd?"
    assert [(loss.outcome, loss.reason) for loss in found.losses] == [
        ("repaired", "surrogate_replaced")
    ]


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_a_cut_file_gives_what_stands_before_the_cut(share: float, tmp_path: Path) -> None:
    text = as_pretty_list(printed(10))
    data = text[: int(len(text) * share)]
    whole = data.count('"resource": {\n            "attributes"')
    found = read_bytes(tmp_path, data.encode())
    assert found.reasons == ["truncated_stream"]
    assert whole - 1 <= len(found.spans) <= whole


@pytest.mark.parametrize(
    ("name", "spans", "traces", "events", "repeated"),
    [
        ("sample_jenkins_trace", 3, 1, 7, 0),
        ("test_adk_single_agent", 11, 2, 12, 0),
        ("test_anthropic_finish_reason_integration", 20, 5, 30, 10),
        ("test_aws_genai_idp_retrieve_and_generate", 3, 1, 5, 0),
        ("test_azure_ai_inference_finish_reason_integration", 12, 6, 40, 6),
        ("test_azure_openai_finish_reason_integratio", 8, 4, 26, 4),
        ("test_bedrock_finish_reason_integratio", 12, 6, 38, 6),
        ("test_boto_coverage_api", 6, 3, 8, 0),
        ("test_crewai_multi_agent", 17, 1, 27, 0),
        ("test_crewai_single_agent", 8, 1, 12, 0),
        ("test_ms_framework_multi_async_sequential", 12, 1, 27, 0),
        ("test_ms_framework_multi_stream_agents_as_tools", 8, 1, 17, 0),
        ("test_openai_agents_sdk", 12, 1, 26, 0),
    ],
)
def test_recorded_monocle(name: str, spans: int, traces: int, events: int, repeated: int) -> None:
    path = given(f"monocle/{name}.json")
    found = read_whole(path)
    assert [source.format for source in found.reading.sources] == ["console"]
    assert (len(found.spans), len(found.traces)) == (spans, traces)
    assert sum(len(span.events) for span in found.spans) == events
    assert duplicates(path) == repeated
    [records] = values(path)
    for record, span in zip(records, found.spans, strict=True):
        trace_id = record["context"]["trace_id"].removeprefix("0x")
        assert span.trace_id == (trace_id.zfill(32) if len(trace_id) > 30 else trace_id)
        assert span.name == record["name"]
        assert span.attributes == record["attributes"]
        assert [event.attributes for event in span.events] == [
            event["attributes"] for event in record["events"]
        ]
        assert (span.status == "error") == (record["status"]["status_code"] == "ERROR")
        assert span.status_message == record["status"].get("description", "")


def test_a_recorded_span(tmp_path: Path) -> None:
    found = read_paths(given("monocle/test_adk_single_agent.json"))
    llm = one(found.spans, "543b6c7c35b4f0bf")
    assert llm.trace_id == "7d675c7ccfcbecbc581510d4873bedca"
    assert llm.parent_id == "24398d6d3540a8de"
    assert (llm.start_ns, llm.end_ns) == (1758108949100391000, 1758108951222427000)
    assert llm.service == "langchain_agent_1"
    assert llm.events[2].attributes["prompt_tokens"] == 181


@pytest.mark.parametrize("name", ["finish_types", "sample_custom_span_output"])
def test_recorded_texts_that_are_no_traces(name: str) -> None:
    found = read_paths(given(f"monocle/{name}.json"))
    assert (found.spans, found.reasons) == ([], ["not_a_trace_file"])
