"""What the words of the output mean, and the pages that they lead to, without a checkout.

    word ──explained──▶ its meanings, one sentence each
    page ──page_text──▶ a page of the documentation, as Markdown

A wheel carries the pages in `analysis/pages`; in a checkout they are read where they stand.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from analysis.attribution.kinds import KINDS
from analysis.diagnosis.meanings import RECORDS
from analysis.report.html.glossary import GLOSSARY, more_words
from analysis.report.html.meanings import FLAGS
from analysis.suggesting import did_you_mean
from ingest.errors import UsageError

_HERE = Path(__file__).parent
_NUMBER = re.compile(r"\d+$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """What one word of the output means."""

    word: str
    group: str
    """What the words are that it stands among: `Kinds of routing faults`."""
    text: str


def explained(name: str) -> tuple[Meaning, ...]:
    """Return what a word means, once for each group that has it.

    Args:
        name: As it stands in the output; case, and blanks for underscores, do not matter. A
            kind may be written with its stage, a metric with any k.

    Raises:
        UsageError: No output says it.
    """
    wanted = {_plain(name), _NUMBER.sub("k", _plain(name))}
    stage, dot, kind = _plain(name).partition(".")
    if dot and stage in KINDS:
        wanted.add(kind)
    found = tuple(one for one in vocabulary() if _plain(one.word) in wanted)
    if not found:
        near = did_you_mean(name, [*(one.word for one in vocabulary()), *pages()])
        raise UsageError(
            "explain",
            f"{name!r} is no word of the output",
            near or "stagefault explain lists all words and pages.",
        )
    return found


@cache
def vocabulary() -> tuple[Meaning, ...]:
    """Return every word with what it means, group by group in reading order."""
    return tuple(
        Meaning(word=word, group=group, text=text)
        for group, words in _groups()
        for word, text in words.items()
    )


def _groups() -> Iterator[tuple[str, Mapping[str, str]]]:
    yield from GLOSSARY.items()
    yield from more_words().items()
    yield "Texts that address their judge", {str(flag): text for flag, text in FLAGS.items()}
    yield from RECORDS.items()


def _plain(word: str) -> str:
    return word.strip().casefold().replace(" ", "_")


def pages() -> Mapping[str, Path]:
    """Return the pages of the documentation by name, in Markdown."""
    installed, checkout = _HERE / "pages", _HERE.parent
    if installed.is_dir():
        found = {path.stem: path for path in installed.glob("*.md")}
    else:
        found = {path.stem: path for path in (checkout / "docs").glob("*.md")}
        found["readme"] = checkout / "README.md"
    return dict(sorted(found.items()))


def page_text(name: str) -> str:
    """Return a page of the documentation as Markdown; its name is one of `pages`."""
    return pages()[name].read_text("utf-8")
