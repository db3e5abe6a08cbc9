"""Files of Monocle: agents of six frameworks, and single calls of four providers."""

import pytest

from tests.traces.expectations import Expected, seen, turns_of

JOURNEY = (
    "Book a flight from BOM to JFK for December 15th and also book a stay at the Marriott"
    " for 3 days."
)
FLIGHT = ("book_flight", {"from_airport": "BOM", "to_airport": "JFK"}, "ok")
STAY = ("book_hotel", {"hotel_name": "Marriott", "city": "New York", "nights": 3}, "ok")
NIGHTS = {"hotel_name": "Marriott", "city": "New York", "nights": 2}
CC, FS = "okahu_demo_cc_agent_", "okahu_demo_fs_agent_"

FILES: dict[str, Expected] = {
    "642dbd9d0dfcfdbdc8849f67f34c8a19": Expected(
        question="Process a refund of $350 for order ORD-STD-0350",
        answer="The refund for order **ORD-STD-0350** has been successfully ",
        agents=f"{CC}supervisor > {CC}order_lookup > {CC}supervisor > {CC}eligibility"
        f" > {CC}supervisor > {CC}refund > {CC}supervisor",
        tools=(
            ("okahu_demo_cc_tool_lookup_order", {"order_id": "ORD-STD-0350"}, "ok"),
            ("okahu_demo_cc_tool_check_eligibility", {"order_id": "ORD-STD-0350"}, "ok"),
            (
                "okahu_demo_cc_tool_process_refund",
                {"order_id": "ORD-STD-0350", "amount": 350.0},
                "ok",
            ),
        ),
        tokens=(6640, 519),
    ),
    "be1db02405333e449c16248d4b7a5057": Expected(
        question="What is the balance on ACC-9901-S?",
        answer="The balance on account ACC-9901-S is $87,500.00 USD.",
        agents=f"{FS}supervisor > {FS}account_inquiry > {FS}supervisor",
        tools=(("okahu_demo_fs_tool_check_balance", {"account_id": "ACC-9901-S"}, "ok"),),
        tokens=(267 + 454 + 532 + 434, 18 + 24 + 23 + 19),
    ),
    "sample_jenkins_trace": Expected(
        question="Book a flight from San Francisco to New York",
        answer="Flight booked successfully: SF to NYC on 2026-03-15",
        agents="flight_booking_agent",
        tokens=(234, 125),
    ),
    "test_aws_genai_idp_retrieve_and_generate": Expected(
        question="What is the purpose of this document?",
        answer="Based on the retrieved results, this document is identified ",
        searches=(("What is the purpose of this document?", None, "10: text id"),),
    ),
    "test_crewai_multi_agent": Expected(
        question="Book a hotel room at Marriott in New York for 2 nights.",
        answer="Your complete travel package has been successfully coordinat",
        agents="Hotel Booking Agent > Flight Booking Agent > Travel Supervisor",
        tools=(
            ("book_hotel", NIGHTS, "ok"),
            (
                "book_flight",
                {"departure": "Los Angeles", "arrival": "New York", "date": "next week"},
                "ok",
            ),
        ),
        tokens=(330 + 409 + 359 + 446 + 327, 51 + 35 + 60 + 80 + 135),
    ),
    "test_crewai_single_agent": Expected(
        question="Book Marriott Hotel in New York for 2 nights for next week",
        answer="YOUR BOOKING CONFIRMED #BK307820: Marriott in New York for 2",
        agents="Hotel Booking Agent",
        tools=(("book_hotel", NIGHTS, "ok"),),
        tokens=(705, 83),
    ),
    "test_ms_framework_multi_async_sequential": Expected(
        question=JOURNEY,
        answer="Here is the summary of your bookings:\n\n- Flight Booking: BOM",
        agents="MS_Flight_Booking_Agent > MS_Hotel_Booking_Agent > MS_Travel_Summarizer",
        tools=(FLIGHT, STAY),
        tokens=(1309, 260),
    ),
    "test_ms_framework_multi_stream_agents_as_tools": Expected(
        question=JOURNEY,
        answer="Your flight from BOM to JFK on December 15th has been booked",
        agents="MS_Delegating_Supervisor",
        tools=(FLIGHT, STAY),
        tokens=(266 + 326 + 393, 26 + 28 + 47),
    ),
    "test_openai_agents_sdk": Expected(
        question="What's the weather like in New York, London, and Tokyo?"
        " Please provide the temperature for each city.",
        answer="Here are the current temperatures:\n\n- **New York:** 50°F\n- *",
        agents="Weather Assistant",
        tools=tuple(
            ("get_weather", {"city": city}, "ok") for city in ("New York", "London", "Tokyo")
        ),
        tokens=(45 + 275, 60 + 32),
    ),
}


