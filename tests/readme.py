"""Writes into README.md what its commands print now: `python -m tests.readme`.

Output that ends with a line `…` is cut where the old one was: in the paragraph of the same
number, after as many lines. Look at the difference before you commit it.
"""

import os
import re
import shutil
import tempfile
from pathlib import Path

from click.testing import CliRunner

from analysis.cli import main as stagefault
from tests.test_docs import ROOT, commands

CUT = "…\n"


def cut_like(shown: str, printed: str) -> str:
    """Return what was printed, as much of it as was shown."""
    if not shown.endswith(CUT):
        return printed
    old, new = shown.removesuffix(CUT).split("\n\n"), printed.split("\n\n")
    shown_lines, lines = old[-1].splitlines(), new[len(old) - 1].splitlines()
    most = len(shown_lines)
    if shown_lines[-1].endswith("."):  # no sentence is cut that was whole
        most = next(
            (n for n, line in enumerate(lines, 1) if n >= most and line.endswith(".")), most
        )
    last = lines[:most]
    return "\n\n".join([*new[: len(old) - 1], "\n".join(last)]) + "\n" + CUT


def main() -> None:
    """Run every command of the README in its order, and write down what it prints."""
    page = ROOT / "README.md"
    text = page.read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(ROOT / "sample_traces", Path(folder) / "sample_traces")
        os.chdir(folder)
        for command, shown in list(commands("README.md")):
            ran = CliRunner().invoke(stagefault, command.split()[1:])
            printed = re.sub(r"[ ]+$", "", ran.stdout, flags=re.MULTILINE)
            if shown.strip():
                before = f"$ {command}\n{shown}"
                after = f"$ {command}\n{cut_like(shown, printed)}"
                text = text.replace(before, after)
    page.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
