"""What `show` prints of turns whose faults were planted by hand."""

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from analysis.attribution import attribute
from analysis.breakdown import selection_of
from analysis.judged import JudgedTurn
from analysis.metrics import measure
from analysis.run import Run
from analysis.show import show, show_json, show_turns, show_turns_json
from analysis.tables.writer import RunWriter
from analysis.window import Window
from ingest.errors import UsageError
from judge.answers import RoutingJudgement, Statement, Statements, Support, Unjudged
from judge.question import AnyVerdict
from tests import builders as b
from tests.analysis.attribution.scenes import (
    claim,
    element,
    hit,
    routed,
    scene,
    search,
    verdict,
    wrong_arguments,
)
from tests.analysis.attribution.turns import fabricated
from tests.analysis.runs import finding, metric, turn_row, write_run
from tests.builders import at

REFUNDS_US = b.chunk(
    "us-2",
    "Annual subscriptions are not refunded.",
    metadata={"title": "Refunds (US) §2"},
    score=0.83,
)
CANCEL = b.chunk("h-1", "Open Settings and choose Cancel plan.", 2, score=0.69, in_context=False)


def wrong_region() -> JudgedTurn:
    """Build a turn that searched the policies of another country."""
    return scene(
        answer="Unused months are not refunded. [1]\n\nMoney arrives within 5 days.",
        question="Do we get the unused months back?",
        elements=[element("answered", 1, in_evidence=False, text="Are unused months refunded?")],
        claims=[claim(1)],
        searches=[search(REFUNDS_US, CANCEL, collection="policies-us", query="refund annual")],
        calls=[
            b.tool_call(
                "search_policies", {"query": "refund annual", "region": "US"}, is_retrieval=True
            )
        ],
        citations=[b.citation("us-2")],
        grades={"us-2": 1, "h-1": 2},
        off_target=["us-2"],
        pairs={(1, "us-2"): "full"},
        routing=routed(
            collections={"policies-us": False}, calls=[wrong_arguments(argument="region")]
        ),
        probes=[hit(collection="policies-eu", text="Unused months are paid back in the EU.")],
        service="desk",
        language="en",
    )


def good(number: int = 2) -> JudgedTurn:
    """Build a turn in which nothing went wrong."""
    return scene(
        searches=[search(b.chunk("m-1"))],
        citations=[b.citation("m-1")],
        grades={"m-1": 3},
        pairs={(1, "m-1"): "full"},
        turn=number,
    )


def verdicts_of(judged: JudgedTurn) -> list[AnyVerdict]:
    found: list[AnyVerdict | None] = [judged.answer, judged.statements]
    found += [*judged.relevance.values(), *judged.support.values(), *judged.rest.values()]
    if judged.turn.turn == 1:
        assert judged.routing is not None
        asked = verdict("routing", RoutingJudgement(reason="", turns=(judged.routing,)))  # type: ignore[arg-type]
        found.append(
            dataclasses.replace(asked, question=dataclasses.replace(asked.question, turn_id=None))
        )
    return [one for one in found if one is not None]


def run_of(store: Path, *turns: JudgedTurn) -> Run:
    folder = store / "runs" / "r-1"
    with RunWriter(folder) as run:
        run.add_conversation(
            turns,
            attribute(turns),
            [one for judged in turns for one in verdicts_of(judged)],
            {judged.turn.turn_id: measure(judged) for judged in turns},
        )
        run.close({"schema_version": 1, "run_id": "r-1", "created": "2026-01-01T00:00:00Z"})
    return Run(folder)


