"""Text as the local judge compares it: sentences, and the terms that carry their topic.

    "Refunds take 5 days."  ─▶  @refund take 5 @day
    "返金は5日以内です"        ─▶  返金 金は 5 日以 以内 内で です

Terms are the tokens of `judge.tokens` without function words, each cut to a light stem or
replaced by its idea. Everything here is a pure function of the text and remembered, since
a run asks about the same chunk many times.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import Final

from judge.local.words import idea, joined_phrases, plain, stop_words
from judge.tokens import tokens

_CLAUSE_END = re.compile(
    r"(?<=[,;:–—])\s+|\s+(?=(?:but|except|however|although|unless|aber|jedoch|außer|sondern|obwohl"
    r"|mais|sauf|pero|salvo|aunque|ma|però|tranne|mas|exceto|maar|behalve)\b)|[，；、،؛]"
)
_SENTENCE_END = re.compile(
    r"(?<=[.!?…])[\"'”’»)\]]*\s+(?=\S)|(?<=[。！？｡])[」』”’）]*|(?<=[؟।۔])\s*"
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:[^\W\d_]|\d{1,2}|[Dd]r|[Mm]r|[Mm]rs|[Mm]s|[Nn]o|[Nn]r|[Vv]s|[Ss]t|[Ff]ig|[Ee]tc|[Ii]nkl"
    r"|[Ee]xkl|[Zz]zgl|[Aa]rt|[Aa]bs|[Bb]zw|[Cc]a|[Mm]ax|[Mm]in|[Ee]v|[Ss]r|[Ss]ra|[Tt]el|[Aa]pprox"
    r"|e\.g|i\.e|z\.\s?B|d\.\s?h|u\.\s?a|p\.\s?ex|U\.S)\.$"
)
_DOTTED = re.compile(r"[^\W\d_]\.[^\W\d_]\.$")
_SPACED_MODEL = re.compile(r"\b([A-Z]{2,5}) (\d{2,5})\b(?![.,]\d)")
_PARTS = re.compile(r"\d+|[^\W\d_]+")
_HIRAGANA = re.compile("[\u3041-\u309f]+")
"""Endings and particles of Japanese; its content words have kanji or katakana."""
_LATIN = re.compile(r"[a-z]+")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]+")
_ARABIC = re.compile(r"[\u0600-\u06ff]+")
_ARABIC_PREFIX = re.compile("^(?:وال|بال|كال|فال|لل|ال|و(?=.{4}))")
_ARABIC_SUFFIX = re.compile("(?:ها|ان|ات|ون|ين|يه|ية|ه|ة|ي)$")
_ARABIC_FORMS = str.maketrans({"أ": "ا", "إ": "ا", "آ": "ا", "ى": "ي", "ؤ": "و", "ئ": "ي"})

# English, German, then the Romance languages; several serve more than one.
_ENDING_LIST: Final = """
izations ization ations ation ements ement ments ment ingly ings ing edly ness ities ity ances ance
ences ence ables able ibles ible ers er ed es ly al s e
ungen ung heiten heit keiten keit lichen lich isch ische ern en em te ten n
aciones acion iones ion mente ando endo ados adas ado ada idos ida ido as os a o
euses euse eurs eur ants ant ents ent ees ee ez i
"""
_ENDINGS: Final = tuple(sorted(_ENDING_LIST.split(), key=len, reverse=True))
_SHORTEST_STEM: Final = 4
_MAKERS: Final = frozenset({"er", "ers"})
"""Endings that make another thing of a short word: *head*, *header*."""
_MOST_PARTS: Final = 6
"""Parts up to which `judge.tokens` gives those of an identifier as well."""
_VOTERS: Final = 200
"""Words of a text that decide its language."""
_CYRILLIC_STEM: Final = 6
_DOUBLED = re.compile(r"([bdfglmnprt])\1$")


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences and lines of *text*, verbatim, without surrounding space."""
    return _sentences(text)


@lru_cache(maxsize=16_384)
def _sentences(text: str) -> tuple[str, ...]:
    return tuple(chain.from_iterable(map(_in_line, text.splitlines())))


def _in_line(line: str) -> Iterator[str]:
    start = 0
    for match in _SENTENCE_END.finditer(line):
        # "Dr. Smith", "3. Mai" and "6 p.m. and later" go on.
        before = line[max(start, match.start() - 8) : match.start()]
        dotted = _DOTTED.search(before) and line[match.end()].islower()
        if dotted or ends_in_abbreviation(before):
            continue
        sentence = line[start : match.end()].strip()
        if sentence:
            yield sentence
        start = match.end()
    if line[start:].strip():
        yield line[start:].strip()


