"""The numbered sources of a prompt, and the markers with which a model cites them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sample_traces.agent.agents import CitationStyle
from sample_traces.agent.corpus import Passage

_PLACEHOLDER = re.compile(r"\{([\w-]+(?:, [\w-]+)*)\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """One passage cited at one place of an answer."""

    passage_id: str
    start: int
    """Character of the answer at which its marker begins."""


class Sources:
    """Passages in the order in which they were put into the prompt, numbered from 1."""

    def __init__(self, style: CitationStyle) -> None:
        """Start without any; *style* is how they are numbered and cited."""
        self._style = style
        self._numbers: dict[str, int] = {}

    def add(self, passages: Sequence[Passage]) -> str:
        """Number the passages and return them as they stand in the prompt."""
        for passage in passages:
            self._numbers.setdefault(passage.passage_id, len(self._numbers) + 1)
        return "\n\n".join(f"{self._label(passage)} {passage.text}" for passage in passages)

    def cite(self, template: str) -> tuple[str, tuple[Cited, ...]]:
        """Turn `{passage id}` into the marker that a model would write.

        Raises:
            KeyError: A passage is not among the sources.
        """
        answer, cited, end = "", [], 0
        for match in _PLACEHOLDER.finditer(template):
            answer += template[end : match.start()]
            ids = match[1].split(", ")
            cited += [Cited(passage_id=passage_id, start=len(answer)) for passage_id in ids]
            answer += self._marker(ids)
            end = match.end()
        return answer + template[end:], tuple(cited)

    def _label(self, passage: Passage) -> str:
        if self._style is CitationStyle.IDS:
            return f"[{passage.passage_id}]"
        return f"[{self._numbers[passage.passage_id]}] ({passage.passage_id})"

    def _marker(self, ids: Sequence[str]) -> str:
        numbers = [str(self._numbers[passage_id]) for passage_id in ids]
        match self._style:
            case CitationStyle.BRACKETS:
                return f"[{', '.join(numbers)}]"
            case CitationStyle.CORNERS:
                return "".join(f"【{number}】" for number in numbers)
            case CitationStyle.IDS:
                return "".join(f"[{passage_id}]" for passage_id in ids)
