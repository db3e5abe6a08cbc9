"""The HTTP server: decodes requests, keeps to the script, remembers what came and what it kept."""

import gzip
import threading
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import ExportLogsServiceRequest
from opentelemetry.proto.common.v1.common_pb2 import KeyValue
from opentelemetry.proto.logs.v1.logs_pb2 import LogRecord

from tests.loopback import Handler, Loopback
from tests.receiver.steps import ACCEPT, Step

ITEM_ID = "stagefault.item_id"
CERTIFICATE = Path(__file__).with_name("localhost.pem")
"""For localhost and 127.0.0.1 until 2126, signed by itself, with its key."""


@dataclass(frozen=True, slots=True)
class Post:
    """A request as it came in."""

    path: str
    headers: Mapping[str, str]
    packed_bytes: int
    body_bytes: int
    records: tuple[LogRecord, ...]
    resource: Mapping[str, str | float]

    @property
    def ids(self) -> list[str]:
        """Ids of its records."""
        return [str(attributes(one)[ITEM_ID]) for one in self.records]


def attributes(record: LogRecord) -> dict[str, str | float]:
    """Return the attributes of a record."""
    return plain(record.attributes)


def plain(pairs: Iterable[KeyValue]) -> dict[str, str | float]:
    """Return attributes by name; a text or a number each."""
    return {
        pair.key: pair.value.string_value
        if pair.value.HasField("string_value")
        else pair.value.double_value
        for pair in pairs
    }


class ScriptedReceiver(Loopback):
    """A receiver on a free port of 127.0.0.1, running in threads until it is closed."""

    def __init__(self, steps: Iterable[Step] = (), *, port: int = 0, tls: bool = False) -> None:
        """Start to listen.

        Args:
            steps: What happens to one request after the other.
            port: 0: any that is free.
            tls: Speak it, with the certificate in `CERTIFICATE`, which nobody else trusts.
        """
        self.posts: list[Post] = []
        self.kept: Counter[str] = Counter()
        """How often a record was kept, by id; one who knows ids keeps it once."""
        self.lock = threading.Lock()
        self._steps = list(steps)
        super().__init__(_Handler, port, CERTIFICATE if tls else None)

    def then(self, *steps: Step) -> None:
        """Do this with what comes from now on."""
        self._steps = list(steps)

    def next_step(self, records: int) -> Step:
        """Return what happens to this request."""
        if not self._steps:
            return ACCEPT
        step = self._steps[0]
        if step.most is None:
            return self._steps.pop(0)
        return step if records <= step.most else Step(status=413, keeps=0)


class _Handler(Handler["ScriptedReceiver"]):
    def do_POST(self) -> None:  # noqa: N802 - the base's name
        owner = self.owner
        packed = self.rfile.read(int(self.headers["content-length"]))
        post = self._decoded(packed)
        with owner.lock:
            owner.posts.append(post)
            step = owner.next_step(len(post.records))
            if step.reset != "before":
                kept = post.ids if step.keeps == "all" else post.ids[: step.keeps]
                owner.kept.update(kept)
        time.sleep(step.delay_s)
        if step.reset is not None:
            self.reset()
            return
        self.send_response(step.status)
        for name, value in step.headers.items():
            self.send_header(name, value)
        if "content-length" in step.headers:
            self.close_connection = True  # there may be less than it says
        else:
            self.send_header("content-length", str(len(step.body)))
        self.end_headers()
        self.wfile.write(step.body)

    def _decoded(self, packed: bytes) -> Post:
        assert self.headers["content-type"] == "application/x-protobuf"
        assert self.headers["content-encoding"] == "gzip"
        body = gzip.decompress(packed)
        (logs,) = ExportLogsServiceRequest.FromString(body).resource_logs
        records = tuple(one for scope in logs.scope_logs for one in scope.log_records)
        headers = {name.lower(): value for name, value in self.headers.items()}
        resource = plain(logs.resource.attributes)
        return Post(self.path, headers, len(packed), len(body), records, resource)
