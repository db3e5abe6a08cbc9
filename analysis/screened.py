"""What is odd about the texts behind a verdict: signs of an attack, characters nobody sees.

    verdicts of a conversation ──▶ the same, each with its flags and its count

Both say something about the recorded texts, not about the reply: they are found anew in
every run, and never stored as part of a verdict.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from types import MappingProxyType

from judge.question import AnyVerdict, Question
from judge.rendering import citable, hidden_characters
from judge.screening import HIDDEN_AT_LEAST, Flag, screen
from stages.records import Conversation, Evidence, Turn


def screened(
    conversation: Conversation,
    verdicts: Sequence[AnyVerdict],
    probed: Mapping[str, str] = MappingProxyType({}),
) -> list[AnyVerdict]:
    """Return the verdicts of a conversation with flags and counts, in order.

    Args:
        conversation: What the verdicts are about.
        verdicts: All of them.
        probed: Recorded texts of probed chunks by the key of their verdict; the conversation
            itself need not hold them.
    """
    texts = _Texts(conversation)
    counts: dict[str, int] = {}
    return [
        _screened(one, chain(texts.of(one.question), (probed.get(one.key, ""),)), counts)
        for one in verdicts
    ]


def flagged(verdict: AnyVerdict, flag: Flag) -> AnyVerdict:
    """Return a verdict with one more flag."""
    return replace(verdict, flags=tuple(sorted({*verdict.flags, flag})))


def _screened(verdict: AnyVerdict, texts: Iterable[str], counts: dict[str, int]) -> AnyVerdict:
    hidden = 0
    for text in texts:
        if text not in counts:
            counts[text] = hidden_characters(text)
        hidden += counts[text]
    flags: set[Flag] = {*screen(verdict.question)}
    if hidden >= HIDDEN_AT_LEAST:
        flags.add("hidden")
    if not flags and not hidden:
        return verdict
    return replace(verdict, flags=tuple(sorted(flags)), hidden_characters=hidden)


class _Texts:
    """The recorded texts of a conversation, as they were before the judge's copies."""

    def __init__(self, conversation: Conversation) -> None:
        self._turns = {turn.turn_id: turn for turn in conversation.turns}
        self._pieces: dict[str, Mapping[str, Evidence]] = {}

    def of(self, question: Question) -> Iterator[str]:
        """Yield the texts that a question is made of; of a probe all but the chunk."""
        turn = self._turns.get(question.turn_id or "")
        if turn is None:  # a whole conversation
            for one in self._turns.values():
                yield from _exchange(one)
            return
        subject = question.subject
        match question.kind:
            case "relevance":
                yield turn.question or ""
                yield from (one.text or "" for one in turn.history if one.role == "user")
                yield from self._evidence(turn, (subject.chunk_id or "",))
            case "probe":
                yield subject.element_text or ""
            case "support":
                yield turn.question or ""
                paragraphs = () if turn.generation is None else turn.generation.paragraphs
                yield from (one.text for one in paragraphs if one.paragraph == subject.paragraph)
                yield from self._evidence(turn, subject.evidence_ids)
            case _:
                yield from _exchange(turn)
                yield from (one.text for one in turn.evidence)

    def _evidence(self, turn: Turn, names: Iterable[str]) -> Iterator[str]:
        if turn.turn_id not in self._pieces:
            self._pieces[turn.turn_id] = citable(turn)
        pieces = self._pieces[turn.turn_id]
        yield from (pieces[name].text for name in names if name in pieces)


def _exchange(turn: Turn) -> Iterator[str]:
    yield turn.question or ""
    yield "" if turn.generation is None else turn.generation.answer or ""
