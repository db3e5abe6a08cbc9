"""Secrets by their form: keys and tokens of common services, passwords, private keys.

Every pattern is bounded and anchored by what makes the form recognisable, so that it runs
in linear time and leaves ordinary words, hashes and ids alone. `hints` are looked for
first: a text that has none of them is not searched.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Pattern:
    """One kind of thing that is replaced."""

    label: str
    """Of its pseudonyms: `<LABEL_1>`."""
    form: re.Pattern[str]
    """Where it has a group, only that group is replaced."""
    hints: tuple[str, ...] = ()
    """In lower case; a text without any of them holds no match. Empty: search always."""


def _pattern(label: str, form: str, *hints: str, flags: int = 0) -> Pattern:
    return Pattern(label, re.compile(form, flags), hints)


_END: Final = r"(?![A-Za-z0-9_-])"
_VALUE: Final = r"[\"'`]?([^\s\"'`,;<>{}\[\]()]{6,200})"

SECRETS: Final[tuple[Pattern, ...]] = (
    _pattern(
        "PRIVATE_KEY",
        r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        r"[^-]{0,8000}(?:-----END [A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----)?",
        "private key",
    ),
    _pattern("ANTHROPIC_KEY", rf"\bsk-ant-[A-Za-z0-9_-]{{16,200}}{_END}", "sk-ant-"),
    _pattern("OPENAI_KEY", rf"\bsk-(?!ant-)(?:[a-z]+-)?[A-Za-z0-9_-]{{20,200}}{_END}", "sk-"),
    _pattern(
        "AWS_KEY_ID", rf"\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{{16}}{_END}", "aki", "asi", "aro", "aid"
    ),
    _pattern(
        "AWS_SECRET",
        r"(?i:aws.{0,20}?(?:secret|session).{0,20}?[=:]\s{0,3}[\"']?)([A-Za-z0-9/+=]{40,1000})",
        "aws",
    ),
    _pattern(
        "GITHUB_TOKEN",
        rf"\b(?:gh[pousr]_[A-Za-z0-9]{{30,255}}|github_pat_\w{{22,255}}){_END}",
        "gh",
        "github_pat_",
    ),
    _pattern("GITLAB_TOKEN", rf"\bgl(?:pat|ptt|dt|rt)-[A-Za-z0-9_-]{{20,64}}{_END}", "gl"),
    _pattern("SLACK_TOKEN", rf"\bxox[abeoprs]-[A-Za-z0-9-]{{10,255}}{_END}", "xox"),
    _pattern(
        "SLACK_WEBHOOK",
        r"hooks\.slack\.com/(?:services|workflows)/([A-Za-z0-9/_+-]{20,100})",
        "hooks.slack",
    ),
    _pattern("GOOGLE_KEY", rf"\bAIza[A-Za-z0-9_-]{{35}}{_END}", "aiza"),
    _pattern("GOOGLE_TOKEN", rf"\bya29\.[A-Za-z0-9_-]{{20,500}}{_END}", "ya29."),
    _pattern(
        "STRIPE_KEY",
        rf"\b(?:[rs]k_(?:live|test)|whsec)_[A-Za-z0-9]{{16,255}}{_END}",
        "k_live",
        "k_test",
        "whsec",
    ),
    _pattern("TWILIO_KEY", rf"\b(?:SK|AC)[0-9a-f]{{32}}{_END}", "sk", "ac"),
    _pattern("SENDGRID_KEY", rf"\bSG\.[A-Za-z0-9_-]{{16,32}}\.[A-Za-z0-9_-]{{32,64}}{_END}", "sg."),
    _pattern("MAILGUN_KEY", rf"\bkey-[0-9a-f]{{32}}{_END}", "key-"),
    _pattern("NPM_TOKEN", rf"\bnpm_[A-Za-z0-9]{{36}}{_END}", "npm_"),
    _pattern("PYPI_TOKEN", rf"\bpypi-AgE[A-Za-z0-9_-]{{50,500}}{_END}", "pypi-age"),
    _pattern("DOCKER_TOKEN", rf"\bdckr_(?:pat|oat)_[A-Za-z0-9_-]{{20,64}}{_END}", "dckr_"),
    _pattern("HUGGINGFACE_TOKEN", rf"\b(?:hf|api_org)_[A-Za-z]{{30,64}}{_END}", "hf_", "api_org_"),
    _pattern("DIGITALOCEAN_TOKEN", rf"\bdo[opr]_v1_[0-9a-f]{{64}}{_END}", "_v1_"),
    _pattern("SHOPIFY_TOKEN", rf"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{{32}}{_END}", "shp"),
    _pattern("DATABRICKS_TOKEN", rf"\bdapi[0-9a-f]{{32}}(?:-\d)?{_END}", "dapi"),
    _pattern("TELEGRAM_TOKEN", rf"\b\d{{8,10}}:[A-Za-z0-9_-]{{35}}{_END}", ":"),
    _pattern("AGE_KEY", rf"\bAGE-SECRET-KEY-1[A-Z0-9]{{58}}{_END}", "age-secret-key-"),
    _pattern(
        "AZURE_KEY",
        r"(?i:(?:account|shared)(?:access)?key|\bsig)=([A-Za-z0-9+/%]{40,120}={0,2})",
        "key=",
        "sig=",
    ),
    _pattern(
        "JWT",
        rf"\beyJ[A-Za-z0-9_-]{{8,2000}}\.eyJ[A-Za-z0-9_-]{{8,4000}}\.[A-Za-z0-9_-]{{8,1000}}{_END}",
        "eyj",
    ),
    _pattern(
        "BEARER", r"(?i:\b(?:bearer|basic)\s{1,3})([A-Za-z0-9._~+/=-]{16,2000})", "bearer", "basic"
    ),
    _pattern(
        "URL_PASSWORD", r"\b[a-z][a-z0-9+.-]{1,20}://[^\s:/@]{1,100}:([^\s:/@]{1,200})@", "://"
    ),
    _pattern(
        "PASSWORD",
        r"(?i:\b(?:password|passwd|passphrase|pwd|kennwort|passwort|contraseña|mot de passe|"
        r"secret|client[_ -]?secret|api[_ -]?key|access[_ -]?key|auth[_ -]?token|"
        r"access[_ -]?token|refresh[_ -]?token|token)\b[\"'`]?\s{0,3}(?:[:=]|is\b|ist\b)\s{0,3})"
        rf"(?=\S*[\d!@#$%^&*+/_=-]){_VALUE}",
        "pass",
        "pwd",
        "kennwort",
        "contraseña",
        "secret",
        "key",
        "token",
    ),
)

_BLOB = re.compile(r"(?<![A-Za-z0-9+/_=.-])[A-Za-z0-9+/_-]{28,256}={0,2}(?![A-Za-z0-9+/_=-])")
_HEX = re.compile(r"[0-9a-fA-F-]+")
_RANDOM_BITS: Final = 4.2
"""Bits per character; English words run together have fewer than 4."""
_PATH_PARTS: Final = 3
_MIXED: Final = tuple(map(re.compile, ("[a-z]", "[A-Z]", "[0-9]")))


def random_blobs(text: str) -> Iterator[tuple[int, int]]:
    """Yield start and end of long random strings: perhaps keys of a form nobody listed.

    Hashes and UUIDs, which are hexadecimal, paths and names of any length are none.
    """
    for match in _BLOB.finditer(text):
        blob = match[0]
        mixed = all(one.search(blob) for one in _MIXED)
        named = _HEX.fullmatch(blob) or blob.count("/") >= _PATH_PARTS
        if mixed and not named and _bits(blob) >= _RANDOM_BITS:
            yield match.span()


def _bits(text: str) -> float:
    counts = Counter(text).values()
    return -sum(count / len(text) * math.log2(count / len(text)) for count in counts)
