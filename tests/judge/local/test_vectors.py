import hashlib
import time

import numpy as np
import pytest

from judge.local.vectors import Vectors, cosine, load, words
from judge.local.vectors.spelling import compound_parts, other_forms, related
from judge.local.vectors.vectors import FILE

# Four dimensions; a half byte of 8 is 0. Rows: (7 0 0 0) (0 7 0 0) (-7 0 0 0) (3 4 0 0).
SMALL = Vectors(
    row={"east": 0, "north": 1, "west": 2, "plan": 3, "norden": 1},
    in_order=["east", "norden", "north", "plan", "west"],
    codes=np.array([[0x8F, 0x88], [0x88, 0x8F], [0x81, 0x88], [0x8B, 0x8C]], dtype=np.uint8),
)


def test_a_row_has_its_first_half_in_the_low_half_bytes() -> None:
    codes = np.array([[0x9F, 0xA8]], dtype=np.uint8)
    vectors = Vectors(row={"one": 0}, in_order=["one"], codes=codes)
    found = vectors.vector("one")
    assert found is not None
    assert (found * np.sqrt(54)).round(4).tolist() == [7, 0, 1, 2]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        pytest.param("east", "east", 1.0, id="the same term"),
        pytest.param("north", "norden", 1.0, id="two words of one row"),
        pytest.param("east", "north", 0.0, id="at a right angle"),
        pytest.param("east", "west", -1.0, id="opposite"),
        pytest.param("east", "plan", 0.6, id="3 of 5"),
        pytest.param("@east", "plan", 0.6, id="an idea is the word in it"),
        pytest.param("East", "plan", 0.6, id="case"),
        pytest.param("east", "rx200", 0.0, id="an identifier is like nothing"),
        pytest.param("rx200", "rx200", 1.0, id="but itself"),
    ],
)
def test_similarity(first: str, second: str, expected: float) -> None:
    assert SMALL.similarity(first, second) == pytest.approx(expected, abs=1e-12)
    assert SMALL.similarity(second, first) == SMALL.similarity(first, second)


@pytest.mark.parametrize("term", ["rx200", "42", "", "@", "xyzzy", "東"])
def test_what_is_unknown_has_no_vector(term: str) -> None:
    assert SMALL.vector(term) is None


@pytest.mark.parametrize(
    ("need", "text", "threshold", "expected"),
    [
        pytest.param(["east"], ["east"], 0.5, [1.0], id="stands there"),
        pytest.param(["east"], ["north", "plan"], 0.6, [0.6], id="at the threshold"),
        pytest.param(["east"], ["north", "plan"], 0.61, [0.0], id="below it"),
        pytest.param(
            ["north"], ["east", "plan", "plan"], 0.5, [0.8], id="a repeat changes nothing"
        ),
        pytest.param(["east", "rx200"], ["rx200"], 0.5, [0.0, 1.0], id="an identifier is exact"),
        pytest.param(["rx200", "east"], ["rx201", "east"], 0.1, [0.0, 1.0], id="and no other"),
        pytest.param(["east"], ["west"], -1.0, [-1.0], id="opposite, nothing cut"),
        pytest.param(["east"], [], 0.5, [0.0], id="empty text"),
        pytest.param([], ["east"], 0.5, [], id="empty need"),
    ],
)
def test_soft_matches(
    need: list[str], text: list[str], threshold: float, expected: list[float]
) -> None:
    assert SMALL.soft_matches(need, text, threshold) == pytest.approx(expected, abs=1e-7)


def test_a_text_is_the_weighted_sum_of_its_words() -> None:
    found = SMALL.sentence("East, east and north!")
    assert cosine(found, SMALL.weighted({"east": 2.0, "north": 1.0})) == pytest.approx(1.0)
    assert cosine(found, SMALL.sentence("west")) == pytest.approx(-2 / np.sqrt(5))


def test_a_word_without_weight_does_not_count() -> None:
    found = SMALL.sentence("east north", {"north": 0.5})
    assert cosine(found, SMALL.sentence("north")) == pytest.approx(1.0)


@pytest.mark.parametrize("text", ["", "42", "and the", "…"])
def test_a_text_without_words_is_like_nothing(text: str) -> None:
    assert cosine(SMALL.sentence(text), SMALL.sentence("east")) == 0.0


