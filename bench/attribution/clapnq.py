"""Good turns from labelled rows of question, chunk and answer, grouped by topic.

    {"id", "question", "chunk", "relevant": 0 | 1, "answer"}

Rows whose chunks open with the same title make one collection; small ones are put
together. A question with a relevant row becomes a turn: the relevant chunk, its nearest
neighbours, and the row's answer, cited.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from bench.attribution.corpus import Corpus
from bench.attribution.planting import corpus_of
from bench.attribution.turns import GoodTurn, Passage, TurnFile
from ingest.errors import UsageError
from judge.tokens import tokens

COLLECTIONS: Final = 8
_BESIDE: Final = 3
"""Neighbours that are retrieved beside the relevant chunk."""
_END: Final = re.compile(r"[.!?\s]*$")


def corpus_of_rows(path: Path) -> Corpus:
    """Return the scenes of a file of rows.

    Raises:
        UsageError: It cannot be read, or a row is not in the format.
    """
    return corpus_of(TurnFile(path=path, turns=tuple(turns_of_rows(_rows(path)))))


def _rows(path: Path) -> list[Mapping[str, Any]]:
    try:
        rows = [json.loads(line) for line in path.read_text("utf-8").split("\n") if line.strip()]
        return [row for row in rows if row["question"] and row["chunk"] and "relevant" in row]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(str(path), f"no rows of question and chunk ({error!r})") from None


def turns_of_rows(rows: Sequence[Mapping[str, Any]]) -> Iterable[GoodTurn]:
    """Yield a turn for every question with a relevant chunk and an answer."""
    chunks = list(dict.fromkeys(row["chunk"] for row in rows))
    collections = dict(zip(chunks, _collections(chunks), strict=True))
    passages = {
        chunk: Passage(passage_id=f"w-{number}", text=chunk, collection=collections[chunk])
        for number, chunk in enumerate(chunks, start=1)
    }
    terms = {chunk: frozenset(tokens(chunk)) for chunk in chunks}
    good = [row for row in rows if row["relevant"] and row.get("answer")]
    for number, row in enumerate(good, start=1):
        right = passages[row["chunk"]]
        asked = frozenset(tokens(row["question"]))
        near = sorted(
            (one for one in chunks if one != row["chunk"] and collections[one] == right.collection),
            key=lambda one: (-len(asked & terms[one]), one),
        )[:_BESIDE]
        answer = " ".join(row["answer"].split())
        end = _END.search(answer)
        at = end.start() if end else len(answer)
        yield GoodTurn(
            conversation_id=f"w-{number}",
            turn=1,
            history=(),
            question=row["question"],
            collection=right.collection,
            passages=(right, *(passages[one] for one in near)),
            answer=f"{answer[:at]} [1]{answer[at:] or '.'}",
            answerable=True,
            language="en",
        )


def _collections(chunks: Sequence[str]) -> list[str]:
    """Put chunks of one topic into one collection, by their rarest common words."""
    words = [frozenset(word for word in tokens(one) if len(word) > 4) for one in chunks]
    size = -(-len(chunks) // COLLECTIONS)
    left = dict.fromkeys(range(len(chunks)))
    names = [""] * len(chunks)
    topic = 0
    while left:
        topic += 1
        seed = next(iter(left))
        ranked = sorted(left, key=lambda one: (-len(words[seed] & words[one]), one))
        for one in ranked[:size]:
            names[one] = f"topic-{topic}"
            del left[one]
    return names
