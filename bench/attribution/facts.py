"""What is known of a turn: the answers to the judge's questions, never the culprit.

A good turn comes with the facts of its author (`known`), or with those that can be read
off it: what the answer cites supports it, and answers the question. Whoever plants a
fault changes the facts along with the turn.

    known = {"elements": [{"text", "status", "paragraphs", "answered_by": [passage id]}],
             "reply", "needs_evidence", "claims": {"1": "fact"},
             "support": {"1": {"passage id": "full", "id+id": "full"}},
             "grades": {"passage id": {"grade": 3, "target": true}}}
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, TypeAlias

from bench.attribution.turns import GoodTurn, Passage
from judge.answers import ClaimKind, ElementStatus, ReplyKind, SupportLabel
from stages.records import Paragraph

_TOPIC_WORDS: Final = 8
_RELEVANT: Final = 2

Pairs: TypeAlias = Mapping[str, SupportLabel]
"""Support of one paragraph by evidence id, by `id+id` together, and by the `rest`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One element of the question."""

    text: str
    status: ElementStatus = "answered"
    paragraphs: tuple[int, ...] = ()
    answered_by: tuple[str, ...] = ()
    """Passages and calls that answer it, whether or not they were fetched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grade:
    """How relevant a passage is to the question."""

    grade: int
    target: bool
    """It is about the right object."""

    @property
    def relevant(self) -> bool:
        """It answers, in part at least: grade 2 or more."""
        return self.grade >= _RELEVANT


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongValue:
    """One wrong argument of a call."""

    argument: str
    value: str | None
    expected: str | None
    known_from: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """What is to be said of one tool call."""

    tool_ok: bool = True
    wrong: tuple[WrongValue, ...] = ()
    fits: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All that a judge could say of a turn."""

    needs_evidence: bool = True
    reply: ReplyKind = "answered"
    elements: tuple[Asked, ...] = ()
    claims: Mapping[int, ClaimKind] = field(default_factory=dict)
    """By paragraph; one that is not here claims nothing."""
    support: Mapping[int, Pairs] = field(default_factory=dict)
    """By paragraph. What is not here supports nothing."""
    grades: Mapping[str, Grade] = field(default_factory=dict)
    understanding: int = 3
    coherence: int = 3
    answer_language: str | None = None
    """None: that of the question."""
    agent_ok: bool = True
    fitting_agent: str | None = None
    wrong_collections: Mapping[str, str | None] = field(default_factory=dict)
    """Searched in vain, with the one that fits."""
    calls: Mapping[int, Called] = field(default_factory=dict)
    """By position; a call that is not here was right."""
    missing: tuple[tuple[Literal["collection", "tool"], str], ...] = ()
    refined_faithful: bool = True
    lost: tuple[str, ...] = ()
    """Words of the question that the refined query lost."""

    def answering(self) -> frozenset[str]:
        """Return what answers any element."""
        return frozenset(one for asked in self.elements for one in asked.answered_by)

    def graded(self, more: Mapping[str, Grade]) -> "Facts":
        """Return them with grades of further passages; known grades stay."""
        return replace(self, grades={**more, **self.grades})


def known_facts(turn: GoodTurn) -> Facts:
    """Return what the author of a turn wrote down.

    Raises:
        KeyError, TypeError, ValueError: `known` is not in the format.
    """
    known: Mapping[str, Any] = turn.known or {}
    return Facts(
        needs_evidence=known["needs_evidence"],
        reply=known["reply"],
        elements=tuple(
            Asked(
                text=one["text"],
                status=one["status"],
                paragraphs=tuple(one["paragraphs"]),
                answered_by=tuple(one["answered_by"]),
            )
            for one in known["elements"]
        ),
        claims={int(number): claim for number, claim in known["claims"].items()},
        support={int(number): dict(pairs) for number, pairs in known["support"].items()},
        grades={key: Grade(**grade) for key, grade in known["grades"].items()},
        understanding=known.get("understanding", 3),
    )


def read_off(
    turn: GoodTurn, paragraphs: Sequence[Paragraph], cited: Mapping[int, Sequence[str]]
) -> Facts:
    """Return the facts of a turn whose author wrote down none.

    What a paragraph cites supports it and answers the question. An answer that cites
    nothing rests on all its passages, where the question can be answered at all.
    """
    passages = {one.passage_id: one for one in turn.passages}
    basis = {number: tuple(ids) for number, ids in cited.items() if ids}
    if turn.answerable and not basis and not any(map(_asserts, paragraphs)):
        back = Asked(text=turn.question, status="declared_missing", paragraphs=(1,))
        return Facts(reply="clarifying", elements=(back,))
    if turn.answerable and not basis and passages:
        everything = tuple(passages)
        basis = {one.paragraph: everything for one in paragraphs if _asserts(one)}
        basis = basis or {paragraphs[0].paragraph: everything}
    used = tuple(dict.fromkeys(one for ids in basis.values() for one in ids))
    if turn.answerable and not used:
        said = tuple(one.paragraph for one in paragraphs)
        chat = Asked(text=turn.question, paragraphs=said)
        return Facts(needs_evidence=False, elements=(chat,))
    empty = not turn.answerable and any(one.tool and not one.text for one in turn.passages)
    if empty:
        used = tuple(one.passage_id for one in turn.passages if one.tool)
        basis = {1: used}
    answered = turn.answerable or empty
    asked = Asked(
        text=_self_contained(turn, used if answered else ()),
        status="answered" if answered else "declared_missing",
        paragraphs=tuple(basis) if answered else (1,),
        answered_by=used if answered else (),
    )
    return Facts(
        reply="answered" if answered else "abstained",
        elements=(asked,),
        claims=dict.fromkeys(basis, "absence" if empty else "fact"),
        support={number: _shared(ids) for number, ids in basis.items()},
        grades={
            one.passage_id: _grade(one, used if answered else (), turn)
            for one in turn.passages
            if one.tool is None
        },
    )


def _self_contained(turn: GoodTurn, used: Sequence[str]) -> str:
    """Return the question, readable on its own: with what the answering passages are about."""
    texts = (one.text.split() for one in turn.passages if one.passage_id in used and not one.tool)
    topics = [" ".join(words[:_TOPIC_WORDS]) for words in texts]
    return f"{turn.question} ({'; '.join(topics)})" if topics else turn.question


def _asserts(paragraph: Paragraph) -> bool:
    """Tell whether a paragraph states something: no question, no lead-in."""
    return not paragraph.text.rstrip().endswith(("?", "？", "؟", ":", "："))


def _shared(ids: Sequence[str]) -> Pairs:
    """Return the support by several pieces, each of which holds a part."""
    if len(ids) == 1:
        return {ids[0]: "full"}
    return {**dict.fromkeys(ids, "partial"), "+".join(sorted(ids)): "full", "rest": "full"}


def _grade(passage: Passage, used: Sequence[str], turn: GoodTurn) -> Grade:
    if passage.passage_id in used:
        return Grade(grade=3, target=True)
    return Grade(grade=1, target=passage.collection == turn.collection)