def test_a_failing_turn_tells_what_broke_it_and_what_shows_it(tmp_path: Path) -> None:
    text = show(run_of(tmp_path, wrong_region(), good()), "c-1/1")
    lines = text.splitlines()
    assert lines[0] == "c-1 · turn 1 of 2 · desk · service-bot · en · 2026-01-01 00:01 UTC"
    assert lines[1].startswith("Routing searched policies-us; the chunk that answers is in")
    for part in (
        "ROOT  routing.wrong_collection",
        "also  generation.missing_abstention",
        "Q  Do we get the unused months back?",
        "✗ routing    service-bot: policies-us and search_policies  ← root",
        "  search_policies: region = 1043, should be 1034 (turn 1)",
        "✓ retrieval  policies-us (2 chunks)  a fault that did no harm",
        "searched “refund annual”",
        "    1    0.83  Refunds (US) §2: Annual",
        "grade 1, off target, cited",
        "grade 2, not in prompt",
        "    –          m-9",
        "should have been here, from policies-eu",
        "“Unused months are paid back in the EU.”",
        "✗ generation answered  own fault beside the root",
        "  P1  ✗ misfounded (full) [1]  Unused months are not refunded. [1]",
        "  P2  · Money arrives within 5 days.",
        "Why  E1 “Are unused months refunded?”: misfounded ← routing.wrong_collection;",
        "--json shows all of it",
    ):
        assert part in text, part


def uncited(*found: Statement, answer: str, **changes: Any) -> JudgedTurn:
    """Build a turn that cites nothing and was asked for its statements."""
    judged = scene(answer=answer, searches=[search(REFUNDS_US)], grades={"us-2": 3}, **changes)
    stated = verdict("statements", Statements(reason="", statements=found))
    return dataclasses.replace(judged, statements=stated)


def contradicted(text: str, quote: str, paragraph: int = 1) -> Statement:
    return Statement(text=text, paragraph=paragraph, label="contradicted", quote=quote)


def test_a_source_that_contradicts_a_statement_is_quoted(tmp_path: Path) -> None:
    answer = "Annual plans are refunded. Write to us."
    found = contradicted("Annual plans are refunded.", "Annual subscriptions are not refunded.")
    text = show(run_of(tmp_path, uncited(found, answer=answer)), "c-1/1")
    assert "  P1  ✗ false (contradicted)  Annual plans are refunded. Write to us.\n" in text
    assert "      says “Annual plans are refunded.”\n" in text
    told = " ".join(text.split())
    assert "but chunk us-2 (Refunds (US) §2): “Annual subscriptions are not refunded.”" in told


def test_a_source_that_contradicts_what_cites_it_is_quoted_alike(tmp_path: Path) -> None:
    judged = scene(
        answer="Annual plans are refunded. [1]",
        searches=[search(REFUNDS_US)],
        citations=[b.citation("us-2")],
        grades={"us-2": 3},
    )
    said = Support(
        reason="",
        label="contradicted",
        quote_paragraph="Annual plans are refunded.",
        quote_evidence="Annual subscriptions are not refunded.",
    )
    pair = verdict("support", said, paragraph=1, evidence_ids=("us-2",))
    judged = dataclasses.replace(judged, support={(1, ("us-2",)): pair})
    told = " ".join(show(run_of(tmp_path, judged), "c-1/1").split())
    assert (
        "says “Annual plans are refunded.” but chunk us-2 (Refunds (US) §2): "
        "“Annual subscriptions are not refunded.”" in told
    )


def test_contradictions_without_room_are_counted(tmp_path: Path) -> None:
    found = [contradicted(f"Claim {number}.", "not refunded") for number in range(9)]
    text = show(run_of(tmp_path, uncited(*found, answer="All of it.")), "c-1/1")
    assert text.count("      says “") == 3
    assert "  … 6 more claims contradicted; --json has all\n" in text


def test_what_speaks_against_the_stage_that_one_would_suspect_is_said(tmp_path: Path) -> None:
    run = run_of(tmp_path, fabricated(probes=[hit(0, searched=True)]))
    told = " ".join(show(run, "c-1/1").split())
    assert "ROOT generation.missing_abstention" in told
    cleared = (
        "Would have been retrieval, but manuals-rx200 never held it: the one other chunk of this "
        "run that comes near does not answer it."
    )
    assert cleared in told
    assert cleared in run.turn("c-1/1")._repr_html_()


