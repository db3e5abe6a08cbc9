"""What was recognised in a source, before any judging: `stagefault doctor`.

Counts only. A share says of how many: `chunk text 61 % (1,204 of 1,974 chunks)`. A fact
that no turn could have (arguments where no tool was called) is 0 of 0, never 0 %.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from analysis.metrics.ratio import Ratio
from analysis.reading import Read, shelve_drafts
from analysis.shelf import Shelf
from ingest import Limits
from ingest.span import Span
from judge import not_judgeable, relevance_questions, statements_question, support_questions
from stages import Conversation, Turn, TurnDraft, assemble
from stages.records import Routing

_Facts = Iterator[tuple[str, str, bool]]
"""Unit counted, name of the fact, whether it is there."""

ADVICE: Final[dict[str, str]] = {
    "question": "Record the user's message: without it a turn cannot be judged.",
    "answer": "Record the answer (content capture): without it a turn cannot be judged.",
    "chunk text": "Record the text of retrieved chunks: relevance and support need it.",
    "chunks": "Record what each search returned, also when it returned nothing.",
    "chunk id": "Give chunks stable ids: they tell equal chunks apart from similar ones.",
    "prompt": "Record the messages of the last model call: they tell which chunks were seen.",
    "catalogue": "Record the tools that each agent could call: routing is judged against them.",
    "collection": "Record which collection or index each search went to.",
    "tool arguments": "Record the arguments of tool calls.",
    "tool result": "Record the results of tool calls: claims are held against them.",
    "conversation id": "Record a conversation id: without it every trace is a conversation.",
    "query": "Record the query that was really searched.",
}
"""What helps most when a fact is missing, most helpful first."""


@dataclass(slots=True, kw_only=True)
class Examination:
    """All that was counted."""

    traces: int = 0
    spans: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    """Spans by kind."""
    conventions: Counter[str] = field(default_factory=Counter)
    """Spans by convention; a span may follow several."""
    services: Counter[str] = field(default_factory=Counter)
    """Turns by service."""
    conversations: int = 0
    turns: int = 0
    incomplete: int = 0
    flags: Counter[str] = field(default_factory=Counter)
    """Oddities by word, over spans and turns."""
    gaps: Counter[str] = field(default_factory=Counter)
    """What traces do not tell, by reason."""
    dropped_attributes: int = 0
    """Attributes that the recording program itself had dropped."""
    coverage: dict[str, tuple[str, Ratio]] = field(default_factory=dict)
    """By fact: the unit counted, and how many of them tell it."""
    decidable: dict[str, Ratio] = field(default_factory=dict)
    """By question: turns for which it can be asked, of all turns."""

    @property
    def advice(self) -> tuple[str, ...]:
        """Up to three changes of the instrumentation that would help most."""
        missing = [
            (ratio.hits / ratio.total, name)
            for name, (_, ratio) in self.coverage.items()
            if ratio.total and ratio.hits < ratio.total and name in ADVICE
        ]
        order = list(ADVICE)
        ranked = sorted(missing, key=lambda item: (round(item[0], 1), order.index(item[1])))
        return tuple(ADVICE[name] for _, name in ranked[:3])


def examine(sources: Sequence[str], limits: Limits) -> tuple[Examination, Read]:
    """Read sources and count what they tell. Asks no judge and writes nothing.

    Raises:
        SourceError: A source cannot be opened.
    """
    found = Examination()
    with Shelf(TurnDraft) as drafts:
        read = shelve_drafts(sources, limits, drafts, lambda spans: _count_spans(found, spans))
        for conversation_id, parts in drafts.groups():
            _count_turns(found, assemble(conversation_id, parts))
    return found, read


def _count_spans(found: Examination, spans: Iterable[Span]) -> None:
    found.traces += 1
    for span in spans:
        found.spans += 1
        found.kinds[span.kind.value] += 1
        found.conventions.update(span.conventions)
        found.flags.update(span.flags)
        found.dropped_attributes += span.raw.dropped_attributes


def _count_turns(found: Examination, conversation: Conversation) -> None:
    found.conversations += 1
    for turn in conversation.turns:
        found.turns += 1
        found.incomplete += not turn.complete
        found.services[turn.service or "unknown"] += 1
        found.gaps.update(gap.reason for gap in turn.gaps)
        for unit, name, there in _facts(turn):
            known = found.coverage.get(name, (unit, Ratio(0, 0)))[1]
            found.coverage[name] = unit, known + Ratio(int(there), 1)
        for name, there in _decidable(turn).items():
            known = found.decidable.get(name, Ratio(0, 0))
            found.decidable[name] = known + Ratio(int(there), 1)


def _facts(turn: Turn) -> _Facts:
    generation, routing = turn.generation, turn.routing or Routing()
    yield "turns", "question", bool(turn.question)
    yield "turns", "answer", bool(generation and generation.answer)
    yield "turns", "conversation id", turn.conversation_id not in turn.trace_ids
    yield "turns", "agent", turn.agent is not None
    yield "turns", "model", turn.model is not None
    yield "turns", "tokens", turn.input_tokens is not None
    yield "turns", "language", turn.language is not None
    yield "turns", "prompt", turn.gap("prompt_not_captured") is None
    yield "turns", "catalogue", bool(routing.catalogues)
    yield "turns", "tenant", turn.tenant is not None
    for search in turn.retrievals:
        yield "searches", "query", search.query is not None
        yield "searches", "chunks", search.status != "not_captured"
        yield "searches", "collection", search.collection is not None
        if search.collection is not None:
            yield "searches", "collection recorded", not search.collection_inferred
        for chunk in search.chunks:
            yield "chunks", "chunk text", chunk.text is not None
            yield "chunks", "chunk id", not chunk.chunk_id.startswith("sha1:")
            yield "chunks", "chunk score", chunk.score is not None
    for call in turn.tool_calls:
        yield "calls", "tool arguments", call.arguments is not None
        yield "calls", "tool result", call.status != "unknown"
    for citation in generation.citations if generation else ():
        yield "citations", "citation target", citation.resolved


def _decidable(turn: Turn) -> dict[str, bool]:
    """Return for which questions a turn has what it takes; not whether a judge decides."""
    asked = not_judgeable(turn) is None
    routing = turn.routing
    return {
        "routing": asked and routing is not None and bool(routing.catalogues),
        "relevance": asked and next(relevance_questions(turn), None) is not None,
        "support": asked and next(support_questions(turn), None) is not None,
        "statements": asked and statements_question(turn) is not None,
        "answer": asked,
    }
