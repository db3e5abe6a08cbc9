"""The turns of a transcript that are to be judged, each with what was known before it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from judge.local.library import Library
from judge.local.records import Taken, families
from judge.local.said import Said
from judge.local.shelves import Place


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedTurn:
    """One turn to be judged, with what was known before it."""

    shown: Mapping[str, Any]
    question: str
    earlier: tuple[str, ...]
    """The user's last messages before it, three at most, oldest first."""
    messages: tuple[str, ...]
    """All of them, without the limit of three."""
    said: tuple[Said, ...]
    """What was said and found before this turn, latest first."""
    found: tuple[str, ...]
    """What searches and calls of earlier turns brought back."""
    tools: tuple[Mapping[str, Any], ...]
    agents: tuple[Mapping[str, Any], ...]
    """Agents that could have been chosen."""
    before: tuple[str, ...]
    """Agents of the turn before."""
    catalogues: Mapping[str, Mapping[str, Any]]
    """All of the conversation, by label."""
    reachable: tuple[str, ...]
    """Collections that this turn's agents can search: listed, else any seen in the run."""
    listed: bool
    """A catalogue names them."""
    place: Place
    taken: Taken
    """What tools were called with in earlier turns."""
    sent: Mapping[str, Said]
    """By argument, the text that earlier turns last called a tool with."""

    @property
    def steps(self) -> Sequence[Mapping[str, Any]]:
        """Searches and calls, in time order."""
        steps: Sequence[Mapping[str, Any]] = self.shown["steps"]
        return steps

    @property
    def calls(self) -> list[Mapping[str, Any]]:
        """Tool calls, in time order."""
        return [step for step in self.steps if step["step"] == "call"]

    @property
    def searches(self) -> list[Mapping[str, Any]]:
        """Searches, those that a tool made included."""
        inner = chain.from_iterable(call["searches"] for call in self.calls)
        return [*(step for step in self.steps if step["step"] == "search"), *inner]

    @property
    def searched(self) -> tuple[str, ...]:
        """Collections, each once, in the order of use."""
        named = [search["collection"] for search in self.searches]
        return tuple(dict.fromkeys(name for name in (*self.shown["collections"], *named) if name))


def asked_turns(content: Mapping[str, Any], library: Library) -> Iterator[AskedTurn]:
    """Yield the turns that are to be judged, in time order."""
    place = (content["service"], content["tenant"])
    said = [Said(where="earlier message", text=message["text"]) for message in content["before"]]
    asked = library.models.all_in_full(
        [message["text"] for message in content["before"] if message["role"] == "user"]
    )
    catalogues = content["catalogues"]
    taken: dict[str, set[str]] = {}
    sent: dict[str, Said] = {}
    found: list[str] = []
    before: tuple[str, ...] = ()
    for shown in content["transcript"]:
        question = library.models.in_full(shown["question"] or "", asked)
        if shown["judge"]:
            own = [catalogues[label] for label in _labels(shown)]
            tools = list(chain.from_iterable(one["tools"] for one in own))
            agents = chain(shown["candidates"], *(one["agents"] for one in own))
            reach = set(chain.from_iterable(one["collections"] for one in own))
            yield AskedTurn(
                shown=shown,
                question=question,
                earlier=tuple(asked[-3:]),
                messages=tuple(asked),
                said=tuple(reversed(said)),
                found=tuple(found),
                tools=tuple({tool["name"]: tool for tool in tools}.values()),
                agents=tuple({agent["name"]: agent for agent in agents}.values()),
                before=before,
                catalogues=catalogues,
                reachable=tuple(sorted(reach)) or library.collections(place),
                listed=bool(reach),
                place=place,
                taken={tool: frozenset(known) for tool, known in taken.items()},
                sent=dict(sent),
            )
        before = tuple(shown["agents"])
        number = shown["turn"]
        if shown["question"]:
            said.append(Said(where=f"turn {number}", text=shown["question"]))
            asked.append(question)
        said += [
            Said(
                where=f"result of call {call['position']} of turn {number}", text=result_text(call)
            )
            for call in shown["steps"]
            if call["step"] == "call"
        ]
        found += [found_text(one) for one in shown["steps"] if one["step"] == "search"]
        found += [result_text(one) for one in shown["steps"] if one["step"] == "call"]
        for call in shown["steps"]:
            if call["step"] == "call":
                taken.setdefault(call["tool"], set()).update(families(call["arguments"]))
                sent.update(_sent(call, f"turn {number}"))
        if shown["answer"]:
            said.append(Said(where=f"turn {number}", text=shown["answer"]))


def _sent(call: Mapping[str, Any], where: str) -> Iterator[tuple[str, Said]]:
    """Yield the texts that a call was made with, by argument."""
    if isinstance(call["arguments"], dict):
        for name, value in call["arguments"].items():
            if isinstance(value, str):
                yield name, Said(where=where, text=value)


def _labels(shown: Mapping[str, Any]) -> list[str]:
    labels = [*shown["catalogues"]]
    labels += [
        step["catalogue"] for step in shown["steps"] if step["step"] == "call" and step["catalogue"]
    ]
    return list(dict.fromkeys(labels))


def result_text(step: Mapping[str, Any]) -> str:
    """Return what a call brought back: its result, and what its searches found."""
    return "\n".join([step["result"] or "", *map(found_text, step["searches"])])


def found_text(search: Mapping[str, Any]) -> str:
    """Return the titles and texts that a search found."""
    return "\n".join(f"{one['title'] or ''} {one['text'] or ''}" for one in search["found"])
