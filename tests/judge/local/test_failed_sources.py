"""What an answer claims where the source it would rest on failed."""

from collections.abc import Mapping
from typing import Any

import pytest

from judge.local.answer import judge_answer
from judge.local.evidence import pieces
from judge.local.holding import hold
from judge.local.thresholds import thresholds
from tests.judge.local.test_answer import LIBRARY


def call(
    tool: str, status: str, arguments: Mapping[str, str] | None, text: str = "TimeoutError"
) -> Mapping[str, Any]:
    return {
        "label": tool,
        "kind": "tool_result",
        "title": None,
        "tool": tool,
        "arguments": arguments,
        "status": status,
        "text": text,
    }


def told(question: str, answer: str, *evidence: Mapping[str, Any]) -> Mapping[str, Any]:
    return judge_answer(
        {
            "question": question,
            "earlier": [],
            "question_language": "en",
            "answer_language": "en",
            "paragraphs": [{"paragraph": 1, "kind": "prose", "text": answer, "markers": []}],
            "evidence": list(evidence),
        },
        LIBRARY,
        thresholds(),
    )


SEARCH = call("search_rules", "error", {"query": "drums in the studio"})


@pytest.mark.parametrize(
    ("answer", "claim"),
    [
        pytest.param("The rules set no price for drums.", "absence", id="denies"),
        pytest.param("Drums are 6 euros an hour.", "fact", id="invents"),
        pytest.param("The rules answer nobody right now.", "fact", id="only now"),
        pytest.param("The search does not answer.", "none", id="honest"),
    ],
)
def test_what_is_denied_unseen_is_an_absence(answer: str, claim: str) -> None:
    found = told("What do the drums cost?", answer, SEARCH)
    assert [one["claim"] for one in found["paragraphs"]] == [claim]


def test_a_result_beside_a_failed_search_may_deny() -> None:
    found = told(
        "What do the drums cost?",
        "The rules set no price for drums.",
        SEARCH,
        call("get_room", "ok", {"room": "studio"}, '{"drums": "no price"}'),
    )
    assert [one["claim"] for one in found["paragraphs"]] == ["fact"]


WISH = call("request_drums", "error", {"wish": "drums on Friday"})


@pytest.mark.parametrize(
    ("evidence", "claim"),
    [
        pytest.param([WISH], "success", id="the action alone"),
        pytest.param([WISH, call("get_room", "error", None)], "success", id="an earlier look-up"),
        pytest.param([WISH, call("get_room", "error", {"id": "1"})], "fact", id="a look-up of now"),
    ],
)
def test_what_is_told_of_a_failed_action_is_a_success(
    evidence: list[Mapping[str, Any]], claim: str
) -> None:
    found = told("Ask them for drums on Friday.", "The studio has your wish now.", *evidence)
    assert [one["claim"] for one in found["paragraphs"]] == [claim]


def test_all_set_answers_whatever_was_to_be_done() -> None:
    found = told("Could I have drums? Please ask for Friday.", "All set.", WISH)
    assert {one["status"] for one in found["elements"]} == {"answered"}


@pytest.mark.parametrize(
    ("arguments", "label"),
    [
        pytest.param(None, "none", id="of an earlier turn"),
        pytest.param({"member": "L-7001"}, "none", id="of another number"),
        pytest.param({"member": "M-7001"}, "full", id="of the same number"),
    ],
)
def test_an_empty_result_tells_nothing_of_what_a_failed_call_sought(
    arguments: Mapping[str, str] | None, label: str
) -> None:
    evidence = pieces(
        [
            call("get_member", "error", {"member": "M-7001"}),
            call("get_loan", "empty", arguments, "(no result)"),
        ]
    )
    claim = "There is no member with the number M-7001."
    assert hold(claim, evidence, "Who is M-7001?", LIBRARY.rarity, thresholds()).label == label
