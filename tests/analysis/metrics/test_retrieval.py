from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.judged import JudgedTurn
from analysis.metrics import retrieval as metrics
from analysis.metrics.measured import Measured, undefined
from analysis.metrics.ratio import NOTHING, Ratio
from stages.records import Retrieval
from tests import builders as b
from tests.analysis.metrics.turns import cited, judged, search

OF_CHUNKS = [metrics.measure_context_relevance, metrics.measure_max_relevance]
OF_CITED_CHUNKS = [
    metrics.measure_cited_relevance,
    metrics.measure_cited_precision,
    metrics.measure_cited_recall,
]


def at_5(judged: JudgedTurn) -> Measured:
    return metrics.measure_precision(judged, k=5)


ALL = [*OF_CHUNKS, at_5, metrics.measure_ndcg, *OF_CITED_CHUNKS]


# Lists


@pytest.mark.parametrize(
    ("chunks", "grades", "left", "gone"),
    [
        pytest.param("a3 b0", {"a": 3, "b": 0}, [("a", 3), ("b", 0)], "", id="as ranked"),
        pytest.param(
            "a3+2 b0+1", {"a": 3, "b": 0}, [("b", 0), ("a", 3)], "", id="the rank decides"
        ),
        pytest.param(
            "a3+2 b0+3 a3+1 a3+4", {"a": 3, "b": 0}, [("a", 3), ("b", 0)], "", id="best rank counts"
        ),
        pytest.param("a3 b? c1", {"a": 3, "c": 1}, [("a", 3), ("c", 1)], "b", id="condensed"),
        pytest.param("a?", {}, [], "a", id="nothing judged"),
        pytest.param("", {"z": 3}, [], "", id="empty"),
    ],
)
def test_graded_list(
    chunks: str, grades: dict[str, int], left: list[tuple[str, int]], gone: str
) -> None:
    made = metrics.graded_list(search(chunks).chunks, grades)
    assert list(made.grades.items()) == left
    assert [chunk.chunk_id for chunk in made.unjudged] == list(gone)


@pytest.mark.parametrize(
    ("judged_chunks", "unjudged", "measurable"),
    [
        pytest.param(4, 1, True, id="one in five is allowed"),
        pytest.param(3, 1, False, id="one in four is not"),
        pytest.param(8, 2, True, id="two in ten are allowed"),
        pytest.param(7, 2, False, id="two in nine are not"),
        pytest.param(0, 1, False, id="only an unjudged one"),
        pytest.param(0, 0, True, id="an empty list is known to be empty"),
    ],
)
def test_more_than_one_in_five_unjudged_is_too_many(
    *, judged_chunks: int, unjudged: int, measurable: bool
) -> None:
    ids = [str(number) for number in range(judged_chunks + unjudged)]
    chunks = [b.chunk(chunk_id, rank=rank) for rank, chunk_id in enumerate(ids, start=1)]
    grades = dict.fromkeys(ids[:judged_chunks], 1)
    assert metrics.graded_list(chunks, grades).measurable is measurable


@pytest.mark.parametrize(
    ("grades", "ids", "relevance", "precision", "recall"),
    [
        pytest.param(
            {"a": 3, "b": 1, "c": 2, "d": 0},
            "ab",
            Ratio(4 / 3, 2),
            Ratio(1, 4),
            Ratio(1, 2),
            id="one good and one bad cited",
        ),
        pytest.param(
            {"a": 3, "b": 2}, "ab", Ratio(5 / 3, 2), Ratio(2, 2), Ratio(2, 2), id="all cited"
        ),
        pytest.param({"a": 3}, "", NOTHING, Ratio(0, 1), Ratio(0, 1), id="nothing cited"),
        pytest.param(
            {"a": 3}, "z", NOTHING, Ratio(0, 1), Ratio(0, 1), id="only others' sources cited"
        ),
        pytest.param({"a": 1}, "a", Ratio(1 / 3, 1), Ratio(0, 1), NOTHING, id="none relevant"),
        pytest.param({}, "a", NOTHING, NOTHING, NOTHING, id="nothing retrieved"),
    ],
)
def test_cited_chunks(
    grades: dict[str, int], ids: str, relevance: Ratio, precision: Ratio, recall: Ratio
) -> None:
    assert metrics.cited_relevance(grades, set(ids)) == relevance
    assert metrics.cited_precision(grades, set(ids)) == precision
    assert metrics.cited_recall(grades, set(ids)) == recall


