"""The folder tree is the data flow; this test keeps it so.

It also keeps out what would let a trace run code: traces come from strangers.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FLOW = ["ingest", "stages", "judge", "analysis"]
NOT_SHIPPED = {"bench", "sample_traces", "tests"}
LOADS_CODE = {"cloudpickle", "dill", "joblib", "marshal", "pickle", "shelve"}
RUNS_CODE = {"__import__", "eval", "exec"}
TALKS = {
    *("anthropic", "boto3", "botocore", "ftplib", "httpx", "httpx2", "requests", "smtplib"),
    *("socket", "socketserver", "ssl", "urllib3"),
}
"""Libraries that open a connection. A trace names addresses; nothing may fetch them."""
TALKERS = (Path("judge/remote"), Path("analysis/exporting/posting.py"))
"""The model that the user chose, and the receiver that the user named."""
YAML_LOADS_CODE = {"full_load", "load", "load_all", "unsafe_load"}


@pytest.mark.parametrize("package", FLOW)
def test_package_keeps_the_rules(package: str) -> None:
    files = sorted((ROOT / package).rglob("*.py"))
    assert files, f"{package}/ has no modules"
    found = [
        f"{path.relative_to(ROOT)}:{offence}"
        for path in files
        for offence in offences(path.read_text("utf-8"), package)
    ]
    assert not found, "\n".join(found)


def test_two_places_use_the_network() -> None:
    talking = {
        path.relative_to(ROOT)
        for package in FLOW
        for path in (ROOT / package).rglob("*.py")
        if talks(path.read_text("utf-8"))
    }
    assert talking, "the test does not see what it forbids"
    strangers = {one for one in talking if not any(one.is_relative_to(place) for place in TALKERS)}
    assert strangers == set()


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        pytest.param("import requests", True, id="import"),
        pytest.param("def f():\n    from urllib3.util import Retry", True, id="in a function"),
        pytest.param("from urllib import request", True, id="the standard library's"),
        pytest.param("import http.client", True, id="HTTP"),
        pytest.param("from urllib.parse import urlsplit", False, id="only taking an address apart"),
        pytest.param("from http import HTTPStatus", False, id="only names of answers"),
    ],
)
def test_what_talks(code: str, *, expected: bool) -> None:
    assert talks(code) is expected


@pytest.mark.parametrize("package", FLOW)
def test_package_ships_its_types(package: str) -> None:
    assert (ROOT / package / "py.typed").is_file()


def test_every_folder_of_tests_is_a_package() -> None:
    # without, pytest would import tests/ingest as `ingest`
    folders = {path.parent for path in (ROOT / "tests").rglob("*.py")}
    bare = sorted(str(f) for f in folders if not (f / "__init__.py").is_file())
    assert not bare


@pytest.mark.parametrize(
    ("package", "planted", "expected"),
    [
        pytest.param("stages", "import judge", "1: imports judge", id="import"),
        pytest.param(
            "ingest",
            "import os, analysis.cli as c",
            "1: imports analysis.cli",
            id="import of a module under another name",
        ),
        pytest.param(
            "judge",
            "\nfrom analysis import replay",
            "2: imports analysis",
            id="from import",
        ),
        pytest.param(
            "ingest",
            "def f():\n    from stages.records import Turn",
            "2: imports stages.records",
            id="import in a function",
        ),
        pytest.param(
            "ingest",
            "if TYPE_CHECKING:\n    import stages",
            "2: imports stages",
            id="import for types only",
        ),
        pytest.param(
            "ingest",
            "import_module('judge.store')",
            "1: imports judge.store",
            id="import by name",
        ),
        pytest.param(
            "ingest",
            "importlib.import_module('judge')",
            "1: imports judge",
            id="import by name through importlib",
        ),
        pytest.param(
            "analysis",
            "from tests.builders import turn",
            "1: imports tests.builders",
            id="import of what is not shipped",
        ),
        pytest.param(
            "stages",
            "from .records import Turn",
            "1: relative import",
            id="relative import",
        ),
        pytest.param(
            "stages",
            "from .. import ingest",
            "1: relative import",
            id="relative import of a package",
        ),
        pytest.param("judge", "eval(text)", "1: calls eval", id="eval"),
        pytest.param("judge", "builtins.exec(text)", "1: calls exec", id="exec through builtins"),
        pytest.param("judge", "__import__('analysis')", "1: calls __import__", id="__import__"),
        pytest.param("judge", "import pickle", "1: imports pickle", id="pickle"),
        pytest.param("judge", "from pickle import loads", "1: imports pickle", id="from pickle"),
        pytest.param(
            "ingest",
            "pd.read_pickle(path)",
            "1: calls read_pickle",
            id="pickle through pandas",
        ),
        pytest.param(
            "ingest",
            "np.load(path, allow_pickle=True)",
            "1: allows pickle",
            id="pickle through numpy",
        ),
        pytest.param("ingest", "yaml.load(text)", "1: calls yaml.load", id="yaml.load"),
        pytest.param(
            "ingest",
            "from yaml import load as read",
            "1: imports yaml.load",
            id="from yaml import load",
        ),
    ],
)
def test_a_planted_offence_is_caught(package: str, planted: str, expected: str) -> None:
    assert list(offences(planted, package)) == [expected]


@pytest.mark.parametrize(
    ("package", "code"),
    [
        pytest.param("stages", "from ingest.span import Span", id="upstream"),
        pytest.param("stages", "from stages.records import Turn", id="itself"),
        pytest.param("analysis", "import ingest, stages, judge", id="the last one sees all"),
        pytest.param("ingest", "import judgement", id="a name that only begins alike"),
        pytest.param(
            "ingest",
            "re.compile(p); json.load(f); model.eval()",
            id="calls that sound alike",
        ),
        pytest.param("ingest", "yaml.safe_load(text)", id="yaml.safe_load"),
        pytest.param("ingest", "np.load(path, allow_pickle=False)", id="numpy without pickle"),
        pytest.param("ingest", "'eval(x)'  # exec(x), import judge", id="in a text or a comment"),
    ],
)
def test_allowed_code_passes(package: str, code: str) -> None:
    assert list(offences(code, package)) == []


def talks(source: str) -> bool:
    """Tell whether a module imports what opens connections."""
    named = {name for node in ast.walk(ast.parse(source)) for name in imported_names(node)}
    return any(
        name.partition(".")[0] in TALKS or name.startswith(("urllib.request", "http.client"))
        for name in named
    )


def imported_names(node: ast.AST) -> Iterator[str]:
    """Yield modules that a statement imports, and what it takes out of them."""
    match node:
        case ast.Import(names=names):
            yield from (alias.name for alias in names)
        case ast.ImportFrom(module=str(module), names=names):
            yield from (f"{module}.{alias.name}" for alias in names)


def offences(source: str, package: str) -> Iterator[str]:
    """What *source*, a module of *package*, must not do, each with its line."""
    downstream = set(FLOW[FLOW.index(package) + 1 :])
    forbidden = downstream | NOT_SHIPPED | LOADS_CODE
    for node in ast.walk(ast.parse(source)):
        for module in imported_modules(node):
            if module.partition(".")[0] in forbidden:
                yield f"{node_line(node)}: imports {module}"
        if isinstance(node, ast.ImportFrom):
            if node.level:
                yield f"{node.lineno}: relative import"
            elif node.module == "yaml":
                for alias in node.names:
                    if alias.name in YAML_LOADS_CODE:
                        yield f"{node.lineno}: imports yaml.{alias.name}"
        elif isinstance(node, ast.Call):
            yield from (f"{node.lineno}: {what}" for what in bad_call(node))


def imported_modules(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import():
            yield from (alias.name for alias in node.names)
        case ast.ImportFrom(module=str(module), level=0):
            yield module
        case ast.Call(
            func=ast.Name("import_module") | ast.Attribute(attr="import_module"),
            args=[ast.Constant(str(module)), *_],
        ):
            yield module


def bad_call(call: ast.Call) -> Iterator[str]:
    match call.func:
        case ast.Name(name) | ast.Attribute(ast.Name("builtins"), name):
            if name in RUNS_CODE:
                yield f"calls {name}"
        case ast.Attribute(ast.Name("yaml"), name):
            if name in YAML_LOADS_CODE:
                yield f"calls yaml.{name}"
        case ast.Attribute(attr="read_pickle" | "to_pickle" as name):
            yield f"calls {name}"
    for keyword in call.keywords:
        match keyword:
            case ast.keyword("allow_pickle", value):
                if not (isinstance(value, ast.Constant) and value.value is False):
                    yield "allows pickle"


def node_line(node: ast.AST) -> int:
    assert isinstance(node, ast.stmt | ast.expr)
    return node.lineno
