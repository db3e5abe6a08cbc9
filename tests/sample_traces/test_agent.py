"""The parts of the agent that are no script: search, sources, blocks, tools, clock, truth."""

from pathlib import Path

import pytest

from sample_traces.agent.agents import SERVICES, CitationStyle
from sample_traces.agent.blocks import blocks
from sample_traces.agent.bm25 import rerank, search, words
from sample_traces.agent.corpus import Passage, read_corpus
from sample_traces.agent.sources import Cited, Sources
from sample_traces.agent.tools import Database, look_up_tool, ticket_tool


def passage(passage_id: str, text: str) -> Passage:
    return Passage(passage_id=passage_id, collection="c", title="", text=text)


PASSAGES = [
    passage("a", "belt tension"),
    passage("b", "belt belt tension of axis 5"),
    passage("c", "grease on axis 2"),
]


def found(query: str, limit: int = 3) -> str:
    return "".join(hit.passage.passage_id for hit in search(query, PASSAGES, limit))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param("grease", "c", id="one passage has the word"),
        pytest.param("tension", "ab", id="the shorter passage first"),
        pytest.param("axis 5", "bc", id="more words first"),
        pytest.param("belts tensioned", "ba", id="endings do not count"),
        pytest.param("what is on the", "", id="stop words find nothing"),
        pytest.param("lube", "", id="another word for it finds nothing"),
        pytest.param("", "", id="nothing asked"),
    ],
)
def test_search(query: str, expected: str) -> None:
    assert found(query) == expected


def test_search_stops_at_the_limit() -> None:
    assert found("axis belt", limit=1) == "b"


def test_an_equal_score_keeps_the_order_of_the_document() -> None:
    twins = [passage("x", "valve"), passage("y", "valve")]
    assert [hit.passage.passage_id for hit in search("valve", twins, 2)] == ["x", "y"]


def test_reranking_prefers_pairs_of_words() -> None:
    near = [passage("p", "tension belt tension tension"), passage("q", "axis 5 belt")]
    hits = search("axis 5 tension", near, 2)
    assert [hit.passage.passage_id for hit in rerank("axis 5 tension", hits)] == ["q", "p"]


def test_a_model_number_is_one_word() -> None:
    assert words("the RX-200's belts") == ["rx-200", "s", "belt"]


@pytest.mark.parametrize(
    ("style", "shown", "marker"),
    [
        pytest.param(CitationStyle.BRACKETS, "[2] (b) belt", "[2, 1]", id="brackets"),
        pytest.param(CitationStyle.CORNERS, "[2] (b) belt", "【2】【1】", id="corners"),
        pytest.param(CitationStyle.IDS, "[b] belt", "[b][a]", id="ids"),
    ],
)
def test_sources(style: CitationStyle, shown: str, marker: str) -> None:
    sources = Sources(style)
    sources.add([passage("a", "axis")])
    assert sources.add([passage("b", "belt")]) == shown
    answer, cited = sources.cite("It is {b, a}.")
    assert answer == f"It is {marker}."
    assert cited == (Cited(passage_id="b", start=6), Cited(passage_id="a", start=6))


def test_a_source_keeps_its_number() -> None:
    sources = Sources(CitationStyle.BRACKETS)
    sources.add([passage("a", "axis")])
    sources.add([passage("b", "belt"), passage("a", "axis")])
    assert sources.cite("{a}{b}")[0] == "[1][2]"


def test_what_is_no_source_cannot_be_cited() -> None:
    with pytest.raises(KeyError, match="rx200-99"):
        Sources(CitationStyle.BRACKETS).cite("{rx200-99}")


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        pytest.param("One.\n\nTwo.", ["One.", "Two."], id="two paragraphs"),
        pytest.param("One\ntwo.", ["One\ntwo."], id="a line break is no border"),
        pytest.param("Do:\n\n- a\n- b\n", ["Do:", "- a\n- b"], id="a list is one block"),
        pytest.param("# H\n\nText", ["# H\n\nText"], id="a heading belongs to what follows"),
        pytest.param("|a|\n|-|\n|1|\n\nEnd", ["|a|\n|-|\n|1|", "End"], id="a table"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_blocks(answer: str, expected: list[str]) -> None:
    assert [answer[start:end] for start, end in blocks(answer)] == expected


def test_the_database_knows_what_is_there_and_what_is_not() -> None:
    database = Database()
    get_order = look_up_tool("get_order", "", "orders", "order_id", "[0-9]{4}")
    (order,) = database.call(get_order, {"order_id": "4717"})
    assert order["order_id"] == "4717"
    assert order["delivery_date"] == "2026-12-01"
    assert database.call(get_order, {"order_id": "9990"}) == []


def test_tickets_are_numbered() -> None:
    database = Database()
    create_ticket = ticket_tool("create_ticket", "", "order_id")
    opened = [database.call(create_ticket, {"order_id": "4711"})[0] for _ in range(2)]
    assert [ticket["ticket_id"] for ticket in opened] == ["T-5581", "T-5582"]


def test_every_collection_that_a_tool_names_exists() -> None:
    named = {
        collection
        for service in SERVICES
        for agent in service.agents
        for tool in agent.tools
        for collection in tool.collections
    }
    assert named == set(read_corpus())


def test_passage_ids_are_unique() -> None:
    ids = [p.passage_id for passages in read_corpus().values() for p in passages]
    assert len(ids) == len(set(ids)) == 98


def test_the_comment_of_a_late_section_is_not_part_of_its_text(tmp_path: Path) -> None:
    comment = "<!-- in the index since 1970-01-01T00:00:02+00:00 -->"
    (tmp_path / "c.md").write_text(f"# C\n\n## c-1 Title\n\n{comment}\n\nBody.\n", "utf-8")
    ((only,),) = read_corpus(tmp_path).values()
    assert (only.text, only.since_ns) == ("Title. Body.", 2_000_000_000)
