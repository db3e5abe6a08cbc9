"""Every figure on the page is what the tables of the run say, counted here another way."""

import re
from collections import Counter
from typing import Any

import pytest

from analysis.breakdown.model import SMALL_TOTAL
from analysis.report.html.rows import MOST_COLUMNS
from analysis.report.numbers import percent
from tests.analysis.report.html.conftest import Paged
from tests.analysis.report.html.opening import Opened

pytestmark = pytest.mark.browser

Row = dict[str, Any]
DIMENSIONS = ("agent", "collection", "tool", "model", "language", "service", "day")


@pytest.fixture(scope="module")
def turns(samples: Paged) -> list[Row]:
    return samples.run.rows("turns")


def judged(turns: list[Row]) -> list[Row]:
    return [row for row in turns if row["outcome"] != "not_judged"]


def root(row: Row) -> str | None:
    if row["root_stage"] == "undetermined":
        return f"undetermined.{row['missing'][0]}"
    return None if row["root_stage"] is None else f"{row['root_stage']}.{row['root_kind']}"


def values(row: Row, by: str) -> list[str]:
    match by:
        case "collection":
            found = dict.fromkeys([*row["collections"], *row["found_collections"]])
        case "tool":
            found = dict.fromkeys(row["tools"])
        case "day":
            found = {row["started_at"].strftime("%Y-%m-%d"): None}
        case _:
            found = {row[by]: None}
    return ["(not told)" if name is None else name for name in found or {None: None}]


def share(hits: int, of: int) -> str:
    return percent(hits / of)


def test_the_sentence_and_the_strip(sample_page: Opened, turns: list[Row]) -> None:
    failed = [row for row in turns if row["outcome"] == "failed"]
    assert sample_page.text("h1").startswith(
        f"{len(failed)} of {len(judged(turns))} judged turns failed."
    )
    strip = dict(
        zip(sample_page.texts(".strip dt"), sample_page.texts(".strip dd:not(.note)"), strict=True)
    )
    assert strip["Failed turns"] == share(len(failed), len(judged(turns)))
    assert strip["Undetermined"] == str(sum(row["root_stage"] == "undetermined" for row in turns))
    assert strip["Not judged"] == str(len(turns) - len(judged(turns)))


def test_the_table_of_roots(sample_page: Opened, turns: list[Row]) -> None:
    base = len(judged(turns))
    shown = {}
    for row in sample_page.page.locator("#roots tbody tr").all():
        cells = row.locator("td").all_inner_texts()[:3]
        shown[row.get_attribute("data-root")] = (cells[0], cells[1], cells[2])
    kinds = Counter(filter(None, map(root, turns)))
    inherited = Counter(root(row) for row in turns if row["inherited_from"])
    expected = {
        key: (str(number), str(inherited[key] or "·"), share(number, base))
        for key, number in kinds.items()
    }
    for stage in ("routing", "retrieval", "generation", "undetermined"):
        own = [row for row in turns if row["root_stage"] == stage]
        repeated = sum(row["inherited_from"] is not None for row in own)
        expected[stage] = (str(len(own)), str(repeated or "·"), share(len(own), base))
    failed = [row for row in turns if row["outcome"] == "failed"]
    repeated = sum(row["inherited_from"] is not None for row in failed)
    assert shown.pop(None) == (str(len(failed)), str(repeated or "·"), share(len(failed), base))
    assert shown == expected


@pytest.mark.parametrize("by", DIMENSIONS)
def test_the_cells_of_every_dimension(sample_page: Opened, turns: list[Row], by: str) -> None:
    sample_page.page.locator(f"#by [data-by={by}]").click()
    heads = sample_page.texts("#roots thead th.cell")
    names = [head.split("\n")[0] for head in heads]
    segments = {name: [row for row in judged(turns) if name in values(row, by)] for name in names}
    assert len(names) == min(len({name for row in turns for name in values(row, by)}), MOST_COLUMNS)
    assert [head.split("\n")[-1] for head in heads] == [
        f"{len(own)} turn{'s' * (len(own) != 1)}" for own in segments.values()
    ]
    for line in sample_page.page.locator("#roots tbody tr").all():
        key = line.get_attribute("data-root")
        wanted = [
            [
                row
                for row in own
                if row["outcome"] == "failed" and key in (None, root(row), row["root_stage"])
            ]
            for own in segments.values()
        ]
        few = all(len(own) < SMALL_TOTAL for own in segments.values())
        expected = [
            ("·" if own else "–")
            if not hits
            else str(len(hits))
            if few
            else share(len(hits), len(own)).removesuffix(" %")
            for hits, own in zip(wanted, segments.values(), strict=True)
        ]
        assert line.locator("td.cell").all_inner_texts() == expected, key


