"""Numbers as people write them: digits, words, fractions, roots, times of day, each with its unit. The house's one number reader."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import pint

from evpv.language.immutable import immutable
from evpv.language.lexicon import SCALES, UNIT_SPELLINGS
from evpv.language.number_words import MINUS_WORDS, clock_number, spelled_numbers


@immutable
class Quantity:
    """A number as a sentence states it.

    `value` leaves out the scale word: "2.77 trillion" is value 2.77 with scale 1e12. `places` are the decimals written,
    None for exact forms (5√2, 2/5, π). `start` and `end` are its place in the text, `spelled` whether it is in words.
    """

    value: float
    unit: str | None = None
    scale: float = 1.0
    places: int | None = 0
    start: int = 0
    end: int = 0
    spelled: bool = False

    @property
    def absolute(self) -> float:
        return self.value * self.scale

    @property
    def is_year(self) -> bool:
        """Whether it reads as a year: four digits of a plausible century, no unit."""
        bare = self.unit is None and self.scale == 1.0 and self.places == 0 and not self.spelled
        return bare and 1500 <= self.value <= 2100 and self.end - self.start in (4, 7)


UNIT_OF = {spelling: unit for unit, spellings in UNIT_SPELLINGS.items() for spelling in spellings.split()}
_SYMBOL_OF = {unit: spellings.split()[0] for unit, spellings in UNIT_SPELLINGS.items()}
_TIGHT = {"percent", "degree", "celsius", "fahrenheit", "cent"}
_BEFORE = {"dollar", "euro", "pound_sterling", "yen"}
# Money does not convert through physics, so the one pair that does is stated here.
_MONEY = {("cent", "dollar"): 0.01, ("dollar", "cent"): 100.0, ("cent", "euro"): 0.01, ("euro", "cent"): 100.0}
_NO_PHYSICS = {"pound_sterling", "dollar", "euro", "yen", "cent", "percent", "celsius", "fahrenheit", "time"}

_DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?!\d)|\d{1,3}(?: \d{3})+(?![\d,])(?=[^\d]|$)|\d+)(?:\.\d+)?|\.\d+"
_NUMBER = re.compile(
    r"(?P<sign>(?:(?<=[\s(=:,≈<>≤≥\[|])|^)[-+]\s?|(?<=[\s(=:,≈<>\[|])[-+](?=[$€£¥])|^-(?=[$€£¥]))?"
    r"(?P<currency>[$€£¥]\s?-?)?"
    r"(?:(?P<whole>" + _DIGITS + r")(?P<power>\s?[×x*·]\s?10\^\(?[-+]?\d{1,3}\)?|[eE][-+]?\d{1,3}(?![A-Za-z\d]))?"
    r"(?P<mixed>\s\d{1,3}/\d{1,3}(?![\d/]))?)?"
    r"(?P<root>\s?√\s?\(?(?P<radicand>" + _DIGITS + r")\)?)?"
    r"(?P<pi>\s?[*·]?π)?"
    r"(?P<over>\s?/\s?(?P<denominator>\d{1,6})(?![\d/]|\.\d))?"
)  # fmt: skip
_CLOCK = re.compile(
    r"(?P<hour>\d{1,2}):(?P<minute>[0-5]\d)(?![\d:])\s?(?P<half>[AaPp]\.?[Mm]\b\.?)?|(?P<only>\d{1,2})\s(?P<mark>[AaPp]\.[Mm]\.|[AaPp][Mm]\b)|o'clock"
)
_STARTS = re.compile(r"[\d.√π$€£¥](?<!\.(?!\d))")
_AFTER = re.compile(r"[\s-]?(%|°\s?[CF]?(?![A-Za-z])|¢|[A-Za-z]+\$?)")
_AMBIGUOUS_UNITS = {"m", "in", "s", "h", "g", "l", "min", "mi"}
_LONG_UNITS = ("long", "tall", "wide", "high", "deep", "thick")
_CURRENCY = {"$": "dollar", "€": "euro", "£": "pound_sterling", "¥": "yen"}
_SCALE_LETTERS = {"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12, "bn": 1e9, "mn": 1e6}


@lru_cache(maxsize=4096)
def quantities(text: str) -> tuple[Quantity, ...]:
    """All numbers of a plain text (see `text.plain`), in order.

    >>> [(q.value, q.unit) for q in quantities("BC = 5√2 cm, about 45% of $1,090.50")]
    [(7.0710678118654755, 'centimeter'), (45.0, 'percent'), (1090.5, 'dollar')]
    >>> [q.absolute for q in quantities("one hundred forty-eight, two fifths, 2.77 trillion, -7, 18-29, 3.2×10^5")]
    [148.0, 0.4, 2770000000000.0, -7.0, 18.0, 29.0, 320000.0]
    >>> [(q.value, q.unit) for q in quantities("at 7:30 p.m.")]
    [(19.5, 'time')]
    """
    found = _digit_quantities(text)
    found += _word_quantities(text, found)
    found = [q for q in found if math.isfinite(q.value * q.scale)]
    if len(found) > 1:
        found = _with_compounds(text, sorted(found, key=lambda q: q.start))
    return tuple(_with_spoken_times(text, found))


_SMALLER = {
    "hour": ("minute", 60), "minute": ("second", 60), "foot": ("inch", 12), "kilogram": ("gram", 1000), "meter": ("centimeter", 100),
}  # fmt: skip


def _with_compounds(text: str, found: list[Quantity]) -> list[Quantity]:
    """“2 hours and 31 minutes” is one amount, 151 minutes."""
    joined: list[Quantity] = []
    for quantity in found:
        before = joined[-1] if joined else None
        smaller = _SMALLER.get(before.unit or "") if before is not None else None
        if (
            before is not None
            and smaller is not None
            and quantity.unit == smaller[0]
            and before.value.is_integer()
            and 0 <= quantity.value < smaller[1]
            and text[before.end : quantity.start].strip(" ,") in ("", "and")
        ):
            value = before.value * smaller[1] + quantity.value
            joined[-1] = replace(quantity, value=value, start=before.start, spelled=False)
        else:
            joined.append(quantity)
    return joined


_SPOKEN_TIME = re.compile(
    r"\b(?P<part>half|(?:a )?quarter|(?P<minutes>[a-z]+(?:-[a-z]+)?|\d{1,2})(?: minutes)?) (?P<side>past|to) (?P<hour>[a-z]+|\d{1,2})\b(?! *[:.]\d)"
    r"|\b(?P<whole>[a-z]+|\d{1,2}) o'?clock\b",
    re.IGNORECASE,
)


def _with_spoken_times(text: str, found: list[Quantity]) -> list[Quantity]:
    """“Half past four”, “a quarter to ten”, “six o'clock” as times of day; what they are made of is no number of its own."""
    if "past" not in text and "clock" not in text and "quarter to" not in text:
        return found
    for match in _SPOKEN_TIME.finditer(text):
        time = _spoken_time(match)
        if time is not None:
            found = [q for q in found if not match.start() <= q.start < match.end()]
            found.append(Quantity(value=time, unit="time", places=None, start=match.start(), end=match.end()))
    return sorted(found, key=lambda q: q.start)


