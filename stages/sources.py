"""Sources: everything that an answer may cite, by number and by name.

A number means, in this order: what the answer's own list of sources says, what the prompt
numbered so, the chunk of that rank. A name is an id, url, title or file of a chunk, or
the call id of a tool result.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from ingest.span import Value
from stages.context import Prompt, numbered
from stages.records import Chunk, Retrieval, ToolCall

_NAME_KEYS = (
    "id",
    "chunk_id",
    "doc_id",
    "document_id",
    "x-amz-bedrock-kb-chunk-id",
    "source",
    "url",
    "uri",
    "link",
    "href",
    "source_url",
    "doc_uri",
    "title",
    "file",
    "file_name",
    "filename",
    "path",
    "name",
    "x-amz-bedrock-kb-source-uri",
)
_LONGEST_NAME = 500
_WORD = re.compile(r"\d+|[^\W\d_]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One thing that can be cited."""

    target: str
    """Evidence id: chunk id, or call id of a tool."""
    text: str | None
    earlier: bool = False
    """It was fetched in an earlier turn."""


class Past:
    """What the earlier turns of a conversation fetched; grows turn by turn."""

    def __init__(self) -> None:
        self.turns: list[tuple[Retrieval, ...]] = []
        """Searches of each turn, oldest first."""
        self.names: dict[str, dict[str, Source]] = {}
        """By folded name, then by target."""
        self.shapes: set[str] = set()

    def add(self, retrievals: tuple[Retrieval, ...], calls: Iterable[ToolCall]) -> None:
        """Add the next turn."""
        self.turns.append(retrievals)
        chunks = [chunk for retrieval in retrievals for chunk in retrieval.chunks]
        _name(self.names, chunks, calls, earlier=True)
        self.shapes.update(_shapes(chunks))

    def newest_first(self) -> Iterator[Chunk]:
        """Yield all chunks, those of the last turn first."""
        for retrievals in reversed(self.turns):
            for retrieval in retrievals:
                yield from retrieval.chunks


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """What an answer may cite."""

    numbers: Mapping[int, tuple[Source, ...]]
    """By number; several where the trace does not tell which list was meant."""
    names: Mapping[str, Mapping[str, Source]]
    """This turn's, by folded name and target; several where they share a file or title."""
    earlier_names: Mapping[str, Mapping[str, Source]]
    """The earlier turns', likewise."""
    shapes: AbstractSet[str]
    """What the known ids look like, to tell an invented id from a word in brackets."""
    captured: bool
    """The trace tells everything that was fetched: what is not here does not exist."""
    ordered: tuple[Source, ...]
    """This turn's chunks in the order of the request, for 0-based indexes."""

    def named(self, name: str) -> tuple[Source, ...]:
        """Return what bears this name; this turn's before earlier turns'."""
        key = folded(name)
        return tuple((self.names.get(key) or self.earlier_names.get(key) or {}).values())


def sources_of(
    retrievals: Sequence[Retrieval],
    calls: Sequence[ToolCall],
    prompt: Prompt | None,
    past: Past | None = None,
) -> Sources:
    """Gather what an answer may cite.

    Args:
        retrievals: The searches of this turn.
        calls: The tool calls of this turn.
        prompt: What the model read, None when not captured.
        past: What the earlier turns fetched.
    """
    past = past or Past()
    own = [chunk for retrieval in retrievals for chunk in retrieval.chunks]
    names: dict[str, dict[str, Source]] = {}
    _name(names, own, calls, earlier=False)
    return Sources(
        numbers=_numbers(retrievals, own, prompt, past),
        names=names,
        earlier_names=past.names,
        shapes=past.shapes.union(_shapes(own)),
        captured=not any(r.status == "not_captured" for r in retrievals)
        and not any(call.status == "unknown" for call in calls)
        and (bool(retrievals) or prompt is None or not prompt.entries),
        ordered=tuple({c.chunk_id: _source(c, earlier=False) for c in own}.values()),
    )


def _name(
    names: dict[str, dict[str, Source]],
    chunks: Iterable[Chunk],
    calls: Iterable[ToolCall],
    *,
    earlier: bool,
) -> None:
    for chunk in chunks:
        source = _source(chunk, earlier=earlier)
        for name in _names(chunk):
            names.setdefault(name, {}).setdefault(source.target, source)
    for call in calls:
        tool = Source(target=call.call_id, text=None, earlier=earlier)
        names.setdefault(folded(call.call_id), {}).setdefault(tool.target, tool)


