import pytest

from ingest.span import Value
from judge.rendering import bounded_value, legible, message_values, shortened, value_text
from tests.builders import message, tool_reply, user


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", "", id="empty"),
        pytest.param("Größe 42\n\tTabelle", "Größe 42\n\tTabelle", id="ordinary text stays"),
        pytest.param("a\u202eb\u2066c\u200bd\ufeffe\u00adf", "abcdef", id="hidden marks go"),
        pytest.param("x\U000e0041\U000e0042y", "xy", id="tag characters go"),
        pytest.param("می\u200cخواهم", "می\u200cخواهم", id="a Persian non-joiner stays"),
        pytest.param("👩\u200d👧", "👩\u200d👧", id="an emoji family stays"),
        pytest.param("a\x00b\x1bc\x9bd", "a b c d", id="control characters become spaces"),
        pytest.param("a\ud83db", "a\ufffdb", id="half an emoji"),
    ],
)
def test_the_judges_copy(text: str, expected: str) -> None:
    assert legible(text) == expected


@pytest.mark.parametrize(
    ("length", "expected"),
    [(4, "xxxx"), (5, "xxxxx"), (6, "xxxxx\n[… 1 more characters]")],
)
def test_a_cut_is_announced(length: int, expected: str) -> None:
    assert shortened("x" * length, 5) == expected


@pytest.mark.parametrize(
    ("value", "limit", "expected"),
    [
        pytest.param(None, 9, None, id="nothing"),
        pytest.param({"b\u200b": [1, True, "x\u202e"]}, 99, {"b": [1, True, "x"]}, id="legible"),
        pytest.param("x" * 10, 10, "x" * 10, id="exactly as long as allowed"),
        pytest.param("x" * 11, 10, "x" * 10 + "\n[… 1 more characters]", id="long text is cut"),
        pytest.param({"k": 1234}, 11, {"k": 1234}, id="JSON exactly as long as allowed"),
        pytest.param({"k": 1234}, 9, '{"k": 123\n[… 2 more characters]', id="long JSON as text"),
    ],
)
def test_values_are_bounded(value: Value, limit: int, expected: Value) -> None:
    assert bounded_value(value, limit) == expected


def test_a_value_as_text_does_not_depend_on_the_order_of_its_keys() -> None:
    assert value_text({"b": 1, "a": "ü"}) == value_text({"a": "ü", "b": 1}) == '{"a": "ü", "b": 1}'
    assert value_text("as it is") == "as it is"


def test_messages_without_a_text_are_none() -> None:
    given = [user("a"), message(None), tool_reply("result"), user("b")]
    assert message_values(given, most=2, characters=10) == [
        {"role": "user", "text": "a"},
        {"role": "user", "text": "b"},
    ]


@pytest.mark.parametrize("room", [0, 1])
def test_no_message_has_room(room: int) -> None:
    assert len(message_values([user("a"), user("b")], most=room, characters=room)) == room
