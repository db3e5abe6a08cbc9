"""Errors that stop a run and that a user can act on.

* StagefaultError      base; printed as `error: place: problem. Remedy.`, no traceback
  - UsageError         exit 2   options, configuration or a path that cannot be meant
  - SourceError        exit 2   a source named on the command line cannot be opened
  - NoTraceError       exit 3   there is nothing of a trace in the sources
  - StoreError         exit 7   the store or an output file cannot be read or written
  - JudgeError         exit 2   the judge cannot be used at all (no key, unknown model)
  - DeliveryError      exit 7   who an export is sent to does not answer as agreed

A damaged record is not an error: it becomes a `Loss`, is counted, and the run goes on.
A hole in a trace is not an error: it becomes a `Gap` on the turn. Wrong arguments from
our own code stay `ValueError`, with a traceback.
"""


class StagefaultError(Exception):
    """Base of every error that the command line prints without a traceback."""

    exit_code = 2

    def __init__(self, place: str, problem: str, remedy: str = "") -> None:
        """Name the place, the problem and the way out.

        Args:
            place: Path, option or setting at fault.
            problem: What is wrong there, without a full stop.
            remedy: What the user can do about it, as full sentences.
        """
        super().__init__(f"{place}: {problem}." + (f" {remedy}" if remedy else ""))
        self.place = place
        self.problem = problem
        self.remedy = remedy


class UsageError(StagefaultError):
    """Options, configuration or a path that cannot be meant."""


class SourceError(StagefaultError):
    """A source named on the command line cannot be opened."""


class NoTraceError(StagefaultError):
    """There is nothing of a trace in the sources, not even a damaged record."""

    exit_code = 3


class StoreError(StagefaultError):
    """The store or an output file cannot be read or written."""

    exit_code = 7


class JudgeError(StagefaultError):
    """The judge cannot be used at all."""


class DeliveryError(StagefaultError):
    """Who an export is sent to does not answer as agreed."""

    exit_code = 7
