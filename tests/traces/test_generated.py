"""Scripted agents under the real instrumentors: what they did is known beforehand."""

from dataclasses import replace
from typing import Any

import pytest

from tests.traces.expectations import SHOWN, Expected, seen, turns_of

VACATION, EXPIRY = "How many vacation days do I get?", "And when do they expire?"
TOKEN, TICKET = "How do I reset my VPN token?", "Create a ticket for a new laptop"
ANNUAL = "Employees accrue 25 vacation days per year. Unused days expi"
PORTAL = "To reset your VPN token open the self-service portal and cho"

LANGGRAPH = (
    Expected(
        question=VACATION,
        answer=ANNUAL,
        agents="support_agent",
        searches=((VACATION, "hr_policies", "2: text id score"),),
        cites="[1]hr-001",
        tokens=(50, 12),
    ),
    Expected(
        question=EXPIRY,
        answer=ANNUAL,
        agents="support_agent",
        searches=(("vacation days expire date", "hr_policies", "2: text id score"),),
        cites="[1]hr-001",
        tokens=(50, 12),
    ),
    Expected(
        question=TOKEN,
        answer=PORTAL,
        agents="support_agent",
        searches=((TOKEN, "it_runbooks", "2: text id score"),),
        cites="[1]it-001",
        tokens=(50, 12),
    ),
    Expected(
        question=TICKET,
        answer="I have created your laptop ticket T-1.",
        agents="support_agent",
        tools=(("create_ticket", {"kind": "HW-REFRESH", "note": "new laptop"}, "error"),),
    ),
)


@pytest.mark.parametrize("convention", ["openinference", "openllmetry"])
def test_langgraph(convention: str) -> None:
    turns = turns_of(f"generated-langgraph/{convention}.otlp.jsonl")
    assert tuple(map(seen, turns)) == LANGGRAPH
    routings = [turn.routing for turn in turns if turn.routing]
    refined = [r.refined_query.name if r.refined_query else None for r in routings]
    assert refined == [VACATION, "vacation days expire date", TOKEN, None]
    assert all(r.refined_query is None or r.refined_query.recorded for r in routings)
    assert [turn.turn_id for turn in turns] == ["conv-42/1", "conv-42/2", "conv-77/1", "conv-77/2"]


def test_langgraph_under_genai_tells_ids_of_chunks_only() -> None:
    turns = turns_of("generated-langgraph/genai.otlp.jsonl")
    untold: dict[str, Any] = {"tokens": (None, None)}
    expected = tuple(
        replace(
            row,
            searches=tuple((query, None, "2: id score") for query, _, _ in row.searches),
            **untold,
        )
        for row in LANGGRAPH
    )
    assert tuple(map(seen, turns)) == expected


def test_mlflow() -> None:
    turns = turns_of("generated-mlflow/traces.to_json.jsonl")
    assert [turn.turn_id for turn in turns] == ["conv-42/1", "conv-42/2", "conv-77/1"]
    assert tuple(map(seen, turns)) == tuple(
        Expected(
            question=question,
            answer=answer,
            agents="support_agent",
            searches=((question, collection, "2: text id score"),),
            cites=f"[1]{chunk}",
        )
        for question, answer, collection, chunk in (
            (VACATION, ANNUAL, "hr_policies", "hr-001"),
            (EXPIRY, ANNUAL, "hr_policies", "hr-001"),
            (TOKEN, PORTAL, "it_runbooks", "it-001"),
        )
    )


HANDOFF = tuple(
    Expected(
        question=question,
        answer="You get 25 vacation days. [hr-001]",
        agents="triage_agent > hr_agent",
        tools=(("search_hr", {"query": "vacation days", "top_k": 2}, "ok"),),
        searches=(("vacation days", None, "2: text id score"),),
        cites="[hr-001]hr-001",
        tokens=(30, 15),
    )
    for question in (VACATION, EXPIRY)
)


