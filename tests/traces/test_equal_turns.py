"""The same turns under eight recorders: equal records, and every difference is a listed gap.

Three applications were recorded: one answers from two collections (LangGraph under three
conventions, MLflow, LlamaIndex, Haystack), one hands over between agents (the OpenAI Agents
SDK under four, Pydantic AI). A recorder may leave a fact untold; then the fact is unknown,
never something else, and the turn has the gap that says so.
"""

from typing import Any, Final

import pytest

from stages.records import Turn
from tests.traces.expectations import turns_of

VACATION, EXPIRY = "How many vacation days do I get?", "And when do they expire?"
TOKEN = "How do I reset my VPN token?"
ANNUAL = "Employees accrue 25 vacation days per year. Unused days expire on March 31."
CARERS = "Parental leave is 16 weeks at full pay for the primary carer."
PORTAL = "To reset your VPN token open the self-service portal and choose Reset token."

PIPELINES: Final[dict[str, dict[str, str | None]]] = {
    "generated-langgraph/openinference.otlp.jsonl": {},
    "generated-langgraph/openllmetry.otlp.jsonl": {},
    "generated-langgraph/genai.otlp.jsonl": {
        "collection": "routing_not_recorded",
        "text": "chunk_text_not_captured",
        "in_context": "prompt_not_captured",
        "tokens": None,
    },
    "generated-mlflow/traces.to_json.jsonl": {"in_context": "prompt_not_captured", "tokens": None},
    "generated-llamaindex/openinference.otlp.jsonl": {"tokens": None},
    "generated-haystack/openinference.otlp.jsonl": {"tokens": None},
}
"""By file: the facts that it does not tell, each with its gap; None where the unknown value
is all there is to say."""

CORPUS = {
    VACATION: ("hr_policies", "hr-001", ANNUAL),
    EXPIRY: ("hr_policies", "hr-001", ANNUAL),
    TOKEN: ("it_runbooks", "it-001", PORTAL),
}

HANDOFFS: Final[dict[str, dict[str, str | None]]] = {
    "generated-openai-agents/native_export.jsonl": {},
    "generated-openai-agents/openinference.otlp.jsonl": {},
    "generated-openai-agents/openllmetry.otlp.jsonl": {
        "answer": "answer_not_captured",
        "cites": "answer_not_captured",
        "tokens": None,
    },
    "generated-openai-agents/genai.otlp.jsonl": {
        "question": "question_not_captured",
        "answer": "answer_not_captured",
        "cites": "answer_not_captured",
        "in_context": "prompt_not_captured",
        "tokens": None,
    },
    "generated-pydantic-ai/v5.otlp.jsonl": {},
}
UNKNOWN: Final[tuple[Any, ...]] = (None, (), (None,), (None, None))


def pipeline_facts(turn: Turn) -> dict[str, Any]:
    (search,) = turn.retrievals
    best = search.chunks[0]
    return {
        "question": turn.question,
        "collection": search.collection,
        "status": search.status,
        "chunk": best.chunk_id,
        "text": best.text,
        "scored": best.score is not None,
        "in_context": best.in_context,
        "tools": tuple(call.name for call in turn.tool_calls),
        "tokens": (turn.input_tokens, turn.output_tokens),
    }


def handoff_facts(turn: Turn) -> dict[str, Any]:
    assert turn.routing is not None
    (search,), (call,) = turn.retrievals, turn.tool_calls
    citations = turn.generation.citations if turn.generation else ()
    return {
        "question": turn.question,
        "answer": turn.generation.answer if turn.generation else None,
        "agents": tuple(choice.name for choice in turn.routing.agents)[:2],
        "call": (call.name, call.arguments, call.status, call.is_retrieval),
        "search": (search.query, search.status),
        "chunks": tuple((chunk.chunk_id, chunk.text, chunk.score) for chunk in search.chunks),
        "in_context": tuple(dict.fromkeys(chunk.in_context for chunk in search.chunks)),
        "cites": tuple(c.target for c in citations if c.resolved),
        "tokens": (turn.input_tokens, turn.output_tokens),
    }


def check(
    turn: Turn, facts: dict[str, Any], expected: dict[str, Any], untold: dict[str, str | None]
) -> None:
    for fact, value in facts.items():
        if fact in untold:
            assert value in UNKNOWN, fact
            assert untold[fact] is None or turn.gap(str(untold[fact])), fact
        elif fact in expected:
            assert value == expected[fact], fact
        else:
            assert value not in UNKNOWN, fact
    assert {gap.reason for gap in turn.gaps} == {reason for reason in untold.values() if reason}


@pytest.mark.parametrize("name", PIPELINES)
def test_answers_from_two_collections(name: str) -> None:
    turns = [turn for turn in turns_of(name) if turn.question in CORPUS]
    assert sorted(str(turn.question) for turn in turns) == sorted(CORPUS)
    for turn in turns:
        assert turn.question is not None
        collection, chunk, text = CORPUS[turn.question]
        expected: dict[str, Any] = {
            "question": turn.question,
            "collection": collection,
            "status": "ok",
            "chunk": chunk,
            "text": text,
            "scored": True,
            "in_context": True,
            "tools": (),
        }
        check(turn, pipeline_facts(turn), expected, PIPELINES[name])


@pytest.mark.parametrize("name", HANDOFFS)
def test_a_handover_between_agents(name: str) -> None:
    turns = turns_of(name)
    untold = HANDOFFS[name]
    asked = {turn.question for turn in turns}
    assert asked == ({None} if "question" in untold else {VACATION, EXPIRY})
    assert len(turns) == 2
    chunks = (("hr-001", ANNUAL, 0.9), ("hr-002", CARERS, 0.8))
    for turn in turns:
        expected: dict[str, Any] = {
            "question": turn.question,
            "answer": "You get 25 vacation days. [hr-001]",
            "agents": ("triage_agent", "hr_agent"),
            "call": ("search_hr", {"query": "vacation days", "top_k": 2}, "ok", True),
            "search": ("vacation days", "ok"),
            "chunks": chunks,
            "in_context": (True,),
            "cites": ("hr-001",),
        }
        check(turn, handoff_facts(turn), expected, untold)
