"""How a command ends whose reader went away, as `head` does: with a code, and without a word.

Nothing is imported here that takes time.
"""

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Final, NoReturn

CLOSED_PIPE: Final = 141
"""The code that a shell gives to a program which SIGPIPE ended."""


def close_stdout() -> None:
    """Keep the interpreter from complaining about a reader that went away."""
    with suppress(OSError, ValueError):  # it is no file, or closed already
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def ending(main: Callable[[], int | None]) -> NoReturn:
    """Run the main function of a script and end with the code that it returns, None for 0.

    Where nobody reads standard output any more, the code is `CLOSED_PIPE`.
    """
    try:
        try:
            code = main()
        finally:
            sys.stdout.flush()  # what is still buffered may meet the closed pipe, too
    except BrokenPipeError:
        close_stdout()
        code = CLOSED_PIPE
    sys.exit(code)
