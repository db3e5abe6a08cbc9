from dataclasses import replace

import pytest

from ingest.span import Document, RerankFact, RetrievalFact, Span, SpanKind, ToolFact, Value
from stages.records import Retrieval
from stages.retrievals import looks_like_search, query_in
from tests.builders import (
    agent_span,
    definition,
    document,
    llm_span,
    retriever_span,
    span,
    tool_span,
)
from tests.stages.assembling import turn_of

AGENT = agent_span("a1", "How long?", "Thirty days.")


def searches_of(*spans: Span) -> tuple[Retrieval, ...]:
    return turn_of(AGENT, *spans).retrievals


def reranker(
    before: tuple[Document, ...] | None,
    after: tuple[Document, ...] | None,
    *,
    span_id: str = "k1",
    parent_id: str = "a1",
) -> Span:
    fact = RerankFact(query="returns", documents_in=before, documents_out=after)
    return span(span_id, SpanKind.RERANKER, parent_id=parent_id, rerank=fact, at_s=2)


@pytest.mark.parametrize(
    ("given", "status", "count"),
    [
        pytest.param(retriever_span("r1", "q", ["a", "b"]), "ok", 2, id="found"),
        pytest.param(retriever_span("r1", "q", []), "empty", 0, id="nothing found"),
        pytest.param(retriever_span("r1", "q", None), "not_captured", 0, id="not captured"),
        pytest.param(retriever_span("r1", "q", None, error="timeout"), "error", 0, id="failed"),
        pytest.param(
            span("r1", SpanKind.RETRIEVER, parent_id="a1"), "not_captured", 0, id="no fact"
        ),
    ],
)
def test_status(given: Span, status: str, count: int) -> None:
    (search,) = searches_of(given)
    assert (search.status, len(search.chunks)) == (status, count)


def test_no_search_is_no_retrieval() -> None:
    assert searches_of() == ()


def test_recorded_order_is_the_rank_and_scores_change_nothing() -> None:
    documents = [
        document("p-1", "a", score=0.1),
        document("p-2", "b", score=None),
        document("p-10", "c", score=-3.5),
    ]
    (search,) = searches_of(retriever_span("r1", "q", documents))
    assert [(c.chunk_id, c.rank, c.first_rank, c.score) for c in search.chunks] == [
        ("p-1", 1, 1, 0.1),
        ("p-2", 2, 2, None),
        ("p-10", 3, 3, -3.5),
    ]


def test_a_chunk_returned_twice_keeps_both_rows() -> None:
    twice = document("p-1", "a")
    (search,) = searches_of(retriever_span("r1", "q", [twice, twice]))
    assert [(c.chunk_id, c.rank, c.first_rank) for c in search.chunks] == [
        ("p-1", 1, 1),
        ("p-1", 2, 2),
    ]


def test_a_missing_text_leaves_a_gap() -> None:
    turn = turn_of(AGENT, retriever_span("r1", "q", [document("p-1", None)]))
    assert turn.gap("chunk_text_not_captured") is not None
    assert turn.evidence == ()


# One search, several spans


def test_a_retriever_inside_a_retriever_is_one_search() -> None:
    (search,) = searches_of(
        retriever_span("r1", "q", ["a"]),
        retriever_span("r2", "q", None, parent_id="r1", collection="kb"),
    )
    assert (search.retrieval_id, search.collection, len(search.chunks)) == ("r1", "kb", 1)


def test_texts_of_the_framework_meet_ids_of_the_vector_database() -> None:
    texts = [document(None, "a"), document(None, "b")]
    ids = [document("v-1", None, score=0.2), document("v-2", None, score=0.3)]
    (search,) = searches_of(
        retriever_span("r1", "q", texts, conventions=("openinference",)),
        retriever_span("r2", None, ids, collection="kb", conventions=("db",), at_s=0.2),
    )
    assert [(c.chunk_id, c.text, c.score) for c in search.chunks] == [
        ("v-1", "a", 0.2),
        ("v-2", "b", 0.3),
    ]
    assert (search.query, search.collection) == ("q", "kb")