def test_what_speaks_against_a_stage_is_said_of_the_root_only(tmp_path: Path) -> None:
    both = fabricated(
        answer="Every 500 hours. [1]\n\nDelivery takes two days.",
        claims=[claim(), claim(2)],
        rest={2: ("none", ("n-1",))},
        probes=[hit()],
        routing=routed(collections={"manuals-rx200": False}),
    )
    run = run_of(tmp_path, both)
    assert "Would have been routing" in show_json(run, "c-1/1")
    text = show(run, "c-1/1")
    assert "ROOT  routing.wrong_collection" in text
    assert "Would have been" not in text
    assert "Would have been" not in run.turn("c-1/1")._repr_html_()


def test_where_the_stage_stays_open_the_first_cause_says_what_is_known(tmp_path: Path) -> None:
    later = fabricated(probes=[hit(seen_before=False)], routing=routed())
    told = " ".join(show(run_of(tmp_path, later), "c-1/1").split())
    assert "Would have been routing, but chunk m-9 in manuals-rx200 was first seen" in told


def test_a_good_turn(tmp_path: Path) -> None:
    text = show(run_of(tmp_path, wrong_region(), good()), "c-1/2")
    for part in ("PASSED", "✓ routing", "✓ retrieval", "✓ generation", "P1  ✓ full [1]"):
        assert part in text, part
    assert "ROOT" not in text
    assert "Why" not in text


def test_a_turn_that_was_not_judged(tmp_path: Path) -> None:
    judged = JudgedTurn(
        turn=b.turn(None, None, routing=None, conversation_id="c-1"), not_judged="not_captured"
    )
    folder = tmp_path / "runs" / "r-1"
    with RunWriter(folder) as run:
        run.add_conversation((judged,), attribute((judged,)), [], {})
        run.close({"schema_version": 1, "run_id": "r-1"})
    text = show(Run(folder), "c-1/1")
    for part in ("NOT JUDGED  not_captured", "Q  (not captured)", "– generation did not run"):
        assert part in text, part


def test_a_turn_that_was_not_judged_has_no_stage_without_a_fault(tmp_path: Path) -> None:
    judged = JudgedTurn(turn=b.turn(conversation_id="c-1"), not_judged="chunk_text_not_captured")
    folder = tmp_path / "runs" / "r-1"
    with RunWriter(folder) as run:
        run.add_conversation((judged,), attribute((judged,)), [], {})
        run.close({"schema_version": 1, "run_id": "r-1"})
    assert "? generation" in show(Run(folder), "c-1/1")
    listed = show(Run(folder), "c-1")
    assert "R?S?G?" in listed
    assert "? not judged" in listed


def test_a_conversation_lists_its_turns_and_opens_at_the_failing_one(tmp_path: Path) -> None:
    text = show(run_of(tmp_path, wrong_region(), good(), good(3)), "c-1")
    lines = text.splitlines()
    assert lines[0] == "c-1 · 3 turns, 1 failed"
    assert lines[1].startswith("   1  R✗S✓G✗  routing.wrong_collection  Do we get the unused")
    assert lines[2].startswith("   2  R✓S✓G✓  passed  How long may I return shoes?")
    assert "ROOT  routing.wrong_collection" in text


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("generated", "answered"),
        ("template", "answered, template"),
        ("unknown", "answered, origin not told"),
    ],
)
def test_where_an_answer_comes_from_is_told(tmp_path: Path, source: str, told: str) -> None:
    turns = [turn_row("abcd/1", answer_source=source, reply="answered")]
    text = show(Run(write_run(tmp_path, turns=turns)), "abcd/1")
    assert f"✓ generation {told}\n" in text


def test_a_long_conversation_is_shown_around_its_first_failing_turn(tmp_path: Path) -> None:
    turns = [
        turn_row(f"c/{number}", root="routing.wrong_tool" if number == 30 else "")
        for number in range(1, 61)
    ]
    lines = show(Run(write_run(tmp_path, turns=turns)), "c").splitlines()
    assert lines[1] == "  … 23 earlier"
    assert lines[2].startswith("  24  ")
    assert lines[14] == "  … 25 later"


