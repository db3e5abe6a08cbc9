"""A scripted server on loopback that speaks enough of the Messages API for the real client.

    with ScriptedServer() as server:            python -m tests.server --port 8484
        os.environ["ANTHROPIC_BASE_URL"] = server.url
        …
        server.bill.input_tokens, server.requests

Messages, token counting, models, and Message Batches (create, list, retrieve, results,
cancel). It answers every question of a judge with a valid object, unless a script says
otherwise, and keeps a bill of its own: one line for everything that a service would have
charged, written before the reply leaves, so that a lost reply is on it.
"""

from tests.server.bill import Bill, Charge
from tests.server.scripts import OK, BatchScript, Script, Step, cut_mid_line, failing, in_turn
from tests.server.server import Asked, ScriptedServer

__all__ = [
    "OK",
    "Asked",
    "BatchScript",
    "Bill",
    "Charge",
    "Script",
    "ScriptedServer",
    "Step",
    "cut_mid_line",
    "failing",
    "in_turn",
]
