"""A page on disk: one file while it is small, else a page with a folder of parts beside it.

    week.html    page, list and bodies in one file
    week.html    or: the page, and beside it
    week/        app.css, app.js, data/index.js, data/turns/00.js, 01.js, …

Parts are classic scripts that hand their text to a function: what a browser loads from disk,
from an object store, and under `script-src 'self'`, where it loads nothing else.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

from analysis.report.files import write_whole
from analysis.report.html.assets import assets
from analysis.report.html.bodies import FOLDER_SHARD, Bodies
from analysis.report.html.islands import compact
from analysis.report.html.options import FILE_TURNS, FOLDER_BUDGET, PageOptions
from analysis.report.html.page import Page
from analysis.report.model import Report
from analysis.run import Run
from ingest.errors import StoreError

INDEX: Final = "index.html"
_CALL: Final = "stagefaultPart("
_SHARD_NAME: Final = re.compile(r"[0-9a-f]{2,8}\.js")


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What was written."""

    page: Path
    """What a browser is to open."""
    parts: Path | None
    """The folder beside it; None: the page needs none."""
    size: int
    """Bytes of all files."""


def write_html(run: Run, report: Report, path: Path, options: PageOptions) -> Written:
    """Write the report as a page.

    Args:
        run: The run.
        report: Its report; the page is about the turns that it selects.
        path: The page. Its parts, if it has any, stand in a folder of its name without the
            extension; those of an `index.html` stand beside it.
        options: How to lay it out, and what to show.

    Raises:
        StoreError: A table cannot be read, or a file not written.
    """
    page = Page(run, report, options)
    one_file = options.layout == "file"
    if one_file or (options.layout == "auto" and len(page.index) <= FILE_TURNS):
        text, whole = page.in_one_file()
        if one_file or whole:
            write_whole(path, text)
            return Written(page=path, parts=None, size=path.stat().st_size)
    return _with_parts(page, path)


def _with_parts(page: Page, path: Path) -> Written:
    folder = path.parent if path.name == INDEX else path.with_suffix("")
    address = "./" if path.name == INDEX else f"./{quote(folder.name, safe='')}/"
    shards = folder / "data" / "turns"
    _clear(shards)
    files: list[Path] = []

    def write(name: str, text: str) -> None:
        files.append(folder / name)
        write_whole(files[-1], text)

    bodies = Bodies(
        keep=lambda number, text: write(
            f"data/turns/{number:02x}.js", _call([(f"shard-{number}", text)])
        ),
        budget=FOLDER_BUDGET,
    )
    page.fill(bodies, FOLDER_SHARD)
    write("data/index.js", _call(page.data(bodies).items()))
    write("app.js", assets().script)
    write("app.css", assets().style)
    files.append(path)
    write_whole(path, page.beside(address, bodies))  # last: it names only what is there
    return Written(page=path, parts=folder, size=sum(one.stat().st_size for one in files))


def _call(parts: Iterable[tuple[str, str]]) -> str:
    """Return a script that hands over packed texts by name."""
    return "".join(f"{_CALL}{compact(name)},{compact(text)});\n" for name, text in parts)


def _clear(shards: Path) -> None:
    """Remove the shards of an earlier page: they may show what this one must not."""
    try:
        for one in shards.glob("*.js"):
            if _SHARD_NAME.fullmatch(one.name) and _is_ours(one):
                one.unlink()
    except OSError as error:
        raise StoreError(
            str(shards), f"cannot be cleared ({error.strerror or error})", "Choose another -o."
        ) from None


def _is_ours(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_CALL)) == _CALL.encode()
