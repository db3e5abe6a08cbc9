"""Options that say who judges, and what they mean."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click
from click.core import ParameterSource

from ingest.errors import UsageError
from judge.canaries import EVERY
from judge.likeness import STATIC
from judge.remote.platforms import PLATFORMS

if TYPE_CHECKING:
    from analysis.judges import JudgeChoice
    from judge.question import QuestionKind

F = TypeVar("F", bound=Callable[..., Any])

ON_REQUEST: Final = ("questions", "statements")
ASK_ABOVE_USD: Final = 5.0
"""More than this is not spent on a terminal without a word."""
REMOTE: Final = "anthropic"
"""The judge that is asked over a network, and paid for."""
_MEANT_FOR: Final = {
    "answers": "recorded",
    "judge_model": REMOTE,
    "judge_platform": REMOTE,
    "prompts": REMOTE,
    "batch": REMOTE,
}
"""Options that only one judge heeds."""


def judge_options(command: F) -> F:
    """Add `--judge` and all that belongs to it."""
    options = (
        click.option(
            "--judge",
            "judge_name",
            type=click.Choice(["local", "recorded", REMOTE]),
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
    sends = name == REMOTE and not _asks_nothing(options)
    if name == REMOTE and not options["judge_model"]:
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

    watched = options["judge_name"] == REMOTE
    return {
        "requested": frozenset(options["requested"]),
        "criteria": tuple(dict.fromkeys(options["criteria"])),
        "likeness": likeness(options["embeddings"]),
        "canary_every": options["canary_every"] if watched else None,
    }


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
