"""Whether a text speaks of a language: "now in German, please", "ins Französische".

Names of a language, and how their inflected forms begin, in the languages that are most
written. That a name is missing costs a wrong "not named"; a language without an entry gives
no answer at all.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Final

_WORD = re.compile(r"\w+")

_NAMES: Final[Mapping[str, str]] = {
    "ar": "arabic arabisch arabe arabo arabsk arapca عرب",
    "cs": "czech tschechisch tcheque checo ceco tsjechisch czesk ceske cestin cekce",
    "da": "danish danisch danois danes dinamarques deens dunsk dansk danca",
    "de": "german deutsch allemand aleman alema tedesc duits niemieck tysk saksa nemet nemeck"
    " nemcin almanc немец німец ドイツ語 德语 德文 독일어 ألمان",
    "el": "greek griechisch grec grieg greco grego grieks greck yunanc ελλην",
    "en": "english englisch anglais ingles engels angielsk engelsk anglic ingilizc английск"
    " англійськ 英語 英语 英文 영어 نجليز",
    "es": "spanish spanisch espagnol espanol castellan spagnol espanhol spaans hiszpansk spansk"
    " spanelsk ispanyolc испанск іспанськ スペイン語 西班牙 스페인어 سبان",
    "fi": "finnish finnisch finnois finlandes fins finsk fince suome",
    "fr": "french franzosisch francais frances frans francusk fransk francouzsk ranska fransizc"
    " французск французьк フランス語 法语 法文 프랑스어 فرنس",
    "hi": "hindi हिन्दी हिंदी",
    "hu": "hungarian ungarisch hongrois hungaro ungheres hongaars wegiersk ungersk macarc magyar",
    "it": "italian italienisch italien wlosk italsk italyanc итальянск італійськ イタリア語 意大利"
    " 이탈리아어",
    "ja": "japan japon giappon 日本語 日语 日文 일본어 японск",
    "ko": "korean coreen corean koreaans 한국어 韓国語 韩语 韩文 корейск",
    "nl": "dutch niederlandisch neerland nederlands holandes olandes holland niderlandzk",
    "no": "norweg norveg norueg noors norsk",
    "pl": "polish polnisch polonais polac polones pools polsk lehce польск польськ",
    "pt": "portug portog portekiz португал ポルトガル語 葡萄牙",
    "ro": "romanian rumanisch roumain rumano romeno rumen roemeens rumunsk romana romanest",
    "ru": "russian russisch russe ruso russo rosyjsk rusc русск російськ ロシア語 俄语 俄文"
    " 러시아어",
    "sv": "swedish schwedisch suedois sueco svedes zweeds szwedzk svensk isvecc",
    "tr": "turkish turkisch turc turks turec турецк",
    "uk": "ukrain ucrain ucran oekraiens україн украин",
    "zh": "chinese chinesisch chinois chino cinese chines chinees chinsk kines mandarin китайск"
    " 中文 中国語 汉语 普通话 중국어 صين",
}
"""Beginnings of its names, in any language, by ISO 639-1 code."""


def names_language(text: str, code: str) -> bool | None:
    """Tell whether a text speaks of a language by its name, or by a word that begins like it.

    Args:
        text: In any language.
        code: ISO 639-1.

    Returns:
        None for a language whose names are not known.
    """
    if code not in _NAMES:
        return None
    plain = _plain(text)
    words = _WORD.findall(plain)
    return any(
        # scripts without spaces, and Arabic with its article, have no word to begin with
        any(word.startswith(name) for word in words) if name.isascii() else name in plain
        for name in _names(code)
    )


@cache
def _names(code: str) -> tuple[str, ...]:
    return tuple(_plain(_NAMES[code]).split())


def _plain(text: str) -> str:
    """Return a text without accents and capitals."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in apart if not unicodedata.combining(char))
