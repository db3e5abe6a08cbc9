"""The renderings of a report, by name."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from analysis.report.json import render_json
from analysis.report.markdown import render_markdown
from analysis.report.model import Report
from analysis.report.text import render_text

RENDERERS: Final[Mapping[str, Callable[[Report], str]]] = MappingProxyType(
    {"text": render_text, "markdown": render_markdown, "json": render_json}
)
"""Each takes a report and returns the whole text, ending in a newline."""
