import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.span import NativeCitation
from stages.citations import citations_of
from stages.markers import markers_in
from stages.paragraphs import blocks_of
from stages.records import Citation, Retrieval
from stages.sources import Sources, shape_of, sources_of
from tests.builders import (
    agent_span,
    assistant,
    chunk,
    llm_span,
    message,
    retrieval,
    retriever_span,
    tool_call,
    tool_span,
    user,
)
from tests.stages.assembling import conversation_of, turn_of

SHOES = "Shoes: return window is 30 days."
HATS = "Hats: no returns."
GIFTS = "Gift cards never expire."
THREE = (retrieval([SHOES, HATS, GIFTS]),)


def cite(
    answer: str,
    retrievals: tuple[Retrieval, ...] = THREE,
    native: tuple[NativeCitation, ...] = (),
    listed: tuple[NativeCitation, ...] = (),
    sources: Sources | None = None,
) -> list[tuple[str, str | None, str]]:
    known = sources or sources_of(retrievals, (), None)
    found = citations_of(answer, blocks_of(answer), known, native, listed)
    return [(c.marker, c.target, c.status) for c in found]


def resolved(*rows: tuple[str, str]) -> list[tuple[str, str | None, str]]:
    return [(marker, target, "resolved") for marker, target in rows]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        pytest.param("Days [1].", [("[1]", "p-1")], id="a number"),
        pytest.param("Days[1].", [("[1]", "p-1")], id="without a space"),
        pytest.param("Days [1][2].", [("[1]", "p-1"), ("[2]", "p-2")], id="two side by side"),
        pytest.param("Days [1, 3].", [("[1, 3]", "p-1"), ("[1, 3]", "p-3")], id="a list"),
        pytest.param("Days [1,3].", [("[1,3]", "p-1"), ("[1,3]", "p-3")], id="a tight list"),
        pytest.param("Days [1;3].", [("[1;3]", "p-1"), ("[1;3]", "p-3")], id="semicolons"),
        pytest.param("Days [2-3].", [("[2-3]", "p-2"), ("[2-3]", "p-3")], id="a range"),
        pytest.param("Days [2–3].", [("[2–3]", "p-2"), ("[2–3]", "p-3")], id="a dash"),
        pytest.param("Days [1, 2-3].", [("[1, 2-3]", f"p-{n}") for n in (1, 2, 3)], id="mixed"),
        pytest.param("Days [1, 1].", [("[1, 1]", "p-1")], id="twice in one marker is once"),
        pytest.param("日【1】", [("【1】", "p-1")], id="lenticular"),
        pytest.param("日［１］", [("［１］", "p-1")], id="full width"),
        pytest.param("يوما [١]", [("[١]", "p-1")], id="Arabic digits"),
        pytest.param("日[1]は", [("[1]", "p-1")], id="glued to Japanese on both sides"),
        pytest.param("Days【3†source】.", [("【3†source】", "p-3")], id="a file search number"),
        pytest.param("Days【4:0†source】.", [("【4:0†source】", "p-1")], id="counted from 0"),
        pytest.param("Days [^2].", [("[^2]", "p-2")], id="a footnote"),
        pytest.param("Days¹.", [("¹", "p-1")], id="a superscript"),
        pytest.param("Days.¹ More", [("¹", "p-1")], id="a superscript after the full stop"),
        pytest.param("靴²は", [("²", "p-2")], id="a superscript after one ideograph"),
        pytest.param("Days^2.", [("^2", "p-2")], id="a caret"),
        pytest.param("Days [Source 2].", [("[Source 2]", "p-2")], id="a word before the number"),
        pytest.param("Days [p-3].", [("[p-3]", "p-3")], id="an id"),
        pytest.param("Days [P-3].", [("[P-3]", "p-3")], id="an id in another case"),
        pytest.param("Days [p-1, p-3].", [("[p-1, p-3]", f"p-{n}") for n in (1, 3)], id="ids"),
        pytest.param("Days 【p-3】.", [("【p-3】", "p-3")], id="an id in other brackets"),
        pytest.param("Days (source: p-2).", [("(source: p-2)", "p-2")], id="a source in words"),
        pytest.param("Days [source: p-2].", [("[source: p-2]", "p-2")], id="in brackets"),
        pytest.param("Tage (Quelle: p-2)", [("(Quelle: p-2)", "p-2")], id="in German"),
        pytest.param("\\\\[1]", [("[1]", "p-1")], id="an escaped backslash escapes nothing"),
        pytest.param("See `x` and ` [1]", [("[1]", "p-1")], id="an unclosed backtick is no code"),
        pytest.param("> Days [1]", [("[1]", "p-1")], id="in a quotation"),
        pytest.param("- `a\n- [1] b`", [("[1]", "p-1")], id="code does not run over list items"),
        pytest.param("In 2024[2].", [("[2]", "p-2")], id="after a year"),
    ],
)
def test_markers_resolve(answer: str, expected: list[tuple[str, str]]) -> None:
    assert cite(answer) == resolved(*expected)


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param("Zeta (1).", id="a number in parentheses"),
        pytest.param("a[1]b", id="a subscript in a word"),
        pytest.param("x[1] = 2", id="a subscript of a letter"),
        pytest.param("arr[0]", id="a subscript zero"),
        pytest.param("a_[1]", id="after an underscore"),
        pytest.param("f[1](x)", id="a call"),
        pytest.param("\\[1\\]", id="escaped"),
        pytest.param("\\[1]", id="escaped at the start"),
        pytest.param("`[1]`", id="inline code"),
        pytest.param("``a ` [1]``", id="code in two backticks"),
        pytest.param("```\n[1]\n```", id="fenced"),
        pytest.param("~~~\n[1]\n~~~", id="tilde fence"),
        pytest.param("a\n\n    [1]", id="indented"),
        pytest.param("- a\n\n      [1]", id="indented in a list"),
        pytest.param("```\n[1]", id="unclosed"),
        pytest.param("[^1]: Policy", id="a footnote's text"),
        pytest.param("Sources:\n[1] a.md", id="the list of sources"),
        pytest.param("[1](https://example.org)", id="a link elsewhere"),
        pytest.param("![1](p-1)", id="an image"),
        pytest.param("25 m² and 3 km²", id="units"),
        pytest.param("x² + y²", id="math"),
        pytest.param("base² + height²", id="math in words"),
        pytest.param("10²", id="a power"),
        pytest.param("x^2 and 10^3", id="carets in math"),
        pytest.param("Days⁹", id="a raised number that no chunk has"),
        pytest.param("[x] done, [ ] open", id="check boxes"),
        pytest.param("[sic] and [see below]", id="words in brackets"),
        pytest.param("[2024]", id="a year"),
        pytest.param("[step-2]", id="a word with a number"),
        pytest.param("[12345678901234567890]", id="a number too long to count by"),
    ],
)
def test_what_is_no_citation(answer: str) -> None:
    assert cite(answer) == []


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        pytest.param("[4]", [("[4]", None, "out_of_range")], id="one too far"),
        pytest.param(
            "[3, 4]", [("[3, 4]", "p-3", "resolved"), ("[3, 4]", None, "out_of_range")], id="half"
        ),
        pytest.param("[8, 9]", [("[8, 9]", None, "out_of_range")] * 2, id="two too far are two"),
        pytest.param("[8-9]", [("[8-9]", None, "out_of_range")], id="a range too far is one"),
        pytest.param("[1-99999]", [("[1-99999]", None, "out_of_range")], id="a huge range"),
        pytest.param("[999999]", [("[999999]", None, "out_of_range")], id="a huge number"),
        pytest.param("[p-9]", [("[p-9]", None, "unknown_id")], id="an id of the same shape"),
        pytest.param(
            "(source: x.md)", [("(source: x.md)", None, "unknown_id")], id="an unknown source"
        ),
        pytest.param(
            "【7:9†source】", [("【7:9†source】", None, "out_of_range")], id="file search"
        ),
        pytest.param(
            "Delta¹².",
            [("¹²", "p-1", "ambiguous"), ("¹²", "p-2", "ambiguous")],
            id="twelve, or one and two",
        ),
    ],
)
def test_what_does_not_resolve(answer: str, expected: list[tuple[str, str | None, str]]) -> None:
    assert cite(answer) == expected


