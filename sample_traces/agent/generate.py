"""Runs every script and writes traces, answers, truth and the README's table."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from opentelemetry.sdk.trace import ReadableSpan

from sample_traces.agent.agents import SERVICES
from sample_traces.agent.answers import answer_line
from sample_traces.agent.assistant import Assistant, TurnRecord
from sample_traces.agent.corpus import read_corpus
from sample_traces.agent.files import write_traces
from sample_traces.agent.genai import GenAiRecorder
from sample_traces.agent.openinference import OpenInferenceRecorder
from sample_traces.agent.readme import with_table
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


def generate(folder: Path) -> list[Path]:
    """Write everything into *folder* and return the paths.

    The same scripts give the same bytes.
    """
    conversations = read_scripts()
    corpus = read_corpus()
    records: list[TurnRecord] = []
    paths: list[Path] = []
    for service in SERVICES:
        recorder = _RECORDERS[service.name](service)
        assistant = Assistant(service, corpus, Database(), recorder)
        for conversation in conversations:
            if conversation.service == service.name:
                records += assistant.converse(conversation)
        for name, spans in _by_file(service.name, recorder.finished_spans()).items():
            paths.append(folder / name)
            write_traces(paths[-1], spans)
    lines = {
        "answers.jsonl": [answer_line(record, corpus) for record in records],
        "truth.jsonl": [line for each in _by_service(conversations) for line in truth_lines(each)],
    }
    for name, objects in lines.items():
        paths.append(folder / name)
        paths[-1].write_text("".join(map(_line, objects)), "utf-8")
    readme = folder / "README.md"
    if readme.exists():
        paths.append(readme)
        readme.write_text(
            with_table(readme.read_text("utf-8"), _by_service(conversations)), "utf-8"
        )
    return paths


def _by_service(conversations: Iterable[Conversation]) -> list[Conversation]:
    order = [service.name for service in SERVICES]
    return sorted(conversations, key=lambda conversation: order.index(conversation.service))


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


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"
