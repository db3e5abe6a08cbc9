import pytest

from judge.local.absences import denies_record, with_absences
from judge.local.claims import claims
from judge.local.evidence import Piece, pieces


def call(number: str, status: str, text: str = "(no result)") -> Piece:
    arguments = {"case_id": number}
    (piece,) = pieces(
        [
            {
                "label": "evidence 1",
                "kind": "tool_result",
                "title": None,
                "tool": "get_case",
                "arguments": arguments,
                "status": status,
                "text": text,
            }
        ]
    )
    return piece


@pytest.mark.parametrize(
    ("text", "number", "status", "denied"),
    [
        pytest.param("Under C-20999 I see no case.", "C-20999", "empty", True, id="empty"),
        pytest.param("Zu C-20999 liegt nichts vor.", "C-20999", "empty", True, id="German"),
        pytest.param(
            "No one is called C-20999 here, hence no contact.",
            "C-20999",
            "error",
            True,
            id="failed",
        ),
        pytest.param("Case C-20999 is closed.", "C-20999", "empty", False, id="nothing denied"),
        pytest.param("There is no C-20998.", "C-20999", "empty", False, id="another number"),
        pytest.param("C-20999 is not paid.", "C-20999", "ok", False, id="found"),
        pytest.param(
            "I could not look up C-20999.", "C-20999", "error", False, id="says that it failed"
        ),
    ],
)
def test_what_denies_a_record(text: str, number: str, status: str, *, denied: bool) -> None:
    evidence = [call(number, status)]
    assert denies_record(text, evidence) is denied
    found = claims([{"paragraph": 1, "kind": "prose", "text": text, "markers": []}])
    told = [claim.act for claim in with_absences(found, evidence)]
    assert ("absence" in told) is denied or pattern_tells(text)


def pattern_tells(text: str) -> bool:
    """Tell whether the words alone say absence."""
    found = claims([{"paragraph": 1, "kind": "prose", "text": text, "markers": []}])
    return any(claim.act == "absence" for claim in found)


def test_without_evidence_nothing_is_denied() -> None:
    assert not denies_record("Under C-20999 I see no case.", [])
