"""What `doctor` prints: the counts of a source, within 80 columns."""

import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from analysis.diagnosis.advice import advise
from analysis.diagnosis.examination import SINGULAR, STAGES, Examination
from analysis.metrics.ratio import Ratio
from analysis.reading import Read
from analysis.report.numbers import counted
from analysis.report.terminal import safe_line

WIDTH: Final = 80
_LABEL = 11
_SHOWN_LOSSES = 5
_SHOWN_HINTS = 5
_SHOWN_KEYS = 6
_SHOWN_SKEWS = 3


def lines(found: Examination, read: Read) -> Iterator[str]:
    """Yield what was read, what its turns tell, and what to change first."""
    yield from _about_files(read)
    if not read.sources:
        return
    yield from _about_records(read)
    yield from _about_spans(found)
    if not found.turns:
        yield from _row("Turns", "none: no span is an agent's, a model's, a tool's or a search's")
    else:
        yield from _about_turns(found)
    yield from _about_oddities(found)
    advice = advise(found)
    if advice:
        yield ""
        yield "What would help most"
    for number, one in enumerate(advice, start=1):
        yield from wrapped(f"  {number}. ", one.text)


def _about_files(read: Read) -> Iterator[str]:
    formats = Counter(
        f"{source.format or 'unknown'} ({source.container})" for source in read.sources
    )
    if read.sources:
        yield from _row("Files", f"{len(read.sources):,} read: {_frequencies(formats)}")
    else:
        yield from _row("Files", "none read")
    passed_over = sum(source.passed_over for source in read.sources)
    if passed_over:
        told = f"{counted(passed_over, 'request')} of metrics or profiles among the traces"
        yield from wrapped("  ", f"passed over: {told}")
    skipped = Counter(skipped.reason for skipped in read.skipped_files)
    if skipped:
        yield from _row("Skipped", f"{counted(skipped.total(), 'file')}: {_frequencies(skipped)}")
    hinted: dict[str, list[str]] = {}
    for one in read.skipped_files:
        if one.hint:
            hinted.setdefault(one.hint, []).append(one.path)
    for hint, paths in list(hinted.items())[:_SHOWN_HINTS]:
        others = f" and {len(paths) - 1:,} more" if len(paths) > 1 else ""
        yield from wrapped("  ", f"{safe_line(paths[0])}{others}: {hint}")


def _about_records(read: Read) -> Iterator[str]:
    counts = read.counts
    yield from _row(
        "Records",
        f"{counts.read:,} read = {counts.loaded:,} loaded + {counts.repaired:,} repaired + "
        f"{counts.duplicate:,} duplicate + {counts.rejected:,} rejected",
    )
    reasons = Counter(f"{loss.outcome} {loss.reason}" for loss in read.losses)
    if reasons:
        yield from _row("Losses", _frequencies(reasons))
    rejected = [loss for loss in read.losses if loss.outcome == "rejected"]
    for loss in rejected[:_SHOWN_LOSSES]:
        place = f"{safe_line(loss.file)}:{loss.offset}"
        yield from wrapped("  ", f"{place}: {loss.reason} {safe_line(loss.detail)}".rstrip())
    if len(rejected) > _SHOWN_LOSSES:
        yield f"  and {len(rejected) - _SHOWN_LOSSES:,} more; --json lists them all"


def _about_spans(found: Examination) -> Iterator[str]:
    kinds = {kind: f"{count:,}" for kind, count in found.kinds.most_common()}
    if "llm" in kinds and found.model_calls != found.kinds["llm"]:
        kinds["llm"] += f" ({counted(found.model_calls, 'call')})"
    told = ", ".join(f"{kind} {count}" for kind, count in kinds.items())
    traces = counted(found.traces, "trace")
    yield from _row("Spans", f"{found.spans:,} in {traces}: {told}" if told else "none")
    yield from _row("Written as", _frequencies(found.conventions) or "nothing that is known")
    if found.captures:
        yield from _row("Content", f"{found.content}: {_captured(found.captures)}")


def _captured(captures: Mapping[str, Counter[str]]) -> str:
    parts: list[str] = []
    for kind, counts in sorted(captures.items(), key=lambda item: -item[1].total()):
        cut = counts["truncated"]
        held = counts["captured"] + cut
        parts.append(f"{kind} {held:,} of {counts.total():,}" + (f" ({cut:,} cut)" if cut else ""))
    return ", ".join(parts)