def _shapes(chunks: Iterable[Chunk]) -> Iterator[str]:
    for chunk in chunks:
        shape = None if chunk.chunk_id.startswith("sha1:") else shape_of(chunk.chunk_id)
        if shape is not None:
            yield shape


def folded(name: str) -> str:
    """Return a name as names are compared: case, fragment and closing slash do not count."""
    plain = " ".join(name.split()).casefold()
    return plain.partition("#")[0].rstrip("/") or plain if "://" in plain else plain


def shape_of(name: str) -> str | None:
    """Return what an id looks like (`hr-001` ─▶ `aa-9`), None for one that any word may be.

    Letters keep their number and digits do not, so `hr-999` looks like `hr-001`.
    """
    if not any(character.isdigit() for character in name) or name.isdigit():
        return None
    if not any(character in "-_:/.#" or character.isalpha() for character in name):
        return None
    return _WORD.sub(lambda match: "9" if match[0][0].isdigit() else "a", name)


def _numbers(
    retrievals: Sequence[Retrieval], own: Sequence[Chunk], prompt: Prompt | None, past: Past
) -> dict[int, tuple[Source, ...]]:
    ranked = _ranked(retrievals, earlier=False)
    if prompt is not None and prompt.entries:
        shown = _sources(numbered(prompt, own), earlier=False)
        if any(entry.number not in shown for entry in prompt.entries):
            of_old = numbered(prompt, list(past.newest_first()))
            for number, meant in _sources(of_old, earlier=True).items():
                shown.setdefault(number, meant)
        return {**(_unrecognised(prompt, shown, ranked) if shown else ranked), **shown}
    if not retrievals:
        for turn in reversed(past.turns):
            carried = [retrieval for retrieval in turn if _carried(retrieval, prompt)]
            if carried:
                return _ranked(carried, earlier=True)
    return ranked


def _sources(
    chunks: Mapping[int, tuple[Chunk, ...]], *, earlier: bool
) -> dict[int, tuple[Source, ...]]:
    return {
        number: tuple(_source(chunk, earlier=earlier) for chunk in meant)
        for number, meant in chunks.items()
    }


def _unrecognised(
    prompt: Prompt,
    shown: Mapping[int, tuple[Source, ...]],
    ranked: Mapping[int, tuple[Source, ...]],
) -> dict[int, tuple[Source, ...]]:
    """Take numbers of the prompt whose text matched no chunk for ranks that are still free."""
    taken = {source.target for meant in shown.values() for source in meant}
    return {
        entry.number: ranked[entry.number]
        for entry in prompt.entries
        if entry.number in ranked and not taken & {s.target for s in ranked[entry.number]}
    }


def _carried(retrieval: Retrieval, prompt: Prompt | None) -> bool:
    if prompt is None:
        return False
    return retrieval.call_id in prompt.call_ids or any(
        chunk.text is not None and prompt.holds(chunk.text) for chunk in retrieval.chunks
    )


def _ranked(retrievals: Iterable[Retrieval], *, earlier: bool) -> dict[int, tuple[Source, ...]]:
    found: dict[int, dict[str, Source]] = {}
    for retrieval in retrievals:
        for chunk in retrieval.chunks:
            source = _source(chunk, earlier=earlier)
            found.setdefault(chunk.rank, {}).setdefault(source.target, source)
    return {number: tuple(sources.values()) for number, sources in found.items()}


def _source(chunk: Chunk, *, earlier: bool) -> Source:
    return Source(target=chunk.chunk_id, text=chunk.text, earlier=earlier)


def _names(chunk: Chunk) -> Iterator[str]:
    told: list[Value] = [chunk.chunk_id, *(chunk.metadata.get(key) for key in _NAME_KEYS)]
    for value in told:
        if isinstance(value, bool) or not isinstance(value, str | int):
            continue
        name = str(value)
        if 0 < len(name) <= _LONGEST_NAME:
            yield folded(name)
            base = re.split(r"[/\\]", name.rstrip("/"))[-1]
            if base and "." in base and base != name:
                yield folded(base)
