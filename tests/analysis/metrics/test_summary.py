import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.intervals import bootstrap_mean, design_effect, wilson
from analysis.metrics import METRICS, measure
from analysis.metrics.measured import Measured, undefined
from analysis.metrics.metric import Metric, Unit
from analysis.metrics.summary import Summary, summarise, summary_of
from tests.analysis.metrics.turns import judged

Row = tuple[Metric, str, Measured]

RATE = Metric(name="tool_ok_rate", stage="routing", compute=lambda _: undefined("not_asked"))
MEAN = Metric(name="ndcg", stage="retrieval", compute=lambda _: undefined("not_asked"))
PRECISION = Metric(name="precision_at_5", stage="retrieval", compute=lambda _: undefined("x"))


def of(hits: float, total: int = 1, *lengths: int) -> Measured:
    return Measured(hits=hits, total=total, lengths=lengths)


def one(*rows: Row) -> Summary:
    (summary,) = summarise(rows).values()
    return summary


def test_a_rate_pools_counts() -> None:
    found = one((RATE, "c1", of(1, 4)), (RATE, "c2", of(1, 1)))
    assert found.value == 2 / 5
    assert (found.hits, found.total, found.turns, found.conversations) == (2, 5, 2, 2)
    bounds = wilson(2, 5)
    assert bounds is not None
    assert (found.low, found.high) == (bounds.low, bounds.high)


def test_a_mean_averages_turns() -> None:
    found = one((MEAN, "c1", of(1, 4)), (MEAN, "c2", of(1, 1)))
    assert found.value == (0.25 + 1) / 2
    assert (found.hits, found.total, found.turns, found.conversations) == (2, 5, 2, 2)
    assert found.design_effect is None


