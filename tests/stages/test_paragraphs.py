import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stages.paragraphs import blocks_of, paragraph_at
from stages.sentences import sentences


def cut(answer: str) -> list[tuple[str, str]]:
    return [(p.kind, p.text) for p in blocks_of(answer).paragraphs]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param(" \n\t\n", [], id="white space"),
        pytest.param("One.", [("prose", "One.")], id="one line"),
        pytest.param("One.\nStill one.", [("prose", "One.\nStill one.")], id="a line break"),
        pytest.param("One.\n\nTwo.", [("prose", "One."), ("prose", "Two.")], id="a blank line"),
        pytest.param("One.\r\n\r\nTwo.", [("prose", "One."), ("prose", "Two.")], id="CRLF"),
        pytest.param("One.\r\rTwo.", [("prose", "One."), ("prose", "Two.")], id="old line ends"),
        pytest.param("  One.\n\n  Two.  ", [("prose", "One."), ("prose", "Two.")], id="indented"),
        pytest.param(
            "See:\n- a\n- b\n\n  more of b\n- c",
            [("prose", "See:"), ("list", "- a\n- b\n\n  more of b\n- c")],
            id="a whole list is one block",
        ),
        pytest.param("1. a\n2. b", [("list", "1. a\n2. b")], id="a numbered list"),
        pytest.param(
            "| a | b |\n|---|---|\n| 1 | 2 |\n\nEnd.",
            [("table", "| a | b |\n|---|---|\n| 1 | 2 |"), ("prose", "End.")],
            id="a table",
        ),
        pytest.param("```py\nx = 1\n```", [("code", "```py\nx = 1\n```")], id="fenced code"),
        pytest.param("~~~\nx\n~~~", [("code", "~~~\nx\n~~~")], id="tilde fence"),
        pytest.param("a\n\n    x = 1", [("prose", "a"), ("code", "x = 1")], id="indented code"),
        pytest.param("```\nx = 1", [("code", "```\nx = 1")], id="an unclosed fence"),
        pytest.param("> quoted\n> words", [("prose", "> quoted\n> words")], id="a quotation"),
        pytest.param(
            "# Shoes\n\nThirty days.", [("prose", "# Shoes\n\nThirty days.")], id="heading, prose"
        ),
        pytest.param("# A\n## B\n- c", [("list", "# A\n## B\n- c")], id="two headings, list"),
        pytest.param(
            "Text.\n\n# End", [("prose", "Text."), ("prose", "# End")], id="a last heading"
        ),
        pytest.param("One.\n\n---\n\nTwo.", [("prose", "One."), ("prose", "Two.")], id="a rule"),
        pytest.param("<b>One</b>", [("prose", "<b>One</b>")], id="markup"),
        pytest.param(
            "Days [^1].\n\n[^1]: Policy\n    and more\n[2]: https://x.org",
            [("prose", "Days [^1].")],
            id="definitions are no paragraphs",
        ),
        pytest.param(
            "A [1].\n[1]: Policy\nB.", [("prose", "A [1]."), ("prose", "B.")], id="between"
        ),
        pytest.param("[Note]: be careful", [("prose", "[Note]: be careful")], id="a word is prose"),
        pytest.param(
            "A [1].\n\nSources:\n[1] shoes.md\n[2] hats.md", [("prose", "A [1].")], id="sources"
        ),
        pytest.param(
            "A [1].\n\n## References\n\n- [1] shoes.md", [("prose", "A [1].")], id="as a list"
        ),
        pytest.param(
            "Sources of income:\n1. Salary",
            [("prose", "Sources of income:"), ("list", "1. Salary")],
            id="a list of something else",
        ),
        pytest.param(
            "靴は30日です。\n\n帽子は不可。",
            [("prose", "靴は30日です。"), ("prose", "帽子は不可。")],
            id="ja",
        ),
        pytest.param("أحذية؟\n\nقبعات.", [("prose", "أحذية؟"), ("prose", "قبعات.")], id="ar"),
    ],
)
def test_blocks(answer: str, expected: list[tuple[str, str]]) -> None:
    assert cut(answer) == expected


def test_paragraphs_know_their_place() -> None:
    answer = "  One.\n\nTwo."
    found = blocks_of(answer).paragraphs
    assert [(p.paragraph, p.start, p.end) for p in found] == [(1, 2, 6), (2, 8, 12)]
    assert [paragraph_at(found, at) for at in (0, 2, 5, 6, 8, 11, 12)] == [
        None,
        1,
        1,
        None,
        2,
        2,
        None,
    ]


