import math
import random
from collections.abc import Iterable
from typing import Any

import pytest

from judge.pool import ChunkPool, PoolHit
from stages.records import Turn
from tests.builders import at, chunk, retrieval, turn

SHOES = "Shoes may be returned within 30 days."
HATS = "Hats may not be returned."
CARDS = "Gift cards never expire."


def seen(texts: dict[str, str], number: int = 1, **fields: Any) -> Turn:
    """Build a turn that retrieved chunks with these ids and texts."""
    collection = fields.pop("collection", None)
    found = [chunk(name, text, n) for n, (name, text) in enumerate(texts.items(), start=1)]
    return turn(number=number, retrievals=(retrieval(found, collection=collection),), **fields)


def pool(*turns: Turn, **settings: int) -> ChunkPool:
    made = ChunkPool(**settings)
    for one in turns:
        made.add(one)
    return made


def ids(hits: Iterable[PoolHit]) -> list[str]:
    return [hit.found.chunk.chunk_id for hit in hits]


def search(where: ChunkPool, text: str, **settings: Any) -> list[str]:
    return ids(where.search(text, **{"service": None, "tenant": None, **settings}))


# Ranking


def test_words_count_as_in_bm25() -> None:
    # Numbers have no topic, so only the words decide.
    where = pool(seen({"a": "11 22 11", "b": "33 22", "c": "44 55 66 77"}))
    first, second = where.search("11 22", service=None, tenant=None)
    # Three chunks of 3, 2 and 4 words; 11 is in one of them, 22 in two.
    rare, common = math.log(1 + 2.5 / 1.5), math.log(1 + 1.5 / 2.5)
    damping_a, damping_b = 1.2 * (0.25 + 0.75 * 3 / 3), 1.2 * (0.25 + 0.75 * 2 / 3)
    score_a = rare * 2 * 2.2 / (2 + damping_a) + common * 2.2 / (1 + damping_a)
    score_b = common * 2.2 / (1 + damping_b)
    assert (first.found.chunk.chunk_id, first.score) == ("a", 1.0)
    assert second.score == pytest.approx(score_b / score_a, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "settings", "expected"),
    [
        pytest.param("returned shoes", {}, ["shoes", "hats"], id="best first"),
        pytest.param("returned shoes", {"k": 1}, ["shoes"], id="at most k"),
        pytest.param("returned", {"k": 0}, [], id="none wanted"),
        pytest.param("expire", {}, ["cards"], id="only what shares a word"),
        pytest.param("refund", {}, ["hats"], id="another word for it"),
        pytest.param("zebra", {}, [], id="no word is shared, nor a topic"),
        pytest.param("", {}, [], id="nothing is looked for"),
        pytest.param("RETURNED Shoes!", {}, ["shoes", "hats"], id="case and marks"),
        pytest.param("shoes", {"exclude": {"shoes"}}, [], id="excluded"),
        pytest.param("returned", {"exclude": {"shoes", "gone"}}, ["hats"], id="excluded one"),
    ],
)
def test_search(text: str, settings: dict[str, Any], expected: list[str]) -> None:
    where = pool(seen({"shoes": SHOES, "hats": HATS, "cards": CARDS}))
    assert search(where, text, **settings) == expected


def test_an_empty_pool_finds_nothing() -> None:
    assert search(ChunkPool(), "shoes") == []


def test_ties_are_in_order_of_id() -> None:
    where = pool(seen({"c": "shoes 30", "a": "shoes 10", "b": "shoes 20"}))
    assert search(where, "shoes") == ["a", "b", "c"]


def test_other_forms_of_a_word_are_found_and_function_words_are_not() -> None:
    where = pool(seen({"a": "Shoes are returned.", "b": "What is in the box?"}))
    assert search(where, "what is the return of a shoe") == ["a"]


def test_a_title_is_searched_as_well() -> None:
    found = chunk("a", SHOES, metadata={"title": "RX-200", "path": "/kb/secret.md"})
    where = pool(turn(chunks=[found]))
    assert search(where, "rx200") == ["a"]
    assert search(where, "secret") == []


@pytest.mark.parametrize(
    ("text", "query"),
    [
        pytest.param("靴は30日以内に返品できます。", "返品", id="Japanese"),
        pytest.param("การคืนสินค้าภายใน 30 วัน", "คืนสินค้า", id="Thai"),
        pytest.param("जूते 30 दिनों में", "जूते", id="Hindi"),
        pytest.param("RX-200 manual", "manual for the RX 200", id="model number"),
        pytest.param("Straße", "STRASSE", id="German"),
    ],
)
def test_any_script_is_searched(text: str, query: str) -> None:
    assert search(pool(seen({"a": text, "b": "unrelated"})), query) == ["a"]


def test_a_text_is_found_once_whatever_its_ids() -> None:
    repeated = {f"r-{number:03}": SHOES for number in range(200)}
    where = pool(seen({**repeated, "hats": HATS}))
    assert search(where, "returned shoes") == ["r-000", "hats"]
    assert search(where, "returned shoes", exclude={"r-117"}) == ["hats"]


