"""The scripts: one TOML file per conversation, in three layers.

    question, agent, refined_query, steps, answer     what is asked, decided and said
    elements, grades, support, claims, routing, …     answers to the judge's questions
    fault, others, evidence                           what was planted: the truth

The first layer alone is run; the second and third are written down by whoever planted
the fault and never read while the agent runs. Defaults are those of a good turn, so that
a script says only what is remarkable about it (`answers` tells what the defaults are).
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

SCRIPTS = Path(__file__).parent / "scripts"

Table = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One tool call that the model decides on, and what may disturb it."""

    tool: str
    arguments: Table
    fails: str | None = None
    """The tool ends in this error: `<type>: <message>`."""
    finds_nothing: bool = False
    """The replica that answers has not got the record yet."""
    lacks: tuple[str, ...] = ()
    """Passages that are missing from the index at that moment."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One planted fault."""

    stage: str
    kind: str
    role: str = "root"
    near_miss: bool = False
    """The wrong thing is a neighbour of the right one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One question of the user and how it is answered."""

    question: str
    agents: tuple[str, ...]
    """Who takes over, in order; empty when the orchestrator answers itself."""
    answer: str
    """With citations as `{passage id}`, `{id, id}` or `{call 1}`."""
    refined_query: str | None = None
    steps: tuple[tuple[Call, ...], ...] = ()
    """Calls of one step are made at the same time."""
    finish_reason: str = "stop"
    """Of the last model call; `refusal` where the model declines."""
    guardrail: str | None = None
    """The policy that the question ran into; nothing else is done then."""
    judgement: Table = field(default_factory=dict)
    """The second layer, as it stands in the file."""
    fault: Fault | None = None
    """The root, None for a good turn."""
    others: tuple[Fault, ...] = ()
    undetermined: str | None = None
    """Why no stage can be named although the turn failed."""
    inherited_from: int | None = None
    """The earlier turn whose claim is repeated."""
    evidence: str = ""
    """Words that name what shows it: passage, call, paragraph."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One conversation with one service."""

    conversation_id: str
    service: str
    language: str
    starts_at: datetime
    story: str
    """One line for the README."""
    turns: tuple[Turn, ...]


def read_scripts(folder: Path = SCRIPTS) -> tuple[Conversation, ...]:
    """Read every conversation of *folder*, in order of its start."""
    found = (_conversation(path) for path in folder.glob("*.toml"))
    return tuple(sorted(found, key=lambda conversation: conversation.starts_at))


def _conversation(path: Path) -> Conversation:
    table = tomllib.loads(path.read_text("utf-8"))
    turns = tuple(map(_turn, table.pop("turns")))
    return Conversation(conversation_id=path.stem, turns=turns, **table)


_JUDGED = {
    "answer_language",
    "claims",
    "coherence",
    "completeness",
    "elements",
    "grades",
    "needs_evidence",
    "off_target",
    "question_language",
    "quotes",
    "reply",
    "routing",
    "statements",
    "support",
    "understanding",
}


def _turn(table: dict[str, Any]) -> Turn:
    judgement = {key: table.pop(key) for key in _JUDGED & table.keys()}
    fault = table.pop("fault", None)
    agents = table.pop("agent", ())
    return Turn(
        agents=(agents,) if isinstance(agents, str) else tuple(agents),
        answer=table.pop("answer").strip(),
        steps=tuple(tuple(map(_call, step)) for step in table.pop("steps", ())),
        judgement=judgement,
        fault=None if fault is None else Fault(**fault),
        others=tuple(Fault(**other) for other in table.pop("others", ())),
        **table,
    )


def _call(table: dict[str, Any]) -> Call:
    return Call(
        tool=table.pop("tool"),
        fails=table.pop("fails", None),
        finds_nothing=table.pop("finds_nothing", False),
        lacks=tuple(table.pop("lacks", ())),
        arguments=table,
    )
