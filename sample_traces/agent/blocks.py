"""The blocks of an answer: what the judge's questions call its paragraphs."""

from markdown_it import MarkdownIt

_MARKDOWN = MarkdownIt("commonmark").enable("table")
_OPENS_BLOCK = {
    "paragraph_open",
    "bullet_list_open",
    "ordered_list_open",
    "table_open",
    "blockquote_open",
    "fence",
    "code_block",
}


def blocks(answer: str) -> list[tuple[int, int]]:
    """Return start and end of every block, in order.

    A whole list or table is one block. A heading belongs to the block below it.
    """
    lines = answer.splitlines(keepends=True)
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line))
    found: list[tuple[int, int]] = []
    heading: int | None = None
    for token in _MARKDOWN.parse(answer):
        if token.level or token.map is None:
            continue
        first, last = token.map
        if token.type == "heading_open":
            heading = first if heading is None else heading
        elif token.type in _OPENS_BLOCK:
            start = offsets[first if heading is None else heading]
            end = start + len(answer[start : offsets[last]].rstrip())
            found.append((start, end))
            heading = None
    return found
