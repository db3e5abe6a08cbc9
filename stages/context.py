"""Context: what stood before the model when it wrote the answer.

    Answer with citations like [1].
    [1] (hr-001) Employees accrue 25 vacation days per year.      ──▶ entry 1, id hr-001
    [2] (hr-002) Parental leave is 16 weeks.                      ──▶ entry 2, id hr-002

The prompt is that of the last model call; where it rests on another agent's reply, that
agent's last prompt belongs to it. Texts are compared by their words, and by the way JSON
or Python would have escaped them.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from ingest.span import Message
from stages.model_calls import ModelCall
from stages.records import Chunk, Retrieval
from stages.wording import parsed, squeezed, strings_in, value_text

_LONG_ENOUGH = 60
"""Characters of a chunk that identify it where the application cut its text."""
_SHORTEST = 8
"""A chunk shorter than this stands in a prompt only as a whole segment."""
_ENTRY = re.compile(
    r"^[ \t>*-]{0,8}(?:"
    r"[\[【［](?P<bracket>\d{1,4})[\]】］]"
    r"|(?:document|doc|source|context|passage|chunk|snippet|result|reference|excerpt)\s{0,2}"
    r"[#\[(]{0,2}(?P<word>\d{1,4})[\])]{0,2}(?=\s*[:.)\-–—]|\s*$)"
    r"|<(?:document|doc|source|passage|chunk|context)\s[^<>\n]{0,80}?"
    r"(?:index|id|number|n)\s?=\s?[\"']?(?P<tag>\d{1,4})[\"']?[^<>\n]{0,200}>"
    r"|(?P<list>\d{1,3})[.)](?=\s)"
    r")[ \t:.\-–—]{0,4}(?:\((?P<ident>[^()\s][^()\n]{0,199})\))?",
    re.IGNORECASE | re.MULTILINE,
)
_KINDS = ("bracket", "word", "tag", "list")
_ENTRY_TEXT = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One numbered passage of a prompt."""

    number: int
    ident: str | None
    """Id in parentheses after the number."""
    text: str
    """Its first words, white space squeezed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """The text that the model read."""

    segments: str
    """Instructions, messages but the model's own, and tool results, squeezed, one a line."""
    entries: tuple[Entry, ...]
    """Numbered passages in reading order."""
    call_ids: tuple[str, ...]
    """Tool calls whose results stand in the messages."""
    whole: bool
    """Nothing of it was cut by a length limit: what is not in it was not read."""

    def holds(self, text: str, *, least: int | None = None) -> bool:
        """Tell whether *text* stands in the prompt, whole or by its first *least* characters."""
        words = squeezed(text)
        if not words:
            return False
        if len(words) < _SHORTEST:
            return f"\n{words}\n" in f"\n{self.segments}\n"
        wanted = words if least is None or len(words) <= least else words[:least]
        return any(form in self.segments for form in _forms(wanted))


def prompt_of(calls: Sequence[ModelCall]) -> Prompt | None:
    """Return what these calls read together, None when no span tells."""
    told = [call for call in calls if call.read is not None or call.plain_input]
    if not told:
        return None
    texts = [text for call in told for text in _texts(call)]
    segments = dict.fromkeys(squeezed(text) for text in texts)
    return Prompt(
        segments="\n".join(segment for segment in segments if segment),
        entries=tuple(entry for text in dict.fromkeys(texts) for entry in _entries(text)),
        call_ids=tuple(dict.fromkeys(_call_ids(m for call in told for m in call.read or ()))),
        whole=not any(message.truncated for call in told for message in call.read or ())
        and not any(span.content == "truncated" for call in told for span in call.recordings),
    )


def with_context(retrievals: Sequence[Retrieval], prompt: Prompt | None) -> tuple[Retrieval, ...]:
    """Return the retrievals of a turn with `in_context` of their chunks filled in.

    It stays None where the prompt is unknown or holds none of the turn's chunks at all: the
    context then went in by a way that the trace does not show.
    """
    if prompt is None:
        return tuple(retrievals)
    least = _telling_lengths(chunk for r in retrievals for chunk in r.chunks)
    seen = [[_in_context(chunk, prompt, least) for chunk in r.chunks] for r in retrievals]
    if not any(any(row) for row in seen):
        return tuple(retrievals)
    return tuple(
        replace(
            retrieval,
            chunks=tuple(
                replace(chunk, in_context=told)
                for chunk, told in zip(retrieval.chunks, row, strict=True)
            ),
        )
        for retrieval, row in zip(retrievals, seen, strict=True)
    )


