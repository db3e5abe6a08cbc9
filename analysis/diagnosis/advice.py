"""What to change in the instrumentation first, with the counts that say so.

    coverage, content, clocks ──▶ candidates with their loss ──▶ the three that help most

A fact that is nearly always told is left alone: what is missing then is an exception, not
a habit of the instrumentation.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from analysis.diagnosis.examination import SINGULAR, Examination
from analysis.metrics.ratio import Ratio
from ingest.conventions.capture import SWITCHES
from ingest.span import SpanKind

MOST: Final = 3
ENOUGH: Final = 0.95
"""Facts told by so many of those that could are left alone."""

_FACTS: Final[dict[str, tuple[float, str]]] = {
    "question": (1.0, "Record the user's message: without it a turn cannot be judged."),
    "answer": (1.0, "Record the answer: without it a turn cannot be judged."),
    "chunk text": (0.9, "Record the text of retrieved chunks: relevance and support need it."),
    "chunks": (0.9, "Record what each search returned, also when it returned nothing."),
    "tool result": (0.8, "Record the results of tool calls: claims are held against them."),
    "tool arguments": (0.8, "Record the arguments of tool calls: they may be what was wrong."),
    "prompt": (0.7, "Record the messages of the last model call: they tell what it had read."),
    "conversation id": (0.6, "Record a conversation id: without it each trace is one."),
    "catalogue": (
        0.5,
        "Record the tools or collections to choose from: routing is judged by them.",
    ),
    "collection": (0.5, "Record which collection or index each search went to."),
    "query": (0.4, "Record the query that was really searched."),
    "chunk id": (0.3, "Give chunks stable ids: they tell equal chunks from similar ones."),
    "agent": (0.2, "Record the agent's name: agents are compared by it."),
}
"""By fact: how much depends on it, of 1, and what to do."""

_SILENCED: Final = ("question", "answer", "chunk text", "tool result", "tool arguments", "prompt")
"""Facts that are there again once content is captured."""


_REFERRED: Final = "content_by_reference"
"""Flag of spans whose content was uploaded elsewhere."""


@dataclass(frozen=True, slots=True)
class Advice:
    """One change."""

    weight: float
    """What it would help, to be compared with others only."""
    text: str
    """What to do, as a sentence with the counts that say so."""


def advise(found: Examination) -> tuple[Advice, ...]:
    """Return up to three changes of the instrumentation, the most helpful first."""
    candidates = sorted(_candidates(found), key=lambda advice: -advice.weight)
    return tuple(candidates[:MOST])


def _candidates(found: Examination) -> Iterator[Advice]:
    yield from _about_recorders(found)
    silenced = _is_silenced(found)
    for name, (weight, text) in _FACTS.items():
        unit, ratio = found.coverage.get(name, ("", Ratio(0, 0)))
        if _is_missing(ratio) and not (silenced and name in _SILENCED):
            yield _of(
                _missing(ratio), (f"{unit} without", f"{SINGULAR[unit]} without"), weight, text
            )


def _about_recorders(found: Examination) -> Iterator[Advice]:
    if _is_silenced(found):
        switches = [SWITCHES[name] for name, _ in found.silent.most_common() if name in SWITCHES]
        how = f": {switches[0]}" if switches else ""
        text = f"Switch content capture on{how}."
        silenced = _silenced(found)
        if 2 * found.flags[_REFERRED] > silenced.hits:
            text = "Keep content on the spans: references to where it went are not followed."
        yield _of(silenced, ("spans hold no text", "span holds no text"), 1.5, text)
    if found.cut_spans:
        text = "Raise OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT: JSON that was cut tells half."
        told = ("spans hold cut texts", "span holds cut texts")
        yield _of(Ratio(found.cut_spans, found.spans), told, 0.9, text)
    if found.dropping_spans:
        text = "Raise OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT: beyond it the oldest are dropped."
        share = Ratio(found.dropping_spans, found.spans)
        yield _of(share, ("spans lost attributes", "span lost attributes"), 1.2, text)


def _is_silenced(found: Examination) -> bool:
    """Tell whether turns miss a text, and spans that should hold one are empty."""
    missing = any(_is_missing(found.coverage[n][1]) for n in _SILENCED if n in found.coverage)
    silenced = _silenced(found)
    return missing and silenced.hits > (1 - ENOUGH) * silenced.total


def _silenced(found: Examination) -> Ratio:
    """Return the spans without their content; agents count only where they are all there is.

    Many recorders leave the texts of an agent to the model calls and tools below it.
    """
    working = {kind: counts for kind, counts in found.captures.items() if kind != SpanKind.AGENT}
    counted = (working or found.captures).values()
    return Ratio(sum(counts["not_captured"] for counts in counted), sum(c.total() for c in counted))


def _is_missing(ratio: Ratio) -> bool:
    return ratio.hits < ENOUGH * ratio.total


def _missing(ratio: Ratio) -> Ratio:
    return Ratio(ratio.total - ratio.hits, ratio.total)


def _of(ratio: Ratio, told: tuple[str, str], weight: float, text: str) -> Advice:
    """Return an advice; *told* says what is counted of many and of one."""
    many, one = told
    counts = f"{ratio.hits:,.0f} of {ratio.total:,} {one if ratio.total == 1 else many}"
    return Advice((ratio.value or 0.0) * weight, f"{text.rstrip('.')} ({counts}).")
