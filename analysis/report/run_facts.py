"""The facts of a run as plain text: what was read, how, and by whom it was judged.

What is not known is left out or said to be unknown. Names may come out of traces: every
rendering makes them safe in its own way.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from analysis.breakdown.headline import by_roots
from analysis.breakdown.model import Breakdown
from analysis.report.model import Report
from analysis.report.numbers import count, counted, money, size
from analysis.tables.run_info import RunInfo
from analysis.window import iso


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
