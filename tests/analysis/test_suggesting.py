import pytest

from analysis.suggesting import did_you_mean


@pytest.mark.parametrize(
    ("name", "known", "meant"),
    [
        pytest.param("wrong_tol", ["wrong_tool", "refused"], "Did you mean wrong_tool?", id="one letter"),
        pytest.param("DESK", ["desk-eu", "Desk"], "Did you mean Desk or desk-eu?", id="case"),
        pytest.param("hit_rate", ["hit_rate", "hit_rate"], "Did you mean hit_rate?", id="known twice"),
        pytest.param("x", ["wrong_tool"], None, id="none is near"),
        pytest.param("x", [], None, id="nothing is known"),
    ],
)  # fmt: skip
def test_the_nearest_names(name: str, known: list[str], meant: str | None) -> None:
    assert did_you_mean(name, known) == meant
