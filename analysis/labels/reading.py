"""Reading labels: corrections of the report's page, and filled-in sheets, one JSON a line or CSV.

Nothing is guessed: a line that cannot be meant is named with its place and left out.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from analysis.labels.label import CHOICES, WHOLE_TURN, Label
from analysis.labels.sheet_files import as_typed

LONGEST_LINE: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """The labels of a file."""

    labels: tuple[Label, ...]
    unlabelled: int
    """Rows of a sheet that nobody has filled in yet."""
    problems: tuple[str, ...]
    """`file:line: what is wrong` for each line that is no label."""


class _WrongError(Exception):
    """A line that is no label."""


def read_labels(name: str, text: str, annotator: str = "") -> Imported:
    """Return the labels of a file.

    Args:
        name: The file, as messages name it.
        text: Its content: JSON lines, or CSV with a header.
        annotator: Who labelled, where a line does not say.
    """
    labels: list[Label] = []
    problems: list[str] = []
    unlabelled = 0
    for number, row in _rows(text):
        try:
            if isinstance(row, _WrongError):
                raise row
            label = _label(row, annotator)
        except _WrongError as error:
            problems.append(f"{name}:{number}: {error}")
            continue
        if label is None:
            unlabelled += 1
        else:
            labels.append(label)
    return Imported(labels=tuple(labels), unlabelled=unlabelled, problems=tuple(problems))


def _rows(text: str) -> Iterator[tuple[int, Mapping[str, Any] | _WrongError]]:
    if text.lstrip("\ufeff \n\r\t")[:1] in ("{", ""):
        yield from _json_rows(text.lstrip("\ufeff").split("\n"))  # a text may hold U+2028
        return
    reader = csv.DictReader(io.StringIO(text.lstrip("\ufeff"), newline=""))
    try:
        if "question" not in (reader.fieldnames or ()):
            yield 1, _WrongError("is neither JSON lines nor a table with a column question")
            return
        for row in reader:
            yield reader.line_num, {name: as_typed(cell) for name, cell in row.items() if name}
    except csv.Error as error:
        yield reader.line_num, _WrongError(f"is no CSV ({error})")


def _json_rows(lines: Iterable[str]) -> Iterator[tuple[int, Mapping[str, Any] | _WrongError]]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = msgspec.json.decode(line[:LONGEST_LINE])
        except (msgspec.DecodeError, RecursionError):
            yield number, _WrongError("is no JSON")
            continue
        yield number, row if isinstance(row, dict) else _WrongError("is no JSON object")


def _label(row: Mapping[str, Any], annotator: str) -> Label | None:
    """Return the label of a row, None where it has not been filled in."""
    fields = _of_correction(row) if isinstance(row.get("result"), dict) else dict(row)
    given = {name: value for name, value in fields.items() if value not in (None, "")}
    question, label = given.get("question"), given.get("label")
    if not isinstance(question, str) or question not in CHOICES:
        raise _WrongError(f"has no known question ({', '.join(CHOICES)})")
    if label is None:
        return None
    if str(label) not in CHOICES[question]:
        raise _WrongError(f"{question} has no label {label!r}: {', '.join(CHOICES[question])}")
    if not isinstance(given.get("turn_id"), str):
        raise _WrongError("names no turn (turn_id)")
    given["label"] = str(label)
    given.setdefault("annotator", annotator)
    try:
        found = msgspec.convert(given, Label, strict=False)
    except msgspec.ValidationError as error:
        raise _WrongError(str(error)) from None
    if found.probability is not None and not 0 < found.probability <= 1:
        raise _WrongError("has a probability outside of (0, 1]")
    return found


def _of_correction(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of an annotation of a span, as the report's page copies it."""
    about = row.get("metadata")
    about = about if isinstance(about, dict) else {}
    result = row["result"]
    subject = about.get("subject")
    return {
        "question": row.get("name"),
        "label": result.get("label"),
        "explanation": result.get("explanation"),
        "turn_id": about.get("turn_id"),
        "subject": subject if isinstance(subject, str) else WHOLE_TURN,
        "run_id": about.get("run_id"),
        "key": about.get("key"),
    }
