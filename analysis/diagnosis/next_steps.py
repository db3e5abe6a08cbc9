"""What `doctor` tells to do next: find the traces, name the spans, or record more."""

from typing import Final

from analysis.diagnosis.advice import advise
from analysis.diagnosis.examination import Examination
from analysis.missing_traces import holds_no_trace, next_step
from analysis.reading import Read

_DAMAGED: Final = "Export the traces again: no record could be read, for the reasons above."
_UNKNOWN: Final = (
    "Say which of your spans are an agent's, a model's, a tool's or a search's, in [mapping] of "
    "stagefault.toml (stagefault explain mapping); --explain SPAN tells how one is read."
)


def next_steps(found: Examination, read: Read) -> tuple[str, ...]:
    """Return what to do next as sentences, what helps most first; empty where all is well."""
    if holds_no_trace(read):
        return (next_step(read),)
    if not found.spans:
        return (_DAMAGED,)
    if not found.turns:
        return (_UNKNOWN,)
    return tuple(advice.text for advice in advise(found))
