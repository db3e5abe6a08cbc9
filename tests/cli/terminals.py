"""What a program writes to a terminal."""

import os
from collections.abc import Iterator


def written_to(ours: int) -> Iterator[bytes]:
    """Yield what is written to the other side of a pseudo-terminal until it is closed."""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # Linux: the other side is closed
            break
        if not part:
            break
        yield part
    os.close(ours)