def monster(text: str) -> JudgedTurn:
    """Build a failing turn that has too much of everything."""
    blocks = "\n\n".join(f"{text} {number}" for number in range(30))
    numbers = range(1, 31)
    return scene(
        answer=blocks,
        question=text * 20,
        elements=[element("silently_missing", in_evidence=False, text=text) for _ in range(9)]
        + [
            element("answered", number, in_evidence=None if number % 2 else False, text=text)
            for number in numbers
        ],
        claims=[claim(number) for number in numbers],
        searches=[
            search(
                *(b.chunk(f"{text}-{n}-{m}", text, m, score=1e12) for m in range(1, 20)),
                collection=text + str(n),
                query=text,
                position=n,
                retrieval_id=f"r{n}",
            )
            for n in range(1, 5)
        ],
        calls=[
            b.tool_call(text, {text: text}, None, position=n, status="error", error=text)
            for n in range(1, 9)
        ],
        citations=[b.citation(None, f"[{n}]{text}", number=n, paragraph=n) for n in numbers],
        rest=dict.fromkeys(numbers, ("contradicted", ())),
        routing=routed(
            agent_ok=False,
            fits=text,
            collections={text: False},
            calls=[wrong_arguments(n, text) for n in range(1, 9)],
            missing=[text],
            refined=False,
            lost=[text],
        ),
        probes=[hit(collection=text, chunk_id=text, text=text)],
        service=text,
        model=text,
        language="en",
    )


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("word " * 40, id="long"),
        pytest.param("無" * 120, id="wide"),
        pytest.param("x" * 300, id="one word"),
        pytest.param("a\n\n\nb\r\n\tc " * 20, id="lines"),
        pytest.param("\x1b[2J\x9b1m\u202e" * 30, id="control"),
        pytest.param("[red]x[/] `y` " * 20, id="markup"),
        pytest.param("é́́́́" * 40, id="combining"),
    ],
)
def test_whatever_a_turn_holds_it_fits_a_screen(tmp_path: Path, text: str) -> None:
    run = run_of(tmp_path, monster(text))
    for color in (False, True):
        shown = show(run, "c-1/1", color=color)
        assert len(shown.splitlines()) <= 40
        plain = shown.replace("\x1b", "") if color else shown
        assert not [c for c in plain if ord(c) < 32 and c != "\n"]
        assert not set(shown) & {"\x9b", "\u202e"}
    assert max(map(cell_len, show(run, "c-1/1").splitlines())) <= 80
    assert max(map(cell_len, show(run, "c-1").splitlines())) <= 80
    assert max(map(cell_len, show_turns(run).splitlines())) <= 80
    assert json.loads(show_json(run, "c-1/1"))["turns"][0]["turn"]["service"] == text


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_a_turn_with_all_there_is_to_say_fits_a_screen(tmp_path: Path, width: int) -> None:
    text = "word " * 40
    judged = monster(text)
    stated = tuple(contradicted(text, text[:60].strip(), number) for number in range(1, 31))
    suspect = dataclasses.replace(
        verdict("statements", Statements(reason="", statements=stated)),
        flags=("addresses_judge",),
        hidden_characters=1,
    )
    run = run_of(tmp_path, dataclasses.replace(judged, statements=suspect))
    (run.folder / "report.html").touch()
    lines = show(run, "c-1/1", width=width).splitlines()
    assert len(lines) <= max(40, 40 * 80 // width)
    page = f"{run.folder / 'report.html'}#/c/c-1/t/1"
    assert [text for text in lines if cell_len(text) > width and text != page] == []
    assert page in lines  # whole, to be copied
    told = " ".join(" ".join(lines).split())
    assert ("1 invisible character " in told) == (width > 40)
    for part in ("ROOT", "also", "should have", "Why", "Note", "but "):
        assert part in told, part


def test_json_holds_everything(tmp_path: Path) -> None:
    value = json.loads(show_json(run_of(tmp_path, wrong_region(), good()), "c-1/1"))
    assert value["schema_version"] == 1
    (turn,) = value["turns"]
    assert turn["turn"]["started_at"] == "2026-01-01T00:01:00+00:00"
    assert turn["turn"]["causes"][0]["found_collection"] == "policies-eu"
    assert [row["chunk_id"] for row in turn["chunks"]] == ["us-2", "h-1"]
    assert {row["question"] for row in turn["verdicts"]} == {
        "answer",
        "relevance",
        "routing",
        "support",
    }
    assert turn["turns_in_conversation"] == 2
    whole = json.loads(show_json(run_of(tmp_path / "2", wrong_region(), good()), "c-1"))
    assert len(whole["turns"]) == 2


def ids(store: Path, *names: str) -> Run:
    return Run(write_run(store, turns=[turn_row(f"{name}/1") for name in names]))


@pytest.mark.parametrize(
    ("names", "wanted", "first"),
    [
        pytest.param(["a"], "a", "a · 1 turn, 0 failed", id="a conversation"),
        pytest.param(["a"], "a/1", "a · turn 1 of 1", id="a turn"),
        pytest.param(["a/1"], "a/1", "a/1 · 1 turn", id="an id that looks like a turn"),
        pytest.param(["a", "a/1"], "a/1", "a/1 · 1 turn", id="an exact id wins"),
        pytest.param(["7f3a91c2-55"], "7f3a91c2", "7f3a91c2-55 · 1 turn", id="its beginning"),
        pytest.param(["7f3a91c2-55"], "7f3a91c2/1", "7f3a91c2-55 · turn 1", id="and a turn"),
        pytest.param(["../x"], "../x", "../x · 1 turn", id="an id is no path"),
    ],
)
def test_naming_a_turn(tmp_path: Path, names: Sequence[str], wanted: str, first: str) -> None:
    assert show(ids(tmp_path, *names), wanted).startswith(first)


@pytest.mark.parametrize(
    ("names", "wanted", "message"),
    [
        pytest.param(["chat-17", "x"], "chat-71", "Did you mean chat-17?", id="a near one"),
        pytest.param(["chat-17"], "chat-71/3", "Did you mean chat-17?", id="with a turn"),
        pytest.param(["abcd1", "abcd2"], "abcd", "could be abcd1, abcd2. Type more", id="several"),
        pytest.param(["abcd1"], "abc", "Did you mean abcd1?", id="too short a beginning"),
        pytest.param(["a"], "a/7", "has these turns of the conversation: 1.", id="no such turn"),
        pytest.param(["a"], "zzzzzz", "stagefault show --failed lists", id="nothing near"),
        pytest.param([], "a", "The run has no turn.", id="an empty run"),
        pytest.param(["a"], "", "is not in run r-1", id="empty"),
    ],
)
def test_an_unknown_name(tmp_path: Path, names: Sequence[str], wanted: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        show(ids(tmp_path, *names), wanted)
    assert message in str(caught.value)


LISTED: list[Any] = [
    turn_row("a/1", root="routing.wrong_tool", day=1, agent="support"),
    turn_row("b/1", root="undetermined.corpus_not_probed", day=3),
    turn_row("c/1", day=2),
    turn_row("d/1", root="retrieval.missed_chunk", day=None),
]


def listed(store: Path) -> Run:
    findings = [
        finding("a/1", "routing.wrong_tool"),
        finding("a/1", "retrieval.irrelevant_chunks", "downstream"),
        finding("a/1", "generation.incomplete", "latent"),
    ]
    routed = [metric("b/1", "agent_ok_rate", 1, 1), metric("d/1", "tool_ok_rate")]
    return Run(write_run(store, turns=LISTED, findings=findings, metrics=routed))


def test_failing_turns_are_listed_newest_first(tmp_path: Path) -> None:
    lines = show_turns(listed(tmp_path)).splitlines()
    assert lines[0] == "2026-01-04 00:00  R✓S✓G✓  undetermined (corpus_not_probed)  b/1"
    assert lines[1] == "  Undetermined: corpus_not_probed."
    assert lines[2] == "2026-01-02 00:00  R✗S✗G✓  routing.wrong_tool  a/1"
    assert lines[4] == "no time           R?S✓G✓  retrieval.missed_chunk  d/1"
    assert lines[7] == "shown 3 of 3 turns (outcome=failed), 4 in run r-1"


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        pytest.param({"kind": "routing.wrong_tool"}, ["a/1"], id="kind with its stage"),
        pytest.param({"kind": "missed_chunk"}, ["d/1"], id="kind"),
        pytest.param({"kind": "corpus_not_probed"}, ["b/1"], id="what is missing"),
        pytest.param({"stage": "undetermined"}, ["b/1"], id="stage"),
        pytest.param({"stage": "!undetermined", "outcome": "failed"}, ["a/1", "d/1"], id="not it"),
        pytest.param({"agent": "support"}, ["a/1"], id="agent"),
        pytest.param({"outcome": "passed"}, ["c/1"], id="passed"),
        pytest.param({}, ["b/1", "c/1", "a/1", "d/1"], id="all"),
    ],
)
def test_filters(tmp_path: Path, filters: dict[str, str], expected: list[str]) -> None:
    text = show_turns_json(listed(tmp_path), selection_of(**filters))
    assert [turn["turn_id"] for turn in json.loads(text)["turns"]] == expected


