"""What the rules must find: one line per turn of `truth.jsonl`."""

from typing import Any

from sample_traces.agent.script import Conversation, Fault, Turn


def truth_lines(conversation: Conversation) -> list[dict[str, Any]]:
    """Return the lines of a conversation, in order of its turns."""
    return [
        {"conversation_id": conversation.conversation_id, "turn": number} | _truth(turn)
        for number, turn in enumerate(conversation.turns, start=1)
    ]


def _truth(turn: Turn) -> dict[str, Any]:
    stage, kind = None, None
    if turn.undetermined is not None:
        stage = "undetermined"
    elif turn.fault is not None:
        stage, kind = turn.fault.stage, turn.fault.kind
    return {
        "stage": stage,
        "kind": kind,
        "role_of_others": [
            {"stage": other.stage, "kind": other.kind, "role": other.role} for other in turn.others
        ],
        "evidence": turn.evidence,
        "undetermined": turn.undetermined,
        "inherited_from": turn.inherited_from,
        "near_miss": any(fault.near_miss for fault in faults(turn)),
    }


def faults(turn: Turn) -> tuple[Fault, ...]:
    """Return all faults planted in a turn, the root first."""
    return turn.others if turn.fault is None else (turn.fault, *turn.others)
