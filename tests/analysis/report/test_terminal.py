import json

import pytest

from analysis.report.terminal import safe, safe_json, safe_line, wants_color

HOSTILE = {
    "a cursor move": "\x1b[2J\x1b[1;1H",
    "a link": "\x1b]8;;https://evil.example\x07click\x1b]8;;\x07",
    "the clipboard": "\x1b]52;c;cm0gLXJm\x07",
    "a one-byte CSI": "\x9b31m",
    "a one-byte OSC": "\x9d0;title\x9c",
    "backspaces": "FAILED\x08\x08\x08\x08\x08\x08PASSED",
    "a carriage return": "failed\rpassed",
    "a bell": "\x07",
    "a NUL": "a\x00b",
    "a delete": "a\x7fb",
    "a next line": "a\x85b",
    "a right-to-left override": "abc\u202egpj.exe",
    "an isolate": "\u2066a\u2069",
    "a mark": "\u200eа\u200f\u061c",
    "half a character": "\ud83d",
    "a form feed": "\x0c\x0b",
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_nothing_that_drives_a_terminal_gets_through(text: str) -> None:
    for shown in (safe(text), safe_line(text), safe_json({text: [text]})):
        shown.encode("utf-8")
        assert not [c for c in shown if ord(c) < 32 or 127 <= ord(c) < 160]
        assert not set(shown) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
        assert not set(shown) & set("\u200e\u200f\u061c")


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_json_stays_lossless(text: str) -> None:
    assert json.loads(safe_json({text: text})) == {text: text}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("tab\tand\nline", "tab\tand\nline", id="tab and line feed stay"),
        pytest.param("a\r\nb", "a\nb", id="Windows line ends are line ends"),
        pytest.param("日本語 ümläut 👩‍👩‍👧 ✗", "日本語 ümläut 👩‍👩‍👧 ✗", id="any script stays"),
        pytest.param("\x1b", "\ufffd", id="the rest is marked"),
        pytest.param("", "", id="empty"),
    ],
)
def test_safe(text: str, expected: str) -> None:
    assert safe(text) == expected


def test_a_line_is_one_line() -> None:
    assert safe_line(" a\n\n b\t c ") == "a b c"


@pytest.mark.parametrize(
    ("is_tty", "environ", "expected"),
    [
        pytest.param(True, {}, True, id="a terminal"),
        pytest.param(False, {}, False, id="a pipe"),
        pytest.param(True, {"NO_COLOR": "1"}, False, id="NO_COLOR"),
        pytest.param(True, {"NO_COLOR": ""}, True, id="an empty NO_COLOR counts for nothing"),
        pytest.param(False, {"FORCE_COLOR": "1"}, True, id="FORCE_COLOR"),
        pytest.param(True, {"NO_COLOR": "1", "FORCE_COLOR": "1"}, False, id="both"),
        pytest.param(True, {"TERM": "dumb"}, False, id="a dumb terminal"),
    ],
)
def test_wants_color(is_tty: bool, environ: dict[str, str], expected: bool) -> None:  # noqa: FBT001
    assert wants_color(is_tty=is_tty, environ=environ) is expected
