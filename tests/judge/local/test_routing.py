from typing import Any

import pytest

from judge.answers import RoutingJudgement, TurnRouting
from judge.asking_routing import routing_questions
from judge.local import LocalJudge
from judge.replies import read_reply
from stages.records import Chunk, Routing, Turn
from tests.builders import (
    assistant,
    catalogue,
    chunk,
    conversation,
    definition,
    retrieval,
    routing,
    tool_call,
    turn,
    user,
)
from tests.judge.local.faults import collection_of, corpus, library

TOOLS = [
    definition(
        "get_order",
        "Look up the status and delivery date of an order.",
        {
            "type": "object",
            "properties": {"order_id": {"type": "string", "description": "Order number"}},
            "required": ["order_id"],
        },
    ),
    definition(
        "get_customer",
        "Look up a customer's profile and address.",
        {
            "type": "object",
            "properties": {"customer_id": {"type": "string"}},
            "required": ["customer_id"],
        },
    ),
    definition(
        "cancel_order",
        "Cancel an order that has not shipped yet.",
        {
            "type": "object",
            "properties": {
                "order_id": {"type": "string"},
                "reason": {"type": "string", "enum": ["changed_mind", "too_late", "defect"]},
            },
            "required": ["order_id"],
        },
    ),
    definition(
        "check_stock",
        "Check how many pieces of a product are in stock in a country.",
        {
            "type": "object",
            "properties": {
                "product": {"type": "string"},
                "country": {"type": "string", "enum": ["DE", "AT", "US"]},
            },
            "required": ["product"],
        },
    ),
]
AGENTS = [
    definition("billing-agent", "Invoices, payments, refunds and prices."),
    definition("tech-agent", "Technical problems with machines: errors, descaling, cleaning."),
    definition("order-agent", "Orders, deliveries and cancellations."),
]
COLLECTIONS = ["coffee-machines", "travel-insurance"]
JUDGE = LocalJudge(library())


def judged(*turns: Turn) -> TurnRouting:
    (question,) = routing_questions(conversation(*turns))
    (reply,) = JUDGE.answer([question])
    answer = read_reply(question, reply.text)
    assert isinstance(answer, RoutingJudgement), answer
    return answer.turns[-1]


def recorded(**fields: Any) -> Routing:
    return routing(catalogues=(catalogue("shop-bot", TOOLS, COLLECTIONS),), **fields)


def calling(question: str, tool: str, arguments: dict[str, Any], **fields: Any) -> Turn:
    return turn(
        question,
        "Here you are.",
        tool_calls=(tool_call(tool, arguments, {"found": True}),),
        **({"routing": recorded()} | fields),
    )


def searching(question: str, collection: str, query: str, *chunk_ids: str, **fields: Any) -> Turn:
    found = [_chunk(chunk_id, rank) for rank, chunk_id in enumerate(chunk_ids, start=1)]
    return turn(
        question,
        "Here you are.",
        retrievals=(retrieval(found, query, collection=collection),),
        routing=recorded(collections=(collection,), **fields),
    )


def _chunk(chunk_id: str, rank: int) -> Chunk:
    one = corpus()[chunk_id]
    return chunk(
        chunk_id,
        one["text"],
        rank,
        metadata={"title": one["title"]},
        collection=collection_of(chunk_id),
    )


@pytest.mark.parametrize(
    ("question", "tool", "arguments", "fits"),
    [
        pytest.param(
            "Where is my order BC-10422?", "get_order", {"order_id": "BC-10422"}, None, id="right"
        ),
        pytest.param(
            "Where is my order BC-10422?",
            "get_customer",
            {"customer_id": "C-7"},
            "get_order",
            id="another tool fits",
        ),
        pytest.param(
            "Wo ist meine Bestellung BC-10422?",
            "get_customer",
            {"customer_id": "C-7"},
            "get_order",
            id="another tool fits, German",
        ),
        pytest.param(
            "How many BX-200 are in stock?",
            "get_order",
            {"order_id": "BX-200"},
            "check_stock",
            id="stock, not order",
        ),
    ],
)
def test_tool(question: str, tool: str, arguments: dict[str, Any], fits: str | None) -> None:
    (call,) = judged(calling(question, tool, arguments)).calls
    assert (call.tool_ok, call.fits) == (fits is None, fits)