def test_openai_agents_by_their_own_export() -> None:
    turns = turns_of("generated-openai-agents/native_export.jsonl")
    assert tuple(map(seen, turns)) == HANDOFF
    assert [turn.turn_id for turn in turns] == ["conv-42/1", "conv-42/2"]


def test_openai_agents_under_openinference() -> None:
    turns = turns_of("generated-openai-agents/openinference.otlp.jsonl")
    assert sorted(map(seen, turns), key=lambda row: row.question != VACATION) == list(HANDOFF)


def test_openai_agents_under_openllmetry_do_not_tell_the_answer() -> None:
    turns = turns_of("generated-openai-agents/openllmetry.otlp.jsonl")
    rows = sorted(map(seen, turns), key=lambda row: row.question != VACATION)
    untold: dict[str, Any] = {"answer": None, "cites": "", "tokens": (None, None)}
    assert rows == [replace(row, **untold) for row in HANDOFF]
    assert all(turn.gap("answer_not_captured") for turn in turns)


def test_openai_agents_under_genai_tell_names_only() -> None:
    turns = turns_of("generated-openai-agents/genai.otlp.jsonl")
    assert [turn.conversation_id for turn in turns] == ["conv-42", "conv-42"]
    assert {seen(turn).agents for turn in turns} == {"triage_agent > hr_agent"}
    assert all(turn.gap("question_not_captured") for turn in turns)


def test_pydantic_ai() -> None:
    turns = turns_of("generated-pydantic-ai/v5.otlp.jsonl")
    usage = ((263, 38), (285, 62))  # three calls of the agents in each turn
    assert tuple(map(seen, turns)) == tuple(
        replace(row, agents="triage_agent > hr_agent > triage_agent", tokens=tokens)
        for row, tokens in zip(HANDOFF, usage, strict=True)
    )
    assert [turn.turn_id for turn in turns] == ["conv-42/1", "conv-42/2"]


def test_haystack_without_a_conversation() -> None:
    turns = turns_of("generated-haystack/openinference.otlp.jsonl")
    assert sorted(map(seen, turns), key=lambda row: str(row.question)) == [
        Expected(
            question=question,
            answer=answer,
            searches=((question, collection, "1: text id score"),),
            cites=f"[1]{chunk}",
        )
        for question, answer, collection, chunk in (
            (EXPIRY, "You get 25 days. [1]", "hr_policies", "hr-001"),
            (
                TOKEN,
                "Open the self-service portal and choose Reset token. [1]",
                "it_runbooks",
                "it-001",
            ),
            (VACATION, "You get 25 days. [1]", "hr_policies", "hr-001"),
        )
    ]
    routes = {
        turn.question: [c.name for c in turn.routing.collections] for turn in turns if turn.routing
    }
    assert set(map(tuple, routes.values())) == {("hr_policies",), ("it_runbooks",)}


def test_llamaindex() -> None:
    turns = turns_of("generated-llamaindex/openinference.otlp.jsonl")
    assert [turn.turn_id for turn in turns] == ["conv-42/1", "conv-42/2", "conv-77/1"]
    assert tuple(map(seen, turns)) == tuple(
        Expected(
            question=question,
            answer=("text " * 20)[:SHOWN],  # of a model that says nothing else
            searches=((question, collection, "2: text id score"),),
        )
        for question, collection in (
            (VACATION, "hr_policies"),
            (EXPIRY, "hr_policies"),
            (TOKEN, "it_runbooks"),
        )
    )


def test_a_chain_of_langchain_beside_its_vector_store() -> None:
    question = "what was meta's revenue in Q4 2023"
    (turn,) = turns_of("otlp-openinference/rag_earnings_agent.json")
    assert seen(turn) == Expected(
        question=question,
        answer="Meta Platforms Inc.'s revenue in Q4 2023 was $40.1 billion.",
        searches=((question, "langchain", "3: text id score"),),
        tokens=(629, 19),
    )
