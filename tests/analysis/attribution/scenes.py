"""Short hand for judged turns: what the judge said, without asking anybody.

`scene(…)` builds a turn about two machines, RX-200 and RX-300, with manuals in two
collections and orders behind tools. Each argument names one verdict; what a test leaves
out is the quiet default: one element, answered by paragraph 1, right agent, right calls.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from analysis.judged import JudgedTurn, ProbeHit
from judge.answers import (
    AnswerJudgement,
    CallJudgement,
    CollectionJudgement,
    Element,
    MissingResource,
    ParagraphClaim,
    Relevance,
    ReplyKind,
    Statement,
    StatementLabel,
    Statements,
    Support,
    SupportLabel,
    TurnRouting,
    Unjudged,
    WrongArgument,
)
from judge.question import Question, QuestionKind, Subject, Verdict
from stages.records import Chunk, Citation, Evidence, Generation, Retrieval, ToolCall, Turn
from tests import builders as b

CONVERSATION = "c-1"


def verdict(kind: QuestionKind, answer: Any, **subject: Any) -> Verdict[Any]:
    """Build a stored verdict."""
    return Verdict(
        question=Question(
            kind=kind,
            conversation_id=CONVERSATION,
            turn_id=f"{CONVERSATION}/1",
            subject=Subject(**subject),
            content={},
        ),
        key=f"{kind}-{'-'.join(map(str, subject.values()))}"[:64],
        answer=answer,
        judge="recorded/answers",
        prompt_version="recorded/1",
        model="answers",
    )


def relevance(grade: int | None, *, target: bool | None = None) -> Relevance | Unjudged:
    """Build a grade; None is undecided. Without *target*, a grade above 0 is on target."""
    if grade is None:
        return Unjudged(reason="uncertain")
    on_target = grade > 0 if target is None else target
    return Relevance(reason="", target=on_target, intent=grade > 0, usable=grade > 1, grade=grade)


def support(label: SupportLabel | None) -> Support | Unjudged:
    """Build a support label; None is undecided."""
    return Unjudged(reason="uncertain") if label is None else Support(reason="", label=label)


def element(
    status: str = "answered",
    *paragraphs: int,
    in_evidence: bool | None = True,
    text: str = "How often is the filter of the RX-200 changed?",
) -> Element:
    """Build an element of the question."""
    return Element(
        text=text,
        status=status,  # type: ignore[arg-type]  # short hand for tests
        paragraphs=paragraphs or ((1,) if status == "answered" else ()),
        in_evidence=in_evidence,
    )


def claim(number: int = 1, asserts: str = "fact", *, needs_source: bool = True) -> ParagraphClaim:
    """Build what a paragraph asserts."""
    return ParagraphClaim(
        paragraph=number,
        needs_source=needs_source,
        claim=asserts,  # type: ignore[arg-type]  # short hand for tests
    )


def hit(
    grade: int | None = 3,
    chunk_id: str = "m-9",
    *,
    element: int = 0,
    collection: str | None = "manuals-rx200",
    searched: bool = False,
    retrieved: bool = False,
    seen_before: bool = True,
    reachable_by: Sequence[str] = (),
    text: str = "RX-200: change the filter every 500 hours.",
    rank: int = 1,
) -> ProbeHit:
    """Build a probed chunk; by default it answers, in a collection that was not searched."""
    return ProbeHit(
        element=element,
        chunk=b.chunk(chunk_id, text, rank, in_context=False if retrieved else None),
        collection=collection,
        first_seen_ns=0,
        seen_before=seen_before,
        retrieved=retrieved,
        searched=searched or retrieved,
        reachable_by=tuple(reachable_by),
        verdict=verdict("probe", relevance(grade), element=element, chunk_id=chunk_id),
    )


def routed(
    *,
    agent_ok: bool | None = True,
    fits: str | None = None,
    collections: Mapping[str, bool | None] | None = None,
    calls: Iterable[CallJudgement] = (),
    missing: Iterable[str] = (),
    missing_decided: bool = True,
    refined: bool | None = None,
    lost: Sequence[str] = (),
) -> TurnRouting:
    """Build the routing verdict of a turn."""
    return TurnRouting(
        turn=1,
        reason="",
        agent_ok=agent_ok,
        fitting_agent=fits,
        collections=tuple(
            CollectionJudgement(collection=name, ok=ok) for name, ok in (collections or {}).items()
        ),
        calls=tuple(calls),
        missing=tuple(MissingResource(kind="collection", name=name) for name in missing),
        missing_decided=missing_decided,
        refined_faithful=refined,
        lost_constraints=tuple(lost),
    )


def wrong_arguments(position: int = 1, argument: str = "order_id") -> CallJudgement:
    """Build the judgement of a call with one wrong value."""
    return CallJudgement(
        position=position,
        tool_ok=True,
        args_ok=False,
        wrong_arguments=(
            WrongArgument(argument=argument, value="1043", expected="1034", known_from="turn 1"),
        ),
    )


def wrong_tool(position: int = 1, fits: str = "get_order") -> CallJudgement:
    """Build the judgement of a call of the wrong tool."""
    return CallJudgement(position=position, tool_ok=False, args_ok=None, fits=fits)


def right_call(position: int = 1) -> CallJudgement:
    """Build the judgement of a right call."""
    return CallJudgement(position=position, tool_ok=True, args_ok=True)


def search(*chunks: Chunk, collection: str | None = "manuals-rx200", **fields: Any) -> Retrieval:
    """Build a search of one collection."""
    return b.retrieval(chunks, collection=collection, **fields)


def scene(
    answer: str = "The filter is changed every 500 hours. [1]",
    *,
    elements: Sequence[Element] | None = None,
    claims: Sequence[ParagraphClaim] | None = None,
    reply: ReplyKind = "answered",
    needs_evidence: bool = True,
    understanding: int = 3,
    coherence: int = 3,
    searches: Sequence[Retrieval] = (),
    calls: Sequence[ToolCall] = (),
    citations: Sequence[Citation] = (),
    grades: Mapping[str, int | None] | None = None,
    pairs: Mapping[tuple[int, str], SupportLabel | None] | None = None,
    together: Mapping[tuple[int, tuple[str, ...]], SupportLabel | None] | None = None,
    rest: Mapping[int, tuple[SupportLabel | None, tuple[str, ...]]] | None = None,
    statements: Mapping[int, StatementLabel] | None = None,
    routing: TurnRouting | Unjudged | None = None,
    probes: Sequence[ProbeHit] | None = (),
    probed: Sequence[int] = (0,),
    records_elsewhere: Mapping[str, str] | None = None,
    citing_expected: bool = False,
    turn: int = 1,
    flag: str | None = None,
    earlier: Sequence[Evidence] = (),
    off_target: Sequence[str] = (),
    refined: str | None = None,
    answer_verdict: AnswerJudgement | Unjudged | None = None,
    **fields: Any,
) -> JudgedTurn:
    """Build a judged turn; see the module's docstring.

    `probes` None: not probed; otherwise the elements in `probed` were, with these hits.
    `off_target`: chunks graded below 2 because they are about another object.
    """
    found = [chunk for one in searches for chunk in one.chunks]
    seen = [
        b.evidence(chunk.chunk_id, chunk.text or "", from_turn=turn, collection=one.collection)
        for one in searches
        for chunk in one.chunks
        if chunk.in_context is not False and chunk.text is not None
    ]
    results = [
        b.evidence(
            call.call_id,
            call.error or str(call.result or "(no result)"),
            "tool_result",
            from_turn=turn,
            tool=call.name,
            tool_status=call.status,
        )
        for call in calls
        if not call.is_retrieval
    ]
    generation: Generation = b.generation(answer, citations, flag=flag)
    judgement = answer_verdict or AnswerJudgement(
        reason="",
        needs_evidence=needs_evidence,
        reply=reply,
        elements=(element(),) if elements is None else tuple(elements),
        paragraphs=tuple((claim(),) if claims is None else claims),
        understanding=understanding,
        coherence=coherence,
        completeness=3,
    )
    built: Turn = b.turn(
        conversation_id=CONVERSATION,
        number=turn,
        answer=generation,
        retrievals=tuple(searches),
        tool_calls=tuple(calls),
        evidence=(*seen, *results, *earlier),
        routing=b.routing(("service-bot",), refined_query=refined),
        agent="service-bot",
        **fields,
    )
    graded = grades or {}
    return JudgedTurn(
        turn=built,
        routing=routing or routed(),
        routing_key="routing",
        relevance={
            chunk.chunk_id: verdict(
                "relevance",
                relevance(
                    graded.get(chunk.chunk_id, 0),
                    target=False if chunk.chunk_id in off_target else None,
                ),
                chunk_id=chunk.chunk_id,
            )
            for chunk in found
            if chunk.text is not None
        },
        support={
            **{
                (number, (ident,)): verdict(
                    "support", support(label), paragraph=number, evidence_ids=(ident,)
                )
                for (number, ident), label in (pairs or {}).items()
            },
            **{
                (number, idents): verdict(
                    "support", support(label), paragraph=number, evidence_ids=idents
                )
                for (number, idents), label in (together or {}).items()
            },
        },
        rest={
            number: verdict(
                "support", support(label), paragraph=number, evidence_ids=idents, rest=True
            )
            for number, (label, idents) in (rest or {}).items()
        },
        answer=verdict("answer", judgement),
        statements=None
        if statements is None
        else verdict(
            "statements",
            Statements(
                reason="",
                statements=tuple(
                    Statement(text="", paragraph=number, label=label)
                    for number, label in statements.items()
                ),
            ),
        ),
        probes=None
        if probes is None
        else {index: tuple(one for one in probes if one.element == index) for index in probed},
        records_elsewhere=records_elsewhere or {},
        citing_expected=citing_expected,
    )
