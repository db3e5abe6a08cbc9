"""`stagefault explain`: what a word of the output means, and the pages of the documentation."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING

import click

from analysis.cli.group import Command
from analysis.cli.options import json_option
from analysis.cli.output import width

if TYPE_CHECKING:
    from analysis.explaining import Meaning


@click.command(cls=Command, short_help="What a word of the output means.")
@click.argument("words", nargs=-1, metavar="[WORD|PAGE]…")
@json_option
def explain(words: tuple[str, ...], as_json: bool) -> None:
    """Say what a WORD of the output means: an outcome, a fault, a metric, a reason.

    \b
        stagefault explain wrong_collection latent
        stagefault explain ndcg no_gain
        stagefault explain attribution | less     the rules, a PAGE
        stagefault explain                        all words, and all pages

    Pages of the documentation are attribution (which stage, and why), configuration, mapping
    (your own attribute names), report (the HTML page), and more.
    """
    from analysis.explaining import explained, page_text, pages, vocabulary
    from analysis.report.terminal import safe_json

    known = pages()
    found = [one for word in words if word.casefold() not in known for one in explained(word)]
    texts = {
        word.casefold(): page_text(word.casefold()) for word in words if word.casefold() in known
    }
    if not words:
        found = list(vocabulary())
    if as_json:
        told = [{"word": one.word, "group": one.group, "meaning": one.text} for one in found]
        click.echo(safe_json({"schema_version": 1, "words": told, "pages": texts}))
        return
    listed = _lines(found, width()) if words else _all_lines(found, known, width())
    for line in listed:
        click.echo(line)
    for text in texts.values():
        click.echo(text, nl=False)


def _lines(found: Iterable["Meaning"], cells: int) -> Iterator[str]:
    from analysis.report.layout import wrap

    for one in found:
        yield from wrap(f"{one.word} ({one.group[0].lower()}{one.group[1:]})", cells)
        yield from (f"  {part}" for part in wrap(one.text, cells - 2))


def _all_lines(found: Iterable["Meaning"], pages: Iterable[str], cells: int) -> Iterator[str]:
    from analysis.report.layout import wrap

    for number, (group, words) in enumerate(groupby(found, key=lambda one: one.group)):
        yield from ([""] if number else [])
        yield group
        for one in words:
            yield f"  {one.word}"
            yield from (f"    {part}" for part in wrap(one.text, cells - 4))
    yield ""
    yield from wrap(f"Pages, printed by stagefault explain PAGE: {', '.join(pages)}.", cells)
