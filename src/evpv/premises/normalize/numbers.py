"""Numbers in a sentence: digits, words, fractions, roots, π, percentages, powers of ten, currency, each with its unit."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from evpv.premises.normalize.cues import beginnings
from evpv.premises.normalize.units import SCALE_OF, UNIT_OF


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A number as a sentence states it.

    `value` leaves out the scale word: "2.77 trillion" is value 2.77 with scale 1e12. `places` are the decimals written,
    None for exact forms (5√2, 2/5, π). `start` and `end` are its place in the text.
    """

    value: float
    unit: str | None = None
    scale: float = 1.0
    places: int | None = 0
    start: int = 0
    end: int = 0

    @property
    def absolute(self) -> float:
        return self.value * self.scale


_DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?|\.\d+"
_NUMBER = re.compile(
    r"(?P<sign>(?:(?<=[\s(=:,≈<>≤≥\[])|^)[-+]\s?|(?<=[\s(=:,≈<>\[])[-+](?=[$€£¥])|^-(?=[$€£¥]))?"
    r"(?P<currency>[$€£¥]\s?-?)?"
    r"(?:(?P<whole>" + _DIGITS + r")(?P<power>\s?[×x*]\s?10\^[-+]?\d{1,3}|[eE][-+]?\d{1,3}(?![A-Za-z\d]))?"
    r"(?P<mixed>\s\d{1,3}/\d{1,3}(?![\d/]))?)?"
    r"(?P<root>\s?√\s?\(?(?P<radicand>" + _DIGITS + r")\)?)?"
    r"(?P<pi>\s?\*?π)?"
    r"(?P<over>\s?/\s?(?P<denominator>\d{1,6})(?![\d/]))?"
)  # fmt: skip
_STARTS = re.compile(r"[\d.√π$€£¥]")
_AFTER = re.compile(r"\s?(%|°\s?[CF]?(?![A-Za-z])|¢|[A-Za-z]+\$?)")
_WORD = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*")
_LETTER_BEFORE = re.compile(r"[A-Za-z_]$")

_UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
_UNITS_IN_WORDS = {word: value for value, word in enumerate(_UNITS.split())}
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS_IN_WORDS = {word: 10 * value for value, word in enumerate(_TENS.split(), 2)}
_FRACTION_NAMES = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4, "fourths": 4, "fifth": 5,
    "fifths": 5, "sixth": 6, "sixths": 6, "seventh": 7, "sevenths": 7, "eighth": 8, "eighths": 8, "ninth": 9, "ninths": 9,
    "tenth": 10, "tenths": 10, "twelfth": 12, "twelfths": 12,
}  # fmt: skip
_NUMBER_BEGINNINGS = frozenset(word[:3] for word in (*_UNITS_IN_WORDS, *_TENS_IN_WORDS, *_FRACTION_NAMES))
_LARGE = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_PRONOUN_BEFORE = re.compile(
    r"\b(?:the|this|that|each|which|every|any|another|previous|next|last|first|other|no|only|either|same|right|left)\s+$",
    re.IGNORECASE,
)
_MINUS_BEFORE = re.compile(r"\b(?:minus|negative)\s$", re.IGNORECASE)
_AMBIGUOUS_UNITS = {"m", "in", "s", "h", "g", "l", "min", "mi"}
_CURRENCY = {"$": "dollar", "€": "euro", "£": "pound_sterling", "¥": "yen"}


def quantities(text: str) -> tuple[Quantity, ...]:
    """All numbers of a plain sentence (see `text.plain`), in order.

    >>> [(q.value, q.unit) for q in quantities("BC = 5√2 cm, about 45% of $1,090.50")]
    [(7.0710678118654755, 'centimeter'), (45.0, 'percent'), (1090.5, 'dollar')]
    >>> [q.absolute for q in quantities("one hundred forty-eight, two fifths, 2.77 trillion, -7, 18-29, 3.2×10^5")]
    [148.0, 0.4, 2770000000000.0, -7.0, 18.0, 29.0, 320000.0]
    """
    found = _digit_quantities(text)
    found += _word_quantities(text, [(q.start, q.end) for q in found])
    return tuple(sorted((q for q in found if math.isfinite(q.absolute)), key=lambda q: q.start))


