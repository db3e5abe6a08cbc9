"""The small changes that `make mutants` makes, and the list of those that change nothing."""

import ast
import tomllib
from pathlib import Path

import pytest

from bench.mutants import LISTED, ROOT, TESTS
from bench.mutations import mutations

ENTRIES = tomllib.loads(LISTED.read_text("utf-8"))["mutant"]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        pytest.param("a < b", {"a <= b", "a >= b"}, id="a boundary moved, and turned around"),
        pytest.param("a == b", {"a != b"}, id="equal"),
        pytest.param("a and b", {"a or b", "a", "b"}, id="and: or, and one of the two"),
        pytest.param("min(a, b)", {"max(a, b)"}, id="smallest"),
        pytest.param("f(a, key=b)", {"f(a)"}, id="a keyword less"),
    ],
)
def test_what_is_changed(code: str, expected: set[str]) -> None:
    tree = ast.parse(f"def f():\n    return {code}\n")
    assert expected <= {one.after for one in mutations(tree)}


def test_each_change_is_made_in_the_tree_and_undone() -> None:
    tree = ast.parse("def f(a):\n    if a > 1:\n        return 'x'\n    return None\n")
    before = ast.dump(tree)
    changed = [ast.dump(tree) for _ in mutations(tree)]
    assert len(changed) > 5
    assert before not in changed
    assert ast.dump(tree) == before


def test_what_only_documents_is_left_alone() -> None:
    tree = ast.parse('"""One."""\nimport a\n\n\ndef f(b: int) -> int:\n    """Two."""\n')
    assert list(mutations(tree)) == []


def test_everything_that_decides_is_mutated_and_tested() -> None:
    for code, tests in TESTS.items():
        assert (ROOT / code).exists()
        assert all((ROOT / path).exists() for path in tests)


@pytest.mark.parametrize("path", sorted({entry["path"] for entry in ENTRIES}))
def test_every_listed_mutant_is_one(path: str) -> None:
    tree = ast.parse(Path(ROOT, path).read_text("utf-8"))
    made = {(one.where, one.before, one.after) for one in mutations(tree)}
    listed = [one for one in ENTRIES if one["path"] == path]
    gone = [one for one in listed if (one["where"], one["before"], one["after"]) not in made]
    assert gone == []
    assert all(one["reason"] for one in listed)
