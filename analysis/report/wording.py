"""The sentences and facts that several renderings share, as plain text.

What is not known is left out or said to be unknown. Names may come out of traces: every
rendering makes them safe in its own way.
"""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

from rich.cells import cell_len

from analysis.breakdown.headline import by_roots
from analysis.breakdown.model import (
    SMALL_HITS,
    SMALL_TOTAL,
    Breakdown,
    Change,
    Comparison,
    Dimension,
    MetricRow,
    Rate,
    ReasonCount,
    Segmentation,
)
from analysis.breakdown.selection import ROOT_FILTERS
from analysis.metrics.summary import Summary
from analysis.report.model import Report
from analysis.report.numbers import (
    NOTHING,
    SCORE_PLACES,
    count,
    counted,
    money,
    percent,
    percent_interval,
    points,
    score,
    score_interval,
    size,
)
from analysis.tables.run_info import RunInfo
from analysis.window import iso

MARKS: Final = {"up": "▲", "down": "▼", None: "·"}
SMALL_NOTE: Final = (
    f"~ fewer than {SMALL_HITS} failing turns, or fewer than {SMALL_TOTAL} judged: do not read "
    "much into it"
)


def facts(report: Report) -> Iterator[tuple[str, str]]:
    """Yield what was read, how, and by whom it was judged, as (label, text)."""
    info = report.info
    yield "Run", _run(info)
    yield "Window", window(info)
    yield from (("Selected", text) for text in _selection(info))
    if info.get("sources"):
        yield "Source", sources(info)
    yield "Read", _read(report)
    yield from (("Records", text) for text in _records(info))
    skipped = "; ".join(_skipped(info))
    if skipped:
        yield "Skipped", skipped
    yield "Judge", _judge(info)
    agreement = (info.get("judge") or {}).get("agreement")
    if agreement:
        yield "Agreement", agreement
    yield "Profile", _profile(info)
    if report.breakdown.filters:
        yield "Filter", filter_text(report.breakdown)
    if info.get("status") not in (None, "complete", "done", "ok"):
        yield "Status", str(info["status"])


def _run(info: RunInfo) -> str:
    parts = [info.get("run_id", ""), f"stagefault {info.get('tool_version', 'unknown version')}"]
    if info.get("created"):
        parts.append(moment(info["created"]))
    return " · ".join(parts)


def window(info: RunInfo) -> str:
    """Return the resolved window; `all turns` when it is open on both sides."""
    given = info.get("window") or {"since": None, "until": None}
    return window_text(given.get("since"), given.get("until"))


def window_text(since: str | None, until: str | None) -> str:
    """Return two ISO times as `2026-11-16 00:00 – 2026-11-23 00:00 UTC`; None is open."""
    if since and until:
        return f"{moment(since, zone=False)} – {moment(until)}"
    if since:
        return f"from {moment(since)}"
    return f"until {moment(until)}" if until else "all turns"


def moment(iso: str, *, zone: bool = True) -> str:
    """Return an ISO time as `2026-11-16 00:00 UTC`; what is no time comes back as it is."""
    try:
        time = datetime.fromisoformat(iso)
    except ValueError:
        return iso
    time = time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)
    return time.strftime("%Y-%m-%d %H:%M") + (" UTC" if zone else "")


def moments(times_ns: Iterable[int | None]) -> str:
    """Return from when to when some times go, in UTC; empty where none is told."""
    known = [time for time in times_ns if time is not None]
    if not known:
        return ""
    first, last = (moment(iso(time), zone=False) for time in (min(known), max(known)))
    return f"from {first} to {last} UTC" if first != last else f"at {first} UTC"


def sources(info: RunInfo) -> str:
    """Return the first source with the number and size of all."""
    files = info.get("sources") or []
    total = size(sum(file.get("bytes") or 0 for file in files))
    first = files[0]["path"]
    if len(files) == 1:
        return f"{first} ({total})"
    return f"{first} and {counted(len(files) - 1, 'more file')} ({total})"


def _selection(info: RunInfo) -> Iterator[str]:
    """Yield which turns of the window the run was asked to look at, unless it was all."""
    selection = info.get("selection")
    if selection is None:
        return
    parts = [f"{name}={','.join(values)}" for name, values in selection["filters"].items()]
    if selection["sample"] is not None:
        parts.append(f"sample of {selection['sample']}, seed {selection['seed']}")
    if selection["limit"] is not None:
        parts.append(f"at most {counted(selection['limit'], 'conversation')}")
    if selection["sample"] is not None or selection["limit"] is not None:
        done = info.get("conversations")
        parts.append(f"{count(done)} of {counted(selection['found'], 'conversation')}")
    if parts:
        yield " · ".join(parts)


