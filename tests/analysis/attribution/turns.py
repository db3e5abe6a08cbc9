"""The turns that tests start from, and findings in short hand.

`good`, `fabricated`, `refused`, `with_order` and `two_elements` are scenes with a story;
each takes any argument of `scene` to change one thing about it. `honest_outage` is as it is.
"""

from analysis.attribution import Attribution
from analysis.judged import JudgedTurn
from stages.records import ToolCall
from tests import builders as b
from tests.analysis.attribution.scenes import claim, element, right_call, routed, scene, search

GOOD = b.chunk("m-1", "RX-200: change the filter every 500 hours.")
OTHER = b.chunk("n-1", "RX-300: change the filter every 800 hours.")
CITED = (b.citation("m-1"),)
CITES_OTHER = (b.citation("n-1"),)
FAILED = b.tool_call("get_order", {"order_id": "999"}, None, status="error", error="time-out")
TICKET = b.tool_call("create_ticket", {"kind": "filter"}, None, status="error", error="503")
EMPTY = b.tool_call("get_order", {"order_id": "999"}, None, status="empty")
FOUND = b.tool_call("get_order", {"order_id": "1043"}, {"status": "shipped"})


def root(attribution: Attribution) -> str:
    """Return `passed`, `not_judged` or `undetermined` with its reason, else `stage.kind`."""
    if attribution.outcome != "failed":
        reason = attribution.outcome_reason
        return attribution.outcome + (f": {reason}" if reason else "")
    if attribution.root_stage == "undetermined":
        return f"undetermined: {attribution.outcome_reason}"
    return f"{attribution.root_stage}.{attribution.root_kind}"


def others(attribution: Attribution) -> set[str]:
    """Return the findings beside the root, as `role stage.kind`."""
    return {
        f"{finding.role} {finding.fault.stage}.{finding.fault.kind}"
        for finding in attribution.findings
        if finding.role != "root"
    }


def good(**changes: object) -> JudgedTurn:
    """Build a good turn: one chunk, cited, in full support."""
    given: dict[str, object] = {
        "searches": [search(GOOD)],
        "citations": CITED,
        "grades": {"m-1": 3},
        "pairs": {(1, "m-1"): "full"},
        "routing": routed(collections={"manuals-rx200": True}),
    }
    return scene(**(given | changes))  # type: ignore[arg-type]  # any argument of scene


def fabricated(**changes: object) -> JudgedTurn:
    """Build a turn that asserts something although no chunk is relevant."""
    given: dict[str, object] = {
        "elements": [element(in_evidence=False)],
        "searches": [search(OTHER)],
        "citations": CITES_OTHER,
        "pairs": {(1, "n-1"): "none"},
        "routing": routed(collections={"manuals-rx200": True}),
    }
    return scene(**(given | changes))  # type: ignore[arg-type]  # any argument of scene


def refused(**changes: object) -> JudgedTurn:
    """Build a turn that honestly declares that it found nothing."""
    given: dict[str, object] = {
        "answer": "I could not find that in the manuals.",
        "elements": [element("declared_missing", 1, in_evidence=False)],
        "claims": [claim(asserts="none", needs_source=False)],
        "reply": "abstained",
        "searches": [search(OTHER, collection="manuals-rx300")],
        "routing": routed(collections={"manuals-rx300": False}),
    }
    return scene(**(given | changes))  # type: ignore[arg-type]  # any argument of scene


def with_order(call: ToolCall, **changes: object) -> JudgedTurn:
    """Build a turn that answers from one tool call, without citations."""
    given: dict[str, object] = {
        "answer": "Your order has shipped.",
        "calls": [call],
        "statements": {1: "supported"},
        "routing": routed(calls=[right_call()]),
    }
    return scene(**(given | changes))  # type: ignore[arg-type]  # any argument of scene


def honest_outage() -> JudgedTurn:
    """Build a turn that says that the source it needs cannot be reached."""
    return with_order(
        FAILED,
        answer="I cannot reach the order system now.",
        elements=[element("declared_missing", 1, in_evidence=False)],
        claims=[claim(asserts="none", needs_source=False)],
        reply="abstained",
        statements=None,
    )


def two_elements(*, second_in_evidence: bool = False, **changes: object) -> JudgedTurn:
    """Build a good answer to the first of two elements; the second is left out."""
    given: dict[str, object] = {
        "elements": [
            element(),
            element("silently_missing", in_evidence=second_in_evidence, text="Which oil?"),
        ],
        "reply": "partly",
        "probed": (1,),
    }
    return good(**(given | changes))
