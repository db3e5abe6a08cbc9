"""Rows of labelled files, judged by the local judge's own functions: its raw scores."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bench.agreement import Row
from bench.judges_rows import Routed, is_binary, is_positive, people, request, title
from judge.local.evidence import Piece, pieces
from judge.local.library import Library
from judge.local.needs import need_of
from judge.local.shelves import Passage
from judge.local.support import held_claims, label_of, score_support
from judge.local.thresholds import thresholds
from judge.local.tools import fits

_GRADES: Final = {"contradicted": 0, "none": 0, "partial": 1, "full": 2}


class LocalRows:
    """Judges the rows of a file; what a run would know comes from the file."""

    def relevance(self, rows: Sequence[Mapping[str, Any]]) -> list[Row]:
        """Score question and chunk; the label is whether the chunk is relevant."""
        limits = thresholds().of_retrieved()
        library = Library(
            Passage(collection=None, title=title(row), text=row["chunk"]) for row in rows
        )
        judged = []
        for row in rows:
            need = need_of(row["question"], (), library.rarity)
            found = library.standing(need, row["chunk"], title(row), limits)
            score = 0.0 if found.conflict else found.score
            close = abs(score - limits.relevant) < limits.relevance_margin
            label = None if close else int(score >= limits.relevant)
            positive = row["relevant"] > 0
            judged.append(Row(positive=positive, score=score, labels=(int(positive), label)))
        return judged

    def support(self, rows: Sequence[Mapping[str, Any]]) -> list[Row]:
        """Score claim and evidence; the label is none, partial or full."""
        limits = thresholds()
        claims = [(row.get("claim") or row["answer"], _evidence(row)) for row in rows]
        library = Library(
            Passage(collection=None, title=None, text=piece.text)
            for _, evidence in claims
            for piece in evidence
        )
        binary = is_binary(rows)
        judged = []
        for row, (claim, evidence) in zip(rows, claims, strict=True):
            question = row.get("question", "")
            score = score_support(claim, evidence, question, library.rarity, limits)
            paragraph = {"kind": "prose", "text": claim, "markers": []}
            held = held_claims(paragraph, evidence, question, library.rarity, limits)
            label = label_of([one for _, one in held])
            grade = None if label is None else _GRADES[label]
            given = 0 if binary and grade == 1 else grade
            judged.append(Row(positive=is_positive(row), score=score, labels=(people(row), given)))
        return judged

    def routing(self, rows: Sequence[Mapping[str, Any]]) -> list[Routed]:
        """Score how well the best of the tools fits."""
        ranked = [fits(request(row), row["tools"]) for row in rows]
        least = thresholds().tool_fits
        return [
            Routed(
                score=fitting[0].score if fitting else 0.0,
                tool=fitting[0].name if fitting else None,
                applies=bool(fitting) and fitting[0].score >= least,
            )
            for fitting in ranked
        ]


def _evidence(row: Mapping[str, Any]) -> tuple[Piece, ...]:
    text = "\n".join(row["evidence"]) if "evidence" in row else row["chunk"]
    blank = {"title": None, "tool": None, "arguments": None, "status": None}
    return pieces([{"label": "evidence 1", "kind": "chunk", "text": text, **blank}])
