import pytest

from analysis.breakdown.selection import selection_of
from analysis.selecting import Sampling, is_selected, sampling
from ingest.errors import UsageError
from tests import builders as b

TURN = b.turn(
    language="de",
    service="shop",
    routing=b.routing(("triage", "orders"), collections=("faq",)),
    tool_calls=(b.tool_call("get_order"),),
)


@pytest.mark.parametrize(
    ("filters", "passes"),
    [
        pytest.param({}, True, id="no filter"),
        pytest.param({"agent": "orders"}, True, id="any agent that handled it"),
        pytest.param({"agent": "triage,billing"}, True, id="one of several"),
        pytest.param({"agent": "!triage"}, False, id="excluded"),
        pytest.param({"collection": "faq"}, True, id="routed to"),
        pytest.param({"tool": "get_order"}, True, id="called"),
        pytest.param({"tool": "get_customer"}, False, id="not called"),
        pytest.param({"language": "de", "service": "shop"}, True, id="both"),
        pytest.param({"language": "en", "service": "shop"}, False, id="one of both"),
        pytest.param({"model": "m"}, False, id="a model that was not recorded"),
    ],
)
def test_filters(filters: dict[str, str], passes: bool) -> None:  # noqa: FBT001
    assert is_selected(TURN, selection_of(**filters)) is passes


IDS = [f"c-{number}" for number in range(40)]


@pytest.mark.parametrize(
    ("text", "size"),
    [
        pytest.param("7", 7, id="a number"),
        pytest.param("25%", 10, id="a share"),
        pytest.param("1%", 1, id="a small share draws at least one"),
        pytest.param("100%", 40, id="everything"),
        pytest.param("99", 40, id="more than there is"),
    ],
)
def test_a_sample_draws_whole_conversations(text: str, size: int) -> None:
    drawn = sampling(text, limit=None, seed=1).drawn(IDS)
    assert drawn is not None
    assert len(drawn) == size
    assert drawn == sampling(text, limit=None, seed=1).drawn(list(reversed(IDS)))


def test_another_seed_draws_another_sample() -> None:
    assert Sampling(count=10, seed=1).drawn(IDS) != Sampling(count=10, seed=2).drawn(IDS)


def test_without_a_sample_everything_is_looked_at() -> None:
    assert sampling(None, limit=3, seed=0) == Sampling(limit=3)
    assert Sampling().drawn(IDS) is None


@pytest.mark.parametrize("text", ["0", "0%", "101%", "-3", "some", "", "٣"])
def test_what_is_no_sample_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        sampling(text, limit=None, seed=0)