def test_a_dimension_says_what_its_cells_are(sample_page: Opened) -> None:
    notes = {}
    for by in DIMENSIONS:
        sample_page.page.locator(f"#by [data-by={by}]").click()
        notes[by] = (sample_page.text("#cut-note"), sample_page.text("#left-out"))
    assert notes["day"][0] == "Failing turns, not rates: no day has 60 judged turns."
    assert notes["service"] == ("Percent of the judged turns of each column.", "")
    assert notes["tool"][1].startswith("A turn counts in every tool that it called")


def test_the_metrics_of_a_turn_name_what_they_count(sample_page: Opened, turns: list[Row]) -> None:
    calls = next(row for row in turns if row["tools"])
    sample_page.show(f"#/c/{calls['conversation_id']}/t/{calls['turn']}")
    text = sample_page.text(".metric-cards")
    assert re.search(r"tool_ok_rate\s+\S+\s+\d+ of \d+ calls?\b", text)
    assert not re.search(r"coherence\s+\S+\s+\S+ of", text)
    sample_page.show("#/")


def test_the_flow(sample_page: Opened, turns: list[Row], samples: Paged) -> None:
    strongest = ("root", "contributing", "downstream")
    roles: dict[str, dict[str, set[str]]] = {}
    for row in samples.run.rows("findings"):
        roles.setdefault(row["turn_id"], {}).setdefault(row["stage"], set()).add(row["role"])
    expected: Counter[tuple[str, str]] = Counter()
    for row in turns:
        if row["outcome"] == "failed":
            for stage in ("routing", "retrieval", "generation"):
                found = roles.get(row["turn_id"], {}).get(stage, set())
                part = next((one for one in strongest if one in found), "no fault")
                expected[
                    stage, "undetermined" if row["root_stage"] == "undetermined" else part
                ] += 1
    titles = sample_page.page.locator(".flow .block title").all_text_contents()
    shown = {
        (match[1], match[3]): int(match[2])
        for title in titles
        if (match := re.fullmatch(r"(\w+): (\d+) (.+)", title))
    }
    assert shown == dict(expected)


def test_the_trend(sample_page: Opened, turns: list[Row]) -> None:
    for panel in sample_page.page.locator("figure.panel").all():
        stage = panel.locator("figcaption").inner_text().lower()
        for title in panel.locator(".dot title").all_text_contents():
            match = re.fullmatch(r"([\d-]+): (.+) \(.+\), (\d+) of (\d+) judged turns?", title)
            assert match
            own = [row for row in judged(turns) if match[1] in values(row, "day")]
            hits = sum(row["root_stage"] == stage for row in own)
            assert (int(match[3]), int(match[4]), match[2]) == (
                hits,
                len(own),
                share(hits, len(own)),
            )


def test_the_metrics(sample_page: Opened, samples: Paged) -> None:
    rows = samples.run.rows("metrics")
    shown = {}
    for line in sample_page.page.locator(".metrics tbody tr.kind").all():
        shown[line.locator("th").inner_text()] = line.locator("td").first.inner_text()
    assert set(shown) == {row["metric"] for row in rows}
    for name, text in shown.items():
        own = [row for row in rows if row["metric"] == name and row["reason"] is None]
        total = sum(row["total"] for row in own)
        if not total:
            assert text == "n/a"
        elif name.endswith("_rate"):
            assert text == share(sum(row["hits"] for row in own), total)
        else:
            mean = sum(row["hits"] / row["total"] for row in own) / len(own)
            number = float(re.sub(r"[<>,]", "", text))
            assert number == pytest.approx(mean, abs=0.51 if own[0]["unit"] != "share" else 0.0101)


def test_latent_faults(sample_page: Opened, samples: Paged) -> None:
    rows = samples.run.rows("findings")
    harmful = {
        (row["turn_id"], row["stage"], row["kind"]) for row in rows if row["role"] != "latent"
    }
    latent = {(row["turn_id"], row["stage"], row["kind"]) for row in rows} - harmful
    expected = Counter(f"{stage}.{kind}" for _, stage, kind in latent)
    shown = dict(line.split() for line in sample_page.texts(".latent > span:not(.tag)"))
    assert {name: int(number) for name, number in shown.items()} == dict(expected)


def test_the_list_holds_every_failing_turn(sample_page: Opened, turns: list[Row]) -> None:
    failed = sum(row["outcome"] == "failed" for row in turns)
    assert sample_page.text(".list-count") == f"shown {failed} of {failed} failing turns"
    sample_page.show("#/?outcome=all")
    assert sample_page.text(".list-count") == f"shown {len(turns)} of {len(turns)} turns"