# What is in the pool


def test_a_chunk_is_pooled_once_with_its_first_sighting() -> None:
    turns = [seen({"a": SHOES}, number=n, collection="kb") for n in (3, 1, 2)]
    where = pool(*turns)
    (hit,) = where.search("shoes", service=None, tenant=None)
    assert len(where) == 1
    assert (hit.found.first_seen_ns, hit.found.first_turn_id) == (at(60), "conv-1/1")
    assert (hit.found.collection, hit.found.chunk.text) == ("kb", SHOES)


def test_a_time_goes_before_none() -> None:
    where = pool(seen({"a": SHOES}, start_ns=None), seen({"a": SHOES}, number=2))
    (hit,) = where.search("shoes", service=None, tenant=None)
    assert hit.found.first_seen_ns == at(120)


def test_another_text_under_the_same_id_is_another_chunk() -> None:
    newer = SHOES.replace("30", "60")
    where = pool(seen({"a": SHOES}), seen({"a": newer}, number=2))
    hits = where.search("returned 60", service=None, tenant=None)
    assert [(hit.found.chunk.text, hit.found.first_seen_ns) for hit in hits] == [
        (newer, at(120)),
        (SHOES, at(60)),
    ]


def test_chunks_without_a_text_are_not_pooled() -> None:
    assert len(pool(turn(chunks=[chunk("a", None), chunk("b", " \n")]))) == 0


def test_chunks_that_come_later_are_found() -> None:
    where = pool(seen({"a": SHOES}))
    assert search(where, "returned") == ["a"]
    where.add(seen({"b": HATS}))
    assert search(where, "returned") == ["b", "a"]


# Collections, services, tenants


@pytest.mark.parametrize(
    ("collections", "expected"),
    [
        pytest.param(None, ["eu", "none", "us"], id="all"),
        pytest.param({"us"}, ["us"], id="one"),
        pytest.param({"us", "eu"}, ["eu", "us"], id="two"),
        pytest.param({None}, ["none"], id="where it is not known"),
        pytest.param({"uk"}, [], id="one without chunks"),
        pytest.param(frozenset(), [], id="none"),
    ],
)
def test_collections(collections: set[str | None] | None, expected: list[str]) -> None:
    where = pool(
        seen({"us": "shoes us"}, collection="us"),
        seen({"eu": "shoes eu"}, collection="eu"),
        seen({"none": "shoes x"}),
    )
    assert sorted(search(where, "shoes", collections=collections)) == expected


def test_a_chunks_own_collection_goes_before_the_searchs() -> None:
    found = chunk("a", SHOES, collection="inner")
    where = pool(turn(retrievals=(retrieval([found], collection="outer"),)))
    assert search(where, "shoes", collections={"inner"}) == ["a"]
    assert search(where, "shoes", collections={"outer"}) == []


PLACES = [("s1", "t1"), ("s1", "t2"), ("s2", "t1"), (None, "t1"), ("s1", None), (None, None)]


def test_a_search_sees_one_service_and_one_tenant() -> None:
    where = pool(
        *(
            seen({f"of {place}": SHOES}, service=place[0], tenant=place[1], collection="kb")
            for place in PLACES
        )
    )
    for service, tenant in PLACES:
        found = search(where, "shoes", service=service, tenant=tenant)
        assert found == [f"of {(service, tenant)}"]
    assert search(where, "shoes", service="s3", tenant="t1") == []


def test_another_tenants_chunks_move_no_score() -> None:
    mine = seen({"a": SHOES, "b": HATS}, tenant="mine")
    others = [seen({f"o{n}": f"shoes returned {n}"}, tenant="other") for n in range(50)]
    alone = pool(mine).search("returned shoes", service=None, tenant="mine")
    together = pool(*others, mine, *others).search("returned shoes", service=None, tenant="mine")
    assert alone == together


def test_the_order_of_turns_has_no_effect() -> None:
    words = random.Random(1).choices("abcdefghij", k=900)
    turns = [
        seen(
            {f"c-{n % 40}": " ".join(words[n * 3 : n * 3 + 9])}, number=n + 1, collection=str(n % 3)
        )
        for n in range(200)
    ]
    shuffled = random.Random(2).sample(turns, len(turns))
    for characters in (10**6, 900):
        first, second = (pool(*some, characters=characters) for some in (turns, shuffled))
        assert len(first) == len(second)
        for query in ("a b c", "j", "e f"):
            assert first.search(query, service=None, tenant=None, k=20) == second.search(
                query, service=None, tenant=None, k=20
            )


@pytest.mark.parametrize(
    ("characters", "held", "complete"),
    [(30, 3, True), (29, 2, False), (10, 1, False), (9, 0, False)],
)
def test_a_pool_is_bounded(characters: int, held: int, *, complete: bool) -> None:
    where = pool(seen({name: f"shoes text {name}"[-10:] for name in "abc"}), characters=characters)
    assert (len(where), where.complete) == (held, complete)
    assert len(search(where, "text")) == held
