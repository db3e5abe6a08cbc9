from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.span import Span, SpanKind
from stages.tree import grow
from tests.builders import agent_span, llm_span, span


def ids(spans: tuple[Span, ...]) -> list[str]:
    return [item.span_id for item in spans]


def test_noise_between_agent_and_model_is_contracted() -> None:
    tree = grow([agent_span("a"), span("http", parent_id="a"), llm_span("l", parent_id="http")])
    assert ids(tree.children["a"]) == ["l"]
    assert tree.parents["l"].span_id == "a"
    assert ids(tuple(tree.enclosing(tree.spans[-1]))) == ["a", "http"]


def test_children_are_in_order_of_start_then_id() -> None:
    tree = grow(
        [
            llm_span("late", parent_id="a", at_s=2),
            llm_span("b", parent_id="a", at_s=1),
            llm_span("a2", parent_id="a", at_s=1),
            llm_span("unknown", parent_id="a", at_s=None),
            agent_span("a"),
        ]
    )
    assert ids(tree.children["a"]) == ["a2", "b", "late", "unknown"]


def test_of_spans_that_start_together_parents_come_first() -> None:
    tree = grow(
        [
            llm_span("a", parent_id="c"),
            span("b", parent_id="z"),
            agent_span("z", agent="shop"),
            agent_span("c", parent_id="b", agent="desk"),
            llm_span("early", parent_id="z", at_s=-1),
        ]
    )
    assert ids(tree.spans) == ["early", "z", "b", "c", "a"]
    assert ids(tree.acting) == ["early", "z", "c", "a"]
    assert [tree.place(item) for item in tree.spans] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize(
    ("spans", "tops"),
    [
        pytest.param([("a", None)], ["a"], id="one root"),
        pytest.param([("a", "x")], ["a"], id="missing parent"),
        pytest.param([("a", "a")], ["a"], id="its own parent"),
        pytest.param([("a", "b"), ("b", "a")], ["a"], id="a cycle hangs from its first span"),
        pytest.param(
            [("d", "c"), ("c", "b"), ("b", "a"), ("a", "b")], ["a"], id="a tail hangs from a cycle"
        ),
        pytest.param([("a", None), ("b", None)], ["a", "b"], id="two roots"),
        pytest.param([("a", "")], ["a"], id="an empty parent id is none"),
    ],
)
def test_every_span_has_a_place(spans: list[tuple[str, str | None]], tops: list[str]) -> None:
    tree = grow([span(span_id, parent_id=parent) for span_id, parent in spans])
    assert ids(tree.tops) == tops
    assert set(tree.top_ids) == {span_id for span_id, _ in spans}


def test_a_chain_of_many_thousand_spans_is_no_recursion() -> None:
    chain = [span(f"s{n:05}", SpanKind.AGENT, parent_id=f"s{n - 1:05}") for n in range(20_000)]
    tree = grow(chain)
    assert tree.depths["s19999"] == 19_999


@given(
    st.dictionaries(st.sampled_from("abcdef"), st.sampled_from([*"abcdefx", None]), min_size=1),
    st.randoms(use_true_random=False),
)
def test_nothing_is_dropped_and_order_does_not_matter(
    parents: dict[str, str | None], random: Random
) -> None:
    spans = [span(name, SpanKind.LLM, parent_id=parent) for name, parent in parents.items()]
    tree = grow(spans)
    shuffled = list(spans)
    random.shuffle(shuffled)
    assert grow(shuffled) == tree
    reached = {top.span_id for top in tree.tops}
    for top in tree.tops:
        reached.update(below.span_id for below in tree.below(top))
    assert reached == set(parents)
