"""What an answer is: its bare text, the option it names, and the form that equal answers share.

One reader for votes, for Best-of-N, for the judge and for the search of a response's final answer.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import lru_cache, partial

from evpv.language.quantities import Quantity, quantities
from evpv.language.text import plain

MAX_ANSWER_LENGTH = 1000
TRUTH_WORDS = {"true": True, "false": False, "yes": True, "no": False}

_LEAD = re.compile(
    r"^(?:(?:so|thus|therefore|hence)[,:]?\s+)?(?:the\s+)?(?:(?:final|correct|best)\s+)?(?:answer|option|choice)\b(?:\s+is\b)?\s*[:：]?\s*"
    r"|^(?:∴|≈|(?:about|approximately|approx\.|roughly|around|nearly)\s)\s*",
    re.IGNORECASE,
)
_OPTION_WORDS = "option|choice|opción|opção|opzione|alternativa|вариант|选项|項|项"
_NAME = re.compile(r"^(?:[A-Za-z](?:_\w)?|[∠△]?\s?[A-Z]{1,4}|[a-z]+)\s*=\s*(?=\S)")
_BOXED = re.compile(r"\\boxed\s*\{(.*)\}", re.DOTALL)
_TEXT_COMMAND = re.compile(r"\\(?:text|textbf|mathrm|mathbf|textrm|mbox)\s?\{([^{}]*)\}")
_WRAPPINGS = (("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]"), ("**", "**"), ("{", "}"))
_LAST_POINT = re.compile(r"(?<!\.[A-Za-z])[.,;:。，；．]+$")  # not the last point of "1:15 P.M."
_ONLY_LETTER = re.compile(r"[(\[（{]?\s?([A-Ja-j])\s?[)\]）}]?[.:,]?")
_BRACKETED_LETTER = re.compile(r"(?=..)" + _ONLY_LETTER.pattern)
_FIRST_LETTER = re.compile(
    rf"(?:{_OPTION_WORDS})?\s?(?:[(\[（]\s?([A-Ja-j])\s?[)\]）]|([A-Ja-j])\s?[).:：）、,]|([A-J])(?=\s|$))",
    re.IGNORECASE,
)
_MARKED_LETTER = re.compile(
    rf"(?<![A-Za-z∠△'])[(（]\s?([A-Ja-j])\s?[)）]|\b(?i:{_OPTION_WORDS})s?\s+\W{{0,3}}([A-Ja-j])\b(?!')|,\s([A-J])$"
)
_CAPITAL = re.compile(
    r"(?<![\w'’∠△])(?:A(?!\s[a-z]{2,})|A(?=\s(?:is|and|or)\b)|[B-HJ])(?![\w'’])"
)  # no article, no “I”
_LETTERS = re.compile(r"\W{0,3}[A-Ja-j]\W{0,3}(?:(?:,|and|&)\W{0,3}[A-Ja-j]\b\W{0,3}){1,9}")
_WORD = re.compile(r"[^\W_]+(?:\.\d+)?")
_RATIO = re.compile(r"(\d+(?:\.\d+)?)\s?:\s?(\d+(?:\.\d+)?)")
_POWER = re.compile(r"(?<=[a-z])\s?\^\s?\{?[23]\}?|(?<=[a-z])[²³]")


_UNWRAPPED = re.compile(r"[^\W_](?:.*[^\W_]|.*[°%])?", re.DOTALL)


def bare_answer(answer: str) -> str:
    r"""An answer without the markup, punctuation and brackets around it: the 5 of “$5$” and of “\boxed{5}”, the B of “(B)”.

    >>> bare_answer("**(B)**"), bare_answer(r"$\boxed{\frac{1}{2}}$."), bare_answer("1:15 P.M.")
    ('B', '\\frac{1}{2}', '1:15 P.M.')
    """
    if len(answer) > MAX_ANSWER_LENGTH:
        return answer.strip()
    if _UNWRAPPED.fullmatch(answer):
        return answer
    before = None
    while answer != before:
        before = answer
        answer = _LAST_POINT.sub("", answer.strip().strip("*_\"'`").strip()).strip()
        for left, right in _WRAPPINGS:
            if len(answer) > len(left + right) and answer.startswith(left) and answer.endswith(right):
                answer = answer[len(left) : -len(right)]
        for pattern in (_BOXED, _TEXT_COMMAND, _BRACKETED_LETTER):
            if (inside := pattern.fullmatch(answer)) is not None:
                answer = inside[1]
    return answer


def unnamed_answer(answer: str) -> str:
    r"""A bare answer without what announces it and the name it is given.

    >>> unnamed_answer("The answer is $x = 5$."), unnamed_answer("AB = 12 cm")
    ('5', '12 cm')
    """
    text = _TEXT_COMMAND.sub(r"\1", bare_answer(_LEAD.sub("", bare_answer(answer))))
    return bare_answer(_NAME.sub("", text))


def answer_key(answer: str | None, options: Sequence[str] = ()) -> str | None:
    r"""A form that equal answers share; None for no answer. An option's text and its letter are one answer.

    >>> answer_key("54°", ("36°", "54°")), answer_key("(B) 54", ("36°", "54°")), answer_key("90°", ("36°", "54°"))
    ('b', 'b', '90')
    >>> answer_key(r"$\frac{1}{2}$") == answer_key("0.5") == answer_key("x = 1/2"), answer_key(" ")
    (True, None)
    """
    if answer is None:
        return None
    place = chosen_option(answer, tuple(options)) if options else None
    return chr(ord("a") + place) if place is not None else _key(answer)


@lru_cache(maxsize=4096)
def _key(answer: str) -> str | None:
    """The form of one answer by itself: an option's letter, a number, or the words."""
    text = plain(unnamed_answer(answer[:MAX_ANSWER_LENGTH])).lstrip(" *").rstrip(" .*")
    if not text:
        return None
    letter = _FIRST_LETTER.match(text)
    if letter is not None and (_is_marked(letter) or letter.end() == len(text)):
        return _letter(letter).lower()
    if _ONLY_LETTER.fullmatch(text):
        return text.lower()
    if (ratio := _RATIO.fullmatch(text)) is not None and float(ratio[2]):
        return f"{float(ratio[1]) / float(ratio[2]):.10g}"
    numbers = quantities(_POWER.sub("", text))
    if len(numbers) == 1 and len(text) < 40:
        return f"{numbers[0].value:.10g}"  # as it is written: a chart in billions is answered with and without the word
    return " ".join(text.lower().removeprefix("the ").split())


