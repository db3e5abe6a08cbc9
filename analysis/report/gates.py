"""Checked gates, for a terminal, pull requests, and CI systems."""

import shlex
from collections.abc import Iterator, Sequence
from typing import Any, Final
from xml.etree import ElementTree as ET

from rich.text import Text

from analysis.gates.checking import Checked
from analysis.report.layout import WIDTH, cut, line, paint, wrap
from analysis.report.markdown import escape
from analysis.report.numbers import counted
from analysis.report.terminal import safe_line
from analysis.report.wording import command_lines, named_run
from analysis.run import Run

CHECK_SCHEMA_VERSION: Final = 1
_SIGNS: Final = {"passed": ("✓", "green"), "failed": ("✗", "bold red"), "skipped": ("–", "dim")}
_MOST_ANNOTATIONS: Final = 10
"""A step of a workflow shows no more of one kind."""


def check_headline(checked: Sequence[Checked]) -> str:
    """Return how many gates failed, in one sentence."""
    failed = sum(one.verdict == "failed" for one in checked)
    skipped = sum(one.verdict == "skipped" for one in checked)
    told = f"{failed} of {counted(len(checked), 'gate')} failed"
    return f"{told}, {skipped} could not be measured." if skipped else f"{told}."


def render_check(
    run: Run, checked: Sequence[Checked], *, color: bool = False, width: int = WIDTH
) -> str:
    """Return the gates as text, those that failed first."""
    return paint(_lines(run, checked, width), color=color)


def check_json(run_id: str, checked: Sequence[Checked]) -> dict[str, Any]:
    """Return the gates as one object."""
    return {
        "schema_version": CHECK_SCHEMA_VERSION,
        "run_id": run_id,
        "failed": sum(one.verdict == "failed" for one in checked),
        "gates": [
            {
                "name": one.gate.name,
                "limit": one.gate.limit,
                "verdict": one.verdict,
                "value": one.value,
                "told": one.told,
                "examples": list(one.examples),
            }
            for one in checked
        ],
    }


def check_markdown(run_id: str, checked: Sequence[Checked]) -> str:
    """Return the gates as a table for a pull request."""
    rows = [
        f"| {_SIGNS[one.verdict][0]} | {escape(one.gate.name)} | {escape(one.told)} "
        f"| {escape(one.gate.limit)} | {escape(', '.join(one.examples))} |"
        for one in _ordered(checked)
    ]
    head = [
        "<!-- stagefault check -->",
        f"**{escape(check_headline(checked))}** Run {escape(run_id)}.",
        "",
        "| | Gate | Measured | Limit | Turns |",
        "| --- | --- | --- | --- | --- |",
    ]
    return "\n".join([*head, *rows]) + "\n"


def check_junit(run_id: str, checked: Sequence[Checked]) -> str:
    """Return the gates as JUnit XML: a test case each; what was not measured is skipped."""
    suite = ET.Element(
        "testsuite",
        name=safe_line(f"stagefault {run_id}"),
        tests=str(len(checked)),
        failures=str(sum(one.verdict == "failed" for one in checked)),
        skipped=str(sum(one.verdict == "skipped" for one in checked)),
    )
    for one in checked:
        stage, _, kind = one.gate.name.partition(".")
        case = ET.SubElement(
            suite, "testcase", classname=safe_line(stage), name=safe_line(kind or stage)
        )
        text = f"{one.told}; limit {one.gate.limit}"
        if one.verdict == "failed":
            shown = f"{text}; turns {', '.join(one.examples)}" if one.examples else text
            ET.SubElement(case, "failure", message=safe_line(text)).text = safe_line(shown)
        elif one.verdict == "skipped":
            ET.SubElement(case, "skipped", message=safe_line(one.told))
    ET.indent(suite)
    return ET.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"


def check_annotations(checked: Sequence[Checked]) -> Iterator[str]:
    """Yield the failed gates as commands of a GitHub workflow, the first few."""
    failed = [one for one in checked if one.verdict == "failed"]
    for one in failed[:_MOST_ANNOTATIONS]:
        text = safe_line(f"{one.gate.name}: {one.told}; limit {one.gate.limit}")
        yield f"::error title=stagefault::{text.replace('%', '%25')}"


def _lines(run: Run, checked: Sequence[Checked], width: int) -> Iterator[Text]:
    for one in _ordered(checked):
        sign, style = _SIGNS[one.verdict]
        name = cut(one.gate.name, width - 2)
        yield line((f"{sign} ", style), (name, "bold" if one.verdict == "failed" else ""))
        for text in (f"limit {one.gate.limit}", one.told):
            yield from (line("    ", part) for part in wrap(text, width - 4))
        for turn in one.examples:
            words = [shlex.join(("stagefault", "show", turn)), *named_run(run.words)]
            yield from map(line, (f"  {one}" for one in command_lines(words, width - 2)))
    yield Text()
    yield from (line((part, "bold")) for part in wrap(check_headline(checked), width))


def _ordered(checked: Sequence[Checked]) -> list[Checked]:
    return sorted(checked, key=lambda one: ("failed", "skipped", "passed").index(one.verdict))