def _digit_quantities(text: str) -> list[Quantity]:
    found, position = [], 0
    while start := _STARTS.search(text, position):
        at = start.start()
        if at > 0 and text[at - 1] in "-+":
            at -= 1
        match = _NUMBER.match(text, at) or _NUMBER.match(text, start.start())
        if match is None or not (match["whole"] or match["radicand"] or match["pi"]):
            match = _NUMBER.match(text, start.start())
        if match is None or not (match["whole"] or match["radicand"] or match["pi"]):
            position = start.end()
            continue
        position = match.end()
        if not _LETTER_BEFORE.search(text[max(0, at - 1) : at]):
            found.append(_quantity(text, match))
    return found


def _quantity(text: str, match: re.Match[str]) -> Quantity:
    whole = match["whole"]
    value = float(whole.replace(",", "")) if whole else 1.0
    places: int | None = len(whole.partition(".")[2]) if whole else None
    if match["power"]:
        exponent = float(re.sub(r"[^\d+-]", "", re.sub(r"^.*10\^|^[eE]", "", match["power"].strip())))
        value, places = value * (10.0**exponent if exponent <= 308 else math.inf), None
    if match["mixed"]:
        top, _, bottom = match["mixed"].strip().partition("/")
        value, places = value + int(top) / max(int(bottom), 1), None
    if match["radicand"]:
        value, places = value * math.sqrt(float(match["radicand"].replace(",", ""))), None
    if match["pi"]:
        value, places = value * math.pi, None
    if match["over"] and int(match["denominator"]):
        value, places = value / int(match["denominator"]), None
    if (
        (match["sign"] or "").strip() == "-"
        or _MINUS_BEFORE.search(text[max(0, match.start() - 10) : match.start()])
        or "-" in (match["currency"] or "")
    ):
        value = -value
    unit, scale, end = _unit_after(text, match.end())
    if match["currency"]:
        unit = _CURRENCY[match["currency"][0]]
    return Quantity(value=value, unit=unit, scale=scale, places=places, start=match.start(), end=end)


