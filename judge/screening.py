"""Signs that a text addresses its judge: shown with a verdict, never part of it.

    texts of a question ──▶ ("orders", "planted_verdict", …)

A screen of templates, which most attacks are; a new one passes. So a flag means *look at
this*, and no flag means nothing. Nothing is decided by it: a judged text may well be about
prompts. Works on the judge's copies, in one spelling (NFKC), also behind rot13 and base64.
"""

import base64
import binascii
import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from ingest.span import Value
from judge.question import Question

Flag: TypeAlias = Literal[
    "orders", "forged_roles", "planted_verdict", "forged_marker", "to_the_judge", "hidden", "canary"
]
"""`orders`: to ignore instructions, or to take up another task. `forged_roles`: messages of a
system or of a model inside a text. `planted_verdict`: a reply in a judge's schema.
`forged_marker`: edges of blocks. `to_the_judge`: it speaks to whoever grades it. `hidden`:
words that no reader sees were taken out. `canary`: with the same text, the judge believed a
statement that is known to be false."""

HIDDEN_AT_LEAST: Final = 12
"""Fewer invisible characters are soft hyphens, marks of direction and stray byte order marks."""
_LEAST_DECODED: Final = 24

_IGNORING = (
    r"\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:instruction|prompt|rule|guideline|above)"
    r"|\bignoriere?\b.{0,40}\b(?:anweisung|anleitung|vorgabe|regel)"
    r"|\b(?:ignora|olvida|ignorez?|oublie|oubliez)\b.{0,50}\b(?:instruc|indicaci|consigne|regl|règl)"
    r"|忽略.{0,12}(?:指示|指令|提示)|無視.{0,12}(?:指示|命令)|(?:指示|命令).{0,8}無視"
    r"|تجاهل.{0,30}(?:التعليمات|الأوامر)|игнорируй.{0,40}(?:инструкц|указан)"
    r"|\b(?:the|your) task has changed\b|\byou are (?:no longer|now) an?\b"
)
_ROLES = (
    r"<\|(?:im_start|im_end|system|user|assistant|endoftext)\|?>|\[/?inst\]|<</?sys>>"
    r"|^[ \t]*(?:system|human|assistant)[ \t]*:.{0,400}?^[ \t]*(?:system|human|assistant)[ \t]*:"
    r"|^[ \t]*system[ \t]*:[^\n]{0,80}\b(?:grading|evaluat|instruct|verdict)"
    r"|<tool_use\b|<function_calls?\b"
)
_VERDICT = (
    r"\\*\"(?:grade|usable|evidence_sufficient|quote_evidence|quote_paragraph)\\*\"[ \t]*:"
    r"|\\*\"label\\*\"[ \t]*:[ \t]*\\*\"(?:full|partial|none|contradicted|supported)"
)
_MARKER = (
    r"^[ \t]*(?:<<<|>>>)[ \t]*(?:chunk|paragraph|evidence|need|question|transcript)"
    r"|the marker of this message is\b|</(?:answer|chunk|document|data|evidence|paragraph)>"
)
# Each opener of a pattern is in _OPENERS; keep both together.
_JUDGE = (
    r"\b(?:note|message|instructions?|attention) (?:to|for) (?:the |all )?(?:graders?|judges?"
    r"|evaluators?|reviewers?|ai|llm)\b"
    r"|\b(?:updated|new) rubric\b|\b(?:this|all) evaluations? (?:is|are|i|will)\b"
    r"|\bauthor of this evaluation\b|\byou are (?:the|a|an) (?:judge|grader|evaluator)\b"
    r"|\b(?:give|assign|award|return|output)\b.{0,30}\b(?:highest|maximum|top|full|best|perfect)"
    r"\b.{0,12}\b(?:grade|score|mark|rating)s?\b"
    r"|\bexample of a (?:right|correct) reply\b"
)
_SEARCHED: Final[Mapping[Flag, str]] = {
    "orders": _IGNORING,
    "forged_roles": _ROLES,
    "planted_verdict": _VERDICT,
    "forged_marker": _MARKER,
    "to_the_judge": _JUDGE,
}
_PATTERNS: Final = {
    flag: re.compile(pattern, re.MULTILINE | re.DOTALL) for flag, pattern in _SEARCHED.items()
}
_OPENERS: Final[Mapping[Flag, tuple[str, ...]]] = {
    "orders": (
        *("ignor", "disregard", "forget", "override", "olvida", "oubli", "忽略", "無視"),
        *("تجاهل", "игнорируй", "has changed", "you are no", "you are now"),
    ),
    "forged_roles": ("<|", "inst]", "sys>", "system", "human", "<tool_use", "<function_call"),
    "planted_verdict": ('"grade', '"usable', '"evidence_sufficient', '"quote_', '"label'),
    "forged_marker": ("<<<", ">>>", "the marker of", "</"),
    "to_the_judge": (
        *("grade", "judge", "evaluat", "review", "rubric", " ai", "llm"),
        *("score", "mark", "rating", "correct reply", "right reply"),
    ),
}
"""A text without any of these cannot match, and searching for them is a hundred times faster."""
_ROT13 = str.maketrans("abcdefghijklmnopqrstuvwxyz", "nopqrstuvwxyzabcdefghijklm")
_BASE64 = re.compile(rf"[A-Za-z0-9+/]{{{_LEAST_DECODED * 4 // 3},4000}}={{0,2}}")
_ROT13_OF_IGNORE = re.compile(r"vtaber|qvfertneq|sbetrg")


def screen(question: Question) -> tuple[Flag, ...]:
    """Return the flags of all texts that a judge is shown, sorted."""
    found: set[Flag] = set()
    for name, value in question.content.items():
        if name != "goal":  # written by whoever runs the judge
            for text in texts_in(value):
                found |= screen_text(text)
    return tuple(sorted(found))


@lru_cache(maxsize=8_192)
def screen_text(text: str) -> frozenset[Flag]:
    """Return the flags of one text."""
    plain = (text if text.isascii() else unicodedata.normalize("NFKC", text)).casefold()
    found = _matching(plain)
    if _ROT13_OF_IGNORE.search(plain):
        found |= _matching(plain.translate(_ROT13))
    for decoded in _decoded(text):
        found |= screen_text(decoded)
    return frozenset(found)


def _matching(plain: str) -> set[Flag]:
    return {
        flag
        for flag, pattern in _PATTERNS.items()
        if any(opener in plain for opener in _OPENERS[flag]) and pattern.search(plain)
    }


def texts_in(value: Value) -> Iterator[str]:
    """Yield every text inside a value, keys left out: they are names of our own, or short."""
    waiting: list[Value] = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, list):
            waiting += item
        elif isinstance(item, dict):
            waiting += item.values()


def _decoded(text: str) -> Iterator[str]:
    """Yield what words in base64 say, where they say words."""
    for match in _BASE64.finditer(text):
        word = match.group().rstrip("=")
        try:
            raw = base64.b64decode(word + "=" * (-len(word) % 4), validate=True)
            shown = raw.decode("utf-8")
        except (binascii.Error, ValueError):
            continue
        if " " in shown and shown.isprintable():
            yield shown