def test_turns_of_one_conversation_widen_the_interval_of_a_rate() -> None:
    rows = [(RATE, f"c{n // 2}", of(n // 2 % 2)) for n in range(20)]
    found = one(*rows)
    assert found.design_effect == pytest.approx(20 / 9)
    bounds = wilson(10, 20, 20 / 9)
    assert bounds is not None
    assert (found.low, found.high) == pytest.approx((bounds.low, bounds.high))


def test_one_turn_each_has_no_design_effect_however_many_calls_it_made() -> None:
    found = one((RATE, "c1", of(3, 3)), (RATE, "c2", of(0, 3)))
    assert found.design_effect == 1
    assert design_effect([3, 0], [3, 3]) > 1


def test_the_interval_of_a_mean_draws_conversations() -> None:
    values = {"c1": [0.0, 0.5, 1.0], "c2": [1.0], "c3": [0.5, 0.5]}
    rows = [(MEAN, name, of(value)) for name, some in values.items() for value in some]
    found = one(*rows)
    bounds = bootstrap_mean([1.5, 1.0, 1.0], [3, 1, 2])
    assert bounds is not None
    assert found.value == pytest.approx(3.5 / 6)
    assert (found.low, found.high) == (bounds.low, bounds.high)


def test_turns_without_a_value_are_counted_by_reason_and_in_nothing_else() -> None:
    found = one(
        (MEAN, "c1", undefined("not_asked")),
        (MEAN, "c2", of(0.5)),
        (MEAN, "c3", undefined("no_gain")),
        (MEAN, "c3", undefined("no_gain")),
        (MEAN, "c4", undefined("api_error")),
    )
    assert found.value == 0.5
    assert (found.turns, found.conversations) == (1, 1)
    assert list(found.undefined.items()) == [("no_gain", 2), ("api_error", 1), ("not_asked", 1)]


@pytest.mark.parametrize("metric", [RATE, MEAN], ids=["rate", "mean"])
def test_a_metric_without_any_value_is_there_and_says_why(metric: Metric) -> None:
    found = one((metric, "c1", undefined("not_asked")))
    assert (found.value, found.low, found.high) == (None, None, None)
    assert (found.turns, found.conversations, found.hits, found.total) == (0, 0, 0, 0)
    assert found.undefined == {"not_asked": 1}


@pytest.mark.parametrize(
    ("values", "rate_bounds"),
    [
        pytest.param([1.0], wilson(1, 1), id="of one turn"),
        pytest.param([1.0, 0.0], wilson(1, 2, 2), id="of two turns is one observation"),
    ],
)
def test_a_single_conversation(values: list[float], rate_bounds: object) -> None:
    rate = one(*[(RATE, "c1", of(value)) for value in values])
    assert [rate.low, rate.high] == [getattr(rate_bounds, end) for end in ("low", "high")]
    mean = one(*[(MEAN, "c1", of(value)) for value in values])
    assert mean.value is not None
    assert (mean.low, mean.high) == (None, None)


@pytest.mark.parametrize(
    ("lengths", "expected"),
    [
        pytest.param([(3,), (8,), (9,)], 8, id="odd"),
        pytest.param([(3,), (8,)], 5.5, id="even"),
        pytest.param([(1, 2, 2), (9,)], 2, id="of all searches"),
        pytest.param([(0,)], 0, id="empty lists are lists"),
        pytest.param([(), ()], None, id="a metric without lists"),
    ],
)
def test_median_length_of_the_lists(lengths: list[tuple[int, ...]], expected: float) -> None:
    rows = [(PRECISION, f"c{n}", of(1, 5, *some)) for n, some in enumerate(lengths)]
    assert one(*rows).median_length == expected


def test_metrics_are_kept_apart_in_the_order_of_appearance() -> None:
    found = summarise([(RATE, "c1", of(1)), (MEAN, "c1", of(0)), (RATE, "c2", of(0))])
    assert list(found) == ["tool_ok_rate", "ndcg"]
    assert (found["tool_ok_rate"].turns, found["ndcg"].turns) == (2, 1)


def test_nothing_to_sum_up() -> None:
    assert summarise([]) == {}


def test_quantities_are_averaged() -> None:
    tokens = Metric(name="input_tokens", stage="service", unit="tokens", compute=MEAN.compute)
    found = one((tokens, "c1", of(100)), (tokens, "c2", of(300)))
    assert found.value == 200
    assert (found.low, found.high) == (100, 300)


@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
def test_two_conversations_that_are_equal_claim_no_certainty(value: float) -> None:
    found = one((MEAN, "c1", of(value)), (MEAN, "c2", of(value)))
    bounds = wilson(2 * value, 2)
    assert bounds is not None
    assert found.value == value
    assert (found.low, found.high) == (bounds.low, bounds.high)


@pytest.mark.parametrize(
    ("unit", "value"),
    [
        pytest.param("tokens", 0.5, id="a quantity, however small"),
        pytest.param("ms", 300, id="a time"),
        pytest.param("share", -0.1, id="a cosine below zero"),
        pytest.param("share", 1.1, id="above one"),
    ],
)
def test_what_is_no_share_has_no_interval_where_it_does_not_vary(unit: Unit, value: float) -> None:
    metric = Metric(name="m", stage="service", unit=unit, compute=MEAN.compute)
    found = one((metric, "c1", of(value)), (metric, "c2", of(value)))
    assert found.value == pytest.approx(value)
    assert (found.low, found.high) == (None, None)


def test_columns_give_what_rows_give() -> None:
    rows = [(RATE, "a", of(1, 3)), (RATE, "a", of(2, 2)), (RATE, "b", of(0, 4))]
    columns = summary_of(
        "rate", np.array([7, 7, 2]), np.array([1.0, 2.0, 0.0]), np.array([3, 2, 4])
    )
    assert columns == one(*rows)
    alike = summary_of("mean", [0, 1], [1.0, 1.0], [1, 1])  # a share, unless told otherwise
    assert alike == one((MEAN, "a", of(1)), (MEAN, "b", of(1)))
    assert alike.low is not None


def test_turns_are_summed_up_as_they_are_measured() -> None:
    turns = [judged("a3 b0", conversation_id="c1"), judged("a0 b2", conversation_id="c2")]
    found = summarise(
        (metric, turn.turn.conversation_id, measured)
        for turn in turns
        for metric, measured in measure(turn)
    )
    assert list(found) == [metric.name for metric in METRICS]
    assert found["precision_at_5"].value == pytest.approx(0.2)
    assert found["precision_at_5"].median_length == 2
    assert found["ndcg"].value == pytest.approx((1 + 1 / math.log2(3)) / 2)
    assert found["faithfulness"].undefined == {"no_citations": 2}
    assert found["duration_ms"].value == 5_000


@given(st.permutations([("a", [1 / 3, 0.1]), ("b", [0.7]), ("c", [1e-9, 0.2, 1.0]), ("d", [])]))
def test_no_bit_depends_on_the_order_of_conversations(
    conversations: list[tuple[str, list[float]]],
) -> None:
    rows = [(MEAN, name, of(value)) for name, values in conversations for value in values]
    straight = [(MEAN, name, of(v)) for name, vs in sorted(conversations) for v in vs]
    assert summarise(rows) == summarise(straight)


@given(st.lists(st.integers(1, 5).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))))
def test_the_whole_rate_is_the_sum_of_its_turns(counts: list[tuple[int, int]]) -> None:
    rows = [(RATE, f"c{n % 3}", of(*some)) for n, some in enumerate(counts)]
    found = summarise(rows).get("tool_ok_rate")
    hits, total = sum(h for h, _ in counts), sum(n for _, n in counts)
    if not counts:
        assert found is None
    else:
        assert found is not None
        assert (found.hits, found.total) == (hits, total)
        assert found.low is not None
        assert found.high is not None
        assert found.value is not None
        bounds = [0, found.low, found.value, found.high, 1]
        assert all(low <= high + 1e-12 for low, high in pairwise(bounds))
