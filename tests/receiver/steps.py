"""What the receiver does with one request."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from opentelemetry.proto.collector.logs.v1.logs_service_pb2 import (
    ExportLogsPartialSuccess,
    ExportLogsServiceResponse,
)

PROTOBUF: Final = "application/x-protobuf"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One answer."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=lambda: {"content-type": PROTOBUF})
    keeps: int | Literal["all"] = "all"
    """How many records of the request it keeps, from the first; -3: all but three."""
    reset: Literal["before", "after"] | None = None
    """Break the connection off before or after keeping, instead of answering."""
    most: int | None = None
    """Answer 413 to more records than these, whatever the rest says; the step stays then."""
    delay_s: float = 0.0


ACCEPT: Final = Step()


def partial(rejected: int, message: str, *, keeps: int | Literal["all"] | None = None) -> Step:
    """Accept all but some."""
    told = ExportLogsPartialSuccess(rejected_log_records=rejected, error_message=message)
    body = ExportLogsServiceResponse(partial_success=told).SerializeToString()
    return Step(body=body, keeps=(-rejected or "all") if keeps is None else keeps)


def json_partial(rejected: object, message: str, keeps: int) -> Step:
    """Say so in JSON, as some receivers do whatever they are asked for."""
    told = {"partialSuccess": {"rejectedLogRecords": rejected, "errorMessage": message}}
    return Step(
        body=json.dumps(told).encode(), headers={"content-type": "application/json"}, keeps=keeps
    )


def status(number: int, message: str = "", **headers: str) -> Step:
    """Refuse with a status; underscores in names of headers stand for hyphens."""
    # google.rpc.Status: its message is field 2, as here
    body = ExportLogsPartialSuccess(error_message=message).SerializeToString()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Step(status=number, body=body, headers={"content-type": PROTOBUF, **named}, keeps=0)


def reset_before() -> Step:
    """Break off with nothing kept."""
    return Step(reset="before", keeps=0)


def reset_after() -> Step:
    """Keep everything, and break off without a word."""
    return Step(reset="after")


def too_large_above(most: int) -> Step:
    """Take up to so many records at a time, from now on."""
    return Step(most=most)