def ends_in_abbreviation(text: str) -> bool:
    """Tell whether the stop at the end of *text* belongs to its last word: *Dr.* is short."""
    return _ABBREVIATION.search(text) is not None


@lru_cache(maxsize=16_384)
def clauses(sentence: str) -> tuple[str, ...]:
    """Return the parts of a sentence between commas and words like *but*, verbatim."""
    parts = (part.strip() for part in _CLAUSE_END.split(sentence))
    return tuple(part for part in parts if part)


@lru_cache(maxsize=16_384)
def language_by_words(text: str) -> str | None:
    """Return the language whose function words *text* uses most, None without any.

    Coarse, and meant for choosing word lists; what users see comes from the detector.
    """
    return _vote([plain(token) for token in tokens(text)])


@lru_cache(maxsize=65_536)
def terms(text: str) -> tuple[str, ...]:
    """Return the terms of *text* in reading order, repeats kept.

    An identifier is one term in one spelling (`RX-200`, "RX 200" are `rx200`); its parts
    are none, else a model would weigh three times as much as what is asked about it.
    """
    words = list(_words(_SPACED_MODEL.sub(r"\1-\2", joined_phrases(text))))
    ignored = stop_words().get(_vote(words) or "en", frozenset())
    telling = [word for word in words if word not in ignored and not _HIRAGANA.fullmatch(word)]
    return tuple(term(word) for word in telling)


def _words(text: str) -> Iterator[str]:
    """Yield the tokens with each identifier whole, without separators and parts."""
    skip = 0
    for token in tokens(text):
        if skip:
            skip -= 1
            continue
        if token.isalpha() or token.isdigit():
            yield plain(token)
            continue
        parts = _PARTS.findall(token)
        if len(parts) < 2:  # noqa: PLR2004 - a mark or a combining letter, no joint
            yield plain(token)
        elif any(part.isdigit() for part in parts):
            skip = len(parts) if len(parts) <= _MOST_PARTS else 0
            numeric = all(part.isdigit() for part in parts)
            yield token if numeric else "".join(parts)


@lru_cache(maxsize=65_536)
def bag(text: str) -> frozenset[str]:
    """Return the distinct terms of *text*."""
    return frozenset(terms(text))


@lru_cache(maxsize=131_072)
def term(word: str) -> str:
    """Return the term that one token (casefolded, plain) stands for: an idea or a stem."""
    return idea(word) or stem(word)


def is_exact(term: str) -> bool:
    """Tell whether a term is a number or an identifier."""
    return any(char.isdigit() for char in term)


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Cut the endings of one word, lightly: *delivered*, *Lieferungen* lose theirs."""
    if _LATIN.fullmatch(word):
        return _latin_stem(word)
    if _ARABIC.fullmatch(word):
        bare = _ARABIC_PREFIX.sub("", word.translate(_ARABIC_FORMS))
        cut = _ARABIC_SUFFIX.sub("", bare)
        return cut if len(cut) > 2 else bare  # noqa: PLR2004 - a root has three letters
    if _CYRILLIC.fullmatch(word):
        return word[:_CYRILLIC_STEM]
    return word


def _latin_stem(word: str) -> str:
    if word.endswith(("ies", "ied")) and len(word) > _SHORTEST_STEM:
        word = word[:-3] + "y"
    for ending in _ENDINGS:
        least = _SHORTEST_STEM + (ending in _MAKERS)
        if word.endswith(ending) and len(word) - len(ending) >= least:
            word = word[: -len(ending)]
            break
    else:
        if word.endswith("s") and not word.endswith("ss") and len(word) == _SHORTEST_STEM:
            word = word[:-1]
    word = _DOUBLED.sub(r"\1", word) if len(word) > _SHORTEST_STEM else word
    return word[:-1] + "i" if word.endswith("y") else word


def collapse(text: str) -> str:
    """Return *text* with every run of white space as one space, as quotes are compared."""
    return " ".join(text.split())


def in_two_languages(first: str, second: str) -> bool:
    """Tell whether two texts are in different languages, as far as their words tell both."""
    one, other = language_by_words(first), language_by_words(second)
    return one is not None and other is not None and one != other


def _vote(words: Sequence[str]) -> str | None:
    spoken_in = _languages()
    votes: dict[str, int] = {}
    for word in words[:_VOTERS]:
        for code in spoken_in.get(word, ()):
            votes[code] = votes.get(code, 0) + 1
    return max(votes, key=lambda code: (votes[code], code == "en"), default=None)


@cache
def _languages() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for code, words in stop_words().items():
        for word in words:
            found[word] = (*found.get(word, ()), code)
    return found
