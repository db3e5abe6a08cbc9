"""What is advised, and when nothing is."""

from collections import Counter

import pytest

from analysis.diagnosis.advice import MOST, advise
from analysis.diagnosis.examination import Examination
from analysis.metrics.ratio import Ratio


def found(
    captured: int = 10, silent: int = 0, cut: int = 0, **told: tuple[int, int]
) -> Examination:
    coverage = {
        name.replace("_", " "): ("turns", Ratio(hits, total))
        for name, (hits, total) in told.items()
    }
    counts = Counter({"captured": captured, "not_captured": silent, "truncated": cut})
    return Examination(
        spans=captured + silent + cut,
        captures={"llm": counts},
        silent=Counter({"gen_ai": silent}),
        coverage=coverage,
    )


@pytest.mark.parametrize(
    ("hits", "total", "advised"),
    [
        pytest.param(100, 100, False, id="all told"),
        pytest.param(95, 100, False, id="enough told"),
        pytest.param(94, 100, True, id="an exception no longer"),
        pytest.param(0, 1, True, id="nothing told"),
        pytest.param(0, 0, False, id="nothing to tell"),
    ],
)
def test_what_is_nearly_always_told_is_left_alone(hits: int, total: int, *, advised: bool) -> None:
    texts = [advice.text for advice in advise(found(catalogue=(hits, total)))]
    turns = "turn" if total == 1 else "turns"
    missing = f"({total - hits} of {total} {turns} without)."
    assert [text.endswith(missing) for text in texts] == [True] * advised


def test_what_helps_most_comes_first_and_no_more_than_three() -> None:
    advice = advise(
        found(question=(60, 100), chunk_id=(0, 100), catalogue=(0, 100), collection=(90, 100))
    )
    assert len(advice) == MOST
    assert [one.text.split(":")[0] for one in advice] == [
        "Record the tools or collections to choose from",
        "Record the user's message",
        "Give chunks stable ids",
    ]


def test_silent_spans_are_one_advice_for_all_texts() -> None:
    (advice,) = advise(found(captured=0, silent=4, question=(0, 4), answer=(0, 4)))
    assert "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT" in advice.text
    assert advice.text.endswith("(4 of 4 spans hold no text).")
    (advice,) = advise(found(captured=0, silent=1, question=(0, 1)))
    assert advice.text.endswith("(1 of 1 span holds no text).")


def test_agents_whose_model_calls_hold_the_text_are_not_switched_off() -> None:
    examination = found(captured=6, silent=0, answer=(0, 2))
    examination.captures["agent"] = Counter({"not_captured": 4})
    (advice,) = advise(examination)
    assert advice.text.startswith("Record the answer")
    del examination.captures["llm"]
    (advice,) = advise(examination)
    assert advice.text.endswith("(4 of 4 spans hold no text).")


def test_content_that_was_uploaded_is_not_said_to_be_switched_off() -> None:
    examination = found(captured=0, silent=4, question=(0, 4))
    examination.flags["content_by_reference"] = 3
    (advice,) = advise(examination)
    assert advice.text.startswith("Keep content on the spans")


def test_silent_spans_are_no_matter_where_every_turn_tells() -> None:
    assert advise(found(captured=6, silent=4, question=(4, 4), answer=(4, 4))) == ()


def test_recorders_that_cut_and_drop_are_told() -> None:
    examination = found(captured=8, cut=2)
    examination.dropping_spans = 5
    texts = [advice.text for advice in advise(examination)]
    assert texts[0].startswith("Raise OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT")
    assert texts[1].startswith("Raise OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT")
    assert texts[0].endswith("(5 of 10 spans lost attributes).")


@pytest.mark.parametrize(
    ("captured", "silent", "state"),
    [(0, 0, "unknown"), (3, 0, "on"), (0, 3, "off"), (2, 1, "partly")],
)
def test_the_state_of_content(captured: int, silent: int, state: str) -> None:
    assert found(captured=captured, silent=silent).content == state
