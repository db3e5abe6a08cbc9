"""The given cases whose right value is about turns and stages."""

from collections import Counter
from typing import Any

import pytest

from stages.records import Generation, Turn
from stages.sentences import sentences
from tests.stages.recorded import case, conversations, expected, shared, targets


def only(name: str) -> Turn:
    (turn,) = case(name)
    return turn


def generation_of(turn: Turn) -> Generation:
    assert turn.generation is not None
    return turn.generation


def test_12_orphans_cycles_and_second_roots_lose_nothing() -> None:
    want: Any = expected("12")
    turn = only("12.orphans.jsonl")
    assert (turn.question, generation_of(turn).answer) == (want["question"], want["answer"])
    assert len(turn.spans) == want["spans"]
    assert [len(search.chunks) for search in turn.retrievals] == [want["retrieved"]]
    assert [call.name for call in turn.tool_calls] == want["tools"]
    assert turn.complete
    assert Counter(flag for row in turn.spans for flag in row.flags) == want["flags"]


def test_14_tokens_are_counted_once() -> None:
    want: Any = expected("14")
    turn = only("14.tokens.jsonl")
    tokens = (turn.input_tokens, turn.output_tokens, turn.cached_tokens)
    assert tokens == (want["input_tokens"], want["output_tokens"], want["cache_read"])


@pytest.mark.parametrize("order", [1, -1])
def test_16_a_late_root_completes_its_turn(order: int) -> None:
    parts = [shared("cases", f"16.split.part{n}.jsonl") for n in (1, 2)]
    (first,) = conversations(parts[0])
    assert [turn.complete for turn in first.turns] == [False]
    (both,) = conversations(*parts[::order])
    assert [(turn.complete, len(turn.spans)) for turn in both.turns] == [(True, 3)]


def test_17_three_keys_are_one_conversation_in_time_order() -> None:
    want: Any = expected("17")
    (found,) = conversations(shared("cases", "17.sessions.jsonl"))
    assert [turn.question for turn in found.turns] == want["order"]
    assert sum(len(turn.spans) for turn in found.turns) == want["spans_with_conversation"]


def test_19_parallel_calls_are_paired_by_id() -> None:
    want: Any = expected("19")
    turn = only("19.parallel.jsonl")
    calls = [[c.call_id, c.name, c.arguments, str(c.result)] for c in turn.tool_calls]
    assert sorted(calls) == want["tools"]
    assert {call.prior for call in turn.tool_calls} == {()}


def test_21_content_off_is_a_state() -> None:
    want: Any = expected("21")
    turn = only("21.nocontent.jsonl")
    assert turn.complete
    assert generation_of(turn).answer is None
    assert turn.gap("answer_not_captured") is not None
    assert [search.status for search in turn.retrievals] == [want["retrieval_status"]]
    assert (turn.input_tokens, turn.output_tokens) == (want["input_tokens"], want["output_tokens"])
    assert turn.duration_ms == want["duration_ms"]
    assert turn.use["retrieval"].duration_ms == want["retrieval_ms"]
    assert turn.use["generation"].duration_ms == want["generation_ms"]


def test_23_what_was_cut_or_replaced_is_told_apart() -> None:
    want: Any = expected("23")
    turn = only("23.truncated.jsonl")
    assert (turn.question, len(turn.spans)) == (want["question"], want["spans"])
    first, second = turn.tool_calls
    assert (first.status, first.result) == (want["tool_c1"]["status"], None)
    assert second.truncated is want["tool_c2"]["truncated"]
    assert "c1" not in {item.evidence_id for item in turn.evidence}
    assert want["judge_prompt_never_contains"] not in repr([turn.tool_calls, turn.evidence])
    assert "truncated" in turn.flags


def test_24_arguments_are_decoded_as_far_as_they_are_text() -> None:
    want: Any = expected("24")
    assert [call.arguments for call in only("24.double.jsonl").tool_calls] == want["args"]


def test_26_empty_not_captured_and_not_used_are_three_things() -> None:
    turns = case("26.empty.jsonl")
    assert [[(r.status, len(r.chunks)) for r in turn.retrievals] for turn in turns] == [
        [("empty", 0)],
        [("not_captured", 0)],
        [],
        [("ok", 3)],
    ]
    assert [[status for _, _, status in targets(turn)] for turn in turns] == [
        ["out_of_range"],
        ["target_not_captured"],
        [],
        ["resolved"],
    ]


def test_28_order_is_by_number_and_scores_stay_as_recorded() -> None:
    want: Any = expected("28")
    (search,) = only("28.scores.jsonl").retrievals
    assert [chunk.chunk_id for chunk in search.chunks] == want["order"]
    assert [chunk.score for chunk in search.chunks] == want["scores"]
    assert [chunk.rank for chunk in search.chunks] == [1, 2, 3, 4, 5, 6]


def test_29_brackets_in_code_are_no_citations() -> None:
    turn = only("29.code.jsonl")
    assert targets(turn) == [("[1]", "p-1", "resolved"), ("[2]", "p-2", "resolved")]


def test_31_every_style_of_marker_is_read() -> None:
    want: Any = expected("31")
    turn = only("31.marks.jsonl")
    answer = generation_of(turn).answer or ""
    found: dict[str, list[int]] = {}
    for citation in generation_of(turn).citations:
        word = answer[: citation.start].split()[-1]
        found.setdefault(word, []).append(int((citation.target or "").removeprefix("p-")))
    assert found == want["cited_by_marker"]
    assert len(targets(turn)) == want["rows_in_citations"]
    ambiguous = [target for _, target, status in targets(turn) if status == "ambiguous"]
    assert ambiguous == ["p-1", "p-2"]
    assert {status for _, _, status in targets(turn)} == {"resolved", "ambiguous"}


def test_32_blocks_and_sentences_need_no_full_stop() -> None:
    want: Any = expected("32")
    turn = only("32.cjk.jsonl")
    generation = generation_of(turn)
    assert [paragraph.kind for paragraph in generation.paragraphs] == want["kinds"]
    assert {citation.paragraph for citation in generation.citations} == {1, 2, 3, 4}
    assert len(generation.citations) == want["rows_in_citations"]
    assert {int((c.target or "")[2:]) for c in generation.citations} == set(want["cited"])
    assert len(sentences(generation.answer or "")) >= want["sentences_min"]


def test_40_turns_start_when_their_roots_do() -> None:
    assert [turn.start_ns for turn in case("40.since.jsonl")] == [
        1_767_225_600_000_000_000,
        1_767_311_999_999_999_999,
        1_767_312_000_000_000_000,
        1_774_744_200_000_000_000,
    ]