def _about_turns(found: Examination) -> Iterator[str]:
    conversations = counted(found.conversations, "conversation")
    without = f", {found.incomplete:,} without an answer span" if found.incomplete else ""
    yield from _row("Turns", f"{found.turns:,} in {conversations}{without}")
    yield from _row("Services", _frequencies(found.services))
    yield from _row("Ids from", _conversation_ids(found))
    yield ""
    yield "What turns tell"
    for stage, names in STAGES.items():
        label = stage
        for name in names:
            if name in found.coverage and (name != "tenant" or found.coverage[name][1].hits):
                unit, ratio = found.coverage[name]
                more = _more(found, name)
                counts = f"of {counted(ratio.total, SINGULAR[unit])}{more}"
                yield f"  {label:<12}{name:<17}{share(ratio):>9}  {counts}"
                label = ""
    yield ""
    yield "Turns for which each question can be put"
    for name, ratio in found.decidable.items():
        yield f"  {name:<29}{share(ratio):>9}  {ratio.hits:,.0f} of {ratio.total:,}"


def _more(found: Examination, name: str) -> str:
    """Return how many of the collections were only inferred."""
    _, recorded = found.coverage.get("collection recorded", ("", Ratio(0, 0)))
    if name != "collection" or recorded.hits == recorded.total:
        return ""
    return f", {share(Ratio(recorded.total - recorded.hits, recorded.total))} of them inferred"


def _conversation_ids(found: Examination) -> str:
    told = [
        f"{safe_line(key)} {count:,}"
        for key, count in found.conversation_keys.most_common(_SHOWN_KEYS)
    ]
    if found.conversation_inferred:
        told.append(f"none {found.conversation_inferred:,} (each trace a conversation)")
    return ", ".join(told)


def _about_oddities(found: Examination) -> Iterator[str]:
    if found.gaps or found.flags or found.clocks.oddities or found.dropped_attributes:
        yield ""
    if found.gaps:
        yield from _row("Not told", _frequencies(found.gaps))
    if found.flags:
        yield from _row("Oddities", _frequencies(found.flags))
    if found.clocks.oddities:
        odd = found.clocks.oddities.most_common()
        told = ", ".join(f"{count:,} {what}" for what, count in odd)
        yield from _row("Clocks", f"spans: {told}")
    for (caller, called), (calls, most) in list(found.clocks.worst_skews.items())[:_SHOWN_SKEWS]:
        pair = f"{safe_line(called)} runs up to {most:,.0f} ms before {safe_line(caller)}"
        yield from wrapped("  ", f"{pair} calls it ({counted(calls, 'call')}): clocks differ")
    if found.dropped_attributes:
        spans = counted(found.dropping_spans, "span")
        yield from _row(
            "Dropped",
            f"{counted(found.dropped_attributes, 'attribute')} by the recorder itself, of {spans}",
        )
    if found.full_spans:
        spans = counted(found.full_spans, "span")
        yield from _row(
            "Full", f"{spans} with 128 attributes, the default limit: older ones may be lost"
        )


def _frequencies(counter: Counter[str]) -> str:
    """Return words with their counts, the most frequent first."""
    return ", ".join(f"{safe_line(name)} {count:,}" for name, count in counter.most_common())


def share(ratio: Ratio) -> str:
    """Return a share in whole per cent that never rounds to all or to nothing."""
    value = ratio.value
    if value is None:
        return "n/a"
    rounded = round(100 * value)
    if rounded == 100 and ratio.hits < ratio.total:  # noqa: PLR2004 - per cent
        return "over 99 %"
    return "under 1 %" if rounded == 0 and ratio.hits else f"{rounded} %"


def _row(label: str, text: str) -> Iterator[str]:
    return wrapped(f"{label:<{_LABEL}}", text)


def wrapped(first: str, text: str) -> Iterator[str]:
    """Yield a text in lines of 80, the first behind *first*, the others below its beginning."""
    yield from textwrap.wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent=" " * len(first),
        break_on_hyphens=False,
        break_long_words=True,
    ) or [first.rstrip()]
