"""Options of `export otlp` that send, and what is told about what was sent."""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click
from click.core import ParameterSource

from analysis.cli.exit_codes import Exit
from analysis.cli.progress import Progress, progress_kind, progress_option
from analysis.report.numbers import counted
from analysis.report.terminal import safe, safe_json
from ingest.errors import UsageError

if TYPE_CHECKING:
    from analysis.exporting.sending import Sending
    from analysis.run import Run

F = TypeVar("F", bound=Callable[..., Any])

_ONLY_SENDING: Final = ("endpoint", "send", "batch_size", "rejected_too", "dry_run", "allow_losses")
_SHOWN_WARNINGS: Final = 5
_LONG_WAIT_S: Final = 5.0
"""Less than this is waited without a word."""


def sending_options(command: F) -> F:
    """Add `--endpoint` and all that belongs to it."""
    options = (
        click.option(
            "--endpoint",
            metavar="URL",
            help="otlp: send it there over HTTP; /v1/logs is added where it is missing.",
        ),
        click.option(
            "--send",
            is_flag=True,
            help="otlp: send it to OTEL_EXPORTER_OTLP_ENDPOINT. Headers are read from "
            "OTEL_EXPORTER_OTLP_HEADERS.",
        ),
        click.option(
            "--batch-size",
            type=click.IntRange(1, 10_000),
            default=512,
            show_default=True,
            metavar="N",
            help="Judgements in one request, at most; a request is never over 1 MiB.",
        ),
        click.option(
            "--retry-rejected",
            "rejected_too",
            is_flag=True,
            help="Send also what was rejected before.",
        ),
        click.option("--dry-run", is_flag=True, help="Say what would be sent; send nothing."),
        click.option(
            "--allow-losses", is_flag=True, help="Exit 0 although judgements were rejected."
        ),
        progress_option,
    )
    for option in reversed(options):
        command = option(command)
    return command


def is_sending(options: Mapping[str, Any]) -> bool:
    """Tell whether to send; an address in the environment or in a file alone sends nothing.

    Raises:
        UsageError: Options that cannot be meant together.
    """
    form = options["form"]
    if form == "otlp" and (options["send"] or _typed("endpoint")):
        if options["output"] is not None:
            raise UsageError("-o", "names a file, and sending writes none", "Leave one out.")
        return True
    for name in _ONLY_SENDING:
        if _typed(name):
            flag = "--retry-rejected" if name == "rejected_too" else f"--{name.replace('_', '-')}"
            if form != "otlp":
                raise UsageError(flag, f"has no meaning for {form}", "Only otlp is sent.")
            raise UsageError(flag, "is about sending", "Add --endpoint URL or --send.")
    return False


def send_judgements(run: "Run", options: Mapping[str, Any]) -> Iterator[Exit]:
    """Send a run's judgements, print what came of it, and yield the exit codes that apply.

    Raises:
        UsageError: The address or the credentials do not do.
        DeliveryError: The receiver does not answer.
        StoreError: The run or the record of what was sent cannot be used.
    """
    from contextlib import closing
    from importlib.metadata import version

    from analysis.exporting.endpoint import endpoint_of
    from analysis.exporting.posting import Receiver
    from analysis.exporting.sending import Bounds, send
    from analysis.exporting.sent import SentRecord

    private = _source("endpoint") is ParameterSource.ENVIRONMENT
    endpoint = endpoint_of(options["endpoint"], os.environ, may_hold_secrets=private)
    kind = progress_kind(options["progress_kind"])
    progress = Progress(kind, quiet=options["quiet"])
    rehearsed = options["dry_run"]

    def tell_wait(reason: str, seconds: float) -> None:
        if seconds >= _LONG_WAIT_S and not options["quiet"] and kind not in ("json", "none"):
            progress.close()
            note = f"note: {endpoint.url}: {reason}; the next try is in {seconds:,.0f} s."
            click.echo(safe(note), err=True)

    receiver = Receiver(
        endpoint=endpoint,
        user_agent=f"stagefault/{version('stagefault')}",
        tell_wait=tell_wait,
    )
    try:
        with closing(SentRecord(run.folder, endpoint.url, writes=not rehearsed)) as record:
            done = send(
                run,
                record,
                None if rehearsed else receiver,
                bounds=Bounds(items=options["batch_size"]),
                rejected_too=options["rejected_too"],
                notify=progress,
            )
    finally:
        receiver.close()
        progress.close()
    told = _as_json(run, endpoint.url, done, retries=receiver.retries, rehearsed=rehearsed)
    if options["as_json"]:
        click.echo(safe_json(told))
    else:
        for line in _lines(told):
            click.echo(safe(line))
    for line in _warnings(endpoint.url, done.warnings):
        click.echo(safe(line), err=True)
    if done.error is not None:
        raise done.error
    if (done.rejected or done.rejected_before) and not options["allow_losses"]:
        yield Exit.LOSSES