@pytest.mark.parametrize(
    ("retrievals", "status"),
    [
        pytest.param((), "out_of_range", id="nothing was searched"),
        pytest.param((retrieval([]),), "out_of_range", id="nothing was found"),
        pytest.param(
            (retrieval([], status="not_captured"),), "target_not_captured", id="not captured"
        ),
    ],
)
def test_a_number_without_chunks(retrievals: tuple[Retrieval, ...], status: str) -> None:
    assert cite("[1]", retrievals) == [("[1]", None, status)]


def test_a_superscript_of_twelve_chunks_is_twelve() -> None:
    twelve = (retrieval([f"Chunk {n}" for n in range(12)]),)
    assert cite("Delta¹².", twelve) == resolved(("¹²", "p-12"))


def sourced(*sources: str) -> tuple[Retrieval, ...]:
    return (
        retrieval(
            chunk(f"c{n}", SHOES, n, metadata={"source": source})
            for n, source in enumerate(sources, start=1)
        ),
    )


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        pytest.param("[site](https://x.org/a)", [("[site](https://x.org/a)", "c1")], id="a link"),
        pytest.param(
            "[1](https://x.org/b/#top)", [("[1](https://x.org/b/#top)", "c2")], id="other spelling"
        ),
        pytest.param("(source: hats.md)", [("(source: hats.md)", "c3")], id="a file's name"),
        pytest.param(
            "(source: hats.md, p. 3)", [("(source: hats.md, p. 3)", "c3")], id="with a page"
        ),
        pytest.param("[hats.md]", [("[hats.md]", "c3")], id="in brackets"),
        pytest.param("【4:9†hats.md】", [("【4:9†hats.md】", "c3")], id="a file search name"),
        pytest.param("A [^1].\n\n[^1]: docs/hats.md", [("[^1]", "c3")], id="a footnote names it"),
        pytest.param("A [1].\n\nSources:\n[1] hats.md", [("[1]", "c3")], id="the list names it"),
        pytest.param("A [^n].\n\n[^n]: hats.md", [("[^n]", "c3")], id="a footnote with a name"),
    ],
)
def test_sources_by_file_and_url(answer: str, expected: list[tuple[str, str]]) -> None:
    found = cite(answer, sourced("https://x.org/a", "https://x.org/b", "docs/hats.md"))
    assert found == resolved(*expected)


