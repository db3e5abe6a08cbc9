"""A judge that reads its answers from a file written beforehand.

Whoever plants a fault in a trace knows the answers to the questions about it: which chunk
answers which element, which paragraph is supported by what, which argument is wrong. With
these answers instead of a judge's opinion, whatever is wrong in the result is wrong in
the rules. One JSON object a line:

    {"conversation_id": "c-7", "turn": 3,
     "answer": {…AnswerJudgement; an element may add "answered_by": ["chunk id", …]…},
     "relevance": {"chunk id": {"grade": 3, "target": true, "intent": true, "usable": true}},
     "support": {"1": {"chunk id": "full", "call id": "none", "id+id": "full", "rest": "none"}},
     "statements": [{"text": "…", "paragraph": 1, "label": "supported"}],
     "routing": {…TurnRouting without "turn"…}}

What is not listed: a chunk has grade 0 and the wrong target; a pair has support `none`;
several pieces of evidence together support as much as the best of them does alone; a probe
(element × chunk) has grade 3 exactly for the chunks in the element's `answered_by`, whose
collection does not matter. A turn that is not in the file is `uncertain`.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ingest.errors import JudgeError
from judge.question import JudgeIdentity, Question, QuestionKind, Reply

_LABELS = ("none", "partial", "full")
_NO_MATCH = {"target": False, "intent": False, "usable": False, "grade": 0}
_MATCH = {"target": True, "intent": True, "usable": True, "grade": 3}


class RecordedJudge:
    """Answers every question from a file of known answers."""

    def __init__(self, path: Path) -> None:
        """Read the answers.

        Raises:
            JudgeError: The file cannot be read, or a line is no such object.
        """
        self._turns: dict[str, dict[str, Any]] = {}
        try:
            data = path.read_bytes()
            lines = data.decode("utf-8").removesuffix("\n").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise JudgeError(str(path), f"cannot be read ({error})") from None
        self._params = {"answers": hashlib.sha256(data).hexdigest()[:16]}
        for number, line in enumerate(lines, start=1):
            try:
                record = json.loads(line)
                self._turns[f"{record['conversation_id']}/{record['turn']}"] = record
            except (ValueError, KeyError, TypeError):
                raise JudgeError(
                    f"{path}:{number}", "not a record of answers", "One JSON object a line."
                ) from None

    @property
    def identity(self) -> JudgeIdentity:
        """The provider is `recorded`; the parameters name the file by its content."""
        return JudgeIdentity(provider="recorded", model="answers", params=self._params)

    def prompt_version(self, kind: QuestionKind) -> str:
        """Return the same version for all kinds."""
        del kind
        return "recorded/1"

    def answer(self, questions: Sequence[Question]) -> Iterator[Reply]:
        """Yield the known answer to each question, in order."""
        for question in questions:
            content = self._look_up(question)
            if content is None:
                yield Reply(text="{}", model="answers", error="uncertain")
            else:
                yield Reply(text=json.dumps(content, ensure_ascii=False), model="answers")

    def _look_up(self, question: Question) -> Mapping[str, Any] | None:
        if question.kind == "routing":
            return self._routing(question)
        record = self._turns.get(question.turn_id or "")
        if record is None:
            return None
        subject = question.subject
        match question.kind:
            case "relevance":
                known = record.get("relevance", {}).get(subject.chunk_id)
                return {"reason": "recorded", **_NO_MATCH, **(known or {}), "quote": None}
            case "probe":
                elements = record["answer"]["elements"]
                hit = subject.chunk_id in elements[subject.element].get("answered_by", ())
                return {"reason": "recorded", **(_MATCH if hit else _NO_MATCH), "quote": None}
            case "support":
                return _support(record, question)
            case "answer":
                elements = [
                    {key: value for key, value in element.items() if key != "answered_by"}
                    for element in record["answer"]["elements"]
                ]
                return {"reason": "recorded", **record["answer"], "elements": elements}
            case "statements" if "statements" in record:
                return {"reason": "recorded", "statements": record["statements"]}
            case _:
                return None

    def _routing(self, question: Question) -> Mapping[str, Any] | None:
        turns = []
        for turn in question.subject.turns:
            record = self._turns.get(f"{question.conversation_id}/{turn}")
            known = None if record is None else record.get("routing")
            if known is None:
                turns.append({"turn": turn, "reason": "not recorded", "unjudged": "uncertain"})
            else:
                turns.append({"reason": "recorded", **known, "turn": turn})
        return {"reason": "recorded", "turns": turns}


def _support(record: Mapping[str, Any], question: Question) -> Mapping[str, Any]:
    subject = question.subject
    known = record.get("support", {}).get(str(subject.paragraph), {})
    label = known.get("rest" if subject.rest else "+".join(subject.evidence_ids))
    if label is None:
        singles = [known.get(evidence_id, "none") for evidence_id in subject.evidence_ids]
        best = [single for single in singles if single != "contradicted"]
        label = max(best, key=_LABELS.index) if best else "none"
        if "contradicted" in singles and label != "full":
            label = "contradicted"
    return {"reason": "recorded", "label": label, "quote_paragraph": None, "quote_evidence": None}