_SPOKEN_MINUTES = {"half": 30, "quarter": 15}


def _spoken_time(match: re.Match[str]) -> float | None:
    hour = clock_number(match["hour"] or match["whole"] or "")
    if hour is None or not 1 <= hour <= 12:
        return None
    if match["whole"]:
        return float(hour)
    part = match["part"].lower()
    minutes = _SPOKEN_MINUTES.get(part.split()[-1]) if part else None
    if minutes != 15 and match["side"] == "to":
        return None  # “ten to twelve” is as often a range
    minutes = minutes or clock_number(match["minutes"] or "")
    if minutes is None or minutes >= 60:
        return None
    return hour + (minutes if match["side"].lower() == "past" else -minutes) / 60


# Begins with what can begin a number and looks back from there, so that the text between numbers is passed over quickly.
_BARE_NUMBER = re.compile(
    r"[-−.\d](?:(?<=\d)(?:(?<![\w.].)|(?<=[A-Za-z$({√×·*/^:].))[\d,]*(?:\.\d+)?"
    r"|(?<=[-−])(?<![\w.].)\d[\d,]*(?:\.\d+)?|(?<=\.)\d+)",
    re.DOTALL,
)


def bare_numbers(source: str) -> frozenset[float]:
    """The numbers in digits of any text, dressed or not, without units or scales: for telling which texts share one.

    >>> sorted(bare_numbers(r"At \\(x = -2\\) the 1,200 are \\frac{3}{4}"))
    [-2.0, 3.0, 4.0, 1200.0]
    """
    found = _BARE_NUMBER.findall(source)
    return frozenset([_bare_number(one) for one in found if len(one) < 300 or len(one) - one.count(",") < 300])


