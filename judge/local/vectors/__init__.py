"""Which words say nearly the same, in several languages: static vectors, shipped as a file.

    make.py ──vectors.npz──▶ vectors      term ─▶ vector, likeness of terms and of texts
             spelling        words that the file does not have, from words that it has

A vector says what a word is about and not what it asserts: *cheap* is close to *expensive*
and *Monday* to *Friday*. A likeness is a hint that a passage speaks of what was asked, and
no proof that it says it. README.md tells where the file comes from.
"""

from judge.local.vectors.vectors import Vectors, cosine, load, words

__all__ = ["Vectors", "cosine", "load", "words"]
