"""A run written by hand: one conversation that says what every part of a page must show.

`team-1/2` searched policies-us for a German account. P1 rests on a chunk about the wrong
object, P2 is contradicted, P3 cites a source that does not exist; a probe found the chunk
that answers in policies-eu. `team-1/1` passed, `ar-1/1` is in Arabic and Chinese.
"""

import json
from pathlib import Path
from typing import Any

from analysis.run import Run, load_run
from analysis.tables.turn_rows import Row
from tests.analysis.runs import finding, metric, turn_row, write_run

TURN = "team-1/2"
P1 = "You can cancel at any time \N{TOP HAT}\N{ROBOT FACE}, but annual plans are not refunded for unused months [1]."
P2 = "The refund takes thirty days [2]."
P3 = "It is paid to the original card [9]."
C1 = "Refunds (US). Annual subscriptions are\n non-refundable for unused months. Access goes on until the end."
C2 = "Refunds are paid within 14 days of the request."
FOUND = (
    "Refunds (EU). Customers billed in the EU receive unused full months of an annual plan back."
)
CLEARED = "Would have been routing (searched policies-us), but the answer goes against what stood before the model."
ARABIC = "هل يمكنني إلغاء الاشتراك الآن؟"
CHINESE = "可以，请在设置中取消订阅。"
LONG_ID = 12345678901234567890


def story(folder: Path) -> Run:
    """Write the run and open it."""
    return load_run(write_run(folder, "r-story", **_tables()))


def _tables() -> dict[str, Any]:
    answer = f"{P1}\n\n{P2}\n\n{P3}"
    starts = [0, len(P1) + 2, len(P1) + len(P2) + 4]
    blocks = [
        {"turn_id": TURN, "paragraph": number, "kind": "prose", "start": start,
         "end": start + len(text), "text": text, "needs_source": True, "claim": "fact",
         "support": support}
        for number, start, text, support in zip(
            (1, 2, 3), starts, (P1, P2, P3), ("full", "none", "none"), strict=True)
    ]  # fmt: skip
    return {
        "turns": [
            turn_row("team-1/1", question="We pay from Berlin. Which plan are we on?",
                     collections=[], tools=["get_account"], day=0.5),
            turn_row(TURN, root="routing.wrong_collection", question="How do I cancel the annual plan, and what do we get back?",
                     answer=answer, agents=["planner", "billing"], collections=["policies-us"],
                     found_collections=["policies-eu"], tools=["search_policies", "get_order"], day=0.6,
                     sentence="Routing searched policies-us; the chunk that answers is in policies-eu.",
                     causes=json.dumps(_causes()), elements=json.dumps(_elements()), reply="answered",
                     answer_source="generated", finish_reason="stop"),
            turn_row("ar-1/1", root="generation.wrong_language", question=ARABIC, answer=CHINESE,
                     language="ar", answer_language="zh", day=1.2, sentence="Generation: the answer is in another language."),
            turn_row("other-1/1", question="May I return shoes?", collections=["policies-eu"], day=1.3),
            turn_row("open-1/1", "not_judged", outcome_reason="not_captured", question=None, answer=None, day=1.4),
        ],
        "findings": [
            finding(TURN, "routing.wrong_collection") | {"evidence": ["chunk eu-4", "verdict " + "a" * 64]},
            finding(TURN, "generation.contradicts_source", "contributing") | {"evidence": ["P2", "chunk c-2"]},
            finding(TURN, "retrieval.irrelevant_chunks", "downstream") | {"evidence": ["chunk c-1"]},
            finding("ar-1/1", "generation.wrong_language"),
        ],
        "metrics": [
            metric(TURN, "tool_ok_rate", 1, 2),
            metric(TURN, "faithfulness", 1, 3, stage="generation"),
            metric(TURN, "ndcg", stage="retrieval", reason="fewer_than_two_chunks"),
        ],
        "tool_calls": [
            _call(1, "search_policies", {"query": "cancel plan", "collection": "policies-us"}, is_retrieval=True),
            _call(2, "get_order", {"order_id": LONG_ID, "country": "US"}, result='{"status":"open"}', is_retrieval=False),
        ],
        "retrievals": [
            {"turn_id": TURN, "retrieval_id": "s-1", "position": 1, "collection": "policies-us",
             "query": "cancel plan", "status": "ok", "n_chunks": 2, "span_id": "b2", "call_id": "call-1"},
        ],
        "chunks": [_chunk("c-1", 1, C1, grade=1, on_target=False, cited=True),
                   _chunk("c-2", 2, C2, grade=2, relevant=True, on_target=True, cited=True),
                   _chunk("eu-4", 1, FOUND, turn_id="other-1/1", collection="policies-eu")],
        "paragraphs": blocks,
        "citations": [
            _citation(1, 1, "[1]", starts[0] + P1.index("[1]"), "c-1", "resolved"),
            _citation(2, 2, "[2]", starts[1] + P2.index("[2]"), "c-2", "resolved"),
            _citation(3, 3, "[9]", starts[2] + P3.index("[9]"), None, "out_of_range"),
        ],
        "spans": [
            _span("b1", None, "invoke_agent", 0, 900, None),
            _span("b2", "b1", "search_policies", 100, 300, "retrieval"),
            _span("b3", "b1", "chat", 300, 850, "generation"),
            _span("b4", "b1", "log_metrics", 850, 860, None),
        ],
        "verdicts": _verdicts(),
    }  # fmt: skip


