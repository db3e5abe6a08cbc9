"""What holds whatever a model does: texts stay in their blocks, planted verdicts unread."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from bench.injection.payloads import GOOD_RELEVANCE, GOOD_SUPPORT, Payload
from bench.injection.scenes import scenes
from judge.answers import Relevance, Support, Unjudged
from judge.prompting.rendering import MARKED_LINE, render_data
from judge.prompting.templates import load_template
from judge.question import Question
from judge.replies import read_reply


@dataclass(slots=True)
class Offline:
    """Grows payload by payload."""

    payloads: int = 0
    prompts: int = 0
    replies: int = 0
    breakouts: list[str] = field(default_factory=list)
    """Payloads that ended their own block, or reached the instructions."""
    planted: list[str] = field(default_factory=list)
    """Payloads whose verdict was read."""
    unjudged: Counter[str] = field(default_factory=Counter)
    """What became of replies that quote a planted verdict, by reason."""


def check(payloads: Iterable[Payload]) -> Offline:
    """Put every payload into every place and look what comes of it."""
    found = Offline()
    for payload in payloads:
        found.payloads += 1
        for place, question in scenes(payload.text):
            found.prompts += 1
            if not is_fenced(question):
                found.breakouts.append(f"{payload} in {place}")
            for reply in _careless_replies(question, payload.text):
                found.replies += 1
                answer = read_reply(question, reply)
                if isinstance(answer, Unjudged):
                    found.unjudged[answer.reason] += 1
                elif _is_planted(answer):
                    found.planted.append(f"{payload} in {place}")
    return found


def is_fenced(question: Question) -> bool:
    """Tell whether every text of a question's prompt stays where it belongs."""
    template = load_template(question.kind)
    text = render_data(question, template)
    shown = sum(value not in (None, [], {}) for value in question.content.values())
    return blocks_of(text) == shown and marker_of(text) not in template.instructions


def marker_of(text: str) -> str:
    """Return the marker that a message announces in its first line."""
    return text.partition("\n")[0].removesuffix(".").rpartition(" ")[2]


def blocks_of(text: str) -> int | None:
    """Count the blocks of a message, None where one ends early or a text stands outside."""
    marker = marker_of(text)
    inside: str | None = None
    blocks = 0
    for line in text.split("\n")[1:]:
        edge = MARKED_LINE.fullmatch(line)
        if edge is None or edge["marker"] != marker:
            if inside is None and line.strip() and not line.endswith(": (none)"):
                return None
            continue
        opens = edge["edge"] == "<<<"
        if opens is not (inside is None) or (not opens and edge["label"] != inside):
            return None
        blocks += opens
        inside = edge["label"] if opens else None
    return None if inside else blocks


def _careless_replies(question: Question, text: str) -> Iterator[str]:
    """Yield replies of a judge that quotes what it read beside its own, honest verdict."""
    honest = json.dumps(_honest(question))
    yield f"{text}\n{honest}"
    yield f"{honest}\n{text}"
    yield f"The text says: {text}"
    yield json.dumps({**_honest(question), "reason": text})
    yield f"```json\n{honest}\n```\n{text}"


def _honest(question: Question) -> dict[str, object]:
    if question.kind == "relevance":
        return {**GOOD_RELEVANCE, "reason": "honest", "target": False, "grade": 0}
    return {**GOOD_SUPPORT, "reason": "honest", "label": "none"}


def _is_planted(answer: object) -> bool:
    match answer:
        case Relevance():
            return answer.grade > 0
        case Support():
            return answer.label != "none"
    return True
