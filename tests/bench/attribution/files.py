"""Turn files for tests: a small library with two branches and a loan system."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

TURNS = Path(__file__).parents[3] / "bench" / "turns"

NORTH = {
    "id": "n-1",
    "collection": "branch-north",
    "text": "Branch North, opening hours. Branch North opens at 9 and closes at 18 on weekdays.",
}
NORTH_FEES = {
    "id": "n-2",
    "collection": "branch-north",
    "text": "Branch North, late fees. Each late week costs 2 euros per book.",
}
SOUTH = {
    "id": "s-1",
    "collection": "branch-south",
    "text": "Branch South, opening hours. Branch South opens at 11 and closes at 21 on weekdays.",
}
LOAN = {
    "id": "loan-1",
    "collection": "tool:get_loan",
    "text": '{"loan_id": "L-12", "title": "Sea Stories", "due": "3 May"}',
}
OTHER_LOAN = {
    "id": "loan-2",
    "collection": "tool:get_loan",
    "text": '{"loan_id": "L-34", "title": "Bread at Home", "due": "9 June"}',
}


def line(number: int = 1, **fields: Any) -> dict[str, Any]:
    """Build one line in which the opening hours of one branch are asked for."""
    return {
        "conversation_id": f"c-{number}",
        "turn": 1,
        "history": [],
        "question": "When does branch north close on weekdays?",
        "collection": "branch-north",
        "passages": [NORTH, NORTH_FEES],
        "answer": "Branch North closes at 18 on weekdays [1].",
        "answerable": True,
        "language": "en",
        **fields,
    }


def library() -> list[dict[str, Any]]:
    """Build the lines of a file in the format without any notes of its author."""
    return [
        line(1),
        line(
            2,
            question="And when does branch south open on weekdays?",
            collection="branch-south",
            passages=[SOUTH],
            answer="Branch South opens at 11 on weekdays [1].",
        ),
        line(
            3,
            question="When is loan L-12 due?",
            collection="tool:get_loan",
            passages=[LOAN],
            answer="Loan L-12 (Sea Stories) is due on 3 May.",
        ),
        line(
            4,
            question="And loan L-34?",
            collection="tool:get_loan",
            passages=[OTHER_LOAN],
            answer="Loan L-34 (Bread at Home) is due on 9 June.",
        ),
        line(
            5,
            question="Does branch north lend out bicycles?",
            passages=[NORTH, NORTH_FEES],
            answer="I could not find anything about bicycles.",
            answerable=False,
        ),
        line(6, question="Thank you!", passages=[], answer="You are welcome."),
    ]


def write(path: Path, lines: Iterable[Mapping[str, Any]]) -> Path:
    """Write a turn file."""
    path.write_text("".join(json.dumps(one) + "\n" for one in lines), "utf-8")
    return path
