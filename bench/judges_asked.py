"""Rows of labelled files as the questions of a run, put to any judge.

    row ──▶ Turn ──judge.asking──▶ Question ──▶ verdict ──▶ score, label

What a judge says in labels has the few scores that the labels have: 0 to 3 for relevance,
none, partial and full for support. A row that it leaves unjudged has neither score nor
label and is counted. Of the tools, the one that it calls missing when nothing was called is
the one it would have called.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from bench.agreement import Row
from bench.judges_rows import Routed, is_binary, is_positive, people, request, title
from ingest.span import ToolDefinition
from judge.answers import Relevance, RoutingJudgement, Support
from judge.asking import relevance_questions
from judge.asking_routing import routing_questions
from judge.asking_support import support_questions
from judge.question import AnyVerdict, Question
from stages.records import (
    Catalogue,
    Chunk,
    Citation,
    Conversation,
    Evidence,
    Generation,
    Paragraph,
    Retrieval,
    Routing,
    Turn,
)

Ask: TypeAlias = Callable[[Iterable[Question]], Iterable[AnyVerdict]]
"""Yields a verdict for each question, in order."""

_GRADES: Final = {"contradicted": 0, "none": 0, "partial": 1, "full": 2}
_CHUNK: Final = "chunk"


class AskedRows:
    """Judges the rows of a file by asking."""

    def __init__(self, ask: Ask) -> None:
        """Take what answers questions."""
        self._ask = ask

    def relevance(self, rows: Sequence[Mapping[str, Any]]) -> list[Row]:
        """Take the grade as the score, and whether it says relevant as the label."""
        turns = [
            _turn(number, row["question"], chunk=row["chunk"], name=title(row))
            for number, row in enumerate(rows)
        ]
        judged = []
        for row, answer in zip(rows, self._answers(turns, relevance_questions), strict=True):
            positive = row["relevant"] > 0
            told = answer if isinstance(answer, Relevance) else None
            label = None if told is None else int(told.relevant)
            score = None if told is None else float(told.grade)
            judged.append(Row(positive=positive, score=score, labels=(int(positive), label)))
        return judged

    def support(self, rows: Sequence[Mapping[str, Any]]) -> list[Row]:
        """Take how much is supported as the score and as the label."""
        turns = [
            _turn(
                number,
                row.get("question") or "What is known about this?",
                chunk="\n".join(row["evidence"]) if "evidence" in row else row["chunk"],
                answer=row.get("claim") or row["answer"],
            )
            for number, row in enumerate(rows)
        ]
        binary = is_binary(rows)
        judged = []
        for row, answer in zip(rows, self._answers(turns, support_questions), strict=True):
            grade = _GRADES[answer.label] if isinstance(answer, Support) else None
            given = 0 if binary and grade == 1 else grade
            score = None if grade is None else float(grade)
            judged.append(Row(positive=is_positive(row), score=score, labels=(people(row), given)))
        return judged

    def routing(self, rows: Sequence[Mapping[str, Any]]) -> list[Routed]:
        """Take the first tool that is called missing."""
        turns = [
            _turn(number, request(row), catalogue=_catalogue(row["tools"]))
            for number, row in enumerate(rows)
        ]
        answers = self._answers(turns, _routing)
        return [_routed(answer) for answer in answers]

    def _answers(
        self, turns: Sequence[Turn], questions: Callable[[Turn], Iterable[Question]]
    ) -> list[object]:
        """Return an answer for each turn; None where nothing could be asked."""
        asked = [next(iter(questions(turn)), None) for turn in turns]
        verdicts = iter(self._ask([one for one in asked if one is not None]))
        return [None if one is None else next(verdicts).decided for one in asked]


def _routing(turn: Turn) -> Iterable[Question]:
    conversation = Conversation(conversation_id=turn.conversation_id, turns=(turn,))
    return routing_questions(conversation)


def _routed(answer: object) -> Routed:
    undecided = Routed(score=None, tool=None, applies=False)
    if not isinstance(answer, RoutingJudgement):
        return undecided
    (turn,) = answer.turns
    if turn.unjudged is not None or not turn.missing_decided:
        return undecided
    tools = [one.name for one in turn.missing if one.kind == "tool"]
    return Routed(score=float(bool(tools)), tool=tools[0] if tools else None, applies=bool(tools))


def _catalogue(tools: Iterable[Mapping[str, Any]]) -> Catalogue:
    return Catalogue(
        agent="assistant",
        tools=tuple(
            ToolDefinition(
                name=tool["name"],
                description=tool.get("description"),
                parameters=tool.get("parameters"),
            )
            for tool in tools
        ),
    )


def _turn(
    number: int,
    question: str,
    *,
    chunk: str | None = None,
    name: str | None = None,
    answer: str = "I do not know yet.",
    catalogue: Catalogue | None = None,
) -> Turn:
    """Build a turn that retrieved at most one chunk, and cites it in its one paragraph."""
    found = () if chunk is None else (_chunk(chunk, name),)
    paragraph = Paragraph(paragraph=1, kind="prose", start=0, end=len(answer), text=answer)
    citation = Citation(
        citation=1,
        marker="",
        start=len(answer),
        end=len(answer),
        paragraph=1,
        target=_CHUNK,
        status="resolved",
        source="native",
    )
    return Turn(
        conversation_id=f"row-{number}",
        turn=1,
        trace_ids=(),
        start_ns=None,
        end_ns=None,
        question=question,
        routing=None if catalogue is None else Routing(catalogues=(catalogue,)),
        retrievals=tuple(
            Retrieval(retrieval_id="search", position=1, query=question, status="ok", chunks=found)
            for _ in found
        ),
        generation=Generation(
            answer=answer, paragraphs=(paragraph,), citations=(citation,) if found else ()
        ),
        evidence=tuple(
            Evidence(evidence_id=_CHUNK, kind="chunk", text=one.text or "", from_turn=1)
            for one in found
        ),
    )


def _chunk(text: str, name: str | None) -> Chunk:
    return Chunk(
        chunk_id=_CHUNK,
        rank=1,
        first_rank=1,
        score=None,
        text=text,
        metadata={} if name is None else {"title": name},
        in_context=True,
    )