@pytest.mark.parametrize(
    ("question", "tool", "arguments", "wrong"),
    [
        pytest.param(
            "Where is my order BC-10422?",
            "get_order",
            {"order_id": "BC-10424"},
            ("order_id", "BC-10424", "BC-10422", "question"),
            id="another order",
        ),
        pytest.param(
            "Cancel order BC-10422.",
            "cancel_order",
            {"reason": "defect"},
            ("order_id", None, None, "schema"),
            id="a required argument left out",
        ),
        pytest.param(
            "Cancel order BC-10422.",
            "cancel_order",
            {"order_id": "BC-10422", "reason": "because"},
            ("reason", "because", None, "schema"),
            id="no value of the enum",
        ),
        pytest.param(
            "How many BX-200 are in stock in Germany?",
            "check_stock",
            {"product": "BX-300", "country": "DE"},
            ("product", "BX-300", "BX-200", "question"),
            id="another model",
        ),
        pytest.param(
            "How many BX-200 are in stock in Germany?",
            "check_stock",
            {"product": "BX-200", "country": "US"},
            ("country", "US", "DE", "question"),
            id="another country",
        ),
        pytest.param(
            "How many BX-200 are in stock in Germany?",
            "check_stock",
            {"product": "BX-200"},
            ("country", None, "DE", "question"),
            id="the country dropped",
        ),
    ],
)
def test_wrong_argument(
    question: str, tool: str, arguments: dict[str, Any], wrong: tuple[str | None, ...]
) -> None:
    (call,) = judged(calling(question, tool, arguments)).calls
    (found,) = call.wrong_arguments
    assert call.args_ok is False
    assert (found.argument, found.value, found.expected, found.known_from) == wrong


@pytest.mark.parametrize(
    ("question", "tool", "arguments", "args_ok"),
    [
        pytest.param(
            "How many BX-200 are in stock in Germany?",
            "check_stock",
            {"product": "BX-200", "country": "DE"},
            True,
            id="as said",
        ),
        pytest.param(
            "Where is my last order?", "get_order", {"order_id": "BC-1"}, None, id="said nowhere"
        ),
        pytest.param(
            "How many BX-200 are in stock?",
            "check_stock",
            {"product": "machine-bx-200"},
            True,
            id="within a longer name",
        ),
    ],
)
def test_arguments(
    question: str, tool: str, arguments: dict[str, Any], *, args_ok: bool | None
) -> None:
    (call,) = judged(calling(question, tool, arguments)).calls
    assert call.args_ok is args_ok


@pytest.mark.parametrize(
    ("sent", "args_ok"), [("BC-10422", True), ("BC-10242", False)], ids=["as said", "mistyped"]
)
def test_an_identifier_given_two_turns_earlier(sent: str, *, args_ok: bool) -> None:
    first = turn("My order is BC-10422.", "Thank you.", routing=recorded())
    told = (user("My order is BC-10422."), assistant("Thank you."))
    second = calling(
        "When will it arrive?", "get_order", {"order_id": sent}, number=2, history=told
    )
    (call,) = judged(first, second).calls
    assert call.args_ok is args_ok
    assert [one.expected for one in call.wrong_arguments] == ([] if args_ok else ["BC-10422"])


@pytest.mark.parametrize(
    ("sent", "args_ok"),
    [
        pytest.param("BC-10422", False, id="the one looked up before"),
        pytest.param("BC-10427", True, id="the one asked for"),
    ],
)
def test_another_record_is_asked_for_than_the_turn_before(sent: str, *, args_ok: bool) -> None:
    first = turn(
        "Where is my order BC-10422?",
        "In Lyon.",
        tool_calls=(
            tool_call(
                "get_order", {"order_id": "BC-10422"}, {"order_id": "BC-10422", "at": "Lyon"}
            ),
        ),
        routing=recorded(),
    )
    second = calling("And BC-10427?", "get_order", {"order_id": sent}, number=2)
    (call,) = judged(first, second).calls
    assert call.args_ok is args_ok


def test_a_call_that_is_filled_from_the_question_is_the_one_that_was_wanted() -> None:
    asked = "Customer profile: cancel_order is too_late for changed address defect, order BC-1 AT"
    sent = {"product": "defect", "country": "AT"}
    (call,) = judged(calling(asked, "check_stock", sent)).calls
    assert call.tool_ok


@pytest.mark.parametrize(
    ("asked", "ok"),
    [
        pytest.param("Why was claim C-50177 rejected?", False, id="a record of the other's tool"),
        pytest.param("Why was claim Z-50177 rejected?", None, id="a record of nobody's tool"),
    ],
)
def test_an_agent_that_cannot_look_the_record_up(asked: str, *, ok: bool | None) -> None:
    get_claim = definition(
        "get_claim",
        "Look up one claim.",
        {"type": "object", "properties": {"no": {"description": "Number, C- and five digits"}}},
    )
    first = turn(
        "Why was claim C-48213 rejected?",
        "It came late.",
        tool_calls=(tool_call("get_claim", {"no": "C-48213"}, {"why": "late"}),),
        routing=routing(("claims",), catalogues=(catalogue("claims", [get_claim], []),)),
    )
    second = turn(
        asked,
        "I do not know.",
        number=2,
        routing=routing(("policies",), catalogues=(catalogue("policies", [], []),)),
    )
    last = judged(first, second)
    assert (last.agent_ok, last.fitting_agent) == (ok, None if ok is None else "claims")


