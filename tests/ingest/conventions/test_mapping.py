"""A house's own names: rules, places, patterns, and what becomes of hostile values."""

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest import RawEvent, RawSpan, Span, SpanKind
from ingest.attributes import Attributes
from ingest.conventions import to_span
from ingest.conventions.globs import Glob
from ingest.conventions.mapped_facts import ALL_FACTS, FACTS_OF
from ingest.conventions.mapping import HouseMapping, Rule
from ingest.conventions.places import Place, inside
from ingest.span import Document, Usage


def rule(
    kind: SpanKind | None = None,
    *,
    span: str = "*",
    name: str = "rule",
    items: Mapping[str, Mapping[str, tuple[str, ...]]] | None = None,
    where: Mapping[str, str] | None = None,
    **facts: str | tuple[str, ...],
) -> Rule:
    conditions = (where or {}).items()
    return Rule(
        name=name,
        kind=kind,
        spans=(Glob(span),),
        where=tuple((Place.of(place), (Glob(glob),)) for place, glob in conditions),
        facts={
            fact: tuple(Place.of(p) for p in ((places,) if isinstance(places, str) else places))
            for fact, places in facts.items()
        },
        items=items or {},
    )


def raw(name: str = "step", events: Sequence[RawEvent] = (), **told: Any) -> RawSpan:
    values = {key.replace("__", "."): value for key, value in told.items()}
    return RawSpan(
        trace_id="t",
        span_id="s",
        name=name,
        attributes=Attributes.of(values),
        events=tuple(events),
        resource={"service.name": "desk", "deployment.region": "eu"},
        scope_name="acme.tracer",
    )


def mapped(recorded: RawSpan, *rules: Rule) -> Span:
    return to_span(recorded, HouseMapping(rules=rules))


@pytest.mark.parametrize(
    ("pattern", "name", "fits"),
    [
        pytest.param("kb.lookup", "kb.lookup", True, id="itself"),
        pytest.param("kb.lookup", "kb.lookups", False, id="longer"),
        pytest.param("kb.*", "kb.", True, id="star for nothing"),
        pytest.param("*.eu", "kb.eu", True, id="end"),
        pytest.param("kb.*.eu", "kb.x.y.eu", True, id="inside"),
        pytest.param("kb.*.eu", "kb.eu", False, id="pieces may not overlap"),
        pytest.param("a*b*c", "abbc", True, id="two stars"),
        pytest.param("a*b*c", "acb", False, id="wrong order"),
        pytest.param("*", "", True, id="anything fits nothing"),
        pytest.param("[ab]?", "[ab]?", True, id="no other character is special"),
        pytest.param("KB*", "kb.lookup", False, id="case differs"),
    ],
)
def test_patterns_fit_whole_names(pattern: str, name: str, *, fits: bool) -> None:
    assert Glob(pattern).matches(name) is fits


@pytest.mark.parametrize("pattern", ["", "*" * 17, "a" * 501])
def test_patterns_are_bounded(pattern: str) -> None:
    with pytest.raises(ValueError, match=r"empty|stars|characters"):
        Glob(pattern)


def test_a_pattern_that_would_blow_up_a_backtracking_matcher_is_quick() -> None:
    glob = Glob("a*" * 15 + "b")
    begun = time.process_time()
    assert not glob.matches("a" * 200_000)
    assert time.process_time() - begun < 1


@pytest.mark.parametrize(
    ("place", "value"),
    [
        pytest.param("acme.q", "days", id="attribute"),
        pytest.param("acme.out.hits.1.doc", "hr-2", id="inside JSON in a text"),
        pytest.param("acme.out.hits.7.doc", None, id="beyond a list"),
        pytest.param("acme.out.hits.x", None, id="a name in a list"),
        pytest.param("acme.q.more", None, id="inside a plain text"),
        pytest.param("acme.flat", ["a", "b"], id="flattened list"),
        pytest.param("acme.none", None, id="absent"),
        pytest.param("event:acme.hit", [{"id": "1"}, {"id": "2"}], id="events"),
        pytest.param("event:acme.h*#id", "2", id="inside the last event"),
        pytest.param("event:other", None, id="no such event"),
        pytest.param("resource:deployment.region", "eu", id="resource"),
        pytest.param("span:name", "step", id="name"),
        pytest.param("span:service", "desk", id="service"),
        pytest.param("value:handbook", "handbook", id="the text itself"),
    ],
)
def test_places_lead_to_values(place: str, value: Any) -> None:
    recorded = raw(
        acme__q="days",
        acme__out=json.dumps({"hits": [{"doc": "hr-1"}, {"doc": "hr-2"}]}),
        acme__flat__0="a",
        acme__flat__1="b",
        events=[RawEvent(name="acme.hit", attributes={"id": n}) for n in "12"],
    )
    assert Place.of(place).read(recorded) == value
    assert str(Place.of(place)) == place