def test_words_keep_repeats_and_drop_function_words_and_numbers() -> None:
    text = "Wie hoch ist die Gebühr für die 2. Gebühr?"
    assert words(text) == ("gebuhr", "gebuhr")


KNOWN = {word: index for index, word in enumerate(
    ["shipment", "rueckgabe", "frist", "liefern", "lieferte", "lieferungen", "versand", "kosten"]
)}  # fmt: skip


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        pytest.param("shipments", ("shipment",), id="another form"),
        pytest.param("rueckgabefrist", ("rueckgabe", "frist"), id="a compound"),
        pytest.param("versandskosten", ("versand", "kosten"), id="a compound with a joint"),
        pytest.param("liefer", ("liefern", "lieferte"), id="a stem, and what begins with it"),
        pytest.param("lie", (), id="too short for a stem"),
        pytest.param("versandhauses", (), id="half a compound"),
        pytest.param("cat", (), id="too short"),
        pytest.param("rx200", (), id="no word"),
        pytest.param("", (), id="empty"),
    ],
)
def test_what_stands_for_an_unknown_word(word: str, expected: tuple[str, ...]) -> None:
    assert related(word, KNOWN, sorted(KNOWN)) == expected


def test_the_closest_form_comes_first() -> None:
    known = {"deliver": 0, "delivers": 1, "delivery": 2}
    assert next(other_forms("delivere", known)) == "deliver"


def test_the_most_even_split_wins() -> None:
    known = {"autoteil": 0, "auto": 1, "teile": 2, "teilehandel": 3, "handel": 4}
    assert compound_parts("autoteilehandel", known) == ("autoteil", "handel")


def test_unknown_words_take_the_place_of_their_parts() -> None:
    vectors = Vectors(
        row={"east": 0, "north": 1}, in_order=["east", "north"], codes=SMALL.codes[:2]
    )
    both = vectors.vector("eastnorth")
    assert both is not None
    assert both == pytest.approx([0.5**0.5, 0.5**0.5, 0, 0])


# The file that is shipped


def test_the_file_is_small_and_quick_to_load() -> None:
    assert FILE.stat().st_size < 12_000_000
    load.cache_clear()
    start = time.process_time()
    load()
    assert time.process_time() - start < 0.6  # 0.2 s where nothing else runs
    assert load() is load()


@pytest.mark.parametrize(
    ("word", "same", "other"),
    [
        pytest.param("refund", "reimbursement", "invoice", id="en"),
        pytest.param("kosten", "preis", "lieferung", id="de"),
        pytest.param("remboursement", "restitution", "facture", id="fr"),
        pytest.param("reembolso", "devolucion", "factura", id="es"),
        pytest.param("consegna", "spedizione", "fattura", id="it"),
        pytest.param("levering", "leveren", "factuur", id="nl"),
        pytest.param("preco", "custo", "entrega", id="pt"),
        pytest.param("delivery", "lieferung", "rechnung", id="en-de"),
        pytest.param("delivery", "livraison", "facture", id="en-fr"),
        pytest.param("insurance", "保险", "价格", id="en-zh"),
        pytest.param("hospital", "病院", "価格", id="en-ja"),
        pytest.param("price", "سعر", "مستشفى", id="en-ar"),
    ],
)
def test_words_that_say_the_same_are_closer(word: str, same: str, other: str) -> None:
    vectors = load()
    assert vectors.similarity(word, same) > vectors.similarity(word, other) + 0.1


def test_every_row_is_spoken_for_and_has_about_one_length() -> None:
    vectors = load()
    assert set(vectors.row.values()) == set(range(len(vectors.codes)))
    assert list(vectors.in_order) == sorted(vectors.row)
    low, high = vectors.codes & 15, vectors.codes >> 4
    assert min(low.min(), high.min()) >= 1
    whole = np.concatenate([low, high], axis=1).astype(np.int16) - 8
    lengths = np.sqrt((whole**2).sum(1))
    assert lengths.min() > 0.7 * lengths.max()


def test_the_readme_names_the_file_as_it_is() -> None:
    told = FILE.with_name("README.md").read_text("utf-8")
    assert hashlib.sha256(FILE.read_bytes()).hexdigest() in told
