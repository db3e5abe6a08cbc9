"""What names give away: routers, rewriting steps and handoff tools."""

import pytest

from ingest.conventions.handoffs import handoff_by_tool
from ingest.conventions.routes import chosen_of, names_rewrite, names_router, query_written
from ingest.span import HandoffFact, Value


@pytest.mark.parametrize(
    ("name", "router", "rewrite"),
    [
        ("router", True, False),
        ("route_llm", True, False),
        ("QueryRouter", True, False),
        ("classify_intent", True, False),
        ("IntentClassifier", True, False),
        ("routine_check", False, False),
        ("rewrite", False, True),
        ("query_rewriter", False, True),
        ("condense_question", False, True),
        ("reformulate-query", False, True),
        ("contextualize_q", False, True),
        ("refine", False, True),
        ("refine_answer", False, False),
        ("condense_docs", False, False),
        ("generate", False, False),
        ("", False, False),
        (None, False, False),
    ],
)
def test_names_of_steps(name: str | None, *, router: bool, rewrite: bool) -> None:
    assert (names_router(name), names_rewrite(name)) == (router, rewrite)


@pytest.mark.parametrize(
    ("output", "chosen"),
    [
        ("hr_policies", ("hr_policies",)),
        ("  hr  ", ("hr",)),
        ('{"route": "hr"}', ("hr",)),
        ("{'datasource': 'hr'}", ("hr",)),
        ({"destinations": ["hr", "it"]}, ("hr", "it")),
        ({"route": None, "agent": "hr"}, ("hr",)),
        ("The question is about HR.", ()),
        ({"reason": "hr"}, ()),
        ({"route": {"name": "hr"}}, ()),
        (["hr", 7], ()),
        ([], ()),
        ("", ()),
        (None, ()),
    ],
)
def test_what_a_router_chose(output: Value, chosen: tuple[str, ...]) -> None:
    assert chosen_of(output) == chosen


@pytest.mark.parametrize(
    ("output", "query"),
    [
        ("vacation days", "vacation days"),
        (" vacation days\n", "vacation days"),
        ('{"standalone_question": "vacation days?"}', "vacation days?"),
        ({"query": "", "question": "days"}, "days"),
        ({"other": "x"}, None),
        ("x" * 2_001, None),
        ("", None),
        ("__REDACTED__", None),
        (None, None),
    ],
)
def test_what_a_rewriting_step_wrote(output: Value, query: str | None) -> None:
    assert query_written(output) == query


@pytest.mark.parametrize(
    ("name", "arguments", "target"),
    [
        ("transfer_to_hr_agent", {}, "hr_agent"),
        ("handoff_to_billing", None, "billing"),
        ("transfer_back_to_supervisor", {}, "supervisor"),
        ("Transfer_To_Agent", {"agent_name": "hr"}, "hr"),
        ("transfer_to_agent", {"agent_name": "hr"}, "hr"),
        ("route_to_agent", {"agent_name": "hr"}, "hr"),
        ("route_to_hr_agent", {}, "hr_agent"),
    ],
)
def test_handoff_tools(name: str, arguments: Value, target: str) -> None:
    found = handoff_by_tool(name, arguments, "triage")
    assert found == HandoffFact(target=target, source="triage")


@pytest.mark.parametrize(
    "name", ["ask_hr_agent", "transfer_money", "get_transfer_to_hr", "route_to_airport", "", None]
)
def test_other_tools(name: str | None) -> None:
    assert handoff_by_tool(name, {}, None) is None


def test_a_general_handoff_without_its_argument_has_no_target() -> None:
    assert handoff_by_tool("transfer_to_agent", "hr", None) == HandoffFact(target=None)
