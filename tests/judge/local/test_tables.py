"""What tools of the run tell of records, and what no passage tells instead."""

import pytest

from judge.local import Library, Passage, Table
from judge.local.thresholds import thresholds

LIMITS = thresholds()
STORAGE = "Bicycles are stored in the cellar. A place in the rack costs 4 € a month."
FRAMES = "The BX-200 has a rack of steel that bears 25 kg."
TABLES = [
    Table(tool="get_locker", description="Size, rack and price of one locker."),
    Table.of_call("get_locker", {"no": "L-041"}, {"rack_eur": "7.00", "holder": "Ines"}),
    Table.of_call("get_part", {"model": "BX-200"}, {"rack": "steel"}),
]


def passages() -> list[Passage]:
    return [Passage(collection="house", title=None, text=text) for text in (STORAGE, FRAMES)]


@pytest.mark.parametrize(
    ("question", "of_record"),
    [
        ("How much is the rack of L-077?", True),
        ("Who is the holder of L-077?", True),
        ("How much is the rack?", False),  # no record
        ("Where do I store bicycles while L-077 is being repaired?", False),  # no field
        ("How much is the rack of T-077?", False),  # no tool takes such a number
        ("How much does the rack of the BX-200 bear?", False),  # a product that passages name
    ],
)
def test_a_field_of_a_record_is_asked_for(question: str, *, of_record: bool) -> None:
    assert Library(passages(), tables=TABLES).need(question).of_record is of_record


def test_no_passage_tells_the_field_of_a_record() -> None:
    question = "How much is the rack of L-077 a month?"
    scores = [
        known.standing(known.need(question), STORAGE, None, LIMITS).score
        for known in (Library(passages()), Library(passages(), tables=TABLES))
    ]
    assert scores[0] >= LIMITS.relevant > scores[1]


def test_tables_are_part_of_the_fingerprint_whatever_their_order() -> None:
    known = Library((), tables=TABLES)
    assert known.fingerprint != Library().fingerprint
    assert known.fingerprint == Library((), tables=reversed(TABLES)).fingerprint


def test_a_result_that_is_no_json_tells_no_field() -> None:
    assert not Table.of_call("get_locker", None, "rack 7 €").fields


@pytest.mark.parametrize("result", ["[" * 200_000, '{"a":' * 200_000])
def test_a_result_nested_too_deeply_tells_no_field(result: str) -> None:
    assert not Table.of_call("get_locker", None, result).fields


@pytest.mark.parametrize(("keys", "told"), [(500, True), (501, False)])
def test_so_many_keys_are_values(keys: int, *, told: bool) -> None:
    names = ["rack_eur", *(f"key{number}" for number in range(keys - 1))]
    one = Table.of_call("get_locker", {"no": "L-041"}, dict.fromkeys(names, "7.00"))
    several = [Table.of_call("get_locker", {"no": "L-041"}, {name: "7.00"}) for name in names]
    for tables in ([one], several):
        need = Library(passages(), tables=tables).need("How much is the rack of L-077?")
        assert need.of_record is told
