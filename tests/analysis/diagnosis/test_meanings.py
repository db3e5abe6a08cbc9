"""Every word for a loss or an oddity has a meaning, and the documentation says the same."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis.diagnosis import meanings
from analysis.diagnosis.meanings import MEANINGS, ODDITIES, REPAIRED
from ingest.oddities import __doc__ as oddities
from ingest.repairs import REPAIRS

ROOT = Path(__file__).parents[3]
_WORD = re.compile(r"[a-z]+(?:_[a-z0-9]+)+")
_LOSING = {"Cut", "loss", "lose", "reject", "_lose", "_reject", "_file_loss", "UnreadableError"}


def words_in(code: ast.AST) -> Iterator[str]:
    for part in ast.walk(code):
        value = part.value if isinstance(part, ast.Constant) else None
        if isinstance(value, str) and _WORD.fullmatch(value):
            yield value


def calls() -> Iterator[tuple[str, str, ast.Call]]:
    """Yield what is called in the readers: on what, by which name."""
    for path in sorted((ROOT / "ingest").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                on = getattr(node.func, "value", None)
                named = getattr(node.func, "attr", getattr(node.func, "id", ""))
                yield getattr(on, "id", getattr(on, "attr", "")), named, node


def reasons() -> set[str]:
    found = {word for _, name, call in calls() if name in _LOSING for word in words_in(call)}
    return found - {"span_id"}


def flags() -> set[str]:
    added = (call for on, name, call in calls() if name in ("add", "update") and on == "flags")
    told = (word.value for _, _, call in calls() for word in call.keywords if word.arg == "flags")
    return {word for code in (*added, *told) for word in words_in(code)}


def test_every_reason_that_a_reader_gives_has_a_meaning() -> None:
    assert len(reasons()) > 25
    assert sorted(reasons() - MEANINGS.keys()) == []


def test_every_flag_has_a_meaning() -> None:
    assert len(flags()) > 10
    assert sorted(flags() - MEANINGS.keys()) == []
    named = re.findall(r"^([a-z]+_[a-z_]+|cycle) {2,}", oddities or "", re.MULTILINE)
    assert len(named) == 5
    assert set(named) <= ODDITIES.keys()
    assert REPAIRED.keys() == REPAIRS.keys()


@pytest.mark.parametrize("name", ["DUPLICATES", "REJECTED", "REPAIRED", "ODDITIES"])
def test_the_documentation_says_the_same(name: str) -> None:
    text = (ROOT / "docs" / "records.md").read_text("utf-8")
    for word, meaning in getattr(meanings, name).items():
        assert f"| `{word}` | {meaning} |\n" in text
        assert text.count(f"| `{word}` |") == 1
