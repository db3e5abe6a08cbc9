"""The documentation tells the truth: its commands run, and print what it shows.

In a console block, what follows a `$ stagefault …` line is its output; a line that is only
`…` stands for any lines left out. Run ids, times and sizes of files differ from run to run
and are not compared.
"""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner

from analysis.attribution import KINDS
from analysis.attribution.kinds import STAGES, Role, SymptomKind
from analysis.cli import main
from analysis.judges import AGREEMENT
from analysis.metrics.meanings import MEANINGS as METRICS
from analysis.report.html.glossary import GLOSSARY, words
from analysis.report.html.meanings import KINDS as KIND_WORDS
from analysis.report.html.meanings import OUTCOME_REASONS

ROOT = Path(__file__).parent.parent
_BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)
_VARIES = (
    (re.compile(r"\d{8}-\d{6}-[0-9a-f]{4}"), "RUN"),
    (re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC$", re.MULTILINE), "NOW"),
    (re.compile(r"verdict [0-9a-f]{6,8}…?"), "verdict KEY"),
)


def commands(name: str) -> Iterator[tuple[str, str]]:
    """Yield each `stagefault` command line of a page with the output shown below it."""
    for block in _BLOCK.findall((ROOT / name).read_text("utf-8")):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            if command.startswith("stagefault "):
                yield command, output


def pattern(output: str) -> re.Pattern[str]:
    """Return what the output shown stands for."""
    pieces = re.split(r"^…\n", plain(output), flags=re.MULTILINE)
    return re.compile(".*?".join(map(re.escape, pieces)), re.DOTALL)


def plain(text: str) -> str:
    for varies, word in _VARIES:
        text = varies.sub(word, text)
    return "\n".join(line.rstrip() for line in text.split("\n"))


def test_the_readme_shows_what_its_commands_print(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "sample_traces", tmp_path / "sample_traces")
    monkeypatch.chdir(tmp_path)
    shown = list(commands("README.md"))
    assert len(shown) >= 4
    for command, output in shown:
        words = command.split()[1:]
        result = CliRunner().invoke(main, words)
        assert result.exit_code == 0, f"{command}: {result.stderr}"
        if output.strip():
            assert pattern(output).fullmatch(plain(result.stdout)), f"{command}\n{result.stdout}"


def test_every_command_is_in_the_readme_and_has_help() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    for name, command in main.commands.items():
        assert command.help, name
        assert f"stagefault {name}" in text, name


def test_every_fault_kind_is_explained() -> None:
    text = (ROOT / "docs" / "attribution.md").read_text("utf-8")
    for kinds in KINDS.values():
        for kind in kinds:
            assert f"`{kind}`" in text, kind


@pytest.mark.parametrize("page", ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"])
def test_what_a_page_links_to_is_there(page: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", (ROOT / page).read_text("utf-8")):
        if "://" not in target:
            assert (ROOT / target).exists(), target


def test_reports_state_the_agreement_that_the_readme_has_measured() -> None:
    rows = dict(
        re.findall(
            r"^\| (\w+) \| \d+ \| (.+)$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE
        )
    )
    relevance, wice, begin, tools = (
        re.search(r"0\.\d+", rows[name])[0]  # type: ignore[index]
        for name in ("clapnq_dev", "wice_dev", "begin_dev", "bfcl_multiple")
    )
    told = f"AUROC {relevance} relevance, {wice} and {begin} support, {float(tools):.1%}"
    assert told.replace("%", " %") in AGREEMENT["local"]


def glossary() -> Iterator[tuple[str, str]]:
    """Yield each word of the glossary with its sentence."""
    page = (ROOT / "docs" / "glossary.md").read_text("utf-8")
    for word, text in re.findall(r"^\| (.+?) \| (.+) \|$", page, re.MULTILINE):
        if (word, text) != ("word", "meaning") and word != "---":
            yield word.strip("`"), text


def test_the_glossary_says_what_the_page_says() -> None:
    assert {*get_args(SymptomKind), *get_args(Role), *STAGES} <= set(words())
    told = list(glossary())
    kinds = [(kind, KIND_WORDS[kind]) for of_stage in KINDS.values() for kind in of_stage]
    assert told == [*words().items(), *kinds, *METRICS.items(), *OUTCOME_REASONS.items()]


def test_every_word_of_the_glossary_has_one_meaning() -> None:
    assert len(words()) == sum(map(len, GLOSSARY.values()))


def test_no_package_registry_is_named() -> None:
    registry = "py" + "pi.org"
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), ROOT / "pyproject.toml"]:
        assert registry not in path.read_text("utf-8"), path
