import json

import pytest

from ingest.span import Message
from stages.context import Prompt, numbered, prompt_of, with_context
from stages.model_calls import model_calls
from stages.records import Chunk
from stages.tree import grow
from tests.builders import (
    agent_span,
    assistant,
    chunk,
    llm_span,
    message,
    retrieval,
    retriever_span,
    system,
    tool_reply,
    tool_span,
    user,
)
from tests.stages.assembling import turn_of

SHOES = "Shoes may be returned within thirty days of delivery when they are unworn and boxed."
HATS = "Hats: no returns."


def read(*messages: Message, **fields: object) -> Prompt:
    tree = grow([llm_span("l1", messages, "Yes.", parent_id=None, **fields)])
    prompt = prompt_of(model_calls(tree, tree.acting))
    assert prompt is not None
    return prompt


def places(prompt: Prompt | None, *chunks: Chunk) -> list[bool | None]:
    (found,) = with_context((retrieval([*chunks]),), prompt)
    return [item.in_context for item in found.chunks]


@pytest.mark.parametrize(
    "prompt",
    [
        pytest.param(read(user(f"Use this: {SHOES} How long?")), id="in the user's message"),
        pytest.param(read(system(SHOES), user("How long?")), id="in the system message"),
        pytest.param(read(user("How long?"), instructions=SHOES), id="in the instructions"),
        pytest.param(read(user(SHOES.replace(" ", "\n  "))), id="wrapped differently"),
        pytest.param(read(user(f"{SHOES[:64]}… How long?")), id="cut after sixty characters"),
        pytest.param(read(tool_reply([{"id": "p-1", "text": SHOES}])), id="in a tool's result"),
        pytest.param(read(tool_reply(f'[{{"text": "{SHOES}"}}]')), id="in a tool's JSON text"),
        pytest.param(read(user("[1] (p-1) a summary of it")), id="by the id on its line"),
    ],
)
def test_a_chunk_in_the_prompt_is_in_context(prompt: Prompt) -> None:
    assert places(prompt, chunk("p-1", SHOES), chunk("p-2", HATS)) == [True, False]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('He said "no"\nand left the shop at once.', id="quotes and a line break"),
        pytest.param("Köln – 25 € für Schuhe, Hüte und Mützen", id="no ASCII"),
        pytest.param("It's the customer's own shoe, isn't it?", id="apostrophes"),
    ],
)
@pytest.mark.parametrize("ascii_only", [True, False])
def test_a_chunk_inside_json_or_python_text_is_found(text: str, ascii_only: object) -> None:
    dumped = json.dumps([{"t": text}], ensure_ascii=bool(ascii_only))
    assert places(read(user(dumped + " is the context")), chunk("p-1", text)) == [True]
    assert places(read(user(f"docs: {text!r}")), chunk("p-1", text)) == [True]


def test_without_a_prompt_nothing_is_known() -> None:
    assert places(None, chunk("p-1", SHOES, in_context=None)) == [None]


def test_a_prompt_that_holds_no_chunk_at_all_does_not_show_how_context_went_in() -> None:
    assert places(read(user("How long?")), chunk("p-1", SHOES, in_context=None)) == [None]


def test_absence_from_a_cut_prompt_is_not_known() -> None:
    prompt = read(message(f"{SHOES} And then", truncated=True))
    assert places(prompt, chunk("p-1", SHOES), chunk("p-2", HATS)) == [True, None]


def test_a_chunk_without_text_is_not_known() -> None:
    assert places(read(user(SHOES)), chunk("p-1", SHOES), chunk("p-2", None)) == [True, None]


def test_chunks_that_begin_alike_are_told_apart() -> None:
    header = "Company handbook, edition of the year 2026, chapter on returned goods. "
    shown, other = header + "Shoes: thirty days.", header + "Hats: never."
    assert places(read(user(shown)), chunk("p-1", shown), chunk("p-2", other)) == [True, False]