def _read(report: Report) -> str:
    info, breakdown = report.info, report.breakdown
    parts = [counted(info["spans"], "span")] if "spans" in info else []
    parts.append(counted(info.get("conversations", breakdown.conversations), "conversation"))
    parts.append(counted(info.get("turns", breakdown.turns), "turn"))
    return ", ".join(parts)


def filter_text(breakdown: Breakdown) -> str:
    """Return the filters with what they leave: `stage=routing: 123 turns, 37 conversations`."""
    turns, conversations = breakdown.turns, breakdown.conversations
    left = f"{counted(turns, 'turn')} in {counted(conversations, 'conversation')}"
    if breakdown.roots:
        left += f"; only failures{by_roots(breakdown)} are shown"
    return f"{breakdown.filters}: {left}"


def _records(info: RunInfo) -> Iterator[str]:
    records = info.get("records")
    if records is None:
        return
    parts = [f"{count(records['read'])} read"]
    parts += [
        f"{count(records[outcome])} {outcome}"
        for outcome in ("loaded", "repaired", "duplicate", "rejected")
        if outcome == "loaded" or records[outcome]
    ]
    yield ", ".join(parts)


def _skipped(info: RunInfo) -> Iterator[str]:
    files = info.get("skipped_files") or []
    if files:
        first = files[0]
        more = f" and {counted(len(files) - 1, 'more file')}" if len(files) > 1 else ""
        yield f"{first.get('path', '')} ({first.get('reason', 'unknown reason')}){more}"
    passed_over = info.get("passed_over")
    if passed_over is not None:
        told = passed_over_told(passed_over["other_signals"], passed_over["empty"])
        if told:
            yield told


def passed_over_told(other_signals: int, empty: int) -> str:
    """Return what stood in the sources and is no record of a trace; empty for nothing."""
    parts = []
    if other_signals:
        parts.append(f"{counted(other_signals, 'request')} of metrics or profiles")
    if empty:
        documents = counted(empty, "request or document", "requests or documents")
        parts.append(f"{documents} without any record")
    return ", ".join(parts)


def _judge(info: RunInfo) -> str:
    judge = info.get("judge") or {}
    parts = [f"{judge.get('provider', 'unknown')}/{judge.get('model', 'unknown')}"]
    questions = info.get("questions")
    if questions:
        asked, known = questions["asked"], questions["from_store"]
        parts.append(counted(asked + known, "question"))
        if known:
            parts.append(f"{count(asked)} asked, {count(known)} needed no asking")
        if questions["unjudged"]:
            parts.append(f"{count(questions['unjudged'])} undecided")
    if "cost_usd" in info and info["cost_usd"] != 0:
        parts.append(money(info["cost_usd"]))
    return " · ".join(parts)


def _profile(info: RunInfo) -> str:
    profile = info.get("profile") or {}
    name = str(profile.get("name", "default"))
    if profile.get("tuned"):
        return name
    return f"{name}, untuned: its limits are defaults, not fitted to labels of yours"


def failed_text(breakdown: Breakdown) -> str:
    """Return the failed rate with its interval and what of it is inherited."""
    failed = breakdown.failed
    text = f"Failed{by_roots(breakdown)} {rate_text(failed)}"
    if breakdown.inherited:
        repeat = "repeats" if breakdown.inherited == 1 else "repeat"
        text += (
            f"; {count(breakdown.inherited)} of them {repeat} a failing claim of an earlier turn"
        )
    if breakdown.comparison:
        text += f"; {change_text(breakdown.comparison.failed)}"
    if breakdown.failed_otherwise:
        text += f". {counted(breakdown.failed_otherwise, 'other turn')} failed otherwise"
    return text + "."


def not_judged_text(breakdown: Breakdown) -> str:
    """Return how many turns were not judged and why; empty when all were."""
    total = sum(row.turns for row in breakdown.not_judged)
    if not total:
        return ""
    was = "turn was" if total == 1 else "turns were"
    return f"{count(total)} {was} not judged: {reasons_text(breakdown.not_judged)}."


def reasons_text(reasons: Iterable[ReasonCount]) -> str:
    """Return `118 not_captured, 43 template_answer`."""
    return ", ".join(f"{count(row.turns)} {row.reason}" for row in reasons)


