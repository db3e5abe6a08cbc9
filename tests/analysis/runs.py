"""Runs on disk for tests: rows as a test needs them, everything else filled in."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from analysis.tables.run_info import RunInfo
from analysis.tables.turn_rows import Row
from analysis.tables.writer import RunWriter
from tests.builders import at

DAY_S = 86_400


def turn_row(
    turn_id: str, outcome: str = "passed", root: str = "", *, day: float | None = 0, **cells: Any
) -> Row:
    """Build a row of `turns`; *root* is `stage.kind`, or `undetermined.what is missing`."""
    conversation_id, _, turn = turn_id.rpartition("/")
    stage, _, kind = root.partition(".")
    undetermined = stage == "undetermined"
    row: Row = {
        "conversation_id": conversation_id,
        "turn_id": turn_id,
        "turn": int(turn),
        "outcome": "failed" if root else outcome,
        "root_stage": stage or None,
        "root_kind": None if undetermined else kind or None,
        "missing": [kind] if undetermined else [],
        "agent": "billing",
        "service": "desk",
        "model": "m-1",
        "language": "en",
        "collections": ["faq"],
        "found_collections": [],
        "tools": [],
        "started_at": None if day is None else at(DAY_S * day),
        "sentence": f"{stage.capitalize()}: {kind}." if root else None,
        "question": "How long may I return shoes?",
        "answer": "30 days.",
        "complete": True,
        "causes": "[]",
    }
    return row | cells


def finding(turn_id: str, root: str, role: str = "root") -> Row:
    """Build a row of `findings`."""
    stage, _, kind = root.partition(".")
    return {
        "turn_id": turn_id,
        "stage": stage,
        "kind": kind,
        "role": role,
        "explanation": "so",
        "evidence": [],
    }


def metric(turn_id: str, name: str, hits: float = 0, total: int = 0, **cells: Any) -> Row:
    """Build a row of `metrics`; without counts it is undefined."""
    row: Row = {
        "turn_id": turn_id,
        "stage": "routing",
        "metric": name,
        "value": hits / total if total else None,
        "hits": float(hits),
        "total": total,
        "reason": None if total else "no_tool_called",
        "unit": "share",
        "lengths": [],
    }
    return row | cells


def write_run(
    store: Path,
    run_id: str = "r-1",
    *,
    turns: Iterable[Row] = (),
    findings: Iterable[Row] = (),
    metrics: Iterable[Row] = (),
    info: RunInfo | None = None,
    **tables: Iterable[Row],
) -> Path:
    """Write a run into a store and return its folder."""
    given: RunInfo = {
        "schema_version": 1,
        "run_id": run_id,
        "tool_version": "0.1.0",
        "created": "2026-01-10T00:00:00Z",
        "window": {"since": "2026-01-01T00:00:00Z", "until": "2026-01-08T00:00:00Z"},
        "judge": {
            "provider": "local",
            "model": "local-1",
            "prompts": {"answer": "answer/1"},
            "params": {},
        },
        "profile": {"name": "default", "tuned": False},
        "status": "complete",
    }
    with RunWriter(store / "runs" / run_id) as run:
        run.add({"turns": turns, "findings": findings, "metrics": metrics, **tables})  # type: ignore[dict-item]  # names of tables
        return run.close(given | (info or {}))
