from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.metrics import citation as metrics
from analysis.metrics.citation import CitingParagraph
from analysis.metrics.measured import Measured, undefined
from analysis.metrics.ratio import NOTHING, Ratio
from judge.answers import SupportLabel, Unjudged
from stages.records import CitationStatus
from tests import builders as b
from tests.analysis.metrics.turns import Pairs, cited, judged, said

OF_CITING_PARAGRAPHS = [
    metrics.measure_faithfulness,
    metrics.measure_correctness,
    metrics.measure_precision,
]
Label = SupportLabel | None

labels = st.sampled_from(["full", "partial", "none", "contradicted", None])


def paragraph(support: Label, *pairs: Label) -> CitingParagraph:
    return CitingParagraph(support=support, pairs=pairs)


# Pure functions


@pytest.mark.parametrize(
    ("given_labels", "expected"),
    [
        pytest.param(["none", "partial", "full"], "full", id="the best"),
        pytest.param(["none", "partial"], "partial", id="partial is better than none"),
        pytest.param(["none", "none"], "none", id="none"),
        pytest.param(["full", "contradicted"], "contradicted", id="a contradiction wins"),
        pytest.param(["contradicted", None], "contradicted", id="nothing mends it"),
        pytest.param(["full", None], "full", id="nothing lifts full"),
        pytest.param(["partial", None], None, id="the undecided one may be better"),
        pytest.param([None], None, id="undecided"),
        pytest.param([], None, id="nothing asked"),
    ],
)
def test_cited_support(given_labels: list[Label], expected: Label) -> None:
    assert metrics.cited_support(given_labels) == expected
    assert metrics.cited_support(reversed(given_labels)) == expected


@pytest.mark.parametrize(
    ("supports", "expected"),
    [
        pytest.param(["full", "full", "none", "partial"], Ratio(2.5, 4), id="1, 1, 0, ½"),
        pytest.param(["contradicted"], Ratio(0, 1), id="a contradiction earns nothing"),
        pytest.param(["full", None], Ratio(1, 1), id="an open one is in no count"),
        pytest.param([None], NOTHING, id="all open"),
        pytest.param([], NOTHING, id="no paragraph"),
    ],
)
def test_faithfulness_and_recall_are_mean_support(supports: list[Label], expected: Ratio) -> None:
    assert metrics.faithfulness(paragraph(support) for support in supports) == expected
    assert metrics.citation_recall(supports) == expected


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        pytest.param(
            ["full", "full", "none", "partial", "full"], Ratio(4, 5), id="full and partial"
        ),
        pytest.param(["contradicted", "partial"], Ratio(1, 2), id="contradicted is misread"),
        pytest.param(["full", None], Ratio(1, 1), id="undecided is in no count"),
        pytest.param([None], NOTHING, id="all undecided"),
        pytest.param([], NOTHING, id="no pair"),
    ],
)
def test_citation_correctness(pairs: list[Label], expected: Ratio) -> None:
    assert metrics.citation_correctness(pairs) == expected


@pytest.mark.parametrize(
    ("paragraphs", "expected"),
    [
        pytest.param([paragraph("full", "full")], Ratio(1, 1), id="full"),
        pytest.param([paragraph("full", "full", "partial")], Ratio(1, 2), id="not needed"),
        pytest.param([paragraph("full", "full", "full")], Ratio(2, 2), id="both say it all"),
        pytest.param([paragraph("full", "partial", "partial")], Ratio(2, 2), id="full together"),
        pytest.param([paragraph("full", "partial", "none")], Ratio(1, 2), id="one adds nothing"),
        pytest.param([paragraph("full", "none", "none")], Ratio(0, 2), id="none says a part"),
        pytest.param([paragraph("partial", "partial")], Ratio(0, 1), id="not fully supported"),
        pytest.param(
            [paragraph("contradicted", "full", "contradicted")], Ratio(0, 2), id="contradicted"
        ),
        pytest.param([paragraph("full", "full", None)], Ratio(1, 1), id="undecided pair"),
        pytest.param([paragraph(None, "partial", None)], NOTHING, id="open paragraph"),
        pytest.param(
            [paragraph("full", "full"), paragraph("none", "none"), paragraph(None, None)],
            Ratio(1, 2),
            id="citations of all paragraphs",
        ),
        pytest.param([], NOTHING, id="no paragraph"),
    ],
)
def test_citation_precision(paragraphs: list[CitingParagraph], expected: Ratio) -> None:
    assert metrics.citation_precision(paragraphs) == expected


