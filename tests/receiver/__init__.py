"""A scripted receiver of OTLP over HTTP on loopback, which keeps what it accepts.

    with ScriptedReceiver([reset_after(), status(429, retry_after="1")]) as receiver:
        …
        receiver.kept, receiver.posts

It decodes the protobuf of each request and files every log record that it keeps under its
`stagefault.item_id`, as often as it came. One step of the script is taken for each request;
after the last one everything is accepted.
"""

from tests.receiver.server import CERTIFICATE, Post, ScriptedReceiver, attributes
from tests.receiver.steps import (
    ACCEPT,
    Step,
    json_partial,
    partial,
    reset_after,
    reset_before,
    status,
    too_large_above,
)

__all__ = [
    "ACCEPT",
    "CERTIFICATE",
    "Post",
    "ScriptedReceiver",
    "Step",
    "attributes",
    "json_partial",
    "partial",
    "reset_after",
    "reset_before",
    "status",
    "too_large_above",
]
