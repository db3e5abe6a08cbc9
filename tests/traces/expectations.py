"""What a turn of a real file holds, in the form in which a person reads it off the file."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ingest.conventions import to_span
from ingest.span import RawSpan, Span
from stages import Turn, TurnDraft, assemble, build_drafts
from stages.records import Retrieval
from tests.traces.loading import Loader, file, read

SHOWN = 60
"""Characters of an answer that a row quotes."""


@dataclass(frozen=True, kw_only=True)
class Expected:
    """One turn; a stage that a row does not mention did not run."""

    question: str | None
    answer: str | None
    """Its first characters, at most `SHOWN`."""
    agents: str = ""
    """Names in the order in which they took over."""
    tools: tuple[tuple[str, Any, str], ...] = ()
    """Name, arguments and status."""
    searches: tuple[tuple[str | None, str | None, str], ...] = ()
    """Query, collection, and the chunks as `3: text id score`."""
    cites: str = ""
    """Marker and target of each citation that resolves."""
    tokens: tuple[int | None, int | None] = (None, None)


def turns_of(name: str) -> list[Turn]:
    """Return the turns of a real file, by conversation."""
    return assembled(read(file(name)))


def spans_of(name: str, loader: Loader = read) -> list[Span]:
    """Return the spans of a real file."""
    return [to_span(raw) for raw in loader(file(name))]


def assembled(spans: Iterable[RawSpan]) -> list[Turn]:
    traces: dict[str, list[Span]] = {}
    for raw in spans:
        traces.setdefault(raw.trace_id, []).append(to_span(raw))
    drafts: dict[str, list[TurnDraft]] = {}
    for trace_id, members in traces.items():
        for draft in build_drafts(trace_id, members):
            drafts.setdefault(draft.conversation_id, []).append(draft)
    return [turn for key in sorted(drafts) for turn in assemble(key, drafts[key]).turns]


def seen(turn: Turn) -> Expected:
    """Bring a turn into the form of a row."""
    answer = turn.generation.answer if turn.generation else None
    citations = turn.generation.citations if turn.generation else ()
    return Expected(
        question=turn.question,
        answer=None if answer is None else answer[:SHOWN],
        agents=" > ".join(choice.name for choice in turn.routing.agents) if turn.routing else "",
        tools=tuple((call.name, call.arguments, call.status) for call in turn.tool_calls),
        searches=tuple((s.query, s.collection, _chunks(s)) for s in turn.retrievals),
        cites=" ".join(f"{c.marker}{c.target}" for c in citations if c.resolved),
        tokens=(turn.input_tokens, turn.output_tokens),
    )


def _chunks(search: Retrieval) -> str:
    chunks = search.chunks
    told = {
        "text": all(chunk.text for chunk in chunks),
        "id": not any(chunk.chunk_id.startswith("sha1:") for chunk in chunks),
        "score": all(chunk.score is not None for chunk in chunks),
    }
    words = [word for word, found in told.items() if found and chunks]
    state = "" if search.status == "ok" else f" {search.status}"
    return f"{len(chunks)}:{state} {' '.join(words)}".rstrip()


def shown(path: Path, loader: Loader = read) -> str:
    """Return the rows that a file gives now, to be checked against the file by eye."""
    return "\n".join(map(repr, map(seen, assembled(loader(path)))))