@pytest.mark.parametrize(
    ("statuses", "expected"),
    [
        pytest.param(["resolved", "resolved_earlier_turn"], Ratio(2, 2), id="resolve"),
        pytest.param(["out_of_range"], Ratio(0, 1), id="out of range"),
        pytest.param(["unknown_id"], Ratio(0, 1), id="unknown id"),
        pytest.param(["quote_not_in_chunk"], Ratio(0, 1), id="quote not there"),
        pytest.param(["resolved", "target_not_captured"], Ratio(1, 1), id="cannot be checked"),
        pytest.param(["resolved", "ambiguous"], Ratio(1, 1), id="neither valid nor invalid"),
        pytest.param(["ambiguous", "target_not_captured"], NOTHING, id="nothing to check"),
        pytest.param([], NOTHING, id="no citation"),
    ],
)
def test_citation_validity(statuses: list[CitationStatus], expected: Ratio) -> None:
    assert metrics.citation_validity(statuses) == expected


@given(st.lists(labels, max_size=5))
def test_more_evidence_never_lowers_support_unless_it_contradicts(found: list[Label]) -> None:
    before = metrics.cited_support(found)
    after = metrics.cited_support([*found, "full"])
    assert after is not None
    assert after == ("contradicted" if "contradicted" in found else "full")
    assert before is None or metrics.CREDIT[before] <= metrics.CREDIT[after]


@given(st.lists(st.lists(labels, min_size=1, max_size=3), max_size=4))
def test_metrics_of_paragraphs_do_not_depend_on_their_order(pairs: list[list[Label]]) -> None:
    paragraphs = [paragraph(metrics.cited_support(some), *some) for some in pairs]
    assert metrics.citation_precision(paragraphs) == metrics.citation_precision(paragraphs[::-1])
    assert metrics.faithfulness(paragraphs) == metrics.faithfulness(paragraphs[::-1])


@given(st.lists(st.lists(labels, min_size=1, max_size=3), max_size=4))
def test_a_citation_that_helps_was_read_rightly(pairs: list[list[Label]]) -> None:
    paragraphs = [paragraph(metrics.cited_support(some), *some) for some in pairs]
    correct = metrics.citation_correctness(label for some in pairs for label in some)
    assert metrics.citation_precision(paragraphs).hits <= correct.hits


# Turns


