import pytest

from judge.local.constraints import conflict, kind_of
from judge.local.matching import Rarity
from judge.local.needs import need_of, with_context
from judge.local.objects import Objects
from judge.local.text import bag

NO_RUN = Rarity.of([])


def test_what_was_asked_before_stands_in_brackets_and_counts_less() -> None:
    need = need_of("And boost?", ["What range has the Kolibri 7?", "And in eco?"], NO_RUN)
    assert need.text == "And boost? (What range has the Kolibri 7? / And in eco?)"
    assert need.weights["boost"] > need.weights["eco"] > need.weights["rang"]


@pytest.mark.parametrize(
    ("question", "earlier", "text"),
    [
        pytest.param(
            "And the range?",
            ["How long does the Kolibri 7 take to charge?"],
            "And the range? (How long does the Kolibri 7 take to charge?)",
            id="one word of its own leaves the rest to what was said",
        ),
        pytest.param(
            "When are tours in English?",
            ["What range has the Kolibri 7?"],
            "When are tours in English? (kolibri 7)",
            id="a complete question takes over the model alone",
        ),
        pytest.param(
            "When are tours in English?",
            ["The scale in the hall reads 40, what is wrong with it?"],
            "When are tours in English?",
            id="a word before a number names no model",
        ),
        pytest.param(
            "May the Kolibri 5 pull a trailer?",
            ["What range has the Kolibri 7?"],
            "May the Kolibri 5 pull a trailer?",
            id="a complete question with a model of its own takes over nothing",
        ),
        pytest.param(
            "May it pull a trailer?",
            ["I own a Kolibri 7.", "Where are you open on Sunday?", "Does the bike have a stand?"],
            "May it pull a trailer? (kolibri 7 / Does the bike have a stand?)",
            id="the walk back ends at a complete question, the model holds from before",
        ),
    ],
)
def test_what_a_question_takes_over(question: str, earlier: list[str], text: str) -> None:
    assert with_context(question, earlier) == text


def test_a_need_that_was_put_together_is_read_as_it_was() -> None:
    text = with_context("And with (two) bags?", ["How much is a (big) bag?"])
    assert text == "And with (two) bags? (How much is a big bag?)"
    assert need_of(text, (), NO_RUN) == need_of(
        "And with (two) bags?", ["How much is a (big) bag?"], NO_RUN
    )


@pytest.mark.parametrize(
    ("question", "before", "head"),
    [
        pytest.param(
            "And in boost?", "Range of the Kolibri 7?", "And in boost? (kolibri 7)", id="kept"
        ),
        pytest.param(
            "And the Kolibri 5?", "Range of the Kolibri 7?", "And the Kolibri 5?", id="replaced"
        ),
        pytest.param("How long?", "Rules in Austria?", "How long? (austria)", id="place"),
        pytest.param("How long?", "What is it?", "How long?", id="nothing to keep"),
    ],
)
def test_model_and_place_hold_until_another_is_named(question: str, before: str, head: str) -> None:
    assert need_of(question, [before], NO_RUN).head == head


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        pytest.param("rx200", "rx300", True, id="siblings"),
        pytest.param("rx200", "bp110", False, id="other family"),
        pytest.param("name:kolibri 5", "name:kolibri 7", True, id="numbered names"),
        pytest.param("name:kolibri 5", "name:falke 5", False, id="other name"),
        pytest.param("place:italy", "place:spain", True, id="places"),
        pytest.param("year:2023", "place:spain", False, id="other kind"),
    ],
)
def test_constraints_of_one_kind_exclude_each_other(one: str, other: str, *, same: bool) -> None:
    assert (kind_of(one) == kind_of(other)) is same


def test_a_place_that_no_passage_is_about_is_a_circumstance() -> None:
    wanted, offered = "Is my trip to Croatia covered?", "Tariff Germany: trips are covered."
    assert conflict(wanted, offered) is not None
    assert conflict(wanted, offered, frozenset({"germany", "austria"})) is None


def test_a_follow_up_asks_nothing_of_what_it_replaces() -> None:
    need = need_of("And on the BX-300?", ["How do I descale the BX-200 at home?"], NO_RUN)
    assert need.asked_anew == "How do I descale the at home? And on the BX-300?"
    assert "bx200" not in need.weights
    assert need.weights.keys() >= bag("descale")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        pytest.param(
            "Which oil does the mower take in winter?",
            "Which oil does the mower take in winter? (KM-300)",
            id="a complete question is not about the order",
        ),
        pytest.param(
            "And when does it come?",
            "And when does it come? (Where is order Q-77120, for the KM-300?)",
            id="one that goes on from it is",
        ),
    ],
)
def test_what_no_passage_names_is_carried_only_where_a_question_goes_on(
    question: str, text: str
) -> None:
    objects = Objects(constrained=frozenset({"km300"}))
    earlier = ["Where is order Q-77120, for the KM-300?"]
    assert with_context(question, earlier, objects) == text


@pytest.mark.parametrize(
    ("said", "head"),
    [
        pytest.param(
            "It's the Kolibri 5, not the Kolibri 7!", "It's the Kolibri 5 !", id="a model"
        ),
        pytest.param(
            "Ich meine den Kolibri 5, nicht den Kolibri 7.",
            "Ich meine den Kolibri 5 .",
            id="in German",
        ),
        pytest.param(
            "Is the Kolibri 7 not allowed on trains?",
            "Is the Kolibri 7 not allowed on trains?",
            id="a denial is none",
        ),
    ],
)
def test_what_is_not_meant_is_not_asked_of(said: str, head: str) -> None:
    assert need_of(said, (), NO_RUN).head == head
