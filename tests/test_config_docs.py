"""The pages about configuration tell the truth: commands, names and defaults."""

import re
import shutil
import tomllib
from dataclasses import asdict
from pathlib import Path

import pytest
from click.testing import CliRunner

from analysis.cli import main
from analysis.cli.configured import PROFILE
from analysis.config.limits import limit_text
from analysis.config.mapping import KINDS
from ingest.conventions.mapped_facts import ALL_FACTS
from ingest.conventions.mapped_lists import ITEM_FIELDS
from ingest.limits import DEFAULT_LIMITS
from tests.test_docs import commands, pattern, plain

ROOT = Path(__file__).parent.parent
MAPPING = (ROOT / "docs" / "mapping.md").read_text("utf-8")
CONFIGURATION = (ROOT / "docs" / "configuration.md").read_text("utf-8")


def test_the_page_about_mapping_shows_what_its_commands_print(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    shown = list(commands("docs/mapping.md"))
    assert len(shown) == 3
    for command, output in shown:
        result = CliRunner().invoke(main, command.split()[1:])
        assert pattern(output).fullmatch(plain(result.stdout)), f"{command}\n{result.stdout}"


def test_the_page_about_configuration_shows_what_its_command_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "stagefault.toml").write_text(
        'source = "traces"\n[profile]\nk = 3\n[mapping]\nconversation = "acme.chat.id"\n'
    )
    monkeypatch.chdir(tmp_path)
    ((command, output),) = commands("docs/configuration.md")
    result = CliRunner().invoke(main, command.split()[1:])
    assert pattern(output).fullmatch(plain(result.stdout)), result.stdout


def test_the_example_is_the_file_beside_it() -> None:
    blocks = re.findall(r"```toml\n(.*?)```", MAPPING, re.DOTALL)
    assert [tomllib.loads(block) for block in blocks] == [
        tomllib.loads((ROOT / "docs" / "mapping" / "house.toml").read_text("utf-8"))
    ]


def test_the_example_of_a_configuration_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (block,) = re.findall(r"```toml\n(.*?)```", CONFIGURATION, re.DOTALL)
    (tmp_path / "stagefault.toml").write_text(block)
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["doctor", "--config"])
    assert result.exit_code == 0, result.stderr
    assert "max record_bytes       128 MiB  (stagefault.toml)" in result.stdout


@pytest.mark.parametrize(
    "name", [*KINDS, *ALL_FACTS, *ITEM_FIELDS["chunk"], *ITEM_FIELDS["citation"]]
)
def test_every_name_of_a_mapping_is_on_its_page(name: str) -> None:
    assert f"`{name}`" in MAPPING


@pytest.mark.parametrize(("name", "value"), asdict(DEFAULT_LIMITS).items())
def test_every_limit_is_on_its_page_with_its_default(name: str, value: int) -> None:
    assert f"| `{name}` | {limit_text(name, value)} |" in CONFIGURATION


@pytest.mark.parametrize("name", PROFILE)
def test_every_value_of_a_profile_is_on_its_page(name: str) -> None:
    assert f"`{name}`" in CONFIGURATION


@pytest.mark.parametrize("page", ["docs/mapping.md", "docs/configuration.md"])
def test_what_a_page_links_to_is_there(page: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", (ROOT / page).read_text("utf-8")):
        assert ((ROOT / page).parent / target).exists(), target
