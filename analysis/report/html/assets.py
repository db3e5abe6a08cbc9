"""The one style and the one script of a page, and the policy that admits nothing else.

Both are kept in parts, by concern, and joined in the order named here.
"""

import base64
import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

STYLES: Final = ("base", "breakdown", "list", "turn", "print")
SCRIPTS: Final = (
    "dom",
    "words",
    "data",
    "route",
    "filter",
    "list",
    "breakdown",
    "related",
    "evidence",
    "against",
    "stages",
    "waterfall",
    "judgements",
    "copy",
    "correction",
    "turn",
    "main",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Assets:
    """What a page carries beside its data."""

    style: str
    script: str

    @property
    def policy(self) -> str:
        """The policy of a page that holds both: this style, this script, nothing else."""
        return _policy(f"'{_digest(self.script)}'", f"'{_digest(self.style)}'")


def linked_policy() -> str:
    """Return the policy of a page whose script and style are files beside it."""
    return _policy("'self'", "'self'")


def _policy(script: str, style: str) -> str:
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {script}",
            f"style-src {style}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


@cache
def assets() -> Assets:
    """Return the style and the script as they stand between their tags."""
    parts = "".join(_part("js", name) for name in SCRIPTS)
    return Assets(
        style="".join(_part("css", name) for name in STYLES),
        script=f'"use strict";\n(() => {{\n{parts}}})();\n',
    )


def _part(folder: str, name: str) -> str:
    return files(__package__).joinpath(folder, f"{name}.{folder}").read_text("utf-8")


def _digest(text: str) -> str:
    """Return the hash source of an inline element with this text."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode('ascii')}"
