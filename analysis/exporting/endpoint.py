"""Where an export is sent to, and with what credentials: OpenTelemetry's own variables.

    --endpoint URL, else OTEL_EXPORTER_OTLP_LOGS_ENDPOINT, else OTEL_EXPORTER_OTLP_ENDPOINT
    OTEL_EXPORTER_OTLP_[LOGS_]HEADERS, _CERTIFICATE, _CLIENT_CERTIFICATE, _CLIENT_KEY

Secrets come from the environment only: a command line can be read by everybody on the
machine. They are in no `repr`, no message and no file.

Source: OpenTelemetry Protocol Exporter specification.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from urllib.parse import SplitResult, unquote, urlsplit

from ingest.errors import UsageError
from judge.remote.secrecy import scrub

OPTION: Final = "--endpoint"
_PREFIX: Final = "OTEL_EXPORTER_OTLP_"
_PATH: Final = "/v1/logs"
_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
"""Of a header, by RFC 9110."""
_IN_A_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
_IN_A_URL = re.compile(r"[\x21-\x7e]+")
_SHORTEST: Final = 4
"""Characters of a secret; fewer would be found in any text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """A receiver of OTLP over HTTP."""

    url: str
    """Of log records, without credentials: fit to be printed."""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    basic: tuple[str, str] | None = field(default=None, repr=False)
    """User and password out of the address."""
    authorities: str | None = None
    """File of the certificate authorities to trust; None for the usual ones."""
    certificate: tuple[str, str] | str | None = None
    """Our own: a file, or a file and the one of its key."""

    def without_secrets(self, text: str) -> str:
        """Return a text of the receiver's, which may repeat what it was sent."""
        words = [word for value in self.headers.values() for word in value.split()[1:]]
        found = {*self.headers.values(), *words, *(self.basic or ())}
        for secret in sorted(found, key=len, reverse=True):
            if len(secret) >= _SHORTEST:
                text = text.replace(secret, "[secret]")
        return scrub(text)


def endpoint_of(
    given: str | None, environ: Mapping[str, str], *, may_hold_secrets: bool = False
) -> Endpoint:
    """Return where to send to.

    Args:
        given: An address in the user's words: that of all signals, to which `/v1/logs` is
            added, or that of log records. None: the environment names it.
        environ: The environment.
        may_hold_secrets: The address given was not on a command line or in a file.

    Raises:
        UsageError: There is no address, or something is none.
    """
    place, address = OPTION, given
    of_logs = _PREFIX + "LOGS_ENDPOINT"
    if address is None:
        may_hold_secrets = True
        place = of_logs if environ.get(of_logs) else _PREFIX + "ENDPOINT"
        address = environ.get(place)
    if not address:
        raise UsageError("--send", "has no address", f"Add {OPTION} URL, or set {_PREFIX}ENDPOINT.")
    parts = _parts(place, address.strip())
    basic = _credentials(parts)
    if basic is not None and not may_hold_secrets:
        raise UsageError(
            place,
            f"{_masked(address)} holds a password, which others could read",
            f"Put it into {_PREFIX}HEADERS, or the address into {_PREFIX}ENDPOINT, with --send.",
        )
    return Endpoint(
        url=_url(parts, is_whole=place == of_logs),
        headers=_headers(environ),
        basic=basic,
        authorities=_file(environ, "CERTIFICATE"),
        certificate=_certificate(environ),
    )


def _parts(place: str, address: str) -> SplitResult:
    remedy = "Write it like http://localhost:4318 or https://otlp.example.com."
    try:
        parts = urlsplit(address)
        known = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        known = False
        parts = SplitResult("", "", "", "", "")
    if not known or not _IN_A_URL.fullmatch(address):
        raise UsageError(place, f"{_masked(address)!r} is no HTTP address", remedy)
    if parts.query or parts.fragment:
        raise UsageError(
            place,
            f"{_masked(address)} has a query, which OTLP has no place for",
            f"Leave it out; a key goes into {_PREFIX}HEADERS.",
        )
    return parts


def _credentials(parts: SplitResult) -> tuple[str, str] | None:
    if parts.username is None:
        return None
    return unquote(parts.username), unquote(parts.password or "")


def _url(parts: SplitResult, *, is_whole: bool) -> str:
    host = str(parts.hostname)
    if ":" in host:
        host = f"[{host}]"
    if parts.port is not None:
        host = f"{host}:{parts.port}"
    path = parts.path
    if not is_whole and not path.endswith(_PATH):
        path = path.rstrip("/") + _PATH
    return f"{parts.scheme}://{host}{path or '/'}"


def _masked(address: str) -> str:
    """Return an address that may be none, without what could be a secret in it."""
    scheme, separator, rest = address.partition("://")
    if not separator:
        scheme, rest = "", address
    rest = re.sub(r".*@", "***@", rest, flags=re.DOTALL)
    return scheme + separator + re.sub(r"[?#].*", "?***", rest, flags=re.DOTALL)


def _headers(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the headers that the environment names: `name=value,…`, values percent-encoded.

    OpenTelemetry's own parser logs what it cannot read, which may be half of a key.
    """
    found: dict[str, str] = {}
    for variable in (_PREFIX + "HEADERS", _PREFIX + "LOGS_HEADERS"):
        entries = environ.get(variable, "").split(",")
        for number, entry in enumerate(entries, start=1):
            if not entry.strip():
                continue
            name, equals, value = entry.partition("=")
            name, value = unquote(name).strip().lower(), unquote(value).strip()
            if not equals or not _NAME.fullmatch(name) or not _IN_A_VALUE.fullmatch(value):
                raise UsageError(
                    variable,
                    f"its entry {number} is no header",
                    "Write name=value, several with commas, values percent-encoded.",
                )
            found[name] = value
    return found


def _certificate(environ: Mapping[str, str]) -> tuple[str, str] | str | None:
    certificate = _file(environ, "CLIENT_CERTIFICATE")
    key = _file(environ, "CLIENT_KEY")
    if certificate is None:
        return None
    return certificate if key is None else (certificate, key)


def _file(environ: Mapping[str, str], name: str) -> str | None:
    for variable in (f"{_PREFIX}LOGS_{name}", _PREFIX + name):
        if path := environ.get(variable):
            if not Path(path).is_file():
                raise UsageError(variable, f"there is no file {path}", "Correct the path.")
            return path
    return None
