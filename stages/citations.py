"""Citations: which source each marker of the answer points to, if any.

A reference that resolves to one source is `resolved`. Where it may be one of several,
each candidate has a row and none of them counts. A bracket that names nothing known is no
citation at all, unless it is a number or looks like the ids that are known.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from ingest.span import NativeCitation
from stages.markers import Marker, code_spans, markers_in
from stages.paragraphs import Blocks, paragraph_at
from stages.records import Citation, CitationStatus, Paragraph
from stages.sources import Source, Sources, shape_of
from stages.wording import squeezed

_MOST_ROWS = 50
_NUMBER = re.compile(r"\d{1,4}")
_BRACKETED = re.compile(r"[\[【][^\[\]【】]*[\]】]")
_ANY_MARKER = re.compile(r"[\[［【(（^⁰¹²³⁴-⁹]")
_YEARS = range(1900, 2100)


_Outcome: TypeAlias = "tuple[str | None, CitationStatus]"


class _Row(NamedTuple):
    marker: str
    start: int
    end: int
    target: str | None
    status: CitationStatus
    source: Literal["marker", "native"] = "marker"
    paragraph: int | None = None


def citations_of(
    answer: str,
    blocks: Blocks,
    sources: Sources,
    native: Sequence[NativeCitation] = (),
    listed: Sequence[NativeCitation] = (),
) -> tuple[Citation, ...]:
    """Return the citations of an answer in reading order, numbered from 1.

    Args:
        answer: The text, exactly as given.
        blocks: Its paragraphs, code and definition lines.
        sources: What it may cite.
        native: Citations that the model's API returned; they win over a marker at their place.
            One without a known target has a target that the trace does not show.
        listed: Sources that the model listed in a structured answer; it may invent them.
    """
    hidden = [*blocks.code, *blocks.definitions, *_inline_code(answer, blocks)]
    rows = list(_native(answer, blocks.paragraphs, sources, native, "target_not_captured"))
    invented = _unknown(sources, "unknown_id")
    besides = list(_native(answer, blocks.paragraphs, sources, listed, invented))
    rows += besides
    hidden.extend((row.start, row.end) for row in rows if row.marker)
    known: dict[tuple[str, str], list[_Outcome]] = {}
    for marker in markers_in(answer, sorted(hidden)):
        key = (marker.kind, marker.text)
        if key not in known:
            known[key] = _resolve(marker, blocks.meanings, sources)[:_MOST_ROWS]
        rows.extend(_Row(marker.text, marker.start, marker.end, *told) for told in known[key])
    # A source that is listed because the text cites it is cited once.
    cited = {row.target for row in rows if row.marker and row.target is not None}
    again = {id(row) for row in besides if not row.marker and row.target in cited}
    rows = [row for row in rows if id(row) not in again]
    rows.sort(key=lambda row: (row.start, row.end))
    return tuple(
        Citation(
            citation=number,
            marker=row.marker,
            start=row.start,
            end=row.end,
            paragraph=row.paragraph or paragraph_at(blocks.paragraphs, row.start),
            target=row.target,
            status=row.status,
            source=row.source,
        )
        for number, row in enumerate(rows, start=1)
    )


def may_cite(answer: str) -> bool:
    """Tell whether *answer* holds a character that a marker could begin with."""
    return _ANY_MARKER.search(answer) is not None


def _inline_code(answer: str, blocks: Blocks) -> Iterator[tuple[int, int]]:
    for paragraph in blocks.paragraphs:
        if paragraph.kind == "prose":
            yield from code_spans(answer, paragraph.start, paragraph.end)
        elif paragraph.kind != "code":
            # Code does not run from one item or cell line into the next.
            start = paragraph.start
            for line in paragraph.text.splitlines(keepends=True):
                yield from code_spans(answer, start, start + len(line))
                start += len(line)


def _resolve(marker: Marker, meanings: Mapping[str, str], sources: Sources) -> list[_Outcome]:
    by_name = _by_name(marker, sources)
    if marker.kind == "link":
        return by_name
    if marker.kind == "raised":
        return _raised(marker.numbers[0], meanings, sources)
    if by_name or marker.too_wide:
        return by_name or [(None, _unknown(sources, "out_of_range"))]
    if marker.numbers:
        found = [o for number in marker.numbers for o in _by_number(number, meanings, sources)]
        return list(dict.fromkeys(found)) if marker.is_range else found
    if marker.position is not None:
        at = sources.ordered[marker.position : marker.position + 1]
        return _outcomes(at) or [(None, _unknown(sources, "out_of_range"))]
    if marker.kind == "note":
        meant = _meant(meanings.get(marker.names[0], ""), sources)
        known = marker.names[0] in meanings
        return _outcomes(meant) or ([(None, _unknown(sources, "unknown_id"))] if known else [])
    if marker.kind == "named":
        return [(None, _unknown(sources, "unknown_id"))]
    invented = [name for name in marker.names if shape_of(name) in sources.shapes]
    return [(None, _unknown(sources, "unknown_id"))] * len(invented)


def _by_name(marker: Marker, sources: Sources) -> list[_Outcome]:
    """Resolve the whole text of a marker, else those of its parts that are known names."""
    if not marker.names:
        return []
    whole = sources.named(marker.names[0])
    if whole:
        return _outcomes(_narrowed(whole, marker, sources))
    found: list[_Outcome] = []
    for name in marker.names[1:]:
        meant = _outcomes(sources.named(name))
        if not meant and shape_of(name) in sources.shapes:
            meant = [(None, _unknown(sources, "unknown_id"))]
        found.extend(meant)
    return found if any(target is not None for target, _ in found) else []


def _narrowed(meant: tuple[Source, ...], marker: Marker, sources: Sources) -> tuple[Source, ...]:
    """Use the place that a file-search marker gives to choose among passages of one file."""
    if len(meant) > 1 and marker.position is not None:
        at = sources.ordered[marker.position : marker.position + 1]
        return tuple(source for source in at if source in meant) or meant
    return meant


def _by_number(number: int, meanings: Mapping[str, str], sources: Sources) -> list[_Outcome]:
    meaning = meanings.get(str(number))
    meant = _meant(meaning, sources) if meaning else ()
    if found := meant or sources.numbers.get(number) or sources.named(str(number)):
        return _outcomes(found)
    if number == 0 or number in _YEARS:
        return []
    return [(None, _unknown(sources, "out_of_range"))]


def _meant(meaning: str, sources: Sources) -> tuple[Source, ...]:
    """Return what a line of the answer's own source list names: as a whole, else by one word."""
    if whole := sources.named(meaning):
        return whole
    words = re.split(r"[\s<>()\[\]\"'`]+", meaning)
    named = [found for word in words if (found := sources.named(word.strip(".,;:")))]
    return named[0] if len(set(named)) == 1 else ()