@pytest.mark.parametrize("key", ["url", "uri", "link", "href", "source_url"])
def test_a_web_result_is_cited_by_its_address(key: str) -> None:
    searches = (retrieval([chunk("c1", SHOES, metadata={key: "https://x.org/a"})]),)
    assert cite("[site](https://x.org/a/)", searches) == resolved(
        ("[site](https://x.org/a/)", "c1")
    )


def test_a_file_of_several_chunks_is_ambiguous() -> None:
    assert cite("[a.md]", sourced("a.md", "a.md")) == [
        ("[a.md]", "c1", "ambiguous"),
        ("[a.md]", "c2", "ambiguous"),
    ]


def test_two_searches_make_a_rank_ambiguous() -> None:
    two = (*THREE, retrieval([chunk("q-1", "Other.")], position=2))
    assert cite("[1] [2]", two) == [
        ("[1]", "p-1", "ambiguous"),
        ("[1]", "q-1", "ambiguous"),
        ("[2]", "p-2", "resolved"),
    ]


def test_a_tool_result_is_cited_by_its_call_id() -> None:
    sources = sources_of((), (tool_call(call_id="call_7"),), None)
    assert cite("Seven left [call_7].", sources=sources) == resolved(("[call_7]", "call_7"))


def test_the_numbers_of_the_prompt_go_before_the_rank() -> None:
    turn = turn_of(
        agent_span("a1", "How long?", "Days [1]. No [3]."),
        retriever_span("r1", "shoes", [SHOES, HATS, GIFTS]),
        llm_span("l1", f"[1] {HATS}\n[2] {SHOES}\nHow long?", "Days [1]. No [3].", at_s=2),
    )
    assert turn.generation is not None
    assert [(c.target, c.status) for c in turn.generation.citations] == [
        ("p-2", "resolved"),
        (None, "out_of_range"),
    ]


def test_a_number_of_the_prompt_that_is_no_recorded_chunk_cannot_be_checked() -> None:
    turn = turn_of(
        agent_span("a1", "How long?", "Days [1]."),
        llm_span("l1", f"[1] {SHOES}\nHow long?", "Days [1].", at_s=2),
    )
    assert turn.generation is not None
    assert [c.status for c in turn.generation.citations] == ["target_not_captured"]


# Citations beside the text


