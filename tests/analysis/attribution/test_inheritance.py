"""Claims that repeat a claim of an earlier turn: failing ones and supported ones."""

from typing import Any

import pytest

from analysis.attribution import Attribution, attribute
from analysis.attribution.marks import content_words, names_and_numbers
from analysis.judged import JudgedTurn
from tests import builders as b
from tests.analysis.attribution import scenes as s
from tests.analysis.attribution import turns as t

CLAIM = "The filter is changed every 500 hours."


def wrong(turn: int = 1, **changes: object) -> JudgedTurn:
    """Build a turn whose claim contradicts its chunk."""
    return t.good(turn=turn, pairs={(1, "m-1"): "contradicted"}, **changes)


def again(answer: str = CLAIM, *, turn: int = 2, **changes: object) -> JudgedTurn:
    """Build a turn that claims something without any evidence, and was not probed."""
    given: dict[str, object] = {
        "elements": [s.element(in_evidence=False)],
        "probes": None,
    }
    return s.scene(answer, turn=turn, **(given | changes))  # type: ignore[arg-type]  # any argument of scene


def last(*turns: JudgedTurn) -> Attribution:
    return attribute(turns)[-1]


ALONE = "undetermined: corpus_not_probed (retrieval, generation)"
INHERITED = "generation.contradicts_source"

REPEATS = [
    pytest.param(again(), INHERITED, id="the same text"),
    pytest.param(again(f"{CLAIM} [1]"), INHERITED, id="but for the citation"),
    pytest.param(
        again(f"{CLAIM}【3†source】"), INHERITED, id="but for a citation in other brackets"
    ),
    pytest.param(
        again("THE filter is\nchanged every 500 hours."), INHERITED, id="but for case and lines"
    ),
    pytest.param(
        again("As I said, the filter is changed every 500 hours."), INHERITED, id="in other words"
    ),
    pytest.param(
        again("Please do so every 500 hours, always in spring."),
        ALONE,
        id="the same number in another sentence",
    ),
    pytest.param(
        again("The filter changed 500 again, sorry, truly, indeed, yes."),
        ALONE,
        id="less than half of its words are those of the claim",
    ),
    pytest.param(
        again("The filter changed 500 again, sorry, truly, indeed."),
        INHERITED,
        id="half of its words are",
    ),
    pytest.param(
        again("The filter is changed every 500 hours or 3 months."),
        ALONE,
        id="one more number",
    ),
    pytest.param(again("The filter is changed every year."), ALONE, id="no number at all"),
    pytest.param(
        again(
            "As I said, the filter is changed every 500 hours.",
            earlier=[b.evidence("h-1", "500 hours", from_turn=2)],
        ),
        ALONE,
        id="its numbers stand in this turn's own evidence",
    ),
    pytest.param(
        again(
            "As I said, the filter is changed every 500 hours.",
            earlier=[b.evidence("h-1", "500 hours", from_turn=1)],
        ),
        INHERITED,
        id="its numbers stand in evidence of an earlier turn",
    ),
    pytest.param(
        again(
            "As I said, the filter is changed every 500 hours.",
            earlier=[b.evidence("h-1", "5000 hours", from_turn=2)],
        ),
        INHERITED,
        id="other numbers stand in this turn's own evidence",
    ),
]


@pytest.mark.parametrize(("repeating", "expected"), REPEATS)
def test_a_failing_claim_is_inherited(repeating: JudgedTurn, expected: str) -> None:
    attribution = last(wrong(), with_open_support(repeating))
    assert t.root(attribution) == expected
    assert attribution.inherited_from == ("c-1/1" if expected == INHERITED else None)


ASKED = "May guests enter the sauna?"
MAY = "Members may bring their guests into the sauna."
MAY_AGAIN = "As I said, members may bring guests into the sauna."


def guests(said: str = MAY, asked: str = ASKED, *, turn: int = 1, **changes: object) -> JudgedTurn:
    """Build a claim without numbers and names that nothing supports; it was probed at first."""
    given: dict[str, object] = {
        "elements": [s.element(in_evidence=False, text=asked)],
        "probes": () if turn == 1 else None,
    }
    return s.scene(said, turn=turn, **(given | changes))  # type: ignore[arg-type]  # any argument of scene


def over(text: str, turn: int = 2) -> dict[str, Any]:
    """Return what this turn read, and that it does not support the claim."""
    return {"earlier": [b.evidence("h-1", text, from_turn=turn)], "rest": {1: ("none", ("h-1",))}}