@pytest.mark.parametrize("place", ["", "span:colour", "a." * 40 + "a", "x" * 501, "event:"])
def test_what_is_no_place_is_refused(place: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        Place.of(place)


def test_the_longest_key_leads_on() -> None:
    assert inside({"a.b": {"c": 1}, "a": {"b": {"c": 2}}}, "a.b.c") == 1


def test_every_fact_of_a_search_is_mapped() -> None:
    span = mapped(
        raw(
            "kb.lookup",
            acme__q="vacation days",
            acme__idx="hr",
            acme__hits=json.dumps(
                [
                    {"doc": "hr-2", "body": "second", "meta": {"sim": "0.5"}, "n": 2},
                    {"doc": "hr-1", "body": "first", "meta": {"sim": 0.7}, "n": 1},
                ]
            ),
        ),
        rule(
            SpanKind.RETRIEVER,
            span="kb.*",
            query="acme.q",
            collection="acme.idx",
            chunks="acme.hits",
            items={
                "chunk": {
                    "id": ("doc",),
                    "text": ("body",),
                    "score": ("meta.sim",),
                    "rank": ("n",),
                }
            },
        ),
    )
    assert span.kind is SpanKind.RETRIEVER
    assert span.conventions == ("mapping",)
    assert span.retrieval is not None
    assert (span.retrieval.query, span.retrieval.collection) == ("vacation days", "hr")
    assert [(d.document_id, d.text, d.score) for d in span.retrieval.documents or ()] == [
        ("hr-1", "first", 0.7),
        ("hr-2", "second", 0.5),
    ]


def test_chunks_may_stand_in_columns() -> None:
    search = rule(SpanKind.RETRIEVER, chunk_ids="ids", chunk_texts="texts", chunk_scores="scores")
    span = mapped(raw(ids=["a", "b"], texts=["one", "two"], scores="[0.9]"), search)
    assert span.retrieval is not None
    assert span.retrieval.documents == (
        Document(document_id="a", text="one", score=0.9),
        Document(document_id="b", text="two"),
    )
    nothing = mapped(raw(ids=[], texts=[]), search)
    assert nothing.retrieval is not None
    assert nothing.retrieval.documents == ()


def test_a_tool_call_is_mapped() -> None:
    call = rule(
        SpanKind.TOOL,
        tool="do.what",
        call_id="do.id",
        arguments="do.with",
        result="do.out",
        failed="do.bad",
        error="do.why",
    )
    told = {"do.what": "get_order", "do.id": "c1", "do.with": '{"order": 7}'}
    recorded = replace_attributes(raw(), {**told, "do.bad": True, "do.why": "timeout"})
    tool = mapped(recorded, call).tool
    assert tool is not None
    assert (tool.name, tool.call_id, tool.arguments) == ("get_order", "c1", {"order": 7})
    assert (tool.is_error, tool.error, tool.result_capture) == (True, "timeout", "not_captured")
    found = mapped(replace_attributes(raw(), {**told, "do.out": '{"state": "sent"}'}), call).tool
    assert found is not None
    assert (found.result, found.is_error) == ({"state": "sent"}, False)


def replace_attributes(recorded: RawSpan, values: Mapping[str, Any]) -> RawSpan:
    return RawSpan(trace_id="t", span_id="s", name=recorded.name, attributes=Attributes.of(values))


def test_a_rule_without_a_kind_only_adds_facts() -> None:
    recorded = raw(
        gen_ai__operation__name="retrieval",
        gen_ai__retrieval__query__text="days",
        acme__index="hr",
        acme__customer="t1",
        acme__chat="c-9",
    )
    span = mapped(
        recorded,
        rule(collection="acme.index", tenant="acme.customer", conversation="acme.chat"),
    )
    assert span.kind is SpanKind.RETRIEVER
    assert span.conventions == ("mapping", "gen_ai")
    assert span.retrieval is not None
    assert (span.retrieval.query, span.retrieval.collection) == ("days", "hr")
    assert (span.tenant, span.conversation_id) == ("t1", "c-9")


def test_a_rule_outranks_what_a_convention_made_of_a_span() -> None:
    recorded = raw(
        "execute_tool search_kb",
        gen_ai__operation__name="execute_tool",
        gen_ai__tool__name="search_kb",
        gen_ai__tool__call__arguments='{"query": "days"}',
        gen_ai__tool__call__result='[{"id": "a", "text": "25 days"}]',
    )
    span = mapped(recorded, rule(SpanKind.RETRIEVER, span="execute_tool search_*"))
    assert (span.kind, span.tool) == (SpanKind.RETRIEVER, None)
    assert span.retrieval is not None
    assert span.retrieval.query == "days"
    assert [d.document_id for d in span.retrieval.documents or ()] == ["a"]


def test_the_first_rule_that_tells_a_fact_is_believed_and_others_fill_in() -> None:
    first = rule(SpanKind.AGENT, name="one", question="a.q", agent="a.none")
    second = rule(SpanKind.AGENT, name="two", question="a.other", agent="a.agent")
    other_kind = rule(SpanKind.TOOL, name="three", model="a.model")
    span = mapped(
        raw(a__q="Q?", a__other="no", a__agent="hr", a__model="m"), first, second, other_kind
    )
    assert (span.input_text, span.agent, span.model) == ("Q?", "hr", None)
    names, told = HouseMapping(rules=(first, second, other_kind)).explain(span.raw, span.kind)
    assert names == ("one", "two")
    assert {(one.fact, one.rule, one.place) for one in told} == {
        ("question", "one", "a.q"),
        ("agent", "two", "a.agent"),
    }


def test_conditions_pick_spans_by_what_stands_on_them() -> None:
    typed = rule(SpanKind.LLM, where={"acme.type": "llm*"}, answer="acme.text")
    assert mapped(raw(acme__type="llm.chat", acme__text="Hi"), typed).kind is SpanKind.LLM
    assert mapped(raw(acme__type="db", acme__text="Hi"), typed).kind is SpanKind.OTHER
    assert mapped(raw(acme__text="Hi"), typed).kind is SpanKind.OTHER


def test_ignored_spans_do_nothing() -> None:
    recorded = raw("warm-up", gen_ai__operation__name="chat", gen_ai__request__model="m")
    ignored = Rule(name="ignore", ignore=True, spans=(Glob("warm*"),))
    span = mapped(recorded, ignored)
    assert (span.kind, span.synthetic, span.model) == (SpanKind.OTHER, True, None)


def test_tokens_and_citations_are_mapped() -> None:
    span = mapped(
        raw(n=12, m="7", c=1, text="25 days.", cites='[{"ref": "hr-1", "says": "25"}]'),
        rule(
            SpanKind.LLM,
            input_tokens="n",
            output_tokens="m",
            cached_tokens="c",
            answer="text",
            citations="cites",
            items={"citation": {"target": ("ref",), "quote": ("says",)}},
        ),
    )
    assert span.usage == Usage(input_tokens=12, output_tokens=7, cached_tokens=1)
    assert [(c.target_id, c.quote) for c in span.citations] == [("hr-1", "25")]
    names = mapped(raw(text="x", cites=["a", 3]), rule(SpanKind.LLM, citations="cites"))
    assert [c.target_id for c in names.citations] == ["a", "3"]


def test_a_span_that_no_rule_fits_is_not_decoded() -> None:
    attributes = Attributes(b'{"http.route": "/x"}')
    recorded = RawSpan(trace_id="t", span_id="s", name="GET", attributes=attributes)
    mapped(recorded, rule(SpanKind.LLM, span="chat*", answer="a"), rule(tenant="acme.customer"))
    assert attributes._decoded is None  # noqa: SLF001 - that is the point


_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=True)
    | st.text(max_size=20)
    | st.sampled_from(['{"a": [', "[[[", '"', "{'a': 1}", "null", "***", "[1, 2]", '{"id": 1}']),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["id", "text", "a", "b"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(value=_VALUES, kind=st.sampled_from([None, *SpanKind]))
def test_no_value_makes_a_mapping_fail(value: Any, kind: SpanKind | None) -> None:
    facts: Any = dict.fromkeys(ALL_FACTS, ("v.a", "v"))
    paths: Any = {
        "chunk": dict.fromkeys(("id", "text", "score", "rank", "metadata"), ("a", "b.a")),
        "citation": dict.fromkeys(("target", "start", "end", "position"), ("a",)),
    }
    span = mapped(raw(v=value, gen_ai__operation__name="chat"), rule(kind, items=paths, **facts))
    assert span.kind is (kind or SpanKind.LLM)
    assert span == mapped(
        raw(v=value, gen_ai__operation__name="chat"), rule(kind, items=paths, **facts)
    )


def test_every_kind_has_its_facts() -> None:
    assert set(FACTS_OF) == set(SpanKind)
    assert {"question", "query", "arguments", "chosen", "chunks_before"} <= set(ALL_FACTS)
