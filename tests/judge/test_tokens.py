import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.tokens import normalise, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", [], id="empty"),
        pytest.param(" …!? ", [], id="nothing but marks"),
        pytest.param("a", ["a"], id="one letter"),
        pytest.param("Gift cards EXPIRE", ["gift", "cards", "expire"], id="case goes"),
        pytest.param("straße STRASSE", ["strasse", "strasse"], id="casefold, not lower"),
        pytest.param("RX-200.", ["rx-200", "rx", "200"], id="model number whole and in parts"),
        pytest.param("rx200", ["rx200", "rx", "200"], id="model number without a hyphen"),
        pytest.param("RX\u2011200", ["rx-200", "rx", "200"], id="non-breaking hyphen"),
        pytest.param("§4 § 4", ["§4", "4", "§4", "4"], id="section sign, spaced or not"),
        pytest.param("1.2.3", ["1.2.3", "1", "2", "3"], id="version"),
        pytest.param("1,000 or 1000", ["1000", "or", "1000"], id="grouped thousands"),
        pytest.param("12,5", ["12,5", "12", "5"], id="decimal comma is no grouping"),
        pytest.param("3, 4", ["3", "4"], id="a comma before a space separates"),
        pytest.param("well-known and/or", ["well", "known", "and", "or"], id="joined words"),
        pytest.param("order_id", ["order_id", "order", "id"], id="snake case"),
        pytest.param("getOrder", ["getorder", "get", "order"], id="camel case"),
        pytest.param("٣٠ يوم", ["30", "يوم"], id="digits of another script"),
        pytest.param("हिन्दी भाषा", ["हिन्दी", "भाषा"], id="combining marks belong to the word"),
        pytest.param("靴は30日", ["靴は", "30", "日"], id="kanji and kana in bigrams"),
        pytest.param("한국어", ["한국", "국어"], id="hangul in bigrams"),
        pytest.param("ＲＸ－２００", ["rx-200", "rx", "200"], id="full width"),
        pytest.param("re\u00adturn", ["return"], id="soft hyphen is invisible"),
        pytest.param(
            "550e8400-e29b-41d4-a716-446655440000",
            ["550e8400-e29b-41d4-a716-446655440000"],
            id="a UUID has no parts",
        ),
        pytest.param("a1b2c3", ["a1b2c3", "a", "1", "b", "2", "c", "3"], id="six parts"),
        pytest.param("a1b2c3d", ["a1b2c3d"], id="seven parts mean nothing"),
        pytest.param("x" * 70, ["x" * 64], id="a blob is cut"),
        pytest.param("x" * 64, ["x" * 64], id="the longest term that is not cut"),
    ],
)
def test_tokens(text: str, expected: list[str]) -> None:
    assert tokens(text) == expected


@given(st.text())
def test_terms_do_not_depend_on_the_unicode_form(text: str) -> None:
    assert tokens(unicodedata.normalize("NFD", text)) == tokens(unicodedata.normalize("NFC", text))


@given(st.text())
def test_terms_are_short_and_never_empty(text: str) -> None:
    assert all(0 < len(term) <= 64 for term in tokens(text))


@given(st.text(), st.text())
def test_a_text_has_the_terms_of_its_lines(first: str, second: str) -> None:
    assert tokens(f"{first}\n{second}") == tokens(first) + tokens(second)


@pytest.mark.parametrize("unit", ["a-", "§", "語a", "1,", "aB", "\u0301", "._"])
def test_hostile_text_takes_linear_time(unit: str) -> None:
    started = time.perf_counter()
    tokens(unit * 200_000)
    assert time.perf_counter() - started < 5


def test_normalise_keeps_case() -> None:
    assert normalise("Ｒeturn\u200b ٣") == "Return 3"
