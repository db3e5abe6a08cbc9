"""The HTTP server: routes requests, keeps to the script, and remembers what was asked."""

import json
import re
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from tests.loopback import Handler, Loopback
from tests.server.batches import Batches
from tests.server.bill import Bill
from tests.server.messages import Maker, error_body, tokens_of
from tests.server.scripts import OK, BatchScript, Script, Step

_CUSTOM_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


@dataclass(frozen=True, slots=True)
class Asked:
    """A request as it came in."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Any


class ScriptedServer(Loopback):
    """A server on a free port of 127.0.0.1, running in threads until it is closed."""

    def __init__(
        self,
        script: Script = lambda _, __: OK,
        *,
        batches: BatchScript | None = None,
        bill: Path | None = None,
        port: int = 0,
        key: str | None = None,
        models: Mapping[str, str] | None = None,
        caches: bool = True,
    ) -> None:
        """Start to listen.

        Args:
            script: Asked what to do with each request for a message.
            batches: What becomes of batches.
            bill: File of charges, appended to.
            port: 0: any that is free.
            key: The only API key that is let in; None: all are.
            models: Name of a model by the alias that stands for it; None: all names are known.
            caches: Shared beginnings of prompts are cached.
        """
        self.bill = Bill(bill)
        self.maker = Maker(script, self.bill, caches=caches)
        self.batches = Batches(self.maker, batches or BatchScript())
        self.requests: list[Asked] = []
        self.in_flight = self.most_in_flight = 0
        self.key, self.models = key, models
        self.lock = threading.Lock()
        self._creates = self._looks = 0
        super().__init__(_Handler, port)
        self.batches.url = self.url

    def asked(self, path: str, method: str = "POST") -> list[Asked]:
        """Return the requests for a path, in the order in which they came."""
        return [one for one in self.requests if one.method == method and one.path == path]

    def next_create(self) -> Step:
        """Return what happens to this request for a new batch."""
        with self.lock:
            number, self._creates = self._creates, self._creates + 1
        steps = self.batches.script.create
        return steps[number] if number < len(steps) else OK

    def next_look(self) -> Step:
        """Return what happens to this request to list or look at batches."""
        with self.lock:
            number, self._looks = self._looks, self._looks + 1
        steps = self.batches.script.looks
        return steps[number] if number < len(steps) else OK

    def close(self) -> None:
        """Stop listening."""
        super().close()
        self.bill.close()


_ELSEWHERE = re.compile(
    r"/model/(?P<model>[^/]+)/invoke"
    r"|(?:/v1)?/projects/[^/]+/locations/[^/]+/publishers/anthropic/models/(?P<vertex>[^/:]+)"
    r":rawPredict"
)
"""Paths of a message on Bedrock and on Vertex AI, which name the model in them."""


class _Handler(Handler["ScriptedServer"]):
    def do_POST(self) -> None:  # noqa: N802 - the base's name
        owner = self.owner
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))) or b"null")
        path = self._note(body)
        if not self._allowed():
            return
        if elsewhere := _ELSEWHERE.fullmatch(path):
            path, body = "/v1/messages", {**body, "model": _named(elsewhere)}
        if path == "/v1/messages":
            with owner.lock:
                owner.in_flight += 1
                owner.most_in_flight = max(owner.most_in_flight, owner.in_flight)
            try:
                self._message(body)
            finally:
                with owner.lock:
                    owner.in_flight -= 1
        elif path == "/v1/messages/count_tokens":
            counted = tokens_of(body.get("system")) + tokens_of(body["messages"])
            self._send(200, {"input_tokens": counted})
        elif path == "/v1/messages/batches":
            self._create(body["requests"])
        elif match := re.fullmatch(r"/v1/messages/batches/([^/]+)/cancel", path):
            self._found(owner.batches.cancel(match[1]))
        else:
            self._found(None)

    def do_GET(self) -> None:  # noqa: N802 - the base's name
        owner = self.owner
        path = self._note(None)
        if not self._allowed():
            return
        query = {name: values[0] for name, values in parse_qs(urlsplit(self.path).query).items()}
        step = owner.next_look() if re.fullmatch(r"/v1/messages/batches(/\w+)?", path) else OK
        if step.reset is not None:
            self.reset()
        elif step.status != 200:
            self._send(step.status, error_body(step), step.headers)
        elif path == "/v1/messages/batches":
            limit = int(query.get("limit", "20"))
            self._found(owner.batches.listed(limit, query.get("after_id")))
        elif match := re.fullmatch(r"/v1/messages/batches/([^/]+)/results", path):
            results = owner.batches.results(match[1])
            if results is None:
                self._found(None)
            else:
                self._raw(200, results, {"content-type": "application/binary"})
        elif match := re.fullmatch(r"/v1/messages/batches/([^/]+)", path):
            self._found(owner.batches.look(match[1]))
        elif match := re.fullmatch(r"/v1/models/([^/]+)", path):
            self._found(_model(match[1], owner.models))
        else:
            self._found(None)

    def _message(self, params: Mapping[str, Any]) -> None:
        owner = self.owner
        step = owner.maker.step(params)
        time.sleep(step.delay_s)
        if step.reset == "before":
            self.reset()
        elif step.overload_in_stream:
            self._stream(params, step)
        elif step.status != 200:
            self._send(step.status, error_body(step), step.headers)
        else:
            made = owner.maker.make(params, step, "sync")
            if step.reset == "after":
                self.reset()
            elif step.body is not None:
                self._raw(200, step.body, {"content-type": "application/json", **step.headers})
            else:
                self._send(200, made.message, step.headers)

    def _create(self, requests: list[Mapping[str, Any]]) -> None:
        owner = self.owner
        step = owner.next_create()
        ids = [request["custom_id"] for request in requests]
        if not all(map(_CUSTOM_ID.fullmatch, ids)) or len(set(ids)) < len(ids):
            step = Step(status=400, error="custom_ids must be unique and of 64 characters")
        time.sleep(step.delay_s)
        if step.reset == "before":
            self.reset()
        elif step.status != 200:
            self._send(step.status, error_body(step), step.headers)
        else:
            batch = owner.batches.create(requests)
            if step.reset == "after":
                self.reset()
            else:
                self._send(200, batch)

    def _note(self, body: Any) -> str:
        path = urlsplit(self.path).path
        headers = {name.lower(): value for name, value in self.headers.items()}
        with self.owner.lock:
            self.owner.requests.append(Asked(self.command, path, headers, body))
        return path

    def _allowed(self) -> bool:
        key = self.owner.key
        given = (self.headers.get("authorization"), self.headers.get("x-api-key"))
        if key is None or f"Bearer {key}" in given or key in given:
            return True
        self._send(401, error_body(Step(status=401, error="invalid x-api-key")))
        return False

    def _stream(self, params: Mapping[str, Any], step: Step) -> None:
        start = {"type": "message_start", "message": {"id": "msg_cut", "model": params["model"]}}
        delta = {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "text_delta", "text": step.reply or ""},
        }
        error = error_body(Step(status=529, error="Overloaded"))
        events = (("message_start", start), ("content_block_delta", delta), ("error", error))
        text = "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in events)
        self._raw(200, text.encode(), {"content-type": "text/event-stream"})

    def _found(self, value: Any) -> None:
        if value is None:
            self._send(404, error_body(Step(status=404, error="not found")))
        else:
            self._send(200, value)

    def _send(self, status: int, value: Any, headers: Mapping[str, str] | None = None) -> None:
        body = json.dumps(value).encode()
        self._raw(status, body, {"content-type": "application/json", **(headers or {})})

    def _raw(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {"request-id": "req_test", **headers}.items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _named(elsewhere: re.Match[str]) -> str:
    return unquote(elsewhere["model"] or elsewhere["vertex"])


def _model(name: str, known: Mapping[str, str] | None) -> Mapping[str, Any] | None:
    if known is not None and name not in known and name not in known.values():
        return None
    return {
        "type": "model",
        "id": name if known is None else known.get(name, name),
        "display_name": name,
        "created_at": "2026-01-01T00:00:00Z",
        "lifecycle": "active",
    }
