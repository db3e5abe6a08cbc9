"""Scripted agents under the real instrumentors: what they did is known beforehand."""

import pytest

from tests.traces.expectations import Expected, seen, turns_of
from tests.traces.loading import mlflow, otlp

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
    turns = turns_of(f"generated-langgraph/{convention}.otlp.jsonl", otlp)
    assert tuple(map(seen, turns)) == LANGGRAPH
    routings = [turn.routing for turn in turns if turn.routing]
    refined = [r.refined_query.name if r.refined_query else None for r in routings]
    assert refined == [VACATION, "vacation days expire date", TOKEN, None]
    assert all(r.refined_query is None or r.refined_query.recorded for r in routings)
    assert [turn.turn_id for turn in turns] == ["conv-42/1", "conv-42/2", "conv-77/1", "conv-77/2"]


def test_mlflow() -> None:
    turns = turns_of("generated-mlflow/traces.to_json.jsonl", mlflow)
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
