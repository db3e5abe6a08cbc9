"""Prompt templates: files, checked when they are loaded, known by their content.

    judge/prompts/reading.md                how a judge reads data; part of every prompt
    judge/prompts/<kind>/<version>.md       instructions, `=== data ===`, {{fields}}

Versions stand side by side. The version in keys is a hash of everything that turns a
question into a request, so that an edited template can never pass for the one before.
"""

import hashlib
import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from ingest.errors import UsageError
from judge.prompting.schemas import reply_schema
from judge.question import QuestionKind

FOLDER: Final = Path(__file__).parents[1] / "prompts"
FIELDS: Final[dict[QuestionKind, frozenset[str]]] = {
    "routing": frozenset({"service", "tenant", "before", "catalogues", "transcript"}),
    "relevance": frozenset({"need", "earlier", "chunk"}),
    "support": frozenset({"question", "lead_in", "paragraph", "evidence"}),
    "answer": frozenset(
        {"question", "earlier", "paragraphs", "evidence", "evidence_left_out"}
        | {"question_language", "answer_language"}
    ),
    "statements": frozenset({"question", "paragraphs", "evidence", "evidence_left_out"}),
    "questions": frozenset({"paragraphs"}),
    "criterion": frozenset({"goal", "transcript"}),
}
"""All that the content of a question of each kind holds; see `judge.asking`."""
DEFAULT_VERSION: Final = "1"

_LAYOUT = "layout 1"
"""Of `judge.prompting.rendering`: raised when the same question would be written otherwise."""
_DATA = "\n=== data ===\n"
_FIELD = re.compile(r"\{\{([^{}]*)\}\}")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """One version of the prompt for one kind of question."""

    kind: QuestionKind
    instructions: str
    """The system prompt: the same for every question of the kind."""
    fields: tuple[str, ...]
    """Fields of the content, in the order in which they are shown."""
    version: str
    """`<kind>/<version>/<hash>`."""


@cache
def load_template(
    kind: QuestionKind, version: str = DEFAULT_VERSION, folder: Path = FOLDER
) -> Template:
    """Read and check a template.

    Args:
        kind: Not `probe`, which is asked as `relevance`.
        version: Name of the file without `.md`.
        folder: Holds `reading.md` and a folder per kind.

    Raises:
        UsageError: There is no such version, or the file is no valid template.
    """
    path = folder / kind / f"{version}.md"
    if not _NAME.fullmatch(version) or not path.is_file():
        known = ", ".join(versions(kind, folder)) or "none"
        raise UsageError(f"prompt {kind}/{version}", "does not exist", f"There are: {known}.")
    reading = (folder / "reading.md").read_text("utf-8").strip()
    own, marker, data = path.read_text("utf-8").partition(_DATA)
    fields = tuple(_FIELD.findall(data))
    problem = _problem(kind, own, marker, data, fields)
    if problem is not None:
        raise UsageError(str(path), problem, "Compare it with the other versions beside it.")
    instructions = f"{reading}\n\n# Your task\n\n{own.strip()}\n"
    parts = [_LAYOUT, instructions, fields, reply_schema(kind)]
    hashed = hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode()).hexdigest()
    return Template(
        kind=kind,
        instructions=instructions,
        fields=fields,
        version=f"{kind}/{version}/{hashed[:12]}",
    )


def versions(kind: QuestionKind, folder: Path = FOLDER) -> tuple[str, ...]:
    """Return the versions that stand side by side for a kind, sorted by name."""
    return tuple(sorted(path.stem for path in (folder / kind).glob("*.md")))


def _problem(
    kind: QuestionKind, own: str, marker: str, data: str, fields: tuple[str, ...]
) -> str | None:
    """Return what is wrong with a template, None when it is valid."""
    if not marker:
        return "has no line `=== data ===`"
    if not own.strip():
        return "has no instructions"
    if _FIELD.search(own):
        return "has a field in its instructions, which are the same for every question"
    if _FIELD.sub("", data).strip():
        return "has words between its fields, where only data may stand"
    if len(set(fields)) < len(fields):
        return "shows a field twice"
    wrong = sorted(FIELDS[kind].symmetric_difference(fields))
    return f"lacks or invents the fields {', '.join(wrong)}" if wrong else None
