"""Runs as LangSmith's clients post them."""

import pytest

from tests.traces.expectations import Expected, seen, turns_of


@pytest.mark.parametrize(
    ("name", "tokens"),
    [
        ("langsmith_js_wrap_openai_stream.json", (9, 9)),
        ("langsmith_js_wrap_openai_stream_no usage.json", (None, None)),
        ("langsmith_py_wrap_openai_.json", (9, 9)),
        ("langsmith_py_wrap_openai_stream_no_usage.json", (None, None)),
    ],
)
def test_a_wrapped_client(name: str, tokens: tuple[int | None, int | None]) -> None:
    (turn,) = turns_of(f"langsmith/{name}")
    assert seen(turn) == Expected(
        question="howdy", answer="Howdy! How can I assist you today?", tokens=tokens
    )
    assert turn.model == "gpt-4o-mini"
