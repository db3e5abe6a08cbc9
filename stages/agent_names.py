"""One agent, one name: spellings of it differ between a framework, a service and a handoff."""

import re
from collections.abc import Iterable
from dataclasses import replace

from ingest.span import Span, SpanKind


def spelling(name: str) -> str:
    """Return a name as names of agents are compared: case and separators do not count."""
    return re.sub(r"[\s_-]+", "_", name.strip().casefold())


def with_one_name(spans: Iterable[Span]) -> list[Span]:
    """Return *spans* with every agent named as its own run names it first.

    Args:
        spans: All spans of one trace, in order of start.
    """
    ordered = list(spans)
    names: dict[str, str] = {}
    for own in (True, False):
        for span in ordered:
            if span.agent and (span.kind is SpanKind.AGENT) is own:
                names.setdefault(spelling(span.agent), span.agent)
    return [
        replace(span, agent=names[spelling(span.agent)])
        if span.agent and names[spelling(span.agent)] != span.agent
        else span
        for span in ordered
    ]
