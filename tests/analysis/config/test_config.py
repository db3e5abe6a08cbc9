"""`stagefault.toml`: where it is looked for, what it may say, and what is refused."""

from pathlib import Path
from typing import Any

import pytest

from analysis.config.files import Config, load_config
from analysis.config.finding import find_config
from analysis.config.limits import limit_text, limits_with
from ingest.errors import UsageError
from ingest.limits import DEFAULT_LIMITS, MIB, Limits
from ingest.span import SpanKind

ROOT = Path(__file__).parents[3]


def load(folder: Path, text: str, name: str = "stagefault.toml") -> Config:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return load_config(path, ["replay"])


def test_the_nearest_file_counts(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    assert find_config(inner) != tmp_path / "stagefault.toml"
    (tmp_path / "pyproject.toml").write_text("[tool.stagefault]\nstore = 's'\n")
    assert find_config(inner) == tmp_path / "pyproject.toml"
    (tmp_path / "a" / "stagefault.toml").write_text("")
    assert find_config(inner) == tmp_path / "a" / "stagefault.toml"


def test_the_search_ends_at_a_repository(tmp_path: Path) -> None:
    inner = tmp_path / "repository"
    (inner / ".git").mkdir(parents=True)
    (tmp_path / "stagefault.toml").write_text("")
    assert find_config(inner) is None


def test_a_project_file_without_our_table_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "pyproject.toml").write_text("[tool.other]\n")
    assert find_config(tmp_path) is None
    (tmp_path / "pyproject.toml").write_text("no toml")
    assert find_config(tmp_path) is None


def test_paths_are_relative_to_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sub").mkdir()
    monkeypatch.chdir(tmp_path)
    config = load(tmp_path / "sub", 'store = "runs"\nsource = ["a.jsonl", "-", "/data"]\n')
    assert config.store == str(tmp_path / "sub" / "runs")
    assert config.sources == (str(tmp_path / "sub" / "a.jsonl"), "-", "/data")
    assert load(tmp_path, 'store = "runs"').store == "runs"


def test_a_file_says_limits_rules_and_gates(tmp_path: Path) -> None:
    config = load(
        tmp_path,
        """
        [limits]
        record_bytes = "128 MiB"
        depth = 100
        [gates]
        "routing.rate" = "<= 0.02"
        [mapping]
        conversation = ["acme.chat", "acme.session"]
        agent = "acme.agent"
        [[mapping.retrieval]]
        span = "kb.*"
        where = { "acme.type" = "lookup*" }
        query = "acme.q"
        chunk = { id = "doc" }
        [[mapping.retrieval]]
        scope = "acme.search"
        rule = "second"
        [mapping.ignore]
        span = ["health*", "warm-up"]
        """,
    )
    assert (config.limits.record_bytes, config.limits.depth) == (128 * MIB, 100)
    assert config.gates == {"routing.rate": "<= 0.02"}
    first, second, ignored, anywhere = config.mapping.rules
    assert (first.name, first.kind) == ("mapping.retrieval[1]", SpanKind.RETRIEVER)
    assert first.items == {"chunk": {"id": ("doc",)}}
    assert second.name == "second"
    assert (ignored.ignore, len(ignored.spans)) == (True, 2)
    assert sorted(anywhere.facts) == ["agent", "conversation"]


