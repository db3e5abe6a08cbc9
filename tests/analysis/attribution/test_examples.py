"""The examples of docs/attribution.md, one per kind: built, attributed, and word for word."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from analysis.attribution import KINDS, Attribution, attribute
from analysis.attribution.counter_evidence import counter_evidence
from analysis.judged import JudgedTurn
from tests import builders as b
from tests.analysis.attribution import scenes as s
from tests.analysis.attribution import turns as t

PAGE = Path(__file__).parents[3] / "docs" / "attribution.md"
_ROW = re.compile(r"^\| `(\w+)` \| (.+) \| (.+) \|$", re.MULTILINE)

RIGHT = s.routed(collections={"manuals-rx200": True})
CUT = b.chunk("m-40", "RX-200: change the filter every 500 hours.", 40, in_context=False)
UNANSWERED = [s.element(in_evidence=False)]

EXAMPLES: Mapping[str, JudgedTurn] = {
    "wrong_arguments": t.with_order(
        t.FOUND, elements=UNANSWERED, routing=s.routed(calls=[s.wrong_arguments()])
    ),
    "wrong_tool": t.with_order(
        b.tool_call("get_customer", {"name": "Ann"}, {"last_order": "shipped"}),
        elements=UNANSWERED,
        routing=s.routed(calls=[s.wrong_tool()]),
    ),
    "wrong_agent": t.refused(probes=[s.hit(reachable_by=["rx200-bot"])], routing=s.routed()),
    "wrong_collection": t.refused(probes=[s.hit()]),
    "missing_resource": t.two_elements(probes=[s.hit(element=1, collection="oils")]),
    "refined_query_drifted": t.fabricated(
        probes=[s.hit(searched=True)], routing=s.routed(refined=False, lost=["RX-200"])
    ),
    "refined_query_ignored": t.fabricated(
        refined="filter interval RX-200", probes=[s.hit(searched=True)], routing=RIGHT
    ),
    "tool_unavailable": t.honest_outage(),
    "ranked_too_low": t.refused(
        searches=[s.search(t.OTHER, CUT)],
        grades={"m-40": 3},
        probes=[s.hit(chunk_id="m-40", retrieved=True, rank=40)],
        routing=RIGHT,
    ),
    "nothing_retrieved": t.refused(
        searches=[s.search()], probes=[s.hit(searched=True)], routing=RIGHT
    ),
    "partial_evidence": t.two_elements(probes=[s.hit(element=1, searched=True)]),
    "missed_chunk": t.fabricated(probes=[s.hit(searched=True)]),
    "tool_empty": t.with_order(
        t.EMPTY,
        answer="There is no order 999.",
        claims=[s.claim(asserts="absence")],
        records_elsewhere={"call-1": "get_order returned order 999 in c-7/1"},
    ),
    "irrelevant_chunks": t.refused(routing=RIGHT),
    "absence_misreported": t.with_order(
        t.FAILED,
        answer="There is no order 999.",
        elements=UNANSWERED,
        claims=[s.claim(asserts="absence")],
        statements={1: "unsupported"},
    ),
    "contradicts_source": t.good(pairs={(1, "m-1"): "contradicted"}),
    "off_topic": t.good(understanding=0),
    "missing_abstention": t.fabricated(),
    "unsupported_claim": t.good(
        answer="The filter is changed every 500 hours. [1]\n\nDelivery takes two days.",
        claims=[s.claim(), s.claim(2)],
        rest={2: ("none", ("m-1",))},
    ),
    "over_abstention": t.refused(
        searches=[s.search(t.GOOD)],
        grades={"m-1": 3},
        elements=[s.element("declared_missing", 1, in_evidence=True)],
        routing=RIGHT,
    ),
    "incomplete": t.two_elements(second_in_evidence=True),
    "ignored_evidence": t.good(pairs={(1, "m-1"): "none"}),
    "invalid_citation": t.good(citations=(*t.CITED, b.citation(None, "[99]", number=2))),
    "wrong_citation": t.good(
        searches=[s.search(t.GOOD, t.OTHER)],
        citations=(b.citation("n-1", "[2]"),),
        pairs={(1, "n-1"): "none"},
        rest={1: ("full", ("m-1",))},
    ),
    "missing_citation": t.good(
        citations=(), pairs={}, rest={1: ("full", ("m-1",))}, citing_expected=True
    ),
    "incoherent": t.good(coherence=1),
    "wrong_language": t.good(language="en", answer_language="de"),
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
    assert t.root(found) == f"{stage}.{kind}"
    assert documented()[kind] == found.sentence


def test_what_cleared_retrieval_is_said_in_the_words_of_the_page() -> None:
    judged = t.fabricated(probes=[s.hit(0, searched=True), s.hit(1, "m-8", searched=True)])
    (found,) = attribute([judged])
    assert t.root(found) == "generation.missing_abstention"
    (quoted,) = re.findall(r"^> (.+)$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert counter_evidence(judged, found.causes[0]) == quoted


def test_irrelevant_chunks_are_an_observation() -> None:
    found = attributed("irrelevant_chunks")
    assert t.root(found) == "passed"
    assert t.others(found) == {"latent retrieval.irrelevant_chunks"}
    (finding,) = found.findings
    assert documented()["irrelevant_chunks"] == f"(latent) {finding.fault.explanation}"