@pytest.mark.parametrize(
    ("places", "pairs", "faithful", "correct", "precise"),
    [
        pytest.param(
            ["1a", "2b"],
            {(1, "a"): "full", (2, "b"): "none"},
            (1, 2),
            (1, 2),
            (1, 2),
            id="one good one bad",
        ),
        pytest.param(
            ["1a", "1b"],
            {(1, "a"): "partial", (1, "b"): "partial", (1, "a+b"): "full"},
            (1, 1),
            (2, 2),
            (2, 2),
            id="full together",
        ),
        pytest.param(
            ["1a", "1b"],
            {(1, "a"): "partial", (1, "b"): "none", (1, "a+b"): "partial"},
            (0.5, 1),
            (1, 2),
            (0, 2),
            id="partial together",
        ),
        pytest.param(
            ["1a", "1b"],
            {(1, "a"): "partial", (1, "b"): "partial", (1, "a+b"): None},
            "support_undecided",
            (2, 2),
            "support_undecided",
            id="together undecided",
        ),
        pytest.param(
            ["1a", "1b"],
            {(1, "a"): "full"},
            (1, 1),
            (1, 1),
            (1, 1),
            id="the other pair was never asked",
        ),
        pytest.param(
            ["1a", "1a", "1b"],
            {(1, "a"): "full", (1, "b"): "none"},
            (1, 1),
            (1, 2),
            (2, 3),
            id="a source cited twice is one pair and two citations",
        ),
        pytest.param(
            ["1a", "2a"],
            {(1, "a"): "full", (2, "a"): "contradicted"},
            (1, 2),
            (1, 2),
            (1, 2),
            id="a source of two paragraphs is two pairs",
        ),
        pytest.param(
            ["1a", "1!", "2!"],
            {(1, "a"): "full"},
            (1, 1),
            (1, 1),
            (1, 1),
            id="what does not resolve is not cited",
        ),
        pytest.param(
            ["1a", "1?"],
            {(1, "a"): "partial"},
            "support_undecided",
            (1, 1),
            "support_undecided",
            id="an unclear citation may support more",
        ),
        pytest.param(
            ["1a", "1*"], {(1, "a"): "full"}, (1, 1), (1, 1), (1, 1), id="or not, beside full"
        ),
        pytest.param(
            ["1a", "2?"],
            {(1, "a"): "partial"},
            (0.5, 1),
            (1, 1),
            (0, 1),
            id="an unclear citation of another paragraph opens nothing here",
        ),
        pytest.param(
            ["1<a", "0b"],
            {(1, "a"): "full"},
            (1, 1),
            (1, 1),
            (1, 1),
            id="an earlier turn's source, and one outside the paragraphs",
        ),
        pytest.param(
            ["1a"],
            {(1, "a"): "full", (2, "a"): "contradicted", (1, "b"): "contradicted"},
            (1, 1),
            (1, 1),
            (1, 1),
            id="verdicts on what is not cited there",
        ),
        pytest.param(
            ["1a", "1~b"],
            {(1, "a"): "full", (1, "b"): "contradicted"},
            (1, 1),
            (1, 1),
            (1, 1),
            id="a quote that is not there cites nothing",
        ),
    ],
)
def test_paragraphs_that_cite(
    places: list[str],
    pairs: Pairs,
    faithful: tuple[float, int] | str,
    correct: tuple[float, int] | str,
    precise: tuple[float, int] | str,
) -> None:
    turn = judged("a3 b3", cites=cited(*places), pairs=pairs)
    assert [measure(turn) for measure in OF_CITING_PARAGRAPHS] == [
        _expected(given) for given in (faithful, correct, precise)
    ]


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        pytest.param({"cites": []}, "no_citations", id="cites nothing"),
        pytest.param({"cites": cited("1!")}, "no_citations", id="nothing resolves"),
        pytest.param({"cites": cited("0a")}, "no_citations", id="outside the paragraphs"),
        pytest.param({"cites": cited("1!", "1?")}, "citations_unclear", id="perhaps it cites"),
        pytest.param({"cites": cited("1*")}, "citations_unclear", id="target not captured"),
        pytest.param({"cites": cited("1a")}, "not_asked", id="not asked"),
        pytest.param(
            {"cites": cited("1a"), "pairs": {(1, "a"): None}}, "support_undecided", id="undecided"
        ),
        pytest.param({"cites": cited("1d")}, "chunk_text_not_captured", id="chunk without text"),
        pytest.param(
            {"cites": cited("1d"), "not_judged": "incomplete"}, "incomplete", id="not judged"
        ),
        pytest.param({"generation": None}, "no_generation", id="no generation"),
        pytest.param({"answer": None}, "answer_not_captured", id="answer not captured"),
    ],
)
def test_why_citing_paragraphs_say_nothing(fields: dict[str, Any], reason: str) -> None:
    turn = judged("a3 d-", **fields)
    found = [measure(turn) for measure in OF_CITING_PARAGRAPHS]
    assert found == [undefined(reason)] * len(OF_CITING_PARAGRAPHS)