def test_a_record_that_no_call_asked_for_is_missing() -> None:
    silent = turn("Why was order BC-10422 delayed?", "I do not know.", routing=recorded())
    assert [one.name for one in judged(silent).missing] == ["get_order"]


def test_an_identifier_from_an_earlier_result_is_right() -> None:
    calls = (
        tool_call("get_customer", {"customer_id": "C-7781"}, {"last_order": "BC-10422"}),
        tool_call("cancel_order", {"order_id": "BC-10422"}, {"ok": True}, position=2),
    )
    found = judged(turn("Cancel my last order.", "Done.", tool_calls=calls, routing=recorded()))
    assert [call.tool_ok for call in found.calls] == [True, True]
    assert found.calls[1].args_ok is True


@pytest.mark.parametrize(
    ("collection", "chunk_ids", "ok", "fits"),
    [
        pytest.param("coffee-machines", ["cm-descale-200"], True, None, id="it holds the answer"),
        pytest.param("coffee-machines", ["cm-filter"], True, None, id="it does, though unfound"),
        pytest.param(
            "travel-insurance", ["ti-claim"], False, "coffee-machines", id="another one holds it"
        ),
    ],
)
def test_collection(
    collection: str, chunk_ids: list[str], *, ok: bool | None, fits: str | None
) -> None:
    asked = searching("How do I descale the BX-200?", collection, "descale BX-200", *chunk_ids)
    found = judged(asked)
    assert [(one.ok, one.fits) for one in found.collections] == [(ok, fits)]
    assert not found.missing


def test_a_question_that_nothing_answers_leaves_the_collection_undecided() -> None:
    asked = searching("Do you sell gift cards?", "coffee-machines", "gift cards", "cm-spare")
    (found,) = judged(asked).collections
    assert found.ok is None


@pytest.mark.parametrize(
    ("question", "refined", "faithful", "lost"),
    [
        pytest.param(
            "How do I descale the BX-200?", "descaling BX-200", True, (), id="all carried"
        ),
        pytest.param(
            "How do I descale the BX-200?", "descale machine", False, ("BX-200",), id="model lost"
        ),
        pytest.param(
            "How do I clean the milk frother?",
            "price of spare parts",
            False,
            ("clean", "milk", "frother"),
            id="another topic",
        ),
        pytest.param(
            "How do I clean the milk frother?",
            "cleaning the frother for milk",
            True,
            (),
            id="in other words",
        ),
        pytest.param("How do I descale the BX-200?", None, None, ("BX-200",), id="not recorded"),
    ],
)
def test_refined_query(
    question: str, refined: str | None, *, faithful: bool | None, lost: tuple[str, ...]
) -> None:
    asked = searching(
        question,
        "coffee-machines",
        refined or "descale machine",
        "cm-descale-300",
        refined_query=refined,
    )
    found = judged(asked)
    assert (found.refined_faithful, found.lost_constraints) == (faithful, lost)


def test_nothing_was_called_although_a_tool_fits() -> None:
    found = judged(turn("Where is my order BC-10422?", "On its way.", routing=recorded()))
    assert [(one.kind, one.name) for one in found.missing] == [("tool", "get_order")]


@pytest.mark.parametrize(
    ("agent", "ok", "fits"),
    [("tech-agent", True, None), ("billing-agent", False, "tech-agent")],
    ids=["described for it", "another one is"],
)
def test_agent(agent: str, *, ok: bool, fits: str | None) -> None:
    asked = turn(
        "What does error E4 mean and how do I clean the machine?",
        "It is blocked.",
        routing=routing(agents=(agent,), candidates=tuple(AGENTS)),
    )
    found = judged(asked)
    assert (found.agent_ok, found.fitting_agent) == (ok, fits)


@pytest.mark.parametrize(
    ("question", "unjudged"),
    [
        pytest.param("How do I foo the bar?", "no_catalogue", id="nothing to judge by"),
        pytest.param("Thanks!", None, id="nothing to be called"),
    ],
)
def test_a_turn_without_any_catalogue(question: str, unjudged: str | None) -> None:
    assert judged(turn(question, "Well.", routing=routing())).unjudged == unjudged


@pytest.mark.parametrize(
    "question",
    [
        pytest.param("I turn 30 soon. How do I clean the milk frother?", id="no name of the run"),
        pytest.param("I am in Norway. How do I clean the milk frother?", id="no place of the run"),
        pytest.param("I am C-8812. How do I clean the milk frother?", id="no code of the run"),
    ],
)
def test_what_tells_no_passage_of_the_run_apart_need_not_be_searched(question: str) -> None:
    asked = searching(
        question,
        "coffee-machines",
        "cleaning the frother for milk",
        "cm-descale-300",
        refined_query="cleaning the frother for milk",
    )
    assert judged(asked).refined_faithful is True
