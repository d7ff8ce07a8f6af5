"""Numbers as people write them: digits, words, fractions, roots, times of day, each with its unit. The house's one number reader."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from functools import lru_cache

import pint

from evpv.language.lexicon import FRACTIONS, SCALES, UNIT_SPELLINGS


@dataclass(frozen=True, slots=True, kw_only=True)
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
_LETTERS = re.compile(r"[a-z]+")
_AFTER = re.compile(r"[\s-]?(%|°\s?[CF]?(?![A-Za-z])|¢|[A-Za-z]+\$?)")
_WORD = re.compile(r"[A-Za-z]+(?:-[A-Za-z]+)*")
_SMALL = {w: v for v, w in enumerate(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split())}  # fmt: skip  # noqa: E501
_TENS = {w: 10 * v for v, w in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
_LARGE = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_NUMBER_WORDS = frozenset({*_SMALL, *_TENS, *FRACTIONS, *_LARGE})
_BEFORE_PRONOUN = frozenset(
    "the this that each which every any another previous next last first other no only either same right left".split()
)
_AFTER_PRONOUN = frozenset(
    "of is in that which side corner another at should can may must needs could might has for about with between was".split()
)
_MINUS = frozenset({"minus", "negative"})
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
    found += _word_quantities(text, [(q.start, q.end) for q in found])
    ordered = sorted([q for q in found if math.isfinite(q.value * q.scale)], key=lambda q: q.start) if found else []
    return tuple(_with_spoken_times(text, _with_compounds(text, ordered)))


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
    if not any(word in text for word in ("past", "clock", "quarter to")):
        return found
    for match in _SPOKEN_TIME.finditer(text):
        time = _spoken_time(match)
        if time is not None:
            found = [q for q in found if not match.start() <= q.start < match.end()]
            found.append(Quantity(value=time, unit="time", places=None, start=match.start(), end=match.end()))
    return sorted(found, key=lambda q: q.start)


def _spoken_time(match: re.Match[str]) -> float | None:
    hour = _clock_number(match["hour"] or match["whole"] or "")
    if hour is None or not 1 <= hour <= 12:
        return None
    if match["whole"]:
        return float(hour)
    part = match["part"].lower()
    minutes = 30 if part == "half" else 15 if part.endswith("quarter") else _clock_number(match["minutes"] or "")
    if minutes is None or minutes >= 60 or (part == "half" and match["side"] == "to"):
        return None
    if part != "half" and not part.endswith("quarter") and match["side"] == "to":
        return None  # “ten to twelve” is as often a range
    return hour + (minutes if match["side"].lower() == "past" else -minutes) / 60


def _clock_number(word: str) -> int | None:
    parts = word.lower().split("-")
    if word.isdigit():
        return int(word)
    known = [_SMALL.get(part, _TENS.get(part)) for part in parts]
    return sum(value for value in known if value is not None) if None not in known else None


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
    return frozenset(
        map(_bare_number, {match for match in _BARE_NUMBER.findall(source) if len(match) - match.count(",") < 300})
    )


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
        (match["sign"] or "").strip() == "-" or "-" in (match["currency"] or "") or (before and before[-1] in _MINUS)
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


def _word_quantities(text: str, taken: list[tuple[int, int]]) -> list[Quantity]:
    if text.isascii() and _NUMBER_WORDS.isdisjoint(_LETTERS.findall(text.lower())):
        return []
    words = list(_WORD.finditer(text))
    lower = [match[0].lower() for match in words]
    if _NUMBER_WORDS.isdisjoint(part for word in lower for part in word.split("-")):
        return []
    found: list[Quantity] = []
    spans = {index for start, end in taken for index in range(start, min(end, start + 40))}
    i = 0
    while i < len(words):
        length, value = _number_words(words, lower, i, text)
        if length == 0:
            i += 1
            continue
        start, end = words[i].start(), words[i + length - 1].end()
        if start not in spans:
            unit, scale, stop = _unit_after(text, end)
            value = -value if i and lower[i - 1] in _MINUS else value
            last = _LARGE.get(lower[i + length - 1], 1)
            if scale == 1.0 and last >= 10**6:
                value, scale = value / last, float(last)
            exact = 0 if value.is_integer() else None
            found.append(
                Quantity(value=value, unit=unit, scale=scale, places=exact, start=start, end=stop, spelled=True)
            )
        i += length
    return found


def _number_words(words: list[re.Match[str]], lower: list[str], i: int, text: str) -> tuple[int, float]:
    """How many words from `i` on spell a number, and which: one hundred forty-eight, three quarters, a third of."""
    total, current, length, said = 0.0, 0.0, 0, False
    while i + length < len(words):
        if length and not text[words[i + length - 1].end() : words[i + length].start()].isspace():
            break
        word = lower[i + length]
        parts = word.split("-")
        if (
            word == "and"
            and said
            and i + length + 1 < len(words)
            and ((current >= 100 and _is_small(lower[i + length + 1])) or _is_fraction(lower[i + length + 1]))
        ):
            length += 1
            continue
        if all(part in _SMALL or part in _TENS for part in parts):
            current += sum(_SMALL.get(part, _TENS.get(part, 0)) for part in parts)
        elif word in _LARGE and said:
            current = max(current, 1) * _LARGE[word]
            if _LARGE[word] >= 1000:
                total, current = total + current, 0.0
        elif word == "in" and said and length == 1 and _ratio_word(lower, i + 2):
            return 3, (total + current) / _ratio_word(lower, i + 2)
        elif word == "out" and said and length == 1 and lower[i + 2 : i + 3] == ["of"] and _ratio_word(lower, i + 3):
            return 4, (total + current) / _ratio_word(lower, i + 3)
        elif said and len(parts) == 2 and parts[0] in _SMALL and parts[1] in FRACTIONS:
            return length + 1, total + current + _SMALL[parts[0]] / FRACTIONS[parts[1]]
        else:
            break
        said = True
        length += 1
    if not said:
        return _fraction_words(lower, i)
    following = lower[i + length] if i + length < len(words) else ""
    if following in FRACTIONS and total + current < 20:
        return length + 1, (total + current) / FRACTIONS[following]
    if length == 1 and lower[i] == "one" and _is_pronoun(lower, i):
        return 0, 0.0
    return length, total + current


def _is_fraction(word: str) -> bool:
    first, _, second = word.partition("-")
    return first in _SMALL and second in FRACTIONS


def _ratio_word(lower: list[str], i: int) -> float:
    """The second number of “one in ten”; 0 if there is none."""
    word = lower[i] if i < len(lower) else ""
    value = float(_SMALL.get(word, _TENS.get(word, 100 if word == "hundred" else 0)))
    return value if value > 1 and lower[i - 1] in ("in", "of") else 0.0


def _is_small(word: str) -> bool:
    first = word.split("-")[0]
    return first in _SMALL or first in _TENS


def _fraction_words(lower: list[str], i: int) -> tuple[int, float]:
    """ "two-fifths", "a quarter of", "half of the", where the words measure rather than name ("a quarter circle")."""
    parts = lower[i].split("-")
    if len(parts) == 2 and parts[0] in _SMALL and parts[1] in FRACTIONS:
        return 1, _SMALL[parts[0]] / FRACTIONS[parts[1]]
    following = lower[i + 1] if i + 1 < len(lower) else ""
    before = lower[i - 1] if i else ""
    if lower[i] in _LARGE and before in ("a", "one"):
        return 1, float(_LARGE[lower[i]])
    if lower[i] == "half" and (following in ("of", "the") or before == "than"):
        return 1, 0.5
    if lower[i] in ("quarter", "third", "fifth", "tenth", "sixth", "eighth", "fourth") and (
        ((following == "of" or following in _SHARING) and before in ("a", "one", "every", "than", ""))
        or _is_measured_part(lower, i)
    ):
        return 1, 1 / FRACTIONS[lower[i]]
    return 0, 0.0


_SHARING = frozenset("use have say are were want prefer chose live work think".split())


def _is_measured_part(lower: list[str], i: int) -> bool:
    """Whether “a third” is said to be passed or nearly reached, which only a part is: “more than a third take the bus”."""
    return i > 1 and lower[i - 1] in ("a", "one") and lower[i - 2] in _NEARING


_NEARING = frozenset("than over under about nearly almost roughly exactly around approximately".split())


def _is_pronoun(lower: list[str], i: int) -> bool:
    following = lower[i + 1] if i + 1 < len(lower) else ""
    return (i > 0 and lower[i - 1] in _BEFORE_PRONOUN) or not following or following in _AFTER_PRONOUN


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
