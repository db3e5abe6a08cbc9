"""What `--help` says: every option once, under a heading where there are many."""

import re

import click
import pytest

from analysis.cli import main
from analysis.cli.exit_codes import READING, Exit, exit_codes_text
from analysis.cli.help_sections import FEWEST, OTHER, by_heading
from tests.cli.conftest import Stagefault

MANY = [name for name, command in main.commands.items() if len(command.params) > FEWEST]


def test_commands_of_many_options_are_those_of_the_first_day() -> None:
    assert set(MANY) >= {"replay", "report", "show"}


@pytest.mark.parametrize("name", MANY)
def test_every_option_stands_once_under_a_heading(stagefault: Stagefault, name: str) -> None:
    text = stagefault(name, "--help", store=False).stdout
    command = main.commands[name]
    listed = [
        line.split("   ")[0].split("  ")[1] for line in text.splitlines() if line.startswith("  -")
    ]
    for option in command.params:
        if isinstance(option, click.Option):
            found = [one for one in listed if option.opts[-1] in re.split("[ ,]+", one)]
            assert len(found) == 1, option.name
    headings = re.findall(r"^([A-Z][\w ,]+):$", text, re.MULTILINE)
    assert headings == list(
        by_heading(one for one in command.params if isinstance(one, click.Option))
    )
    assert headings[-1] == OTHER
    assert len(headings) >= 3


def test_few_options_stand_in_one_list(stagefault: Stagefault) -> None:
    assert "\nOptions:\n" in stagefault("completion", "--help", store=False).stdout


def test_a_command_names_the_exit_codes_that_it_has(stagefault: Stagefault) -> None:
    told = {name: stagefault(name, "--help", store=False).stdout for name in main.commands}
    assert "a gate failed" in told["check"]
    for name in ("replay", "report", "show"):
        assert "a gate failed" not in told[name]
    assert "stopped at" in told["replay"]
    assert "stopped at" not in told["report"]


def test_exit_codes_are_told_in_order() -> None:
    assert exit_codes_text([Exit.NO_TURN, Exit.DONE]) == (
        "Exit codes: 0 done, 3 no turn in the input or the selection."
    )
    assert exit_codes_text().count(",") >= len(Exit) - 1
    assert set(READING) < set(Exit)
