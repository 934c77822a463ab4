"""The language whose rules for sentences fit a text: by its script, then by its commonest words."""

import re
from collections.abc import Mapping
from types import MappingProxyType

_SAMPLE = 1 << 15
"""Characters looked at, from the beginning of the text."""

_LEAST = 3
"""Words of a language without which it is not taken for it."""

# One language stands for each script in which only one, or any of several, is told apart.
_SCRIPTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile("[\u0370-\u03ff\u1f00-\u1fff]"), "el"),
    (re.compile("[\u0400-\u052f]"), "ru"),
    (re.compile("[\u0530-\u058f]"), "hy"),
    (re.compile("[\u0600-\u06ff\u0750-\u077f]"), "ar"),
    (re.compile("[\u0900-\u097f]"), "hi"),
    (re.compile("[\u0980-\u09ff]"), "bn"),
    (re.compile("[\u0a00-\u0a7f]"), "pa"),
    (re.compile("[\u0a80-\u0aff]"), "gu"),
    (re.compile("[\u0b80-\u0bff]"), "ta"),
    (re.compile("[\u0c00-\u0c7f]"), "te"),
    (re.compile("[\u0c80-\u0cff]"), "kn"),
    (re.compile("[\u0d00-\u0d7f]"), "ml"),
    (re.compile("[\u1000-\u109f]"), "my"),
    (re.compile("[\u1200-\u139f]"), "am"),
    (re.compile("[\u3040-\u30ff]"), "ja"),
    (re.compile("[\u3400-\u9fff]"), "zh"),
    (re.compile("[A-Za-z\u00c0-\u024f]"), "en"),
)

_WORDS: Mapping[str, Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        script: {language: frozenset(words.split()) for language, words in languages.items()}
        for script, languages in {
            "en": {
                "en": "the of and to is that for with are was this it as be",
                "de": "der die und das ist nicht mit von den ein eine auf für wird",
                "fr": "le la les des et est dans une pour que du pas sur au",
                "es": "el los las una que del por con para es y no se como",
                "pt": "o os as uma que do da não em para com por é dos",
                "it": "il di che gli della per una è sono nel con non del dei",
                "nl": "het een van de niet zijn voor dat met op en ook wordt is",
                "pl": "się nie jest na że to z jak oraz przez do w od są",
                "fi": "ja on ei että oli se hän mutta kuin ovat joka myös sen",
                "da": "og det er til på af ikke en som med den de jeg har",
                "ca": "els les amb que per una és del i no al són dels",
                "sk": "sa na je že to ako nie pre ale bol sú aj alebo",
            },
            "ru": {
                "ru": "и в не на что с по как это он для из был его",
                "uk": "і що та не на з є це для як в у від до",
                "bg": "на и се да от за са е с не по като във това",
                "kk": "және бұл мен үшін бар да де еді болып деп",
            },
            "hi": {
                "hi": "है के में की और से का को हैं यह",
                "mr": "आहे आणि च्या या हे ते आहेत होते मध्ये",
            },
        }.items()
    }
)
_WORD = re.compile(r"[^\W\d_]+(?:[\u0900-\u0903\u093a-\u094f]+[^\W\d_]*)*")


def sentence_language(text: str) -> str:
    """The code of the language whose rules are used: `en` where nothing else is told.

    The script with the most letters in the text's first 32,768 characters decides (Japanese
    where more than a tenth of them are kana); Latin, Cyrillic and Devanagari are told further
    apart by which language's commonest words stand there most often.
    """
    sample = text[:_SAMPLE]
    if sample.isascii():
        script = "en"
    else:
        counts = {language: len(script.findall(sample)) for script, language in _SCRIPTS}
        # Japanese is written with more Han than kana at times, Chinese with no kana at all.
        if counts["ja"] * 10 > counts["zh"]:
            counts["ja"] += counts["zh"]
        script = max(counts, key=lambda language: counts[language])
        if not counts[script]:
            return "en"
    if script not in _WORDS:
        return script
    words = _WORD.findall(sample.lower())
    languages = _WORDS[script]
    hits = {
        language: sum(map(common.__contains__, words)) for language, common in languages.items()
    }
    best = max(hits, key=lambda language: hits[language])
    return best if hits[best] >= _LEAST else script
