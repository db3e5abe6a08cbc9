import pytest

from judge.local.telling import finished, introduces

ENDED = "The tyre holds 65 psi. Check it every month."
BROKEN = "Single by Pete from the album Empty Released June 1980 Format 7 Length 2 44"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(ENDED, 1.0, id="sentences"),
        pytest.param(BROKEN, 0.0, id="a table that lost its lines"),
        pytest.param(f"{BROKEN}.", 1.0, id="but for its end"),
        pytest.param(f'"{ENDED}"', 1.0, id="in quotation marks"),
        pytest.param("Tyres\n- 65 psi\n- check monthly", 1.0, id="headings and items"),
        pytest.param("靴は30日以内に返品できます。交換もできます。", 1.0, id="Japanese"),
        pytest.param("การคืนสินค้าภายใน 30 วันหลังจากได้รับสินค้าแล้วเท่านั้น", 1.0, id="Thai marks no end"),
        pytest.param("", 1.0, id="empty"),
    ],
)
def test_finished(text: str, expected: float) -> None:
    assert finished(text) == expected


def test_half_of_a_text_is_unfinished() -> None:
    assert finished(f"{BROKEN}.\n{BROKEN}") == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("Scrabble is a word game. It has tiles.", True, id="en"),
        pytest.param("Der Kolibri ist ein Fahrrad.", True, id="de"),
        pytest.param("Le Louvre est un musée.", True, id="fr"),
        pytest.param("La paella es un plato.", True, id="es"),
        pytest.param("La pizza è un piatto.", True, id="it"),
        pytest.param("カフェとは店です。", True, id="ja"),
        pytest.param(
            "It has tiles. Scrabble is a word game.", False, id="not in its first sentence"
        ),
        pytest.param("Refunds take ten days.", False, id="no introduction"),
        pytest.param("", False, id="empty"),
    ],
)
def test_introduces(text: str, expected: bool) -> None:  # noqa: FBT001 - a table
    assert introduces(text) is expected
