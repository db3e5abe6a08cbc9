"""Runs every script and writes traces, answers, truth and the README's table."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from opentelemetry.sdk.trace import ReadableSpan

from sample_traces.agent.agents import SERVICES
from sample_traces.agent.answers import answer_line
from sample_traces.agent.assistant import Assistant
from sample_traces.agent.corpus import Corpus, read_corpus
from sample_traces.agent.files import write_lines, write_traces
from sample_traces.agent.genai import GenAiRecorder
from sample_traces.agent.openinference import OpenInferenceRecorder
from sample_traces.agent.readme import with_table
from sample_traces.agent.records import TurnRecord
from sample_traces.agent.script import Conversation, read_scripts
from sample_traces.agent.telemetry import Recorder
from sample_traces.agent.tools import Database
from sample_traces.agent.truth import truth_lines

_NS_PER_DAY = 86_400 * 1_000_000_000
_MONDAY = 20_773
"""Days from the Unix epoch to 2026-11-16, on which the week begins."""
_RECORDERS: Mapping[str, type[Recorder]] = {
    "service-desk": GenAiRecorder,
    "people-desk": OpenInferenceRecorder,
}
_FILES = {
    "service-desk": (("mon-wed.jsonl", 3), ("thu-fri.binpb", 5), ("weekend.jsonl.zst", 7)),
    "people-desk": (("mon-tue.jsonl.zst", 2), ("wed-fri.jsonl", 5), ("weekend.binpb", 7)),
}
"""By service: files of the week and the day, counted from 0, before which each ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Week:
    """Everything that was recorded."""

    conversations: tuple[Conversation, ...]
    records: tuple[TurnRecord, ...]
    """One per turn, in the order of `conversations`."""
    spans: Mapping[str, Sequence[ReadableSpan]]
    """By file name, in the order in which they ended."""


def record_week(corpus: Corpus) -> Week:
    """Run every script, one service after the other, each in order of time."""
    order = [service.name for service in SERVICES]
    conversations = sorted(read_scripts(), key=lambda each: order.index(each.service))
    records: list[TurnRecord] = []
    spans: dict[str, list[ReadableSpan]] = {}
    for service in SERVICES:
        recorder = _RECORDERS[service.name](service)
        assistant = Assistant(service, corpus, Database(), recorder)
        for conversation in conversations:
            if conversation.service == service.name:
                records += assistant.converse(conversation)
        spans |= _by_file(service.name, recorder.finished_spans())
    return Week(conversations=tuple(conversations), records=tuple(records), spans=spans)


def generate(folder: Path) -> list[Path]:
    """Write everything into *folder* and return the paths.

    The same scripts give the same bytes. A README that is there gets its table anew.
    """
    corpus = read_corpus()
    week = record_week(corpus)
    for name, spans in week.spans.items():
        write_traces(folder / name, spans)
    truth = chain.from_iterable(map(truth_lines, week.conversations))
    write_lines(folder / "truth.jsonl", truth)
    write_lines(folder / "answers.jsonl", (answer_line(r, corpus) for r in week.records))
    names = [*week.spans, "truth.jsonl", "answers.jsonl"]
    readme = folder / "README.md"
    if readme.exists():
        names.append(readme.name)
        readme.write_text(with_table(readme.read_text("utf-8"), week.conversations), "utf-8")
    return [folder / name for name in names]


def _by_file(service: str, spans: Iterable[ReadableSpan]) -> dict[str, list[ReadableSpan]]:
    """Sort the spans into the files of their service, a trace into the file of its first day."""
    first_ns: dict[int, int] = {}
    spans = list(spans)
    for span in spans:
        start_ns = span.start_time or 0
        trace = span.context.trace_id
        first_ns[trace] = min(first_ns.get(trace, start_ns), start_ns)
    files: defaultdict[str, list[ReadableSpan]] = defaultdict(list)
    for span in spans:
        day = first_ns[span.context.trace_id] // _NS_PER_DAY - _MONDAY
        name = next(name for name, end in _FILES[service] if day < end)
        files[f"{service}-{name}"].append(span)
    return dict(files)
