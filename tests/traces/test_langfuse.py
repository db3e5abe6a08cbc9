"""Exports of Langfuse: what many recorders leave when their spans pass through it."""

import pytest

from tests.traces.expectations import Expected, seen, turns_of

WEATHER = "What's the weather in Tokyo?"
ABOUT = "What is Langfuse?"
DOCS = "https://langfuse.com/docs"
EVALUATIONS = (
    "N+1 evaluations Langfuse how to implement n+1 evaluation pattern"
    " batch eval per prediction vs per dataset Python JS"
)
REPORT = {
    "dimensions": ["Campaign"],
    "filters": {"dateRange": {"from_date": "2025-10-01", "to_date": "2025-12-31"}},
    "timeDimension": "Month",
    "metrics": ["Cost", "Displays", "Clicks", "Ctr", "Sales", "Cvr"],
}

FILES = {
    "agno-2025-06-11.trace.json": Expected(
        question="What is currently trending on Twitter?",
        answer="To find out what's currently trending on Twitter, you can vi",
        agents="Agent.run",
        tools=(("duckduckgo_search", {"query": "currently trending on Twitter"}, "ok"),),
        searches=(("currently trending on Twitter", None, "5: text"),),
        # every link of the answer is the address of one of the five finds
        cites="[Twitter Explore](https://twitter.com/explore/tabs/trending/)sha1:350e72bf1575"
        " [Trends24](https://trends24.in/united-states/)sha1:8052a856779a"
        " [Get Day Trends](https://getdaytrends.com/top/tweeted/day/)sha1:a4d408943f09"
        " [91 Trends](https://91trends.com/twitter/united-states/)sha1:da25b8837264"
        " [Global Twitter Trends](https://globaltwittertrends.com/united-states/)"
        "sha1:5e67fc687869",
        # the model's API counted 163 + 663; the framework's sums are higher
        tokens=(826, 245),
    ),
    "autogen-2025-06-06.trace.json": Expected(
        question="Say 'Hello World!'", answer="Hello World!", tokens=(41, 3)
    ),
    "beeai-2025-08-01.trace.json": Expected(
        question="I'm planning a trip to Barcelona, Spain. Can you research key attractions and"
        " landmarks I should visit, and also tell me what the current weather conditions are like"
        " there?",
        answer="Barcelona is a vibrant city known for its rich cultural heri",
        agents="ReActAgent",
        # the weather tool left no span of its own
        tools=(("wikipedia", {"query": "Tourism in Barcelona", "full_text": False}, "ok"),),
        searches=(("Tourism in Barcelona", None, "1: text"),),
        tokens=(1195 + 1988 + 2359, None),
    ),
    "crewai-2025-07-11.trace.json": Expected(
        question="Define the HTML for making a simple website with heading- Hello World!"
        " Langfuse monitors your CrewAI agent!",
        answer='```html\n<!DOCTYPE html>\n<html lang="en">\n<head>\n    <meta ch',
        agents="Software developer",
        tokens=(190, 164),
    ),
    "csharp-agent-with-gemini-2026-03-09.trace.json": Expected(
        question="What are my month over month performance insights the past quarter, by cost,"
        " displays, clicks, CTR, sales, CVR? Please split by campaign taxonomy",
        answer="I couldn't retrieve the month-over-month performance insight",
        tools=(("get_custom_report", REPORT, "error"),),  # `"response_status": "Error"`
        tokens=(2546 + 3004 + 2497, 47 + 167 + 200),
    ),
    "google-gemini-2025-08-01.trace.json": Expected(
        question=ABOUT,
        answer="**Langfuse** is an **open-source observability and evaluatio",
        tokens=(6, 2055),
    ),
    "langfuse-1.json": Expected(
        question="what's your name",
        answer="I’m the Langfuse Support Assistant. How can I help you with ",
        tokens=(1115, 101),
    ),
    "llamaindex-2025-06-05.trace.json": Expected(
        question=ABOUT,
        answer="Langfuse is a tool designed to help developers monitor and d",
        tokens=(13, 81),
    ),
    "microsoft-agent-2025-12-17.trace.json": Expected(
        question=WEATHER,
        answer="Current conditions in Tokyo, Japan: stormy, high around 23°C",
        agents="171105b7-59dd-49c0-9677-0b95395aa46a",
        tools=(("get_weather", {"location": "Tokyo, Japan"}, "ok"),),
        tokens=(77 + 216, 86 + 20),
    ),
    "openai-agents-2025-09-30.trace.json": Expected(
        question=WEATHER,
        answer="The weather in Tokyo is currently sunny. If you need more de",
        agents="Hello world",
        tools=(("get_weather", {"city": "Tokyo"}, "ok"),),
        tokens=(55 + 85, 15 + 29),
    ),
    "pydantic-ai-with-gemini-2025-12-24.trace.json": Expected(
        question='what is 1+1?\nOutput format:\n```json\n{\n    "answer": your answer,'
        '\n    "rationale": "explanation for answer"\n}\n```',
        answer="2",
        tokens=(40, 159),
    ),
    "vertex-ai-2025-08-01.trace.json": Expected(
        question=ABOUT,
        answer="**Langfuse** is an **open-source observability and evaluatio",
        tokens=(5, 845),
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_turn(name: str) -> None:
    (turn,) = turns_of(f"langfuse-export/{name}")
    assert seen(turn) == FILES[name]


def test_a_tool_loop_of_the_vercel_sdk() -> None:
    (turn,) = turns_of("langfuse-export/langfuse-2.json")
    row = seen(turn)
    assert row.question == "How to use langfuse for N+1 evaluations? "
    assert row.answer == "# N+1 evaluations in Langfuse\n\nDo you want to compare N mode"
    assert row.tools == (("searchLangfuseDocs", {"query": EVALUATIONS}, "ok"),)
    assert row.searches == ((EVALUATIONS, None, "11: text"),)
    links = {c.marker: c.status for c in turn.generation.citations} if turn.generation else {}
    assert links == {
        f"[docs]({DOCS}/evaluation/dataset-runs/datasets)": "resolved",
        f"[docs]({DOCS}/evaluation/dataset-runs/remote-run)": "ambiguous",  # two of the eleven
        f"[Evaluations (Python)]({DOCS}/observability/sdk/python/evaluation)": "resolved",
        f"[Remote Runs → Autoevals]({DOCS}/evaluation/dataset-runs/remote-run)": "ambiguous",
        f"[docs]({DOCS}/observability/sdk/python/evaluation)": "resolved",
    }
    assert row.tokens == (1124 + 46619, 79 + 1576)
    assert turn.conversation_id == "chat_53668515-211a-4a42-b069-554b7e1fcc60"
    assert [tool.name for tool in turn.tool_calls[0].catalogue or ()] == [
        "searchLangfuseDocs",
        "getLangfuseDocsPage",
        "getLangfuseOverview",
    ]


@pytest.mark.parametrize(
    ("name", "session"),
    [
        ("agno-2025-06-11.trace.json", "35cc6c90-b657-4819-b66c-c931c03ad569"),
        ("autogen-2025-06-06.trace.json", "session_abc"),
        ("crewai-2025-07-11.trace.json", "a287bb31e317433610d8827617471140"),
        ("microsoft-agent-2025-12-17.trace.json", "8e419d3288419b5d944270505640e183"),
    ],
)
def test_the_session_or_the_trace_is_the_conversation(name: str, session: str) -> None:
    (turn,) = turns_of(f"langfuse-export/{name}")
    assert turn.conversation_id == session
