"""Under which heading the help of a command lists each option, where it has many."""

from collections.abc import Iterable, Mapping
from typing import Final

import click

FEWEST: Final = 16
"""Options from which on a list under one heading is hard to read."""
_TURNS: Final = "Which turns"
_SENT: Final = "What is sent, and at what cost"
_PRINTED: Final = "What is printed and written"
OTHER: Final = "Other options"

_NAMES: Final[Mapping[str, str]] = {
    _TURNS: "failed since until tz agent collection tool model language service stage kind limit"
    " sample seed",
    "How turns are judged": "judge_name answers judge_model judge_platform prompts requested"
    " criteria embeddings canary_every probes citations include_templates k",
    _SENT: "dry_run max_cost_usd batch jobs offline show_egress keep_secrets",
    _PRINTED: "by vs across_judges spans opens form outputs layout no_bodies as_json no_color",
}
_HEADINGS: Final = {name: heading for heading, names in _NAMES.items() for name in names.split()}


def by_heading(options: Iterable[click.Option]) -> Mapping[str, list[click.Option]]:
    """Return options by heading, headings in reading order, those of no kind last."""
    found: dict[str, list[click.Option]] = {heading: [] for heading in (*_NAMES, OTHER)}
    for option in options:
        found[_heading(option)].append(option)
    return {heading: own for heading, own in found.items() if own}


def _heading(option: click.Option) -> str:
    name = option.name or ""
    if name == "redact":  # of texts in a report, or of what a judge is sent
        return _PRINTED if option.is_flag else _SENT
    return _HEADINGS.get(name, OTHER)