# Turns


@pytest.mark.parametrize(
    ("searches", "context", "best"),
    [
        pytest.param(["a3 b0 c2"], Measured(hits=5 / 3, total=3), 1, id="one search"),
        pytest.param(["a1 b1", "b1 c2"], Measured(hits=4 / 3, total=3), 2 / 3, id="b counts once"),
        pytest.param(["a0 b0"], Measured(hits=0, total=2), 0, id="nothing relevant is zero"),
        pytest.param(["a3", ""], Measured(hits=1, total=1), 1, id="an empty search adds none"),
        pytest.param(["a2 b2 c2 d2 e?"], Measured(hits=8 / 3, total=4), 2 / 3, id="condensed"),
        pytest.param(
            ["a2 b2", "c2 d2 e?"], Measured(hits=8 / 3, total=4), 2 / 3, id="one in five of all"
        ),
    ],
)
def test_relevance_of_the_distinct_chunks(
    searches: list[str], context: Measured, best: float
) -> None:
    turn = judged(*searches)
    assert metrics.measure_context_relevance(turn) == context
    assert metrics.measure_max_relevance(turn) == Measured(hits=best, total=1)


@pytest.mark.parametrize(
    ("searches", "expected"),
    [
        pytest.param(["a3 b0 c2"], Measured(hits=2, total=5, lengths=(3,)), id="two of five"),
        pytest.param(
            ["a0", "b3 c2 d0"], Measured(hits=2, total=10, lengths=(1, 3)), id="mean of two"
        ),
        pytest.param(["a3", "a3"], Measured(hits=2, total=10, lengths=(1, 1)), id="in both lists"),
        pytest.param(["a3 b3", ""], Measured(hits=2, total=10, lengths=(2, 0)), id="one empty"),
        pytest.param([""], Measured(hits=0, total=5, lengths=(0,)), id="empty has 0 of k"),
        pytest.param(
            ["a0 b0 c0 d0 e? f3"],
            Measured(hits=1, total=5, lengths=(5,)),
            id="place 6 moves up for an unjudged one",
        ),
        pytest.param(
            ["a3+2 a3+1 b2+3"], Measured(hits=2, total=5, lengths=(2,)), id="a repeat counts once"
        ),
        pytest.param(
            ["a3 b?", "c2"], Measured(hits=1, total=5, lengths=(1,)), id="an unmeasurable search"
        ),
    ],
)
def test_precision_of_a_turn(searches: list[str], expected: Measured) -> None:
    assert at_5(judged(*searches)) == expected


def test_precision_takes_its_cutoff() -> None:
    turn = judged("a0 b3")
    assert metrics.measure_precision(turn, k=1).value == 0
    assert metrics.measure_precision(turn, k=2).value == 0.5


@pytest.mark.parametrize(
    ("searches", "expected"),
    [
        pytest.param(["a3 b0"], Measured(hits=1, total=1), id="best order"),
        pytest.param(["a0 b1 c2"], Measured(hits=0.5, total=1), id="best chunk last"),
        pytest.param(["a3 b0", "c0 d0 e2"], Measured(hits=1.5, total=2), id="mean of two"),
        pytest.param(["a3 b0", "c0 d1"], Measured(hits=1, total=1), id="one without gain"),
        pytest.param(["a3 b0", "c3"], Measured(hits=1, total=1), id="one of a single chunk"),
        pytest.param(["a3 b0", "c0 d? e2"], Measured(hits=1, total=1), id="one unmeasurable"),
        pytest.param(["a0+3 b2+2 c0+1"], Measured(hits=1.26186 / 2, total=1), id="ranks decide"),
        pytest.param(["a3 a3"], undefined("fewer_than_two_chunks"), id="twice the same chunk"),
        pytest.param(["a3"], undefined("fewer_than_two_chunks"), id="one chunk"),
        pytest.param(["a1 b0"], undefined("no_gain"), id="nothing to gain"),
        pytest.param(["a1 b1", "c3"], undefined("no_gain"), id="no gain, and a single chunk"),
        pytest.param([""], undefined("nothing_retrieved"), id="empty"),
    ],
)
def test_ndcg_of_a_turn(searches: list[str], expected: Measured) -> None:
    found = metrics.measure_ndcg(judged(*searches))
    assert found.hits == pytest.approx(expected.hits, abs=1e-5)
    assert (found.total, found.reason) == (expected.total, expected.reason)


