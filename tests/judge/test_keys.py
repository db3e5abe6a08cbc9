import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.asking import (
    answer_question,
    probe_questions,
    relevance_questions,
    statements_question,
)
from judge.asking_routing import routing_questions
from judge.asking_support import rest_questions, support_questions, together_questions
from judge.keys import content_key
from judge.question import JudgeIdentity, Question, Subject
from stages.records import Turn
from tests.builders import (
    at,
    catalogue,
    chunk,
    citation,
    conversation,
    generation,
    retrieval,
    routing,
    span_row,
    tool_call,
    turn,
    user,
)
from tests.judge.test_asking_support import judgement

LOCAL = JudgeIdentity(provider="local", model="lexical", params={"idf": "1", "k": "2"})


def key(question: Question, identity: JudgeIdentity = LOCAL, version: str = "v/1") -> str:
    return content_key(question, identity, version)


def rich_turn(name: str, number: int = 2, second: float = 0) -> Turn:
    """Build a turn with all stages whose ids and times depend on the arguments."""
    chunks = [chunk(f"{name}-c1", "A", 1), chunk(f"{name}-c2", "B", 2), chunk(f"{name}-c3", "C", 3)]
    calls = (
        tool_call("get", {"id": 7}, "7", call_id=f"{name}-x", span_id=f"{name}-s2"),
        tool_call("put", {}, None, position=2, call_id=f"{name}-y", prior=(f"{name}-x",)),
        tool_call("find", {}, "C", position=3, call_id=f"{name}-z", is_retrieval=True),
    )
    searches = (
        retrieval(chunks[:2], retrieval_id=f"{name}-r1", span_id=f"{name}-s1"),
        retrieval(chunks[2:], position=2, retrieval_id=f"{name}-r2", call_id=f"{name}-z"),
    )
    return turn(
        "How long?",
        generation(
            "Thirty days [1][2].\n\nForty.",
            [citation(f"{name}-c1"), citation(f"{name}-c2", "[2]", number=2)],
            span_id=f"{name}-g",
        ),
        number=number,
        conversation_id=name,
        trace_ids=(f"{name}-t",),
        start_ns=at(second),
        history=(user("Hello"),),
        retrievals=searches,
        tool_calls=calls,
        routing=routing(catalogues=(catalogue("shop-bot", ("get",), span_id=f"{name}-a"),)),
        spans=(
            span_row(f"{name}-s1", start_ns=at(second + 1)),
            span_row(f"{name}-s2", start_ns=at(second + 2)),
        ),
    )


def all_questions(asked: Turn) -> list[Question]:
    probe = probe_questions(asked, 0, "How long?", [chunk(f"{asked.conversation_id}-p", "P")])
    rest = rest_questions(asked, judgement(1, 2, paragraphs=2), {}, {}, {}, citing_expected=True)
    statements = statements_question(asked, on_request=True)
    assert statements is not None
    return [
        answer_question(asked),
        statements,
        *relevance_questions(asked),
        *support_questions(asked),
        *together_questions(asked, {}),
        *rest,
        *probe,
        *routing_questions(conversation(asked)),
    ]


def test_a_key_is_64_hex_digits() -> None:
    assert all(re.fullmatch("[0-9a-f]{64}", key(one)) for one in all_questions(rich_turn("a")))


def test_a_key_holds_no_ids_and_no_times() -> None:
    first = [key(one) for one in all_questions(rich_turn("a", second=0))]
    second = [key(one) for one in all_questions(rich_turn("other", second=86_400.5))]
    assert first == second
    assert len(set(first)) == len(first) == 12


@pytest.mark.parametrize("number", range(12))
def test_no_id_stands_in_the_content(number: int) -> None:
    content = json.dumps(all_questions(rich_turn("zz-id"))[number].content)
    assert "zz-id" not in content


@given(name=st.text(max_size=9), second=st.floats(-1e6, 1e6), number=st.integers(1, 99))
def test_no_id_changes_a_key(name: str, second: float, number: int) -> None:
    # A routing question counts turns, so it is left out.
    expected = [key(one) for one in all_questions(rich_turn("a"))[:-1]]
    assert [key(one) for one in all_questions(rich_turn(name, number, second))[:-1]] == expected


def test_a_key_does_not_depend_on_the_order_of_keys() -> None:
    question = answer_question(rich_turn("a"))
    turned = replace(question, content=dict(reversed(list(question.content.items()))))
    assert list(turned.content) != list(question.content)
    assert key(turned) == key(question)
    other = replace(LOCAL, params={"k": "2", "idf": "1"})
    assert key(question, other) == key(question)


def test_a_probe_shares_the_reply_of_a_relevance_question() -> None:
    (relevance,) = relevance_questions(turn("How long?", chunks=["30 days"]))
    (probe,) = probe_questions(turn("Else?"), 1, "How long?", [chunk("x", "30 days")])
    assert key(probe) == key(relevance)


def test_another_earlier_message_is_another_need() -> None:
    (first,) = relevance_questions(turn("How long?", chunks=["30 days"]))
    (later,) = relevance_questions(turn("How long?", chunks=["30 days"], history=(user("Hats"),)))
    assert key(first) != key(later)


def plain(**fields: Any) -> Question:
    defaults: dict[str, Any] = {
        "kind": "support",
        "conversation_id": "c",
        "turn_id": "c/1",
        "subject": Subject(),
        "content": {"a": 1},
    }
    return Question(**(defaults | fields))


@pytest.mark.parametrize(
    ("question", "identity", "version"),
    [
        pytest.param(plain(content={"a": 2}), LOCAL, "v/1", id="content"),
        pytest.param(plain(content={"a": "1"}), LOCAL, "v/1", id="type of a value"),
        pytest.param(plain(content={"a": 1.0}), LOCAL, "v/1", id="float for integer"),
        pytest.param(plain(content={"a": None}), LOCAL, "v/1", id="nothing"),
        pytest.param(plain(kind="answer"), LOCAL, "v/1", id="kind"),
        pytest.param(plain(), LOCAL, "v/2", id="prompt version"),
        pytest.param(plain(), replace(LOCAL, provider="other"), "v/1", id="provider"),
        pytest.param(plain(), replace(LOCAL, model="other"), "v/1", id="model"),
        pytest.param(plain(), replace(LOCAL, params={"idf": "1"}), "v/1", id="parameters"),
    ],
)
def test_whatever_could_change_the_reply_changes_the_key(
    question: Question, identity: JudgeIdentity, version: str
) -> None:
    assert key(question, identity, version) != key(plain())


def test_the_key_of_a_question_stays_what_it_is() -> None:
    # A change here makes everybody's stored verdicts unreachable.
    identity = JudgeIdentity(provider="p", model="m")
    assert (
        key(plain(content={"a": "ü\ud800"}), identity)
        == "9812e5fedd5e07e93a6fe57ceb77bc1f12b6b414e91e1cc77811017416967e9e"
    )