def test_definitions_say_what_markers_mean() -> None:
    answer = "A [^n] [2].\n\n[^n]: Shoes\n［２］：Hats\n\nSources:\n[3] Gifts"
    assert blocks_of(answer).meanings == {"n": "Shoes", "2": "Hats", "3": "Gifts"}


PIECES = """a 靴。 [1] [^1]:·x [2]:·y -· 1.· >· #· | |-|-| ``` ~~~ ···· *** --- <div> Sources:"""
pieces = st.sampled_from(
    [*PIECES.replace("·", "\0").split(), "\n", "\n\n", "\r\n", "\t", "\u2028"]
).map(lambda piece: piece.replace("\0", " "))


@given(st.lists(pieces, max_size=30).map("".join))
def test_every_character_is_in_at_most_one_paragraph(answer: str) -> None:
    blocks = blocks_of(answer)
    end = 0
    for number, paragraph in enumerate(blocks.paragraphs, start=1):
        assert paragraph.paragraph == number
        assert paragraph.start >= end
        assert answer[paragraph.start : paragraph.end] == paragraph.text
        assert paragraph.text == paragraph.text.strip() != ""
        end = paragraph.end


words = st.text("abc靴Ω.!? ", min_size=1, max_size=20).filter(str.strip)


@given(st.lists(words, min_size=1, max_size=6))
def test_plain_paragraphs_cover_everything_that_is_not_blank(texts: list[str]) -> None:
    answer = "\n\n".join(f"x{text}" for text in texts)
    covered = {at for p in blocks_of(answer).paragraphs for at in range(p.start, p.end)}
    assert {at for at, character in enumerate(answer) if not character.isspace()} <= covered


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param("Returns take thirty days [1].\n\n" * 33_000, id="paragraphs"),
        pytest.param("word " * 200_000, id="one line"),
        pytest.param("- item [1]\n" * 90_000, id="a list"),
        pytest.param("a\n" * 500_000, id="short lines"),
        pytest.param("> " * 500_000, id="quotations"),
        pytest.param("[" * 1_000_000, id="brackets"),
        pytest.param("|" * 1_000_000, id="bars"),
        pytest.param("`" * 1_000_000, id="backticks"),
    ],
)
def test_a_megabyte_is_cut_within_a_second(answer: str) -> None:
    started = time.process_time()
    assert blocks_of(answer).paragraphs
    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param("One", ["One"], id="no full stop"),
        pytest.param("One. Two! Three?", ["One.", "Two!", "Three?"], id="English"),
        pytest.param("Dr. Roe pays 3.5 %. Really?", ["Dr. Roe pays 3.5 %.", "Really?"], id="abbr"),
        pytest.param("See e.g. shoes. OK.", ["See e.g. shoes.", "OK."], id="e.g."),
        pytest.param(
            "Am 3. Mai, z. B. heute. Ja.", ["Am 3. Mai, z. B. heute.", "Ja."], id="German"
        ),
        pytest.param("It is 1.5.2 now. Yes.", ["It is 1.5.2 now.", "Yes."], id="versions"),
        pytest.param('He said "no." Then left.', ['He said "no."', "Then left."], id="quotes"),
        pytest.param(
            "靴は不可。帽子は？はい！", ["靴は不可。", "帽子は？", "はい！"], id="Japanese"
        ),
        pytest.param("「はい。」と言う。", ["「はい。」", "と言う。"], id="Japanese quotes"),
        pytest.param("هل؟ نعم۔ لا", ["هل؟", "نعم۔", "لا"], id="Arabic and Urdu"),
        pytest.param("जूते। टोपी।", ["जूते।", "टोपी।"], id="Hindi"),
        pytest.param("a\nb\r\nc\u2028d", ["a", "b", "c", "d"], id="lines"),
        pytest.param("Only 5 left. [1]", ["Only 5 left.", "[1]"], id="a marker after the stop"),
        pytest.param("The total is 5.", ["The total is 5."], id="a number at the end"),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert list(sentences(text)) == expected


@given(st.text(max_size=200))
def test_sentences_lose_nothing_but_white_space(text: str) -> None:
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())
