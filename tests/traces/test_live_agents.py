"""Spans that agents of several frameworks left, as lists of flat records."""

from typing import Any

import pytest

from tests.traces.expectations import Expected, seen, turns_of

KILOMETRES = (
    "python3 -c 'miles = 294; km = miles / 0.621371; print(f\"{miles} miles = {km:.4f} km\")'"
)
NO_CONTENT: Any = None

FILES = {
    "adot-cloudwatch/claude_adot_spans.json": Expected(
        question="What is 42 * 7, and how many miles is that in kilometers?",
        answer="Here are your results:\n\n1. **42 × 7 = 294**\n2. **294 miles =",
        agents="ClaudeAgentSDK.query > math-agent > conversion-agent",
        tools=(
            ("Bash", {"command": "echo $((42 * 7))", "description": "Calculate 42 * 7"}, "ok"),
            (
                "Bash",
                {"command": KILOMETRES, "description": "Convert 294 miles to kilometers"},
                "ok",
            ),
        ),
        tokens=(4 + 29447 + 2861, 767),
    ),
    "adot-cloudwatch/otel_genai_convention_spans.json": Expected(
        question="What's the weather in Paris and London?",
        answer="The weather in Paris is rainy at 57°F. I was unable to retri",
        agents="WeatherAssistant",
        tools=(
            ("get_weather", {"location": "Paris"}, "ok"),
            ("get_weather", {"location": "London"}, "error"),
        ),
        tokens=(80 + 120, 25 + 35),
    ),
    "strands-live/autogen_live_spans.json": Expected(
        question=NO_CONTENT,
        answer=NO_CONTENT,
        agents="math_assistant",
        tools=(("calculate", NO_CONTENT, "unknown"),),
    ),
    "strands-live/openai_agents_genai_live_spans.json": Expected(
        question="Look up the stock price for AMZN, then calculate what 1000 shares would be"
        " worth by multiplying the price by 1000.",
        answer="The current stock price of Amazon (AMZN) is $240.98. Therefo",
        agents="coordinator > research_specialist > math_specialist > coordinator",
        tools=(
            ("lookup_stock_price", {"ticker": "AMZN"}, "ok"),
            ("multiply_numbers", {"a": 240, "b": 1000}, "ok"),
            ("multiply_numbers", {"a": 0, "b": 1000}, "ok"),
        ),
        tokens=(
            225 + 141 + 174 + 275 + 187 + 217 + 246 + 405,
            23 + 17 + 18 + 24 + 20 + 20 + 98 + 33,
        ),
    ),
    "strands-live/openai_agents_openinference_live_spans.json": Expected(
        question="What is 42 multiplied by 17, then divided by 3?",
        answer="The result of \\( 42 \\) multiplied by \\( 17 \\), then divided ",
        agents="coordinator > math_specialist > coordinator",
        tools=(
            ("multiply_numbers", {"a": 42, "b": 17}, "ok"),
            ("divide_numbers", {"a": 0, "b": 3}, "ok"),
            ("divide_numbers", {"a": 714, "b": 3}, "ok"),
        ),
        tokens=(212 + 190 + 242 + 272 + 312, 27 + 53 + 19 + 65 + 30),
    ),
    "strands-live/openinference_live_spans.json": Expected(
        question="What is the weather difference between Taipei and Seattle?",
        answer="Taipei is warmer than Seattle overall.",
        agents="research_agent",  # by the tool `route_to_agent`, recorded as an agent
        tools=(
            ("get_weather", {"city": "Taipei"}, "unknown"),  # asked for, never seen to run
            ("finish", {"answer": "Taipei is warmer"}, "ok"),
        ),
    ),
    "strands-live/pydantic_ai_live_spans.json": Expected(
        question="What's the weather like in Seattle right now?",
        answer="The current weather in Seattle is 62°F and cloudy with light",
        agents="agent",
        tools=(("get_weather", {"city": "Seattle"}, "ok"),),
        tokens=(588 + 663, 53 + 25),
    ),
    "strands-live/smolagents_live_spans.json": Expected(
        question="What is the population of Tokyo?",
        answer="The population of Tokyo is approximately 14 million people a",
        agents="CodeAgent.run",
        # what `final_answer` was given is the answer, no call
        tools=(("web_search", {"query": "population of Tokyo"}, "ok"),),
        searches=(("population of Tokyo", None, "10: text"),),
        tokens=(2366 + 3890, 52 + 111),
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_turn(name: str) -> None:
    (turn,) = turns_of(name)
    assert seen(turn) == FILES[name]
