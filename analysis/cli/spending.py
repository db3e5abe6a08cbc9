"""What the command line tells about a judge that costs money, and what it asks before."""

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from analysis.cli.judging import ASK_ABOVE_USD, REMOTE
from analysis.report.numbers import counted

if TYPE_CHECKING:
    from analysis.estimating import Estimate
    from analysis.judges import JudgeChoice


def estimate_lines(estimate: "Estimate") -> Iterator[str]:
    """Yield what a run would come to, as a table."""
    yield f"{'question':<12}{'to ask':>9}{'stored':>9}{'share':>8}"
    kinds = sorted(estimate.asked.keys() | estimate.stored.keys())
    for kind in kinds:
        asked, stored = estimate.asked[kind], estimate.stored[kind]
        yield f"{kind:<12}{asked:>9,}{stored:>9,}{stored / (asked + stored):>8.0%}"
    asked, total = estimate.asked.total(), estimate.total
    share = f"{(total - asked) / total:.0%}" if total else "n/a"
    yield f"{'all':<12}{asked:>9,}{total - asked:>9,}{share:>8}"
    if estimate.later_at_most:
        yield f"and up to {estimate.later_at_most:,} more, as verdicts turn out"
    if not estimate.prices:
        yield f"cost        none: {estimate.judge}"
        return
    yield (
        f"tokens      about {estimate.input_tokens:,} in, {estimate.output_tokens:,} out, "
        "before prompt caching"
    )
    if estimate.direct_usd is None and estimate.batch_usd is None:
        yield f"cost        unknown: no price is known of {estimate.judge}"
    else:
        direct, batch = _usd(estimate.direct_usd), _usd(estimate.batch_usd)
        yield f"cost        {direct} directly, {batch} with --batch"
    yield f"prices      {estimate.prices}"


def estimate_json(estimate: "Estimate") -> dict[str, Any]:
    """Return the same as one object."""
    return {
        "schema_version": 1,
        "judge": estimate.judge,
        "questions": {
            kind: {"asked": estimate.asked[kind], "stored": estimate.stored[kind]}
            for kind in sorted(estimate.asked.keys() | estimate.stored.keys())
        },
        "asked": estimate.asked.total(),
        "stored": estimate.stored.total(),
        "later_at_most": estimate.later_at_most,
        "tokens": {"input": estimate.input_tokens, "output": estimate.output_tokens},
        "cost_usd": {"direct": estimate.direct_usd, "batch": estimate.batch_usd},
        "prices": estimate.prices or None,
    }


def cost_line(result: Any) -> str | None:
    """Return what a run cost against what was expected; None where judging costs nothing."""
    from judge.keeping import PricedJudge

    judge, questions = result.tally.judge, result.tally.questions
    if not isinstance(judge, PricedJudge):
        return None
    account: Any = getattr(judge, "account", None)
    cost = f"${questions.cost_usd:,.4f}"
    if questions.unpriced:
        cost += f" and {counted(questions.unpriced, 'reply', 'replies')} of unknown price"
    line = f"cost    {cost} for {counted(questions.asked, 'question')}"
    if account is not None and questions.asked:
        line += f", expected about ${account.expected_usd:,.4f}"
        if account.usage.cache_read_tokens:
            line += f"; prompt caching saved ${account.saved_usd:,.4f}"
    return f"{line} ({judge.prices})"


def may_spend(choice: "JudgeChoice") -> bool:
    """Tell whether a run could cost money that nobody has set a limit to, on a terminal."""
    # None: closed by the caller
    watched = all(one is not None and one.isatty() for one in (sys.stdin, sys.stderr))
    sends = choice.name == REMOTE and not choice.offline
    return sends and watched and choice.max_cost_usd is None


def confirmed(estimate: "Estimate", *, batch: bool) -> bool:
    """Ask on the terminal whether to go on, where a run would cost more than a little."""
    cost = estimate.batch_usd if batch else estimate.direct_usd
    asked = estimate.asked.total()
    if not asked or (cost is not None and cost <= ASK_ABOVE_USD):
        return True
    more = f" and up to {estimate.later_at_most:,} more" if estimate.later_at_most else ""
    questions = counted(asked, "question")
    click.echo(f"cost    {_usd(cost)} for {questions}{more} ({estimate.prices})", err=True)
    if click.confirm("Go on?", err=True):
        return True
    click.echo("Nothing was asked. With --max-cost USD nobody is asked either.", err=True)
    return False


def egress_note(choice: "JudgeChoice") -> str | None:
    """Return why `--show-egress` has nothing to show, None where it may have."""
    if choice.name == REMOTE:
        return None
    return f"nothing leaves the machine: --judge {choice.name} asks no service"


def _usd(amount: float | None) -> str:
    return "an unknown price" if amount is None else f"about ${amount:,.2f}"
