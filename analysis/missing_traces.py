"""An input in which there is no trace: what it is instead, and what to do next."""

from collections import Counter
from typing import Final

from analysis.reading import Read
from analysis.report.numbers import counted
from ingest.errors import NoTraceError

_FORMATS: Final = (
    "OTLP as JSON or protobuf, or an export of Jaeger, Tempo, Zipkin, Phoenix, Langfuse, "
    "LangSmith, MLflow or another that stagefault explain readme names"
)
_LOST_AS_A_FILE: Final = "not_a_trace_file"
_EMPTY: Final = "empty_file"


def holds_no_trace(read: Read) -> bool:
    """Tell whether there was no record at all, nor a damaged one."""
    return all(loss.reason == _LOST_AS_A_FILE for loss in read.losses) and (
        read.counts.read == read.counts.rejected
    )


def no_trace_error(sources: tuple[str, ...], read: Read) -> NoTraceError:
    """Return the error of a command that has nothing to work on."""
    more = f" and {len(sources) - 1:,} more" if len(sources) > 1 else ""
    return NoTraceError(f"{sources[0]}{more}", f"holds no trace ({_held(read)})", next_step(read))


def next_step(read: Read) -> str:
    """Return what to do about an input that holds no trace, as a sentence."""
    reasons = _reasons(read)
    if not reasons and not read.sources:
        return (
            "Name the file or folder that your collector or SDK exports to: here is no file "
            "(hidden ones are not read)."
        )
    if not reasons.keys() - {_EMPTY}:
        return "See that the exporter has written: what is here is empty."
    if reasons.keys() <= {_EMPTY, _LOST_AS_A_FILE}:
        hints = list(dict.fromkeys(one.hint for one in read.skipped_files if one.hint))
        hints += [loss.detail for loss in read.losses if loss.detail.endswith(".")]
        if hints:
            return hints[0]
        return f"Name a file that holds traces: {_FORMATS}."
    return "Name a regular file that can be read."


def _held(read: Read) -> str:
    """Return what was there, by reason."""
    reasons = _reasons(read)
    told = [f"{counted(number, 'file')} {reason}" for reason, number in reasons.most_common()]
    empty = sum(source.empty for source in read.sources)
    if empty:
        told.append(f"{counted(empty, 'request or document', 'requests or documents')} without any")
    return ", ".join(told) or "no file"


def _reasons(read: Read) -> Counter[str]:
    return Counter(
        [
            *(one.reason for one in read.skipped_files),
            *(loss.reason for loss in read.losses),
        ]
    )
