"""How alike two texts are in meaning, by an embedding model on this machine.

    static                        the word vectors that are shipped; the default
    sentence-transformers:NAME    a model that is on the machine; an extra

Cosines of different models cannot be compared: whoever shows one names the model.
"""

import hashlib
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any, Final, Protocol

from ingest.errors import UsageError

STATIC: Final = "static"
_TRANSFORMERS: Final = "sentence-transformers"
_OPTION: Final = "--embeddings"


class Likeness(Protocol):
    """Compares texts."""

    @property
    def name(self) -> str:
        """Name of the model, as it stands beside every number that comes of it."""
        ...

    def cosines(self, text: str, others: Sequence[str]) -> tuple[float | None, ...]:
        """Return the cosine of a text with each other one, in order.

        Returns:
            In [-1, 1]; None where one of the two says nothing that the model knows.
        """
        ...


class StaticLikeness:
    """By the sum of word vectors: what a text is about, not what it asserts."""

    @property
    def name(self) -> str:
        """`static/<hash of the file of vectors>`."""
        return f"{STATIC}/{_vectors_hash()}"

    def cosines(self, text: str, others: Sequence[str]) -> tuple[float | None, ...]:
        """Return the cosines; None for a text without a known word."""
        from judge.local.vectors import cosine, load

        vectors = load()
        own = vectors.sentence(text)
        found: list[float | None] = []
        for other in others:
            its = vectors.sentence(other)
            found.append(cosine(own, its) if own.any() and its.any() else None)
        return tuple(found)


class TransformerLikeness:
    """By a sentence-transformers model; never fetched."""

    def __init__(self, model: str) -> None:
        """Load the model.

        Args:
            model: A folder, or a name in the cache of this machine.

        Raises:
            UsageError: The package or the model is not here.
        """
        try:
            package = import_module("sentence_transformers")
        except ImportError:
            raise UsageError(
                _OPTION,
                "sentence-transformers is not installed",
                "Run pip install 'stagefault[embeddings]', or use --embeddings static.",
            ) from None
        try:
            self._model: Any = package.SentenceTransformer(
                model, device="cpu", local_files_only=True
            )
        except (OSError, ValueError) as error:
            problem = str(error).partition("\n")[0][:200]
            raise UsageError(
                _OPTION, f"{model} cannot be loaded ({problem})", "Name the folder of a model."
            ) from None
        self._name = model.rstrip("/").rpartition("/")[2] if "/" in model else model

    @property
    def name(self) -> str:
        """`sentence-transformers/<name of the model>`."""
        return f"{_TRANSFORMERS}/{self._name}"

    def cosines(self, text: str, others: Sequence[str]) -> tuple[float | None, ...]:
        """Return the cosines."""
        if not others:
            return ()
        own, *rest = self._model.encode([text, *others], normalize_embeddings=True)
        return tuple(float(own @ its) for its in rest)


def likeness(name: str) -> Likeness:
    """Return the model that a name means.

    Raises:
        UsageError: There is no such model here.
    """
    if name == STATIC:
        return StaticLikeness()
    kind, colon, model = name.partition(":")
    if kind == _TRANSFORMERS and colon and model:
        return TransformerLikeness(model)
    raise UsageError(_OPTION, f"{name!r} is no model", f"Use {STATIC}, or {_TRANSFORMERS}:NAME.")


@cache
def _vectors_hash() -> str:
    from judge.local.vectors.vectors import FILE

    return hashlib.sha256(FILE.read_bytes()).hexdigest()[:12]
