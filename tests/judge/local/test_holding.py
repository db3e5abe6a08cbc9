import pytest

from judge.local.evidence import pieces
from judge.local.holding import Held, hold
from judge.local.matching import Rarity
from judge.local.thresholds import thresholds

TEXT = (
    "The keeper, Martha Klein, takes the animals to the doctor twice a year. The zoo pays for it."
)


def held(claim: str, question: str = "") -> Held:
    blank = {"title": None, "tool": None, "arguments": None, "status": None}
    evidence = pieces([{"label": "evidence 1", "kind": "chunk", "text": TEXT, **blank}])
    return hold(claim, evidence, question, Rarity.of([TEXT]), thresholds())


@pytest.mark.parametrize(
    ("closer", "farther"),
    [
        pytest.param(
            "The keeper brings the animals to the veterinarian.",
            "The keeper brings the animals to the playground.",
            id="another word for it",
        ),
        pytest.param(
            "The keeper Martha takes the animals to the doctor.",
            "The keeper Brenda takes the animals to the doctor.",
            id="a name has no other word",
        ),
        pytest.param(
            "The keeper Brenda takes the animals to the doctor.",
            "The keeper Brenda Smith takes the animals to the doctor.",
            id="every missing name counts",
        ),
    ],
)
def test_what_stands_there_more_fully_scores_higher(closer: str, farther: str) -> None:
    assert held(closer).score > held(farther).score


def test_a_name_that_the_user_brought_up_is_not_missed() -> None:
    claim = "The keeper Brenda takes the animals to the doctor."
    assert held(claim, "What does Brenda do?").score > held(claim).score