def test_a_limit_says_what_it_left_out(tmp_path: Path) -> None:
    run = listed(tmp_path)
    assert "shown 1 of 3 turns" in show_turns(run, limit=1)
    value = json.loads(show_turns_json(run, limit=1))
    assert (value["shown"], value["found"]) == (1, 3)


def test_a_window(tmp_path: Path) -> None:
    window = Window(since_ns=at(2 * 86_400), until_ns=None)
    assert "shown 1 of 1 turn " in show_turns(listed(tmp_path), window=window)


def test_a_report_page_is_named_where_there_is_one(tmp_path: Path) -> None:
    run = ids(tmp_path, "a b/ü")
    (run.folder / "report.html").touch()
    value = json.loads(show_json(run, "a b/ü/1"))
    assert value["turns"][0]["page"] == f"{run.folder}/report.html#/c/a%20b%2F%C3%BC/t/1"
    assert "report.html#/c/" in show(run, "a b/ü/1") or len(str(run.folder)) > 60


def test_spans_stand_below_a_turn(tmp_path: Path) -> None:
    judged = scene(spans=(b.span_row("s1", name="invoke"), b.span_row("s2", parent_id="s1")))
    run = run_of(tmp_path, judged)
    assert "· invoke" in show(run, "c-1/1", spans=True)
    assert "· invoke" not in show(run, "c-1/1")
    (turn,) = json.loads(show_json(run, "c-1/1"))["turns"]
    assert [row["span_id"] for row in turn["spans"]] == ["s1", "s2"]


