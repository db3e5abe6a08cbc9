"""Labelled sets: traces, and what people said is wrong at which of their spans."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from bench.localize.trajectories import otlp_line, span_of
from ingest.errors import UsageError


class Label(NamedTuple):
    """One error at one place."""

    trace: str
    span: str
    category: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledSet:
    """The traces of one set and everything that people found in them."""

    name: str
    sources: tuple[Path, ...]
    """What `replay` reads."""
    labels: frozenset[Label]
    calls: Mapping[str, tuple[str, ...]]
    """Span ids of the model calls, by trace: what a trivial method would name."""


def read_trail(folder: Path, scratch: Path) -> LabelledSet:
    """Read a folder of traces and labels in the form of TRAIL.

        traces/<id>.json   {"trace_id", "spans": [{"span_id", "span_attributes", "child_spans"}]}
        labels/<id>.json   {"trace_id", "errors": [{"location": span id, "category"}]}

    Args:
        folder: Holds both.
        scratch: Not used: the traces are read as they are.

    Raises:
        UsageError: A file is not in the form.
    """
    del scratch
    labels, calls, sources = set(), {}, []
    for path in sorted((folder / "labels").glob("*.json")):
        trace_path = folder / "traces" / path.name
        try:
            told, trace = (json.loads(one.read_text("utf-8")) for one in (path, trace_path))
            name = trace["trace_id"]
            labels |= {Label(name, one["location"], one["category"]) for one in told["errors"]}
            calls[name] = tuple(
                span["span_id"]
                for root in trace["spans"]
                for span in _walk(root)
                if span["span_attributes"].get("openinference.span.kind") == "LLM"
            )
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise UsageError(str(path), f"not labels of a trace ({error!r})") from None
        sources.append(trace_path)
    return LabelledSet(name="trail", sources=tuple(sources), labels=frozenset(labels), calls=calls)


def _walk(span: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield span
    for child in span["child_spans"]:
        yield from _walk(child)


def read_agentrx(folder: Path, scratch: Path) -> LabelledSet:
    """Read a folder of trajectories and labels in the form of AgentRx.

        tau_dataset_failed.json   [{"task_id", "traj": [message]}]
        tau_ground_truth.json     [{"trajectory_id",
                                    "failures": [{"step_number", "failure_category"}]}]

    A step is a message, counted from 1; it becomes a span whose id is its number. What a
    person did wrong (`failed_agent` User) stays among the labels: no finding names it.

    Args:
        folder: Holds both files.
        scratch: Takes the trajectories as traces.

    Raises:
        UsageError: A file is not in the form.
    """
    try:
        names = ("tau_dataset_failed.json", "tau_ground_truth.json")
        rows, told = (json.loads((folder / name).read_text("utf-8")) for name in names)
        trajectories = {row["task_id"]: row["traj"] for row in rows}
        labels = frozenset(
            Label(_name(one["trajectory_id"]), span_of(int(step)), failure["failure_category"])
            for one in told
            for failure in one["failures"]
            if (step := failure["step_number"]) is not None
        )
        wanted = [one["trajectory_id"] for one in told]
        lines = [otlp_line(_name(one), trajectories[one]) for one in wanted]
        calls = {
            _name(one): tuple(
                span_of(step)
                for step, message in enumerate(trajectories[one], start=1)
                if message["role"] == "assistant"
            )
            for one in wanted
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(str(folder), f"not labelled trajectories ({error!r})") from None
    path = scratch / "trajectories.jsonl"
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return LabelledSet(name="agentrx", sources=(path,), labels=labels, calls=calls)


def _name(trajectory: int) -> str:
    return f"trajectory-{trajectory}"


READERS: Final[Mapping[str, tuple[str, Callable[[Path, Path], LabelledSet]]]] = {
    "trail": ("trail_gaia", read_trail),
    "agentrx": ("agentrx_tau_retail", read_agentrx),
}
"""By name of the set: its folder and what reads it."""