@pytest.mark.parametrize(
    ("needs", "places", "pairs", "expected"),
    [
        pytest.param([True], ["1a"], {(1, "a"): "full"}, (1, 1), id="cited and supported"),
        pytest.param([True], ["1a"], {(1, "a"): "partial"}, (0.5, 1), id="half supported"),
        pytest.param([True], ["1a"], {(1, "a"): "contradicted"}, (0, 1), id="contradicted"),
        pytest.param([True], [], {}, (0, 1), id="uncited"),
        pytest.param([True], ["1!"], {}, (0, 1), id="cites what does not exist"),
        pytest.param([True], ["2a"], {(2, "a"): "full"}, (0, 1), id="cited elsewhere"),
        pytest.param([False, True], ["2a"], {(2, "a"): "full"}, (1, 1), id="one needs none"),
        pytest.param(
            [True, True, True],
            ["1a", "2b", "2a"],
            {(1, "a"): "full", (2, "a"): "none", (2, "b"): "partial", (2, "a+b"): "full"},
            (2, 3),
            id="alone, together, uncited",
        ),
        pytest.param([True, True], ["2a"], {(2, "a"): None}, (0, 1), id="an open one is left out"),
        pytest.param([True], ["1a"], {(1, "a"): None}, "support_undecided", id="all open"),
        pytest.param([True], ["1?"], {}, "not_asked", id="perhaps cited"),
        pytest.param([False], ["1a"], {}, "no_source_needed", id="none needs a source"),
        pytest.param([], [], {}, "no_source_needed", id="no paragraph"),
    ],
)
def test_citation_recall_of_a_turn(
    needs: list[bool], places: list[str], pairs: Pairs, expected: tuple[float, int] | str
) -> None:
    turn = judged(
        "a3 b3", cites=cited(*places), pairs=pairs, judgement=said(needs), citing_expected=True
    )
    assert metrics.measure_recall(turn) == _expected(expected)


@pytest.mark.parametrize(
    ("searches", "fields", "reason"),
    [
        pytest.param(["a3"], {"citing_expected": False}, "citing_not_expected", id="not expected"),
        pytest.param([], {"cites": []}, "no_retrieval", id="nothing searched, nothing cited"),
        pytest.param(["a3"], {"judgement": None}, "not_asked", id="not asked"),
        pytest.param(
            ["a3"],
            {"judgement": None, "not_judged": "template_answer"},
            "template_answer",
            id="not judged",
        ),
        pytest.param(
            ["a3"], {"judgement": Unjudged(reason="refused")}, "refused", id="the judge refused"
        ),
        pytest.param(["a3"], {"generation": None}, "no_generation", id="no generation"),
        pytest.param(["a3"], {"answer": None}, "answer_not_captured", id="answer not captured"),
    ],
)
def test_why_there_is_no_citation_recall(
    searches: list[str], fields: dict[str, Any], reason: str
) -> None:
    defaults: dict[str, Any] = {
        "cites": cited("1a"),
        "pairs": {(1, "a"): "full"},
        "judgement": said([True]),
        "citing_expected": True,
    }
    turn = judged(*searches, **(defaults | fields))
    assert metrics.measure_recall(turn) == undefined(reason)


def test_an_answer_that_cites_a_tool_is_measured_without_a_retrieval() -> None:
    call = b.tool_call("orders", call_id="a")
    turn = judged(
        tool_calls=(call,),
        cites=cited("1a"),
        pairs={(1, "a"): "full"},
        judgement=said([True, True]),
        citing_expected=True,
    )
    assert metrics.measure_recall(turn) == Measured(hits=1, total=2)
    assert metrics.measure_validity(turn) == Measured(hits=1, total=1)
    found = [measure(turn) for measure in OF_CITING_PARAGRAPHS]
    assert found == [Measured(hits=1, total=1)] * len(OF_CITING_PARAGRAPHS)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        pytest.param({"cites": cited("1a", "1!", "0a", "2?")}, (2, 3), id="two of three"),
        pytest.param({"cites": cited("1!"), "not_judged": "incomplete"}, (0, 1), id="no judge"),
        pytest.param({"cites": []}, "no_citations", id="cites nothing"),
        pytest.param({"cites": cited("1*", "1?")}, "citations_unclear", id="cannot be checked"),
        pytest.param({"generation": None}, "no_generation", id="no generation"),
        pytest.param({"answer": None}, "answer_not_captured", id="answer not captured"),
    ],
)
def test_citation_validity_of_a_turn(
    fields: dict[str, Any], expected: tuple[float, int] | str
) -> None:
    assert metrics.measure_validity(judged("a3", **fields)) == _expected(expected)


def _expected(given: tuple[float, int] | str) -> Measured:
    return undefined(given) if isinstance(given, str) else Measured(hits=given[0], total=given[1])
