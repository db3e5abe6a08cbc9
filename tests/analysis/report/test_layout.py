import pytest
from rich.cells import cell_len
from rich.text import Text

from analysis.report.layout import columns, cut, hanging, line, paint, wrap


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        pytest.param("abc", 3, "abc", id="fits"),
        pytest.param("abcd", 3, "ab…", id="cut"),
        pytest.param("a b c", 3, "a…", id="no blank before the mark"),
        pytest.param("日本語", 4, "日…", id="wide characters take two cells"),
        pytest.param("a\n b", 9, "a b", id="one line"),
        pytest.param("", 3, "", id="empty"),
        pytest.param("ab", 1, "…", id="room for the mark only"),
        pytest.param("ab", 0, "", id="no room"),
    ],
)
def test_cut(text: str, width: int, expected: str) -> None:
    assert cut(text, width) == expected
    assert cell_len(cut(text, width)) <= width


@pytest.mark.parametrize(
    ("text", "width", "most", "expected"),
    [
        pytest.param("one two three", 7, None, ["one two", "three"], id="between words"),
        pytest.param("abcdefgh", 3, None, ["abc", "def", "gh"], id="within a long word"),
        pytest.param("a bcdefgh", 3, None, ["a", "bcd", "efg", "h"], id="before a long word"),
        pytest.param("日本語日本語", 5, None, ["日本", "語日", "本語"], id="wide characters"),
        pytest.param("one two three four", 7, 2, ["one two", "three…"], id="cut after two lines"),
        pytest.param("one two three", 7, 2, ["one two", "three"], id="just fits"),
        pytest.param("", 7, 2, [], id="empty"),
        pytest.param("日", 1, None, ["日"], id="never stops"),
    ],
)
def test_wrap(text: str, width: int, most: int | None, expected: list[str]) -> None:
    assert wrap(text, width, most=most) == expected


@pytest.mark.parametrize(
    ("first", "text", "width", "expected"),
    [
        pytest.param("a  ", "one two", 10, ["a  one two"], id="fits"),
        pytest.param("a  ", "one two", 9, ["a  one", "   two"], id="below its beginning"),
        pytest.param("日 ", "one two", 8, ["日 one", "   two"], id="wide characters before"),
        pytest.param("a  ", "", 9, ["a"], id="empty"),
        pytest.param("", "", 9, [""], id="an empty line"),
        pytest.param("abc", "de", 3, ["abcd", "   e"], id="no room at all"),
    ],
)
def test_hanging(first: str, text: str, width: int, expected: list[str]) -> None:
    assert list(hanging(first, text, width)) == expected


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    rows = [["kind", "turns"], ["wrong_collection", "53"], ["日本", "1,204"]]
    assert columns(rows, ["left", "right"]) == [
        "kind              turns",
        "wrong_collection     53",
        "日本              1,204",
    ]


def test_the_elastic_column_is_cut_where_a_line_is_too_long() -> None:
    cells = [["x" * 30, "y" * 60, "12"]]
    (row,) = columns(cells, ["left", "left", "right"], elastic=1)
    assert row == "x" * 30 + "  " + "y" * 43 + "…  12"
    assert cell_len(row) == 80


def test_columns_of_nothing() -> None:
    assert columns([], []) == []


def test_paint_makes_everything_safe() -> None:
    lines = [Text("a\x1b[31mb\nc  "), line(("\x9b", "bold red"), "\u202e")]
    assert paint(lines) == "a\ufffd[31mb c\n\ufffd\ufffd\n"


def test_colour_says_nothing_that_the_words_do_not() -> None:
    lines = [line(("FAILED", "bold red"), " turn")]
    assert paint(lines) == "FAILED turn\n"
    assert paint(lines, color=True) == "\x1b[1;31mFAILED\x1b[0m turn\n"


def test_markup_in_a_trace_is_text() -> None:
    assert paint([line("[red]x[/red] :smile:")], color=True) == "[red]x[/red] :smile:\n"


PATH = "/data/of the week/traces.jsonl"


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        pytest.param(f"in {PATH} now", 10, ["in", PATH, "now"], id="longer than a line"),
        pytest.param(f"in {PATH} now", 80, [f"in {PATH} now"], id="fits"),
        pytest.param(f"look into {PATH}", 34, ["look into", PATH], id="fits a line of its own"),
        pytest.param(f"{PATH}: lost", 12, [f"{PATH}:", "lost"], id="with a sign behind it"),
        pytest.param("abcdefgh of the week", 6, ["abcdef", "gh of", "the", "week"], id="others"),
        pytest.param("", 10, [], id="empty"),
    ],
)
def test_what_is_copied_stays_whole(text: str, width: int, expected: list[str]) -> None:
    assert wrap(text, width, whole=[PATH, ""]) == expected


def test_a_path_within_another_does_not_break_it() -> None:
    text = f"{PATH} and /data/of the"
    assert wrap(text, 5, whole=["/data/of the", PATH]) == [PATH, "and", "/data/of the"]
    assert list(hanging("Source ", PATH, 12, whole=[PATH])) == [f"Source {PATH}"]
