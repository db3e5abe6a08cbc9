"""Runs tests against mutants that exist in memory only, one fork each.

    pytest collects once ──▶ a fork per mutant ──▶ its code into the functions ──▶ tests

Within a fork the functions of the imported module get the code of the mutant, wherever they
were imported to. What runs when a module is imported (tables, class bodies, decorated
functions) cannot be exchanged like that: there the module is imported anew, with all of
`analysis` and the tests. Needs `os.fork`.

Worked rows only: a property may find a mutant by chance, and takes its time. The row that
failed last is tried first.
"""

import ast
import importlib.abc
import importlib.machinery
import importlib.util
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Final, NamedTuple

import pytest

from bench.mutations import mutations

_PYTEST: Final = ("-o", "addopts=", "-p", "no:terminal", "-p", "no:cacheprovider", "-s")
_ROWS: Final = ("--assert=plain", "-m", "not hypothesis")
_RELOADED: Final = ("analysis", "tests")
_PATIENCE: Final = 20
"""A mutant that takes this many times as long as all tests do runs forever."""


class Mutant(NamedTuple):
    """What identifies a mutant while lines move."""

    path: str
    where: str
    before: str
    after: str


Told = Callable[[Mutant, int, bool], None]
"""Takes a mutant, its line, and whether it survived."""


def run(files: Sequence[str], tests: Sequence[str], told: Told, *, where: str = "") -> None:
    """Run the tests against every mutant of some files.

    Args:
        files: Paths below the working directory, each of an importable module.
        tests: Files or folders for pytest.
        told: Called for each mutant, in the order of the code.
        where: Only mutants in functions and classes whose qualified name starts so.

    Raises:
        ValueError: A test fails without any mutant.
    """
    session = _Session(files, tests, told, where)
    pytest.main([*_PYTEST, *_ROWS, *tests], plugins=[session])
    if not session.sound:
        raise ValueError(f"{', '.join(tests)}: fail without a mutant")


class _Session:
    """A pytest plugin: in place of the tests it runs the mutants."""

    def __init__(self, files: Sequence[str], tests: Sequence[str], told: Told, where: str) -> None:
        self.sound = False
        self._files, self._tests, self._told, self._where = files, tests, told, where
        self._failed = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._failed |= report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        rows = list(session.items)
        started = time.monotonic()
        self.sound = _in_fork(lambda: self._first_failure(rows), 0) is None
        patience = 1 + int(_PATIENCE * (time.monotonic() - started))
        for mutant, line, code in self._mutants() if self.sound else ():
            killer = _in_fork(lambda: self._try(mutant, code, rows), patience)  # noqa: B023
            if killer is not None:
                rows.insert(0, rows.pop(killer))
            self._told(mutant, line, killer is None)
        return True

    def _mutants(self) -> Iterator[tuple[Mutant, int, CodeType]]:
        for path in self._files:
            tree = ast.parse(Path(path).read_text("utf-8"))
            for one in mutations(tree):
                if one.where.startswith(self._where):
                    mutant = Mutant(path, one.where, one.before, one.after)
                    yield mutant, one.line, compile(tree, path, "exec")

    def _try(self, mutant: Mutant, code: CodeType, rows: Sequence[pytest.Item]) -> int | None:
        """Return the place of the first row that fails, None when the mutant survives."""
        name = mutant.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        module = sys.modules[name]
        top = module.__dict__.get(mutant.where.partition(".")[0])
        if isinstance(top, FunctionType) or (isinstance(top, type) and "." in mutant.where):
            mutated = {"__name__": name, "__file__": mutant.path}
            exec(code, mutated)  # noqa: S102 - our own code, changed in one place
            _exchange(module.__dict__, mutated, mutant.path)
            return self._first_failure(rows)
        for loaded in list(sys.modules):
            if loaded.partition(".")[0] in _RELOADED:
                del sys.modules[loaded]
        sys.meta_path.insert(0, _Changed(name, Path(mutant.path), code))
        failed = pytest.main([*_PYTEST, *_ROWS, "-x", *self._tests]) != pytest.ExitCode.OK
        return 0 if failed else None

    def _first_failure(self, rows: Sequence[pytest.Item]) -> int | None:
        for place, (row, after) in enumerate(zip(rows, [*rows[1:], None], strict=True)):
            row.config.hook.pytest_runtest_protocol(item=row, nextitem=after)
            if self._failed:
                return place
        return None


def _in_fork(work: Callable[[], int | None], patience: int) -> int | None:
    """Return what *work* returns in a fork; 0 where it fails or takes too long.

    Args:
        work: Gives a small number or None.
        patience: Seconds; 0 for ever.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(patience)
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        told = b"0"
        try:
            told = str(work()).encode()
        finally:
            os.write(writing, told)
            os._exit(0)
    os.close(writing)
    told = os.read(reading, 16)
    os.close(reading)
    os.waitpid(child, 0)
    return None if told == b"None" else int(told or 0)


def _exchange(old: Mapping[str, Any], new: Mapping[str, Any], path: str) -> None:
    """Put the code of functions and methods that *path* defines into those of the same name."""
    for name, value in list(new.items()):
        known = old.get(name)
        if isinstance(value, property):
            _exchange({name: getattr(known, "fget", None)}, {name: value.fget}, path)
        elif isinstance(value, type) and value is not known and isinstance(known, type):
            _exchange(vars(known), vars(value), path)
        elif (
            isinstance(value, FunctionType)
            and isinstance(known, FunctionType)
            and value.__code__.co_filename == path
        ):
            known.__code__ = value.__code__
            known.__defaults__ = value.__defaults__
            known.__kwdefaults__ = value.__kwdefaults__


class _Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module from code in memory."""

    def __init__(self, name: str, path: Path, code: CodeType) -> None:
        self._name, self._path, self._code = name, path, code

    def find_spec(self, fullname: str, *_: object) -> importlib.machinery.ModuleSpec | None:
        if fullname != self._name:
            return None
        inside = [str(self._path.parent)] if self._path.name == "__init__.py" else None
        return importlib.util.spec_from_file_location(
            fullname, self._path, loader=self, submodule_search_locations=inside
        )

    def exec_module(self, module: ModuleType) -> None:
        exec(self._code, module.__dict__)  # noqa: S102 - as above
