"""Keys stay out of every text: messages, logs, tracebacks.

The judge's key is read from the environment by the client and never touched by us. What
could still carry it, or another secret, passes through `scrub`.
"""

import logging
import os
import re
from typing import Any, Final

_SECRETS = re.compile(
    r"sk-ant-[A-Za-z0-9_-]{8,}"
    r"|(?i:bearer\s+)[A-Za-z0-9._~+/=-]{8,}"
    r"|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"
    r"|(?i:\b(?:x-api-key|authorization|api[_-]?key|auth[_-]?token|aws_secret_access_key)\b"
    r"[\"']?\s*[:=]\s*[\"']?(?:bearer |basic )?)[^\s\"',}]{6,}"
)
_VARIABLES: Final = (
    *("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_CUSTOM_HEADERS"),
    *("ANTHROPIC_IDENTITY_TOKEN", "ANTHROPIC_WEBHOOK_SIGNING_KEY"),
    *("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"),
    "AWS_BEARER_TOKEN_BEDROCK",
)
_SHORTEST: Final = 6
_LOGGERS: Final = ("anthropic", "httpx2", "httpcore2")


def scrub(text: str) -> str:
    """Return *text* with every secret replaced that is known by its form or its value."""
    for value in _known():
        text = text.replace(value, "[secret]")
    return _SECRETS.sub("[secret]", text)


def _known() -> list[str]:
    """Return the secret values of the environment, longest first."""
    found = set()
    for name in _VARIABLES:
        value = os.environ.get(name, "").strip()
        if name == "ANTHROPIC_CUSTOM_HEADERS":
            found |= {line.partition(":")[2].strip() for line in value.split("\n")}
        found.add(value)
    return sorted((value for value in found if len(value) >= _SHORTEST), key=len, reverse=True)


def guard_logs() -> None:
    """Scrub what the client and its transport log, whatever handler it goes to.

    Their debug level holds whole requests. Calling it again changes nothing.
    """
    current = logging.getLogRecordFactory()
    if getattr(current, "scrubs", False):
        return

    def factory(*args: Any, **kwargs: Any) -> logging.LogRecord:
        record = current(*args, **kwargs)
        if record.name.partition(".")[0] in _LOGGERS:
            record.msg, record.args = scrub(record.getMessage()), ()
            if record.exc_info:
                record.exc_text = scrub(logging.Formatter().formatException(record.exc_info))
        return record

    factory.scrubs = True  # type: ignore[attr-defined]
    logging.setLogRecordFactory(factory)
