"""An answer as claims: its sentences, and what each of them does.

    "Hello! Refunds take 5 days [1]. I could not find the fee."
        ─▶  filler · fact · unknown

Citation markers and Markdown are taken out for comparing; quotes keep the text as written.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias

from judge.local.declaring import declares
from judge.local.identifiers import identifiers
from judge.local.numbers import matched, quantities
from judge.local.patterns import pattern
from judge.local.text import bag, collapse, language_by_words, sentences, terms
from judge.local.worked_out import parts_of
from judge.tokens import normalise

Act: TypeAlias = Literal[
    "fact",
    "absence",
    "success",
    "unknown",
    "policy",
    "clarifying",
    "filler",
    "heading",
    "conclusion",
]
ASSERTING: Final[frozenset[Act]] = frozenset({"fact", "absence", "success"})
"""Acts that state something which needs a source."""

_MARKDOWN = re.compile(r"^\s*(?:[#>]+|[-*•+]|\d{1,2}[.)])\s+|\*\*|__|`|^\s*\|?[\s:|-]+\|?\s*$")
_QUESTION_END = re.compile(r"[?？؟]\W*$")
_QUOTED = re.compile(
    r"\"[^\"]{3,300}\"|“[^”]{3,300}”|„[^“”]{3,300}[“”]|«[^»]{3,300}»|「[^」]{3,300}」"
)
_HEADING = re.compile(r"^\s*#{1,6}\s|^\s*\*\*[^*]{1,80}\*\*:?\s*$|[:：]\s*(?:\*\*)?\s*$")
_MOST_CLAIMS: Final = 200
_WORDS_IN_HEADING: Final = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One sentence, list item or table row of an answer."""

    paragraph: int
    verbatim: str
    """As it stands in the answer, white space collapsed."""
    text: str
    """Without citation markers and Markdown."""
    act: Act

    @property
    def asserts(self) -> bool:
        """It states something that needs a source."""
        return self.act in ASSERTING


def claims(paragraphs: Sequence[Mapping[str, Any]]) -> tuple[Claim, ...]:
    """Split numbered paragraphs into claims, in reading order.

    "So you save 53.70 €" asserts nothing where it follows from what was said before it.
    """
    found: list[Claim] = []
    for paragraph in paragraphs:
        for claim in claims_of(paragraph):
            concludes = not paragraph["markers"] and _concludes(claim, found)
            found.append(replace(claim, act="conclusion") if concludes else claim)
    return tuple(found)


def _concludes(claim: Claim, before: Sequence[Claim]) -> bool:
    """Tell whether a claim says that it follows from others before it, and can."""
    told = [one.text for one in before if one.asserts]
    english = language_by_words(claim.text) in (None, "en")
    name = "concludes" if english else "concludes_elsewhere"
    if claim.act != "fact" or not told or not pattern(name).search(normalise(claim.text)):
        return False
    known = [number for text in told for number in quantities(text)]
    mine = quantities(claim.text)
    stated = [*known, *mine]
    new = (one for one in mine if not (one.rate or matched(one, known)))
    if any(parts_of(one, claim.text, stated, ()) is None for one in new):
        return False
    named = {name for text in told for name in identifiers(text)}
    return identifiers(claim.text).keys() <= named and bool(
        mine or bag(claim.text) & bag(" ".join(told))
    )


def claims_of(paragraph: Mapping[str, Any], number: int | None = None) -> Iterator[Claim]:
    """Split one paragraph; a code block has none, and no more than 200 are looked at."""
    if paragraph["kind"] == "code":
        return
    text = paragraph["text"]
    markers = sorted(paragraph["markers"], key=len, reverse=True)
    for sentence in sentences(text)[:_MOST_CLAIMS]:
        bare = sentence
        for marker in markers:
            bare = bare.replace(marker, " ")
        bare = collapse(_MARKDOWN.sub(" ", bare).replace("|", " "))
        # "It took a second attempt, but here it is: …" states only what follows.
        bare = pattern("announces").sub("", bare)
        if _speaks(bare):
            place = number or paragraph.get("paragraph", 1)
            act = act_of(bare, sentence)
            # "It is 60 km; what a full rack takes off that I don't know" says both.
            parts = tuple(_HALVES.split(bare)) if act == "unknown" else (bare,)
            for part in filter(_speaks, parts):
                yield Claim(
                    paragraph=place,
                    verbatim=collapse(sentence),
                    text=part,
                    act=act if len(parts) == 1 else act_of(part),
                )


def meant_by(claim: Claim, markers: Sequence[str], pointing: Sequence[str]) -> str:
    """Return the part of a claim that some markers may stand for, as its `text`.

    "Trains: second class [1], flights: economy [2]": what stands before a marker, up to the
    marker before it, is what it stands for. What carries none may stand for any.

    Args:
        claim: The claim.
        markers: All markers of its paragraph.
        pointing: Those in question; without any, the whole claim is returned.

    Returns:
        The part; empty where the claim carries other markers only.
    """
    if not pointing or not any(marker in claim.verbatim for marker in markers):
        return claim.text
    edges = "|".join(re.escape(marker) for marker in sorted(markers, key=len, reverse=True))
    cited = re.compile(rf"(?P<said>.*?)(?P<markers>(?:(?:{edges})\s*)+)", re.DOTALL)
    parts, end = [], 0
    for part in cited.finditer(claim.verbatim):
        end = part.end()
        if any(marker in part["markers"] for marker in pointing):
            parts.append(part["said"])
    rest = claim.verbatim[end:]
    if _speaks(rest) and parts:
        parts.append(rest)
    return collapse(_MARKDOWN.sub(" ", " ".join(parts)).replace("|", " "))


def _speaks(text: str) -> bool:
    return any(char.isalnum() for char in text)


_HALVES = re.compile(r"\s*[;；]\s*")


@lru_cache(maxsize=32_768)
def act_of(text: str, written: str | None = None) -> Act:
    """Tell what one sentence of an answer does.

    Quoted words are left out: an answer that quotes a refusal does not refuse.
    """
    said = normalise(_QUOTED.sub(" ", text)).replace("’", "'")
    exact = bool(quantities(said) or identifiers(said))
    meant = pattern("opening_condition").sub("", said)
    for act in _ACTS:
        guessed = act == "success" and pattern("hedged").search(said)
        if pattern(act).search(meant) and not guessed:
            return act
    polite = any(pattern(name).search(said) for name in ("filler", "referral"))
    if len(said.split()) <= _FILLER_WORDS and (
        (polite and not exact) or pattern("retry").search(said)
    ):
        return "filler"
    if _QUESTION_END.search(said):
        return "clarifying"
    # "In week 42 you work on four days:" counts what follows, and "**55 €**" is all there is.
    counted = said.rstrip().endswith((":", "："))
    measured = not counted and any(one.unit or one.date for one in quantities(said))
    if _HEADING.search(written or text) and len(said.split()) <= _WORDS_IN_HEADING and not measured:
        return "heading"
    if not (exact or terms(said)):
        return "filler"
    return "unknown" if declares(said) else "fact"


_ACTS: Final[tuple[Act, ...]] = (
    "policy",  # before unknown: "I cannot give advice" is no lack of knowledge
    "absence",
    "unknown",
    "clarifying",
    "success",
)
_FILLER_WORDS: Final = 22
"""A longer polite sentence also says something."""
