"""Personal data by its form, class by class: only what is asked for is replaced.

Names and addresses have no form and are not found here.
"""

import ipaddress
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class PersonalClass:
    """One class of personal data."""

    label: str
    form: re.Pattern[str]
    is_one: Callable[[str], bool] = lambda _: True
    """Tells real ones from what only looks like one."""


def luhn(text: str) -> bool:
    """Tell whether the digits of a card number check out.

    Source:
        ISO/IEC 7812-1, annex B.
    """
    digits = [int(one) for one in text if one.isdigit()]
    doubled = [sum(divmod(2 * one, 10)) for one in digits[-2::-2]]
    return len(set(digits)) > 1 and (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def iban(text: str) -> bool:
    """Tell whether an account number checks out.

    Source:
        ISO 13616 with the checksum of ISO/IEC 7064, MOD 97-10.
    """
    plain = "".join(one for one in text if one.isalnum()).upper()
    return int("".join(str(int(one, 36)) for one in plain[4:] + plain[:4])) % 97 == 1


def phone(text: str) -> bool:
    """Tell a telephone number from other numbers: 8 to 15 digits, and written as one."""
    digits = sum(one.isdigit() for one in text)
    written = text.startswith(("+", "00", "(")) or len(re.findall(r"[ .()/-]", text)) >= 2  # noqa: PLR2004
    return 8 <= digits <= 15 and written and not _DATE.search(text)  # noqa: PLR2004 - E.164


def address(text: str) -> bool:
    """Tell whether it is an IP address of a machine somewhere."""
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return False
    return not (found.is_unspecified or found.is_loopback)


_DATE = re.compile(r"(?:19|20)\d\d-[01]?\d-[0-3]?\d|[0-3]?\d[./][01]?\d[./](?:19|20)\d\d")

PERSONAL: Final[Mapping[str, PersonalClass]] = {
    "email": PersonalClass(
        "EMAIL",
        re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}\w{2,24}(?![\w@])"),
    ),
    "iban": PersonalClass(
        "IBAN",
        re.compile(r"\b[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]{4}){2,7}(?:[ -]?[A-Za-z0-9]{1,3})?\b"),
        iban,
    ),
    "card": PersonalClass(
        "CARD", re.compile(r"(?<![\d.-])[3-6]\d(?:[ -]?\d){11,14}(?![\d-])"), luhn
    ),
    "ssn": PersonalClass(
        "SSN", re.compile(r"(?<![\d-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d-])")
    ),
    "ip": PersonalClass(
        "IP",
        re.compile(
            r"(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7})"
            r"(?![\w:]|\.\d)"
        ),
        address,
    ),
    "phone": PersonalClass(
        "PHONE",
        re.compile(r"(?<![\w+.-])(?:\+|00|\()?\d(?:[ .()/-]{0,2}\d){7,14}(?![\w-]|[.,]\d)"),
        phone,
    ),
}
"""By the name it is asked for with, in the order in which they are replaced."""
