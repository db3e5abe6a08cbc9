"""What told each fact of a span, and what was ignored, for known spans."""

from typing import Any

import pytest

from ingest import RawEvent, RawSpan, SpanKind
from ingest.conventions.globs import Glob
from ingest.conventions.leaving_out import causes, parts_of, without
from ingest.conventions.mapping import HouseMapping, Rule
from ingest.conventions.origins import Origin, origins_of
from ingest.conventions.places import Place


def raw(name: str = "step", events: tuple[RawEvent, ...] = (), **told: Any) -> RawSpan:
    values = {key.replace("__", "."): value for key, value in told.items()}
    return RawSpan(trace_id="t", span_id="s", name=name, attributes=values, events=events)


def facts(recorded: RawSpan, mapping: HouseMapping | None = None) -> dict[str, Origin]:
    found = origins_of(recorded, mapping or HouseMapping())
    return {origin.fact: origin for origin in found.facts}


def test_each_fact_of_a_search_names_its_key() -> None:
    found = facts(
        raw(
            openinference__span__kind="RETRIEVER",
            session__id="conv-1",
            input__value="vacation days",
            retrieval__documents__0__document__id="hr-1",
            retrieval__documents__0__document__content="25 days",
        )
    )
    assert found["conversation_id"].parts == ("session.id",)
    assert found["retrieval.query"].parts == ("input.value",)
    assert found["retrieval.documents.id"].parts == ("retrieval.documents.N",)
    assert "openinference.span.kind" in found["kind"].parts
    assert {origin.convention for origin in found.values()} == {"openinference"}


def test_keys_that_tell_the_same_are_all_named() -> None:
    found = facts(
        raw(
            gen_ai__operation__name="chat",
            gen_ai__request__model="m",
            gen_ai__response__model="m",
        )
    )
    assert set(found["model"].parts) == {"gen_ai.request.model", "gen_ai.response.model"}


def test_the_weaker_word_is_ignored_and_said_so() -> None:
    recorded = raw(
        openinference__span__kind="TOOL",
        tool__name="inner",
        gen_ai__operation__name="execute_tool",
        gen_ai__tool__name="outer",
        house__note="x",
        input__mime_type="",
    )
    found = origins_of(recorded)
    name = next(origin for origin in found.facts if origin.fact == "tool.name")
    assert (name.value, name.convention, name.parts) == ("inner", "openinference", ("tool.name",))
    told = {ignored.what: ignored.why for ignored in found.ignored}
    assert told["gen_ai: tool.name"] == "openinference is believed before gen_ai"
    assert told["house.note"] == "no fact of the span depends on it"
    assert told["input.mime_type"] == "empty"


def test_a_masked_text_is_named_as_such() -> None:
    recorded = raw(openinference__span__kind="LLM", input__value="__REDACTED__")
    told = {ignored.what: ignored.why for ignored in origins_of(recorded).ignored}
    assert told["input.value"] == "masked by its recorder"


def test_rules_of_a_mapping_are_named_with_their_places() -> None:
    rules = (
        Rule(
            name="lookup",
            kind=SpanKind.RETRIEVER,
            spans=(Glob("kb.*"),),
            facts={"query": (Place.of("acme.out.q"),), "collection": (Place.of("acme.idx"),)},
        ),
        Rule(name="late", kind=SpanKind.TOOL, spans=(Glob("kb.*"),)),
    )
    found = origins_of(raw("kb.x", acme__out='{"q": "days"}'), HouseMapping(rules=rules))
    query = next(origin for origin in found.facts if origin.fact == "retrieval.query")
    assert (query.value, query.rule, query.parts) == ("days", "lookup", ("acme.out.q",))
    told = {ignored.what: ignored.why for ignored in found.ignored}
    assert told["rule lookup: collection"] == "nothing stands at acme.idx"
    assert told["rule late"] == "an earlier rule gave another kind"


def test_a_span_that_nobody_knows_has_a_kind_and_nothing_else() -> None:
    found = origins_of(raw("GET /", http__route="/"))
    assert [origin.fact for origin in found.facts] == ["kind"]
    assert [ignored.what for ignored in found.ignored] == ["http.route"]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        pytest.param(lambda gone: "a" not in gone, (("a",), False), id="one is needed"),
        pytest.param(lambda gone: not {"a", "b"} & gone, (("a", "b"), False), id="both are needed"),
        pytest.param(
            lambda gone: not {"a", "b"} <= gone, (("a", "b"), True), id="either is enough"
        ),
        pytest.param(lambda _: True, ((), False), id="none matters"),
    ],
)
def test_a_result_is_due_to_its_causes(rule: Any, expected: Any) -> None:
    assert causes(["a", "b", "c"], rule) == expected


def test_every_part_can_be_left_out() -> None:
    recorded = RawSpan(
        trace_id="t",
        span_id="s",
        name="n",
        status="error",
        attributes={"a.0.x": 1, "a.1.x": 2, "b": 3},
        events=(RawEvent(name="e"),),
        resource={"service.name": "s"},
        scope_name="scope",
    )
    parts = parts_of(recorded)
    assert parts == (
        "a.N",
        "b",
        "event e",
        "span name",
        "scope",
        "status",
        "resource service.name",
    )
    bare = without(recorded, parts)
    assert (dict(bare.attributes), bare.events, bare.name, bare.status) == ({}, (), "", "unset")
    assert (bare.scope_name, dict(bare.resource)) == ("", {})
