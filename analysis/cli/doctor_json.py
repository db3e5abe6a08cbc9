"""What `doctor --json` prints."""

from typing import Any

from analysis.diagnosis.examination import Examination
from analysis.diagnosis.meanings import MEANINGS
from analysis.diagnosis.next_steps import next_steps
from analysis.reading import Read
from analysis.tables.run_info import records_info
from analysis.tables.verdict_rows import loss_rows


def as_json(found: Examination, read: Read) -> dict[str, Any]:
    """Return all that was counted as one object."""
    return {
        "schema_version": 1,
        "sources": [
            {
                "path": one.path,
                "bytes": one.bytes,
                "format": one.format,
                "container": one.container,
                "passed_over": one.passed_over,
                "empty": one.empty,
            }
            for one in read.sources
        ],
        "skipped_files": [
            {"path": one.path, "reason": one.reason, "hint": one.hint} for one in read.skipped_files
        ],
        "records": records_info(read.counts),
        "log_records": {
            "read": read.logs,
            "of_no_span": read.orphan_logs,
            "made_into_spans": read.made_spans,
        },
        "losses": list(loss_rows(read.losses)),
        "meanings": {
            word: MEANINGS[word]
            for word in sorted({loss.reason for loss in read.losses} | found.flags.keys())
            if word in MEANINGS
        },
        "spans": found.spans,
        "traces": found.traces,
        "kinds": dict(found.kinds),
        "model_calls": found.model_calls,
        "conventions": dict(found.conventions),
        "conversations": found.conversations,
        "turns": found.turns,
        "incomplete": found.incomplete,
        "services": dict(found.services),
        "conversation_ids": {
            "told": dict(found.conversation_keys),
            "inferred": found.conversation_inferred,
        },
        "content": {
            "state": found.content,
            "kinds": {kind: dict(counts) for kind, counts in found.captures.items()},
        },
        "coverage": {
            name: {"unit": unit, "told": ratio.hits, "of": ratio.total}
            for name, (unit, ratio) in found.coverage.items()
        },
        "decidable": {
            name: {"turns": ratio.hits, "of": ratio.total}
            for name, ratio in found.decidable.items()
        },
        "gaps": dict(found.gaps),
        "flags": dict(found.flags),
        "clocks": {
            "oddities": dict(found.clocks.oddities),
            "skews": [
                {"from": caller, "to": called, "calls": calls, "most_ms": most}
                for (caller, called), (calls, most) in found.clocks.worst_skews.items()
            ],
        },
        "dropped_attributes": found.dropped_attributes,
        "dropping_spans": found.dropping_spans,
        "full_spans": found.full_spans,
        "advice": list(next_steps(found, read)),
    }