UNFOUNDED = "generation.missing_abstention"

REWORDED = [
    pytest.param(guests(MAY_AGAIN, turn=2), UNFOUNDED, id="in other words"),
    pytest.param(
        guests("Members do bring guests.", turn=2), ALONE, id="in half of the earlier ones"
    ),
    pytest.param(
        guests("Members may bring guests; then the sauna closes early for cleaning.", turn=2),
        ALONE,
        id="in half of its own",
    ),
    pytest.param(
        guests("Members may bring guests; the sauna closes early for cleaning.", turn=2),
        UNFOUNDED,
        id="in more than half of its own",
    ),
    pytest.param(guests(MAY_AGAIN, "Guests? Sauna?", turn=2), UNFOUNDED, id="asked more shortly"),
    pytest.param(
        guests(MAY_AGAIN, "May members enter the sauna?", turn=2),
        UNFOUNDED,
        id="asked with a word of the claim",
    ),
    pytest.param(
        guests(MAY_AGAIN, "May members bring their guests into the sauna, to enter?", turn=2),
        UNFOUNDED,
        id="asked with every word of the claim",
    ),
    pytest.param(guests(MAY_AGAIN, "May guests use the pool?", turn=2), ALONE, id="asked of else"),
    pytest.param(guests(MAY_AGAIN, "And?", turn=2), ALONE, id="nothing to tell what is asked"),
    pytest.param(guests(MAY_AGAIN, turn=2, elements=[]), UNFOUNDED, id="nobody asked for it"),
    pytest.param(guests(f"{MAY_AGAIN} Only 2.", turn=2), ALONE, id="a number"),
    pytest.param(
        guests(MAY_AGAIN, turn=2, **over("Members bring guests into the sauna on Mondays.")),
        ALONE,
        id="this turn's own evidence speaks of that",
    ),
    pytest.param(
        guests(MAY_AGAIN, turn=2, **over("Members bring guests into the sauna on Mondays.", 1)),
        UNFOUNDED,
        id="evidence of an earlier turn speaks of that",
    ),
    pytest.param(
        guests(MAY_AGAIN, turn=2, **over("The sauna is open to members on Mondays.")),
        UNFOUNDED,
        id="this turn's own evidence speaks of something else",
    ),
]


@pytest.mark.parametrize(("repeating", "expected"), REWORDED)
def test_a_failing_claim_without_numbers_is_inherited_in_other_words(
    repeating: JudgedTurn, expected: str
) -> None:
    attribution = last(guests(), repeating)
    inherited = expected == UNFOUNDED and bool(repeating.elements)
    assert t.root(attribution) == expected
    assert attribution.inherited_from == ("c-1/1" if inherited else None)


def test_a_number_of_the_earlier_claim_is_not_left_out() -> None:
    before = guests(f"{MAY} Only 2.")
    assert last(before, guests(MAY_AGAIN, turn=2)).inherited_from is None


def test_a_supported_claim_in_other_words_keeps_no_support() -> None:
    before = guests(calls=[t.FOUND], statements={1: "supported"})
    assert t.root(attribute([before])[0]) == "passed"
    assert t.root(last(before, guests(MAY_AGAIN, turn=2))) == ALONE
    assert t.root(last(before, guests(turn=2))) == "passed"


def test_short_words_say_nothing_by_themselves() -> None:
    assert content_words("The pool is for ALL guests [12], not für Übung.") == {
        *("pool", "guests", "für", "übung")
    }
    assert content_words("靴は30日以内") == {"靴は", "日以", "以内"}


def with_open_support(judged: JudgedTurn) -> JudgedTurn:
    """Let the rest of the evidence not support the claim, where there is any."""
    if not judged.turn.evidence:
        return judged
    return again(
        judged.turn.generation.answer or "" if judged.turn.generation else "",
        earlier=judged.turn.evidence,
        rest={1: ("none", ("h-1",))},
    )


SUPPORTED = [
    pytest.param(again(), "passed", id="the same text"),
    pytest.param(again("The filter is changed every 800 hours."), ALONE, id="another number"),
    pytest.param(again("Yes, every 500 hours."), "passed", id="more shortly"),
]


@pytest.mark.parametrize(("repeating", "expected"), SUPPORTED)
def test_a_supported_claim_keeps_its_support(repeating: JudgedTurn, expected: str) -> None:
    assert t.root(last(t.good(), repeating)) == expected


