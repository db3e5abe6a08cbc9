"""What the service charged: an append-only list, in memory and in a file."""

import json
import threading
from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """One reply that was made, whether or not it arrived."""

    via: Literal["sync", "batch"]
    prompt: str
    """Hash of what was asked: equal prompts are equal questions."""
    custom_id: str | None
    input_tokens: int
    cache_write_tokens: int
    cache_read_tokens: int
    output_tokens: int

    @property
    def all_input_tokens(self) -> int:
        """Input tokens of every price."""
        return self.input_tokens + self.cache_write_tokens + self.cache_read_tokens


class Bill:
    """Charges in the order in which they were made."""

    def __init__(self, path: Path | None = None) -> None:
        self._charges: list[Charge] = []
        self._lock = threading.Lock()
        self._file = None if path is None else path.open("a", encoding="utf-8")

    def add(self, charge: Charge) -> None:
        """Charge for a reply."""
        with self._lock:
            self._charges.append(charge)
            if self._file is not None:
                self._file.write(json.dumps(asdict(charge)) + "\n")
                self._file.flush()

    @property
    def charges(self) -> tuple[Charge, ...]:
        """All charges so far."""
        with self._lock:
            return tuple(self._charges)

    @property
    def input_tokens(self) -> int:
        """Input tokens of all charges, whatever their price."""
        return sum(charge.all_input_tokens for charge in self.charges)

    @property
    def output_tokens(self) -> int:
        """Output tokens of all charges."""
        return sum(charge.output_tokens for charge in self.charges)

    @property
    def repeats(self) -> dict[str, int]:
        """How often each prompt was paid for, of those paid for more than once."""
        paid = Counter(charge.prompt for charge in self.charges)
        return {prompt: count for prompt, count in paid.items() if count > 1}

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()