def _raised(number: int, meanings: Mapping[str, str], sources: Sources) -> list[_Outcome]:
    """Resolve `word¹`: only a number that exists; `¹²` may also be 1 and 2."""
    if number in sources.numbers:
        return _by_number(number, meanings, sources)
    digits = [sources.numbers.get(int(digit), ()) for digit in str(number)]
    if len(digits) > 1 and all(digits):
        targets = dict.fromkeys(source.target for meant in digits for source in meant)
        return [(target, "ambiguous") for target in targets]
    return []


def _outcomes(meant: Iterable[Source]) -> list[_Outcome]:
    sources = {source.target: source for source in meant}
    if len(sources) > 1:
        return [(target, "ambiguous") for target in sources]
    return [
        (target, "resolved_earlier_turn" if source.earlier else "resolved")
        for target, source in sources.items()
    ]


def _unknown(sources: Sources, status: CitationStatus) -> CitationStatus:
    """Return *status*, unless the trace may only lack the target."""
    return status if sources.captured else "target_not_captured"


# Citations beside the text


def _native(
    answer: str,
    paragraphs: Sequence[Paragraph],
    sources: Sources,
    native: Sequence[NativeCitation],
    unresolved: CitationStatus,
) -> Iterator[_Row]:
    searched_from = 0
    for given in native:
        start, end, searched_from = _place(answer, given, searched_from)
        marker = answer[start:end]
        if not _BRACKETED.fullmatch(marker):
            marker = ""
        paragraph = paragraph_at(paragraphs, max(start, end - 1))
        if paragraph is None and len(paragraphs) == 1:
            paragraph = paragraphs[0].paragraph
        for target, status in _native_target(given, sources) or [(None, unresolved)]:
            yield _Row(marker, start, end, target, status, "native", paragraph)


def _place(answer: str, given: NativeCitation, searched_from: int) -> tuple[int, int, int]:
    if given.start is not None and given.end is not None:
        start = min(max(given.start, 0), len(answer))
        return start, min(max(given.end, start), len(answer)), searched_from
    if given.block_text:
        at = answer.find(given.block_text, searched_from)
        if at < 0:
            at = answer.find(given.block_text)
        if at >= 0:
            # Several citations of one block follow each other and share its place.
            return at, at + len(given.block_text), at
    return len(answer), len(answer), searched_from


def _native_target(given: NativeCitation, sources: Sources) -> list[_Outcome]:
    meant: tuple[Source, ...] = ()
    if given.target_id:
        meant = sources.named(given.target_id)
        if not meant and _NUMBER.fullmatch(given.target_id):
            meant = sources.numbers.get(int(given.target_id), ())
    if not meant and given.target_index is not None and given.target_index >= 0:
        meant = sources.ordered[given.target_index : given.target_index + 1]
    quote = squeezed(given.quote or "")
    if quote and len(meant) != 1:
        holding = tuple(s for s in meant or sources.ordered if quote in squeezed(s.text or ""))
        meant = holding or meant
    if len(meant) == 1 and quote and quote not in squeezed(meant[0].text or quote):
        return [(meant[0].target, "quote_not_in_chunk")]
    return _outcomes(meant)