def test_what_a_mapping_says_has_one_digest_however_it_is_written(tmp_path: Path) -> None:
    first = load(tmp_path, "[mapping]\ntenant = 'a'\nmodel = 'b'\n").mapping_sha256
    second = load(tmp_path, "# moved\nmapping = { model = 'b', tenant = 'a' }\n").mapping_sha256
    assert first == second != load(tmp_path, "[mapping]\ntenant = 'c'\n").mapping_sha256
    assert load(tmp_path, "").mapping_sha256 is None


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        pytest.param("stor = 1", "stor", "Did you mean store?", id="unknown key"),
        pytest.param("store = 1", "store", "is a number, not a text", id="wrong type"),
        pytest.param("store = ['a', 'b']", "store", "several folders", id="two stores"),
        pytest.param("limits = 3", "limits", "not a table", id="no table"),
        pytest.param("[limits]\ndeep = 3", "limits.deep", "no known limit", id="unknown limit"),
        pytest.param("[limits]\ndepth = 0", "limits.depth", "no limit", id="zero"),
        pytest.param("[limits]\ndepth = true", "limits.depth", "true or false", id="flag"),
        pytest.param("[limits]\ndepth = '3 MiB'", "limits.depth", "no limit", id="unit"),
        pytest.param("[gates]\na = 1", "gates.a", "not a text or a table", id="gate"),
        pytest.param("[mapping]\nfoo = 'a'", "mapping.foo", "no known table or fact", id="fact"),
        pytest.param("[mapping]\nmodel = 7", "mapping.model", "not a text", id="no place"),
        pytest.param("[mapping]\nmodel = []", "mapping.model", "is empty", id="empty list"),
        pytest.param("[mapping]\nmodel = ''", "mapping.model", "characters", id="empty place"),
        pytest.param("[mapping]\nmodel = 'span:x'", "mapping.model", "names nothing", id="place"),
        pytest.param(
            "[mapping.tool]\nspan = 'x'\nquery = 'q'",
            "mapping.tool.query",
            "no known fact of [mapping.tool]",
            id="fact of another kind",
        ),
        pytest.param("[mapping.tool]\ntool = 'q'", "mapping.tool.span", "no span", id="no span"),
        pytest.param(
            "[mapping.tool]\nspan = '" + "*" * 20 + "'", "mapping.tool.span", "stars", id="stars"
        ),
        pytest.param(
            "[mapping.any]\nspan = 'x'\nchunk = { ids = 'a' }",
            "mapping.any.chunk.ids",
            "Did you mean id?",
            id="field of a chunk",
        ),
        pytest.param("[mapping]\ntool = 3", "mapping.tool", "not a text", id="tool as a number"),
        pytest.param("mapping = [1]", "mapping", "not a table", id="mapping as a list"),
        pytest.param(
            "[mapping]\nretrieval = 'x'", "mapping.retrieval", "not a table", id="kind as a text"
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(
    tmp_path: Path, text: str, place: str, problem: str
) -> None:
    with pytest.raises(UsageError) as caught:
        load(tmp_path, text)
    assert caught.value.exit_code == 2
    assert caught.value.place == f"{tmp_path / 'stagefault.toml'}: {place}"
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        pytest.param(b"a = = 1", "is no TOML", id="no TOML"),
        pytest.param(b"\xff", "is not UTF-8", id="no UTF-8"),
        pytest.param(b"a = " + b"[" * 5_000, "is no TOML", id="nested"),
        pytest.param(b"#" * (2**20 + 1), "larger than 1 MiB", id="huge"),
    ],
)
def test_what_is_no_configuration_is_refused(tmp_path: Path, data: bytes, problem: str) -> None:
    path = tmp_path / "stagefault.toml"
    path.write_bytes(data)
    with pytest.raises(UsageError, match=problem):
        load_config(path)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        load_config(tmp_path / "none.toml")
    with pytest.raises(UsageError, match=r"no table \[tool.stagefault\]"):
        load(tmp_path, "", "pyproject.toml")


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        pytest.param(["depth=7"], {"depth": 7}, id="number"),
        pytest.param(["record_bytes=2kb"], {"record_bytes": 2_000}, id="decimal unit"),
        pytest.param(["record_bytes = 1 GiB"], {"record_bytes": 2**30}, id="blanks"),
        pytest.param(["depth=7", "depth=8"], {"depth": 8}, id="the last one counts"),
        pytest.param([], {}, id="none"),
    ],
)
def test_limits_are_set_by_pairs(pairs: list[str], expected: dict[str, Any]) -> None:
    assert limits_with(DEFAULT_LIMITS, pairs) == Limits(**expected)


@pytest.mark.parametrize(
    "pair", ["depth", "depth=", "dept=3", "depth=-1", "depth=1e9", "ratio=3MiB"]
)
def test_pairs_that_are_none_are_refused(pair: str) -> None:
    with pytest.raises(UsageError, match="--max"):
        limits_with(DEFAULT_LIMITS, [pair])


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("record_bytes", 64 * MIB, "64 MiB"),
        ("record_bytes", 1_000, "1,000 bytes"),
        ("file_bytes", 2**40, "1 TiB"),
        ("depth", 10_000, "10,000"),
    ],
)
def test_limits_are_shown_as_they_are_written(name: str, value: int, text: str) -> None:
    assert limit_text(name, value) == text