@lru_cache(maxsize=4096)
def _bare_number(digits: str) -> float:
    return round(float(digits.replace(",", "").replace("−", "-")), 9)


def _digit_quantities(text: str) -> list[Quantity]:
    found: list[Quantity] = []
    position = 0
    while start := _STARTS.search(text, position):
        at = start.start()
        clock = _CLOCK.match(text, at)
        if clock is not None and (at == 0 or text[at - 1] not in ":.,0123456789"):
            found.append(_time_of_day(clock))
            position = clock.end()
            continue
        if at > 0 and text[at - 1] in "-+":
            at -= 1
        match = _NUMBER.match(text, at)
        if match is None or not (match["whole"] or match["radicand"] or match["pi"]):
            match = _NUMBER.match(text, start.start())
        if match is None or not (match["whole"] or match["radicand"] or match["pi"]):
            position = start.end()
            continue
        position = match.end()
        before = text[max(0, at - 1) : at]
        if not (before.isalpha() or before == "_"):
            found.append(_quantity(text, match))
            position = max(position, found[-1].end)
    return found


def _time_of_day(match: re.Match[str]) -> Quantity:
    """A time as hours since midnight."""
    hour = int(match["hour"] or match["only"] or 12)
    half = (match["half"] or match["mark"] or "").lower()[:1]
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return Quantity(
        value=hour + int(match["minute"] or 0) / 60, unit="time", places=None, start=match.start(), end=match.end()
    )


def _quantity(text: str, match: re.Match[str]) -> Quantity:
    whole = match["whole"]
    value = float(whole.replace(",", "").replace(" ", "")) if whole else 1.0
    places: int | None = len(whole.partition(".")[2]) if whole else None
    if match["power"]:
        exponent = float(
            "".join(c for c in match["power"].partition("^")[2] or match["power"][1:] if c.isdigit() or c in "+-")
        )
        value, places = value * (10.0**exponent if exponent <= 308 else math.inf), None
    if match["mixed"]:
        top, _, bottom = match["mixed"].strip().partition("/")
        value, places = value + int(top) / max(int(bottom), 1), None
    if match["radicand"]:
        value, places = value * math.sqrt(float(match["radicand"].replace(",", "").replace(" ", ""))), None
    if match["pi"]:
        value, places = value * math.pi, None
    season = (
        match["over"]
        and whole
        and len(whole) == 4
        and len(match["denominator"]) == 2
        and int(match["denominator"]) == (int(value) + 1) % 100
    )
    if season:
        return Quantity(value=value, start=match.start(), end=match.end())
    if match["over"] and int(match["denominator"]):
        value, places = value / int(match["denominator"]), None
    before = text[max(0, match.start() - 9) : match.start()].lower().split()
    negative = (
        (match["sign"] or "").strip() == "-"
        or "-" in (match["currency"] or "")
        or (before and before[-1] in MINUS_WORDS)
    )
    unit, scale, end = _unit_after(text, match.end())
    if match["currency"]:
        unit = _CURRENCY[match["currency"][0]]
        letter, after = text[match.end() : match.end() + 1], text[match.end() + 1 : match.end() + 2]
        if scale == 1.0 and letter in ("m", "b", "k") and not after.isalnum():
            scale, end = {"m": 1e6, "b": 1e9, "k": 1e3}[letter], match.end() + 1
    start = match.start() + (len(match["sign"] or "") if (match["sign"] or "").strip() == "+" else 0)
    return Quantity(value=-value if negative else value, unit=unit, scale=scale, places=places, start=start, end=end)


