"""What `doctor` prints: the counts of a source, as wide as the terminal.

Paragraphs are pairs of what stands before a text and the text; a pair of two empty ones is an
empty line. Paths are never broken.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, TypeAlias

from analysis.diagnosis.clocks import OF_ONE
from analysis.diagnosis.examination import SINGULAR, STAGES, Examination
from analysis.diagnosis.meanings import MEANINGS, ODDITIES
from analysis.diagnosis.next_steps import next_steps
from analysis.metrics.ratio import Ratio
from analysis.reading import Read
from analysis.report.layout import WIDTH, hanging
from analysis.report.numbers import counted
from analysis.report.run_facts import passed_over_told
from analysis.report.terminal import safe_line

Paragraph: TypeAlias = tuple[str, str]

ROOMY: Final = 60
"""Cells from which on names and what is said of them stand side by side in fixed columns."""
_LABEL = 11
_SHOWN_LOSSES = 5
_SHOWN_HINTS = 5
_SHOWN_KEYS = 6
_SHOWN_SKEWS = 3


def lines(found: Examination, read: Read, width: int = WIDTH) -> Iterator[str]:
    """Yield what was read, what its turns tell, and what to change first.

    Args:
        found: What was counted.
        read: What was read.
        width: Cells of a line.
    """
    paths = [*(one.path for one in read.skipped_files if one.hint), *_lost_in(read)]
    for first, text in _paragraphs(found, read, roomy=width >= ROOMY):
        yield from hanging(first, text, width, whole=paths)


def _lost_in(read: Read) -> Iterator[str]:
    rejected = (loss.file for loss in read.losses if loss.outcome == "rejected")
    yield from dict.fromkeys(islice(rejected, _SHOWN_LOSSES))


def _paragraphs(found: Examination, read: Read, *, roomy: bool) -> Iterator[Paragraph]:
    yield from _about_files(read)
    if read.sources:
        yield from _about_what_was_read(found, read, roomy=roomy)
    steps = next_steps(found, read)
    if steps:
        yield "", ""
        yield "", "What would help most"
    for number, one in enumerate(steps, start=1):
        yield f"  {number}. ", one


def _about_what_was_read(found: Examination, read: Read, *, roomy: bool) -> Iterator[Paragraph]:
    yield from _about_records(read)
    yield from _about_spans(found)
    if not found.turns:
        yield _row("Turns", "none: no span is an agent's, a model's, a tool's or a search's")
    else:
        yield from _about_turns(found)
        yield from _what_turns_tell(found, roomy=roomy)
        yield from _decidable(found, roomy=roomy)
    yield from _about_oddities(found)


def _about_files(read: Read) -> Iterator[Paragraph]:
    formats = Counter(
        f"{source.format or 'unknown'} ({source.container})" for source in read.sources
    )
    if read.sources:
        yield _row("Files", f"{len(read.sources):,} read: {_frequencies(formats)}")
    else:
        yield _row("Files", "none read")
    told = passed_over_told(
        sum(source.passed_over for source in read.sources),
        sum(source.empty for source in read.sources),
    )
    if told:
        yield "  ", f"passed over: {told}"
    skipped = Counter(skipped.reason for skipped in read.skipped_files)
    if skipped:
        yield _row("Skipped", f"{counted(skipped.total(), 'file')}: {_frequencies(skipped)}")
    hinted: dict[str, list[str]] = {}
    for one in read.skipped_files:
        if one.hint:
            hinted.setdefault(one.hint, []).append(one.path)
    for hint, paths in list(hinted.items())[:_SHOWN_HINTS]:
        others = f" and {len(paths) - 1:,} more" if len(paths) > 1 else ""
        yield "  ", f"{safe_line(paths[0])}{others}: {hint}"


def _about_records(read: Read) -> Iterator[Paragraph]:
    counts = read.counts
    yield _row(
        "Records",
        f"{counts.read:,} read = {counts.loaded:,} loaded + {counts.repaired:,} repaired + "
        f"{counts.duplicate:,} duplicate + {counts.rejected:,} rejected",
    )
    yield from _about_logs(read)
    reasons = Counter(f"{loss.outcome} {loss.reason}" for loss in read.losses)
    if reasons:
        yield _row("Losses", _frequencies(reasons))
    rejected = [loss for loss in read.losses if loss.outcome == "rejected"]
    for loss in rejected[:_SHOWN_LOSSES]:
        told = f"{loss.place}: {loss.reason} {loss.detail}"
        yield "  ", safe_line(told)
    if len(rejected) > _SHOWN_LOSSES:
        yield "  ", f"and {len(rejected) - _SHOWN_LOSSES:,} more; --json lists them all"
    for word in dict.fromkeys(loss.reason for loss in read.losses):
        if word in MEANINGS:
            yield "  ", f"{word}: {MEANINGS[word]}"


def _about_logs(read: Read) -> Iterator[Paragraph]:
    """Yield what became of log records: without them there are as many spans as records."""
    if not read.logs:
        return
    spans, logs = counted(read.span_records, "span"), counted(read.logs, "log record")
    belonging = read.logs - read.orphan_logs
    parts = [f"{belonging:,} told of a span"] if belonging else []
    parts += [f"{read.orphan_logs:,} of no span that was read"] if read.orphan_logs else []
    if read.made_spans:
        parts.append(f"{counted(read.made_spans, 'span')} made of them")
    yield "  ", f"of them {spans} and {logs} ({', '.join(parts)})"


def _about_spans(found: Examination) -> Iterator[Paragraph]:
    kinds = {kind: f"{count:,}" for kind, count in found.kinds.most_common()}
    if "llm" in kinds and found.model_calls != found.kinds["llm"]:
        kinds["llm"] += f" ({counted(found.model_calls, 'call')})"
    told = ", ".join(f"{kind} {count}" for kind, count in kinds.items())
    traces = counted(found.traces, "trace")
    yield _row("Spans", f"{found.spans:,} in {traces}: {told}" if told else "none")
    yield _row("Written as", _frequencies(found.conventions) or "nothing that is known")
    if found.captures:
        yield _row("Content", f"{found.content}: {_captured(found.captures)}")


def _captured(captures: Mapping[str, Counter[str]]) -> str:
    parts: list[str] = []
    for kind, counts in sorted(captures.items(), key=lambda item: -item[1].total()):
        cut = counts["truncated"]
        held = counts["captured"] + cut
        parts.append(f"{kind} {held:,} of {counts.total():,}" + (f" ({cut:,} cut)" if cut else ""))
    return ", ".join(parts)


def _about_turns(found: Examination) -> Iterator[Paragraph]:
    conversations = counted(found.conversations, "conversation")
    without = f", {found.incomplete:,} without an answer span" if found.incomplete else ""
    yield _row("Turns", f"{found.turns:,} in {conversations}{without}")
    yield _row("Services", _frequencies(found.services))
    yield _row("Ids from", _conversation_ids(found))


def _what_turns_tell(found: Examination, *, roomy: bool) -> Iterator[Paragraph]:
    """Yield how many of the turns, calls, chunks tell each fact, by the stage it is about."""
    told = {
        stage: [
            (name, *found.coverage[name])
            for name in names
            if name in found.coverage and (name != "tenant" or found.coverage[name][1].hits)
        ]
        for stage, names in STAGES.items()
    }
    rows = [row for rows in told.values() for row in rows]
    names, shares = _widths([(name, ratio) for name, _, ratio in rows], 17, roomy=roomy)
    gap = "  " if roomy else " "
    yield "", ""
    yield "", "What turns tell"
    for stage, rows in told.items():
        label = stage
        if rows and not roomy:
            yield " ", stage
        for name, unit, ratio in rows:
            lead = f"  {label:<12}" if roomy else "   "
            counts = f"of {counted(ratio.total, SINGULAR[unit])}{_more(found, name)}"
            yield f"{lead}{name:<{names}}{share(ratio):>{shares}}{gap}", counts
            label = ""


def _decidable(found: Examination, *, roomy: bool) -> Iterator[Paragraph]:
    names, shares = _widths(list(found.decidable.items()), 29, roomy=roomy)
    yield "", ""
    yield "", "Turns for which each question can be put"
    for name, ratio in found.decidable.items():
        counts = f"{ratio.hits:,.0f} of {ratio.total:,}"
        yield f"  {name:<{names}}{share(ratio):>{shares}}  ", counts


def _widths(rows: Sequence[tuple[str, Ratio]], names: int, *, roomy: bool) -> tuple[int, int]:
    """Return the cells for names and for shares: fixed ones, or as few as the rows take."""
    if roomy:
        return names, len("under 1 %")
    return (
        max((len(name) for name, _ in rows), default=0),
        max((len(share(ratio)) for _, ratio in rows), default=0) + 1,
    )


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


def _about_oddities(found: Examination) -> Iterator[Paragraph]:
    if found.gaps or found.flags or found.clocks.oddities or found.dropped_attributes:
        yield "", ""
    if found.gaps:
        yield _row("Not told", _frequencies(found.gaps))
    if found.flags:
        yield _row("Oddities", _frequencies(found.flags))
    for word in found.flags:
        if word in ODDITIES:
            yield "  ", f"{word}: {ODDITIES[word]}"
    if found.clocks.oddities:
        odd = found.clocks.oddities.most_common()
        told = ", ".join(f"{count:,} {OF_ONE[what] if count == 1 else what}" for what, count in odd)
        yield _row("Clocks", f"spans: {told}")
    for (caller, called), (calls, most) in list(found.clocks.worst_skews.items())[:_SHOWN_SKEWS]:
        pair = f"{safe_line(called)} runs up to {most:,.0f} ms before {safe_line(caller)}"
        yield "  ", f"{pair} calls it ({counted(calls, 'call')}): clocks differ"
    if found.dropped_attributes:
        spans = counted(found.dropping_spans, "span")
        yield _row(
            "Dropped",
            f"{counted(found.dropped_attributes, 'attribute')} by the recorder itself, of {spans}",
        )
    if found.full_spans:
        spans = counted(found.full_spans, "span")
        yield _row(
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


def _row(label: str, text: str) -> Paragraph:
    return f"{label:<{_LABEL}}", text
