import pytest

from judge.local import Library, Passage, Reach
from judge.local.thresholds import thresholds

LIMITS = thresholds()
TEXTS = {
    "opening": "The shop is open from Monday to Friday.",
    "pads": "Brake pads must be replaced at a thickness of 1 mm.",
    "tyres": "The tyres are run at 2.2 bar at the front.",
}


def library(*texts: str, tenant: str | None = None) -> Library:
    return Library(
        Passage(collection=text[:3], title=None, text=text, tenant=tenant) for text in texts
    )


def test_a_passage_is_worth_less_beside_one_that_meets_the_need_better() -> None:
    question = "When do the brake pads have to be replaced?"
    better = "When brake pads have to be replaced: at 1 mm. Pads are replaced in pairs."
    alone, beside = library(*TEXTS.values()), library(*TEXTS.values(), better)
    scores = [
        one.standing(one.need(question), TEXTS["pads"], None, LIMITS).score
        for one in (alone, beside)
    ]
    assert scores[0] > LIMITS.relevant
    assert scores[1] < scores[0]


def test_only_passages_of_the_same_tenant_stand_beside() -> None:
    shared = [Passage(collection="a", title=None, text=text) for text in TEXTS.values()]
    other = Passage(collection="a", title=None, text="Brake pads: replaced at 1 mm.", tenant="x")
    question = "When do the brake pads have to be replaced?"
    scores = [
        one.standing(one.need(question), TEXTS["pads"], None, LIMITS).score
        for one in (Library(shared), Library([*shared, other]))
    ]
    assert scores[0] == pytest.approx(scores[1], abs=0.05)  # rarer words, nothing else


def test_reach_is_told_by_place_and_is_part_of_the_fingerprint() -> None:
    reach = [Reach(agent="b", collection="y"), Reach(agent="a", collection="x", tenant="t")]
    known = Library((), reach)
    assert known.reach((None, None)) == {"b": {"y"}}
    assert known.reach((None, "t")) == {"a": {"x"}}
    assert known.reach(("s", None)) == {}
    assert known.fingerprint != Library().fingerprint
    assert known.fingerprint == Library((), reversed(reach)).fingerprint


@pytest.mark.parametrize("collection", ["tyr", "loan", "none"])
def test_the_best_of_a_collection_shares_a_word_or_the_topic(collection: str) -> None:
    shelf = Library(
        [
            Passage(collection="loan", title=None, text="Films are lent for a fortnight."),
            Passage(collection="tyr", title=None, text=TEXTS["tyres"]),
        ]
    )
    score, found = shelf.best(shelf.need("Which tyres?"), (None, None), collection, LIMITS)
    assert (found is not None) == (collection == "tyr")
    assert (score > 0) == (collection == "tyr")


@pytest.mark.parametrize(
    ("text", "elsewhere"),
    [
        pytest.param("A set of two is EUR 24.50.", False, id="it has a price, the rival none"),
        pytest.param("Every set is grey.", True, id="neither has a price"),
    ],
)
def test_a_rival_without_the_price_that_is_asked_for_does_not_answer(
    text: str, *, elsewhere: bool
) -> None:
    rival = "Brake pads of the Kolibri: brake pads come for disc brakes and for rim brakes."
    shelf = library(*TEXTS.values(), rival, text)
    need = shelf.need("What do brake pads of the Kolibri cost?")
    assert shelf.answered_elsewhere(need, text, None, LIMITS) is elsewhere


def test_a_text_with_next_to_nothing_of_a_need_gives_way_to_one_that_may_meet_it() -> None:
    held = library(*TEXTS.values(), "The frame must be cleaned with water and a soft cloth.")
    need = held.need("When do the brake pads have to be replaced?")
    assert held.answered_elsewhere(need, TEXTS["tyres"], None, LIMITS)
    assert not held.answered_elsewhere(need, TEXTS["pads"], None, LIMITS)


def test_a_text_in_the_language_of_the_question_gives_way_to_none_in_another() -> None:
    spanish = "La recogida en la tienda es gratuita, y con su caja cuesta 30 euros en España."
    german = "Die Bicicleta, die Sie online gekauft haben, nehmen wir in der Werkstatt zurück."
    held = library(spanish, german)
    need = held.need("Quiero devolver la bicicleta que compré online, ¿qué tengo que hacer?")
    assert not held.answered_elsewhere(need, spanish, None, LIMITS)


@pytest.mark.parametrize(
    ("asked", "own"),
    [
        pytest.param("Does it also work with the Garmin?", False, id="a name it does not have"),
        pytest.param("Does it also work with the Bosch?", True, id="a name it has"),
        pytest.param("And the tyres?", False, id="no name, and none of its words"),
    ],
)
def test_a_passage_without_the_words_of_a_follow_up_is_about_what_was_asked_before(
    asked: str, *, own: bool
) -> None:
    before = "The update stopped at 80 percent, what now?"
    update = "When the update stopped: the display of the Bosch works again after 80 percent."
    held = library(update, *TEXTS.values())
    follow_up = held.standing(held.need(f"{asked} ({before})"), update, None, LIMITS)
    first = held.standing(held.need(before), update, None, LIMITS)
    assert first.score >= LIMITS.relevant
    assert (follow_up.score >= LIMITS.relevant) is own


def test_a_passage_with_the_code_that_is_asked_about_answers() -> None:
    codes = "Nova 8: signals. - F2: the lid is open - F3: the sieve is blocked - F4: no water"
    run = library(codes, "Nova 8: cleaning. The sieve is rinsed every week.", *TEXTS.values())
    asked = run.need("The Nova 8 next to the canteen says F3, what now?")
    unknown = run.need("The Nova 8 next to the canteen says F9, what now?")
    assert run.standing(asked, codes, None, LIMITS).score >= LIMITS.relevant
    assert run.standing(unknown, codes, None, LIMITS).score < LIMITS.relevant


def test_a_code_that_many_passages_have_is_the_model_and_answers_nothing() -> None:
    parts = ("lid", "sieve", "hose", "pump", "plug")
    texts = [f"QX-40: {part}. The {part} is replaced by the workshop." for part in parts]
    run = library(*texts)
    asked = run.need("My neighbour gave me the QX-40. Is it loud?")
    scores = [run.standing(asked, one, None, LIMITS).score for one in texts]
    assert max(scores) < LIMITS.relevant


def test_a_compound_is_more_than_the_idea_that_it_stands_for() -> None:
    wanted = (
        "Hafenlinie: Monatskarte. | Karte | bar | im Lastschriftverfahren | |---|---|---| "
        "| Erwachsene | 44 € | 39 € | | Lehrlinge | 22 € | 19 € | "
        "Die Lastschrift kann jederzeit widerrufen werden."
    )
    other = "Hafenlinie: Jahreskarte. Die Jahreskarte kostet 31 € im Monat."
    run = library(wanted, other, *TEXTS.values())
    asked = run.need("Was kostet eine Monatskarte der Hafenlinie?")
    assert run.standing(asked, wanted, None, LIMITS).score >= LIMITS.relevant