def test_a_claim_supported_in_part_keeps_its_support() -> None:
    assert t.root(last(t.good(pairs={(1, "m-1"): "partial"}), again())) == "passed"


def test_support_is_kept_over_three_turns() -> None:
    second = again(f"As I said: {CLAIM} Sure about that.", turn=2)
    third = again("As I said: changed every 500 hours. Sure, quite sure about that.", turn=3)
    assert t.root(last(t.good(), third)) == ALONE  # too far from the first
    assert [t.root(one) for one in attribute([t.good(), second, third])] == ["passed"] * 3


def test_support_is_kept_over_a_turn_that_needed_no_evidence() -> None:
    second = again(f"As I said: {CLAIM} Sure about that.", turn=2, needs_evidence=False)
    third = again("As I said: changed every 500 hours. Sure, quite sure about that.", turn=3)
    assert [t.root(one) for one in attribute([t.good(), second, third])] == ["passed"] * 3


def test_what_kept_no_support_gives_none() -> None:
    second = again(f"As I said: {CLAIM} Sure, in 9 minutes.", turn=2)
    third = again("As I said: sure, in 9 minutes.", turn=3)
    roots = [t.root(one) for one in attribute([t.good(), second, third])]
    assert roots == ["passed", ALONE, ALONE]


@pytest.mark.parametrize(
    "first",
    [
        pytest.param(t.good(pairs={(1, "m-1"): "none"}, rest={1: ("none", ())}), id="unsupported"),
        pytest.param(t.good(grades={"m-1": 0}), id="supported by something else"),
    ],
)
def test_a_failing_claim_gives_no_support(first: JudgedTurn) -> None:
    assert last(first, again()).outcome == "failed"


def test_an_invalid_citation_takes_no_support_away() -> None:
    first = t.good(citations=(*t.CITED, b.citation(None, "[9]", number=2)))
    assert t.root(attribute([first])[0]) == "generation.invalid_citation"
    assert t.root(last(first, again())) == "passed"


def test_what_cites_wrongly_is_no_claim_to_inherit() -> None:
    first = t.good(citations=(*t.CITED, b.citation(None, "[9]", number=2)))
    assert last(first, wrong(2)).inherited_from is None


def test_an_undetermined_cause_is_not_inherited() -> None:
    attribution = last(t.fabricated(probes=None), t.fabricated(turn=2))
    assert t.root(attribution) == "generation.missing_abstention"
    assert attribution.inherited_from is None


def test_a_chain_leads_back_to_its_first_turn() -> None:
    second = again("As I said, the filter is changed every 500 hours, in 2 minutes.", turn=2)
    third = again("As I said, changed in 2 minutes.", turn=3)
    first = wrong(answer=f"{CLAIM} It takes 2 minutes. [1]")
    attributions = attribute([first, second, third])
    assert [t.root(one) for one in attributions] == [INHERITED] * 3
    assert [one.inherited_from for one in attributions] == [None, "c-1/1", "c-1/1"]


def test_what_an_inherited_claim_is_repeated_from_is_the_first_turn() -> None:
    first = wrong()
    second = again(f"As I said: {CLAIM} Sure about that.", turn=2)
    third = again("As I said: changed every 500 hours. Sure, quite sure about that.", turn=3)
    attributions = attribute([first, second, third])
    assert t.root(attribute([first, third])[1]) == ALONE
    assert [one.inherited_from for one in attributions] == [None, "c-1/1", "c-1/1"]


def test_the_oldest_claim_wins() -> None:
    upstream = t.refused(
        claims=[s.claim()], answer=CLAIM, probes=[s.hit()], reply="answered", turn=1
    )
    attribution = last(upstream, wrong(2), again(turn=3))
    assert t.root(attribution) == "routing.wrong_collection"
    assert attribution.inherited_from == "c-1/1"


def test_what_should_have_been_found_is_inherited_too() -> None:
    first = t.fabricated(probes=[s.hit(searched=True, chunk_id="m-77")])
    attribution = last(first, again("The filter is changed every 500 hours. [1]"))
    assert t.root(attribution) == "retrieval.missed_chunk"
    (cause,) = attribution.causes
    assert cause.found is not None
    assert cause.found.chunk.chunk_id == "m-77"
    assert cause.symptom.paragraphs == (1,)