@pytest.mark.parametrize(
    "other",
    [
        pytest.param(retriever_span("r2", "other", ["a"], conventions=("db",)), id="other query"),
        pytest.param(retriever_span("r2", "q", ["b"], conventions=("db",)), id="other texts"),
        pytest.param(
            retriever_span("r2", "q", ["a"], collection="y", conventions=("db",)),
            id="other collection",
        ),
        pytest.param(retriever_span("r2", "q", ["a"], at_s=5, conventions=("db",)), id="later"),
        pytest.param(retriever_span("r2", "q", ["a"], conventions=("oi",)), id="same recorder"),
    ],
)
def test_other_searches_side_by_side_stay_apart(other: Span) -> None:
    first = retriever_span("r1", "q", ["a"], collection="x", conventions=("oi",))
    assert len(searches_of(first, other)) == 2


def test_a_fused_search_replaces_the_searches_it_is_made_of() -> None:
    (search,) = searches_of(
        retriever_span("r0", "q", ["a", "b"]),
        retriever_span("r1", "q", ["a"], parent_id="r0"),
        retriever_span("r2", "q", ["b"], parent_id="r0", at_s=0.5),
    )
    assert search.retrieval_id == "r0"


def test_a_wrapper_without_results_gives_way_to_the_searches_inside() -> None:
    searches = searches_of(
        retriever_span("r0", "q", None),
        retriever_span("r1", "q1", ["a"], parent_id="r0"),
        retriever_span("r2", "q2", ["b"], parent_id="r0", at_s=0.5),
    )
    assert [search.retrieval_id for search in searches] == ["r1", "r2"]


# Reranking


A, B, C = document("p-1", "a"), document("p-2", "b"), document("p-3", "c")


def test_a_reranker_gives_the_final_order_and_the_first_is_kept() -> None:
    (search,) = searches_of(retriever_span("r1", "q", [A, B, C]), reranker((A, B, C), (C, A, B)))
    assert [(c.chunk_id, c.rank, c.first_rank) for c in search.chunks] == [
        ("p-3", 1, 3),
        ("p-1", 2, 1),
        ("p-2", 3, 2),
    ]


def test_what_a_reranker_dropped_stays_at_the_end() -> None:
    (search,) = searches_of(retriever_span("r1", "q", [A, B, C]), reranker(None, (C,)))
    assert [(c.chunk_id, c.rank, c.first_rank) for c in search.chunks] == [
        ("p-3", 1, 3),
        ("p-1", 2, 1),
        ("p-2", 3, 2),
    ]


def test_a_reranker_knows_texts_only() -> None:
    order = (document(None, "c"), document(None, "a"), document(None, "b"))
    (search,) = searches_of(retriever_span("r1", "q", [A, B, C]), reranker(None, order))
    assert [c.chunk_id for c in search.chunks] == ["p-3", "p-1", "p-2"]


def test_a_reranker_over_two_searches_orders_both() -> None:
    searches = searches_of(
        retriever_span("r1", "q1", [A, B]),
        retriever_span("r2", "q2", [C], at_s=0.5),
        reranker(None, (C, B, A)),
    )
    assert [[c.chunk_id for c in search.chunks] for search in searches] == [["p-2", "p-1"], ["p-3"]]


def test_a_reranker_alone_is_the_search() -> None:
    (search,) = searches_of(reranker((A, B), (B, A)))
    assert [(c.chunk_id, c.first_rank) for c in search.chunks] == [("p-2", 2), ("p-1", 1)]


def test_a_compressing_retriever_reranks_the_search_inside_it() -> None:
    (search,) = searches_of(
        retriever_span("r0", "q", [C, A]), retriever_span("r1", "q", [A, B, C], parent_id="r0")
    )
    assert [(c.chunk_id, c.rank, c.first_rank) for c in search.chunks] == [
        ("p-3", 1, 3),
        ("p-1", 2, 1),
        ("p-2", 3, 2),
    ]


# Search through tools


HITS: Value = [{"id": "p-1", "text": "Thirty days."}]


def test_a_tool_that_returns_passages_searched() -> None:
    (search,) = searches_of(tool_span("x1", "kb", {"query": "returns"}, HITS, call_id="c1"))
    assert (search.retrieval_id, search.call_id, search.query, search.status) == (
        "c1",
        "c1",
        "returns",
        "ok",
    )


def test_a_search_tool_that_found_nothing_is_empty() -> None:
    (search,) = searches_of(tool_span("x1", "search_hr", {"query": "x"}, [], call_id="c1"))
    assert search.status == "empty"