def test_routing_of_which_the_judge_decided_nothing_is_not_called_right(tmp_path: Path) -> None:
    undecided = dataclasses.replace(good(1), routing=Unjudged(reason="no_catalogue"))
    folder = tmp_path / "runs" / "r-1"
    with RunWriter(folder) as run:
        turns = (undecided, good(2))
        metrics = {one.turn.turn_id: measure(one) for one in turns}
        run.add_conversation(turns, attribute(turns), [], metrics)
        run.close({"schema_version": 1, "run_id": "r-1"})
    listed = show(Run(folder), "c-1").splitlines()
    assert "R?S✓G✓" in listed[1]
    assert "R✓S✓G✓" in listed[2]
    assert "\n? routing" in show(Run(folder), "c-1/1")
    assert "\n✓ routing" in show(Run(folder), "c-1/2")


@pytest.mark.parametrize("width", [40, 80, 160])
def test_the_name_of_a_listed_turn_is_never_cut(tmp_path: Path, width: int) -> None:
    name = "3f2b8c1e-9d4a-4c55-8b1f-0123456789ab/12"
    rows = [turn_row(name, root="generation.contradicts_source", day=1)]
    text = show_turns(Run(write_run(tmp_path, turns=rows)), width=width)
    assert name in text
    assert "generation.contradicts_source" in text
    assert all(cell_len(one) <= max(width, len(name) + 2) for one in text.splitlines())
