"""A run whose every cell is an attack on the page that shows it."""

import json
from pathlib import Path

from analysis.run import Run, load_run
from analysis.tables.turn_rows import Row
from tests.analysis.runs import finding, metric, turn_row, write_run

_CODE = (
    "window.PWN=1", "top.PWN=1", "self['PWN']=1", "globalThis.PWN=1", "parent.PWN=1", "eval('PWN=1')",
    "Function('PWN=1')()", "fetch('http://127.0.0.1:9/')",
)  # fmt: skip
_PLACES = (
    "</script><script>@</script>",
    "<img src=x onerror=@>",
    "\"'><svg onload=@>",
    '<iframe srcdoc="<script>@</script>"></iframe>',
    "<!--<script>@//",
    "</title></style></textarea><body onload=@>",
    "javascript:@",
    "${@}{{constructor.constructor('@')()}}",
    "<a href=javascript:@ autofocus onfocus=@>x</a>",
    "<math><mtext></p><style><img src onerror=@></style>",
    "<base href=http://127.0.0.1:9/><link rel=stylesheet href=@>",
    "<meta http-equiv=refresh content='0;url=http://127.0.0.1:9/@'>",
    "__proto__ constructor.prototype @",
)
PAYLOADS = tuple(place.replace("@", code) for place in _PLACES for code in _CODE)
"""A hundred and four attacks."""


def hostile(folder: Path) -> Run:
    """Write the run and open it: one turn per payload, which is in all of its cells."""
    tables: dict[str, list[Row]] = {}
    for number, payload in enumerate(PAYLOADS):
        for name, rows in _turn(number, payload).items():
            tables.setdefault(name, []).extend(rows)
    first, second = PAYLOADS[0], PAYLOADS[1]
    return load_run(
        write_run(
            folder,
            "r-1",
            info={
                "tool_version": first,
                "sources": [{"path": first, "bytes": 1, "sha256": second}],
                "skipped_files": [{"path": second, "reason": first}],
                "judge": {"provider": first, "model": second, "prompts": {first: second}, "params": {}, "agreement": first},
                "profile": {"name": second, "tuned": False},
                "versions": {first: second},
                "status": first,
            },
            **tables,
        )
    )  # fmt: skip


def _turn(number: int, text: str) -> dict[str, list[Row]]:
    conversation = f"c{number}{text}"
    turn_id = f"{conversation}/1"
    own = {"turn_id": turn_id}
    cause = {
        "symptom": text,
        "detail": text,
        "element": 0,
        "element_text": text,
        "status": text,
        "paragraphs": [1],
        "stage": "routing",
        "kind": "wrong_tool",
        "explanation": text,
        "possible": [text],
        "missing": None,
        "evidence": [text, f"chunk {text}", f"verdict {text}"],
        "inherited_from": text,
        "beside": [{"stage": text, "kind": text, "role": text}],
        "found_chunk_id": f"f{text}",
        "found_collection": text,
        "found_title": text,
        "found_grade": 3,
        "found_quote": text,
        "found_retrieved": False,
        "found_searched": False,
        "found_verdict": text,
    }
    element = {"text": text, "status": "silently_missing", "paragraphs": [1], "in_evidence": None}
    routing = {
        "turn": 1,
        "reason": text,
        "agent_ok": False,
        "fitting_agent": text,
        "collections": [{"collection": text, "ok": False, "reason": text, "fits": text}],
        "calls": [
            {
                "position": 1,
                "tool_ok": False,
                "args_ok": False,
                "fits": text,
                "reason": text,
                "wrong_arguments": [
                    {"argument": text, "value": text, "expected": text, "known_from": text}
                ],
            }
        ],
        "missing": [{"kind": text, "name": text, "reason": text}],
        "missing_decided": True,
        "refined_faithful": False,
        "lost_constraints": [text],
        "unjudged": None,
    }
    statement = {"text": text, "paragraph": 1, "label": "unsupported", "quote": text}
    return {
        "turns": [turn_row(
            turn_id, root="routing.wrong_tool", question=text, answer=text, sentence=text, agent=text, agents=[text],
            service=text, model=text, language=text, tenant=text, collections=[text], tools=[text], reply=text,
            answer_source=text, answer_flag=text, finish_reason=text, refined_query=text, inherited_from=text,
            flags=[text], gaps=[text], trace_ids=[text], answer_language="x" + text,
            causes=json.dumps([cause]), elements=json.dumps([element]))],
        "findings": [finding(turn_id, "routing.wrong_tool") | {"explanation": text, "evidence": [text]},
                     finding(turn_id, f"generation.{text}", "contributing")],
        "metrics": [metric(turn_id, text, 1, 2, stage="routing"), metric(turn_id, f"m{text}", stage="routing", reason=text)],
        "tool_calls": [own | {"position": 1, "call_id": text, "agent": text, "name": text, "status": text,
                              "arguments": json.dumps({text: text}), "result": text, "error": text, "catalogue": [text],
                              "is_retrieval": False}],
        "retrievals": [own | {"retrieval_id": text, "position": 1, "collection": text, "query": text,
                              "refined_query": f"r{text}", "status": text, "n_chunks": 1, "error": text}],
        "chunks": [own | {"retrieval_id": text, "chunk_id": text, "rank": 1, "first_rank": 1, "score": float("inf"),
                          "text": text, "collection": text, "title": text, "unjudged_reason": text}],
        "paragraphs": [own | {"paragraph": 1, "kind": text, "start": 0, "end": len(text), "text": text, "support": text}],
        "citations": [own | {"citation": 1, "paragraph": 1, "marker": text, "start": 0, "end": len(text),
                             "chunk_id": text, "status": text, "source": "marker"}],
        "spans": [{"trace_id": text, "span_id": text, "parent_span_id": text, "name": text, "kind": text, "start_ns": 1,
                   "end_ns": 2, "status": text, "service": text, "conversation_id": conversation, "turn_id": turn_id,
                   "convention": text, "flags": [text], "stage": None, "attributes": json.dumps({text: text})}],
        "verdicts": [
            _verdict(conversation, turn_id, "routing", text, {"reason": text, "turns": [routing]}, turn=None),
            _verdict(conversation, turn_id, "statements", text, {"reason": text, "statements": [statement]}),
            _verdict(conversation, turn_id, "support", text, {"quote_paragraph": text, "quote_evidence": text},
                     paragraph=1, evidence_ids=[text], rest=False, label=text),
        ],
        "losses": [{"outcome": text, "reason": text, "file": text, "offset": 1, "detail": text}],
    }  # fmt: skip


def _verdict(
    conversation: str, turn_id: str, question: str, text: str, detail: Row, **cells: object
) -> Row:
    own = None if "turn" in cells else turn_id
    cells.pop("turn", None)
    return {
        "key": text, "conversation_id": conversation, "turn_id": own, "question": question, "subject": text,
        "status": "judged", "reason": text, "quotes": [text], "judge": text, "prompt_version": text, "model": text,
        "cost_usd": None, "from_store": True, "detail": json.dumps(detail), **cells,
    }  # fmt: skip