def test_a_search_tool_that_failed_is_an_error() -> None:
    fact = ToolFact(name="search_hr", arguments={"query": "x"}, is_error=True, error="503")
    (search,) = searches_of(tool_span("x1", fact=fact))
    assert (search.status, search.error) == ("error", "503")


def test_a_tool_known_to_search_from_its_other_calls_found_nothing() -> None:
    searches = searches_of(
        tool_span("x1", "kb", {"text": "a"}, HITS, call_id="c1"),
        tool_span("x2", "kb", {"text": "b"}, [], call_id="c2", at_s=2),
    )
    assert [search.status for search in searches] == ["ok", "empty"]


def test_a_plain_tool_that_found_nothing_is_no_search() -> None:
    assert searches_of(tool_span("x1", "get_order", {"id": 7}, [], call_id="c1")) == ()


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("search_hr", {"query": "x"}, True),
        ("retrieve_documents", {"q": "x"}, True),
        ("lookup_policy", {"question": "x"}, True),
        ("knowledge_base", {"search_query": "x"}, True),
        ("docs.search", {"query": "x"}, True),
        ("VectorSearch", {"queries": ["x", "y"]}, True),
        ("searchDocs", {"query": "x"}, True),
        ("retrieveKnowledge", {"q": "x"}, True),
        ("HRSearch", {"query": "x"}, True),
        ("lookUpPolicy", {"question": "x"}, True),
        ("RAGTool", {"query": "x"}, True),
        ("Search the handbook", {"query": "x"}, True),
        ("Researcher", {"query": "x"}, False),
        ("storage", {"query": "x"}, False),
        ("search_hr", None, True),
        ("lookup_order", {"order_id": 7}, False),
        ("research", {"query": "x"}, False),
        ("create_ticket", {"query": "x"}, False),
    ],
)
def test_search_tools_are_known_by_name_and_query(
    name: str, arguments: Value, expected: object
) -> None:
    assert looks_like_search(name, arguments) is expected


def test_several_queries_are_one_text() -> None:
    assert query_in({"queries": ["a", "b"]}) == "a\nb"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param({"query": "x", "collection": "hr"}, "hr", id="an argument for it"),
        pytest.param({"query": "x", "region": "eu"}, "eu", id="a value that the schema lists"),
        pytest.param({"query": "x", "region": "mars"}, None, id="a value it does not list"),
        pytest.param({"query": "x", "lang": "en"}, None, id="another argument"),
    ],
)
def test_collection_of_a_search_tool(arguments: Value, expected: str | None) -> None:
    schema: Value = {
        "type": "object",
        "properties": {
            "query": {"type": "string"},
            "region": {"type": "string", "enum": ["eu", "us"]},
            "lang": {"type": "string", "enum": ["en"]},
        },
    }
    tools = (definition("kb", parameters=schema),)
    (search,) = searches_of(
        llm_span("l1", "How long?", "Thirty days.", tools_available=tools),
        tool_span("x1", "kb", arguments, HITS, call_id="c1"),
    )
    assert search.collection == expected


def test_a_collection_that_all_documents_name_is_inferred() -> None:
    (search,) = searches_of(retriever_span("r1", "q", [replace(A, collection="hr")]))
    assert (search.collection, search.collection_inferred) == ("hr", True)


def test_a_recorded_collection_that_the_convention_inferred_stays_inferred() -> None:
    fact = RetrievalFact(query="q", collection="kb", collection_inferred=True, documents=())
    (search,) = searches_of(span("r1", SpanKind.RETRIEVER, parent_id="a1", retrieval=fact))
    assert (search.collection, search.collection_inferred) == ("kb", True)


def test_the_collection_that_a_tool_was_asked_to_search_is_recorded() -> None:
    found = [replace(A, collection="hr")]
    (search,) = searches_of(
        tool_span("x1", "kb", {"query": "q", "collection": "hr"}, "a", call_id="c1"),
        retriever_span("r1", "q", found, parent_id="x1", at_s=0.1),
    )
    assert (search.collection, search.collection_inferred) == ("hr", False)


def test_queries_of_a_search_that_the_provider_ran() -> None:
    assert query_in(["days off", "leave"]) == "days off\nleave"
    assert query_in([7]) is None
    assert query_in([]) is None