def native(**fields: object) -> NativeCitation:
    return replace(NativeCitation(start=None, end=None), **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        pytest.param(native(start=0, end=4, target_id="p-2"), ("", "p-2", "resolved"), id="id"),
        pytest.param(native(start=0, end=4, target_index=0), ("", "p-1", "resolved"), id="index"),
        pytest.param(
            native(block_text="days", target_index=1), ("", "p-2", "resolved"), id="a block"
        ),
        pytest.param(
            native(target_index=0, quote="window is\n30 days"), ("", "p-1", "resolved"), id="quote"
        ),
        pytest.param(
            native(target_index=1, quote="30 days"), ("", "p-2", "quote_not_in_chunk"), id="wrong"
        ),
        pytest.param(native(quote="never expire"), ("", "p-3", "resolved"), id="quote alone"),
        pytest.param(
            native(target_index=9), ("", None, "target_not_captured"), id="target not recorded"
        ),
    ],
)
def test_native_citations(given: NativeCitation, expected: tuple[str, str | None, str]) -> None:
    assert cite("Thirty days.", native=(given,)) == [expected]


def test_a_native_citation_at_a_marker_is_one_citation() -> None:
    answer = "Days【4:1†file.pdf】."
    given = native(start=4, end=18, target_id="p-2")
    (found,) = citations_of(answer, blocks_of(answer), sources_of(THREE, (), None), (given,))
    assert (found.marker, found.target, found.source) == ("【4:1†file.pdf】", "p-2", "native")


def test_a_native_range_points_to_its_paragraph() -> None:
    answer = "Shoes: thirty days.\n\nHats: never."
    given = (native(start=21, end=33, target_id="p-2"), native(block_text="Shoes", target_id="p-1"))
    found = citations_of(answer, blocks_of(answer), sources_of(THREE, (), None), given)
    assert [(c.paragraph, c.target) for c in found] == [(1, "p-1"), (2, "p-2")]


@pytest.mark.parametrize(
    ("target", "expected"),
    [("p-1", ("p-1", "resolved")), ("2", ("p-2", "resolved")), ("p-9", (None, "unknown_id"))],
)
def test_sources_that_a_structured_answer_lists_may_be_invented(
    target: str, expected: tuple[str | None, str]
) -> None:
    assert cite("Days.", listed=(native(target_id=target),)) == [("", *expected)]


# Earlier turns


def turn_spans(
    trace_id: str, at_s: float, prompt: str, answer: str, *documents: str
) -> list[object]:
    search = retriever_span("r1", "q", documents, trace_id=trace_id, at_s=at_s + 1)
    call = llm_span("l1", prompt, answer, trace_id=trace_id, at_s=at_s + 2)
    root = agent_span(
        "a1", prompt[-20:], answer, trace_id=trace_id, at_s=at_s, conversation_id="conv"
    )
    return [root, call, *([search] if documents else [])]


def cited(*traces: list[object]) -> list[tuple[str | None, str]]:
    turns = conversation_of(*traces).turns  # type: ignore[arg-type]
    generation = turns[-1].generation
    assert generation is not None
    return [(c.target, c.status) for c in generation.citations]


def test_an_id_of_an_earlier_turn_resolves_there() -> None:
    first = turn_spans("t1", 0, f"{SHOES} How long may I return?", "Days [p-1].", SHOES)
    second = turn_spans("t2", 60, "And what about hats then?", "As said [p-1], no.")
    assert cited(first, second) == [("p-1", "resolved_earlier_turn")]


def test_a_number_that_the_prompt_still_shows_resolves_there() -> None:
    first = turn_spans("t1", 0, f"[1] {SHOES}\nHow long may I return?", "Days [1].", SHOES)
    prompt = f"[1] {SHOES}\nAnd what about hats then?"
    assert cited(first, turn_spans("t2", 60, prompt, "See [1].")) == [
        ("p-1", "resolved_earlier_turn")
    ]


def test_a_number_means_this_turns_chunk_before_an_earlier_one() -> None:
    first = turn_spans("t1", 0, f"[1] {SHOES}\nHow long may I return?", "Days [1].", SHOES)
    second = turn_spans("t2", 60, f"[1] {SHOES}\n[1] {HATS}\nAnd hats? Please say.", "No [1].")
    search = retriever_span("r1", "q", [HATS], trace_id="t2", at_s=61)
    hats = replace(search.retrieval.documents[0], document_id="h-1")  # type: ignore[union-attr,index]
    fact = replace(search.retrieval, documents=(hats,))  # type: ignore[type-var]
    second.append(replace(search, retrieval=fact))
    assert cited(first, second) == [("h-1", "resolved")]


