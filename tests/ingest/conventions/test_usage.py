from typing import Any

import pytest

from ingest.conventions.usage import apart, usage_in, usage_of
from ingest.span import Usage


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        pytest.param(
            {"prompt_tokens": 50, "completion_tokens": 12, "prompt_tokens_details": {"cached_tokens": 20}},
            Usage(input_tokens=50, output_tokens=12, cached_tokens=20),
            id="OpenAI",
        ),
        pytest.param(
            {"input_tokens": 4, "output_tokens": 12, "cache_read_input_tokens": 30, "cache_creation_input_tokens": 6},
            Usage(input_tokens=40, output_tokens=12, cached_tokens=30, cache_write_tokens=6),
            id="Anthropic, which counts cached tokens apart",
        ),
        pytest.param(
            {"prompt_token_count": 50, "candidates_token_count": 12, "total_token_count": 62},
            Usage(input_tokens=50, output_tokens=12),
            id="Gemini",
        ),
        pytest.param({"inputTokens": 50, "outputTokens": 12}, Usage(input_tokens=50, output_tokens=12), id="Bedrock"),
        pytest.param({"input_tokens": "50"}, Usage(input_tokens=50), id="as text"),
        pytest.param({"input_tokens": -1}, None, id="below zero"),
        pytest.param({}, None, id="nothing"),
        pytest.param([1], None, id="no object"),
    ],
)  # fmt: skip
def test_counts_of_an_api(counts: Any, expected: Usage | None) -> None:
    assert usage_of(counts) == expected


@pytest.mark.parametrize(
    "response",
    [
        pytest.param({"usage": {"prompt_tokens": 50}}, id="beside the message"),
        pytest.param({"llm_output": {"token_usage": {"prompt_tokens": 50}}}, id="in LangChain's output"),
        pytest.param({"generations": [[{"message": {"kwargs": {"usage_metadata": {"input_tokens": 50}}}}]]}, id="in the message"),
        pytest.param({"usage_metadata": None, "usage": {"input_tokens": 50}}, id="beside an empty one"),
    ],
)  # fmt: skip
def test_counts_in_a_response(response: Any) -> None:
    assert usage_in(response) == Usage(input_tokens=50)


@pytest.mark.parametrize("response", [None, "text", {}, {"messages": []}, {"usage": "50"}])
def test_a_response_without_counts(response: Any) -> None:
    assert usage_in(response) is None


def test_a_response_that_nests_without_end() -> None:
    response: dict[str, Any] = {}
    response["message"] = response
    assert usage_in(response) is None


def test_counts_apart_are_summed() -> None:
    names: Any = {"inputs": ("i",), "outputs": ("o",), "cached": ("c",), "reasoned": ("r",)}
    assert apart({"i": 30, "c": 20, "o": 12, "r": 5}, **names) == Usage(
        input_tokens=50, output_tokens=17, cached_tokens=20
    )
    assert apart({"c": 20}, **names) == Usage(cached_tokens=20)
    assert apart({"r": 5}, **names) is None
