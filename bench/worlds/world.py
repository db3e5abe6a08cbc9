"""A folder that describes a world, played by the agent of `sample_traces`.

world.toml ──▶ Service …┐
documents/ ──▶ Corpus   ├─ Assistant ──▶ spans, TurnRecord per turn
records.toml ▶ Database ┤                  │
scripts/   ──▶ Conversation                └─▶ traces, truth.jsonl, answers.jsonl
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from ingest.errors import UsageError
from sample_traces.agent.agents import Agent, CitationStyle, Service, orchestrator
from sample_traces.agent.answers import answer_line
from sample_traces.agent.assistant import Assistant
from sample_traces.agent.corpus import read_corpus
from sample_traces.agent.files import write_lines, write_traces
from sample_traces.agent.genai import GenAiRecorder
from sample_traces.agent.openinference import OpenInferenceRecorder
from sample_traces.agent.records import TurnRecord
from sample_traces.agent.script import Conversation, read_scripts
from sample_traces.agent.telemetry import Recorder
from sample_traces.agent.tools import Database, Table, Tool, schema, search_tool
from sample_traces.agent.truth import truth_lines

WORLDS: Final = Path(__file__).parent

_RECORDERS: Final[Mapping[str, type[Recorder]]] = {
    "genai": GenAiRecorder,
    "openinference": OpenInferenceRecorder,
}
_MISFITS: Final = (KeyError, TypeError, ValueError, StopIteration)
"""What a name raises that the world does not have, or a passage that was not found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Deployed:
    """A service and the convention in which it is recorded."""

    service: Service
    convention: str


def play(folder: Path, target: Path) -> None:
    """Play every script of a world and write traces, truth and answers into *target*.

    Raises:
        UsageError: The folder does not describe a world.
    """
    try:
        services = _services(folder / "world.toml")
        corpus = read_corpus(folder / "documents")
        conversations = read_scripts(folder / "scripts")
        records: list[TurnRecord] = []
        for one in services:
            recorder = _RECORDERS[one.convention](one.service)
            database = Database(folder / "records.toml")
            assistant = Assistant(one.service, corpus, database, recorder)
            for conversation in conversations:
                if conversation.service == one.service.name:
                    records += _conversed(assistant, conversation)
            write_traces(target / f"{one.service.name}.jsonl", recorder.finished_spans())
        write_lines(target / "answers.jsonl", (answer_line(record, corpus) for record in records))
    except (OSError, *_MISFITS) as error:
        raise UsageError(str(folder), f"cannot be played ({error!r})") from error
    truth = (line for conversation in conversations for line in truth_lines(conversation))
    write_lines(target / "truth.jsonl", truth)


def _conversed(assistant: Assistant, conversation: Conversation) -> list[TurnRecord]:
    try:
        return assistant.converse(conversation)
    except _MISFITS as error:
        place = conversation.conversation_id
        raise UsageError(place, f"cannot be played ({error!r})") from error


def _services(path: Path) -> list[_Deployed]:
    table = tomllib.loads(path.read_text("utf-8"))
    return [_service(dict(one)) for one in table["services"]]


def _service(table: dict[str, Any]) -> _Deployed:
    convention = table.pop("convention")
    agents = tuple(_agent(dict(one)) for one in table.pop("agents"))
    front = orchestrator(*agents)
    front = replace(front, instructions=table.pop("instructions", front.instructions))
    return _Deployed(service=Service(agents=(front, *agents), **table), convention=convention)


def _agent(table: dict[str, Any]) -> Agent:
    tools = tuple(_tool(dict(one)) for one in table.pop("tools", ()))
    style = CitationStyle[table.pop("citations", "brackets").upper()]
    hands_over_to = tuple(table.pop("hands_over_to", ()))
    return Agent(tools=tools, citations=style, hands_over_to=hands_over_to, **table)


def _tool(table: dict[str, Any]) -> Tool:
    if "collections" in table:
        return search_tool(**table)
    parameters = table.pop("parameters")
    looked_up, opened = table.pop("table", None), table.pop("opens", None)
    keys = tuple(table.pop("keys", ()))
    return Tool(
        parameters=schema(**parameters),
        table=None if looked_up is None else Table(name=looked_up, keys=keys),
        opens=None if opened is None else (opened["number"], opened["prefix"]),
        **table,
    )