def test_a_number_nobody_shows_any_more_is_out_of_range() -> None:
    first = turn_spans("t1", 0, f"{SHOES} How long may I return?", "Days [1].", SHOES)
    second = turn_spans("t2", 60, "And what about hats then?", "See [1].")
    assert cited(first, second) == [(None, "out_of_range")]


# Structured answers


def test_a_structured_answer_is_unwrapped_and_its_sources_count() -> None:
    reply = '{"answer": "Thirty days.", "citations": [{"id": "p-1", "quote": "30 days"}, "p-9"]}'
    turn = turn_of(
        agent_span("a1", "How long?", reply),
        retriever_span("r1", "shoes", [SHOES, HATS]),
        llm_span("l1", f"{SHOES} How long?", reply, at_s=2),
    )
    generation = turn.generation
    assert generation is not None
    assert generation.answer == "Thirty days."
    assert isinstance(generation.structured, dict)
    assert [(c.target, c.status, c.paragraph) for c in generation.citations] == [
        ("p-1", "resolved", 1),
        (None, "unknown_id", 1),
    ]


# Properties


PIECES = """word a b1 靴 [1] [2,·3] [4-9] [1-999999] 【2】 【4:0†source】 [p-1] [p-99] [^1] ¹ ¹² ^3 ( ) `
`` ``` \\ [ ] 】 (source:·p-1) [x](p-2) [1](http://a.b) 99999999999999999999 - , . ····"""
pieces = st.sampled_from(
    [*(piece.replace("·", " ") for piece in PIECES.split()), " ", "\n", "\n\n"]
)


@given(st.lists(pieces, max_size=40).map("".join))
def test_every_citation_quotes_its_marker(answer: str) -> None:
    blocks = blocks_of(answer)
    found: tuple[Citation, ...] = citations_of(answer, blocks, sources_of(THREE, (), None))
    assert [c.citation for c in found] == list(range(1, len(found) + 1))
    for citation in found:
        assert answer[citation.start : citation.end] == citation.marker != ""
        assert (citation.target is not None) == (citation.status in ("resolved", "ambiguous"))
        hidden = [*blocks.code, *blocks.definitions]
        assert not any(start < citation.end and citation.start < end for start, end in hidden)


@given(st.integers(0, 10**30), st.integers(0, 10**30))
def test_no_range_is_expanded_beyond_fifty(first: int, last: int) -> None:
    (marker, *rest) = [*markers_in(f"[{first}-{last}]", ()), None]
    assert rest in ([], [None])
    assert marker is None or len(marker.numbers) <= 50


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(
            "Returns take thirty days [1]. See [2, 3] and `x[4]`.\n\n" * 17_000, id="usual"
        ),
        pytest.param("[1-50] " * 20_000, id="ranges"),
        pytest.param("[" * 500_000 + "]" * 500_000, id="brackets"),
        pytest.param("(source: " * 110_000, id="sources"),
        pytest.param("\\" * 500_000 + "[1]" * 100_000, id="backslashes"),
        pytest.param("` `` " * 200_000, id="backticks"),
        pytest.param("word¹" * 160_000, id="superscripts"),
        pytest.param("^" * 1_000_000, id="carets"),
    ],
)
def test_a_megabyte_is_read_in_seconds(answer: str) -> None:
    started = time.process_time()
    citations_of(answer, blocks_of(answer), sources_of(THREE, (), None))
    assert time.process_time() - started < 10


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("hr-001", "aa-9"),
        ("hr-1234", "aa-9"),
        ("doc_7", "aaa_9"),
        ("7", None),
        ("policy", None),
        ("a1", "a9"),
    ],
)
def test_the_shape_of_an_id(name: str, shape: str | None) -> None:
    assert shape_of(name) == shape


def test_messages_of_the_assistant_do_not_number_sources() -> None:
    turn = turn_of(
        agent_span("a1", "And hats?", "No [1]."),
        retriever_span("r1", "hats", [HATS]),
        llm_span(
            "l1",
            (user("Shoes?"), assistant(f"[1] {GIFTS}"), message(f"[1] {HATS}\nAnd hats?")),
            "No [1].",
            at_s=2,
        ),
        tool_span("x1", "stock", {}, "7", at_s=1),
    )
    assert turn.generation is not None
    assert [c.target for c in turn.generation.citations] == ["p-1"]