def _causes() -> list[Row]:
    return [
        {
            "symptom": "misfounded", "detail": "missing_abstention", "element": 1,
            "element_text": "What do we get back?", "status": "answered", "paragraphs": [1],
            "stage": "routing", "kind": "wrong_collection",
            "explanation": "the chunk that answers is in policies-eu; searched was policies-us",
            "possible": [], "missing": None, "evidence": ["E2", "P1", "chunk eu-4", "verdict " + "a" * 64],
            "inherited_from": None, "counter_evidence": None,
            "beside": [{"stage": "retrieval", "kind": "irrelevant_chunks", "role": "downstream"}],
            "found_chunk_id": "eu-4", "found_collection": "policies-eu", "found_title": "Refunds (EU) §4",
            "found_grade": 3, "found_quote": "unused full months of an annual plan",
            "found_retrieved": False, "found_searched": False, "found_verdict": "b" * 64,
        },
        {
            "symptom": "false", "detail": None, "element": None, "element_text": None, "status": None,
            "paragraphs": [2], "stage": "generation", "kind": "contradicts_source",
            "explanation": "P2 contradicts what stood before the model", "possible": [], "missing": None,
            "evidence": ["P2", "chunk c-2"], "inherited_from": None, "beside": [],
            "counter_evidence": CLEARED,
            "found_chunk_id": None, "found_collection": None,
        },
    ]  # fmt: skip


def _elements() -> list[Row]:
    return [
        {"text": "How do I cancel?", "status": "answered", "paragraphs": [1], "in_evidence": True},
        {
            "text": "What do we get back?",
            "status": "answered",
            "paragraphs": [1],
            "in_evidence": False,
        },
    ]


def _call(position: int, name: str, arguments: Row, **cells: Any) -> Row:
    return {
        "turn_id": TURN, "position": position, "call_id": f"call-{position}", "agent": "billing",
        "name": name, "arguments": json.dumps(arguments), "result": None, "status": "ok",
        "catalogue": ["search_policies", "get_order"], "span_id": "b2", **cells,
    }  # fmt: skip


def _chunk(chunk_id: str, rank: int, text: str, turn_id: str = TURN, **cells: Any) -> Row:
    return {
        "turn_id": turn_id, "retrieval_id": "s-1", "chunk_id": chunk_id, "rank": rank, "first_rank": rank,
        "score": 0.83, "text": text, "collection": "policies-us", "metadata": "{}", "in_context": True,
        "relevant": False, **cells,
    }  # fmt: skip