@lru_cache(maxsize=4096)
def chosen_option(text: str, options: tuple[str, ...]) -> int | None:
    """Which option a text names: in its words, by its first letter, by marked letters, by words in it, or by value; None for none, and
    where no way names one alone.

    >>> chosen_option("(b) 45 degrees", ("90 degrees", "45 degrees")), chosen_option("roughly 45°", ("90°", "45°"))
    (1, 1)
    >>> chosen_option("less than 90° and more than 45°", ("90°", "45°")), chosen_option("No", ("yes", "no"))
    (None, 1)
    """
    bare = unnamed_answer(text[:MAX_ANSWER_LENGTH])
    words = _words(bare)
    spelled = [_words(option) for option in options]
    if spelled.count(words) == 1:
        return spelled.index(words)
    if _LETTERS.fullmatch(bare):
        return None  # “(A), (C) and (E)”
    for way in (_by_first_letter, _by_marked_letters, _by_words, _by_value):
        places = way(bare, options)
        if len(places) == 1:
            return places.pop()
    return None


def _by_first_letter(text: str, options: Sequence[str]) -> set[int]:
    """The option whose letter begins the text; a letter without a bracket or point only with its option's words behind it."""
    letter = _FIRST_LETTER.match(text) or _ONLY_LETTER.fullmatch(text)
    place = _place(_letter(letter)) if letter else len(options)
    if letter is None or place >= len(options):
        return set()
    rest = text[letter.end() :]
    is_named = _is_marked(letter) or not rest.strip(" .*") or _words(options[place]) in _words(rest)
    return {place} if is_named else set()


def _by_marked_letters(text: str, options: Sequence[str]) -> set[int]:
    found = {_place(_letter(match)) for match in _MARKED_LETTER.finditer(text)}
    return {place for place in found if place < len(options)}


def _letter(match: re.Match[str]) -> str:
    """The letter that one of a pattern's groups found."""
    return match[match.lastindex or 0]


def _is_marked(match: re.Match[str]) -> bool:
    """Whether a letter has a bracket or point; the third way of `_FIRST_LETTER` is a letter alone."""
    return match.lastindex != 3


def _by_words(text: str, options: Sequence[str]) -> set[int]:
    """The options whose words stand in the text, but not those that stand in a longer one; letters as capitals, numbers by value."""
    words, capitals = f" {_words(text)} ", {found.lower() for found in _CAPITAL.findall(text)}
    inside: dict[int, str] = {}
    for place, option in enumerate(map(_words, options)):
        named = option in capitals if len(option) == 1 else f" {option} " in words
        if named and option and not option.replace(" ", "").isdigit():
            inside[place] = option
    longer = " | ".join(sorted(set(inside.values()), key=len))
    return {place for place, option in inside.items() if longer.count(option) == 1}


def _by_value(text: str, options: Sequence[str]) -> set[int]:
    values = [quantity.absolute for quantity in quantities(plain(text))]
    own = [(place, quantity.absolute) for place, option in enumerate(options) if (quantity := one_quantity(option))]
    near = partial(math.isclose, rel_tol=1e-6, abs_tol=1e-18)
    return {place for place, value in own if any(near(value, other) for other in values)}


@lru_cache(maxsize=4096)
def one_quantity(text: str) -> Quantity | None:
    """The one number with its unit that a text consists of; None if there is anything else in it."""
    flat = " ".join(plain(bare_answer(text)).replace("~", " ").split())  # the space of "5~cm"
    found = quantities(flat)
    if len(found) != 1 or "," in flat.replace(f"{found[0].value:,.10g}", ""):
        return None
    left = flat[: found[0].start] + flat[found[0].end :]
    return None if _BESIDE_NUMBERS.sub("", left) else found[0]


_BESIDE_NUMBERS = re.compile(r"[\s.°%$]|degrees?|\^?\d|/\s?(?:s|h|min|sec|second|hour|minute|day|year)\b")


def _place(letter: str) -> int:
    return ord(letter.casefold()[0]) - ord("a")  # some capitals have two small letters


@lru_cache(maxsize=4096)
def _words(text: str) -> str:
    return " ".join(_WORD.findall(plain(text).casefold()))
