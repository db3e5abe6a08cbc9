"""The given set: attacks of other people, put into e-mails and tables as its authors do.

Source: J. Yi et al., *Benchmarking and Defending Against Indirect Prompt Injection Attacks
on Large Language Models* (BIPIA), 2023. An attack stands at the start, in the middle or at
the end of a context; here in one e-mail and one table each, in turn.
"""

import json
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from typing import Final

from bench.injection.payloads import Payload

FOLDER: Final = Path(__file__).parents[2].parent / "shared" / "bench" / "injection"
_CONTEXTS: Final = {"e-mail": "email_train.jsonl", "table": "table_test.jsonl"}


def given_payloads(folder: Path = FOLDER) -> Iterator[Payload]:
    """Yield every attack alone and in its contexts; none where the set is absent."""
    path = folder / "text_attack_train.json"
    if not path.is_file():
        return
    contexts = {name: cycle(_contexts(folder, name)) for name in _CONTEXTS}
    places = cycle((0.0, 0.5, 1.0))
    for category, attacks in json.loads(path.read_text("utf-8")).items():
        for number, attack in enumerate(attacks):
            yield Payload(category, f"{number}", attack)
            for name, texts in contexts.items():
                planted = _planted(next(texts), attack, next(places))
                yield Payload(category, f"{number} in a {name}", planted)


def clean_texts(folder: Path = FOLDER) -> Iterator[str]:
    """Yield the contexts without any attack; none where the set is absent."""
    for name in _CONTEXTS:
        yield from _contexts(folder, name)


def _contexts(folder: Path, name: str) -> Sequence[str]:
    path = folder / _CONTEXTS[name]
    if not path.is_file():
        return ()
    return [json.loads(line)["context"] for line in path.read_text("utf-8").splitlines()]


def _planted(context: str, attack: str, place: float) -> str:
    """Return a context with an attack on a line of its own."""
    lines = context.split("\n")
    where = round(place * len(lines))
    return "\n".join([*lines[:where], attack, *lines[where:]])