def _citation(
    number: int, paragraph: int, marker: str, start: int, target: str | None, status: str
) -> Row:
    return {
        "turn_id": TURN, "citation": number, "paragraph": paragraph, "marker": marker, "start": start,
        "end": start + len(marker), "chunk_id": target, "status": status, "source": "marker",
    }  # fmt: skip


def _span(
    span_id: str, parent: str | None, name: str, start: int, end: int, stage: str | None
) -> Row:
    base = 1_767_225_600_000_000_001
    return {
        "trace_id": "t1", "span_id": span_id, "parent_span_id": parent, "name": name,
        "kind": "agent" if parent is None else "tool", "start_ns": base + start * 1_000_000,
        "end_ns": base + end * 1_000_000, "status": "ok", "service": "desk", "conversation_id": "team-1",
        "turn_id": TURN, "convention": "gen_ai", "flags": [], "stage": stage,
        "attributes": json.dumps({"gen_ai.operation.name": name, "app.order": LONG_ID}),
    }  # fmt: skip


def _verdicts() -> list[Row]:
    support = [
        (1, ["c-1"], "full", "annual plans are not refunded for unused months", "Annual subscriptions are non-refundable for unused months."),
        (2, ["c-2"], "contradicted", "takes thirty days", "within 14 days"),
        (3, ["c-1", "c-2"], "none", None, None),
    ]  # fmt: skip
    routing = {
        "reason": "The account is in Germany.",
        "turns": [
            {
                "turn": 2, "reason": "policies-us does not hold the terms of a German account",
                "agent_ok": True, "fitting_agent": None,
                "collections": [{"collection": "policies-us", "ok": False, "reason": "country = DE", "fits": "policies-eu"}],
                "calls": [
                    {"position": 1, "tool_ok": True, "args_ok": True, "wrong_arguments": [], "fits": None, "reason": ""},
                    {"position": 2, "tool_ok": True, "args_ok": False, "fits": None, "reason": "",
                     "wrong_arguments": [{"argument": "country", "value": "US", "expected": "DE", "known_from": "turn 1"}]},
                ],
                "missing": [], "missing_decided": True, "refined_faithful": None, "lost_constraints": [], "unjudged": None,
            },
            {"turn": 1, "reason": "", "agent_ok": True, "fitting_agent": None, "collections": [], "calls": [],
             "missing": [], "missing_decided": True, "refined_faithful": None, "lost_constraints": [], "unjudged": None},
        ],
    }  # fmt: skip
    rows = [
        _verdict("a" * 64, "routing", "turns 1-2", routing, turn_id=None),
        _verdict("b" * 64, "probe", "E2 × eu-4", {"reason": "answers", "target": True, "intent": True, "usable": True, "grade": 3, "quote": None},
                 label="relevant", grade=3, element=1, chunk_id="eu-4", quotes=["unused full months"]),
    ]  # fmt: skip
    for place, (paragraph, evidence, label, mine, theirs) in enumerate(support):
        detail = {"reason": "so", "label": label, "quote_paragraph": mine, "quote_evidence": theirs}
        quotes = [quote for quote in (mine, theirs) if quote]
        rows.append(
            _verdict(
                str(place) * 64,
                "support",
                f"P{paragraph} × {' + '.join(evidence)}",
                detail,
                label=label,
                paragraph=paragraph,
                evidence_ids=evidence,
                rest=False,
                quotes=quotes,
                flags=["hidden", "orders"] if place == 1 else [],
                hidden_characters=14 if place == 1 else 0,
            )
        )
    return rows


def _verdict(key: str, question: str, subject: str, detail: Row, **cells: Any) -> Row:
    return {
        "key": key, "conversation_id": "team-1", "turn_id": TURN, "question": question, "subject": subject,
        "status": "judged", "reason": detail["reason"], "judge": "local/local-1", "prompt_version": f"{question}/1",
        "model": "local-1", "input_tokens": 10, "output_tokens": 5, "cost_usd": 0.0021, "from_store": False,
        "detail": json.dumps(detail), **cells,
    }  # fmt: skip
