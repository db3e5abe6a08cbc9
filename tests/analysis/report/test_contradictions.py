"""Which source contradicts which words of an answer."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from analysis.report.contradictions import UNNAMED, Contradiction, contradictions
from analysis.tables.schemas import TableName
from analysis.tables.turn_rows import Row


def chunk(ident: str, text: str | None, title: str = "", *, in_context: bool | None = None) -> Row:
    return {"chunk_id": ident, "text": text, "title": title or None, "in_context": in_context}


def call(
    name: str, result: str | None, error: str | None = None, *, is_retrieval: bool = False
) -> Row:
    return {
        "call_id": f"{name}-1",
        "name": name,
        "result": result,
        "error": error,
        "is_retrieval": is_retrieval,
    }


def cites(paragraph: int, status: str = "resolved") -> Row:
    return {"paragraph": paragraph, "chunk_id": "m-1", "status": status}


def support(quote: str | None, *ids: str, label: str = "contradicted", paragraph: int = 1) -> Any:
    row = {
        "question": "support",
        "label": label,
        "paragraph": paragraph,
        "evidence_ids": list(ids) or None,
    }
    return row, {"quote_paragraph": "30 days", "quote_evidence": quote}


def statements(*found: tuple[int, str, str | None]) -> Any:
    said = [
        {"paragraph": number, "label": label, "text": f"claim {number}", "quote": quote}
        for number, label, quote in found
    ]
    return {"question": "statements", "label": None}, {"statements": said}


def against(
    *verdicts: Any,
    chunks: Sequence[Row] = (),
    calls: Sequence[Row] = (),
    citations: Sequence[Row] = (),
    earlier: Sequence[tuple[int, Sequence[Row], Sequence[Row]]] = (),
) -> tuple[Contradiction, ...]:
    tables: dict[TableName, Sequence[Row]] = {
        "chunks": chunks,
        "tool_calls": calls,
        "citations": citations,
    }
    return contradictions(3, tables, verdicts, lambda: earlier)


GOODS = chunk("m-1", "Goods go back\n within 14 days.", "Returns §2")
SHOES = chunk("m-2", "Shoes go back within 14 days.")


@pytest.mark.parametrize(
    ("verdict", "given", "source"),
    [
        pytest.param(support("back within", "m-1"), {}, "chunk m-1 (Returns §2)", id="a pair"),
        pytest.param(
            support("Shoes go", "m-1", "m-2"), {}, "chunk m-2", id="the one of several that has it"
        ),
        pytest.param(
            support("14 days", "m-1", "m-2"), {}, "chunk m-1 (Returns §2), chunk m-2", id="both"
        ),
        pytest.param(
            support(None, "m-2"), {}, "chunk m-2", id="no quote: the evidence that was asked about"
        ),
        pytest.param(
            support("14 days", "x-9"), {}, "evidence x-9", id="evidence that no row of the run has"
        ),
        pytest.param(
            statements((1, "contradicted", "Shoes go back")), {}, "chunk m-2", id="a statement"
        ),
        pytest.param(
            statements((1, "contradicted", "not shipped")),
            {"calls": [call("get_order", '{"state": "not shipped"}')]},
            "result of get_order",
            id="the result of a call",
        ),
        pytest.param(
            statements((1, "contradicted", "503")),
            {"calls": [call("create", None, "Error: 503")]},
            "result of create",
            id="the error of a call",
        ),
        pytest.param(
            statements((1, "contradicted", "Shoes")),
            {"chunks": [chunk("m-2", "Shoes", in_context=False)]},
            UNNAMED,
            id="what did not stand before the model contradicts nothing",
        ),
        pytest.param(
            statements((1, "contradicted", "Shoes")),
            {"chunks": [SHOES], "calls": [call("search", "Shoes", is_retrieval=True)]},
            "chunk m-2",
            id="a search is told as its chunks",
        ),
        pytest.param(
            statements((1, "contradicted", "Boots")),
            {
                "earlier": [
                    (2, [chunk("b-1", "Boots", "Boots")], []),
                    (1, [chunk("b-2", "Boots")], []),
                ]
            },
            "chunk b-1 (Boots), turn 2",
            id="of the latest earlier turn that has it",
        ),
        pytest.param(
            support("closed", "get_order-1"),
            {"earlier": [(2, [], []), (1, [], [call("get_order", "closed")])]},
            "result of get_order, turn 1",
            id="a pair with an earlier result",
        ),
        pytest.param(statements((1, "contradicted", None)), {}, UNNAMED, id="no quote, no source"),
        pytest.param(
            statements((1, "contradicted", "days")),
            {"chunks": [chunk(f"c-{n}", "days") for n in range(5)]},
            "chunk c-0, chunk c-1, chunk c-2 and 2 more",
            id="many",
        ),
    ],
)
def test_the_source_is_named(verdict: Any, given: dict[str, Any], source: str) -> None:
    (one,) = against(verdict, **({"chunks": [GOODS, SHOES]} | given))
    assert one.source == source


def test_claim_and_quote_are_those_of_the_judge() -> None:
    found = against(
        statements((2, "contradicted", "14 days"), (3, "supported", "Goods")),
        support("within 14", "m-1"),
        chunks=[GOODS],
    )
    name = "chunk m-1 (Returns §2)"
    assert found == (
        Contradiction(paragraph=1, said="30 days", source=name, quote="within 14"),
        Contradiction(paragraph=2, said="claim 2", source=name, quote="14 days"),
    )


@pytest.mark.parametrize(
    ("verdicts", "citations"),
    [
        pytest.param([], [], id="nothing judged"),
        pytest.param([support("14 days", "m-1", label="none")], [], id="not supported"),
        pytest.param([statements((1, "unsupported", None))], [], id="an unsupported statement"),
        pytest.param(
            [statements((1, "contradicted", "14 days"))],
            [cites(1)],
            id="statements of a block that cites are not what its support is read from",
        ),
        pytest.param([({"question": "support", "label": None}, None)], [], id="not decided"),
    ],
)
def test_nothing_contradicts(verdicts: Sequence[Any], citations: Sequence[Row]) -> None:
    assert against(*verdicts, chunks=[GOODS], citations=citations) == ()


@pytest.mark.parametrize(
    "citation",
    [
        pytest.param(cites(2), id="of another block"),
        pytest.param(cites(1, "unknown_id"), id="open"),
    ],
)
def test_a_block_without_a_resolved_citation_is_read_by_its_statements(citation: Row) -> None:
    verdict = statements((1, "contradicted", "14 days"))
    assert len(against(verdict, chunks=[GOODS], citations=[citation])) == 1


def test_earlier_turns_are_not_read_where_this_one_has_the_source() -> None:
    asked = []

    def earlier() -> Iterator[Any]:
        asked.append(True)
        yield from ()

    tables: dict[TableName, Sequence[Row]] = {"chunks": [GOODS], "tool_calls": (), "citations": ()}
    assert contradictions(3, tables, [support("14 days", "m-1")], earlier)
    assert not asked
    assert contradictions(3, tables, [support("30 days", "m-1")], earlier)
    assert asked