def test_ndcg_can_be_cut() -> None:
    assert metrics.measure_ndcg(judged("a0 b0 c2"), k=2) == Measured(hits=0, total=1)


@pytest.mark.parametrize(
    ("places", "expected", "relevance", "precision", "recall"),
    [
        pytest.param(["1a", "1b"], False, (4 / 3, 2), (1, 4), (1, 2), id="one good one bad"),
        pytest.param(["1a", "2a"], False, (1, 1), (1, 4), (1, 2), id="cited twice counts once"),
        pytest.param(["0c"], False, (2 / 3, 1), (1, 4), (1, 2), id="outside the paragraphs"),
        pytest.param(["1!"], False, "nothing_cited", (0, 4), (0, 2), id="an invalid one cites"),
        pytest.param(["1<z"], False, "nothing_cited", (0, 4), (0, 2), id="an earlier turn's chunk"),
        pytest.param(["1a", "1?"], False, (1, 1), (1, 4), (1, 2), id="one of two is unclear"),
        pytest.param([], True, "nothing_cited", (0, 4), (0, 2), id="cites nothing, but should"),
        pytest.param(["1?"], True, *["citations_unclear"] * 3, id="perhaps it cites"),
        pytest.param(["1*"], False, *["citations_unclear"] * 3, id="target not captured"),
        pytest.param(["1*", "1?"], True, *["citations_unclear"] * 3, id="both kinds of unclear"),
        pytest.param(["1~a"], False, "nothing_cited", (0, 4), (0, 2), id="the quote is not there"),
        pytest.param([], False, *["no_citations"] * 3, id="cites nothing, and need not"),
    ],
)
def test_cited_chunks_of_a_turn(
    *,
    places: list[str],
    expected: bool,
    relevance: tuple[float, int] | str,
    precision: tuple[float, int] | str,
    recall: tuple[float, int] | str,
) -> None:
    turn = judged("a3 b1", "c2 d0", cites=cited(*places), citing_expected=expected)
    found = [measure(turn) for measure in OF_CITED_CHUNKS]
    for measured, given_value in zip(found, (relevance, precision, recall), strict=True):
        if isinstance(given_value, str):
            assert measured == undefined(given_value)
        else:
            assert (measured.hits, measured.total) == pytest.approx(given_value)


def test_no_relevant_chunk_has_no_recall() -> None:
    turn = judged("a1 b0", cites=cited("1a"))
    assert metrics.measure_cited_recall(turn) == undefined("nothing_relevant")
    assert metrics.measure_cited_precision(turn) == Measured(hits=0, total=2)


def test_the_cited_chunks_must_be_judged_themselves() -> None:
    turn = judged("a3 b3 c3 d3 e?", cites=cited("1d", "1e"))
    assert metrics.measure_cited_relevance(turn) == undefined("too_many_unjudged")
    assert metrics.measure_cited_precision(turn) == Measured(hits=1, total=4)


@pytest.mark.parametrize(
    ("searches", "fields", "reason"),
    [
        pytest.param([], {}, "no_retrieval", id="nothing was searched"),
        pytest.param([], {"not_judged": "incomplete"}, "no_retrieval", id="nor judged"),
        pytest.param(
            [search("", status="not_captured")], {}, "retrieval_not_captured", id="not captured"
        ),
        pytest.param([search("", status="error")], {}, "retrieval_failed", id="failed"),
        pytest.param(
            [search("", status="error"), search("", status="not_captured")],
            {},
            "retrieval_not_captured",
            id="failed and not captured",
        ),
        pytest.param(
            ["a3", ""], {"not_judged": "template_answer"}, "template_answer", id="not judged"
        ),
        pytest.param(["a? b3"], {}, "too_many_unjudged", id="undecided"),
        pytest.param(
            [search("a? b3")], {"grades": "a?"}, "too_many_unjudged", id="undecided and not asked"
        ),
        pytest.param(["a- b3"], {}, "chunk_text_not_captured", id="no text"),
        pytest.param(["a- b?"], {}, "chunk_text_not_captured", id="no text, and undecided"),
        pytest.param([search("a3")], {}, "not_asked", id="not asked"),
    ],
)
def test_why_a_retrieval_says_nothing(
    searches: list[str | Retrieval], fields: dict[str, Any], reason: str
) -> None:
    turn = judged(*searches, cites=cited("1a", "1b"), **fields)
    assert [measure(turn) for measure in ALL] == [undefined(reason)] * len(ALL)