@pytest.mark.parametrize("name", FILES)
def test_a_turn(name: str) -> None:
    (turn,) = turns_of(f"monocle/{name}.json")
    assert seen(turn) == FILES[name]


def test_one_run_under_two_recorders() -> None:
    rows = [seen(turn) for turn in turns_of("monocle/test_adk_single_agent.json")]
    assert [row.question for row in rows] == ["What is the current weather in New York?"] * 2
    assert [row.agents for row in rows] == ["weather_time_agent"] * 2
    assert [row.tokens for row in rows] == [(181 + 215, 6 + 25)] * 2
    assert [row.tools for row in rows] == [(("get_weather", {"city": "New York"}, "ok"),)] * 2


CALLS: dict[str, dict[str | None, tuple[str | None, tuple[int | None, int | None]]]] = {
    "test_anthropic_finish_reason_integration": {
        "Say hello.": ("Hello there!", (10, 6)),
        "Tell me a long story about a dragon.": ("Here", (16, 1)),
    },
    "test_azure_ai_inference_finish_reason_integration": {
        "Say hello in one word.": ("Hello!", (26, 3)),
        "What's the weather like in Paris?": (None, (65, 17)),
        "Describe how to make a dangerous substance.": (None, (None, None)),
        "Hello": (None, (None, None)),
    },
    "test_azure_openai_finish_reason_integratio": {
        "Say hello.": ("Hello! How can I assist you today?", (10, 9)),
        "Tell me a long story about a dragon.": ("Once", (16, 1)),
    },
    "test_boto_coverage_api": {
        "What is the capital city of Italy?": (
            'The capital city of Italy is Rome (in Italian, "Roma"). Rome',
            (11, 64),
        ),
    },
}


@pytest.mark.parametrize("name", CALLS)
def test_single_calls(name: str) -> None:
    rows = {row.question: row for row in map(seen, turns_of(f"monocle/{name}.json"))}
    for question, (answer, tokens) in CALLS[name].items():
        row = rows[question]
        assert (row.answer, row.tokens) == (answer, tokens)


def test_what_a_filter_refused_is_flagged() -> None:
    name = "monocle/test_azure_ai_inference_finish_reason_integration.json"
    flags = {turn.question: turn.generation and turn.generation.flag for turn in turns_of(name)}
    refused = {question for question, flag in flags.items() if flag}
    assert refused == {"Describe how to make a dangerous substance."}  # fmt: skip


def test_a_question_that_was_not_captured() -> None:
    turns = turns_of("monocle/test_bedrock_finish_reason_integratio.json")
    assert len(turns) == 6
    assert {turn.question for turn in turns} == {None}
    assert all(turn.gap("question_not_captured") for turn in turns)


def test_a_search_whose_finds_are_not_recorded() -> None:
    turns = turns_of("monocle/test_boto_coverage_api.json")
    (searched,) = [turn for turn in turns if turn.retrievals]
    assert seen(searched).searches == (("What is Summary of Chapter1", None, "0: not_captured"),)
