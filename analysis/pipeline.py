"""One run, from files to tables: the one place that wires the four packages together.

    read ─▶ group by trace ─▶ turns ─▶ group by conversation ─▶ know ─▶ judge ─▶ write

Each step takes records and yields records; between them records wait on shelves that
spill to disk. Nothing here decides anything about an answer.
"""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

from analysis.attribution import attribute
from analysis.breakdown.vocabulary import unknown_values
from analysis.judges import Acquaintance
from analysis.judging import Ask, JudgedConversation, judge_conversations
from analysis.metrics import measure
from analysis.missing_traces import holds_no_trace, no_trace_error
from analysis.plan import Notify, Plan, Tally, silent
from analysis.probing import Prober
from analysis.reading import Read, shelve_drafts
from analysis.report.numbers import counted
from analysis.run_folders import run_folders
from analysis.selecting import filtered_values, is_selected
from analysis.shelf import Shelf
from analysis.tables import RunWriter, conversation_rows
from ingest import Span
from ingest.sources import STORE_FILE
from judge import Ledger, ask, citing_agents
from judge.asking_once import Ahead, NotAnsweredYet
from judge.keeping import AskingAhead, KeepingJudge
from judge.pool import ChunkPool
from judge.question import Judge
from judge.run_knowledge import RunKnowledge
from stages import Conversation, Turn, TurnDraft, assemble

BLOCK: Final = 64
"""Conversations that are judged at a time."""
LEDGER_FILE: Final = STORE_FILE
_MADE_JUST_NOW_S: Final = 10.0
"""A younger empty store may be one that another run is making."""


@dataclass(frozen=True, slots=True)
class Known:
    """What the run itself knows, once all turns were seen."""

    pool: ChunkPool
    knowledge: RunKnowledge
    citing: frozenset[tuple[str | None, str | None]]
    judge: Judge


def run_plan(plan: Plan, writer: RunWriter, tally: Tally, notify: Notify = silent) -> Read:
    """Carry out a plan, writing rows as they come; the caller closes the writer.

    Args:
        plan: What to do.
        writer: Takes the rows of every table.
        tally: Filled while the run goes on.
        notify: Told how far each step is.

    Returns:
        What was read: sources, losses and records by outcome.

    Raises:
        StagefaultError: A source, the store or the judge cannot be used. What was judged so
            far is stored.
    """
    with ExitStack() as stack:
        drafts = stack.enter_context(Shelf(TurnDraft))
        conversations = stack.enter_context(Shelf(Conversation))
        with tally.timed("read"):
            read = _read(plan, drafts, tally, notify)
        with tally.timed("assemble"):
            known = _know(plan, drafts, conversations, tally)
        tally.judge = known.judge
        emptied = emptied_store(plan.store)
        ledger = stack.enter_context(Ledger(plan.store / LEDGER_FILE))
        if isinstance(known.judge, KeepingJudge):
            stack.callback(known.judge.close)
        with tally.timed("judge"):
            if isinstance(known.judge, AskingAhead) and known.judge.asks_ahead:
                _ask_ahead(plan, conversations, known, Ahead(known.judge, ledger), notify)
            _judge(plan, conversations, known, ledger, writer, tally, notify)
        if isinstance(known.judge, KeepingJudge):
            tally.warnings = tuple(known.judge.warnings())
        tally.warnings += tuple(_flag_warnings(tally))
        tally.salvages = (
            *emptied,
            *(
                f"{plan.store / LEDGER_FILE}: was damaged; saved into a new store: "
                f"{counted(salvage.rows, 'row')}. The old file is kept as {salvage.moved_to}."
                for salvage in ledger.salvages
            ),
        )
        writer.add_losses(read.losses)
    return read


def preview_plan(
    plan: Plan, ask_of: Callable[[Judge, Ledger], Ask], notify: Notify = silent
) -> None:
    """Carry out a plan as far as stored verdicts carry it; asks and writes nothing.

    Args:
        plan: What would be done.
        ask_of: Makes what questions are put to: it yields stored verdicts, in order, and
            raises `NotAnsweredYet` where one is not there.
        notify: As for `run_plan`.
    """
    with ExitStack() as stack:
        drafts = stack.enter_context(Shelf(TurnDraft))
        conversations = stack.enter_context(Shelf(Conversation))
        _read(plan, drafts, Tally(), notify)
        known = _know(plan, drafts, conversations, Tally())
        ledger = stack.enter_context(Ledger(plan.store / LEDGER_FILE))
        if isinstance(known.judge, KeepingJudge):
            stack.callback(known.judge.close)
        _advance(plan, conversations, known, ask_of(known.judge, ledger), notify)


def _read(plan: Plan, drafts: Shelf[TurnDraft], tally: Tally, notify: Notify) -> Read:
    def watch(spans: Sequence[Span]) -> None:
        tally.traces += 1
        tally.spans += len(spans)
        notify("reading", tally.spans, None)

    read = shelve_drafts(plan.sources, plan.limits, drafts, watch, plan.mapping)
    if holds_no_trace(read):
        raise no_trace_error(plan.sources, read)
    notify("reading", tally.spans, tally.spans)
    return read


def emptied_store(store: Path) -> tuple[str, ...]:
    """Return that the verdict store is an empty file, if it is: it never is after a run."""
    path = store / LEDGER_FILE
    try:
        status = path.stat()
    except OSError:
        return ()
    used = run_folders(store).finished or time.time() - status.st_mtime > _MADE_JUST_NOW_S
    if status.st_size or not used:
        return ()
    return (f"{path}: is an empty file; verdicts that it held are lost and asked for again.",)


