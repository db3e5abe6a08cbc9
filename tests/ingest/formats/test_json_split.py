"""Text that is more, or less, than one JSON value, cut into objects."""

import json
import time

import pytest

from ingest.json_split import Piece, counted, elements, members_before_cut, pieces
from ingest.json_texts import are_lines, json_pieces
from ingest.limits import Limits
from ingest.stream import Chunk, Cut, Stream


def wanted(data: bytes) -> bool:
    return b'"span_id":' in data and json.loads(data).get("span_id") is not None


def span(number: int) -> bytes:
    text = json.dumps({"span_id": f"s{number}", "events": [{"id": "e"}], "text": "a } b"})
    return text.encode()


def cut_up(text: bytes) -> list[tuple[str, str]]:
    """Return what each piece is, and where in the text it stands."""
    found = []
    for piece in counted(pieces(text, wanted)):
        assert piece.trouble or text[piece.offset :].startswith(piece.data) or not piece.exact
        what = piece.trouble or json.loads(piece.data).get("span_id", "other")
        found.append((what, text[piece.offset : piece.offset + 12].decode("utf-8", "replace")))
    return found


def names(text: bytes) -> list[str]:
    return [what for what, _ in cut_up(text)]


ONE, TWO, THREE = span(1), span(2), span(3)
GOOD = ["s1", "s2", "s3"]
NAN = ONE.replace(b'"a } b"', b"NaN")
LOST_QUOTE = TWO.replace(b'"text"', b'text"')
LOST_BRACE = TWO[:-1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(ONE, ["s1"], id="one object"),
        pytest.param(b" [" + b" , ".join([ONE, TWO, THREE]) + b"]\n", GOOD, id="a list"),
        pytest.param(b"[[" + ONE + b"],[" + TWO + b"," + THREE + b"]]", GOOD, id="lists of lists"),
        pytest.param(ONE + TWO + b"\n\n" + THREE, GOOD, id="one behind the other"),
        pytest.param(b"\x1e" + ONE + b"\n\x1e" + TWO + b"\n\x1e" + THREE, GOOD, id="RFC 7464"),
        pytest.param(b"[" + ONE + b"],[" + TWO + b"]" + THREE, GOOD, id="lists and objects"),
        pytest.param(b"", [], id="nothing"),
        pytest.param(b" [ ] ", [], id="an empty list"),
        pytest.param(b"[" + ONE + b"," + TWO, ["s1", "s2", "truncated_stream"], id="no end"),
        pytest.param(b"[" + NAN + b"," + TWO + b"]", ["s1", "s2"], id="a bare NaN"),
        pytest.param(b"[" + ONE + b"] oops", ["s1", "invalid_json"], id="garbage behind"),
    ],
)
def test_objects(text: bytes, expected: list[str]) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        pytest.param(LOST_QUOTE, "invalid_json", id="a quote is lost"),
        pytest.param(LOST_BRACE, "invalid_json", id="a brace is lost"),
        pytest.param(TWO.replace(b'"s2"', b"s2"), "invalid_json", id="a bare word"),
        pytest.param(TWO.replace(b", ", b" "), "invalid_json", id="commas are lost"),
        pytest.param(TWO.replace(b"[", b"]"), "invalid_json", id="a bracket is turned"),
        pytest.param(TWO[:20], "invalid_json", id="the end is lost"),
        pytest.param(b"\x00" * 30 + b'"span_id": 1', "invalid_json", id="zeros"),
    ],
)
@pytest.mark.parametrize("separator", [b",", b",\n  ", b"\n"])
def test_a_broken_object_costs_itself(broken: bytes, reason: str, separator: bytes) -> None:
    text = separator.join([ONE, broken, THREE, span(4)])
    assert names(b"[" + text + b"]") == ["s1", reason, "s3", "s4"]
    assert names(text) == ["s1", reason, "s3", "s4"]


def test_a_broken_object_is_named_by_its_place() -> None:
    [_, (reason, place), _] = cut_up(b"[" + b",".join([ONE, LOST_BRACE, THREE]) + b"]")
    assert (reason, place) == ("invalid_json", '{"span_id": ')


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(b'{"a": {"b": [%s, %s]}}', ["other"], id="sound"),
        pytest.param(b'{"a": {"b": [%s, %s], "c": tru}}', ["s1", "s2", "invalid_json"], id="tail"),
        pytest.param(
            b'{"a": {"b": [%s, {"span_id": 1;}, %s]}}', ["s1", "invalid_json", "s2"], id="one"
        ),
        pytest.param(b'{"a": {"b": [%s, %s', ["s1", "s2", "truncated_stream"], id="cut"),
        pytest.param(
            b'{"a": {"b": [%s, %s, {"span_id": "s', ["s1", "s2", "truncated_stream"], id="cut"
        ),
        pytest.param(
            b'{"a": {"b": "x, "list": [%s, %s]}}', ["invalid_json", "s1", "s2"], id="head"
        ),
    ],
)
def test_records_in_a_broken_document_are_found(text: bytes, expected: list[str]) -> None:
    assert sorted(names(text % (ONE, TWO))) == sorted(expected)


