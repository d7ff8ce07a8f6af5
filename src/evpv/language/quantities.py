"""Numbers as people write them: digits, words, fractions, roots, times of day, each with its unit. The house's one number reader."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from operator import attrgetter

import pint

from evpv.language.immutable import immutable
from evpv.language.lexicon import SCALES, UNIT_SPELLINGS
from evpv.language.number_words import MINUS_WORDS, clock_number, has_number_words, spelled_numbers


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
UNIT_OF |= dict.fromkeys(("per cent", "per-cent"), "percent")
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
_INSIDE_NUMBERS = frozenset(":.,0123456789")
_MONEY_SCALE = re.compile(r"[mbk](?![^\W_])")
_AFTER = re.compile(r"[\s-]?(%|per[ -]cent\b|°\s?[CF]?(?![A-Za-z])|¢|[A-Za-z]+\$?)")
_RATE = re.compile(r"\s?([A-Za-z]+)/([A-Za-z]+)(?:\^-?\d)?(?![\w/^])")
_AMBIGUOUS_UNITS = {"m", "in", "s", "h", "g", "l", "min", "mi"}
_GOES_ON = ("/", "^", "(", "+", "-", "*", " +", " -", " =")
_LONG_UNITS = ("long", "tall", "wide", "high", "deep", "thick")
_CURRENCY = {"$": "dollar", "€": "euro", "£": "pound_sterling", "¥": "yen"}
_COUNTRIES = frozenset({"u", "us", "japanese"})
_SCALE_LETTERS = {"K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12, "bn": 1e9, "mn": 1e6}


@lru_cache(maxsize=256)
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
    if has_number_words(text):
        found += _word_quantities(text, found)
    elif not found:
        return ()
    found = [q for q in found if math.isfinite(q.value * q.scale)]
    if len(found) > 1:
        found = _with_compounds(text, sorted(found, key=_START))
    times = _with_spoken_times(text, found)
    return tuple(_after_noon(text, q) if q.unit == "time" and q.value < 12 else q for q in times)


_PAST_NOON = re.compile(r" ?(?P<half>in the (?:afternoon|evening)|at night)\b")


def _after_noon(text: str, time: Quantity) -> Quantity:
    """“Half past seven in the evening” is 19:30."""
    said = _PAST_NOON.match(text, time.end)
    return replace(time, value=hour_of_day(time.value, said["half"])) if said else time


def hour_of_day(hour: float, half: str) -> float:
    """An hour up to twelve by the half of the day that it is said with.

    >>> [hour_of_day(*said) for said in ((9, "in the evening"), (2, "at night"), (12, "at night"), (12, "in the afternoon"))]
    [21, 2, 0, 12]
    """
    is_late = half in ("in the afternoon", "in the evening") or (half == "at night" and 6 <= hour < 12)
    return hour % 12 + 12 * is_late


_START = attrgetter("start")
_UNIT_AND_A_HALF = re.compile(r"\ban? ([a-z]+) and a half\b")
_SMALLER = {
    "dollar": ("cent", 100), "hour": ("minute", 60), "minute": ("second", 60),
    "foot": ("inch", 12), "kilogram": ("gram", 1000), "meter": ("centimeter", 100),
}  # fmt: skip


def _with_compounds(text: str, found: list[Quantity]) -> list[Quantity]:
    """“2 hours and 31 minutes” is one amount, 151 minutes."""
    joined: list[Quantity] = []
    for quantity in found:
        larger = joined[-1] if joined else quantity
        unit, factor = _SMALLER.get(larger.unit or "", ("", 0))
        follows = quantity.unit == unit and text[larger.end : quantity.start].strip(" ,") in ("", "and")
        if joined and follows and larger.value.is_integer() and 0 <= quantity.value < factor:
            whole = larger.value * factor + quantity.value
            joined[-1] = replace(quantity, value=whole, start=larger.start, spelled=False)
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
    timely = any(part in text for part in (" to", "lock", "watch")) and _TELLING_TIME.search(text) is not None
    if "past" not in text and "quarter to" not in text and not timely:
        return found
    for match in _SPOKEN_TIME.finditer(text):
        time = _spoken_time(match, timely=timely)
        if time is not None:
            found = [q for q in found if not match.start() <= q.start < match.end()]
            found.append(Quantity(value=time, unit="time", places=None, start=match.start(), end=match.end()))
    return sorted(found, key=_START)


_SPOKEN_MINUTES = {"half": 30, "quarter": 15}
_TELLING_TIME = re.compile(r"\b(?:o'?clock|clocks?|watch|minutes to)\b|^It(?:'s| is) [\w-]+ to [\w-]+\W*$")
"""Where “ten to twelve” is no range."""


def _spoken_time(match: re.Match[str], *, timely: bool) -> float | None:
    """The hours since midnight; what is no quarter “to” an hour is a time only where a text tells the time."""
    hour = clock_number(match["hour"] or match["whole"])
    if hour is None or not 1 <= hour <= 12:
        return None
    if match["whole"]:
        return float(hour)
    minutes = _spoken_minutes(match, timely=timely)
    if minutes is None or minutes >= 60:
        return None
    return hour + (minutes if match["side"].lower() == "past" else -minutes) / 60


def _spoken_minutes(match: re.Match[str], *, timely: bool) -> int | None:
    named = _SPOKEN_MINUTES.get(match["part"].lower().split()[-1])
    if named != 15 and match["side"] == "to" and not timely:
        return None
    return named or clock_number(match["minutes"] or "")


# Begins with what can begin a number and looks back from there, so that the text between numbers is passed over quickly; the signs of
# other alphabets are let in untested, because a set without \d is one look at a table.
_BARE_NUMBER = re.compile(
    r"[-.0-9\u0080-\U0010ffff](?:(?<=\d)(?<![^\WA-Za-z].)[\d,]*(?:\.\d+)?"
    r"|(?<=[-−])(?<![\w.].)\d[\d,]*(?:\.\d+)?|(?<=\.)\d+)",
    re.DOTALL,
)


def bare_numbers(source: str) -> frozenset[float]:
    """The numbers in digits of any text, dressed or not, without units or scales: for telling which texts share one.

    >>> sorted(bare_numbers(r"At \\(x = -2\\) the 1,200 are \\frac{3}{4}"))
    [-2.0, 3.0, 4.0, 1200.0]
    """
    found = _BARE_NUMBER.findall(source)
    if len(source) >= 300:
        found = [one for one in found if len(one) - one.count(",") < 300]
    return frozenset(map(_bare_number, found))


@lru_cache(maxsize=4096)
def _bare_number(digits: str) -> float:
    return round(float(digits.replace(",", "").replace("−", "-")), 9)


def _digit_quantities(text: str) -> list[Quantity]:
    found: list[Quantity] = []
    position = 0
    while start := _STARTS.search(text, position):
        at = start.start()
        clock = _CLOCK.match(text, at)
        if clock is not None and text[at - 1 : at] not in _INSIDE_NUMBERS:
            found.append(_time_of_day(clock))
            position = clock.end()
            continue
        signed = at - (text[at - 1 : at] in ("-", "+"))
        match = _number_at(text, signed) or _number_at(text, at)
        position = match.end() if match else start.end()
        before = text[signed - 1 : signed]
        if match and not (before.isalpha() or before == "_"):
            found.append(_quantity(text, match))
            position = max(position, found[-1].end)
    return found


def _number_at(text: str, place: int) -> re.Match[str] | None:
    match = _NUMBER.match(text, place)
    return match if match and (match.lastgroup == "whole" or any(match.group("whole", "radicand", "pi"))) else None


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
    value, places = _magnitude(match)
    said = match.groupdict("")
    start, sign, currency, below = match.start(), said["sign"], said["currency"], said["denominator"]
    if below and len(said["whole"]) == 4 and below == f"{(int(value) + 1) % 100:02}":
        return Quantity(value=value, start=start, end=match.end())  # a year with the next: 2019/20
    if below and int(below):
        value, places = value / int(below), None
    value = -value if "-" in sign + currency or _follows_minus_word(text, start) else value
    unit, scale, end = _money_after(text, match) if currency else _unit_after(text, match.end())
    value, end = _on_its_side_of_zero(text, value, end)
    start = match.end("sign") if sign.strip() == "+" else start
    return Quantity(value=value, unit=unit, scale=scale, places=places, start=start, end=end)


def _follows_minus_word(text: str, start: int) -> bool:
    """“Minus 6”, unless it is taken from what stands before it: “41% (taste) minus 27% (price)”."""
    before = text[max(0, start - 9) : start].lower()
    signed = ("inus" in before or "tive" in before) and before.split()[-1] in MINUS_WORDS
    return signed and not _TAKEN_FROM.search(text[max(0, start - 60) : start])


_TAKEN_FROM = re.compile(r"\d\s?(?:%|%?\s?\([^()]*\))\s+minus\s+[$€£]?$", re.IGNORECASE)


_SIDE_OF_ZERO = re.compile(r"\s+(?P<side>below|above)\s+(?:zero|freezing)\b", re.IGNORECASE)


def _on_its_side_of_zero(text: str, value: float, end: int) -> tuple[float, int]:
    """A number with the sign that “below zero” after it gives, and where that ends."""
    side = _SIDE_OF_ZERO.match(text, end)
    if side is None:
        return value, end
    return -abs(value) if side["side"].lower() == "below" else value, side.end()


def _money_after(text: str, match: re.Match[str]) -> tuple[str, float, int]:
    """The currency before a number, with the scale word or letter after it: $5 million, $5m."""
    _, scale, end = _unit_after(text, match.end())
    letter = _MONEY_SCALE.match(text, match.end()) if scale == 1.0 else None
    if letter is not None:
        scale, end = _SCALE_LETTERS[letter[0].upper()], letter.end()
    return _CURRENCY[match["currency"][0]], scale, end


def _magnitude(match: re.Match[str]) -> tuple[float, int | None]:
    """A number without sign, denominator and scale word, and its decimals: None where it is exact (5√2, 2π, 3×10^5)."""
    whole = (match["whole"] or "").replace(",", "").replace(" ", "")
    places = len(whole.partition(".")[2]) if whole else None
    if match.lastgroup == "whole":
        return float(whole), places
    power, mixed, radicand, pi = match.group("power", "mixed", "radicand", "pi")
    value = float(whole or 1)
    if power:  # “×10^5” and “e5”
        value *= _power_of_ten(power)
    if mixed:
        top, _, bottom = mixed.partition("/")
        value += int(top) / max(int(bottom), 1)
    if radicand:
        value *= math.sqrt(float(radicand.replace(",", "").replace(" ", "")))
    return value * (math.pi if pi else 1.0), None if any((power, mixed, radicand, pi)) else places


def _power_of_ten(power: str) -> float:
    digits = "".join(c for c in power.partition("^")[2] or power[1:] if c.isdigit() or c in "+-")
    exponent = float(digits or 0)
    return 10.0**exponent if exponent <= 308 else math.inf


def _unit_after(text: str, position: int) -> tuple[str | None, float, int]:
    """The scale word and unit that follow a number, and where they end; a unit of areas, volumes and rates (“m/s”) is none that is known."""
    rate = _RATE.match(text, position)
    if rate is not None and {rate[1].lower(), rate[2].lower()} <= UNIT_OF.keys():
        return None, 1.0, rate.end()
    unit, scale, end = _scaled_unit(text, position)
    if unit is not None and text[end : end + 2] in ("^2", "^3"):
        return None, scale, end + 2
    return unit, scale, end


def _scaled_unit(text: str, position: int) -> tuple[str | None, float, int]:
    scale, unit, end = 1.0, None, position
    for _ in range(4):
        if (match := _AFTER.match(text, position)) is None:
            break
        word, position = match[1].replace(" ", ""), match.end()
        lower = word.lower()

        factor = _scale(word, glued=match[0] == match[1]) if unit is None else None
        if factor is not None:
            scale *= factor
        elif unit is None and lower in UNIT_OF and _is_unit(word, text, match):
            unit = UNIT_OF[lower]
        elif lower in _COUNTRIES:  # all of “U.S.”
            position += 2 * text.startswith(".S.", position)
            position += text.startswith(".", position)
            continue
        else:
            break
        end = position
    return unit, scale, end


def _scale(word: str, *, glued: bool) -> float | None:
    """What a scale word multiplies by; a letter is one only right behind its number."""
    if word.lower() in SCALES and (glued or word.lower() != "k"):
        return SCALES[word.lower()]
    return _SCALE_LETTERS.get(word) if glued else None


def _is_unit(word: str, text: str, match: re.Match[str]) -> bool:
    """A letter after a number is a unit only where no sentence or label goes on with it ("10 in 2011", "5 m"), and no decade ends in it."""
    end = match.end()
    if word.lower() not in _AMBIGUOUS_UNITS:
        return True
    if match[0] == "s" and text[match.start() - 4 : match.start()].isdigit():
        return False
    if not word.islower() or text.startswith(_GOES_ON, end):
        return False
    rest = text[end : end + 12].lstrip()
    return word != "in" or not rest or rest[0] in ".,;)" or rest.startswith(_LONG_UNITS)


_OF_A = re.compile(r"\s(?:of )?an?(?=\s)")
"""“Half a cup”, “a quarter of a million”."""


def _word_quantities(text: str, taken: Sequence[Quantity]) -> list[Quantity]:
    """The numbers in words that stand in none of the places taken; then “a kilometre and a half”."""
    found: list[Quantity] = []
    for one in spelled_numbers(text):
        if any(q.start <= one.start < min(q.end, q.start + 40) for q in (*taken, *found[-1:])):
            continue
        unit, scale, stop = _unit_after_words(text, one.value, one.end)
        value, stop = _on_its_side_of_zero(text, one.value, stop)
        if scale == 1.0 and one.large >= 10**6:
            value, scale = value / one.large, float(one.large)
        places = 1 if text[one.start : one.end].endswith((" a", " an")) else None  # “half a”
        places = 0 if value.is_integer() else places
        found.append(
            Quantity(value=value, unit=unit, scale=scale, places=places, start=one.start, end=stop, spelled=True)
        )
    for match in _UNIT_AND_A_HALF.finditer(text):
        if unit := UNIT_OF.get(match[1]):
            found.append(Quantity(value=1.5, unit=unit, start=match.start(), end=match.end(), spelled=True))
    return found


def _unit_after_words(text: str, value: float, end: int) -> tuple[str | None, float, int]:
    """What follows a number in words; of a part also what stands behind “of a”: “half a million dollars”."""
    after = _unit_after(text, end)
    part = _OF_A.match(text, end) if 0 < value < 1 and after[2] == end else None
    if part is not None and (known := _unit_after(text, part.end()))[:2] != (None, 1.0):
        return known
    return after


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
