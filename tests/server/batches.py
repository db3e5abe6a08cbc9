"""Message Batches as the service keeps them."""

import json
import random
import secrets
import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from tests.server.messages import Maker, error_body
from tests.server.scripts import BatchScript

_COUNTED = ("processing", "succeeded", "errored", "canceled", "expired")


@dataclass(slots=True, kw_only=True)
class Batch:
    """One batch."""

    id: str
    requests: Sequence[Mapping[str, Any]]
    created_at: datetime
    looks: int = 0
    canceled: bool = False
    results: list[dict[str, Any]] | None = None
    """None until it has ended."""


@dataclass
class Batches:
    """All batches of the service, in the order in which they were made."""

    maker: Maker
    script: BatchScript
    url: str = ""
    made: dict[str, Batch] = field(default_factory=dict)
    downloads: int = 0
    lock: threading.RLock = field(default_factory=threading.RLock)

    def create(self, requests: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """Take in a batch and return it as the service shows it."""
        with self.lock:
            batch = Batch(
                id=f"msgbatch_{secrets.token_hex(8)}",
                requests=requests,
                created_at=datetime.now(UTC),
            )
            self.made[batch.id] = batch
            return self._shown(batch)

    def look(self, batch_id: str) -> Mapping[str, Any] | None:
        """Return a batch as it stands; it ends after enough looks. None: there is none."""
        with self.lock:
            batch = self.made.get(batch_id)
            if batch is None:
                return None
            batch.looks += 1
            if batch.results is None and batch.looks > self.script.polls:
                self._end(batch)
            return self._shown(batch)

    def cancel(self, batch_id: str) -> Mapping[str, Any] | None:
        """End a batch whose items were not worked on."""
        with self.lock:
            batch = self.made.get(batch_id)
            if batch is None:
                return None
            if batch.results is None:
                batch.canceled = True
                self._end(batch)
            return self._shown(batch)

    def listed(self, limit: int, after_id: str | None) -> Mapping[str, Any]:
        """Return a page of batches, newest first."""
        with self.lock:
            ids = list(self.made)[::-1]
            start = ids.index(after_id) + 1 if after_id in ids else 0
            page = ids[start : start + limit]
            return {
                "data": [self._shown(self.made[one]) for one in page],
                "has_more": start + limit < len(ids),
                "first_id": page[0] if page else None,
                "last_id": page[-1] if page else None,
            }

    def results(self, batch_id: str) -> bytes | None:
        """Return the results file of a batch that has ended."""
        with self.lock:
            batch = self.made.get(batch_id)
            if batch is None or batch.results is None:
                return None
            lines = [json.dumps(result).encode() for result in batch.results]
            number, self.downloads = self.downloads, self.downloads + 1
            if number < len(self.script.downloads):
                return self.script.downloads[number](lines)
            return b"".join(line + b"\n" for line in lines)

    def _end(self, batch: Batch) -> None:
        batch.results = [self._result(item, canceled=batch.canceled) for item in batch.requests]
        if self.script.shuffled:
            random.Random(len(batch.requests)).shuffle(batch.results)

    def _result(self, item: Mapping[str, Any], *, canceled: bool) -> dict[str, Any]:
        custom_id, params = item["custom_id"], item["params"]
        if canceled:
            return {"custom_id": custom_id, "result": {"type": "canceled"}}
        step = self.maker.step(params)
        if step.outcome == "succeeded" and step.status >= 400:
            step = replace(step, outcome="errored")
        result: dict[str, Any] = {"type": step.outcome}
        if step.outcome == "succeeded":
            made = self.maker.make(params, step, "batch", custom_id)
            result["message"] = made.message
        elif step.outcome == "errored":
            result["error"] = error_body(step)
        return {"custom_id": custom_id, "result": result}

    def _shown(self, batch: Batch) -> Mapping[str, Any]:
        ended = batch.results is not None
        counts = Counter(result["result"]["type"] for result in batch.results or ())
        if not ended:
            counts["processing"] = len(batch.requests)
        shown = {name: counts[name] for name in _COUNTED}
        if ended and self.script.counts is not None:
            shown.update(self.script.counts)
        stamp = batch.created_at.isoformat()
        return {
            "id": batch.id,
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "request_counts": shown,
            "created_at": stamp,
            "expires_at": (batch.created_at + timedelta(hours=24)).isoformat(),
            "ended_at": stamp if ended else None,
            "archived_at": None,
            "cancel_initiated_at": stamp if batch.canceled else None,
            "results_url": f"{self.url}/v1/messages/batches/{batch.id}/results" if ended else None,
        }
