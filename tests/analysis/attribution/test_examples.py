"""The examples of docs/attribution.md, one per kind: built, attributed, and word for word."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from analysis.attribution import KINDS, Attribution, attribute
from analysis.judged import JudgedTurn
from tests import builders as b
from tests.analysis.attribution.scenes import (
    claim,
    element,
    hit,
    routed,
    search,
    wrong_arguments,
    wrong_tool,
)
from tests.analysis.attribution.turns import (
    CITED,
    EMPTY,
    FAILED,
    FOUND,
    GOOD,
    OTHER,
    fabricated,
    good,
    others,
    refused,
    root,
    two_elements,
    with_order,
)

PAGE = Path(__file__).parents[3] / "docs" / "attribution.md"
_ROW = re.compile(r"^\| `(\w+)` \| (.+) \| (.+) \|$", re.MULTILINE)

RIGHT = routed(collections={"manuals-rx200": True})
CUT = b.chunk("m-40", "RX-200: change the filter every 500 hours.", 40, in_context=False)
UNANSWERED = [element(in_evidence=False)]

EXAMPLES: Mapping[str, JudgedTurn] = {
    "wrong_arguments": with_order(
        FOUND, elements=UNANSWERED, routing=routed(calls=[wrong_arguments()])
    ),
    "wrong_tool": with_order(
        b.tool_call("get_customer", {"name": "Ann"}, {"last_order": "shipped"}),
        elements=UNANSWERED,
        routing=routed(calls=[wrong_tool()]),
    ),
    "wrong_agent": refused(probes=[hit(reachable_by=["rx200-bot"])], routing=routed()),
    "wrong_collection": refused(probes=[hit()]),
    "missing_resource": two_elements(probes=[hit(element=1, collection="oils")]),
    "refined_query_drifted": fabricated(
        probes=[hit(searched=True)], routing=routed(refined=False, lost=["RX-200"])
    ),
    "refined_query_ignored": fabricated(
        refined="filter interval RX-200", probes=[hit(searched=True)], routing=RIGHT
    ),
    "tool_unavailable": with_order(
        FAILED,
        answer="I cannot reach the order system now.",
        elements=[element("declared_missing", 1, in_evidence=False)],
        claims=[claim(asserts="none", needs_source=False)],
        reply="abstained",
        statements=None,
    ),
    "ranked_too_low": refused(
        searches=[search(OTHER, CUT)],
        grades={"m-40": 3},
        probes=[hit(chunk_id="m-40", retrieved=True, rank=40)],
        routing=RIGHT,
    ),
    "nothing_retrieved": refused(searches=[search()], probes=[hit(searched=True)], routing=RIGHT),
    "partial_evidence": two_elements(probes=[hit(element=1, searched=True)]),
    "missed_chunk": fabricated(probes=[hit(searched=True)]),
    "tool_empty": with_order(
        EMPTY,
        answer="There is no order 999.",
        claims=[claim(asserts="absence")],
        records_elsewhere={"call-1": "get_order returned order 999 in c-7/1"},
    ),
    "irrelevant_chunks": refused(routing=RIGHT),
    "absence_misreported": with_order(
        FAILED,
        answer="There is no order 999.",
        elements=UNANSWERED,
        claims=[claim(asserts="absence")],
        statements={1: "unsupported"},
    ),
    "contradicts_source": good(pairs={(1, "m-1"): "contradicted"}),
    "off_topic": good(understanding=0),
    "missing_abstention": fabricated(),
    "unsupported_claim": good(
        answer="The filter is changed every 500 hours. [1]\n\nDelivery takes two days.",
        claims=[claim(), claim(2)],
        rest={2: ("none", ("m-1",))},
    ),
    "over_abstention": refused(
        searches=[search(GOOD)],
        grades={"m-1": 3},
        elements=[element("declared_missing", 1, in_evidence=True)],
        routing=RIGHT,
    ),
    "incomplete": two_elements(second_in_evidence=True),
    "ignored_evidence": good(pairs={(1, "m-1"): "none"}),
    "invalid_citation": good(citations=(*CITED, b.citation(None, "[99]", number=2))),
    "wrong_citation": good(
        searches=[search(GOOD, OTHER)],
        citations=(b.citation("n-1", "[2]"),),
        pairs={(1, "n-1"): "none"},
        rest={1: ("full", ("m-1",))},
    ),
    "missing_citation": good(
        citations=(), pairs={}, rest={1: ("full", ("m-1",))}, citing_expected=True
    ),
    "incoherent": good(coherence=1),
    "wrong_language": good(language="en", answer_language="de"),
}
"""A turn of each kind; `irrelevant_chunks` is never a root."""


def attributed(kind: str) -> Attribution:
    (found,) = attribute([EXAMPLES[kind]])
    return found


def documented() -> dict[str, str]:
    """Return the sentence that the page shows for each kind, in its order."""
    return {kind: sentence for kind, _, sentence in _ROW.findall(PAGE.read_text("utf-8"))}


def test_every_kind_has_an_example_in_order_of_precedence() -> None:
    kinds = [kind for of_stage in KINDS.values() for kind in of_stage]
    assert list(EXAMPLES) == kinds
    assert list(documented()) == kinds


@pytest.mark.parametrize("kind", [kind for kind in EXAMPLES if kind != "irrelevant_chunks"])
def test_an_example_has_its_kind_as_root_and_the_sentence_of_the_page(kind: str) -> None:
    found = attributed(kind)
    stage = next(stage for stage, kinds in KINDS.items() if kind in kinds)
    assert root(found) == f"{stage}.{kind}"
    assert documented()[kind] == found.sentence


def test_irrelevant_chunks_are_an_observation() -> None:
    found = attributed("irrelevant_chunks")
    assert root(found) == "passed"
    assert others(found) == {"latent retrieval.irrelevant_chunks"}
    (finding,) = found.findings
    assert documented()["irrelevant_chunks"] == f"(latent) {finding.fault.explanation}"
