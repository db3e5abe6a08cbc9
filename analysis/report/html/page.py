"""From a run and its report to a page.

    overview ──template──▶ HTML that reads without a script
    index, bodies ───────▶ data for the script: islands of the page, or files beside it

The same run folder gives the same bytes: no clock is read, and times come from the run.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup

from analysis.breakdown.headline import headline
from analysis.metrics import METRICS
from analysis.report.html import meanings
from analysis.report.html.assets import assets, linked_policy
from analysis.report.html.bodies import SHARD, Bodies, fill
from analysis.report.html.glossary import words
from analysis.report.html.index import Index, coded, index_json, index_of
from analysis.report.html.islands import packed, plain
from analysis.report.html.options import PageOptions
from analysis.report.html.overview import overview_of
from analysis.report.html.redaction import redacted
from analysis.report.html.templating import environment
from analysis.report.model import Report
from analysis.report.run_facts import facts
from analysis.run import Run

LEAST_FOR_BODIES: Final = 1_500_000
"""Bytes that bodies get in one file even where the list alone uses up the budget."""
_AS_USUAL: Final = PageOptions()


def render_html(run: Run, report: Report, options: PageOptions = _AS_USUAL) -> str:
    """Return the report as one self-contained page, whatever its size.

    Args:
        run: The run.
        report: Its report; the page is about the turns that it selects.
        options: What to show; its layout is not looked at.

    Raises:
        StoreError: A table cannot be read.
    """
    return Page(run, report, options).in_one_file()[0]


class Page:
    """What a page says, whichever way it is laid out."""

    def __init__(self, run: Run, report: Report, options: PageOptions) -> None:
        """Count and word everything that the breakdown shows."""
        self._run = run
        self._report = report
        self._options = options
        self.index = index_of(run, report.selected, texts=options.texts)
        self._overview = overview_of(run, report, self.index)
        self._columns = packed(index_json(self.index))

    def in_one_file(self) -> tuple[str, bool]:
        """Return the page with all that it needs, and whether all bodies had room in it."""
        own = assets()
        used = len(self._columns) + len(own.script) + len(own.style)
        budget = self._options.budget
        shards: list[str] = []
        bodies = Bodies(
            keep=lambda _, shard: shards.append(shard),
            budget=max(budget - used, min(budget, LEAST_FOR_BODIES)),
        )
        self.fill(bodies, SHARD)
        islands = self.data(bodies) | {f"shard-{n}": one for n, one in enumerate(shards)}
        page = self._html(
            bodies,
            policy=own.policy,
            style=Markup(own.style),  # noqa: S704 - our own files
            script=Markup(own.script),  # noqa: S704 - our own files
            islands=islands,
        )
        return page, not bodies.full

    def beside(self, parts: str, bodies: Bodies) -> str:
        """Return the page that finds style, script and data in a folder.

        Args:
            parts: Address of the folder, relative to the page, ending in a slash.
            bodies: Where the bodies are in it.
        """
        return self._html(bodies, policy=linked_policy(), parts=parts)

    def fill(self, bodies: Bodies, shard: int) -> None:
        """Add the bodies of turns that may be shown, most wanted first."""
        if self._options.bodies:
            shown = redacted if self._options.redact else None
            fill(bodies, self._run, _wanted(self.index), shard=shard, shown=shown)

    def data(self, bodies: Bodies) -> dict[str, str]:
        """Return the packed data of the list by name: its columns, and where bodies are."""
        ids = self.index.column("turn_id")
        places = coded(bodies.places.get(one, -1) for one in ids)
        return {"columns": self._columns, "places": packed(places)}

    def _html(
        self,
        bodies: Bodies,
        *,
        policy: str,
        style: Markup | None = None,
        script: Markup | None = None,
        islands: Mapping[str, str] | None = None,
        parts: str | None = None,
    ) -> str:
        report = self._report
        return (
            environment()
            .get_template("page.html")
            .render(
                policy=policy,
                style=style,
                script=script,
                islands=islands or {},
                parts=parts,
                data=plain(self._facts(bodies) | {"parts": parts}),
                report=report,
                run_id=report.info["run_id"],
                breakdown=report.breakdown,
                sentence=headline(report.breakdown),
                facts=dict(facts(report)),
                page=self._overview,
                texts=self._options.texts,
            )
        )

    def _facts(self, bodies: Bodies) -> dict[str, Any]:
        """Return what the script must know at once."""
        failed = _failed(self.index)
        judge = self._report.info.get("judge") or {}
        return {
            "run_id": self._report.info["run_id"],
            "listed": len(self.index),
            "turns": self.index.admitted,
            "failing": len(failed),
            "bodies": len(bodies.places),
            "failing_bodies": sum(one in bodies.places for one in failed),
            "withheld": not self._options.bodies,
            "agreement": judge.get("agreement"),
            "counts": {_bare(one.name): one.counts for one in METRICS if one.counts},
            "kinds": dict(meanings.KINDS),
            "reasons": dict(meanings.reasons()),
            "flags": dict(meanings.FLAGS),
            "words": dict(words()),
        }


def _bare(metric: str) -> str:
    """Return the name of a metric without its k."""
    return metric.rstrip("0123456789")


def _failed(index: Index) -> Sequence[str]:
    ids = index.column("turn_id")
    return [one for one, root in zip(ids, index.roots, strict=True) if root is not None]


def _wanted(index: Index) -> Iterable[str]:
    """Return turn ids, most wanted first: failing, around those, not judged, the others."""
    ids, outcomes = index.column("turn_id"), index.column("outcome")
    conversations = index.column("conversation_id")
    rows = list(zip(conversations, outcomes, ids, strict=True))
    failing = {conversation for conversation, outcome, _ in rows if outcome == "failed"}
    first: dict[str, int] = {}
    for conversation in conversations:
        first.setdefault(conversation, len(first))
    rows.sort(key=lambda row: (_rank(row[1], beside_failing=row[0] in failing), first[row[0]]))
    return (turn_id for _, _, turn_id in rows)


def _rank(outcome: str, *, beside_failing: bool) -> int:
    if outcome == "failed":
        return 0
    if beside_failing:
        return 1
    return 2 if outcome == "not_judged" else 3
