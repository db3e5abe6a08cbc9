"""Answers to the judge's questions, known because the turn was planted.

They say what is right and what is supported, never which stage is to blame. A script
names what is remarkable; the rest follows from what happened and these defaults:

* an element is answered by the first paragraph, and was in the evidence when something
  that answers it was
* a passage that answers an element has grade 3, any other grade 0
* a paragraph needs a source when it cites, or when the turn has tools and no search
* what a paragraph cites supports it fully; so does the result of a tool that answers it
* every agent, collection, tool and argument was right and nothing was missing
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from sample_traces.agent.blocks import blocks
from sample_traces.agent.corpus import Corpus
from sample_traces.agent.records import CallRecord, TurnRecord
from sample_traces.agent.script import Table

_CALL = re.compile(r"call-(?:(\d+)\.)?(\d+)")
_MARKER = re.compile(r" ?(?:\[[\w ,-]+\]|【\d+】)")
_OFF_TARGET = {"grade": 1, "target": False, "intent": True, "usable": True}
_RELEVANT = 2


def answer_line(record: TurnRecord, corpus: Corpus) -> dict[str, Any]:
    """Return one line of `answers.jsonl`."""
    planted = _Planted(record, corpus)
    return {
        "conversation_id": record.conversation_id,
        "turn": record.turn,
        "answer": planted.answer(),
        "relevance": planted.relevance(),
        "support": {str(paragraph): pairs for paragraph, pairs in planted.support().items()},
        "statements": planted.statements(),
        "routing": planted.routing(),
    }


class _Planted:
    """The answers about one turn."""

    def __init__(self, record: TurnRecord, corpus: Corpus) -> None:
        self._record = record
        self._given = record.script.judgement
        self._texts = {p.passage_id: p.text for passages in corpus.values() for p in passages}
        spans = blocks(record.answer)
        self._blocks = {n: record.answer[start:end] for n, (start, end) in enumerate(spans, 1)}
        self._cited: dict[int, list[str]] = {number: [] for number in self._blocks}
        for cited in record.cited:
            number = next(
                n for n, (start, end) in enumerate(spans, 1) if start <= cited.start < end
            )
            self._cited[number].append(cited.passage_id)
        self._searches = {c.call_id: c.collection for c in record.calls if c.collection is not None}
        self._evidence = {*record.in_prompt, *record.carried} | {
            call.call_id for call in record.calls if call.collection is None or not call.found
        }
        self._elements = [self._element(element) for element in self._given.get("elements", ())]

    def answer(self) -> dict[str, Any]:
        """Return the `AnswerJudgement`."""
        given, elements = self._given, self._elements
        answered = sum(element["status"] == "answered" for element in elements)
        completeness = round(3 * answered / len(elements)) if elements else 3
        language = self._record.language
        sufficient = all(element["in_evidence"] for element in elements) if elements else None
        return {
            "needs_evidence": given.get("needs_evidence", bool(elements)),
            "reply": given.get("reply", _reply(elements)),
            "elements": elements,
            "paragraphs": [
                {"paragraph": number, "needs_source": claim != "none", "claim": claim}
                for number, claim in self._claims().items()
            ],
            "understanding": given.get("understanding", 3),
            "coherence": given.get("coherence", 3),
            "completeness": given.get("completeness", completeness),
            "question_language": given.get("question_language", language),
            "answer_language": given.get("answer_language", language),
            "evidence_sufficient": sufficient,
        }

    def relevance(self) -> dict[str, Any]:
        """Return grade and criteria of every retrieved passage that is not off in all."""
        found = [passage_id for call in self._record.calls for passage_id in call.found]
        answering = [i for element in self._elements for i in element["answered_by"]]
        grades = dict.fromkeys((i for i in answering if i in found), 3)
        grades |= {
            _retrieved(i, found): grade for i, grade in self._given.get("grades", {}).items()
        }
        judged = {i: _criteria(grade) for i, grade in grades.items() if grade > 0}
        off_target = self._given.get("off_target", ())
        return judged | {_retrieved(i, found): dict(_OFF_TARGET) for i in off_target}

    def support(self) -> dict[int, dict[str, str]]:
        """Return the labels by paragraph and evidence; what is left out is `none`."""
        claims = self._claims()
        labels = {number: dict.fromkeys(ids, "full") for number, ids in self._cited.items() if ids}
        for element in self._elements:
            calls = [i for i in element["answered_by"] if i.startswith("call_")]
            for number in element["paragraphs"]:
                if calls and claims[number] != "none" and not self._cited[number]:
                    labels.setdefault(number, {}).update(dict.fromkeys([*calls, "rest"], "full"))
        for number, given in self._given.get("support", {}).items():
            pairs = {self._evidence_ids(ids): label for ids, label in given.items()}
            labels.setdefault(int(number), {}).update(pairs)
        return {
            number: {ids: label for ids, label in pairs.items() if label != "none"}
            for number, pairs in sorted(labels.items())
        }

    def statements(self) -> list[dict[str, Any]]:
        """Return those of the script, or one per paragraph that needs a source."""
        if "statements" in self._given:
            return [dict(statement) for statement in self._given["statements"]]
        support = self.support()
        return [
            self._statement(number, support.get(number, {}))
            for number, claim in self._claims().items()
            if claim != "none"
        ]

    def routing(self) -> dict[str, Any]:
        """Return the `TurnRouting`."""
        given: Table = self._given.get("routing", {})
        reworded = self._record.script.refined_query is not None or bool(self._searches)
        judged_calls: Table = given.get("calls", {})
        judged_collections: Table = given.get("collections", {})
        return {
            "agent_ok": given.get("agent_ok", True),
            "fitting_agent": given.get("fitting_agent"),
            "collections": [
                {"collection": name, "ok": True} | judged_collections.get(name, {})
                for name in dict.fromkeys(self._searches.values())
            ],
            "calls": [
                self._call(call, judged_calls.get(str(call.position), {}))
                for call in self._record.calls
            ],
            "missing": list(given.get("missing", ())),
            "refined_faithful": given.get("refined_faithful", True) if reworded else None,
            "lost_constraints": list(given.get("lost_constraints", ())),
        }

    def _call(self, call: CallRecord, given: Table) -> dict[str, Any]:
        wrong = [
            wrong | {"known_from": self._evidence_ids(wrong["known_from"])}
            for wrong in given.get("wrong_arguments", ())
        ]
        tool_ok = given.get("tool_ok", True)
        return {
            "position": call.position,
            "tool_ok": tool_ok,
            "args_ok": not wrong if tool_ok else None,
            "wrong_arguments": wrong,
            "fits": given.get("fits"),
        }

    def _element(self, given: Table) -> dict[str, Any]:
        status = given.get("status", "answered")
        answered_by = [self._evidence_ids(i) for i in given.get("answered_by", ())]
        in_evidence = not self._evidence.isdisjoint(answered_by)
        return {
            "text": given["text"],
            "status": status,
            "paragraphs": given.get("paragraphs", [] if status == "silently_missing" else [1]),
            "in_evidence": given.get("in_evidence", in_evidence),
            "answered_by": answered_by,
        }

    def _claims(self) -> dict[int, str]:
        given = {int(number): claim for number, claim in self._given.get("claims", {}).items()}
        by_tool = bool(self._record.calls) and not self._searches
        return {
            number: given.get(number, "fact" if by_tool or self._cited[number] else "none")
            for number in self._blocks
        }

    def _statement(self, number: int, pairs: Mapping[str, str]) -> dict[str, Any]:
        label = "supported" if "full" in pairs.values() else "unsupported"
        if "contradicted" in pairs.values():
            label = "contradicted"
        quotes = self._given.get("quotes", {})
        sources = (
            self._texts[i] for i, given in pairs.items() if given == "full" and i in self._texts
        )
        return {
            "text": _MARKER.sub("", self._blocks[number]),
            "paragraph": number,
            "label": label,
            "quote": quotes.get(str(number), next(sources, None))
            if label != "unsupported"
            else None,
        }

    def _evidence_ids(self, text: str) -> str:
        """Write `call-1` (of this turn) and `call-2.1` (of turn 2) as the ids of the calls."""
        prefix = f"call_{self._record.conversation_id.replace('-', '')}"
        return _CALL.sub(lambda match: f"{prefix}_{match[1] or self._record.turn}_{match[2]}", text)


def _reply(elements: Iterable[Table]) -> str:
    statuses = {element["status"] for element in elements}
    if statuses <= {"answered"}:
        return "answered"
    if "answered" in statuses:
        return "partly"
    return "abstained"


def _criteria(grade: int) -> dict[str, Any]:
    relevant = grade >= _RELEVANT
    return {"grade": grade, "target": True, "intent": relevant, "usable": relevant}


def _retrieved(passage_id: str, found: Iterable[str]) -> str:
    if passage_id not in found:
        raise ValueError(f"{passage_id} was not retrieved")
    return passage_id
