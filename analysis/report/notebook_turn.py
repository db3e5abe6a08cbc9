"""One turn in a notebook: what broke it, what each stage did, the answer and its evidence."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Final

from analysis.report.marks import STAGES
from analysis.report.notebook_parts import Cell, fragment, paragraph, said, table, tag
from analysis.report.numbers import counted
from analysis.report.turn_text import turn_lines
from analysis.report.turn_view import TurnView
from analysis.tables.turn_rows import Row
from stages.records import Stage

MOST_ROWS: Final = 20
"""Rows of each table."""
_TEXT = 300
_NAME = 80
_NOT_CAPTURED = "(not captured)"


def turn_html(view: TurnView) -> str:
    """Return one turn as a fragment."""
    turn = view.turn
    place = f"turn {turn['turn']} of {view.turns}"
    about = filter(None, (turn["turn_id"], place, turn["agent"], turn["model"]))
    sentence = turn["sentence"] or turn["outcome"].replace("_", " ")
    answer = view["paragraphs"] or [{"paragraph": 1, "text": turn["answer"], "support": None}]
    symptoms = {
        number: cause["symptom"] for cause in view.causes for number in cause.get("paragraphs", ())
    }
    return fragment(
        [
            paragraph(f"<b>{said(sentence)}</b>"),
            paragraph(" · ".join(map(said, about)), "note"),
            paragraph(f"<b>Q</b> {said(turn['question'] or _NOT_CAPTURED, _TEXT)}"),
            table(("Stage", "", "What was wrong"), (_stage(view, stage) for stage in STAGES)),
            *_first(
                ("", "Answer", "Symptom", "Support"), answer, lambda row: _block(row, symptoms)
            ),
            *_first(
                ("Rank", "Chunk", "Collection", "Grade", "In the prompt"), view["chunks"], _chunk
            ),
            *_contradicted(view),
            *_missing(view),
            *_cleared(view),
            *_first(("Call", "Arguments", "Result"), view["tool_calls"], _call),
        ]
    )


def turn_markdown(view: TurnView) -> str:
    """Return one turn as `show` prints it, as a block of code."""
    text = "\n".join(line.plain.rstrip() for line in turn_lines(view))
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}\n"


def _first(
    head: Sequence[str], rows: Sequence[Row], cells: Callable[[Row], Sequence[Cell]]
) -> Iterator[str]:
    """Yield a table of the first rows, and how many it left out; nothing without any."""
    if rows:
        yield table(head, map(cells, islice(rows, MOST_ROWS)))
    if len(rows) > MOST_ROWS:
        yield paragraph(f"and {counted(len(rows) - MOST_ROWS, 'more row')}", "note")


def _stage(view: TurnView, stage: Stage) -> Sequence[Cell]:
    mark = view.mark(stage)
    faults = "<br>".join(
        f"<b>{said(row['kind'])}</b> {said(row['explanation'] or '', _TEXT)}"
        for row in view.faults(stage)[:3]
    )
    return [stage, tag("no fault" if mark == "fine" else mark.replace("_", " ")), faults or "–"]


def _block(row: Row, symptoms: dict[int, str]) -> Sequence[Cell]:
    number = row["paragraph"]
    return [
        f"P{number}",
        said(row["text"] or _NOT_CAPTURED, _TEXT),
        said(symptoms.get(number, "–")),
        said(row["support"] or "–"),
    ]


def _chunk(row: Row) -> Sequence[Cell]:
    seen = {True: "yes", False: "no", None: "not told"}[row["in_context"]]
    grade = "not judged" if row["grade"] is None else str(row["grade"])
    name = f"<b>{said(row['title'] or row['chunk_id'], _NAME)}</b>"
    text = said(row["text"] or _NOT_CAPTURED, _TEXT)
    return [
        ("num", str(row["rank"])),
        f"{name} {text}",
        said(row["collection"] or "–"),
        grade,
        seen,
    ]


def _cleared(view: TurnView) -> Iterator[str]:
    """Yield what speaks against the stage that one would suspect first in place of the root."""
    cleared = (view.root_cause or {}).get("counter_evidence")
    if cleared:
        yield paragraph(said(cleared, _TEXT), "note")


def _contradicted(view: TurnView) -> Iterator[str]:
    """Yield what the sources say that contradict the answer."""
    for one in islice(view.contradictions, MOST_ROWS):
        claim = f" {said(one.said, _TEXT)}" if one.said else ""
        quote = f": {said(one.quote, _TEXT)}" if one.quote else ""
        source = f"<b>{said(one.source, _NAME)}</b>{quote}"
        yield paragraph(f"{tag('contradicted')} P{one.paragraph}{claim} but {source}")


def _missing(view: TurnView) -> Iterator[str]:
    """Yield what a probe found and the model had not before it."""
    for cause in view.causes:
        if cause.get("found_chunk_id"):
            name = said(cause.get("found_title") or cause["found_chunk_id"], _NAME)
            place = said(cause.get("found_collection") or "an unnamed collection", _NAME)
            quote = said(cause.get("found_quote") or "", _TEXT)
            yield paragraph(f"{tag('should have been there')} <b>{name}</b> in {place} {quote}")


def _call(row: Row) -> Sequence[Cell]:
    result = row["error"] or row["result"] or _NOT_CAPTURED
    return [
        f"{said(row['name'], _NAME)} {tag(row['status'])}",
        said(row["arguments"] or _NOT_CAPTURED, _TEXT),
        said(result, _TEXT),
    ]
