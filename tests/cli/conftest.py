"""The command line, run in process, with a store of its own."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from analysis.cli import main
from tests.judge.remote_runs import KEY
from tests.server import OK, ScriptedServer

Stagefault = Callable[..., Result]
Serve = Callable[..., ScriptedServer]


@pytest.fixture
def stagefault(tmp_path: Path) -> Stagefault:
    """Run `stagefault COMMAND … --store <a fresh store>`; bugs show as exceptions."""

    def run(command: str, *arguments: str | Path, store: bool = True) -> Result:
        words = [command, *map(str, arguments)]
        if store:
            words += ["--store", str(tmp_path / "store")]
        result = CliRunner().invoke(main, words)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        return result

    return run


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Serve:
    """Start a server of the Messages API that the commands then talk to."""

    def start(script: Any = lambda *_: OK, **settings: Any) -> ScriptedServer:
        server = ScriptedServer(script, **settings)
        request.addfinalizer(server.close)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.delenv("CI", raising=False)
        return server

    return start
