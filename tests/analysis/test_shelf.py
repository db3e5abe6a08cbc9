from hypothesis import given
from hypothesis import strategies as st

from analysis.shelf import Shelf

records = st.lists(st.tuples(st.text(max_size=5), st.integers(0, 999)), max_size=60)


def shelved(items: list[tuple[str, int]], memory_limit: int) -> list[tuple[str, list[int]]]:
    with Shelf(int, memory_limit) as shelf:
        for key, value in items:
            shelf.put(key, value)
        return list(shelf.groups())


@given(records, st.integers(0, 200))
def test_every_record_comes_out_once_under_its_key(
    items: list[tuple[str, int]], memory_limit: int
) -> None:
    groups = shelved(items, memory_limit)
    assert sorted((key, value) for key, values in groups for value in values) == sorted(items)
    assert len({key for key, _ in groups}) == len(groups)


@given(records)
def test_spilling_changes_nothing(items: list[tuple[str, int]]) -> None:
    assert shelved(items, 0) == shelved(items, 10**9)


@given(records.flatmap(lambda items: st.tuples(st.just(items), st.permutations(items))))
def test_the_order_of_keys_does_not_depend_on_the_order_of_records(
    both: tuple[list[tuple[str, int]], list[tuple[str, int]]],
) -> None:
    one, other = (shelved(list(items), 50) for items in both)
    assert [key for key, _ in one] == [key for key, _ in other]


def test_groups_can_be_read_twice() -> None:
    with Shelf(int, 0) as shelf:
        shelf.put("a", 1)
        assert list(shelf.groups()) == list(shelf.groups()) == [("a", [1])]