def numbered(prompt: Prompt, chunks: Sequence[Chunk]) -> dict[int, tuple[Chunk, ...]]:
    """Return the chunks that the prompt's numbers stand for.

    A number with several chunks is ambiguous: the prompt numbered more than one list.
    """
    found: dict[int, dict[str, Chunk]] = {}
    used: set[str] = set()
    for entry, meant in zip(prompt.entries, _chunks_of(prompt.entries, chunks), strict=True):
        if meant:
            # Equal texts under several ids are numbered in the order in which they came.
            chunk = next((c for c in meant if c.chunk_id not in used), meant[0])
            used.add(chunk.chunk_id)
            found.setdefault(entry.number, {}).setdefault(chunk.chunk_id, chunk)
    return {number: tuple(meant.values()) for number, meant in found.items()}


def _chunks_of(entries: Sequence[Entry], chunks: Sequence[Chunk]) -> list[list[Chunk]]:
    """Return the chunks that each entry may be: by the id on its line, then by text."""
    by_id: dict[str, list[Chunk]] = {}
    by_text: dict[str, list[Chunk]] = {}
    least = _telling_lengths(chunks)
    for chunk in chunks:
        by_id.setdefault(chunk.chunk_id, []).append(chunk)
        words = squeezed(chunk.text or "")
        if words:
            by_text.setdefault(words[: min(least[words], _ENTRY_TEXT // 2)], []).append(chunk)
    found = [list(by_id.get(entry.ident or "", ())) for entry in entries]
    texts = "\n".join(entry.text for entry in entries)
    ends = list(accumulate(len(entry.text) + 1 for entry in entries))
    for wanted, meant in by_text.items():
        at = texts.find(wanted)
        while at >= 0:
            place = bisect_right(ends, at)
            if not entries[place].ident or entries[place].ident not in by_id:
                found[place].extend(meant)
            at = texts.find(wanted, ends[place])
    return found


def _in_context(chunk: Chunk, prompt: Prompt, least: Mapping[str, int]) -> bool | None:
    if chunk.text and prompt.holds(chunk.text, least=least[squeezed(chunk.text)]):
        return True
    if any(entry.ident == chunk.chunk_id for entry in prompt.entries):
        return True
    return False if chunk.text and prompt.whole else None


def _telling_lengths(chunks: Iterable[Chunk]) -> dict[str, int]:
    """Return how many first characters tell each text from the others, by squeezed text."""
    texts = sorted({squeezed(chunk.text) for chunk in chunks if chunk.text})
    shared = [0] * (len(texts) + 1)
    for index in range(1, len(texts)):
        shared[index] = _shared_start(texts[index - 1], texts[index])
    return {
        text: max(_LONG_ENOUGH, 1 + max(shared[index], shared[index + 1]))
        for index, text in enumerate(texts)
    }


def _shared_start(one: str, other: str) -> int:
    length = 0
    for ours, theirs in zip(one, other, strict=False):
        if ours != theirs:
            break
        length += 1
    return length


def _forms(words: str) -> Iterator[str]:
    """Yield *words* as they are and as JSON and Python write them inside a text."""
    yield words
    if not words.isascii() or '"' in words or "\\" in words:
        yield json.dumps(words, ensure_ascii=False)[1:-1]
        yield json.dumps(words)[1:-1]
    if "'" in words:
        yield words.replace("'", "\\'")


def _texts(call: ModelCall) -> Iterator[str]:
    if call.instructions:
        yield call.instructions
    if call.read is None and call.plain_input:
        yield call.plain_input
    for message in call.read or ():
        # What the model said before is no source, even where it repeats one.
        if message.text and message.role != "assistant":
            yield message.text
        for response in message.tool_responses:
            result = response.result
            inner = parsed(result) if isinstance(result, str) else result
            if not isinstance(result, str) or inner is not None:
                yield from strings_in(inner)
            yield value_text(result)


def _call_ids(messages: Iterable[Message]) -> Iterator[str]:
    for message in messages:
        for response in message.tool_responses:
            if response.call_id:
                yield response.call_id


def _entries(text: str) -> Iterator[Entry]:
    matches = list(_ENTRY.finditer(text))
    next_of: dict[str, int] = {}
    made: list[Entry] = []
    for match in reversed(matches):
        kind = next(kind for kind in _KINDS if match[kind])
        start = match.end()
        # A list inside a passage does not end it; the next passage is numbered alike.
        end = min(next_of.get(kind, len(text)), start + 2 * _ENTRY_TEXT)
        next_of[kind] = match.start()
        words = squeezed(text[start:end])[:_ENTRY_TEXT]
        made.append(Entry(number=int(match[kind]), ident=match["ident"], text=words))
    return reversed(made)