def test_elements_stand_where_they_are_said_to() -> None:
    text = b' [ {"a": 1},{"a": 1} , [2, "]"], "x"]'
    found = list(elements(text))
    assert [item for _, item in found] == [b'{"a": 1}', b'{"a": 1}', b'[2, "]"]', b'"x"']
    assert [text.index(b"{"), text.rindex(b"{")] == [at for at, _ in found[:2]]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (b'{"a": 1, "b": {"c": [1, 2', {"a": 1}),
        (b'{"a": 1, "b": {"c": 2}, "d": "e, f', {"a": 1, "b": {"c": 2}}),
        (b'{"a": ', {}),
        (b'{"a": "x,y"', {}),
    ],
)
def test_members_before_a_cut(text: bytes, expected: object) -> None:
    assert json.loads(members_before_cut(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(b'{"a":' * 100_000, id="deep objects"),
        pytest.param(b"[" * 100_000, id="deep lists"),
        pytest.param(b'{"a" ' * 100_000, id="objects that never end"),
        pytest.param(b'{"' * 100_000, id="texts that never end"),
        pytest.param(b'{"a": "\\' * 100_000, id="escapes"),
        pytest.param(b'[{"span_id": 1,' + b'{"span_id": [' * 50_000, id="lists that never end"),
        pytest.param(b'{"span_id": [' + b'{"a": 1},' * 100_000, id="many small ones"),
    ],
)
def test_hostile_text_costs_little(text: bytes) -> None:
    start = time.process_time()
    found = list(counted(pieces(text, wanted)))
    assert time.process_time() - start < 5
    assert [piece.trouble for piece in found if piece.trouble]


def streamed(text: bytes, *, chunk: int = 7, limit: int = 10**6) -> list[Piece]:
    chunks = [text[at : at + chunk] for at in range(0, len(text), chunk)]
    return list(json_pieces(Stream("t", chunks, Limits(record_bytes=limit)), wanted))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(b"\n".join([ONE, TWO, b"", THREE]), id="lines"),
        pytest.param(b"\r\n".join([ONE, TWO, THREE, b""]), id="lines that end twice"),
        pytest.param(b"\xef\xbb\xbf" + b"\n".join([ONE, TWO, THREE]), id="a byte order mark"),
        pytest.param(b"\xef\xbb\xbf[" + b",".join([ONE, TWO, THREE]) + b"]", id="a marked list"),
        pytest.param(b"[\n" + b",\n".join([ONE, TWO, THREE]) + b"\n]", id="a list in lines"),
        pytest.param(b"[" + ONE + b"]\n[" + TWO + b"," + THREE + b"]\n", id="lists in lines"),
        pytest.param(
            json.dumps([json.loads(s) for s in (ONE, TWO, THREE)], indent=2).encode(), id="pretty"
        ),
        pytest.param(
            b"\n".join(json.dumps(json.loads(s), indent=4).encode() for s in (ONE, TWO, THREE)),
            id="pretty ones",
        ),
    ],
)
def test_a_stream_in_any_arrangement(text: bytes) -> None:
    found = streamed(text)
    assert [json.loads(piece.data)["span_id"] for piece in found] == GOOD
    marked = text.startswith(b"\xef\xbb\xbf{")  # a line is told with its mark
    assert all(text[piece.offset :].startswith(piece.data) for piece in found[marked:])


def test_a_list_beyond_the_limit_is_read_in_windows() -> None:
    spans = [span(number) for number in range(200)]
    text = b"[" + b", ".join(spans) + b"]"
    found = streamed(text, chunk=1000, limit=300)
    assert [piece.data for piece in found] == spans
    assert all(text[piece.offset :].startswith(piece.data) for piece in found)


def test_one_oversize_object_costs_itself() -> None:
    big = span(2)[:-1] + b', "more": "' + b"x" * 2_000 + b'"}'
    found = streamed(b"[" + b",".join([ONE, big, THREE]) + b"]", chunk=100, limit=300)
    assert [piece.trouble for piece in found] == [None, "oversize_record", None]
    assert found[1].offset == len(ONE) + 2


def test_an_oversize_line_costs_itself() -> None:
    big = span(2)[:-1] + b', "more": "' + b"x" * 2_000 + b'"}'
    found = streamed(b"\n".join([ONE, big, THREE]), chunk=100, limit=300)
    assert [piece.trouble for piece in found] == [None, "oversize_record", None]


@pytest.mark.parametrize("open_with", [b"", b"["], ids=["lines", "a list"])
def test_a_cut_costs_the_record_that_it_falls_into(open_with: bytes) -> None:
    between = b"\n" if not open_with else b","
    text = open_with + between.join([ONE, TWO, THREE])
    middle = text.index(b"s2") + 3
    chunks: list[Chunk] = [text[:middle], Cut("corrupt_stream", "bad bytes"), text[middle + 5 :]]
    found = list(json_pieces(Stream("t", chunks, Limits()), wanted))
    assert [piece.trouble for piece in found][:2] == [None, "corrupt_stream"]
    assert found[1].detail == "bad bytes"
    assert json.loads(found[-1].data)["span_id"] == "s3"


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (b'{"a": 1}\n{"b": 2}', True),
        (b'{"a": 1}', True),
        (b'{"a": 1;}\n{"b": 2}', True),
        (b'{\n "a": 1\n}', False),
        (b'null\n{\n "a": 1\n}\n', False),
        (b'{}\n{\n"a": 1\n}\n', False),
        (b'null\n{"a": 1}\n', True),
        (b'{"a": 1}\n{\n{"b": 2}\n', True),
        (b'[\n{"a": 1}\n]', False),
        (b'[{"a": 1}]', False),
        (b'[{"a": 1}]\n[{"a": 1}]', True),
        (b"prose\nand more", False),
    ],
)
def test_lines_are_told(head: bytes, *, expected: bool) -> None:
    assert are_lines(head) is expected