def notes_text(breakdown: Breakdown) -> str:
    """Return what could not be looked at in turns that passed; empty when all could."""
    notes = [(row.turns, row.reason) for row in breakdown.notes]
    return f"Passed, but: {_tally(notes)}." if notes else ""


def latent_text(breakdown: Breakdown) -> str:
    """Return which faults did no harm, and in how many turns; empty without any."""
    faults = [(row.turns, row.kind) for row in breakdown.latent]
    return f"Latent faults, which did no harm: {_tally(faults)}." if faults else ""


def beside_text(breakdown: Breakdown) -> str:
    """Return which faults stood beside a root, by their role; empty without any."""
    by_role: dict[str, list[tuple[int, str]]] = {}
    for row in breakdown.beside:
        by_role.setdefault(row.role, []).append((row.turns, row.kind))
    parts = [f"{role} {_tally(faults)}" for role, faults in by_role.items()]
    return f"Faults beside a root: {'; '.join(parts)}." if parts else ""


def _tally(counts: Sequence[tuple[int, str]]) -> str:
    """Return `3 turns wrong_agent, 1 wrong_collection`."""
    (first, name), *others = counts
    return ", ".join(
        [f"{counted(first, 'turn')} {name}", *(f"{count(turns)} {word}" for turns, word in others)]
    )


def rate_text(rate: Rate) -> str:
    """Return `7.1 % (6.7–7.5)`, `n/a (0 of 0)` when there is nothing to count."""
    if rate.value is None:
        return NOTHING
    return f"{percent(rate.value)} ({percent_interval(rate.low, rate.high)})"


def change_text(change: Change) -> str:
    """Return a change in words: `+0.37 points (0.12 to 0.62), was 3.0 %`."""
    if change.difference is None:
        return "was n/a"
    if change.clear is None:
        return f"was {percent(change.before.value)}, no clear change"
    return (
        f"was {percent(change.before.value)}, {MARKS[change.clear]} "
        f"{points(change.difference)} points"
    )


def change_cell(change: Change | None) -> str:
    """Return a change as a cell: `▲ +0.37`, `· −0.17`; empty when nothing is compared."""
    if change is None:
        return ""
    if change.difference is None:
        return "n/a"
    return f"{MARKS[change.clear]} {points(change.difference)}"


def metric_value(row: MetricRow, places: int | None = None) -> str:
    """Return the value of a metric in its unit; `n/a` when it is undefined.

    Args:
        row: A metric.
        places: Decimals; None takes as many as are usual for its unit.
    """
    return _value(row, row.summary.value, places)


def metric_interval(row: MetricRow, places: int | None = None) -> str:
    """Return the 95 % bounds of a metric, empty without any."""
    low, high = row.summary.low, row.summary.high
    if low is None or high is None:
        return ""
    if row.unit != "share":
        return f"{_value(row, low, places)}–{_value(row, high, places)}"
    if row.kind == "rate":
        return percent_interval(low, high, places)
    return score_interval(low, high, SCORE_PLACES if places is None else places)


def _value(row: MetricRow, value: float | None, places: int | None) -> str:
    if value is None:
        return "n/a"
    if row.unit != "share":
        return f"{value:,.{places or 0}f}"
    if row.kind == "rate":
        return percent(value, places)
    return score(value, SCORE_PLACES if places is None else places)


def metric_base(row: MetricRow, *, short: bool = False) -> str:
    """Return what the value was computed of: `15,707 of 15,904 calls`, `12,400 turns`.

    Args:
        row: A metric.
        short: `15,904 calls`, where there is no room for more.
    """
    summary: Summary = row.summary
    if row.kind != "rate":
        return counted(summary.turns, "turn")
    total = counted(summary.total, row.counts) if row.counts else count(summary.total)
    return total if short else f"{_counted_hits(summary.hits)} of {total}"


def uncounted_text(row: MetricRow) -> str:
    """Return in how many more turns the fault is that a metric counts; empty when in none.

    Root causes rest on probes and on earlier turns too, a metric on its own verdict alone.
    """
    if not row.uncounted:
        return ""
    more = counted(row.uncounted, "more turn")
    has = "has" if row.uncounted == 1 else "have"
    return (
        f"{row.metric} counts the judge's verdict on routing alone: {more} {has} the fault "
        f"{row.fault} by a probe, or from an earlier turn"
    )


def lists_text(row: MetricRow) -> str:
    """Return how long the ranked lists behind a metric were; empty without any."""
    length = row.summary.median_length
    return "" if length is None else f"half of the lists hold {length:g} or fewer"


