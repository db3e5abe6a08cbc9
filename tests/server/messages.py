"""Messages as the service makes them, with the tokens that it charges for."""

import hashlib
import json
import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from tests.server.answers import made_up
from tests.server.bill import Bill, Charge
from tests.server.scripts import Script, Step


def tokens_of(value: Any) -> int:
    """Return how many tokens a value has for this service: a quarter of its JSON text."""
    return max(1, len(json.dumps(value, ensure_ascii=False)) // 4)


def prompt_hash(params: Mapping[str, Any]) -> str:
    """Return what tells prompts apart: what is asked, not how much room a reply has."""
    asked = [params.get("system"), params.get("messages"), params.get("output_config")]
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Made:
    """A message that was made, or not."""

    step: Step
    message: Mapping[str, Any] | None


class Maker:
    """Asks the script what to do, makes messages, and charges for them."""

    def __init__(self, script: Script, bill: Bill, *, caches: bool) -> None:
        self.script = script
        self._bill = bill
        self._caches = caches
        self._lock = threading.Lock()
        self._asked: Counter[str] = Counter()
        self._cached: set[str] = set()
        self._numbers = 0

    def step(self, params: Mapping[str, Any]) -> Step:
        """Return what the script says, counting the request."""
        prompt = prompt_hash(params)
        with self._lock:
            before = self._asked[prompt]
            self._asked[prompt] += 1
        return self.script(params, before)

    def make(
        self,
        params: Mapping[str, Any],
        step: Step,
        via: Literal["sync", "batch"],
        custom_id: str | None = None,
    ) -> Made:
        """Make and charge a message."""
        text = made_up(params) if step.reply is None else step.reply
        usage = self._usage(params, text)
        self._bill.add(
            Charge(
                via=via,
                prompt=prompt_hash(params),
                custom_id=custom_id,
                input_tokens=usage["input_tokens"],
                cache_write_tokens=usage["cache_creation_input_tokens"],
                cache_read_tokens=usage["cache_read_input_tokens"],
                output_tokens=usage["output_tokens"],
            )
        )
        with self._lock:
            self._numbers += 1
            number = self._numbers
        message = {
            "id": f"msg_{number:08}",
            "type": "message",
            "role": "assistant",
            "model": step.model or params["model"],
            "content": [{"type": "text", "text": text}] if text else [],
            "stop_reason": step.stop,
            "stop_sequence": None,
            "usage": usage if step.usage is None else dict(step.usage),
        }
        return Made(step, message)

    def _usage(self, params: Mapping[str, Any], text: str) -> dict[str, Any]:
        system, rest = params.get("system"), tokens_of(params["messages"])
        marked = isinstance(system, list) and any("cache_control" in block for block in system)
        shared = tokens_of(system) if system else 0
        written = read = 0
        if marked and self._caches:
            hashed = prompt_hash({"system": system})
            with self._lock:
                known = hashed in self._cached
                self._cached.add(hashed)
            written, read, shared = (0, shared, 0) if known else (shared, 0, 0)
        return {
            "input_tokens": rest + shared,
            "cache_creation_input_tokens": written,
            "cache_read_input_tokens": read,
            "output_tokens": max(1, len(text) // 4),
        }


ERROR_TYPES: Mapping[int, str] = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    408: "timeout_error",
    413: "request_too_large",
    429: "rate_limit_error",
    500: "api_error",
    504: "timeout_error",
    529: "overloaded_error",
}


def error_body(step: Step) -> dict[str, Any]:
    """Return the body of an error."""
    kind = step.error_type or ERROR_TYPES.get(step.status, "api_error")
    return {"type": "error", "error": {"type": kind, "message": step.error or kind}}
