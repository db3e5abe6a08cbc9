"""Likeness by static vectors: near, far, unknown; and what is no model."""

import sys
import types
from typing import Any

import numpy as np
import pytest

from ingest.errors import UsageError
from judge.likeness import StaticLikeness, likeness


def test_the_same_subject_is_nearer_than_another_one() -> None:
    model = likeness("static")
    same, near, far = model.cosines(
        "How long may I return shoes?",
        [
            "How long may I return shoes?",
            "Within how many days can boots be sent back?",
            "Who won the election in France?",
        ],
    )
    assert same is not None
    assert near is not None
    assert far is not None
    assert same == pytest.approx(1.0)
    assert 1 > near > far


def test_a_text_without_a_known_word_has_no_cosine() -> None:
    assert StaticLikeness().cosines("shoes", ["", "12345", "shoes"])[:2] == (None, None)
    assert StaticLikeness().cosines("12345", ["shoes"]) == (None,)
    assert StaticLikeness().cosines("shoes", []) == ()


def test_the_name_tells_which_vectors_they_are() -> None:
    name, _, hashed = StaticLikeness().name.partition("/")
    assert name == "static"
    assert len(hashed) == 12


class Fake:
    """In place of the package, which is too large for a test: the words counted as vectors."""

    def __init__(self, model: str, **options: Any) -> None:
        assert options == {"device": "cpu", "local_files_only": True}
        if model == "missing":
            raise OSError("no such model\nand more")

    def encode(self, texts: list[str], **_: Any) -> Any:
        found = np.array([[text.count("a"), text.count("b")] for text in texts], float)
        return found / np.linalg.norm(found, axis=1, keepdims=True)


def test_a_model_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    package = types.ModuleType("sentence_transformers")
    package.SentenceTransformer = Fake  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", package)
    model = likeness("sentence-transformers:some/folder/mini")
    assert model.name == "sentence-transformers/mini"
    assert model.cosines("ab", ["ab", "a"]) == pytest.approx((1.0, 0.5**0.5))
    assert model.cosines("ab", []) == ()
    with pytest.raises(UsageError, match=r"missing cannot be loaded \(no such model\)"):
        likeness("sentence-transformers:missing")


@pytest.mark.parametrize("name", ["", "dynamic", "sentence-transformers", "sentence-transformers:"])
def test_what_is_no_model(name: str) -> None:
    with pytest.raises(UsageError, match="is no model"):
        likeness(name)


def test_the_package_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(UsageError, match=r"pip install 'stagefault\[embeddings\]'"):
        likeness("sentence-transformers:mini")