def test_without_a_search_nothing_could_be_cited() -> None:
    turn = judged(cites=[], citing_expected=False)
    assert [measure(turn) for measure in ALL] == [undefined("no_retrieval")] * len(ALL)


@pytest.mark.parametrize(
    ("generation", "reason"),
    [
        pytest.param(None, "no_generation", id="no answer was generated"),
        pytest.param(b.generation(None), "answer_not_captured", id="it was not captured"),
    ],
)
def test_without_an_answer_nothing_is_known_of_citations(generation: Any, reason: str) -> None:
    turn = judged("a3 b0", generation=generation, citing_expected=True)
    assert [measure(turn) for measure in OF_CITED_CHUNKS] == [undefined(reason)] * 3
    assert metrics.measure_context_relevance(turn) == Measured(hits=1, total=2)


@pytest.mark.parametrize("status", ["not_captured", "error"])
def test_a_search_that_tells_nothing_is_left_out_of_the_others(status: Any) -> None:
    turn = judged(search("a3 b0"), search("", status=status), grades="a3 b0")
    assert at_5(turn) == Measured(hits=1, total=5, lengths=(2,))
    assert metrics.measure_context_relevance(turn) == Measured(hits=1, total=2)


def test_chunks_of_a_failed_search_count_when_there_are_any() -> None:
    turn = judged(search("a3", status="error"), grades="a3")
    assert metrics.measure_context_relevance(turn) == Measured(hits=1, total=1)


@pytest.mark.parametrize("status", ["ok", "empty"])
def test_a_search_that_worked_and_brought_nothing_has_none_of_k(status: Any) -> None:
    assert at_5(judged(search("", status=status))) == Measured(hits=0, total=5, lengths=(0,))


def test_an_empty_search_needs_no_verdict() -> None:
    turn = judged("")
    assert at_5(turn).value == 0
    assert [measure(turn) for measure in OF_CHUNKS] == [undefined("nothing_retrieved")] * 2
    citing = judged("", cites=cited("1!"))
    assert [measure(citing) for measure in OF_CITED_CHUNKS] == [
        undefined("nothing_cited"),
        undefined("nothing_retrieved"),
        undefined("nothing_retrieved"),
    ]


ranked = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), st.integers(1, 20)),
    max_size=8,
    unique_by=lambda chunk: chunk[1],
)


@given(ranked, st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 3)))
def test_the_place_in_the_sequence_does_not_matter_to_a_list(
    ranks: list[tuple[str, int]], grades: dict[str, int]
) -> None:
    chunks = [b.chunk(name, rank=rank) for name, rank in ranks]
    one, other = (metrics.graded_list(order, grades) for order in (chunks, chunks[::-1]))
    assert list(one.grades.items()) == list(other.grades.items())
    assert one.unjudged == other.unjudged


@given(
    st.dictionaries(st.sampled_from("abcdefgh"), st.integers(0, 3)),
    st.sets(st.sampled_from("abcdefgh")),
    st.sampled_from("abcdefgh"),
)
def test_citing_one_more_chunk_lowers_neither_precision_nor_recall(
    grades: dict[str, int], ids: set[str], one_more: str
) -> None:
    more = ids | {one_more}
    for metric in (metrics.cited_precision, metrics.cited_recall):
        fewer_hits, more_hits = metric(grades, ids), metric(grades, more)
        assert fewer_hits.total == more_hits.total
        assert fewer_hits.hits <= more_hits.hits
