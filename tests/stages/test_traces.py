"""Real recordings of scripted agents: the same turns, whatever convention recorded them."""

from pathlib import Path

import pytest

from stages.records import Conversation, Turn
from tests.stages.recorded import conversations, shared, targets

ANNUAL = "Employees accrue 25 vacation days per year. Unused days expire on March 31. [1]"
PORTAL = "To reset your VPN token open the self-service portal and choose Reset token. [1]"


def found(*parts: str) -> tuple[Conversation, ...]:
    return conversations(shared("traces", *parts))


def by_question(*parts: str) -> dict[str | None, Turn]:
    return {turn.question: turn for c in found(*parts) for turn in c.turns}


LANGGRAPH = ["openinference", "openllmetry", "genai"]


@pytest.mark.parametrize("convention", LANGGRAPH)
def test_langgraph_turns_are_the_same_in_every_convention(convention: str) -> None:
    first, second = found("generated-langgraph", f"{convention}.otlp.jsonl")
    assert [(turn.turn_id, turn.question) for turn in (*first.turns, *second.turns)] == [
        ("conv-42/1", "How many vacation days do I get?"),
        ("conv-42/2", "And when do they expire?"),
        ("conv-77/1", "How do I reset my VPN token?"),
        ("conv-77/2", "Create a ticket for a new laptop"),
    ]
    assert [turn.generation and turn.generation.answer for turn in first.turns] == [ANNUAL, ANNUAL]
    assert {turn.agent for turn in (*first.turns, *second.turns)} == {"support_agent"}
    searches = [turn.retrievals[0] for turn in (*first.turns, second.turns[0])]
    assert [[chunk.chunk_id for chunk in search.chunks] for search in searches] == [
        ["hr-001", "hr-002"],
        ["hr-001", "hr-002"],
        ["it-001", "it-002"],
    ]
    assert searches[1].query == "vacation days expire date"
    assert targets(first.turns[0]) == [("[1]", "hr-001", "resolved")]


@pytest.mark.parametrize("convention", LANGGRAPH)
def test_a_failed_tool_stays_failed_whatever_the_answer_claims(convention: str) -> None:
    turn = by_question("generated-langgraph", f"{convention}.otlp.jsonl")[
        "Create a ticket for a new laptop"
    ]
    (call,) = turn.tool_calls
    assert (call.name, call.status) == ("create_ticket", "error")
    assert call.arguments == {"kind": "HW-REFRESH", "note": "new laptop"}
    assert "503" in (call.error or "")
    assert [item.evidence_id for item in turn.evidence] == [call.call_id]
    assert turn.generation is not None
    assert turn.generation.answer == "I have created your laptop ticket T-1."


@pytest.mark.parametrize("convention", ["openinference", "openllmetry"])
def test_context_and_collections_of_langgraph(convention: str) -> None:
    turn = by_question("generated-langgraph", f"{convention}.otlp.jsonl")[
        "How do I reset my VPN token?"
    ]
    assert turn.routing is not None
    assert [choice.name for choice in turn.routing.collections] == ["it_runbooks"]
    assert [chunk.in_context for chunk in turn.retrievals[0].chunks] == [True, True]
    assert (turn.input_tokens, turn.output_tokens) == (50, 12)


def test_without_texts_context_is_unknown() -> None:
    turn = by_question("generated-langgraph", "genai.otlp.jsonl")["How do I reset my VPN token?"]
    assert [chunk.in_context for chunk in turn.retrievals[0].chunks] == [None, None]
    assert {gap.reason for gap in turn.gaps} >= {"chunk_text_not_captured", "prompt_not_captured"}


@pytest.mark.parametrize("convention", ["openinference", "openllmetry", "genai"])
def test_a_handoff_between_agents(convention: str) -> None:
    for conversation in found("generated-openai-agents", f"{convention}.otlp.jsonl"):
        for turn in conversation.turns:
            assert turn.routing is not None
            assert [c.name for c in turn.routing.agents] == ["triage_agent", "hr_agent"]
            assert turn.agent == "hr_agent"
            (call,) = turn.tool_calls
            assert (call.name, call.is_retrieval) == ("search_hr", True)
            assert [c.chunk_id for c in turn.retrievals[0].chunks] == ["hr-001", "hr-002"]


def test_an_agent_as_a_tool_is_routing_and_its_context_counts() -> None:
    (conversation,) = found("generated-pydantic-ai", "v5.otlp.jsonl")
    assert [turn.turn_id for turn in conversation.turns] == ["conv-42/1", "conv-42/2"]
    for turn in conversation.turns:
        assert turn.routing is not None
        agents = [choice.name for choice in turn.routing.agents]
        assert agents == ["triage_agent", "hr_agent", "triage_agent"]
        assert [call.name for call in turn.tool_calls] == ["search_hr"]
        assert [chunk.in_context for chunk in turn.retrievals[0].chunks] == [True, True]
        assert targets(turn) == [("[hr-001]", "hr-001", "resolved")]


def test_a_pipeline_without_an_agent() -> None:
    turns = by_question("generated-haystack", "openinference.otlp.jsonl")
    turn = turns["How do I reset my VPN token?"]
    assert turn.agent is None
    assert [search.collection for search in turn.retrievals] == ["it_runbooks"]
    assert targets(turn) == [("[1]", "it-001", "resolved")]


def test_a_selector_names_its_candidates() -> None:
    turns = by_question("generated-llamaindex", "openinference.otlp.jsonl")
    routing = turns["How do I reset my VPN token?"].routing
    assert routing is not None
    assert [(c.name, c.recorded) for c in routing.collections] == [("it_runbooks", True)]
    assert [c.name for c in routing.candidates] == ["hr_policies", "it_runbooks"]
    assert routing.catalogues[0].collections == ("hr_policies", "it_runbooks")


def test_a_vector_database_beside_the_retriever_completes_it() -> None:
    (conversation,) = found("otlp-openinference", "rag_earnings_agent.json")
    (turn,) = conversation.turns
    assert turn.question == "what was meta's revenue in Q4 2023"
    (search,) = turn.retrievals
    assert len({chunk.chunk_id for chunk in search.chunks}) == 3
    assert all(chunk.text and chunk.score is not None for chunk in search.chunks)
    assert [chunk.in_context for chunk in search.chunks] == [True] * 3


def everything() -> list[Path]:
    folder = shared("traces")
    return sorted(path for path in folder.rglob("*.json*") if path.is_file())


def test_every_recording_keeps_the_promises_of_a_turn() -> None:
    for path in everything():
        for conversation in conversations(path):
            numbers = [turn.turn for turn in conversation.turns]
            assert numbers == list(range(1, len(numbers) + 1)), path
            for turn in conversation.turns:
                check(turn)


def check(turn: Turn) -> None:
    assert turn.spans
    assert turn.question is not None or turn.gap("question_not_captured")
    if turn.generation is None or turn.generation.answer is None:
        assert any(gap.stage == "generation" for gap in turn.gaps)
    else:
        answer = turn.generation.answer
        for paragraph in turn.generation.paragraphs:
            assert answer[paragraph.start : paragraph.end] == paragraph.text
        for citation in turn.generation.citations:
            if citation.source == "marker":
                assert answer[citation.start : citation.end] == citation.marker
    ids = [item.evidence_id for item in turn.evidence]
    assert len(ids) == len(set(ids))
    calls = [call.call_id for call in turn.tool_calls]
    assert len(calls) == len(set(calls))
    for search in turn.retrievals:
        assert [chunk.rank for chunk in search.chunks] == list(range(1, len(search.chunks) + 1))
        assert bool(search.chunks) <= (search.status in ("ok", "error"))
