"""The templates of a page: what they may call, and what no text of a trace can do to them."""

import re
from functools import cache
from typing import Any, Final

import jinja2
from markupsafe import Markup, escape

from analysis.metrics.meanings import of_metric
from analysis.report.html.flow import WORDS
from analysis.report.html.glossary import GLOSSARY, more_words, words
from analysis.report.html.index import PARTS
from analysis.report.metric_wording import (
    lists_text,
    metric_base,
    metric_interval,
    metric_value,
    uncounted_text,
    undefined_text,
)
from analysis.report.numbers import count, counted, percent, percent_interval, points
from analysis.report.wording import change_cell, change_text, not_judged_text, overlap_text

_CONTROLS: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_BREAKABLE: Final = re.compile(r"(?<=[_.\-/])(?=\w)|(?=\[)")


@cache
def environment() -> jinja2.Environment:
    """Return the environment of the page's templates."""
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("analysis.report.html"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(count=count, percent=percent, breakable=_breakable)
    made.globals.update(
        counted=counted,
        percent_interval=percent_interval,
        points=points,
        change_cell=change_cell,
        change_text=change_text,
        flow_words=WORDS,
        stage_names=("routing", "retrieval", "generation"),
        part_words=PARTS,
        words=words(),
        glossary=GLOSSARY,
        more_words=more_words(),
        of_metric=of_metric,
        lists_text=lists_text,
        metric_base=metric_base,
        metric_interval=metric_interval,
        metric_value=metric_value,
        not_judged_text=not_judged_text,
        overlap_text=overlap_text,
        uncounted_text=uncounted_text,
        undefined_text=undefined_text,
    )
    return made


def _breakable(name: str) -> Markup:
    """Return a name that may go on a new line between its words, and nowhere else."""
    return Markup("<wbr>").join(escape(_shown(part)) for part in _BREAKABLE.split(name))


def _shown(value: Any) -> Any:
    """Return a value without characters that no page can hold; markup of ours stays.

    Marks of direction stay, too: right-to-left text needs them, and every text of a trace
    stands in an element of its own direction.
    """
    if isinstance(value, str) and not isinstance(value, Markup):
        return _CONTROLS.sub("\ufffd", value)
    return value
