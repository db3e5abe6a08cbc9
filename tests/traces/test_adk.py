"""Agents of Google ADK: kagent through Jaeger and Tempo, a math agent by itself."""

import json
from typing import Any

import pytest

from tests.traces.expectations import SHOWN, Expected, seen, turns_of
from tests.traces.loading import file

FILES = {
    "jaeger-tempo/helm.json": Expected(
        question="list all Helm releases",
        answer="There are two Helm releases installed in the cluster:\n\n1. Re",
        agents="helm_agent",
        tools=(("helm_list_releases", {}, "ok"),),
        tokens=(1820 + 1956, 13 + 117),
    ),
    "jaeger-tempo/helm_2.json": Expected(
        question="get me all the Helm releases",
        answer="To help you effectively, could you please specify the namesp",
        agents="helm_agent",
        tokens=(1822, 43),
    ),
    "jaeger-tempo/helm_3.json": Expected(
        question="I need all the Helm releases right now!!",
        answer="Got it — I listed all releases across all namespaces. Here a",
        agents="helm_agent",
        tools=(("helm_list_releases", {"all_namespaces": "true", "output": "json"}, "ok"),),
        tokens=(1909 + 2138, 32 + 771),
    ),
    "jaeger-tempo/tempo_export_with_batches.json": Expected(
        question="list all helm releases\n",
        answer="There are two Helm releases currently deployed:\n\n1. Release ",
        agents="helm-agent",  # the kit below it spells it helm_agent
        tools=(("helm_list_releases", {}, "ok"),),
        tokens=(2256 + 2392, 13 + 116),
    ),
    "strands-live/adk_live_spans.json": Expected(
        question="What is 15 multiplied by 37?",
        answer="15 multiplied by 37 is 555.",
        agents="math_agent",
        tools=(("calculator", {"expression": "15 * 37"}, "ok"),),
        tokens=(157 + 222, 51 + 33),
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_turn(name: str) -> None:
    (turn,) = turns_of(name)
    assert seen(turn) == FILES[name]


def test_what_the_agents_own_evaluation_set_says() -> None:
    golden: Any = json.loads(
        file("jaeger-tempo/evalset_helm_3_2026-02-23.json").read_text("utf-8")
    )["eval_cases"][0]["conversation"][0]
    (turn,) = turns_of("jaeger-tempo/helm_3.json")
    row = seen(turn)
    assert row.question == golden["user_content"]["parts"][0]["text"]
    assert row.answer == golden["final_response"]["parts"][0]["text"][:SHOWN]
    used = golden["intermediate_data"]["tool_uses"]
    assert [call.name for call in turn.tool_calls] == [use["name"] for use in used]
    assert [call.arguments for call in turn.tool_calls] == [use["args"] for use in used]


def test_the_catalogue_of_a_call() -> None:
    (turn,) = turns_of("jaeger-tempo/helm.json")
    assert turn.conversation_id == "ctx-7ed9780f-3688-4fc0-b10b-2e4df2f83cf0"
    assert [tool.name for tool in turn.tool_calls[0].catalogue or ()][:2] == [
        "helm_get_release",
        "helm_list_releases",
    ]