def _unit_after(text: str, position: int) -> tuple[str | None, float, int]:
    """The scale word and unit that follow a number, and where they end."""
    scale, unit = 1.0, None
    for _ in range(3):
        match = _AFTER.match(text, position)
        if match is None:
            break
        word = match[1].replace(" ", "")
        lower = word.lower()
        glued = match[0] == match[1]
        if unit is None and lower in SCALE_OF and (glued or lower != "k"):
            scale *= SCALE_OF[lower]
        elif unit is None and (glued and word in ("M", "B", "K", "T")):
            scale *= {"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12}[word]
        elif unit is None and lower in UNIT_OF and _is_unit(word, text, match.end()):
            unit = UNIT_OF[lower]
        elif lower in ("u", "us", "japanese"):
            position = match.end() + (2 if text[match.end() : match.end() + 3] == ".S." else 0)
            position += text[position : position + 1] == "."
            continue
        else:
            break
        position = match.end()
    return unit, scale, position


def _is_unit(word: str, text: str, end: int) -> bool:
    """A letter after a number is a unit only where no sentence or label goes on with it ("10 in 2011", "5 m")."""
    if word.lower() not in _AMBIGUOUS_UNITS:
        return True
    rest = text[end : end + 12].lstrip()
    return word.islower() and (
        word != "in" or re.match(r"$|[.,;)]|(?:long|tall|wide|high|deep|thick)\b", rest) is not None
    )


def _word_quantities(text: str, taken: list[tuple[int, int]]) -> list[Quantity]:
    found: list[Quantity] = []
    if _NUMBER_BEGINNINGS.isdisjoint(beginnings(text)):
        return found
    words = list(_WORD.finditer(text))
    i = 0
    while i < len(words):
        length, value = _number_words(words, i, text)
        if length == 0:
            i += 1
            continue
        start, end = words[i].start(), words[i + length - 1].end()
        if not any(a < end and start < b for a, b in taken):
            unit, scale, stop = _unit_after(text, end)
            exact = 0 if value.is_integer() else None
            value = -value if _MINUS_BEFORE.search(text[max(0, start - 10) : start]) else value
            found.append(Quantity(value=value, unit=unit, scale=scale, places=exact, start=start, end=stop))
        i += length
    return found


def _number_words(words: list[re.Match[str]], i: int, text: str) -> tuple[int, float]:
    """How many words from `i` on spell a number, and which.

    >>> _number_words(list(_WORD.finditer("one hundred forty-eight, two")), 0, "one hundred forty-eight, two")
    (3, 148.0)
    """
    total, current, length, said = 0.0, 0.0, 0, False
    while i + length < len(words):
        if length and not text[words[i + length - 1].end() : words[i + length].start()].isspace():
            break
        word = words[i + length][0].lower()
        parts = word.split("-")
        if word == "and" and said and _small(words, i + length + 1) is not None:
            length += 1
            continue
        if all(p in _UNITS_IN_WORDS or p in _TENS_IN_WORDS for p in parts):
            current += sum(_UNITS_IN_WORDS.get(p, _TENS_IN_WORDS.get(p, 0)) for p in parts)
        elif word in _LARGE and said:
            current = max(current, 1) * _LARGE[word]
            if _LARGE[word] >= 1000:
                total, current = total + current, 0.0
        elif said and len(parts) == 2 and parts[0] in _UNITS_IN_WORDS and parts[1] in _FRACTION_NAMES:
            return length + 1, total + current + _UNITS_IN_WORDS[parts[0]] / _FRACTION_NAMES[parts[1]]
        else:
            break
        said = True
        length += 1
    if not said:
        return _fraction_words(words, i, text)
    following = words[i + length][0].lower() if i + length < len(words) else ""
    if following in _FRACTION_NAMES and following != "second" and total + current < 20:
        return length + 1, (total + current) / _FRACTION_NAMES[following]
    if length == 1 and words[i][0].lower() == "one" and _is_pronoun(words, i, text):
        return 0, 0.0
    return length, total + current


def _small(words: list[re.Match[str]], i: int) -> int | None:
    word = words[i][0].lower() if i < len(words) else ""
    first = word.split("-")[0]
    return _UNITS_IN_WORDS.get(first, _TENS_IN_WORDS.get(first))


def _fraction_words(words: list[re.Match[str]], i: int, text: str) -> tuple[int, float]:
    """ "two-fifths", "a quarter of", "half of the", where the words measure rather than name ("a quarter circle")."""
    word = words[i][0].lower()
    parts = word.split("-")
    if len(parts) == 2 and parts[0] in _UNITS_IN_WORDS and parts[1] in _FRACTION_NAMES:
        return 1, _UNITS_IN_WORDS[parts[0]] / _FRACTION_NAMES[parts[1]]
    measures = i + 1 < len(words) and words[i + 1][0].lower() == "of"
    if word in ("half", "quarter", "third") and measures:
        return 1, 1 / _FRACTION_NAMES[word]
    return 0, 0.0


def _is_pronoun(words: list[re.Match[str]], i: int, text: str) -> bool:
    before = _PRONOUN_BEFORE.search(text[max(0, words[i].start() - 20) : words[i].start()])
    following = words[i + 1][0].lower() if i + 1 < len(words) else ""
    at_end = i + 1 == len(words) or following in (
        "of",
        "is",
        "in",
        "that",
        "which",
        "side",
        "corner",
        "another",
        "at",
        "should",
        "can",
        "may",
        "must",
        "needs",
        "could",
        "might",
        "has",
    )
    return before is not None or at_end
