"""Questions from turns: what a judge is asked, and all that it gets to see.

    Turn ─┬─ answer_question ─────────▶ ─┬─ together_questions ─▶ ─┬─ rest_questions
          ├─ statements_question         │  (pairs judged)         └─ probe_questions
          ├─ relevance_questions         │                            (answer judged)
          └─ support_questions ────────▶ ┘
    Conversation ── routing_questions

Pure functions: the same turn gives the same questions in the same order. The content of
a question is plain JSON, without ids, paths or times; texts are bounded copies
(`judge.rendering`). Every field named here is always present.

`relevance` and `probe` (one shape, so that they share replies)
    need       str        the question; for a probe the element of the question
    earlier    [str]      the user's messages before it, oldest first; empty for a probe
    chunk      {title: str | None, text: str}

`support`
    question   str        the user's question
    lead_in    str | None the block before a list, table or code block, else None
    paragraph  {kind, text, markers}   kind: prose list table code; markers: the citation
                          markers that stand in the text, as written
    evidence   [evidence] one piece for a pair, several for "together" and "rest"; each with
               `cited_as`, the markers of the paragraph that point to it

`answer`
    question   str
    earlier    [{role: user | assistant, text}]  the conversation before, oldest first
    paragraphs [{paragraph, kind, text, markers}]  all blocks of the answer, from 1
    evidence   [evidence] all that stood before the model
    evidence_left_out     int: pieces that found no room
    question_language, answer_language   ISO 639-1 | None, as the detector is certain

`statements`
    question, paragraphs, evidence, evidence_left_out   as in `answer`

evidence
    label      "evidence 1", "evidence 2", …  by position
    kind       chunk | tool_result
    title      str | None of a chunk
    tool, arguments, status   of a tool result, else None; arguments is any JSON value,
               None also where the call is of an earlier turn; status: ok error empty
    text       str: the chunk, the result as text, an error text, or `(no result)`

`routing`: see `judge.asking_routing`.
"""

from collections.abc import Iterable, Iterator
from typing import Final, Literal, TypeAlias

from ingest.span import Value
from judge.question import Question, QuestionKind, Subject
from judge.rendering import (
    QUESTION_CHARACTERS,
    chunk_value,
    distinct_chunks,
    evidence_values,
    message_values,
    numbered_paragraphs,
    shortened,
)
from stages.records import Chunk, Turn

Citing: TypeAlias = Literal["auto", "expected", "none"]
"""Profile setting: whether answers are expected to cite."""

NEED_MESSAGES: Final = 3
NEED_CHARACTERS: Final = 1_000
_EARLIER_MESSAGES = 6
_EARLIER_CHARACTERS = 4_000


def not_judgeable(turn: Turn, *, templates: bool = False) -> str | None:
    """Return why nothing is asked about a turn, None when it can be judged.

    Args:
        turn: The turn.
        templates: Judge canned answers too.

    Returns:
        `incomplete`: the span that carries the answer is missing from the trace.
        `not_captured`: no question or no answer text was recorded.
        `template_answer`: the answer is a canned reply, not the model's.
    """
    if not turn.complete:
        return "incomplete"
    answer = None if turn.generation is None else turn.generation.answer
    if not (turn.question and turn.question.strip() and answer and answer.strip()):
        return "not_captured"
    canned = turn.generation is not None and turn.generation.source == "template"
    return "template_answer" if canned and not templates else None


def cites(turn: Turn) -> bool:
    """Tell whether an answer cites at all.

    An invalid citation counts, an ambiguous one (perhaps none at all) does not.
    """
    citations = () if turn.generation is None else turn.generation.citations
    return any(citation.status != "ambiguous" for citation in citations)


def citing_agents(turns: Iterable[Turn]) -> frozenset[tuple[str | None, str | None]]:
    """Return (service, agent) of every agent that cites in at least one of *turns*."""
    return frozenset((turn.service, turn.agent) for turn in turns if cites(turn))


def citing_expected(
    turn: Turn,
    citing: frozenset[tuple[str | None, str | None]],
    profile: Citing = "auto",
) -> bool:
    """Tell whether the answer of a turn is expected to cite.

    Args:
        turn: A turn that retrieved no chunk is never expected to cite.
        citing: What `citing_agents` found in the whole run.
        profile: `auto`: the agent cites in any turn of the run. `expected`: every agent.
    """
    if profile == "none" or not any(search.chunks for search in turn.retrievals):
        return False
    return profile == "expected" or (turn.service, turn.agent) in citing


def relevance_questions(turn: Turn) -> Iterator[Question]:
    """Ask how relevant each distinct retrieved chunk with a text is to the user's need.

    The need is what the user wrote, never the agent's reformulation. In order of search.
    """
    history = [message for message in turn.history if message.role == "user"]
    earlier = message_values(history, NEED_MESSAGES, NEED_CHARACTERS)
    texts: list[Value] = [item["text"] for item in earlier if isinstance(item, dict)]
    for chunk_id, chunk in distinct_chunks(turn).items():
        yield _about_turn(
            turn,
            "relevance",
            Subject(chunk_id=chunk_id),
            _need(turn.question or "", texts, chunk),
        )


def probe_questions(
    turn: Turn, element: int, element_text: str, chunks: Iterable[Chunk]
) -> Iterator[Question]:
    """Ask whether chunks that were not before the model answer one element.

    Args:
        turn: The turn that lacked evidence.
        element: Index of the element in the turn's `answer` verdict, from 0.
        element_text: The element, readable as a question of its own.
        chunks: Candidates; those without a text are passed over.
    """
    for chunk in chunks:
        if chunk.text is not None and chunk.text.strip():
            subject = Subject(chunk_id=chunk.chunk_id, element=element, element_text=element_text)
            yield _about_turn(turn, "probe", subject, _need(element_text, [], chunk))


def answer_question(turn: Turn) -> Question:
    """Ask what kind of reply the answer is and what of the question it covers."""
    return _about_turn(
        turn,
        "answer",
        Subject(),
        {
            **_answer_and_evidence(turn),
            "earlier": message_values(turn.history, _EARLIER_MESSAGES, _EARLIER_CHARACTERS),
            "question_language": turn.language,
            "answer_language": turn.answer_language,
        },
    )


def statements_question(turn: Turn, *, on_request: bool = False) -> Question | None:
    """Ask for the statements of an answer that cites nothing, held against the evidence.

    Args:
        turn: The turn.
        on_request: Ask although the answer cites.

    Returns:
        None where the answer cites, or where no evidence stood before the model.
    """
    if not turn.evidence or (cites(turn) and not on_request):
        return None
    return _about_turn(turn, "statements", Subject(), _answer_and_evidence(turn))


def _answer_and_evidence(turn: Turn) -> dict[str, Value]:
    evidence, left_out = evidence_values(turn, turn.evidence)
    return {
        "question": shortened(turn.question or "", QUESTION_CHARACTERS),
        "paragraphs": numbered_paragraphs(turn),
        "evidence": list[Value](evidence),
        "evidence_left_out": left_out,
    }


def _need(need: str, earlier: list[Value], chunk: Chunk) -> dict[str, Value]:
    return {
        "need": shortened(need.strip(), QUESTION_CHARACTERS),
        "earlier": earlier,
        "chunk": {**chunk_value(chunk)},
    }


def _about_turn(
    turn: Turn, kind: QuestionKind, subject: Subject, content: dict[str, Value]
) -> Question:
    return Question(
        kind=kind,
        conversation_id=turn.conversation_id,
        turn_id=turn.turn_id,
        subject=subject,
        content=content,
    )
