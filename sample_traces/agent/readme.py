"""The table of the README, made from the scripts so that it stays true."""

from collections.abc import Iterable

from sample_traces.agent.script import Conversation, Turn

BEGIN = "<!-- written by python -m sample_traces.agent: begin -->\n"
END = "<!-- end -->\n"


def with_table(readme: str, conversations: Iterable[Conversation]) -> str:
    """Return the README with its table written anew."""
    head, _, rest = readme.partition(BEGIN)
    _, _, tail = rest.partition(END)
    return head + BEGIN + _table(conversations) + END + tail


def _table(conversations: Iterable[Conversation]) -> str:
    rows = [
        "| conversation | what it shows | turn: what failed |",
        "|---|---|---|",
    ]
    for conversation in conversations:
        marks = [
            f"{number}: {mark}"
            for number, turn in enumerate(conversation.turns, start=1)
            if (mark := _mark(turn))
        ]
        planted = "<br>".join(marks) or "nothing"
        rows.append(f"| `{conversation.conversation_id}` | {conversation.story} | {planted} |")
    return "\n".join(rows) + "\n"


def _mark(turn: Turn) -> str:
    words = []
    if turn.undetermined is not None:
        words.append(f"undetermined ({turn.undetermined})")
    if turn.fault is not None:
        inherited = "" if turn.inherited_from is None else f", inherited from {turn.inherited_from}"
        near = ", near miss" if turn.fault.near_miss else ""
        words.append(f"**{turn.fault.stage}** `{turn.fault.kind}`{inherited}{near}")
    words += [f"{other.role} `{other.kind}`" for other in turn.others]
    return "; ".join(words)