def _counted_hits(hits: float) -> str:
    return count(int(hits)) if hits == int(hits) else f"{hits:,.1f}"


def undefined_text(summary: Summary, most: int | None = None) -> str:
    """Return why turns have no value: `120 no_tool_called, 3 uncertain`.

    Args:
        summary: A metric over many turns.
        most: Reasons to name; the rest is counted. None names all.
    """
    reasons = list(summary.undefined.items())
    shown = reasons if most is None else reasons[:most]
    text = ", ".join(f"{count(number)} {reason}" for reason, number in shown)
    rest = sum(number for _, number in reasons[len(shown) :])
    return f"{text}, {count(rest)} other" if rest else text


def top_kinds(breakdown: Breakdown, most: int = 3) -> Sequence[tuple[str, str, int]]:
    """Return the most frequent determined root kinds as (stage, kind, turns)."""
    found = [
        (row.stage, kind.kind, kind.rate.hits)
        for row in breakdown.stages
        if row.stage != "undetermined"
        for kind in row.kinds
    ]
    return sorted(found, key=lambda item: -item[2])[:most]


def hint(report: Report, kind: str) -> Sequence[str]:
    """Return the command line that lists the failing turns of a root kind that count here.

    In parts that belong together, each quoted for a shell.
    """
    choices = report.selected.choices
    others = {name: one for name, one in choices.items() if name not in ROOT_FILTERS}
    named = report.words or ("--run", report.info.get("run_id", "latest"))
    options = [
        ("--kind", kind),
        *((f"--{name}", ",".join(choice.typed)) for name, choice in others.items()),
        *((f"--{name}", bound) for name, bound in report.selected.bounds.items()),
    ]
    return ["stagefault show --failed", *map(shlex.join, options), *named_run(named)]


def named_run(words: Sequence[str]) -> list[str]:
    """Return the options that name a run, each with its value, quoted for a shell."""
    return [shlex.join(pair) for pair in zip(words[::2], words[1::2], strict=True)]


def command_lines(words: Sequence[str], width: int) -> Iterator[str]:
    """Yield a command line in as many lines as it takes; a shell reads them as one."""
    current = f"  {words[0]}"
    for word in words[1:]:
        if cell_len(f"{current} {word} \\") > width:
            yield f"{current} \\"
            current = f"    {word}"
        else:
            current = f"{current} {word}"
    yield current


def compared_text(comparison: Comparison) -> str:
    """Return how many rates were compared, and how many of them changed."""
    if not comparison.cells_compared:
        return "Only the rates above stand side by side."
    return (
        f"{counted(comparison.cells_compared, 'rate')} compared; "
        f"{counted(len(comparison.changed), 'change')} at a false discovery rate of 5 %."
    )


def overlap_text(by: Dimension) -> str:
    """Return why the columns of a cut add up to more than all turns; empty where they do not."""
    counted_in = {
        "collection": "every collection that it searched or should have searched",
        "tool": "every tool that it called",
    }.get(by)
    return f"A turn counts in {counted_in}: the columns may add up to more." if counted_in else ""


def segment_name(name: str | None) -> str:
    """Return the name of a segment, in words where the trace does not tell."""
    return "(not told)" if name is None else name


def unit_text(cut: Segmentation) -> str:
    """Return what the cells of a cut are: `%`, or `turns` where none has enough for a rate."""
    return "turns" if cut.few else "%"


def few_text(cut: Segmentation) -> str:
    """Return why the cells of a cut are counts and no rates; empty where they are rates."""
    if not cut.few:
        return ""
    return f"Failing turns, not rates: no {cut.by} has {SMALL_TOTAL} judged turns."


def cell_text(cut: Segmentation, rate: Rate) -> str:
    """Return a rate as a cell of a grid: `1.2`, marked `~` when it is small; `–` for 0 of 0.

    Where no segment of the cut has turns enough for a rate, the failing turns instead: `3`.
    """
    if rate.value is None:
        return "–"
    if not rate.hits or cut.few:
        return count(rate.hits)
    shown = percent(rate.value).removesuffix(" %")
    return f"{shown}~" if rate.small else shown


def joined(words: Sequence[str], conjunction: str = "and") -> str:
    """Return `a, b and c`."""
    if len(words) < 2:  # noqa: PLR2004 - one word needs no conjunction
        return "".join(words)
    return f"{', '.join(words[:-1])} {conjunction} {words[-1]}"
