"""A part of a question that is left out beside a line that says it."""

import pytest

from tests.judge.local.test_answer import judged

CARE = (
    "Caring for the boat. Wash the hull with fresh water after every trip on the sea. "
    "The rope of the anchor is forty metres long and must be dried. "
    "Children under twelve years wear a life vest on board."
)
ASKED = "How do I wash the hull, and {}"
ANSWER = "Wash the hull with fresh water after every trip."


@pytest.mark.parametrize(
    ("part", "in_evidence"),
    [
        pytest.param("do small kids need life jackets?", True, id="said in other words"),
        pytest.param("who sells engines in the harbour of Genoa?", False, id="said nowhere"),
    ],
)
def test_a_close_line_holds_what_was_left_out(part: str, *, in_evidence: bool) -> None:
    found = judged(ASKED.format(part), [CARE], ANSWER)["elements"][-1]
    assert (found["status"], found["in_evidence"]) == ("silently_missing", in_evidence)
