"""A question as the parameters of a message: shared beginning first, then the data.

The instructions are the same for all questions of a kind and carry a cache mark, so that
they are paid for in full once. There are no tools, and no sampling parameters: what a
judge said is kept, and not asked again.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from judge.keys import asked_as
from judge.prompting.rendering import render_data
from judge.prompting.schemas import reply_schema
from judge.prompting.templates import DEFAULT_VERSION, Template, load_template
from judge.question import Question, QuestionKind
from judge.remote.pricing import Usage

Effort: TypeAlias = Literal["low", "medium", "high", "xhigh", "max"]

MOST_OUTPUT: Final = 20_000
"""Above this the client asks for a stream, and a stream can break off unseen."""
OUTPUT_TOKENS: Final[Mapping[QuestionKind, int]] = {
    "routing": 8_000,
    "relevance": 1_500,
    "support": 1_500,
    "answer": 4_000,
    "statements": 6_000,
    "questions": 1_000,
    "criterion": 1_500,
}
"""Room for a reply, by kind; four times as much when it was cut."""
LIKELY_OUTPUT: Final[Mapping[QuestionKind, int]] = {
    "routing": 600,
    "relevance": 120,
    "support": 150,
    "answer": 450,
    "statements": 500,
    "questions": 120,
    "criterion": 120,
}
"""Tokens of a usual reply, for estimates."""
_MORE_ROOM: Final = 4
_USUAL_CHARACTERS: Final = 4.0
"""Of a token of English, for estimates."""
_CHARACTERS_PER_TOKEN: Final = 2.5
"""Fewer than any tokenizer needs for English and most other texts: estimates lie above."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestMaker:
    """Turns questions into requests for one model."""

    model: str
    effort: Effort | None = None
    prompts: Mapping[QuestionKind, str] = field(default_factory=dict)
    """Versions of prompts, where not the default one."""
    cache_for: Literal["5m", "1h"] = "5m"

    def template(self, kind: QuestionKind) -> Template:
        """Return the prompt for a kind of question.

        Raises:
            UsageError: There is no such version, or it is no valid template.
        """
        asked = asked_as(kind)
        return load_template(asked, self.prompts.get(asked, DEFAULT_VERSION))

    def params(self, question: Question, *, more_room: bool = False) -> dict[str, Any]:
        """Return the parameters of the message that asks a question."""
        template = self.template(question.kind)
        room = OUTPUT_TOKENS[template.kind] * (_MORE_ROOM if more_room else 1)
        config: dict[str, Any] = {
            "format": {"type": "json_schema", "schema": reply_schema(template.kind)}
        }
        if self.effort is not None:
            config["effort"] = self.effort
        return {
            "model": self.model,
            "max_tokens": min(room, MOST_OUTPUT),
            "system": [
                {
                    "type": "text",
                    "text": template.instructions,
                    "cache_control": {"type": "ephemeral", "ttl": self.cache_for},
                }
            ],
            "messages": [
                {"role": "user", "content": sendable(render_data(question, template))},
            ],
            "output_config": config,
        }


def sendable(text: str) -> str:
    """Return a text that can be sent: lone halves of emoji become U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def likely_usage(params: Mapping[str, Any], kind: QuestionKind) -> Usage:
    """Return how many tokens a request and its reply have, about; nothing cached."""
    texts = [*params["system"], *params["messages"]]
    size = sum(len(str(text.get("text", text.get("content", "")))) for text in texts)
    size += len(json.dumps(params["output_config"]))
    return Usage(
        input_tokens=round(size / _USUAL_CHARACTERS), output_tokens=LIKELY_OUTPUT[asked_as(kind)]
    )


def most_tokens(params: Mapping[str, Any]) -> tuple[int, int]:
    """Return how many input and output tokens a request has at the most, about."""
    size = len(json.dumps([params["system"], params["messages"], params["output_config"]]))
    return int(size / _CHARACTERS_PER_TOKEN) + 1, int(params["max_tokens"])