def test_a_very_short_chunk_stands_only_as_a_whole_line() -> None:
    assert places(read(user("yes and no"), system(SHOES)), chunk("a", "no"), chunk("b", SHOES)) == [
        False,
        True,
    ]


def test_what_the_model_said_before_is_no_context() -> None:
    prompt = read(assistant(SHOES), user(f"And hats? {HATS}"))
    assert places(prompt, chunk("p-1", SHOES), chunk("p-2", HATS)) == [False, True]


@pytest.mark.parametrize(
    "context",
    [
        pytest.param(f"[1] (p-2) {HATS}\n[2] (p-1) {SHOES}", id="ids in parentheses"),
        pytest.param(f"[1] {HATS}\n[2] {SHOES}", id="brackets"),
        pytest.param(f"Document 1: {HATS}\nDocument 2: {SHOES}", id="documents"),
        pytest.param(f"Source [1]:\n{HATS}\n\nSource [2]:\n{SHOES}", id="sources on own lines"),
        pytest.param(f"1. {HATS}\n2. {SHOES}", id="a list"),
        pytest.param(
            f'<doc index="1">{HATS}</doc>\n<doc index="2">{SHOES}</doc>', id="tags with an index"
        ),
        pytest.param(f"【1】{HATS}\n【2】{SHOES}", id="other brackets"),
    ],
)
def test_the_prompt_tells_what_a_number_means(context: str) -> None:
    found = numbered(read(user(context)), [chunk("p-1", SHOES), chunk("p-2", HATS)])
    assert {n: [c.chunk_id for c in meant] for n, meant in found.items()} == {
        1: ["p-2"],
        2: ["p-1"],
    }


def test_a_list_inside_a_passage_does_not_end_it() -> None:
    steps = "Steps to return shoes in our shops:\n1. Pack them.\n2. Bring them back to the shop."
    found = numbered(read(user(f"[1] {steps}\n[2] {HATS}")), [chunk("p-1", steps)])
    assert {n: [c.chunk_id for c in meant] for n, meant in found.items()} == {1: ["p-1"]}


def test_equal_texts_are_numbered_in_the_order_in_which_they_came() -> None:
    found = numbered(
        read(user(f"[1] {SHOES}\n[2] {SHOES}")), [chunk("v-1", SHOES), chunk("v-2", SHOES)]
    )
    assert {n: [c.chunk_id for c in meant] for n, meant in found.items()} == {
        1: ["v-1"],
        2: ["v-2"],
    }


def test_two_lists_numbered_alike_make_a_number_ambiguous() -> None:
    found = numbered(
        read(user(f"[1] {SHOES}"), user(f"[1] {HATS}")), [chunk("p-1", SHOES), chunk("p-2", HATS)]
    )
    assert [c.chunk_id for c in found[1]] == ["p-1", "p-2"]


def test_what_another_agent_read_for_the_answer_is_in_context() -> None:
    reply = "You may return shoes for thirty days [1]."
    turn = turn_of(
        agent_span("a1", "How long?", reply, agent="desk"),
        tool_span("x1", "ask_policies", {"q": "shoes"}, reply, lasts_s=5, at_s=1),
        agent_span("a2", "shoes", reply, agent="policies", parent_id="x1", at_s=1.5, lasts_s=4),
        retriever_span("r1", "shoes", [SHOES, HATS], parent_id="a2", at_s=2),
        llm_span("l1", f"[1] {SHOES}\nshoes", reply, parent_id="a2", at_s=3),
        llm_span("l2", (user("How long?"), tool_reply(reply)), reply, at_s=7),
    )
    assert [c.in_context for c in turn.retrievals[0].chunks] == [True, False]
    assert [item.evidence_id for item in turn.evidence] == ["p-1"]


def test_a_large_prompt_is_read_in_linear_time() -> None:
    text = "[1] " * 100_000 + "<doc " * 50_000 + "source " * 50_000
    assert len(read(user(text)).entries) == 1
