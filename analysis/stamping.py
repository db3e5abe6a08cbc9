"""When a run was made, and what it is called."""

import os
import secrets
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from ingest.errors import UsageError

EPOCH_VARIABLE: Final = "SOURCE_DATE_EPOCH"
"""Seconds since 1970: builds that shall be the same each time stamp what they make with it."""


def stamped(
    runs: Path, now: datetime | None = None, environ: Mapping[str, str] = os.environ
) -> tuple[datetime, str]:
    """Return the time and the id of a new run.

    Ids sort by time and end in four signs of chance. Under `SOURCE_DATE_EPOCH` there is
    neither clock nor chance: the same traces give the same run, and pages of the same bytes.

    Args:
        runs: The folder of runs; an id that it holds is not given again.
        now: Time of the run; None asks the environment, then the clock.
        environ: The environment.

    Raises:
        UsageError: `SOURCE_DATE_EPOCH` is no time.
    """
    fixed = None if now else environ.get(EPOCH_VARIABLE)
    created = _epoch(fixed) if fixed else now or datetime.now(UTC)
    prefix = f"{created:%Y%m%d-%H%M%S}"
    if not fixed:
        return created, f"{prefix}-{secrets.token_hex(2)}"
    number = 0
    while (runs / f"{prefix}-{number:04x}").exists():
        number += 1
    return created, f"{prefix}-{number:04x}"


def _epoch(text: str) -> datetime:
    try:
        return datetime.fromtimestamp(int(text), UTC)
    except (ValueError, OverflowError, OSError):
        raise UsageError(
            EPOCH_VARIABLE, f"{text!r} is no number of seconds", "Set it to a time, or unset it."
        ) from None
