"""Run the scripted server until it is interrupted: `python -m tests.server --port 8484`."""

import argparse
import signal
import threading
from pathlib import Path

from tests.server.scripts import OK, BatchScript, Step, failing
from tests.server.server import ScriptedServer


def main() -> None:
    """Parse the command line and serve."""
    parser = argparse.ArgumentParser(description="Speak the Messages API on loopback.")
    parser.add_argument("--port", type=int, default=8484)
    parser.add_argument("--bill", type=Path, help="append charges to this file, one JSON a line")
    parser.add_argument("--delay", type=float, default=0.0, help="seconds per message")
    parser.add_argument("--fail", type=int, default=0, help="fail the first N requests of each")
    parser.add_argument("--status", type=int, default=529, help="with this status")
    parser.add_argument("--polls", type=int, default=0, help="a batch ends after so many looks")
    given = parser.parse_args()
    failure = Step(status=given.status, delay_s=given.delay)
    slow = Step(delay_s=given.delay)
    script = failing(given.fail, failure) if given.fail else lambda _, __: slow or OK
    server = ScriptedServer(
        script, batches=BatchScript(polls=given.polls), bill=given.bill, port=given.port
    )
    # a shell that starts it in the background has it ignore Ctrl-C
    signal.signal(signal.SIGINT, signal.default_int_handler)
    print(f"ANTHROPIC_BASE_URL={server.url}", flush=True)  # noqa: T201 - what it is run for
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        server.close()


if __name__ == "__main__":
    main()
