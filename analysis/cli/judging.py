"""Options that say who judges, and what the command line tells about a judge that costs money."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click
from click.core import ParameterSource

from analysis.report.numbers import counted
from ingest.errors import UsageError
from judge.canaries import EVERY
from judge.likeness import STATIC
from judge.remote.platforms import PLATFORMS

if TYPE_CHECKING:
    from analysis.estimating import Estimate
    from analysis.judges import JudgeChoice
    from judge.question import QuestionKind

F = TypeVar("F", bound=Callable[..., Any])

ON_REQUEST: Final = ("questions", "statements")
ASK_ABOVE_USD: Final = 5.0
"""More than this is not spent on a terminal without a word."""

_REMOTE: Final = "anthropic"
_MEANT_FOR: Final = {
    "answers": "recorded",
    "judge_model": _REMOTE,
    "judge_platform": _REMOTE,
    "prompts": _REMOTE,
    "batch": _REMOTE,
}
"""Options that only one judge heeds."""


def judge_options(command: F) -> F:
    """Add `--judge` and all that belongs to it."""
    options = (
        click.option(
            "--judge",
            "judge_name",
            type=click.Choice(["local", "recorded", _REMOTE]),
            default="local",
            show_default=True,
            help="Who judges: local, rules on this machine, free; anthropic, a model; recorded, "
            "answers that are known.",
        ),
        click.option(
            "--answers",
            type=click.Path(dir_okay=False, path_type=Path),
            help="File of known answers, for --judge recorded.",
        ),
        click.option(
            "--judge-model",
            metavar="NAME",
            help="Model of --judge anthropic, best with its date. The key is read from "
            "ANTHROPIC_API_KEY.",
        ),
        click.option(
            "--judge-platform",
            type=click.Choice(PLATFORMS),
            default=PLATFORMS[0],
            show_default=True,
            help="Whose service runs the model; bedrock and vertex take their own credentials "
            "and know no batches.",
        ),
        click.option(
            "--prompt",
            "prompts",
            multiple=True,
            metavar="QUESTION=VERSION",
            help="Ask with another version of a prompt; repeatable.",
        ),
        click.option(
            "--batch/--no-batch",
            default=False,
            show_default=True,
            help="Ask in Message Batches: half the price, within a day.",
        ),
        click.option(
            "-j",
            "--jobs",
            type=click.IntRange(1, 64),
            default=8,
            show_default=True,
            help="Questions asked at a time without --batch.",
        ),
        click.option(
            "--max-cost",
            "max_cost_usd",
            type=click.FloatRange(min=0),
            metavar="USD",
            help=f"Ask nothing that could cost more in all; needed where CI is set. Without it, "
            f"a terminal is asked above ${ASK_ABOVE_USD:.0f}.",
        ),
        click.option(
            "--dry-run", is_flag=True, help="Say what would be asked and cost; ask nothing."
        ),
        click.option(
            "--offline", is_flag=True, help="Use stored verdicts only; open no connection."
        ),
        click.option(
            "--show-egress",
            type=click.IntRange(1),
            metavar="N",
            help="Print the first N requests exactly as they would be sent; send nothing.",
        ),
        click.option(
            "--redact",
            multiple=True,
            metavar="CLASS",
            help="Also replace personal data: email, iban, card, ssn, ip, phone or all; "
            "repeatable, a,b allowed. Secrets always are.",
        ),
        click.option(
            "--ask",
            "requested",
            multiple=True,
            type=click.Choice(ON_REQUEST),
            help="Also ask, of every turn: questions that its answer would answer (for "
            "answer_relevance), or its statements although it cites; repeatable.",
        ),
        click.option(
            "--criterion",
            "criteria",
            multiple=True,
            metavar="GOAL",
            help="Also ask how far each conversation meets a goal, in words; repeatable.",
        ),
        click.option(
            "--embeddings",
            default=STATIC,
            show_default=True,
            metavar="MODEL",
            help=f"How --ask questions compares texts: {STATIC}, or sentence-transformers:NAME "
            "of a model that is on this machine.",
        ),
        click.option(
            "--canaries",
            "canary_every",
            type=click.IntRange(0),
            default=EVERY,
            show_default=True,
            metavar="N",
            help="Ask --judge anthropic about something false with the same text, for every "
            "favourable verdict whose texts address the judge, and one in N others; 0: none "
            "of the others.",
        ),
        click.option("--keep-secrets", is_flag=True, help="Send keys and passwords as they are."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def judge_choice(options: dict[str, Any]) -> "JudgeChoice":
    """Return the judge that the options name.

    Raises:
        UsageError: Options that cannot be meant together.
    """
    from analysis.judges import JudgeChoice
    from judge.egress import personal_classes

    name = options["judge_name"]
    _refuse_what_is_not_heeded(name)
    sends = name == _REMOTE and not _asks_nothing(options)
    if name == _REMOTE and not options["judge_model"]:
        raise UsageError(
            "--judge anthropic", "no model is named", "Add --judge-model NAME, best with its date."
        )
    if sends and os.environ.get("CI") and options["max_cost_usd"] is None:
        raise UsageError("--max-cost", "is needed where CI is set", "Add --max-cost USD.")
    return JudgeChoice(
        name=name,
        answers=options["answers"],
        model=options["judge_model"],
        platform=options["judge_platform"],
        prompts=dict(map(_prompt, options["prompts"])),
        batch=options["batch"],
        jobs=options["jobs"],
        max_cost_usd=options["max_cost_usd"],
        offline=_asks_nothing(options),
        personal=personal_classes(options["redact"]),
        secrets_leave=options["keep_secrets"],
    )


def asked_on_request(options: dict[str, Any]) -> dict[str, Any]:
    """Return what a plan's settings have of the options that add questions.

    Raises:
        UsageError: There is no such embedding model here.
    """
    from judge.likeness import likeness

    watched = options["judge_name"] == _REMOTE
    return {
        "requested": frozenset(options["requested"]),
        "criteria": tuple(dict.fromkeys(options["criteria"])),
        "likeness": likeness(options["embeddings"]),
        "canary_every": options["canary_every"] if watched else None,
    }


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
    sends = choice.name == _REMOTE and not choice.offline
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
    if choice.name == _REMOTE:
        return None
    return f"nothing leaves the machine: --judge {choice.name} asks no service"


def _refuse_what_is_not_heeded(name: str) -> None:
    """Refuse an option that was typed for another judge than the one that is named."""
    context = click.get_current_context(silent=True)
    typed = ParameterSource.COMMANDLINE
    for option, judge in _MEANT_FOR.items():
        if judge != name and context and context.get_parameter_source(option) is typed:
            flag = "--prompt" if option == "prompts" else f"--{option.replace('_', '-')}"
            raise UsageError(
                flag, f"means nothing to --judge {name}", f"Add --judge {judge}, or leave it out."
            )


def _prompt(text: str) -> tuple["QuestionKind", str]:
    from judge.prompting.templates import FIELDS, load_template

    name, equals, version = text.partition("=")
    kind = next((one for one in FIELDS if one == name), None)
    if kind is None or not equals:
        known = ", ".join(FIELDS)
        raise UsageError(
            "--prompt", f"{text!r} names no prompt", f"Write QUESTION=VERSION, of {known}."
        )
    load_template(kind, version)
    return kind, version


def _asks_nothing(options: dict[str, Any]) -> bool:
    return bool(options["offline"] or options["dry_run"] or options["show_egress"])


def _usd(amount: float | None) -> str:
    return "an unknown price" if amount is None else f"about ${amount:,.2f}"
