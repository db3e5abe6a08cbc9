"""The command line, run in process, with a store of its own."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from analysis.cli import main

Stagefault = Callable[..., Result]


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