def _as_json(
    run: "Run", url: str, done: "Sending", *, retries: int, rehearsed: bool
) -> dict[str, Any]:
    return {
        "schema_version": 1,
        "run_id": run.run_id,
        "endpoint": url,
        "dry_run": rehearsed,
        "items": done.items,
        "sent": done.sent,
        "sent_again": done.sent_again,
        "already_sent": done.already_sent,
        "rejected": dict(done.rejected),
        "rejected_before": dict(done.rejected_before),
        "left_out": dict(done.left_out),
        "not_sent": done.not_sent,
        "requests": done.requests,
        "retries": retries,
        "warnings": dict(done.warnings),
        "error": None if done.error is None else str(done.error),
    }


def _lines(told: Mapping[str, Any]) -> Iterator[str]:
    """Yield the same for people; what is nothing is left out, but for what was sent."""
    total = f"of {counted(told['items'], 'judgement')} to {told['endpoint']}"
    requests = counted(told["requests"], "request")
    if told["dry_run"]:
        yield f"to send       {told['not_sent']:,} {total}, in {requests} or more"
    else:
        retries = counted(told["retries"], "retry", "retries")
        retried = f" and {retries}" if told["retries"] else ""
        yield f"sent          {told['sent']:,} {total}, in {requests}{retried}"
    if told["sent_again"]:
        yield (
            f"perhaps twice {told['sent_again']:,} of them, whose first delivery was not "
            "acknowledged; a receiver tells by stagefault.item_id"
        )
    if told["already_sent"]:
        yield f"already sent  {told['already_sent']:,}"
    for name, meaning in (("rejected", "rejected     "), ("rejected_before", "before that  ")):
        for reason, number in told[name].items():
            yield f"{meaning} {number:,}  {reason}"
    yield from left_out_lines(told["left_out"])
    if told["not_sent"] and not told["dry_run"]:
        yield f"not sent      {told['not_sent']:,}"


def left_out_lines(left_out: Mapping[str, int]) -> Iterator[str]:
    """Yield how many judgements a form has no words for, by reason."""
    for reason, number in left_out.items():
        yield f"left out      {number:,}  {reason}"


def _warnings(url: str, warnings: "Counter[str]") -> Iterator[str]:
    shown = list(warnings.items())
    for message, number in shown[:_SHOWN_WARNINGS]:
        times = "" if number == 1 else f" ({number:,} times)"
        end = "" if message.endswith((".", "!", "?")) and not times else "."
        yield f"warning: {url}: {message}{times}{end}"
    if len(shown) > _SHOWN_WARNINGS:
        others = counted(len(shown) - _SHOWN_WARNINGS, "other warning")
        yield f"warning: {url}: {others}; --json has all."


def _typed(name: str) -> bool:
    return _source(name) is ParameterSource.COMMANDLINE


def _source(name: str) -> ParameterSource | None:
    return click.get_current_context().get_parameter_source(name)
