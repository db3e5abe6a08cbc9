"""The desk of a turn file: which agents it has, and what each can choose from.

A file `<name>.jsonl` may have a `<name>.desk.json` beside it that describes the agents.
Without it, an agent that cites and one that does not reach everything that the file's
turns name, and another, which takes the calls, reaches nothing.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from bench.attribution.turns import GoodTurn, Passage, TurnFile
from ingest.errors import UsageError
from ingest.span import ToolDefinition, Value
from stages.markers import markers_in
from stages.records import Catalogue
from stages.wording import parsed

_CITING: Final = "assistant"
_PLAIN: Final = "plain_assistant"
_RECEPTION: Final = "reception"


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """One agent and what it reaches."""

    name: str
    description: str
    collections: tuple[str, ...] = ()
    tools: tuple[ToolDefinition, ...] = ()

    @property
    def catalogue(self) -> Catalogue:
        """What a trace records of it."""
        return Catalogue(
            agent=self.name, tools=self.tools, collections=tuple(sorted(self.collections))
        )

    def reaches(self, source: Passage) -> bool:
        """Tell whether it could have fetched a piece of evidence."""
        if source.tool is not None:
            return any(tool.name == source.tool for tool in self.tools)
        return source.collection in self.collections


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """The agents of one service."""

    service: str
    agents: tuple[Agent, ...]
    unsupported: Mapping[str, Sequence[str]]
    """By language: sentences that nothing in the file supports."""
    answering: Mapping[str, str] = field(default_factory=dict)
    """By conversation: the agent that answers where a turn does not name one."""

    def agent(self, name: str) -> Agent:
        """Return an agent by name."""
        return next(agent for agent in self.agents if agent.name == name)

    def agent_of(self, turn: GoodTurn) -> Agent:
        """Return the agent that answers a turn: the one it names, else one that reaches all."""
        name = turn.agent or self.answering.get(turn.conversation_id)
        if name is not None:
            return self.agent(name)
        fitting = (
            agent for agent in self.agents if all(agent.reaches(one) for one in turn.passages)
        )
        return next(fitting, self.agents[0])


def desk_of(file: TurnFile) -> Desk:
    """Read the desk that stands beside a turn file, or make one.

    Raises:
        UsageError: The desk cannot be read, or lacks an agent that a turn names.
    """
    path = file.path.with_suffix(".desk.json")
    desk = _read(path) if path.is_file() else _made(file)
    names = {agent.name for agent in desk.agents}
    for turn in file.turns:
        if turn.agent is not None and turn.agent not in names:
            raise UsageError(str(path), f"has no agent {turn.agent}", "Describe it there.")
    return desk


def arguments_of(passage: Passage, turn: GoodTurn) -> Mapping[str, Value]:
    """Return what a tool was called with.

    Where the line does not tell, it is what of the result the user has named.
    """
    if isinstance(passage.arguments, dict):
        return passage.arguments
    said = " ".join([text for _, text in turn.history] + [turn.question]).casefold()
    result = parsed(passage.text)
    fields = result.items() if isinstance(result, dict) else ()
    return {
        name: value
        for name, value in fields
        if isinstance(value, str | int) and str(value).casefold() in said
    }


def _read(path: Path) -> Desk:
    try:
        row: Any = json.loads(path.read_text("utf-8"))
        return Desk(
            service=row["service"],
            agents=tuple(
                Agent(
                    name=agent["name"],
                    description=agent["description"],
                    collections=tuple(agent["collections"]),
                    tools=tuple(ToolDefinition(**tool) for tool in agent["tools"]),
                )
                for agent in row["agents"]
            ),
            unsupported=row.get("unsupported", {}),
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UsageError(str(path), f"no description of a desk ({error})") from None


def _made(file: TurnFile) -> Desk:
    passages = [passage for turn in file.turns for passage in turn.passages]
    named = [turn.collection for turn in file.turns]
    searched = {passage.collection for passage in passages if passage.tool is None}
    collections = sorted(searched.union(name for name in named if name and ":" not in name))
    citing = {turn.conversation_id for turn in file.turns if any(markers_in(turn.answer, ()))}
    answering = {
        turn.conversation_id: _CITING if turn.conversation_id in citing else _PLAIN
        for turn in file.turns
    }
    agents = [
        Agent(
            name=name,
            description="Answers questions from all collections and tools.",
            collections=tuple(collections),
            tools=tuple(_tools(file.turns)),
        )
        for name in dict.fromkeys(
            turn.agent or answering[turn.conversation_id] for turn in file.turns
        )
    ]
    reception = Agent(name=_RECEPTION, description="Takes calls and greets visitors.")
    return Desk(
        service=file.path.stem,
        agents=(*agents, reception),
        unsupported={},
        answering=answering,
    )


def _tools(turns: Iterable[GoodTurn]) -> Iterator[ToolDefinition]:
    """Yield a definition of every tool, from its name and the arguments it was called with."""
    arguments: dict[str, dict[str, Value]] = {}
    for turn in turns:
        for passage in turn.passages:
            if passage.tool is not None:
                arguments.setdefault(passage.tool, {}).update(arguments_of(passage, turn))
    for name, given in sorted(arguments.items()):
        yield ToolDefinition(
            name=name,
            description=name.replace("_", " ").capitalize(),
            parameters={
                "type": "object",
                "properties": {key: {"type": "string"} for key in given},
                "required": [],
            },
        )
