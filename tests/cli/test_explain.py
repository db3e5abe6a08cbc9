"""`explain` tells every word that the output may say, wherever stagefault is installed."""

import json
import tomllib
from pathlib import Path

import pytest

from analysis import explaining
from analysis.attribution.kinds import KINDS
from analysis.explaining import explained, page_text, pages, vocabulary
from analysis.metrics import METRICS
from analysis.metrics.meanings import of_metric
from analysis.metrics.reasons import REASONS
from ingest.errors import UsageError
from tests.cli.conftest import Stagefault

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("given", "word", "groups"),
    [
        pytest.param("latent", "latent", ["Parts that stages play"], id="a word"),
        pytest.param("LATENT ", "latent", ["Parts that stages play"], id="case does not matter"),
        pytest.param("not_judged", "not judged", ["Outcomes of a turn"], id="as in a table"),
        pytest.param("wrong_tool", "wrong_tool", ["Kinds of routing faults"], id="a kind"),
        pytest.param("routing.wrong_tool", "wrong_tool", ["Kinds of routing faults"], id="of one"),
        pytest.param("precision_at_17", "precision_at_k", ["Metrics"], id="a metric at any k"),
        pytest.param("conflicting_span", "conflicting_span", ["Duplicate records"], id="a loss"),
        pytest.param("missing_parent", "missing_parent", ["Oddities of spans"], id="an oddity"),
        pytest.param("no_gain", "no_gain", ["Why a metric has no value"], id="a reason"),
        pytest.param(
            "incomplete",
            "incomplete",
            [
                "Kinds of generation faults",
                "Reasons beside an outcome",
                "Why a metric has no value",
            ],
            id="a word of three meanings",
        ),
    ],
)
def test_a_word_is_found_as_the_output_has_it(given: str, word: str, groups: list[str]) -> None:
    found = explained(given)
    assert [(one.word, one.group) for one in found] == [(word, group) for group in groups]
    assert all(one.text for one in found)


def test_every_kind_metric_and_reason_is_explained() -> None:
    words = [kind for kinds in KINDS.values() for kind in kinds]
    words += [*(one.name for one in METRICS), *REASONS]
    for word in words:
        assert explained(word), word
    assert all(of_metric(one.name) for one in METRICS)
    assert of_metric("a_rate_of_tomorrow") == ""


def test_an_unknown_word_is_refused_with_the_nearest(stagefault: Stagefault) -> None:
    result = stagefault("explain", "no_gein", store=False)
    assert result.exit_code == 2
    assert result.stderr.startswith(
        "error: explain: 'no_gein' is no word of the output. Did you mean no_gain"
    )
    with pytest.raises(UsageError, match="lists all words and pages"):
        explained("qqqqqqqq")


def test_words_are_printed_one_after_the_other(stagefault: Stagefault) -> None:
    result = stagefault("explain", "full", "no_gain", store=False)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "full (support of what the answer says)",
        "  The evidence says all of it.",
        "no_gain (why a metric has no value)",
        "  No retrieved chunk is relevant, so no order is better than another.",
    ]


def test_without_a_word_all_are_listed(stagefault: Stagefault) -> None:
    text = stagefault("explain", store=False).stdout
    assert all(f"\n  {one.word}\n" in text for one in vocabulary())
    assert max(map(len, text.splitlines())) <= 80
    told = json.loads(stagefault("explain", "--json", store=False).stdout)["words"]
    assert len(told) == len(vocabulary())


def test_pages_are_printed_as_they_are_written(stagefault: Stagefault) -> None:
    assert {"attribution", "configuration", "mapping", "readme", "report"} <= set(pages())
    assert stagefault("explain", "mapping", store=False).stdout == (
        ROOT / "docs/mapping.md"
    ).read_text("utf-8")
    assert page_text("readme").startswith("# stagefault\n")
    told = json.loads(stagefault("explain", "mapping", "latent", "--json", store=False).stdout)
    assert (list(told["pages"]), told["words"][0]["word"]) == (["mapping"], "latent")


def test_an_installed_copy_has_its_own_pages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    assert wheel["targets"]["wheel"]["force-include"] == {
        "README.md": "analysis/pages/readme.md",
        "docs": "analysis/pages",
    }
    (tmp_path / "analysis" / "pages").mkdir(parents=True)
    (tmp_path / "analysis" / "pages" / "mapping.md").write_text("# Installed\n")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "other.md").write_text("# Of another package\n")
    monkeypatch.setattr(explaining, "_HERE", tmp_path / "analysis")
    assert list(pages()) == ["mapping"]
    assert page_text("mapping") == "# Installed\n"
