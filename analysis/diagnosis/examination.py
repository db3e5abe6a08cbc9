"""How much of what is needed the turns of a source tell: `stagefault doctor`.

Counts only. A share says of how many: `chunk text 61 % (1,204 of 1,974 chunks)`. A fact
that no turn could have (arguments where no tool was called) is 0 of 0, never 0 %.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from analysis.diagnosis.clocks import Clocks
from analysis.metrics.ratio import Ratio
from analysis.reading import Read, shelve_drafts
from analysis.shelf import Shelf
from ingest import Limits
from ingest.conventions.capture import CARRIERS
from ingest.conventions.identity import conversation_key
from ingest.conventions.mapping import NO_MAPPING, HouseMapping
from ingest.span import Span
from judge import not_judgeable, relevance_questions, statements_question, support_questions
from stages import Conversation, Turn, TurnDraft, assemble
from stages.model_calls import model_calls
from stages.records import Routing
from stages.tree import by_start, grow

_SDK_ATTRIBUTES: Final = 128
"""Attributes of a span that recorders keep unless they are told otherwise."""

_Facts = Iterator[tuple[str, str, bool]]
"""Unit counted, name of the fact, whether it is there."""

SINGULAR: Final = {
    "turns": "turn",
    "calls": "call",
    "searches": "search",
    "chunks": "chunk",
    "citations": "citation",
}
"""Units of the facts, said of one."""
STAGES: Final[dict[str, tuple[str, ...]]] = {
    "turn": ("question", "conversation id", "model", "tokens", "language", "tenant"),
    "routing": ("agent", "catalogue", "tool arguments", "tool result"),
    "retrieval": ("query", "collection", "chunks", "chunk text", "chunk id", "chunk score"),
    "generation": ("answer", "prompt", "citation target"),
}
"""Facts by the stage that they tell about, in the order in which they are shown."""


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
    dropping_spans: int = 0
    """Spans that lost any."""
    full_spans: int = 0
    """Spans with exactly as many attributes as recorders keep by default, and none said to
    be dropped: an older recorder drops without counting."""
    model_calls: int = 0
    """Calls of a model, each counted once, however many spans recorded it."""
    captures: dict[str, Counter[str]] = field(default_factory=dict)
    """By kind of span that carries content: spans by whether it was captured."""
    silent: Counter[str] = field(default_factory=Counter)
    """By convention: spans that hold no content although their kind carries some."""
    conversation_keys: Counter[str] = field(default_factory=Counter)
    """Turns by the name under which their conversation id was told."""
    conversation_inferred: int = 0
    """Turns without a conversation id: their trace stands for it."""
    clocks: Clocks = field(default_factory=Clocks)
    coverage: dict[str, tuple[str, Ratio]] = field(default_factory=dict)
    """By fact: the unit counted, and how many of them tell it."""
    decidable: dict[str, Ratio] = field(default_factory=dict)
    """By question: turns for which it can be asked, of all turns."""

    @property
    def content(self) -> str:
        """Whether content was captured: `on`, `off`, `partly`, or `unknown` without spans."""
        silenced = self.silenced
        if not silenced.total:
            return "unknown"
        return "on" if not silenced.hits else "off" if silenced.hits == silenced.total else "partly"

    @property
    def silenced(self) -> Ratio:
        """Spans that carry content by their kind and hold none, of all such spans."""
        total = sum(counts.total() for counts in self.captures.values())
        return Ratio(sum(counts["not_captured"] for counts in self.captures.values()), total)

    @property
    def cut_spans(self) -> int:
        """Spans in which a length limit cut a text."""
        return sum(counts["truncated"] for counts in self.captures.values())


def examine(
    sources: Sequence[str], limits: Limits, mapping: HouseMapping = NO_MAPPING, *, now_ns: int
) -> tuple[Examination, Read]:
    """Read sources and count what they tell. Asks no judge and writes nothing.

    Args:
        sources: Files, folders, globs, or `-`.
        limits: Bounds on what is read.
        mapping: What the house says of its own names.
        now_ns: What is a day later is in the future.

    Raises:
        SourceError: A source cannot be opened.
    """
    found = Examination()
    with Shelf(TurnDraft) as drafts:
        read = shelve_drafts(
            sources,
            limits,
            drafts,
            lambda spans: _count_spans(found, spans, now_ns),
            mapping,
            lambda spans, draft: _count_draft(found, spans, draft),
        )
        for conversation_id, parts in drafts.groups():
            _count_turns(found, assemble(conversation_id, parts))
    return found, read


def _count_spans(found: Examination, spans: Sequence[Span], now_ns: int) -> None:
    found.traces += 1
    found.clocks.add(spans, now_ns)
    tree = grow(spans)
    found.model_calls += len(model_calls(tree, tree.acting))
    for span in spans:
        found.spans += 1
        found.kinds[span.kind.value] += 1
        found.conventions.update(span.conventions)
        found.flags.update(span.flags)
        dropped = span.raw.dropped_attributes
        found.dropped_attributes += dropped
        found.dropping_spans += dropped > 0
        if span.conventions and not dropped:
            found.full_spans += len(span.raw.attributes) == _SDK_ATTRIBUTES
        if span.kind in CARRIERS and not span.synthetic:
            found.captures.setdefault(span.kind.value, Counter())[span.content] += 1
            if span.content == "not_captured":
                found.silent.update(span.conventions[:1])


def _count_draft(found: Examination, spans: Sequence[Span], draft: TurnDraft) -> None:
    """Count under which name the turn's conversation was told."""
    wanted = draft.conversation_id
    for span in sorted(spans, key=by_start):
        if span.conversation_id == wanted:
            key = conversation_key(span.raw, wanted) or "[mapping]"
            found.conversation_keys[key] += 1
            return
    found.conversation_inferred += 1


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
    if any(search.chunks for search in turn.retrievals):
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
