"""`run.json`: what a run read, who judged it, and what came out, without any table.

A folder is a run once this file stands in it; it is written last.
"""

import json
from pathlib import Path
from typing import Any, TypedDict, cast

import msgspec

from analysis.tables.schemas import SCHEMA_VERSION
from ingest.errors import StoreError
from ingest.losses import RecordCounts

RUN_FILE = "run.json"
_DELETE = "Delete the folder and replay; stored verdicts are kept."


class WindowInfo(TypedDict):
    """The half-open window `[since, until)` by start of the turn, ISO 8601 in UTC."""

    since: str | None
    until: str | None


class SelectionInfo(TypedDict):
    """Which turns of the window the run was asked to look at."""

    filters: dict[str, list[str]]
    """Values by filter, as typed: `!value` leaves out."""
    sample: str | None
    """A number of conversations or a share such as `5%`; null: all."""
    limit: int | None
    seed: int | None
    """Of the sample; null without one."""
    found: int
    """Conversations with a turn in the window that passes the filters, before any sample."""


class SourceInfo(TypedDict):
    """One input file."""

    path: str
    bytes: int
    sha256: str


class JudgeInfo(TypedDict, total=False):
    """Who judged."""

    provider: str
    model: str
    prompts: dict[str, str]
    """Prompt version by question."""
    params: dict[str, str]
    agreement: str
    """Measured agreement of this judge with people, as reports print it."""


class RecordsInfo(TypedDict):
    """The outcome ledger: read = loaded + repaired + duplicate + rejected."""

    read: int
    loaded: int
    repaired: int
    duplicate: int
    rejected: int


class PassedOverInfo(TypedDict):
    """What stood in the sources, whole, and is no record of a trace."""

    other_signals: int
    """Requests of metrics or profiles."""
    empty: int
    """Requests, documents and groups of spans that hold no record."""


class ConfigInfo(TypedDict):
    """The configuration file of the run; null without one."""

    file: str | None
    sha256: str | None
    mapping: str | None
    """SHA-256 of what its `[mapping]` says; null without one."""


class OutcomesInfo(TypedDict):
    """Turns by outcome."""

    passed: int
    failed: int
    not_judged: int


class RateInfo(TypedDict):
    """A share with its 95 % interval; value and bounds are null for 0 of 0."""

    value: float | None
    low: float | None
    high: float | None
    hits: int
    n: int


class QuestionsInfo(TypedDict):
    """Questions of the run."""

    asked: int
    from_store: int
    unjudged: int


class RunInfo(TypedDict, total=False):
    """The content of `run.json`."""

    schema_version: int
    tool_version: str
    run_id: str
    created: str
    """ISO 8601 in UTC."""
    window: WindowInfo
    selection: SelectionInfo
    sources: list[SourceInfo]
    skipped_files: list[dict[str, str]]
    """Files below a source that were not read: `path` and `reason`."""
    judge: JudgeInfo
    embeddings: str | None
    profile: dict[str, Any]
    """Name, fingerprint and values; `tuned` is false for untuned defaults."""
    config: ConfigInfo
    limits: dict[str, int]
    """Bounds on what was read, by name."""
    records: RecordsInfo
    passed_over: PassedOverInfo
    spans: int
    traces: int
    conversations: int
    turns: int
    outcomes: OutcomesInfo
    root_stages: dict[str, int]
    """Failed turns by root stage, `undetermined` among them."""
    rates: dict[str, RateInfo]
    """Share of the judged turns: `failed` and every root stage."""
    questions: QuestionsInfo
    flagged: int
    """Verdicts whose texts address their judge, or hide words from readers."""
    tokens: dict[str, int]
    cost_usd: float | None
    versions: dict[str, str]
    timings: dict[str, float]
    """Seconds by step."""
    status: str


def records_info(counts: RecordCounts) -> RecordsInfo:
    """Return how many records ended in which outcome, for `run.json` and `doctor --json`."""
    return {
        "read": counts.read,
        "loaded": counts.loaded,
        "repaired": counts.repaired,
        "duplicate": counts.duplicate,
        "rejected": counts.rejected,
    }


def read_run_info(folder: Path) -> RunInfo:
    """Return the `run.json` of a folder.

    Raises:
        StoreError: It cannot be read, is damaged, or was written by a newer version.
    """
    path = folder / RUN_FILE
    try:
        content = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise StoreError(
            str(path), f"cannot be read ({error.strerror})", "Check its permissions and the disk."
        ) from None
    except (ValueError, RecursionError):
        raise StoreError(str(path), "is damaged (no JSON)", _DELETE) from None
    if not isinstance(content, dict) or "schema_version" not in content:
        raise StoreError(str(path), "is no run of stagefault", "Name the folder of a run.")
    version = content["schema_version"]
    if not isinstance(version, int) or not isinstance(content.get("run_id"), str):
        raise StoreError(str(path), "is no run of stagefault", "Name the folder of a run.")
    if version > SCHEMA_VERSION:
        raise StoreError(
            str(path),
            f"has schema version {version}, this program reads up to {SCHEMA_VERSION}",
            "Update stagefault.",
        )
    try:
        msgspec.convert(content, RunInfo)  # checks only: what a later version adds is kept
    except msgspec.ValidationError as error:
        raise StoreError(str(path), f"is damaged ({error})", _DELETE) from None
    return cast("RunInfo", content)


def run_info_text(info: RunInfo) -> str:
    """Return the content of the file."""
    return json.dumps(info, ensure_ascii=False, indent=2, allow_nan=False) + "\n"