def test_only_the_paragraph_that_failed_is_inherited_from() -> None:
    first = s.scene(
        f"Oil is changed every 90 days. [1]\n\n{CLAIM} [2]",
        elements=[s.element("answered", 1, 2)],
        claims=[s.claim(), s.claim(2)],
        searches=[s.search(b.chunk("m-1", "Oil: 90 days. Filter: 500 hours."))],
        citations=[b.citation("m-1"), b.citation("m-1", "[2]", number=2, paragraph=2)],
        grades={"m-1": 3},
        pairs={(1, "m-1"): "contradicted", (2, "m-1"): "full"},
    )
    assert t.root(last(first, again("Oil is changed every 90 days."))) == INHERITED
    assert t.root(last(first, again(CLAIM))) == "passed"


def test_any_paragraph_of_a_symptom_may_repeat() -> None:
    repeating = again(
        f"Good news.\n\n{CLAIM}",
        elements=[s.element("answered", 1, 2, in_evidence=False)],
        claims=[s.claim(), s.claim(2)],
    )
    assert last(wrong(), repeating).inherited_from == "c-1/1"


def test_a_missing_element_repeats_nothing() -> None:
    first = wrong(answer="I could not find that in the manuals.")
    second = t.refused(turn=2, elements=[s.element("silently_missing", 1, in_evidence=False)])
    assert last(first, second).inherited_from is None


def test_another_fault_upstream_is_told_beside_what_is_inherited() -> None:
    repeating = again(routing=s.routed(agent_ok=False))
    roles = {(one.role, one.fault.kind) for one in last(wrong(), repeating).findings}
    assert roles == {("root", "contradicts_source"), ("latent", "wrong_agent")}


def test_a_claim_found_false_again_is_inherited() -> None:
    assert last(wrong(), wrong(2)).inherited_from == "c-1/1"


def test_a_claim_that_rests_on_something_else_again_is_inherited() -> None:
    first = t.good(grades={"m-1": 0})
    assert last(first, t.good(grades={"m-1": 0}, turn=2)).inherited_from == "c-1/1"


def test_two_blank_claims_repeat_nothing() -> None:
    first = wrong(answer="[1]")
    assert last(first, again("[2]")).inherited_from is None


def test_a_turn_alone_inherits_nothing() -> None:
    assert last(again(searches=[s.search(t.OTHER)])).inherited_from is None


def test_names_are_words_with_a_digit() -> None:
    text = "Type RX-200/b: 1.5 kg, on 2024-05-01 at 10:30; see §4."
    assert names_and_numbers(text) == {"rx-200/b", "1.5", "2024-05-01", "10:30", "4"}
    assert names_and_numbers("") == frozenset()


def test_an_earlier_cause_of_another_kind_hides_no_failing_claim() -> None:
    before = t.fabricated(
        elements=[
            s.element("silently_missing", in_evidence=False, text="Which oil?"),
            s.element("answered", 1, in_evidence=False),
        ],
        probed=(1,),
    )
    attribution = last(before, again())
    assert [one.fault is None for one in attribute([before])[0].causes] == [True, False]
    assert t.root(attribution) == "generation.missing_abstention"
    assert attribution.inherited_from == "c-1/1"


def test_a_claim_whose_support_was_open_has_none_to_keep() -> None:
    before = t.good(pairs={(1, "m-1"): None})
    assert t.root(attribute([before])[0]) == "not_judged: verdict_missing:support"
    assert t.root(last(before, again())) == ALONE


def test_an_earlier_turn_without_an_answer_repeats_nothing() -> None:
    silent = JudgedTurn(
        turn=b.turn(answer=None, generation=None), not_judged="not_captured", answer=None
    )
    assert t.root(last(silent, again())) == ALONE


def test_a_claim_without_a_text_keeps_no_support() -> None:
    untold = again(
        elements=[s.element("answered", 1, 2, in_evidence=False)], claims=[s.claim(1), s.claim(2)]
    )
    assert t.root(last(t.good(), untold)) == ALONE


def test_numbers_that_are_all_of_the_evidence_stand_in_it() -> None:
    repeating = again(
        "As I said, the filter is changed every 500 hours.",
        earlier=[b.evidence("h-1", "500", from_turn=2)],
        rest={1: ("none", ("h-1",))},
    )
    attribution = last(wrong(), repeating)
    assert t.root(attribution) == ALONE
    assert attribution.inherited_from is None