def _know(
    plan: Plan, drafts: Shelf[TurnDraft], conversations: Shelf[Conversation], tally: Tally
) -> Known:
    """Put every conversation in order, and learn from all turns what the run knows."""
    pool, knowledge, acquaintance = ChunkPool(), RunKnowledge(), Acquaintance(plan.judge)
    citing: set[tuple[str | None, str | None]] = set()
    carried: dict[str, Counter[str | None]] = {name: Counter() for name in plan.selected.choices}
    for conversation_id, parts in drafts.groups():
        conversation = assemble(conversation_id, parts)
        for turn in conversation.turns:
            pool.add(turn)
            knowledge.add(turn)
            acquaintance.add(turn)
            if turn.start_ns is not None:
                known = [*tally.starts, turn.start_ns]
                tally.starts = [min(known), max(known)]
            for name, value in turn.versions.items():
                tally.versions.setdefault(name, set()).add(value)
            if carried:
                values = filtered_values(turn)
                for name, counts in carried.items():
                    counts.update(values[name])
        citing |= citing_agents(conversation.turns)
        if any(_is_wanted(plan, turn) for turn in conversation.turns):
            conversations.put(conversation_id, conversation)
    tally.found = len(conversations.keys())
    tally.unknown = unknown_values(plan.selected, carried)
    return Known(pool, knowledge, frozenset(citing), acquaintance.judge())


def _is_wanted(plan: Plan, turn: Turn) -> bool:
    return turn.start_ns in plan.window and is_selected(turn, plan.selected)


def _judge(
    plan: Plan,
    shelf: Shelf[Conversation],
    known: Known,
    ledger: Ledger,
    writer: RunWriter,
    tally: Tally,
    notify: Notify,
) -> None:
    """Judge the conversations of the run, block by block, and write their rows."""
    chosen = _chosen(plan, shelf)
    total = len(shelf.keys() if chosen is None else chosen)
    prober = Prober(pool=known.pool, knowledge=known.knowledge)
    for block in _blocks(_conversations(shelf, chosen)):
        judged = judge_conversations(
            block,
            wanted=lambda turn: _is_wanted(plan, turn),
            ask=lambda questions: ask(questions, known.judge, ledger, counts=tally.questions),
            prober=prober,
            citing_agents=known.citing,
            settings=plan.settings,
        )
        for one in judged:
            _write(plan, one, writer, tally)
        notify("judging", tally.conversations, total)


def _ask_ahead(
    plan: Plan, shelf: Shelf[Conversation], known: Known, ahead: Ahead, notify: Notify
) -> None:
    """Have the questions of all conversations sent, round by round, before any is judged.

    A batch may take hours: all conversations go as far as stored verdicts carry them, then
    all wait together, once per round.
    """
    more = True
    while more:
        _advance(plan, shelf, known, ahead.ask, notify)
        more = ahead.fetch()


def _advance(
    plan: Plan, shelf: Shelf[Conversation], known: Known, ask: Ask, notify: Notify
) -> None:
    """Take every block of conversations as far as there are answers."""
    chosen = _chosen(plan, shelf)
    total = len(shelf.keys() if chosen is None else chosen)
    prober = Prober(pool=known.pool, knowledge=known.knowledge)
    done = 0
    for block in _blocks(_conversations(shelf, chosen)):
        with suppress(NotAnsweredYet):
            judge_conversations(
                block,
                wanted=lambda turn: _is_wanted(plan, turn),
                ask=ask,
                prober=prober,
                citing_agents=known.citing,
                settings=plan.settings,
            )
        done += len(block)
        notify("asking", done, total)


def _chosen(plan: Plan, shelf: Shelf[Conversation]) -> frozenset[str] | None:
    """Return the conversations that a sample or limit leaves, None for all."""
    keys = shelf.keys()
    drawn = plan.sampling.drawn(keys)
    if plan.sampling.limit is None:
        return drawn
    left = [key for key in keys if drawn is None or key in drawn]
    return frozenset(left[: plan.sampling.limit])


def _conversations(
    shelf: Shelf[Conversation], chosen: frozenset[str] | None
) -> Iterator[Conversation]:
    for conversation_id, parts in shelf.groups():
        if chosen is None or conversation_id in chosen:
            yield from parts


def _blocks(conversations: Iterable[Conversation]) -> Iterator[Sequence[Conversation]]:
    source = iter(conversations)
    while block := list(islice(source, BLOCK)):
        yield block


def _write(plan: Plan, one: JudgedConversation, writer: RunWriter, tally: Tally) -> None:
    attributions = attribute(one.turns)
    measured = {judged.turn.turn_id: measure(judged, plan.k) for judged in one.turns}
    writer.add(conversation_rows(one.turns, attributions, one.verdicts, measured))
    tally.fates += [
        (tally.conversations, attribution.outcome, attribution.root_stage)
        for attribution in attributions
    ]
    tally.conversations += 1
    tally.flagged += sum(bool(verdict.flags) for verdict in one.verdicts)


def _flag_warnings(tally: Tally) -> Iterator[str]:
    if tally.flagged:
        rest = "verdict rests" if tally.flagged == 1 else "verdicts rest"
        yield (
            f"{tally.flagged:,} {rest} on texts that address their judge or hide words; see "
            "flags in verdicts.parquet before a gate hangs on them."
        )