def _unit_after(text: str, position: int) -> tuple[str | None, float, int]:
    """The scale word and unit that follow a number, and where they end."""
    scale, unit, end = 1.0, None, position
    for _ in range(4):
        match = _AFTER.match(text, position)
        if match is None:
            break
        word = match[1].replace(" ", "")
        lower = word.lower()
        glued = match[0] == match[1]
        if unit is None and lower in SCALES and (glued or lower != "k"):
            scale *= SCALES[lower]
        elif unit is None and glued and word in _SCALE_LETTERS:
            scale *= _SCALE_LETTERS[word]
        elif glued and word == "s" and text[position - 4 : position].isdigit():
            break
        elif unit is None and lower in UNIT_OF and _is_unit(word, text, match.end()):
            unit = UNIT_OF[lower]
        elif lower in ("u", "us", "japanese"):
            position = match.end() + (2 if text[match.end() : match.end() + 3] == ".S." else 0)
            position += text[position : position + 1] == "."
            continue
        else:
            break
        position = end = match.end()
    return unit, scale, end


def _is_unit(word: str, text: str, end: int) -> bool:
    """A letter after a number is a unit only where no sentence or label goes on with it ("10 in 2011", "5 m")."""
    if word.lower() not in _AMBIGUOUS_UNITS:
        return True
    rest = text[end : end + 12].lstrip()
    if (
        not word.islower()
        or text[end : end + 1] in ("/", "^", "(", "+", "-", "*")
        or text[end : end + 2] in (" +", " -", " =")
    ):
        return False
    return word != "in" or not rest or rest[0] in ".,;)" or rest.startswith(_LONG_UNITS)


def _word_quantities(text: str, taken: Sequence[Quantity]) -> list[Quantity]:
    """The numbers in words that stand in none of the places taken."""
    found: list[Quantity] = []
    for one in spelled_numbers(text):
        if any(q.start <= one.start < min(q.end, q.start + 40) for q in taken):
            continue
        unit, scale, stop = _unit_after(text, one.end)
        value = one.value
        if scale == 1.0 and one.large >= 10**6:
            value, scale = value / one.large, float(one.large)
        exact = 0 if value.is_integer() else None
        found.append(
            Quantity(value=value, unit=unit, scale=scale, places=exact, start=one.start, end=stop, spelled=True)
        )
    return found


def canonical_unit(text: str | None) -> str | None:
    """The one name of a unit, or None for none or one that is not known.

    >>> canonical_unit("cm"), canonical_unit("degrees"), canonical_unit("Units"), canonical_unit(None)
    ('centimeter', 'degree', None, None)
    """
    return UNIT_OF.get(text.strip().lower().rstrip(".")) if text else None


def with_unit(number: str, unit: str | None) -> str:
    """A number with its unit as people write it; a unit that is not known is left out.

    >>> with_unit("8", "centimeter"), with_unit("50", "degree"), with_unit("3.50", "dollar"), with_unit("7", None)
    ('8 cm', '50°', '$3.50', '7')
    """
    if unit is None or unit not in _SYMBOL_OF:
        return number
    symbol = _SYMBOL_OF[unit]
    if unit in _BEFORE:
        return symbol + number
    return number + symbol if unit in _TIGHT else f"{number} {symbol}"


def number_text(value: float) -> str:
    """A value as a person would write it.

    >>> number_text(12.0), number_text(7.071068), number_text(15400.0)
    ('12', '7.07107', '15,400')
    """
    return f"{value:,.0f}" if abs(value) < 1e15 and value == int(value) else f"{value:.6g}"


@lru_cache(maxsize=1)
def _registry() -> pint.UnitRegistry[float]:
    return pint.UnitRegistry(cache_folder=None)


@lru_cache(maxsize=1024)
def conversion(source: str, target: str) -> float | None:
    """What one `source` is worth in `target` (canonical names), None where they do not measure the same thing.

    >>> conversion("meter", "centimeter"), conversion("cent", "dollar"), conversion("meter", "hour")
    (100.0, 0.01, None)
    """
    if source == target:
        return 1.0
    if source in _NO_PHYSICS or target in _NO_PHYSICS:
        return _MONEY.get((source, target))
    quantity = _registry().Quantity(1.0, source)
    if not quantity.is_compatible_with(target):
        return None
    return float(round(quantity.to(target).magnitude, 12))
